"""Anything at all in place of a record: junk, other values, single characters changed."""

from __future__ import annotations

import json

import pytest
from euchre_arena.match.replay import replay_record
from euchre_arena.rules import parse_cards
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.match.records import GOOD, aborted, forfeited, revoked


def deep(line: str) -> str:
    """An option nested as deep as can just be read."""
    return line.replace('"target": 3', '"target": ' + "[" * 950 + "]" * 950)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_value_anywhere_is_refused_or_means_the_same(data: st.DataObject):
    number = data.draw(st.integers(0, len(GOOD) - 1))
    line = json.loads(GOOD[number])
    key = data.draw(st.sampled_from(sorted(line)))
    line[key] = data.draw(JSON)
    text = json.dumps(line)
    report = replay_record([*GOOD[:number], text, *GOOD[number + 1 :]])
    if report.ok:
        assert line == json.loads(GOOD[number]) or key in ("match", "entrants")
    else:
        assert report.line is not None
        assert report.error
        assert report.error.isprintable()


@settings(max_examples=300, deadline=None)
@given(st.lists(st.binary(max_size=60) | st.sampled_from([x.encode() for x in GOOD]), max_size=6))
def test_junk_is_refused_with_a_line(lines: list[bytes]):
    report = replay_record(lines)
    assert not report.ok
    assert report.message.startswith(f"line {report.line}: ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"a":' * 100_000, "nested too deep"),
        (b"null", "not a JSON object but null"),
        (b'{"line": NaN}', "NaN is no number"),
        (b'{"line": ' + b"9" * 5000 + b"}", "not JSON"),
        (b'{"line": "match", "line": "game"}', '"line" stands in it twice'),
        (b'{"line": {"match": 1}}', "must be one of match"),
        (b'{"line": "\\ud800"}', "must be one of match"),
        (b'{"line": "match", "record": true}', "must be a whole number"),
        (b'{"line": "match", "record": 1.0}', "must be a whole number"),
        (b"{" + b'"a": 1, ' * 200_000 + b'"b": 1}', '"a" stands in it twice'),
        (GOOD[0].replace('"target": 3', '"target": ' + "9" * 4000).encode(), "'target'"),
        (deep(GOOD[0]).encode(), "e"),
    ],
)
def test_text_that_is_no_record(text: bytes, said: str):
    report = replay_record([text])
    assert (report.line, said in str(report.error)) == (1, True), report.message


# A character changed: what may pass is told here, everything else is found.
FREE = ("match", "entrants", "detail")
"""Free text: names, and evidence in words."""
CARDS = {"hands", "kitty", "up_card"}


def changed_keys(before: str, after: str) -> set[str]:
    one, other = json.loads(before), json.loads(after)
    return {key for key in one.keys() | other.keys() if one.get(key) != other.get(key)}


def cards(line: str) -> list[tuple[int, ...]]:
    """Those a hand line names, as they are read."""
    hand = json.loads(line)
    return [parse_cards(text) for text in (*hand["hands"], hand["kitty"], hand["up_card"])]


LINES = {
    "played": GOOD,
    "forfeited": forfeited(),
    "revoked": revoked(),
    "aborted": aborted(),
}


@settings(max_examples=1500, deadline=None)
@given(st.sampled_from(sorted(LINES)), st.data())
def test_one_character_changed_is_found_or_means_nothing(name: str, data: st.DataObject):
    lines = LINES[name]
    number = data.draw(st.integers(0, len(lines) - 1))
    line = lines[number]
    place = data.draw(st.integers(0, len(line) - 1))
    put = data.draw(st.sampled_from('0123456789abcdefhstTJQKA:," []{}pqv') | st.just(""))
    after = line[:place] + put + line[place + 1 :]
    report = replay_record([*lines[:number], after, *lines[number + 1 :]])
    if report.ok:
        changed = changed_keys(line, after)
        # An action may be changed into another that brings the same tricks: another game, not a
        # wrong one. Seat and place of a refusal or crash may fit elsewhere as well. Of a match that
        # was broken off nothing shows how many games it would have had, past those that began.
        if name == "aborted" and changed == {"match_format"}:
            assert json.loads(after)["match_format"]["games"] > 3, after
            return
        if changed & CARDS:  # "th" is read as "Th"
            assert cards(line) == cards(after), after
        assert changed <= {*FREE, *CARDS, "actions", "seat", "action"}, (line, after)
        return
    assert report.line is not None
    if number == 0:
        return  # rules, nonces and commitment show where they first matter
    assert report.line == number + 1 or explained(lines, number, report.line), report.message


def test_a_match_broken_off_had_at_least_the_games_that_began():
    head, *rest = LINES["aborted"]
    for games, fits in ((13, True), (3, True), (2, False)):
        report = replay_record([head.replace('"games": 3', f'"games": {games}'), *rest])
        assert report.ok == fits, (games, report.message)


def explained(lines: list[str], number: int, line: int) -> bool:
    """A changed secret leaves the deals unchecked; a fault explains the hand before it."""
    kind = json.loads(lines[number])["line"]
    nearby = {json.loads(lines[n])["line"] for n in (number, line - 1)}
    return kind == "result" or "fault" in nearby
