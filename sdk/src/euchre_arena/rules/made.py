"""After trumps are made by turning up: who defends alone, what is exchanged (rules.md §3).

defend → discard → give → discard → redeal → play        then, under Robson rules, score
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .actions import DEFEND_ALONE, PASS, REDEAL, SCORE_ADD, SCORE_SUBTRACT, ActionCode, Kind
from .asking import ACES, FACES, ask, ask_next, lay_away, put_away, seats_from, take
from .cards import Suit
from .terms import Phase, Result, UpCardState

if TYPE_CHECKING:
    from .hand import Hand

_OVER: Final = Phase.OVER.value


def made(hand: Hand, maker: int, trump: Suit, alone: bool) -> None:
    """Trumps are made; ask whether anybody defends alone."""
    hand.maker = maker
    hand.trump = trump
    if alone:
        hand.alone = True
        partners_sit_out(hand, maker)
    wanted = hand.rules.values.get("defend_alone")
    if wanted == "any" or (wanted and alone):
        side_of = hand.rules.side_of
        defenders = [s for s in seats_from(hand, maker) if side_of[s] != side_of[maker]]
        ask(hand, Phase.DEFEND, defenders)
    else:
        _take_up_card(hand)


def partners_sit_out(hand: Hand, seat: int) -> None:
    side_of = hand.rules.side_of
    for partner in range(hand.rules.seats):
        if partner != seat and side_of[partner] == side_of[seat]:
            hand.out |= 1 << partner
    hand.active = hand.rules.seats - hand.out.bit_count()
    hand.next_active = hand.rules.next_active[hand.out]


def defend_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """Each defender in turn from the maker's left ([W] Going alone)."""
    return (PASS, DEFEND_ALONE)


def defend(hand: Hand, seat: int, action: ActionCode) -> None:
    """The first to say it defends alone."""
    if action == DEFEND_ALONE:
        hand.defending_alone = seat
        partners_sit_out(hand, seat)
    elif ask_next(hand):
        return
    _take_up_card(hand)


def _take_up_card(hand: Hand) -> None:
    dealer = hand.dealer
    if hand.ordered and not hand.out >> dealer & 1:
        hand.up_card_state = UpCardState.TAKEN
        hand.masks[dealer] |= hand.rules.pack_tables.bit[hand.up_card]
        ask(hand, Phase.DISCARD, [dealer])
    else:
        _give(hand)


def discard_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """Any card held, the one taken included."""
    return hand.rules.pack_tables.discards[hand.masks[hand.to_act]]


def discard(hand: Hand, seat: int, action: ActionCode) -> None:
    """The dealer after taking the up-card, or the maker after taking a partner's card."""
    number = action & 63
    hand.masks[seat] ^= hand.rules.pack_tables.bit[number]
    lay_away(hand, seat, (number,))
    if hand.alone and _given(hand):
        _ask_redeal(hand)
    else:
        _give(hand)


def _given(hand: Hand) -> bool:
    return any(entry >> 10 & 63 == Kind.GIVE for entry in hand.log)


def _give(hand: Hand) -> None:
    if hand.alone and "partners_best" in hand.rules.flags:
        ask(hand, Phase.GIVE, [(hand.maker + 2) % 4])
    else:
        _ask_redeal(hand)


def give_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """Any one card of the partner sitting out ([E] partners_best)."""
    return tuple([Kind.GIVE << 10 | number for number in hand.cards(hand.to_act)])


def give(hand: Hand, seat: int, action: ActionCode) -> None:
    """The maker gets the card and discards one."""
    card = action & 63
    put_away(hand, seat, 1 << card)
    take(hand, hand.maker, (card,))
    ask(hand, Phase.DISCARD, [hand.maker])


def _ask_redeal(hand: Hand) -> None:
    if "no_ace_no_face_no_trump" in hand.rules.flags:
        suits = hand.rules.trumps(hand.trump).suits
        strong = ACES | FACES
        seats = [
            seat
            for seat in seats_from(hand, (hand.dealer + 1) % hand.rules.seats)
            if not hand.out >> seat & 1
            and not hand.held(seat) & strong
            and all(suits[number] != hand.trump for number in hand.cards(seat))
        ]
        if ask(hand, Phase.REDEAL, seats):
            return
    _lead(hand)


def redeal_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """No ace, no face, no trump ([W] Variations)."""
    return (PASS, REDEAL)


def redeal(hand: Hand, seat: int, action: ActionCode) -> None:
    """Throw the cards in, or play."""
    if action == REDEAL:
        hand.finish_unplayed(Result.REDEAL)
    elif not ask_next(hand):
        _lead(hand)


def _lead(hand: Hand) -> None:
    hand.begin_play(first_leader(hand))


def first_leader(hand: Hand) -> int:
    """Who leads the first trick: eldest, or by the house option the maker's left (§5)."""
    left_of_maker = hand.alone and hand.rules.values.get("loner_lead") == "left-of-maker"
    return hand.next_active[hand.maker if left_of_maker else hand.dealer]


def score_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """A side took all five tricks ([W] Robson rules)."""
    return (SCORE_ADD, SCORE_SUBTRACT)


def score(hand: Hand, seat: int, action: ActionCode) -> None:
    """Points to the side, or off the opponents."""
    side = hand.rules.side_of[seat]
    if action == SCORE_SUBTRACT:
        hand.points[1 - side] -= hand.points[side]
        hand.points[side] = 0
    hand.to_act = -1
    hand.phase_number = _OVER
