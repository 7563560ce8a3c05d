"""Hands to play without proposing or accepting: the *jeux de règle* ([H]), and the score.

Each of ``JEUX`` says whether a hand is one of them; ``PROPOSING`` and ``RESPONDING`` are asked in
order, and the first that names an action is followed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from euchre_arena.bots.regle.position import (
    COURT,
    HEIGHT,
    KINGS,
    QUEENS,
    TEN,
    Position,
    cards_of,
)
from euchre_arena.rules.actions import PROPOSE, STAND, Kind

ACCEPT: Final = int(Kind.ACCEPT) << 10
REFUSE: Final = int(Kind.REFUSE) << 10
FAIRLY_STRONG: Final = 2.2
"""Tricks (``Position.worth``) that make a hand fairly strong: chosen by us, [H] has no number."""
VERY_STRONG: Final = 2.9
"""Likewise very strong."""


def three_trumps(p: Position) -> bool:
    """Three trumps. [H] Jeux de règle."""
    return p.trumps.bit_count() >= 3


def two_trumps_and_one_suit(p: Position) -> bool:
    """Two trumps, the other cards of one suit. [H] Jeux de règle."""
    return p.trumps.bit_count() == 2 and len(p.sides) == 1


def two_trumps_and_a_headed_pair(p: Position) -> bool:
    """Two trumps, and two cards of one suit of which one is king or queen. [H] Jeux de règle."""
    return p.trumps.bit_count() == 2 and any(
        held.bit_count() == 2 and held & (KINGS | QUEENS) for held in p.sides
    )


def one_trump_and_four_with_a_king(p: Position) -> bool:
    """One trump, four cards of one suit, one of them the king. [H] Jeux de règle."""
    return p.trumps.bit_count() == 1 and len(p.sides) == 1 and bool(p.kings)


def one_trump_and_three_headed(p: Position) -> bool:
    """One trump, three cards of one suit with king or queen, the fifth a king or queen.

    [H] Jeux de règle.
    """
    if p.trumps.bit_count() != 1 or len(p.sides) != 2:
        return False
    fifth, three = sorted(p.sides, key=int.bit_count)
    high = KINGS | QUEENS
    return three.bit_count() == 3 and bool(three & high and fifth & high)


def one_trump_and_king_queen_knave(p: Position) -> bool:
    """One trump and king, queen, knave of a suit, whatever the fifth card.

    [H] Jeux de règle, the first example (the eight of trumps, the eight of a third suit).
    """
    return p.trumps.bit_count() == 1 and any((held & COURT).bit_count() == 3 for held in p.sides)


def no_trump_and_three_queens(p: Position) -> bool:
    """No trump, three queens; a king is held for as good as a queen. [H] Jeux de règle."""
    return not p.trumps and (p.hand & (KINGS | QUEENS)).bit_count() >= 3


def no_trump_and_four_court_cards(p: Position) -> bool:
    """No trump, four court cards. [H] Jeux de règle."""
    return not p.trumps and (p.hand & COURT).bit_count() >= 4


JEUX: Final[tuple[Callable[[Position], bool], ...]] = (
    three_trumps,
    two_trumps_and_one_suit,
    two_trumps_and_a_headed_pair,
    one_trump_and_four_with_a_king,
    one_trump_and_three_headed,
    one_trump_and_king_queen_knave,
    no_trump_and_three_queens,
    no_trump_and_four_court_cards,
)
"""Hands that win three tricks unless the adversary holds two trumps."""


def is_jeu_de_regle(p: Position) -> bool:
    """The hand is one of the listed ones."""
    return any(jeu(p) for jeu in JEUX)


def sure_of_the_point(p: Position) -> int:
    """With three tricks certain, propose or accept: they stay, and the vole may come.

    [H] proposes so in the hope of being refused, which makes the point worth two; and accepts so in
    the first deal of its illustration.
    """
    if p.sure_trumps() < 3:
        return 0
    return ACCEPT if p.dealing else PROPOSE


def adversary_at_three(p: Position) -> int:
    """The adversary two points from the game, do not stand at once unless very strong: the point
    lost is the game. [H] The condition of the score.
    """
    return PROPOSE if p.they_need == 2 and not p.exchanges and p.worth() < VERY_STRONG else 0


def adversary_at_four(p: Position) -> int:
    """The dealer one point from the game, do not propose on a fairly strong hand: he may draw the
    king. Holding the king there is no such danger. [H] The condition of the score.
    """
    if p.they_need != 1 or p.trumps & KINGS:
        return 0
    return STAND if p.worth() >= FAIRLY_STRONG else 0


def not_till_the_stock_is_out(p: Position) -> int:
    """After an exchange a fairly strong hand is played: who goes on proposing gives the adversary
    trumps too, and standing costs nothing more (law 49). [H] Inexperienced players.
    """
    if not p.exchanges or p.worth() < FAIRLY_STRONG:
        return 0
    return REFUSE if p.dealing else STAND


def stand_on_a_jeu(p: Position) -> int:
    """Play the listed hands without proposing. [H] Jeux de règle."""
    return STAND if is_jeu_de_regle(p) else 0


def three_trumps_with_the_king(p: Position) -> int:
    """Three trumps with the king among them, accept: the cards drawn may make the vole.

    [H] The dealer's option.
    """
    return ACCEPT if three_trumps(p) and p.trumps & KINGS else 0


def one_trump_and_one_king(p: Position) -> int:
    """One trump and one king, nothing else above a ten: accept. [H] The dealer's option."""
    others = p.rest & ~p.kings
    low = all(HEIGHT[card] <= TEN for card in cards_of(others))
    return ACCEPT if p.trumps.bit_count() == 1 and p.kings.bit_count() == 1 and low else 0


def one_trump_and_two_guarded(p: Position) -> int:
    """One trump, two queens guarded or a king and a queen guarded: refuse. [H] The dealer's option.

    Guarded: with another card of the suit beside it.
    """
    if p.trumps.bit_count() != 1:
        return 0
    guarded = [held for held in p.sides if held.bit_count() > 1 and held & (KINGS | QUEENS)]
    queens = sum(1 for held in guarded if held & QUEENS)
    return REFUSE if len(guarded) == 2 and queens else 0


def only_two_to_discard(p: Position) -> int:
    """Refuse if only two cards can be put away, kings and trumps being kept.

    [H] The dealer's option.
    """
    return REFUSE if (p.rest & ~p.kings).bit_count() <= 2 else 0


def refuse_on_a_jeu(p: Position) -> int:
    """Play the listed hands without accepting. [H] Jeux de règle."""
    return REFUSE if is_jeu_de_regle(p) else 0


PROPOSING: Final[tuple[Callable[[Position], int], ...]] = (
    sure_of_the_point,
    adversary_at_three,
    adversary_at_four,
    stand_on_a_jeu,
    not_till_the_stock_is_out,
)
"""The non-dealer, before he says he proposes."""
RESPONDING: Final[tuple[Callable[[Position], int], ...]] = (
    sure_of_the_point,
    three_trumps_with_the_king,
    one_trump_and_one_king,
    one_trump_and_two_guarded,
    only_two_to_discard,
    refuse_on_a_jeu,
    not_till_the_stock_is_out,
)
"""The dealer, before he says he accepts."""


def propose(p: Position) -> int:
    """Stand or propose."""
    return next((said for advice in PROPOSING if (said := advice(p))), PROPOSE)


def respond(p: Position) -> int:
    """Accept or refuse."""
    return next((said for advice in RESPONDING if (said := advice(p))), ACCEPT)
