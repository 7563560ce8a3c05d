"""Making trumps by turning up a card (rules.md §3): questions, their answers, what follows.

A phase asks the seats in ``hand.queue`` one after another; when a phase is through, the next one
that has somebody to ask begins:

    blind → farmers → benny, or order → call            before trumps are made
    defend → discard → give → discard → redeal → play   after
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from .actions import (
    BLIND_ALONE,
    DEFEND_ALONE,
    ORDER,
    ORDER_ALONE,
    PASS,
    REDEAL,
    SCORE_ADD,
    SCORE_SUBTRACT,
    ActionCode,
    Kind,
    call,
    canonical_key,
    card_mask,
    several,
)
from .cards import JOKER, NO_TRUMP, Suit, cards_of, mask_of, rank_of, suit_of
from .terms import Phase, Reason, Result, UpCardState

if TYPE_CHECKING:
    from .hand import Hand

_ORDER: Final = Phase.ORDER.value
_CALL: Final = Phase.CALL.value
_OVER: Final = Phase.OVER.value
"""Plain integers: an enum member costs the path of every decision."""
_LOW: Final = mask_of(n for n in range(1, JOKER) if rank_of(n) in "9T")
_ACES: Final = mask_of(n for n in range(1, JOKER) if rank_of(n) == "A")
_FACES: Final = mask_of(n for n in range(1, JOKER) if rank_of(n) in "JQK") | 1 << JOKER
_JACKS: Final = mask_of(n for n in range(1, JOKER) if rank_of(n) == "J")


def seats_from(hand: Hand, seat: int) -> list[int]:
    """All seats clockwise, ``seat`` first."""
    seats = hand.rules.seats
    return [(seat + step) % seats for step in range(seats)]


def _ask(hand: Hand, phase: Phase, seats: list[int]) -> bool:
    """Begin a phase that asks these seats in turn; False if there is nobody to ask."""
    if not seats:
        return False
    hand.phase_number = phase.value
    hand.to_act = seats[0]
    hand.queue = seats[1:]
    return True


def _ask_next(hand: Hand) -> bool:
    """Ask the next seat of the phase; False if all have been asked."""
    if not hand.queue:
        return False
    hand.to_act = hand.queue.pop(0)
    return True


# Before trumps are made


def open_turn_up(hand: Hand) -> None:
    """The first question of a hand with a card turned up."""
    if "blind_loner" in hand.rules.flags and 1 << hand.up_card & _JACKS:
        _ask(hand, Phase.BLIND, [hand.dealer])
    else:
        _weak_hands(hand)


def blind_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """Before the dealer looks at the hand ([W] Robson rules)."""
    return (PASS, BLIND_ALONE)


def blind(hand: Hand, seat: int, action: ActionCode) -> None:
    """Alone in the suit turned up, or on with the usual questions."""
    if action == PASS:
        _weak_hands(hand)
        return
    hand.blind = hand.ordered = True
    made(hand, seat, suit_of(hand.up_card), alone=True)


def _weak_hands(hand: Hand) -> None:
    values = hand.rules.values
    if values.get("farmers_hand") or values.get("ace_no_face"):
        eldest = (hand.dealer + 1) % hand.rules.seats
        seats = [s for s in seats_from(hand, eldest) if len(_weak_actions(hand, s)) > 1]
        if _ask(hand, Phase.FARMERS, seats):
            return
    _first_round(hand)


def _weak_actions(hand: Hand, seat: int) -> tuple[ActionCode, ...]:
    values = hand.rules.values
    held = hand.held(seat)
    low = held & _LOW
    aces = (held & _ACES).bit_count()
    swaps = (values.get("farmers_hand") == "swap" and low.bit_count() >= 3) or (
        values.get("ace_no_face") == "swap" and aces == 1 and not held & ~(_LOW | _ACES)
    )
    redeals = (
        values.get("farmers_hand") == "redeal" and not held & ~_LOW and seat != hand.dealer
    ) or (values.get("ace_no_face") == "redeal" and aces and not held & _FACES)
    found = [PASS]
    if swaps:
        found += [several(Kind.SWAP, mask_of(three)) for three in combinations(cards_of(low), 3)]
    if redeals:
        found.append(REDEAL)
    return tuple(found)


def farmers_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """What the weak hand's options offer ([S] Farmer's hand, [W] Variations)."""
    return _weak_actions(hand, hand.to_act)


def farmers(hand: Hand, seat: int, action: ActionCode) -> None:
    """Swap for the three top face-down cards, redeal, or leave it."""
    if action == REDEAL:
        hand.finish_unplayed(Result.REDEAL)
    elif action == PASS:
        if not _ask_next(hand):
            _first_round(hand)
    else:
        mask = card_mask(action)
        _put_away(hand, seat, mask)
        _take(hand, seat, hand.kitty[:3])
        hand.kitty = cards_of(mask) + hand.kitty[3:]
        _first_round(hand)


def _first_round(hand: Hand) -> None:
    if hand.up_card == JOKER:
        _ask(hand, Phase.BENNY, [hand.dealer])
    else:
        hand.phase_number = _ORDER
        hand.to_act = (hand.dealer + 1) % hand.rules.seats


def benny_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """The joker was turned up: the dealer names any suit ([S] The joker)."""
    suits = [
        suit for suit in (1, 2, 3, 4) if not _jack_alone(hand, hand.to_act, suit, hand.up_card)
    ]
    return _calls(hand, suits)


def benny(hand: Hand, seat: int, action: ActionCode) -> None:
    """The dealer takes the joker and makes trumps."""
    hand.ordered = True
    made(hand, seat, action & 7, alone=bool(action & 8))


def order_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """First round: the suit turned up, or pass."""
    seat = hand.to_act
    flags = hand.rules.flags
    if "jack_alone_bars_call" in flags:
        taken = hand.up_card if seat == hand.dealer else 0
        if _jack_alone(hand, seat, suit_of(hand.up_card), taken):
            return (PASS,)
    if not hand.rules.partnership:
        return (PASS, ORDER)
    if "canadian" in flags and _partner_of_dealer(hand, seat):
        return (PASS, ORDER_ALONE)
    return (PASS, ORDER, ORDER_ALONE)


def order(hand: Hand, seat: int, action: ActionCode) -> None:
    """Order up, assist or pick up; or pass, and after all have, turn the card down."""
    if action != PASS:
        hand.ordered = True
        made(hand, seat, suit_of(hand.up_card), alone=action == ORDER_ALONE)
    elif seat != hand.dealer:
        hand.to_act = (seat + 1) % hand.rules.seats
    else:
        hand.up_card_state = UpCardState.TURNED_DOWN
        hand.phase_number = _CALL
        hand.to_act = (seat + 1) % hand.rules.seats


def call_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """Second round: any other suit, or pass."""
    seat = hand.to_act
    down = suit_of(hand.up_card)
    suits = [s for s in (1, 2, 3, 4) if s != down]
    stuck = seat == hand.dealer and "stick_the_dealer" in hand.rules.flags
    if "jack_alone_bars_call" in hand.rules.flags:
        free = [suit for suit in suits if not _jack_alone(hand, seat, suit, 0)]
        if free or not stuck or hand.rules.values.get("no_trump"):
            suits = free
    if hand.rules.values.get("no_trump"):
        suits = [*suits, NO_TRUMP]
    return _calls(hand, suits) if stuck else (PASS, *_calls(hand, suits))


def _calls(hand: Hand, suits: list[Suit]) -> tuple[ActionCode, ...]:
    found = [call(suit) for suit in suits]
    if hand.rules.partnership:
        found += [call(suit, alone=True) for suit in suits]
        if NO_TRUMP in suits:
            found.sort(key=canonical_key)
    return tuple(found)


def call_suit(hand: Hand, seat: int, action: ActionCode) -> None:
    """Call a suit; or pass, and after all have, throw the cards in."""
    if action != PASS:
        made(hand, seat, action & 7, alone=bool(action & 8))
    elif seat != hand.dealer:
        hand.to_act = (seat + 1) % hand.rules.seats
    else:
        hand.finish_unplayed(Result.THROWN_IN)


def why_not(hand: Hand, seat: int, action: ActionCode) -> Reason:
    """Why a pass, an order or a call is refused: the first reason of conformance.md."""
    if action == PASS:
        return Reason.DEALER_MUST_CALL
    kind = action >> 10
    suit = suit_of(hand.up_card) if kind == Kind.ORDER else action & 7
    if kind == Kind.CALL and hand.phase_number == _CALL and suit == suit_of(hand.up_card):
        return Reason.TURNED_DOWN_SUIT
    if action == ORDER and "canadian" in hand.rules.flags and _partner_of_dealer(hand, seat):
        return Reason.MUST_GO_ALONE
    alone = action == ORDER_ALONE or (kind == Kind.CALL and action & 8)
    if alone and not hand.rules.partnership:
        return Reason.NOT_ALLOWED
    if suit == NO_TRUMP:
        return Reason.NOT_ALLOWED
    return Reason.JACK_ALONE


def _partner_of_dealer(hand: Hand, seat: int) -> bool:
    side_of = hand.rules.side_of
    return seat != hand.dealer and side_of[seat] == side_of[hand.dealer]


def _jack_alone(hand: Hand, seat: int, suit: Suit, taken: int) -> bool:
    """The seat's trumps would be one card, and that a jack ([W] "only a jack")."""
    if "jack_alone_bars_call" not in hand.rules.flags:
        return False
    suits = hand.rules.trumps(suit).suits
    trumps = [n for n in (*hand.cards(seat), *((taken,) if taken else ())) if suits[n] == suit]
    return len(trumps) == 1 and bool(1 << trumps[0] & _JACKS)


