"""A seat sees what it may know and nothing else (rules.md §10)."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from euchre_arena.rules import (
    Deal,
    Hand,
    Phase,
    Rules,
    View,
    parse_action,
    parse_card,
    parse_cards,
    view,
)
from euchre_arena.rules.actions import PASS, Kind, card_mask, kind_of, several
from euchre_arena.rules.cards import cards_of, mask_of
from hypothesis import given

from tests.rules.tables import many, play_on, random_hand, seeds

Said = list[tuple[int, int, bool]]
"""Seat, action, and whether it answers a question put to a weak hand."""
PRIVATE = ("farmers", "redeal")


def known_cards(hand: Hand, said: Said, seat: int) -> set[int]:
    """Every card whose place a seat knows: its own, the up-card, what was played."""
    blind = hand.phase.word == "blind" and seat == hand.dealer
    known = {hand.deal.up_card}
    if not blind:
        known |= {*hand.deal.hands[seat], *hand.cards(seat), *hand.put_away[seat]}
    for speaker, action, _ in said:
        if kind_of(action) == Kind.PLAY or speaker == seat:
            known |= set(cards_of(card_mask(action)))
    return known


def shuffled(hand: Hand, known: set[int], rng: random.Random) -> dict[int, int]:
    """A permutation of the cards of the pack that moves all that are not known."""
    hidden = [card for card in hand.rules.pack.cards if card not in known]
    other = list(hidden)
    rng.shuffle(other)
    return {**{card: card for card in known}, **dict(zip(hidden, other, strict=True))}


def moved(code: int, to: dict[int, int]) -> int:
    """The same action with the cards of the other world."""
    if kind_of(code) in (Kind.DISCARD, Kind.SWAP, Kind.GIVE):
        return several(kind_of(code), mask_of(to[card] for card in cards_of(card_mask(code))))
    return code


def seen(hand: Hand, seat: int) -> tuple[int, View]:
    """A seat's view by how much has been said in public, without what it may do."""
    return len(hand.history), view(hand, seat)._replace(legal=())


def replayed(hand: Hand, said: Said, to: dict[int, int], seat: int) -> set[tuple[int, View]] | None:
    """All that ``seat`` sees in the other world, where the same is said in public.

    None when that cannot be said there: a suit must be followed, a hand does not qualify.
    """
    deal = hand.deal
    other = Hand(
        hand.rules,
        hand.dealer,
        Deal(
            tuple(tuple(to[card] for card in cards) for cards in deal.hands),
            deal.up_card,
            tuple(to[card] for card in deal.kitty),
        ),
        hand.score,
        hand.tokens,
        hand.deals_played,
    )
    found = {seen(other, seat)}
    for speaker, action, private in said:
        while other.phase.word in PRIVATE and (other.to_act != speaker or not private):
            if other.to_act == seat:
                return None  # its own question: then it is no other world to it
            other.apply(PASS)
            found.add(seen(other, seat))
        if private and action == PASS and other.phase.word not in PRIVATE and speaker != seat:
            continue  # a question that the other cards do not raise
        code = moved(action, to)
        if other.refusal(speaker, code) is not None:
            return None
        other.apply(code)
        found.add(seen(other, seat))
    while other.phase.word in PRIVATE and other.to_act != seat:
        other.apply(PASS)
        found.add(seen(other, seat))
    return found


def compare_worlds(seed: int) -> bool:
    """Play part of a hand, move the hidden cards, say the same again: a seat sees the same.

    False when the cards moved so that the same cannot be said.
    """
    rng = random.Random(seed)
    hand = random_hand(rng)
    fresh = Hand(
        hand.rules, hand.dealer, hand.deal, hand.score, list(hand.tokens), hand.deals_played
    )
    seat = rng.randrange(4)
    stop = rng.randrange(18)
    said: Said = []
    for speaker, action in play_on(rng, hand):
        if len(said) == stop:
            break
        said.append((speaker, action, hand.phase.word in PRIVATE))
    to = shuffled(hand, known_cards(hand, said, seat), rng)
    mine = replayed(fresh, said, {card: card for card in hand.rules.pack.cards}, seat)
    theirs = replayed(fresh, said, to, seat)
    assert mine is not None
    if theirs is None:
        return False
    assert mine == theirs
    return True


@many
@given(seeds)
def test_a_view_does_not_depend_on_cards_the_seat_cannot_know(seed):
    compare_worlds(seed)


def test_enough_other_worlds_are_found():
    """Many shuffles contradict what was said; those that do not must not be few."""
    tally = Counter(compare_worlds(seed) for seed in range(400))
    assert tally[True] > 100


