"""Protobuf and the game: what goes onto the wire comes off it unchanged."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from euchre_arena import wire
from euchre_arena.match import Clock, OpenTurn
from euchre_arena.rules import Phase, Rules, View, action_text
from euchre_arena.rules.actions import Kind, bid, call, canonical_key, several
from euchre_arena.rules.named_action import Action
from euchre_arena.rules.turn import Table, Turn
from euchre_arena.wire import pb
from google.protobuf.message import DecodeError
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sdk.hands import random_asks, random_turns

HANDLE = 0xFEDCBA9876543210
PASS = Kind.PASS << 10
"""Two bytes on the wire."""
MARK = Kind.MARK << 10
"""Three."""

NAMED = [
    name
    for name in vars(Turn)
    if not name.startswith("_") and type(vars(Turn)[name]).__name__ == "lazy"
]


def off_the_wire(entry: bytes, table: Table) -> wire.WireTurn:
    frame = wire.read_frame(wire.response_bytes(1, [entry]))
    (packed,) = frame.turns
    return wire.turn_of(packed, table)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_every_view_comes_off_the_wire_as_it_went_on(seed: int) -> None:
    writers: dict[int, wire.GameWriter] = {}
    for rules, turn in random_turns(seed):
        writer = writers.setdefault(turn.game, wire.GameWriter())
        table = Table(rules, turn.seat, HANDLE)
        entry = writer.turn(HANDLE, turn.turn, turn.view, turn.move_time_ms, turn.bank_ms)
        read = off_the_wire(entry, table)
        assert read.view == turn.view
        home = Turn(turn.view, table, turn.turn, turn.move_time_ms, turn.bank_ms)
        for name in (*NAMED, "turn", "game", "move_time_ms", "bank_ms"):
            assert getattr(read, name) == getattr(home, name), name
        assert str(read) == str(home)
        # The generated classes read the same bytes as what the slow, plain way makes.
        (plain,) = pb.PlayResponse.FromString(entry).turns
        assert plain == wire.turn_message(HANDLE, turn)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_the_short_way_of_a_turn_says_the_same(seed: int) -> None:
    writer = wire.GameWriter()
    handles = [HANDLE + seat for seat in range(8)]
    for hand, turn in random_asks(seed):
        handle = handles[turn.seat]
        clock = (turn.move_time_ms, turn.bank_ms)
        entry = writer.asked(handle, turn.turn, hand, turn.seat, turn.legal, *clock)
        (told,) = pb.PlayResponse.FromString(entry).turns
        assert told == wire.turn_message(handle, turn)
        assert off_the_wire(entry, Table(hand.rules, turn.seat, handle)).view == turn.view


def test_a_slow_reader_of_a_game_gets_the_whole_history() -> None:
    turns = [(rules, turn) for rules, turn in random_turns(3)]
    writer = wire.GameWriter()
    for rules, turn in (turns[0], turns[-1], turns[1]):
        entry = writer.turn(HANDLE, 1, turn.view)
        assert off_the_wire(entry, Table(rules)).view.history == turn.view.history


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_every_answer_means_the_action_that_was_chosen(seed: int) -> None:
    rng = random.Random(seed)
    for rules, turn in random_turns(seed):
        entry = wire.GameWriter().turn(HANDLE, turn.turn, turn.view)
        read = off_the_wire(entry, Table(rules, turn.seat, HANDLE))
        wanted = rng.choice(read.legal)
        assert meant(turn, read.answer(str(wanted))) == wanted.code


def meant(turn: OpenTurn, answer: tuple[int, int | None]) -> int | None:
    """What a server makes of an answer."""
    handle = wire.handle_bytes(HANDLE)
    raw = wire.request_bytes(7, 6, [wire.answer_bytes(handle, turn.turn, *answer)])
    (message,) = pb.PlayRequest.FromString(raw).answers
    assert (message.game, message.turn) == (HANDLE, turn.turn)
    if message.HasField("action"):
        return wire.action_code(message.action)
    if turn.view.phase in wire.SEVERAL_PHASES:
        return wire.chosen_code(turn.legal, message.choice)
    return turn.legal[message.choice]


def widow(hand: tuple[int, ...], size: int, stock: int = 0, phase: Phase = Phase.WIDOW) -> View:
    """A view in which several cards go away, of presets the engine does not deal yet."""
    counts = range(min(5, stock) + 1) if phase is Phase.EXCHANGE else [len(hand) - size]
    masks = [m for m in range(1 << len(hand)) if m.bit_count() in counts]
    legal = [
        several(Kind.DISCARD, sum(1 << card for place, card in enumerate(hand) if m >> place & 1))
        for m in masks
    ]
    listed = tuple(sorted(legal, key=canonical_key))
    nothing: tuple[int, ...] = ()
    return View(
        *(1, 0, int(phase), 0, 0, 0, -1, False, hand, listed, nothing, -1, nothing, (0, 0)),
        *((0, 0), 50, 0, nothing, bid(5), stock, nothing, nothing, nothing, 0),
    )


@pytest.mark.parametrize(
    ("view", "omitted"),
    [
        (widow((6, 7, 8, 9, 20, 21, 22, 35), 5), False),  # five: 8 choose 3
        (widow((6, 7, 8, 9, 20, 21, 22, 35, 48, 50, 53), 5), True),
        (widow((6, 7, 8, 9, 20), 5, 11, Phase.EXCHANGE), False),
        (widow((6, 7, 8, 9, 20), 5, 3, Phase.EXCHANGE), False),
    ],
)
def test_discards_of_several_cards(view: View, omitted: bool) -> None:
    turn = OpenTurn(0, 1, 1, view, view.legal, 0, 0)
    entry = wire.GameWriter().turn(HANDLE, 1, view)
    (plain,) = pb.PlayResponse.FromString(entry).turns
    assert plain == wire.turn_message(HANDLE, turn)
    assert plain.legal_omitted is omitted
    table = Table(Rules.of("standard"), 1, HANDLE)
    read = off_the_wire(entry, table)
    assert [action.code for action in read.legal] == list(view.legal)
    for action in read.legal:
        assert meant(turn, read.answer(action)) == action.code


@pytest.mark.parametrize("stock", [2, 3, 5, 11])
def test_discards_left_out_are_made_by_the_reader(
    stock: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("euchre_arena.wire.actions.LISTED", 0)
    # Cards of its own keep this list out of the table of lists encoded before.
    view = widow((6, 7, 8, 9, 20), 5, stock, Phase.EXCHANGE)._replace(hand=(40, 41, 42, 43, 44))
    legal = [
        several(Kind.DISCARD, sum(1 << card for card in cards))
        for count in range(min(5, stock) + 1)
        for cards in combinations(view.hand, count)
    ]
    view = view._replace(legal=tuple(sorted(legal, key=canonical_key)))
    entry = wire.GameWriter().turn(HANDLE, 1, view)
    (plain,) = pb.PlayResponse.FromString(entry).turns
    assert plain.legal_omitted
    assert len(plain.legal) == 6
    read = off_the_wire(entry, Table(Rules.of("standard"), 1, HANDLE))
    assert read.view == view


def codes() -> st.SearchStrategy[int]:
    cards = st.integers(1, 53)
    masks = st.sets(cards, min_size=1, max_size=5).map(lambda found: sum(1 << c for c in found))
    return st.one_of(
        st.sampled_from(
            [kind << 10 for kind in Kind if kind not in (5, 6, 8, 3, 10, 11, 12, 13, 14)]
        ),
        st.just(Kind.ORDER << 10 | 1),
        st.builds(call, st.integers(1, 5), st.booleans()),
        st.builds(bid, st.integers(0, 31), st.integers(0, 5), st.booleans()),
        st.builds(several, st.sampled_from([Kind.DISCARD, Kind.SWAP, Kind.GIVE]), masks),
        st.just(several(Kind.DISCARD, 0)),
        cards.map(lambda card: Kind.PLAY << 10 | card),
        st.integers(1, 127).map(lambda seats: Kind.PICK << 10 | seats),
        st.integers(1, 5).map(lambda suit: Kind.NAME << 10 | suit),
        st.just(Kind.SCORE << 10 | 1),
    ).filter(lambda code: code != Kind.CALL << 10)


@given(codes())
def test_actions_spelled_out(code: int) -> None:
    message = wire.action_message(code)
    assert wire.action_code(message) == code
    assert Action.parse(action_text(code)).code == code


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        (pb.Answer().action, "kind 0 is no verb"),
        (wire.action_message(Kind.PASS << 10), None),
        (pb.Answer(action={"kind": 99}).action, "kind 99 is no verb"),
        (pb.Answer(action={"kind": 1, "suit": 3}).action, "does not take"),
        (pb.Answer(action={"kind": 3}).action, "suit 0"),
        (pb.Answer(action={"kind": 3, "suit": 7}).action, "suit 7"),
        (pb.Answer(action={"kind": 4}).action, "does not take"),
        (pb.Answer(action={"kind": 5, "cards": [9, 9]}).action, "twice"),
        (pb.Answer(action={"kind": 6}).action, "names no card"),
        (pb.Answer(action={"kind": 10, "amount": 32}).action, "beyond 31"),
        (pb.Answer(action={"kind": 12, "seats": [2, 9]}).action, "seats 0 to 6"),
        (pb.Answer(action={"kind": 13, "cards": [54]}).action, "card 54"),
        (pb.Answer(action={"kind": 13, "cards": [9, 10]}).action, "one card"),
        (pb.Answer(action={"kind": 16, "amount": 2}).action, "amount"),
    ],
)
def test_actions_that_are_none(message: wire.pb.Answer, cause: str | None) -> None:
    if cause is None:
        assert wire.action_code(message) == Kind.PASS << 10
        return
    with pytest.raises(ValueError, match=cause):
        wire.action_code(message)


def test_a_game_as_a_seat_is_told_of_it() -> None:
    rules = Rules.of("standard", {"farmers_hand": "swap", "target": 5, "stick_the_dealer": True})
    message = wire.game_started_message(
        HANDLE, 5, 3, 2, rules, ["a", "b", "a", "b"], Clock(1000, 60_000, 10), b"c" * 32, True
    )
    table = wire.read_table(pb.GameStarted.FromString(message.SerializeToString()))
    assert table.rules is rules
    assert table == Table(
        rules, 2, HANDLE, 5, 3, ("a", "b", "a", "b"), 1000, 60_000, 10, b"c" * 32, True
    )
    assert message.target == 5


@pytest.mark.parametrize(
    "legal",
    [[PASS], [PASS, MARK], [MARK, PASS], [MARK, MARK], [MARK] * 3, [PASS] * 200, [5, 5], [5, PASS]],
)
def test_codes_of_any_size_are_read_in_any_order(legal: list[int]) -> None:
    told = pb.PlayResponse(turns=[pb.Turn(game=HANDLE, turn=1, phase=Phase.PLAY, legal=legal)])
    (raw,) = wire.read_frame(told.SerializeToString()).turns
    if 5 in legal:  # no action, of one byte
        with pytest.raises(ValueError, match="valid Kind"):
            _ = wire.turn_of(raw, Table(Rules.of("standard"))).legal
        return
    read = wire.turn_of(raw, Table(Rules.of("standard")))
    assert read.legal == tuple(map(action_text, legal))
    assert [read.answer(text) for text in read.legal] == [
        (legal.index(code), None) for code in legal
    ]


def test_text_that_is_no_action_is_sent_as_one_that_says_nothing() -> None:
    rules, turn = next(random_turns(1))
    entry = wire.GameWriter().turn(HANDLE, 1, turn.view)
    read = off_the_wire(entry, Table(rules, turn.seat, HANDLE))
    assert read.answer("play the jack") == (0, -1)
    with pytest.raises(ValueError, match="kind 0"):
        meant(turn, (0, -1))
    illegal = read.answer("play Jh" if "play Jh" not in read.legal else "pass")
    assert illegal[1] is not None


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(DecodeError):
        wire.read_frame(b"\xff\xff\xff")
