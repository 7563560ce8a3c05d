"""The rules in plain words: whole, true, and never apart from the tables they are made from."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from typing import Any

import pytest
from click.testing import CliRunner
from euchre_arena.cli import main
from euchre_arena.match.live import REFUSALS_ALLOWED
from euchre_arena.rules import OPTIONS, PRESETS, Game, OptionError, Rules, deal_cards
from euchre_arena.rules.explaining import explain

from tests.rules.tables import valid


def text(preset: str, **options: Any) -> str:
    """Everything that is said, one sentence a line."""
    sections = explain(Rules.of(preset, options))
    return "\n".join(line for section in sections for line in (section.title, *section.sentences))


def plain(preset: str, **options: Any) -> str:
    """Without the section that only names what was set."""
    sections = explain(Rules.of(preset, options))
    return "\n".join(line for s in sections if s.title != "Options set" for line in s.sentences)


def explained(*args: str, status: int = 0) -> str:
    done = CliRunner().invoke(main, ["presets", "--explain", *args])
    assert done.exit_code == status, done.output
    return done.output


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_explained_from_players_to_the_end(preset: str):
    rules = Rules.of(preset)
    said = {section.title: " ".join(section.sentences) for section in explain(rules)}
    assert list(said) == [
        "Players", "Cards", "Deal",
        *{"turn-up": ["Making trumps", "Going alone", "Before the lead"], "auction": ["Bidding"],
          "ecarte": ["Proposals and exchanges"]}[rules.making],
        "Lead", "Play", "Points", "End of the game", "Hidden", "Illegal and late actions",
    ]  # fmt: skip  # a list of words
    assert f"{rules.seats} players" in said["Players"]
    assert f"{rules.pack.size} cards" in said["Cards"]
    assert f"{rules.hand_size} cards each" in said["Deal"]
    assert f" {rules.target} points wins" in said["End of the game"]
    for sentences in said.values():
        assert "None" not in sentences
        assert "{" not in sentences
        assert sentences.endswith(".")


@pytest.mark.parametrize(
    ("preset", "sentences"),
    [
        ("standard", [
            "Partners sit alternately: seats 0 and 2 against seats 1 and 3.",
            "Trumps rank right bower, left bower, then A K Q T 9.",
            "two rounds: 3, 2, 3 and 2, then 2, 3, 2 and 3.",
            "Makers who play together: 5 tricks, 2 points; 3 or 4 tricks, 1 point; "
            "0 to 2 tricks, 2 points to the defenders.",
            "A lone maker: 5 tricks, 4 points; 3 or 4 tricks, 1 point; "
            "0 to 2 tricks, 2 points to the defenders.",
        ]),
        ("stick", ["The dealer may not pass in the second round."]),
        ("british", [
            "25 cards: 9 to ace of each suit and the joker.", "Trumps rank joker, right bower,",
            "names any suit, alone or not (never no trump)",
        ]),
        ("canadian", ["The dealer's partner may order up only by going alone."]),
        ("robson", [
            "may, before seeing his hand, go alone", "come off the opponents, below zero allowed",
            "blind, whoever defends: 5 tricks, 5 points; 0 to 4 tricks, 1 point to the defenders.",
        ]),
        ("two", ["Card 11 is turned up", "2 points to the opponent."]),
        ("three", ["A maker who takes 5 tricks: 3 points.", "2 points to each of the others.",
                   "several players to 5 all of them win"]),
        ("three-setback", ["euchred and loses 2 points, below zero allowed; nobody else scores"]),
        ("three-modern", ["A maker who takes 5 tricks: 3 points.", "The first player to 10"]),
        ("three-seven", [
            "A maker who takes 7 tricks: 4 points.", "A maker who takes 6 tricks: 2 points.",
            "A maker who takes 4 or 5 tricks: 1 point.",
            "fewer than 4 tricks: 2 points to the defender with more tricks than the other, "
            "1 point to each when they have equally many",
        ]),
        ("six", ["seats 0, 2 and 4 against seats 1, 3 and 5", "partners of a lone player both sit",
                 "The other 1 card is the kitty"]),
        ("auction", ["The bids are 1 to 5", "Nobody plays alone.",
                     "score the number of the bid, no more; if not, their opponents score it"]),
        ("bid-four", ["The bids are 1 to 6", "All 6 tricks bid alone: 12 points if made, and "
                      "12 points lost if not.", "brings both sides to 32 the makers win",
                      "All cards are dealt", "The maker leads", "a suit or no trump",
                      "6 alone ranks above 6 with a partner"]),
        ("bid-six", ["48 cards: 9 to ace of each suit, every card twice.",
                     "Of two equal cards the one played first is the higher.",
                     "All 8 tricks bid alone: 24 points", "partners both sit out"]),
        ("five", ["3 is 3 tricks with one partner; 4 is 4 tricks with 2 partners; 5 is 5 tricks "
                  "with 2 partners; 8 is all 5 tricks alone with the widow; 15 is all 5 tricks "
                  "alone without the widow", "unless the bid was 15, and discards down to 5",
                  "the number comes off the maker alone", "The other 3 cards are the widow"]),
        ("seven", ["53 cards: 2 to ace of each suit and the joker.", "The other 4 cards are the "
                   "widow", "6 is 6 tricks with 3 partners",
                   "20 is all 7 tricks alone without the widow"]),
        ("ecarte", ["Plain suits rank K Q J A T 9 8 7", "The point, 3 or 4 tricks: 1 point. The "
                    "vole, all five: 2 points.", "may concede the rest", "win the trick if you can",
                    "A non-dealer who stood without any proposal in the hand and loses the point: "
                    "2 points to the dealer", "The vole is 2 all the same."]),
    ],
)  # fmt: skip  # sentences side by side
def test_what_is_particular_to_a_preset_is_said(preset: str, sentences: list[str]):
    said = text(preset)
    for sentence in sentences:
        assert sentence in said


def other_values(preset: str, name: str) -> list[Any]:
    """Every value of an option that is not the preset's own."""
    values, own = OPTIONS[name].values, Rules.of(preset).value(name)
    if values is bool:
        return [not own]
    if isinstance(values, tuple):
        return [value for value in values if value is not own and value != own]
    return [7919]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_option_changes_what_is_said_and_its_number_stands_there(preset: str):
    for name in OPTIONS:
        for value in other_values(preset, name):
            if not valid(preset, {name: value}):
                continue
            beside: dict[str, Any] = {}
            if name.startswith("defend_alone_"):
                beside = {"defend_alone": True}
            if name == "revoke_lone":
                beside = {"on_illegal": "revoke"}
                if preset == "auction":
                    continue  # nobody plays alone there
            before, after = plain(preset, **beside), plain(preset, **beside, **{name: value})
            assert before != after, (preset, name, value)
            if value == 7919:
                assert "7919" in after
            set_here = text(preset, **{name: value})
            assert f"{name} = {value if isinstance(value, str) else json.dumps(value)}" in set_here
            assert OPTIONS[name].text in set_here