# After trumps are made


def made(hand: Hand, maker: int, trump: Suit, alone: bool) -> None:
    """Trumps are made; ask whether anybody defends alone."""
    hand.maker = maker
    hand.trump = trump
    if alone:
        hand.alone = True
        _partners_sit_out(hand, maker)
    wanted = hand.rules.values.get("defend_alone")
    if wanted == "any" or (wanted and alone):
        side_of = hand.rules.side_of
        defenders = [s for s in seats_from(hand, maker) if side_of[s] != side_of[maker]]
        _ask(hand, Phase.DEFEND, defenders)
    else:
        _take_up_card(hand)


def _partners_sit_out(hand: Hand, seat: int) -> None:
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
        _partners_sit_out(hand, seat)
    elif _ask_next(hand):
        return
    _take_up_card(hand)


def _take_up_card(hand: Hand) -> None:
    dealer = hand.dealer
    if hand.ordered and not hand.out >> dealer & 1:
        hand.up_card_state = UpCardState.TAKEN
        hand.masks[dealer] |= hand.rules.pack_tables.bit[hand.up_card]
        _ask(hand, Phase.DISCARD, [dealer])
    else:
        _give(hand)


def discard_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """Any card held, the one taken included."""
    return hand.rules.pack_tables.discards[hand.masks[hand.to_act]]


