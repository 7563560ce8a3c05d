"""What to play to a trick others have begun. Each advice names a card, or 0 to say nothing."""

from __future__ import annotations

from euchre_arena.bots.book.reading import Trick


def leave_partners_trick(t: Trick) -> int:
    """Do not waste a high card, or a trump, on a trick the partner is winning.

    [S] Defending; [W] "Trump the Partner". Unless the partner's card is small and an adversary is
    still to play: then see `third_hand_high`.
    """
    return throw_off(t) if t.mine and t.safe(t.best_card) else 0


def trump_for_the_partner(t: Trick) -> int:
    """Void, trump the partner's low card when an adversary behind is likely to beat it.

    Common practice; "Trump the Partner" [W] is a mistake on a card that would have won.
    """
    if not t.mine or not t.foes_after or 1 << t.best_card & t.trumps or not _weak(t):
        return 0
    trumps = [card for card in t.winners() if t.suit[card] != t.led]
    return trumps[0] if trumps else 0


def third_hand_high(t: Trick) -> int:
    """Third to play, cover a partner's card that will be beaten, with one that may not be.

    Common practice at whist and euchre.
    """
    if not t.mine:
        return 0
    cover = [card for card in t.winners() if t.suit[card] == t.led]
    if cover and (t.master(cover[-1]) or _weak(t)):
        return cover[-1]
    return throw_off(t)


def _weak(t: Trick) -> bool:
    """Two cards or more that a foe may hold beat the card winning now, in its suit alone."""
    return (t.above[t.best_card] & t.out).bit_count() >= 2


def win_cheaply(t: Trick) -> int:
    """Last to play, win with the lowest card that does. Common practice."""
    if t.foes_after:
        return 0
    winners = t.winners()
    return winners[0] if winners else 0


def win_for_good(t: Trick) -> int:
    """Before an adversary, win with a card of the suit that nothing is expected to beat."""
    winners = [card for card in t.winners() if t.suit[card] == t.led]
    if winners and t.safe(winners[-1]):
        safe = [card for card in winners if t.safe(card)]
        return safe[0]
    return 0


def leave_a_low_lead(t: Trick) -> int:
    """Second to play and void, do not trump a low lead: the partner behind may well win it.

    Common practice.
    """
    if len(t.cards) != 1 or len(t.after) < 2 or t.mine or t.led == t.view.trump or not _weak(t):
        return 0
    if any(t.suit[card] == t.led for card in t.options):
        return 0
    return throw_off(t)


def trump_in(t: Trick) -> int:
    """Void of the suit led, trump an adversary's winning card with the lowest trump that does.

    [W] Calling round: a void lets a trump be played instead of following.
    """
    trumps = [card for card in t.winners() if 1 << card & t.trumps]
    if not trumps or t.suit[trumps[0]] == t.led:
        return 0
    if t.foes_after and t.may_ruff(t.led):
        for card in trumps:
            if t.master(card):
                return card
    return trumps[0]


def second_hand_low(t: Trick) -> int:
    """Second to play, with nothing sure, leave the trick to the partner. Common practice."""
    if len(t.cards) != 1 or t.led == t.view.trump:
        return 0
    return throw_off(t)


def play_high(t: Trick) -> int:
    """Third to play, force the adversary behind with the highest card that wins so far."""
    winners = t.winners()
    return winners[-1] if winners else 0


def throw_off(t: Trick) -> int:
    """What cannot win costs least: the lowest, from a suit it leaves empty if there is a trump.

    [W] Calling round (short suits); trumps, cards nothing beats and guarded kings are kept.
    """
    return min(t.options, key=lambda card: keep(t, card))


def keep(t: Trick, card: int) -> float:
    """How much a card is worth keeping."""
    if 1 << card & t.trumps:
        return 100.0 + t.power[card]
    higher = (t.above[card] & t.out).bit_count()
    length = t.length(card)
    if not higher:
        return 60.0 - 5 * length
    value = float(t.power[card])
    if higher == 1 and length > 1:
        value += 15.0
    top = t.held(t.suit[card]).bit_length() - 1
    if length == 2 and card != top and (t.above[top] & t.out).bit_count() == 1:
        value += 10.0
    if length == 1 and t.my_trumps():
        value -= 4.0
    return value


FOLLOWS = (
    leave_partners_trick,
    trump_for_the_partner,
    third_hand_high,
    win_cheaply,
    win_for_good,
    leave_a_low_lead,
    trump_in,
    second_hand_low,
    play_high,
    throw_off,
)
"""In the order they are asked."""