def test_contradictory_options_are_refused_with_both_named():
    said = explained("standard", "-o", "num_deals=4", "-o", "target=5", status=2)
    assert "'num_deals' and 'target'" in said
    said = explained("two", "-o", "canadian=true", status=2)
    assert "'canadian' does not go with preset 'two'" in said
    assert "did you mean 'target'" in explained("two", "-o", "targt=5", status=2)
    assert "name it" in explained("-o", "target=5", status=2)
    assert "given twice" in explained("two", "-o", "target=5", "-o", "target=6", status=2)


def test_the_command_explains_one_or_all():
    said = explained("british", "--option", "target=7", "-o", "defend_alone=any")
    assert "  target = 7 (the preset: 11)." in said
    assert "The first side to 7 points wins" in said
    assert "Options that may be set\n  target " in said
    assert "7 (the preset: 11); 1 to 10000" in said
    assert max(map(len, said.splitlines())) <= 98
    assert "What was refused, and why, is hidden" in " ".join(said.split())
    everything = explained()
    assert all(f"\n{name}: " in "\n" + everything for name in PRESETS)
    data = json.loads(explained("ecarte", "--json"))["ecarte"]
    assert data["rules"]["Points"][0].startswith("The point")
    assert data["options"]["target"]["default"] == 5


def test_sentences_of_the_options_are_sentences():
    for option in OPTIONS.values():
        assert option.text[0].isupper()
        assert option.text.endswith(".")


def test_the_refusal_that_loses_the_game_is_the_referees():
    assert REFUSALS_ALLOWED == 3
    assert "the fourth refusal of one seat" in text("standard")


def lone(hand: Any) -> bool:
    return bool(hand.alone)


@pytest.mark.parametrize(
    "preset", [name for name in PRESETS if Rules.of(name).scoring == "partnership"]
)
def test_points_in_the_text_are_points_that_are_played(preset: str):
    """Random hands of a preset score nothing that the text does not name."""
    rules = Rules.of(preset)
    rng = random.Random(preset)
    said = text(preset)
    seen = defaultdict(set)
    for _ in range(300):
        game = Game(rules, rng.randrange(rules.seats))
        order = list(range(rules.pack.size))
        rng.shuffle(order)
        hand = game.start_hand(deal_cards(rules, game.dealer, order))
        while not hand.over:
            hand.apply(rng.choice(hand.legal()))
        if hand.maker >= 0:
            makers = rules.side_of[hand.maker]
            seen[lone(hand)].add((hand.points[makers], hand.points[1 - makers]))
    assert seen
    for outcomes in seen.values():
        for makers, defenders in outcomes:
            number = abs(makers or defenders)
            assert f"{number} point" in said


def test_an_unknown_preset_is_named():
    assert "there is no preset 'bridge'" in explained("bridge", status=2)
    with pytest.raises(OptionError):
        text("bridge")
