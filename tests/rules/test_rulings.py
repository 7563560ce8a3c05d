"""Rules and options one by one, where a scenario file has none; each test names its place."""

from __future__ import annotations

from typing import Any

import pytest
from euchre_arena.rules import (
    Deal,
    Game,
    Hand,
    Reason,
    Rules,
    action_text,
    parse_action,
    parse_card,
    parse_cards,
)


def table(
    hands: dict[int, str],
    up_card: str = "9h",
    preset: str = "standard",
    dealer: int = 0,
    **options: Any,
) -> Hand:
    """A hand with some cards dealt as wished and the rest from the top of what is left."""
    rules = Rules.of(preset, options)
    wished = {seat: list(parse_cards(cards)) for seat, cards in hands.items()}
    up = parse_card(up_card)
    taken = {up, *(card for cards in wished.values() for card in cards)}
    rest = [card for card in rules.pack.cards if card not in taken]
    full = []
    for seat in range(4):
        cards = wished.get(seat, [])
        while len(cards) < 5:
            cards.append(rest.pop())
        full.append(tuple(cards))
    return Hand(rules, dealer, Deal(tuple(full), up, tuple(rest)))


def say(hand: Hand, *texts: str) -> Hand:
    for text in texts:
        assert hand.refusal(hand.to_act, parse_action(text)) is None, text
        hand.apply(parse_action(text))
    return hand


def legal(hand: Hand) -> list[str]:
    return [action_text(action) for action in hand.legal()]


def refused(hand: Hand, text: str, seat: int | None = None) -> Reason | None:
    return hand.refusal(hand.to_act if seat is None else seat, parse_action(text))


PASSES = ("pass",) * 4


def test_a_stuck_dealer_is_free_of_the_bar_when_every_call_is_barred():
    """§3 jack_alone_bars_call: three lone jacks, and the suit turned down."""
    cards = "Jc Jd Ah Kh Qh"  # the jacks count each once in c s and d; hearts are turned down
    hand = say(table({0: cards}, jack_alone_bars_call=True, stick_the_dealer=True), *PASSES)
    say(hand, "pass", "pass", "pass")
    assert refused(hand, "pass") == Reason.DEALER_MUST_CALL
    assert legal(hand) == [
        "call c", "call d", "call s", "call c alone", "call d alone", "call s alone",
    ]  # fmt: skip  # a list of words
    hand = say(table({0: cards}, jack_alone_bars_call=True), *PASSES, "pass", "pass", "pass")
    assert legal(hand) == ["pass"]
    assert refused(hand, "call c") == Reason.JACK_ALONE


def test_no_trump_leaves_a_stuck_dealer_a_call():
    """§3: then the bar holds."""
    options = {"jack_alone_bars_call": True, "stick_the_dealer": True}
    hand = table({0: "Jc Jd Ah Kh Qh"}, **options, no_trump="second-round")
    say(hand, *PASSES, "pass", "pass", "pass")
    assert legal(hand) == ["call n", "call n alone"]
    assert refused(hand, "call s") == Reason.JACK_ALONE


def test_reasons_come_in_their_order():
    """conformance.md, Reasons: for calls turned-down-suit before not-allowed before jack-alone."""
    hand = table({1: "Jc Jd Ah Kh Qh"}, up_card="9d", jack_alone_bars_call=True)
    assert refused(hand, "order") == Reason.JACK_ALONE
    say(hand, *PASSES)
    assert refused(hand, "call d") == Reason.TURNED_DOWN_SUIT
    assert refused(hand, "call n") == Reason.NOT_ALLOWED
    assert refused(hand, "call c") == Reason.JACK_ALONE
    assert refused(hand, "call c", seat=2) == Reason.NOT_YOUR_TURN
    assert refused(hand, "play Jc") == Reason.WRONG_PHASE


def test_canadian_before_jack_alone():
    hand = table({2: "Jh Ac Kc Qc As"}, canadian=True, jack_alone_bars_call=True)
    say(hand, "pass")
    assert legal(hand) == ["pass"]
    assert refused(hand, "order") == Reason.MUST_GO_ALONE
    assert refused(hand, "order alone") == Reason.JACK_ALONE


def test_only_a_partner_in_the_first_round_must_go_alone():
    """§3 canadian."""
    hand = say(table({}, canadian=True), "pass", "pass", "pass")
    assert legal(hand) == ["pass", "order", "order alone"]
    say(hand, "pass", "pass")
    assert "call c" in legal(hand)