def discard(hand: Hand, seat: int, action: ActionCode) -> None:
    """The dealer after taking the up-card, or the maker after taking a partner's card."""
    number = action & 63
    hand.masks[seat] ^= hand.rules.pack_tables.bit[number]
    hand.put_away[seat] += (number,)
    if hand.alone and _given(hand):
        _ask_redeal(hand)
    else:
        _give(hand)


def _given(hand: Hand) -> bool:
    return any(entry >> 10 & 63 == Kind.GIVE for entry in hand.log)


def _give(hand: Hand) -> None:
    if hand.alone and "partners_best" in hand.rules.flags:
        _ask(hand, Phase.GIVE, [(hand.maker + 2) % 4])
    else:
        _ask_redeal(hand)


def give_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """Any one card of the partner sitting out ([E] partners_best)."""
    return tuple([Kind.GIVE << 10 | number for number in hand.cards(hand.to_act)])


def give(hand: Hand, seat: int, action: ActionCode) -> None:
    """The maker gets the card and discards one."""
    card = action & 63
    _put_away(hand, seat, 1 << card)
    _take(hand, hand.maker, (card,))
    _ask(hand, Phase.DISCARD, [hand.maker])


def _ask_redeal(hand: Hand) -> None:
    if "no_ace_no_face_no_trump" in hand.rules.flags:
        suits = hand.rules.trumps(hand.trump).suits
        strong = _ACES | _FACES
        seats = [
            seat
            for seat in seats_from(hand, (hand.dealer + 1) % hand.rules.seats)
            if not hand.out >> seat & 1
            and not hand.held(seat) & strong
            and all(suits[number] != hand.trump for number in hand.cards(seat))
        ]
        if _ask(hand, Phase.REDEAL, seats):
            return
    _lead(hand)


def redeal_legal(hand: Hand) -> tuple[ActionCode, ...]:
    """No ace, no face, no trump ([W] Variations)."""
    return (PASS, REDEAL)


def redeal(hand: Hand, seat: int, action: ActionCode) -> None:
    """Throw the cards in, or play."""
    if action == REDEAL:
        hand.finish_unplayed(Result.REDEAL)
    elif not _ask_next(hand):
        _lead(hand)


def _lead(hand: Hand) -> None:
    before = hand.dealer
    if hand.alone and hand.rules.values.get("loner_lead") == "left-of-maker":
        before = hand.maker
    hand.begin_play(hand.next_active[before])


# Cards put away and taken


def _put_away(hand: Hand, seat: int, mask: int) -> None:
    bits = hand.rules.pack_tables.bit
    cards = cards_of(mask)
    for number in cards:
        hand.masks[seat] ^= bits[number]
    hand.put_away[seat] += cards


def _take(hand: Hand, seat: int, cards: tuple[int, ...]) -> None:
    bits = hand.rules.pack_tables.bit
    for number in cards:
        hand.masks[seat] |= bits[number]


# After the play: Robson rules


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
