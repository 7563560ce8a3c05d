"""A match watched while its record is being written."""

from __future__ import annotations

import json
import queue
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from euchre_arena import play_local
from euchre_arena.rules import action_text

from arena.admin.client import AdminError
from arena.admin.live import Tail, Telling
from tests.support.tournaments import RESULT, FakeReferee, dispatch, start, wait_for


def played() -> list[bytes]:
    """The record of a match of three games, its lines with their ends."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record"
        play_local(["book", "random"], match_format={"games": 3}, seed=1, record=path)
        return path.read_bytes().splitlines(keepends=True)


LINES = played()
HANDS = [json.loads(line) for line in LINES if b'"line": "hand"' in line]
MATCH = "cup-m0"
DEADLINE_S = 60


class Watcher:
    """Watches in a thread; what it was told, and how it ended."""

    def __init__(self, stream: Iterator[object]) -> None:
        self.told: list[object] = []
        self.ended: queue.SimpleQueue[AdminError | None] = queue.SimpleQueue()
        threading.Thread(target=self._watch, args=(stream,), daemon=True).start()

    def _watch(self, stream: Iterator[object]) -> None:
        try:
            for told in stream:
                self.told.append(told)
            self.ended.put(None)
        except AdminError as error:
            self.ended.put(error)

    def end(self) -> AdminError | None:
        return self.ended.get(timeout=DEADLINE_S)

    @property
    def hands(self):
        return [(told.game_number, told.hand_number) for told in self.told if not told.game_over]


@pytest.fixture
def referee(served):
    """A referee with a match of two bots before it."""
    start(served.store, ["ada", "bob"], "cup")
    (served.records / "cup").mkdir(exist_ok=True)
    referee = FakeReferee(served.store, {"ada": 8, "bob": 8})
    dispatch(served.store)
    referee.orders()
    return referee


def part(served, fence):
    return (served.records / "cup" / f"{MATCH}.jsonl.{fence}.part").open("ab", buffering=0)


def over(served, lease, file, *watchers):
    """The record in its place, then the result, as a referee does it, when it is being watched."""
    for watcher in watchers:
        wait_for(lambda watcher=watcher: watcher.told, about="it is being watched")
    Path(file.name).rename(served.records / "cup" / f"{MATCH}.jsonl")
    record = f"cup/{MATCH}.jsonl"
    assert served.store.matches.finish(lease, RESULT, record=record).stands


def test_hands_are_told_as_they_end_and_the_stream_ends_with_the_match(served, referee):
    watcher = Watcher(served.organizer.watch_match(MATCH))
    lease = referee.lease(MATCH)
    with part(served, lease.fence) as file:
        first = next(n for n, line in enumerate(LINES) if b'"line": "hand"' in line)
        file.write(b"".join(LINES[:first]))
        file.write(LINES[first][:50])  # a piece of a line is no line
        file.write(LINES[first][50:])
        wait_for(lambda: watcher.hands == [(0, 0)], about="the first hand is told")
        file.write(b"".join(LINES[first + 1 :]))
        over(served, lease, file, watcher)
    assert watcher.end() is None
    assert len(watcher.hands) == len(HANDS)
    assert [list(told.score) for told in watcher.told if not told.game_over] == [
        hand["score"] for hand in HANDS
    ]
    ends = [told for told in watcher.told if told.game_over]
    assert ends
    assert all(told.winners for told in ends)


def test_what_is_told_is_what_everybody_at_the_table_saw(served, referee):
    watcher = Watcher(served.organizer.watch_match(MATCH, from_start=True))
    lease = referee.lease(MATCH)
    with part(served, lease.fence) as file:
        file.write(b"".join(LINES))
        over(served, lease, file, watcher)
    assert watcher.end() is None
    told = [message for message in watcher.told if not message.game_over]
    hidden = 0
    for message, hand in zip(told, HANDS, strict=True):
        shown = [action_text(action & 0xFFFF) for action in message.actions]
        whole = [text if "discard" not in text else "discard (1 card)" for text in hand["actions"]]
        assert shown == whole
        assert all(action >> 16 < 4 for action in message.actions)
        hidden += sum("discard" in text for text in shown)
    assert hidden, "the record has discards, and none is shown"


def test_of_games_on_the_same_deals_none_is_told_before_the_last_is_over(tmp_path):
    """What was played in the first shows the cards of the second, which may be under way."""
    path = tmp_path / "record"
    play_local(
        ["book", "random"], match_format={"games": 4, "duplicate": True}, seed=2, record=path
    )
    lines = path.read_bytes().splitlines(keepends=True)
    ends = [n for n, line in enumerate(lines, 1) if b'"line": "game_result"' in line]
    assert len(ends) == 4
    telling = Telling()
    told = [
        [message.game_number for message in telling.tell(lines[start:stop])]
        for start, stop in zip([0, *ends], [*ends, None], strict=True)
    ]
    assert told[0] == told[2] == []
    assert set(told[1]) == {0, 1}
    assert set(told[3]) == {2, 3}
    assert told[4] == []
    # One that stops before its pair is whole is told with its end.
    telling = Telling()
    cut = [*lines[: ends[2]], lines[-1]]
    assert {message.game_number for message in telling.tell(cut)} == {0, 1, 2}


def test_who_comes_late_is_told_the_game_under_way(served, referee):
    games = [n for n, line in enumerate(LINES) if line.startswith(b'{"line": "game",')]
    assert len(games) == 3
    lease = referee.lease(MATCH)
    with part(served, lease.fence) as file:
        file.write(b"".join(LINES[: games[-1] + 2]))
        admin = served.organizer  # one token for both: asked again there is another
        late = Watcher(admin.watch_match(MATCH))
        whole = Watcher(admin.watch_match(MATCH, from_start=True))
        wait_for(lambda: late.told and len(whole.told) > len(late.told), about="both are told")
        file.write(b"".join(LINES[games[-1] + 2 :]))
        over(served, lease, file, late, whole)
    assert late.end() is None
    assert whole.end() is None
    assert {told.game_number for told in late.told} == {len(games) - 1}
    assert late.told == whole.told[-len(late.told) :]
    assert len(whole.hands) == len(HANDS)


def test_an_attempt_that_is_voided_is_followed_by_the_next(served, referee):
    watcher = Watcher(served.organizer.watch_match(MATCH))
    lease = referee.lease(MATCH)
    with part(served, lease.fence) as file:
        file.write(b"".join(LINES[:4]))
        wait_for(lambda: len(watcher.told) == 2, about="both hands are told")
        Path(file.name).unlink()
    served.store.matches.release(lease, "test")
    told = 2
    dispatch(served.store)
    referee.orders()
    lease = referee.lease(MATCH)
    changed = json.loads(LINES[0]) | {"commitment": "00" * 32}
    with part(served, lease.fence) as file:
        file.write(json.dumps(changed).encode() + b"\n" + b"".join(LINES[1:]))
        over(served, lease, file, watcher)
    assert watcher.end() is None
    assert [message.attempt for message in watcher.told[:told]] == [1] * told
    assert {message.attempt for message in watcher.told[told:]} == {2}
    assert watcher.hands.count((0, 0)) == 2


def test_an_attempt_that_goes_on_elsewhere_is_not_told_twice(served, referee):
    watcher = Watcher(served.organizer.watch_match(MATCH))
    lease = referee.lease(MATCH)
    with part(served, lease.fence) as file:
        file.write(b"".join(LINES[:4]))
        wait_for(lambda: watcher.told)
    with part(served, lease.fence + 1) as file:
        file.write(b"".join(LINES))
        over(served, lease, file, watcher)
    assert watcher.end() is None
    assert len(watcher.hands) == len(set(watcher.hands)) == len(HANDS)


def test_what_cannot_be_watched_is_said(served, referee, monkeypatch):
    admin = served.organizer
    monkeypatch.setattr("arena.admin.live.ELSEWHERE_S", 0.0)
    lease = referee.lease(MATCH)
    with pytest.raises(AdminError, match="is played on another machine"):
        list(admin.watch_match(MATCH))
    served.store.matches.finish(lease, RESULT)
    with pytest.raises(AdminError, match=f"is over; `arena record get {MATCH}`"):
        list(admin.watch_match(MATCH))
    with pytest.raises(AdminError, match=r"there is no match 'cup-m9'; cup has cup-m0 to cup-m0"):
        list(admin.watch_match("cup-m9"))


def test_a_match_that_is_cancelled_ends_the_watching(served, referee):
    watcher = Watcher(served.organizer.watch_match(MATCH))
    lease = referee.lease(MATCH)
    with part(served, lease.fence) as file:
        file.write(b"".join(LINES[:4]))
        wait_for(lambda: watcher.told)
    served.store.tournaments.cancel("cup")
    error = watcher.end()
    assert error is not None
    assert "was cancelled" in str(error)


def test_too_many_watchers_of_matches_are_turned_away(served, referee, monkeypatch):
    monkeypatch.setattr("arena.admin.live.WATCHERS", 0)
    with pytest.raises(AdminError, match="limit match watchers") as refused:
        list(served.organizer.watch_match(MATCH))
    assert refused.value.reason == "LIMIT"


def test_a_long_record_is_read_piece_by_piece(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.admin.live.PIECE", 1000)
    (tmp_path / f"{MATCH}.jsonl").write_bytes(b"".join(LINES))
    tail = Tail(tmp_path, MATCH, from_start=True)
    lines = tail.lines(over=True)
    assert tail.more
    while tail.more:
        lines += tail.lines(over=True)
    assert b"".join(line + b"\n" for line in lines) == b"".join(LINES)
    tail.close()