def test_the_joker_is_a_face():
    """§3 farmers: neither farmer's hand nor ace, no face, with the joker in it."""
    options = {"farmers_hand": "redeal", "ace_no_face": "redeal"}
    hand = table({1: "B 9c Tc 9d Td"}, preset="british", **options)
    assert hand.phase.word == "order"
    hand = table({1: "B 9c Tc 9d Ad"}, preset="british", **options)
    assert hand.phase.word == "order"


def test_both_weak_hand_options_are_offered_together():
    hand = table({1: "9c Tc 9d Td Ac"}, farmers_hand="swap", ace_no_face="redeal")
    assert legal(hand) == [
        "pass", "swap 9c Tc 9d", "swap 9c Tc Td", "swap 9c 9d Td", "swap Tc 9d Td", "redeal",
    ]  # fmt: skip  # a list of words


def test_the_first_that_swaps_ends_the_question():
    """§3 farmers_hand: swap."""
    hand = table({1: "9c Tc 9d Ac Kc", 3: "9s Ts 9h As Ks"}, up_card="Ah", farmers_hand="swap")
    assert hand.to_act == 1
    say(hand, "swap 9c Tc 9d")
    assert (hand.phase.word, hand.to_act) == ("order", 1)
    assert hand.kitty == parse_cards("9c Tc 9d")


def test_a_swapped_card_can_be_swapped_back_by_nobody():
    """The three lie where the three lay, face down."""
    hand = table({1: "9c Tc 9d Ac Kc"}, up_card="Ah", farmers_hand="swap")
    before = hand.kitty
    say(hand, "swap 9c Tc 9d")
    assert set(before) < set(hand.cards(1))
    assert hand.put_away[1] == parse_cards("9c Tc 9d")


def test_a_blind_loner_scores_five_or_one():
    """§3 blind_loner, also when a defender plays alone."""
    hand = table({0: "Jh Ad Kd Qd Td"}, up_card="Jd", blind_loner=True, defend_alone=True)
    say(hand, "blind alone")
    assert (hand.phase.word, hand.to_act) == ("defend", 1)
    say(hand, "defend alone", "discard Td")
    assert hand.sitting_out == (2, 3)
    while not hand.over:
        hand.apply(hand.legal()[0])
    assert hand.points == [5, 0]


def test_the_dealer_who_sits_out_takes_nothing():
    """§3: skipped, the card staying face up, when the dealer sits out for any reason."""
    hand = table({}, defend_alone=True)
    say(hand, "order alone", "pass", "defend alone")
    assert hand.to_act == 0
    assert hand.up_card_state.word == "taken"
    hand = say(table({}, defend_alone=True), "order alone", "defend alone")
    assert hand.sitting_out == (0, 3)
    assert (hand.phase.word, hand.up_card_state.word) == ("play", "face-up")


def test_after_trump_is_made_things_come_in_order():
    """§3: defend → take and discard → give and discard → redeal → the lead."""
    hand = table(
        {0: "Ac Kc Qc Jc Tc", 1: "Jh Ah Kh Qh Th", 2: "9c Td 9d 9s Ts", 3: "As Ks Qs Js Kd"},
        defend_alone="any",
        partners_best=True,
        no_ace_no_face_no_trump=True,
    )
    phases = []
    for text in (
        "order alone", "pass", "pass", "discard 9h", "give As", "discard Th", "pass",
    ):  # fmt: skip  # a list of words
        phases.append(hand.phase.word)
        say(hand, text)
    assert phases == ["order", "defend", "defend", "discard", "give", "discard", "redeal"]
    assert (hand.phase.word, hand.to_act) == ("play", 1)


def test_the_joker_led_at_no_trump_is_followed_in_the_suit_named():
    """§1: its leader says lead-suit before anyone follows; it wins."""
    cards = {1: "B Ac Kc Qc Jc", 2: "9d Td As Ks Qs", 3: "Ad 9s Ts Js Ah", 0: "Kh Qh Jh Th 9h"}
    hand = table(cards, up_card="9c", preset="british", no_trump="second-round")
    say(hand, *PASSES, "call n", "play B")
    assert (hand.phase.word, hand.to_act) == ("play", 1)
    assert legal(hand) == ["lead-suit c", "lead-suit d", "lead-suit h", "lead-suit s"]
    say(hand, "lead-suit d")
    assert legal(hand) == ["play 9d", "play Td"]
    say(hand, "play 9d")
    assert legal(hand) == ["play Ad"]
    say(hand, "play Ad")
    assert len(legal(hand)) == 5
    say(hand, "play 9h")
    assert hand.trick_winners == [1]


