"""Leads and follows by the book."""

from __future__ import annotations

from euchre_arena.rules import action_text, parse_action

from tests.bots.position import position, says

MAKING = ("pass", "pass", "pass", "order", "discard 9s")


def test_defenders_lead_their_aces_the_shortest_suit_first():
    """[S] Defending: lead your side aces early."""
    hand = position({0: "Jh Jd Ah 9s Kc", 1: "As Ac Tc 9d Kh"}, "Qh", *MAKING)
    assert says(hand) == "play As"


def test_defenders_keep_a_trump_back():
    """[S] Defending: no ace, then low from a side suit, never the trump."""
    hand = position({0: "Jh Jd Ah 9s Kc", 1: "Kh Qs Ks Td 9d"}, "Qh", *MAKING)
    assert says(hand) not in ("play Kh", "play Ks")


def test_the_maker_draws_trumps_from_the_top():
    """[S] A worked hand: right bower, left bower, ace of trumps, then the side ace."""
    hands = {1: "Jh Jd Ah As 9c", 2: "9h 9s 9d Td Kd", 3: "Ks Ts Qs Qd Ad", 0: "Kh Th Qc Kc Ac"}
    hand = position(hands, "Qh", "order", "discard Qc")
    led = []
    while not hand.over:
        if hand.to_act == 1:
            led.append(says(hand))
            hand.apply(next(code for code in hand.legal() if action_text(code) == led[-1]))
        else:
            hand.apply(hand.legal()[0])
    assert led[:4] == ["play Jh", "play Jd", "play Ah", "play As"]


def test_the_makers_partner_leads_a_trump_to_him():
    hand = position({1: "Jd 9h As Kd 9c", 3: "Jh Ah Kh Ac Ts"}, "Qh", "pass", "pass", "order",
                    "...")  # fmt: skip
    assert hand.to_act == 1
    assert says(hand) == "play Jd"


def test_the_partners_trick_is_left_alone():
    """[S] Defending: no high card on it; [W] "Trump the Partner": no trump either."""
    void = position({0: "Jh Jd Ah 9s Kc", 1: "As Qs 9c 9d Kh", 2: "Ts Ks Kd Tc Jc",
                     3: "Th 9h Qc Ac Td"}, "Qh", *MAKING, "play As", "play Ts")  # fmt: skip
    assert void.to_act == 3
    assert says(void) == "play Td"


def test_last_to_play_wins_as_cheaply_as_it_can():
    """The dealer is last: the smallest trump, not a bower, on the adversary's king."""
    hand = position({0: "Jh Jd 9s Ks As", 1: "Kc Qs Ts 9d Kh", 2: "Tc 9c Td Qd Kd",
                     3: "Ac Qc Ad Th 9h"}, "Qh", *MAKING,
                    "play Kc", "play 9c", "play Qc")  # fmt: skip
    assert hand.to_act == 0
    assert says(hand) == "play Qh"


def test_second_hand_low():
    """Nothing sure: leave the trick to the partner behind."""
    hand = position({0: "Jh Jd 9s Ah Kc", 1: "Qs Tc 9d Td Kh", 2: "Ks Ts Ad Qd Kd"}, "Qh", *MAKING,
                    "play Qs")  # fmt: skip
    assert hand.to_act == 2
    assert says(hand) == "play Ts"


def test_second_hand_takes_what_is_sure():
    hand = position({0: "Jh Jd 9s Ah Kc", 1: "Qs Tc 9d Td Kh", 2: "As Ts Ad Qd Kd"}, "Qh", *MAKING,
                    "play Qs")  # fmt: skip
    assert says(hand) == "play As"


def test_a_void_is_trumped_with_the_smallest_trump():
    """[W] Calling round: what a short suit is for."""
    hand = position({0: "Jh Jd 9s Ah Kc", 1: "As Tc 9d Td Kh", 2: "9h Th Ad Qd Kd"}, "Qh", *MAKING,
                    "play As")  # fmt: skip
    assert says(hand) == "play 9h"


def test_a_guarded_king_is_kept_when_throwing_off():
    """Void of the suit led and of trumps: a card that leaves the king guarded."""
    hand = position({0: "Jh Jd Ah 9s Kc", 1: "As Qs 9c 9d Kh", 2: "Kd Td Qc Tc 9h",
                     3: "Ks Ts Qd Ad Ac"}, "Qh", *MAKING,
                    "play 9c", "play Tc")  # fmt: skip
    assert hand.to_act == 3
    assert says(hand) == "play Ac"


def test_a_lone_maker_draws_trumps_then_cashes():
    hand = position({1: "Jh Jd Ah As 9c"}, "Qh", "order alone", "...")
    while hand.to_act != 1:
        hand.apply(hand.legal()[0])
    assert says(hand) == "play Jh"


