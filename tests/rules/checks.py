"""What holds for every hand and every match of every preset, as plain functions.

Hypothesis calls them (test_invariants, test_every_preset, test_any_options) and so does the soak.
Each raises an AssertionError that says what differs, without help from pytest.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from euchre_arena.conformance.position import snapshot
from euchre_arena.match.replay import replay_record
from euchre_arena.rules import (
    Deal,
    Game,
    Hand,
    Reason,
    Rules,
    action_text,
    parse_action,
    view,
)
from euchre_arena.rules.actions import (
    CLAIM,
    HIDDEN,
    PLAY,
    Kind,
    bid,
    canonical_key,
    card_mask,
    kind_of,
    several,
)
from euchre_arena.rules.cards import NAMES, cards_of, mask_of

from tests.match.driving import Play, a_match
from tests.rules import naive, naive_others
from tests.rules.game_checks import check_game_end, check_games_recorded
from tests.rules.tables import FOUR_HANDED, choose_of, same

Said = Sequence[tuple[int, int]]
"""Seat and action, whole, in order."""

MOST_ACTIONS = 250
MOST_ACTIONS_FOUR_HANDED = 60
"""More than any hand takes: questions, two rounds, exchanges and twenty cards."""

PARTNERS = (*FOUR_HANDED, "six")
"""Presets that score by the table of §6."""

_key = lru_cache(1 << 14)(canonical_key)

WORDS = (
    "pass", "order", "order alone", "defend alone", "discard", "redeal", "blind alone", "score add",
    "score subtract", "propose", "stand", "accept", "refuse", "mark", "concede",
)  # fmt: skip  # a list of words


def _fixed_candidates() -> frozenset[int]:
    found = {parse_action(word) for word in WORDS}
    for suit in range(1, 6):
        found |= {Kind.CALL << 10 | suit, Kind.CALL << 10 | suit | 8, Kind.NAME << 10 | suit}
        found |= {Kind.LEAD_SUIT << 10 | suit} if suit < 5 else set()
    found |= {
        bid(n, suit, alone) for n in range(22) for suit in range(6) for alone in (False, True)
    }
    for count in (1, 2, 3):
        found |= {Kind.PICK << 10 | mask_of(s) for s in combinations(range(7), count)}
    for card in range(1, 54):
        found |= {PLAY | card, Kind.GIVE << 10 | card, Kind.DISCARD << 10 | card}
    return frozenset(found | {Kind.SWAP << 10 | HIDDEN | 3, Kind.DISCARD << 10 | HIDDEN | 1})


FIXED = _fixed_candidates()


def candidates(hand: Hand, rng: random.Random) -> set[int]:
    """All that could be legal and much that cannot; never ``claim``."""
    found = set(FIXED)
    held = hand.cards(hand.to_act)
    found.add(several(Kind.SWAP, mask_of(rng.sample(hand.rules.pack.cards, 3))))
    if len(set(held)) == len(held):
        for kind, counts in ((Kind.SWAP, (2, 3, 4)), (Kind.DISCARD, range(2, 6))):
            found |= {several(kind, mask_of(s)) for n in counts for s in combinations(held, n)}
    return found


def everywhere(hand: Hand, said: Said) -> list[int]:
    """Every card of the pack where it is now, ascending."""
    cards = [*hand.kitty]
    for seat in range(hand.rules.seats):
        cards += hand.cards(seat)
    if hand.up_card and hand.up_card_state.word != "taken":
        cards.append(hand.up_card)
    for _, action in said:
        kind = action >> 10 & 63
        if kind == Kind.PLAY:
            cards.append(action & 63)
        elif kind == Kind.DISCARD:
            cards += cards_of(card_mask(action))
    cards.sort()
    return cards


def check_conserved(hand: Hand, said: Said) -> None:
    """§2, §3: taking, discarding, swapping and giving only move cards about."""
    same("cards", everywhere(hand, said), sorted(hand.rules.pack.cards))


def check_legal(hand: Hand) -> tuple[int, ...]:
    """§12: a seat to act can do something; canonical order, nothing twice, never a claim."""
    legal = hand.legal()
    assert 0 <= hand.to_act < hand.rules.seats, f"seat {hand.to_act} is to act"
    assert legal, "a seat to act can do nothing"
    if len(legal) > 1:
        keys = [_key(action) for action in legal]
        assert all(a < b for a, b in pairwise(keys)), f"order: {list(map(action_text, legal))}"
    assert CLAIM not in legal, "a claim is on the list"
    return legal


def check_refusals(hand: Hand, rng: random.Random) -> None:
    """conformance.md: legal is what is not refused, and asking changes nothing."""
    table = (Game(hand.rules, hand.dealer), hand)
    legal = hand.legal()
    tried = candidates(hand, rng)
    assert tried.issuperset(legal), f"never thought of: {set(legal) - tried}"
    before = snapshot(table)
    same("not refused", {a for a in tried if hand.refusal(hand.to_act, a) is None}, set(legal))
    other = rng.choice([seat for seat in range(hand.rules.seats) if seat != hand.to_act])
    same("refusals", {hand.refusal(other, action) for action in legal}, {Reason.NOT_YOUR_TURN})
    same("the table after asking", snapshot(table), before)
    for action in legal:
        same("an action read again", parse_action(action_text(action)), action)


def check_plays(hand: Hand) -> None:
    """§5, §8: what may be played to a trick, as a naive referee sees it; other phases pass."""
    if hand.phase.word != "play":
        return
    legal = [action_text(action) for action in hand.legal()]
    if legal[0].startswith("lead-suit"):
        return  # the joker was led
    plays = [text for text in legal if text.startswith("play")]  # Écarté: one may also concede
    held = [NAMES[card] for card in hand.cards(hand.to_act)]
    trick = [NAMES[card] for card in hand.trick]
    trump = " cdhsn"[hand.trump]
    if hand.rules.preset == "ecarte":
        right = naive_others.may_play(table_of(hand), held, trump, trick)
    elif trick:
        led = " cdhs"[hand.lead_suit] if hand.lead_suit else naive.suit_of(trick[0], trump)
        right = naive.may_play(held, trump, led)
    else:
        right = held
    same("plays", sorted(plays), sorted({f"play {card}" for card in right}))


def table_of(hand: Hand) -> naive_others.Table:
    rules = hand.rules
    return naive_others.Table(
        rules.preset,
        rules.values,
        rules.side_of,
        rules.hand_size,
        hand.dealer,
        NAMES[hand.up_card],
        hand.score,
    )


def check_ended(hand: Hand, said: Said) -> None:
    """Nobody is asked any more, nothing is legal, and what was said is what is kept."""
    same("legal after the end", hand.legal(), ())
    same("to act after the end", hand.to_act, -1)
    assert hand.result is not None, "the hand is over without a result"
    same("actions kept", hand.actions, [action for _, action in said])
    asked = {hand.refusal(seat, a) for seat in range(hand.rules.seats) for a in (PLAY | 1, CLAIM)}
    same("refusals after the end", asked, {Reason.HAND_OVER})


def check_points(hand: Hand, said: Said, tokens: Sequence[int]) -> None:
    """§5–§8: who wins a trick, what a hand scores; ``tokens`` stood before the hand."""
    rules = hand.rules
    texts = [(seat, action_text(action)) for seat, action in said]
    if rules.preset in PARTNERS:
        seen = naive.referee(rules.values, NAMES[hand.up_card], texts, tokens, rules.seats)
        same("result", hand.result, seen.result)
        same("maker and alone", (hand.maker, hand.alone), (seen.maker, seen.alone))
        same("tokens", hand.tokens, seen.tokens)
        expected: Any = seen
    elif any(text == "redeal" for _, text in texts):
        same("points of a redeal", hand.points, [0] * rules.sides)
        return
    else:
        expected = naive_others.referee(table_of(hand), texts)
    same("trick winners", hand.trick_winners, expected.winners)
    same("tricks", hand.tricks, expected.tricks)
    same("points", hand.points, expected.points)


def check_replays(hand: Hand, tokens: Sequence[int]) -> None:
    """The actions kept, said again to a fresh hand, come to the same."""
    again = Hand(hand.rules, hand.dealer, hand.deal, hand.score, tokens, hand.deals_played)
    for action in hand.actions:
        again.apply(action)
    for name in ("over", "result", "points", "tricks", "tokens", "next_dealer", "history"):
        same(f"{name} when replayed", getattr(again, name), getattr(hand, name))


def check_view_hides(hand: Hand, said: Said, seat: int, rng: random.Random) -> None:
    """§10: moving cards the seat cannot know about in place changes nothing it sees."""
    cards = hand.rules.pack.cards
    blind = hand.phase.word == "blind" and seat == hand.dealer
    known = {hand.up_card}
    if not blind:
        known |= {*hand.deal.hands[seat], *hand.cards(seat), *hand.put_away[seat]}
    for speaker, action in said:
        if kind_of(action) == Kind.PLAY or speaker == seat:
            known |= set(cards_of(card_mask(action)))
    hidden = [place for place, card in enumerate(cards) if card not in known]
    other = list(hidden)
    rng.shuffle(other)
    to = dict(zip(hidden, other, strict=True))
    number = {cards[place]: cards[to.get(place, place)] for place in range(len(cards))}
    before = view(hand, seat)._replace(legal=())
    kept = list(hand.masks), hand.put_away, hand.kitty, hand.deal
    hand.masks[:] = [
        sum(1 << to.get(p, p) for p in range(len(cards)) if mask >> p & 1) for mask in hand.masks
    ]
    hand.put_away = tuple(tuple(number[card] for card in some) for some in hand.put_away)
    hand.kitty = tuple(number[card] for card in hand.kitty)
    hand.deal = Deal((), 0, ())
    after = view(hand, seat)._replace(legal=())
    hand.masks[:], hand.put_away, hand.kitty, hand.deal = kept
    same(f"view of seat {seat} with other cards hidden", after, before)


class Sampling(NamedTuple):
    """How often a costly check is made, each a probability."""

    conserved: float
    """At a decision, besides the end of every hand."""
    plays: float
    """At a decision."""
    refusals: float
    """At a decision."""
    views: float
    """At one moment of a hand, for one seat."""


def play_checked(hand: Hand, rng: random.Random, sampling: Sampling) -> None:
    """Play a hand just dealt to its end by random legal actions; all that must hold is checked."""
    tokens = tuple(hand.tokens)
    timid = rng.choice((0.2, 0.5, 0.85, 0.97))
    look_at = rng.randrange(30) if rng.random() < sampling.views else -1
    most = MOST_ACTIONS_FOUR_HANDED if hand.rules.preset in FOUR_HANDED else MOST_ACTIONS
    said: list[tuple[int, int]] = []
    try:
        while not hand.over:
            legal = check_legal(hand)
            if rng.random() < sampling.conserved:
                check_conserved(hand, said)
            if rng.random() < sampling.plays:
                check_plays(hand)
            if rng.random() < sampling.refusals:
                check_refusals(hand, rng)
            if len(said) == look_at:
                check_view_hides(hand, said, rng.randrange(hand.rules.seats), rng)
            action = choose_of(rng, legal, timid)
            said.append((hand.to_act, action))
            hand.apply(action)
            assert len(said) < most, "the hand does not end"
        check_conserved(hand, said)
        check_ended(hand, said)
        check_points(hand, said, tokens)
        check_game_end(hand, said, tokens)
        check_replays(hand, tokens)
    except Exception as error:
        error.add_note(described(hand, said, tokens))
        raise


def described(hand: Hand, said: Said, tokens: Sequence[int]) -> str:
    """All one needs to set the hand up again."""
    texts = ", ".join(f"{seat} {action_text(action)}" for seat, action in said)
    return (
        f"{hand.rules!r}, dealer {hand.dealer}, {hand.deal!r}, "
        f"score {hand.score}, tokens {tokens}, deals {hand.deals_played}\nsaid: {texts}"
    )


def check_match(rules: Rules, rng: random.Random) -> None:
    """A small match under these rules: its record replays as verified, its deals as committed."""
    options = {**rules.options, "max_deals": rng.randrange(1, 7)}
    formats: list[dict[str, Any]] = [{"games": 1}, {"games": rules.sides, "duplicate": True}]
    formats += [{"deals": rng.randrange(1, 4)}, {"best_of": 3}]
    match_format = rng.choice(formats)
    if "deals" in match_format:
        for name in ("num_deals", "target", "win_by_two"):
            options.pop(name, None)
    elif "num_deals" not in options:
        options["target"] = rng.randrange(1, 4)
    match = a_match(
        match_format,
        rules.preset,
        entrants=tuple(f"e{side}" for side in range(rules.sides)),
        parallel=rng.randrange(1, 4),
        secret=rng.randbytes(32),
        **options,
    )
    play = Play(match).start().finish(choice=lambda _, count: rng.randrange(count))
    try:
        report = replay_record(play.lines)
        assert report.ok, f"the record of a match: {report.message}"
        assert report.finished, "the match is said to be broken off"
        assert report.deals_verified, "the deals are not verified"
        same("faults", report.faults, [])
        recorded = sum(line.startswith('{"line": "hand"') for line in play.lines)
        same("hands replayed", report.hands, recorded)
        check_games_recorded(match.rules, play.lines)
    except Exception as error:
        error.add_note(f"{rules.preset} {options} {match_format}\n" + "\n".join(play.lines))
        raise
