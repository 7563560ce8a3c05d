"""The rules in plain words: whole, true, and never apart from the tables they are made from."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from click.testing import CliRunner
from euchre_arena.cli import main
from euchre_arena.match.live import REFUSALS_ALLOWED
from euchre_arena.rules import OPTIONS, PRESETS, Game, OptionError, Rules, deal_cards
from euchre_arena.rules.explaining import choices, explain
from euchre_arena.rules.hand import Hand
from euchre_arena.rules.presets import SOURCES

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
        ("stick", ["The dealer may not pass in the second round.",
                   "to the left after every hand.", "after 500 deals ends there"]),
        ("british", [
            "25 cards: 9 to ace of each suit and the joker.", "Trumps rank joker, right bower,",
            "name a suit, alone or not (any of the four, never no trump); he is the maker",
            "The other 4 cards are the kitty, face down.",
        ]),
        ("canadian", ["The dealer's partner may order up only by going alone."]),
        ("robson", [
            "may, before seeing his hand, go alone", "When the up-card's suit was made trumps, "
            "blind or not, the dealer takes", "come off the opponents, below zero allowed",
            "blind, whoever defends: 5 tricks, 5 points; 0 to 4 tricks, 1 point to the defenders.",
        ]),
        ("two", ["Card 11 is turned up", "dealer's left, the non-dealer;",
                 "2 points to the opponent."]),
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
                 "The last card is the kitty",
                 "he and his partners are the makers"]),
        ("auction", ["The bids are 1 to 5", "Nobody plays alone.",
                     "score the number of the bid, no more; if not, their opponents score it",
                     "The other 12 cards are the kitty", "match is over: hands and the kitty."]),
        ("bid-four", ["The bids are 1 to 6", "All 6 tricks bid alone: 12 points if made, and "
                      "12 points lost if not.", "brings both sides to 32 the makers win",
                      "All cards are dealt", "match is over: hands and the hand of a partner",
                      "Bids rank only by their number;", "The maker leads", "a suit or no trump",
                      "6 alone ranks above 6 with a partner"]),
        ("bid-six", ["48 cards: 9 to ace of each suit, every card twice.",
                     "Of two equal cards the one played first is the higher.",
                     "All 8 tricks bid alone: 24 points", "partners both sit out"]),
        ("five", ["3 is 3 tricks with one partner; 4 is 4 tricks with 2 partners; 5 is 5 tricks "
                  "with 2 partners; 8 is all 5 tricks alone with the widow; 15 is all 5 tricks "
                  "alone without the widow", "unless the bid was 15, and discards down to 5",
                  "the number comes off the maker alone", "all the others defend",
                  "lost by a fault is won by all the others", "The other 3 cards are the widow"]),
        ("seven", ["53 cards: 2 to ace of each suit and the joker.", "The other 4 cards are the "
                   "widow", "6 is 6 tricks with 3 partners",
                   "20 is all 7 tricks alone without the widow"]),
        ("ecarte", ["Plain suits rank K Q J A T 9 8 7", "The point, 3 or 4 tricks: 1 point. The "
                    "vole, all five: 2 points.", "may concede the rest", "win the trick if you can",
                    "A non-dealer who stood without any proposal in the hand and loses the point: "
                    "2 points to the dealer", "king turned up or marked that wins",
                    "The vole is 2 all the same."]),
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


@pytest.mark.parametrize("preset", PRESETS)
def test_the_values_offered_are_those_taken(preset: str):
    """No option or value stands in the list that would be refused, none is left out."""
    offered = {choice.name: choice.values for choice in choices(Rules.of(preset))}
    for name, option in OPTIONS.items():
        if not isinstance(option.values, tuple):
            value: Any = True if option.values is bool else 7
            assert (name in offered) == valid(preset, {name: value})
            continue
        words = offered.get(name, "").replace(" or ", ", ").split(", ")
        for value in option.values:
            word = value if isinstance(value, str) else json.dumps(value)
            assert (word in words) == valid(preset, {name: value}), (name, value)
    seven = choices(Rules.of("three-seven", {"benny": True}))
    assert next(c for c in seven if c.name == "farmers_hand").values == "swap, redeal or false"


@pytest.mark.parametrize("preset", PRESETS)
def test_discards_are_spoken_of_where_cards_are_put_away(preset: str):
    """A turned up card, a stock or a widow is there to be taken; else nobody ever discards."""
    puts_away = any(
        hand.put_away[seat] for hand in hands(preset) for seat in range(hand.rules.seats)
    )
    assert ("discard" in text(preset)) == puts_away


def test_every_source_named_is_told():
    for preset in PRESETS.values():
        named = "".join([preset.source, *(option.source for option in OPTIONS.values())])
        assert set(re.findall(r"\[(.+?)\]", named)) <= set(SOURCES)
        assert "rules.md" not in explained(preset.name), "not a page a user has"
    told = explained("two").split("\nSources\n")[1]
    assert "[P] a short two-handed text" in told
    assert "[F]" not in told


@pytest.mark.parametrize(
    ("preset", "options", "said", "not_said"),
    [
        ("three", {"march": 0}, "who takes 5 tricks: nobody scores.", "takes 5 tricks is euchred"),
        ("three-setback", {"march": 0}, "who takes 5 tricks: nobody scores.", "5 tricks is euchr"),
        ("bid-four", {"win_by_two": True}, "lead of at least 2 wins", "brings both sides to 32"),
        ("ecarte", {"win_by_two": True}, "lead of at least 2 wins", "first player to 5"),
        ("robson", {"fast_break": True, "stick_the_dealer": True},
         "nobody scores, save against a dealer who went blind.",
         "nobody scores."),
        ("british", {"farmers_hand": "swap"}, "Before trumps are made each player", "Before the f"),
        ("standard", {"farmers_hand": "redeal"}, "After a redeal nobody scores", "ask for a"),
        ("standard", {"max_deals": 9}, "after 9 deals, thrown-in ones counted, ends", "redealt"),
        ("standard", {"ace_no_face": "redeal"}, "thrown-in and redealt ones counted", "ask for a"),
    ],
)  # fmt: skip  # sentences side by side
def test_options_together_say_what_is_played(
    preset: str, options: dict[str, Any], said: str, not_said: str
):
    sentences = plain(preset, **options)
    assert said in sentences
    assert not_said not in sentences


def hands(preset: str, options: dict[str, Any] | None = None, number: int = 300) -> list[Hand]:
    """Random hands played out."""
    rules = Rules.of(preset, options)
    rng = random.Random(preset)
    played = []
    for _ in range(number):
        game = Game(rules, rng.randrange(rules.seats))
        order = list(range(rules.pack.size))
        rng.shuffle(order)
        hand = game.start_hand(deal_cards(rules, game.dealer, order))
        while not hand.over:
            hand.apply(rng.choice(hand.legal()))
        played.append(hand)
    return played


@pytest.mark.parametrize(
    "preset", [name for name in PRESETS if Rules.of(name).scoring == "partnership"]
)
def test_points_in_the_text_are_points_that_are_played(preset: str):
    """Random hands of a preset score nothing that the text does not name."""
    side_of = Rules.of(preset).side_of
    said = text(preset)
    made = [hand for hand in hands(preset) if hand.maker >= 0]
    assert made
    for hand in made:
        makers = side_of[hand.maker]
        number = abs(hand.points[makers] or hand.points[1 - makers])
        assert f"{number} point" in said


@pytest.mark.parametrize("march", [None, 0, 1, 3])
@pytest.mark.parametrize(
    "preset", [name for name in PRESETS if Rules.of(name).scoring in ("solo", "setback")]
)
def test_points_of_a_maker_by_tricks_are_those_that_are_played(preset: str, march: int | None):
    options = {} if march is None else {"march": march}
    lines = {}
    for found in re.finditer(r"A maker who takes ([\w ]+) tricks(.*)", plain(preset, **options)):
        ends = [int(number) for number in re.findall(r"\d", found[1])]
        lines.update(dict.fromkeys(range(ends[0], ends[-1] + 1), found[2]))
    for hand in hands(preset, options, 600):
        if hand.maker < 0:
            continue
        own = hand.points[hand.maker]
        others = max(p for seat, p in enumerate(hand.points) if seat != hand.maker)
        line = lines[hand.tricks[hand.maker]]
        if own < 0:
            assert line.startswith(f" is euchred and loses {-own} points")
        elif others:
            assert line.startswith(f" is euchred: {others} points to")
        else:
            assert line.startswith(f": {own} point" if own else ": nobody scores")


def test_an_unknown_preset_is_named():
    assert "there is no preset 'bridge'" in explained("bridge", status=2)
    with pytest.raises(OptionError):
        text("bridge")