def test_a_joker_led_at_no_trump_names_the_longest_suit():
    hand = position({1: "B As Ks Ad Kd"}, "9h", "pass", "pass", "pass", "pass", "call n",
                    preset="british", no_trump="second-round")  # fmt: skip
    hand.apply(next(code for code in hand.legal() if code & 63 == 53))
    assert says(hand) in ("lead-suit d", "lead-suit s")


def test_a_low_lead_is_left_to_the_partner_not_trumped():
    """Second hand, void: the nine led may well be beaten by the partner behind."""
    hand = position({0: "Jh Jd Ah Kc Td", 1: "9s Tc 9d Ad Kh", 2: "9h Th Qd Kd Qc",
                     3: "As Ks Qs Ac Ts"}, "Qh", "pass", "pass", "pass", "order", "discard Td",
                    "play 9s")  # fmt: skip
    assert hand.to_act == 2
    assert says(hand) == "play Qc"
    assert says(hand, "book?skip=leave_a_low_lead") == "play 9h"


def test_a_partners_low_card_is_trumped_when_an_adversary_is_still_to_play():
    """Third hand, void: the ten led by the partner stands only until the dealer plays."""
    hand = position({0: "Jh Jd Ah Kc As", 1: "Ts Tc 9d Ad Kh", 2: "9s Ks Qd Kd Qc",
                     3: "9h Th Qs Ac Td"}, "Qh", "pass", "pass", "pass", "order", "discard Kc",
                    "play Ts", "play 9s")  # fmt: skip
    # seat 3 holds the queen of spades and must follow
    assert hand.to_act == 3
    assert says(hand) == "play Qs"
    void = position({0: "Jh Jd Ah Kc As", 1: "Ts Tc 9d Ad Kh", 2: "9s Ks Qd Kd Qc",
                     3: "9h Th Qc Ac Td"} | {2: "9s Ks Qd Kd Jc"}, "Qh", "pass", "pass", "pass",
                    "order", "discard Kc", "play Ts", "play 9s")  # fmt: skip
    assert void.to_act == 3
    assert says(void) == "play 9h"
    assert says(void, "book?skip=trump_for_the_partner") == "play Td"


def test_a_partners_ace_is_never_trumped():
    hand = position({0: "Jh Jd Ah Kc Ks", 1: "As Tc 9d Ad Kh", 2: "9s Qs Qd Kd Jc",
                     3: "9h Th Qc Ac Td"}, "Qh", "pass", "pass", "pass", "order", "discard Kc",
                    "play As", "play 9s")  # fmt: skip
    assert says(hand) == "play Td"


def test_third_hand_covers_with_the_ace():
    """The partner's ten would fall to the dealer's king."""
    hand = position({0: "Jh Jd Ah Kc Ks", 1: "Ts Tc 9d Ad Kh", 2: "9s Qd Kd Jc Td",
                     3: "As Qs Qc Ac 9h"}, "Qh", "pass", "pass", "pass", "order", "discard Kc",
                    "play Ts", "play 9s")  # fmt: skip
    assert says(hand) == "play As"


def test_a_maker_long_in_trumps_leads_them_without_the_highest():
    """Left, ace and king without the right bower: draw trumps all the same."""
    hand = position({1: "Jd Ah Kh 9c Td", 0: "Jh Ks Qs Ts 9s"}, "Qh", "order", "discard 9s")
    assert says(hand) == "play Jd"
    assert says(hand, "book?skip=lead_long_trumps") != "play Jd"


def test_nothing_is_drawn_when_no_adversary_has_a_trump_left():
    """Both showed out on the first trump: the side ace next, trumps are kept."""
    hands = {1: "Jh Jd Ah As 9c", 0: "Ks Qs Ts 9s Kd", 2: "Kc Qc Tc Qd Td", 3: "Kh Th Ac Ad 9d"}
    hand = position(hands, "9h", "order", "discard 9h", "play Jh", "play Td")
    hand.apply(parse_action("play Th"))
    hand.apply(parse_action("play 9s"))
    assert hand.to_act == 1
    assert says(hand) == "play As"


def test_the_last_trump_is_led_when_nothing_beats_it():
    """Three aces made, the right bower and a nine are left: a defender waits no longer."""
    hands = {0: "9h Kc Ks Kd Td", 1: "Jh 9s As Ac Ad", 2: "Qs Qc Qd Th Ts", 3: "Tc Js 9d Kh Ah"}
    hand = position(hands, "Qh", *MAKING[:4], "discard Td")
    led = []
    while len(led) < 4:
        if hand.to_act == 1:
            led.append(says(hand))
            hand.apply(parse_action(led[-1]))
        else:
            hand.apply(hand.legal()[0])
    assert led[-1] == "play Jh"


def test_when_only_trumps_are_left_the_highest_goes_if_it_wins():
    hands = {1: "Jh Jd Ah Kh Qh"}
    hand = position(hands, "9h", "order", "...")
    assert says(hand) == "play Jh"