@many
@given(seeds)
def test_moving_hidden_cards_about_in_place_changes_no_view(seed):
    """Discards, kitty and other hands are moved as they lie, whatever was said before."""
    rng = random.Random(seed)
    hand = random_hand(rng)
    said: Said = []
    stop = rng.randrange(30)
    for speaker, action in play_on(rng, hand):
        if len(said) == stop:
            break
        said.append((speaker, action, hand.phase.word in PRIVATE))
    for seat in range(4):
        before = view(hand, seat)
        kept = list(hand.masks), hand.put_away, hand.kitty, hand.deal
        to = shuffled(hand, known_cards(hand, said, seat), rng)
        bit = hand.rules.pack_tables.bit
        hand.masks[:] = [sum(bit[to[card]] for card in hand.cards(other)) for other in range(4)]
        hand.put_away = tuple(tuple(to[card] for card in cards) for cards in hand.put_away)
        hand.kitty = tuple(to[card] for card in hand.kitty)
        hand.deal = Deal((), 0, ())
        after = view(hand, seat)
        if seat == hand.to_act and hand.phase.word == "blind":
            assert after.legal == before.legal
        assert after._replace(legal=()) == before._replace(legal=())
        hand.masks[:], hand.put_away, hand.kitty, hand.deal = kept


TEXT_HANDS = ("Js As Td 9d Ah", "9s 9h Jh Th Ts", "Qd Qh Jc Ks Ad", "Kh Ac Qc Kc Qs")


def robson(options: dict[str, object] | None = None) -> Hand:
    """Dealer 0 with the jack of diamonds turned up; seat 1 holds nines and tens."""
    rules = Rules.of("robson", options)
    hands = tuple(parse_cards(hand) for hand in TEXT_HANDS)
    return Hand(rules, 0, Deal(hands, parse_card("Jd"), parse_cards("Tc Kd 9c")))


def test_a_dealer_asked_blind_sees_no_cards():
    """§3, §10: before seeing the five cards dealt, hidden from the dealer too."""
    hand = robson()
    assert view(hand, 0).hand == ()
    assert view(hand, 0).legal == (PASS, parse_action("blind alone"))
    assert view(hand, 1).hand == tuple(sorted(parse_cards(TEXT_HANDS[1])))
    hand.apply(PASS)
    assert view(hand, 0).hand == tuple(sorted(parse_cards(TEXT_HANDS[0])))


def test_only_the_weak_hand_knows_that_it_is_asked():
    """§10: the question, a pass on it and its time are private."""
    hand = robson({"farmers_hand": "swap", "blind_loner": False})
    assert (hand.phase.word, hand.to_act) == ("farmers", 1)
    others = [view(hand, seat) for seat in (0, 2, 3)]
    assert {other.phase for other in others} == {Phase.ORDER}
    hand.apply(PASS)
    assert [view(hand, seat) for seat in (0, 2, 3)] == others
    assert view(hand, 1).history == ()


def test_a_swap_shows_its_number():
    hand = robson({"farmers_hand": "swap", "blind_loner": False})
    hand.apply(parse_action("swap 9s 9h Th"))
    (entry,) = view(hand, 0).history
    assert (entry >> 16, entry & 0xFFFF) == (1, Kind.SWAP << 10 | 512 | 3)
    assert view(hand, 1).put_away == parse_cards("9h Th 9s")
    assert view(hand, 1).hand == tuple(sorted(parse_cards("Jh Ts Tc Kd 9c")))
    assert view(hand, 0).put_away == ()


def test_the_redeal_question_is_private_too():
    """§3, §10: the others see the play begin, and who leads."""
    rules = Rules.of("standard", {"no_ace_no_face_no_trump": True})
    hands = tuple(
        map(parse_cards, ("Jh Ah Ks Ac Qd", "Jd Kh Kc As Qs", "9c Ts 9d Tc Td", "Js 9h Th Ad Jc"))
    )
    hand = Hand(rules, 1, Deal(hands, parse_card("9s"), parse_cards("Qc Kd Qh")))
    for text in ("pass", "pass", "pass", "pass", "call h"):
        hand.apply(parse_action(text))
    assert (hand.phase.word, hand.to_act) == ("redeal", 2)
    others = [view(hand, seat) for seat in (0, 1, 3)]
    assert {(other.phase, other.leader) for other in others} == {(Phase.PLAY, 2)}
    hand.apply(PASS)
    assert [view(hand, seat) for seat in (0, 1, 3)] == others


@pytest.mark.parametrize("seat", range(4))
def test_a_partner_sitting_out_shows_nothing(seat):
    """§10: the hand of a partner sitting out stays hidden, its own cards it sees."""
    hand = robson({"blind_loner": False})
    hand.apply(parse_action("order alone"))
    seen_by = view(hand, seat)
    assert seen_by.sitting_out == (3,)
    assert not set(seen_by.hand) & {
        card for other in range(4) if other != seat for card in hand.cards(other)
    }
    assert seen_by.hand