def test_a_turned_joker_is_the_dealers_and_never_no_trump():
    """§3 benny: and its side are the makers."""
    hand = table({}, up_card="B", preset="british", no_trump="second-round")
    assert (hand.phase.word, hand.to_act) == ("benny", 0)
    assert legal(hand) == [
        "call c", "call d", "call h", "call s",
        "call c alone", "call d alone", "call h alone", "call s alone",
    ]  # fmt: skip  # a list of words
    say(hand, "call d alone")
    assert (hand.phase.word, hand.to_act, hand.sitting_out) == ("discard", 0, (2,))


def test_fast_break():
    """§6: defenders who take the first two tricks and lose the last three: no score."""
    lost_first = {
        1: "Ac Ad Kh 9s Ts",
        2: "9c 9d Jh Jd Ah",
        3: "Tc Td Js Qs Ks",
        0: "Qc Qd Qh Th As",
    }
    plays = (
        "play Ac", "play 9c", "play Tc", "play Qc", "play Ad", "play 9d", "play Td", "play Qd",
        "play 9s", "play Jh", "play Js", "play As",
    )  # fmt: skip  # a list of words
    hand = say(
        table(lost_first, up_card="9h", fast_break=True), "pass", "order", "discard 9h", *plays
    )
    while not hand.over:
        hand.apply(hand.legal()[0])
    assert (hand.tricks, hand.points) == ([3, 2], [0, 0])
    hand = say(table(lost_first, up_card="9h"), "pass", "order", "discard 9h", *plays)
    while not hand.over:
        hand.apply(hand.legal()[0])
    assert hand.points == [1, 0]


@pytest.mark.parametrize(("lone", "points"), [(False, 2), (True, 4)])
def test_a_revoke_ends_the_hand(lone, points):
    """§10 on_illegal: revoke: 2 to the opponents, revoke_lone while a lone hand is played."""
    hand = say(table({}), "pass", "order alone" if lone else "order")
    hand.revoke(1)
    assert hand.over
    assert (hand.result, hand.points, hand.to_act) == ("revoke", [points, 0], -1)
    assert refused(hand, "pass", seat=0) == Reason.HAND_OVER


def test_a_forfeit_scores_nothing():
    hand = say(table({}), "order", "discard 9h")
    hand.abandon()
    assert (hand.over, hand.result, hand.points) == (True, "forfeit", [0, 0])


def ended(rules: Rules, score: list[int], deals: int, *texts: str) -> Game:
    game = Game(rules, 0, score, deals_played=deals)
    pack = rules.pack.cards
    deal = Deal(tuple(pack[5 * s : 5 * s + 5] for s in range(4)), pack[20], pack[21:])
    say(game.start_hand(deal), *texts)
    game.finish_hand()
    return game


THROWN_IN = ("pass",) * 8


@pytest.mark.parametrize(
    ("options", "score", "deals", "winners"),
    [
        ({"num_deals": 3}, [4, 4], 2, (0, 1)),
        ({"num_deals": 3}, [4, 5], 2, (1,)),
        ({"num_deals": 3}, [4, 5], 1, ()),
        ({"max_deals": 3}, [4, 4], 2, (0, 1)),
        ({"max_deals": 3}, [5, 4], 2, (0,)),
        ({"max_deals": 3}, [5, 4], 1, ()),
        ({}, [9, 9], 499, (0, 1)),
        ({"win_by_two": True}, [10, 9], 0, ()),
        ({"win_by_two": True}, [11, 9], 0, (0,)),
        ({"win_by_two": True, "max_deals": 3}, [11, 10], 2, (0,)),
    ],
)
def test_how_a_game_ends(options, score, deals, winners):
    """§6: num_deals (level sides both win), max_deals, win_by_two."""
    game = ended(Rules.of("standard", options), score, deals, *THROWN_IN)
    assert (game.winners, game.over) == (winners, bool(winners))
    assert game.dealer == 1


def test_a_redeal_counts_for_max_deals_not_for_num_deals():
    """§6: num_deals leaves redealt ones out, max_deals counts them; the same dealer deals."""
    options = {"num_deals": 1, "farmers_hand": "redeal", "ace_no_face": "redeal", "max_deals": 2}
    rules = Rules.of("standard", options)
    game = Game(rules, 2)
    cards = "9c Tc 9d Td Ac", "9s Ts 9h Th As", "Jc Qc Kc Jd Qd", "Js Qs Ks Jh Qh"
    for deals in (1, 2):
        deal = Deal(tuple(map(parse_cards, cards)), parse_card("Kd"), parse_cards("Ad Kh Ah"))
        say(game.start_hand(deal), "redeal")
        game.finish_hand()
        assert (game.deal_number, game.deals_counted, game.dealer) == (deals, 0, 2)
        assert game.over == (deals == 2)
    assert game.winners == (0, 1)
