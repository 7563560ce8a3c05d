"""What the guides show is what happens."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from euchre_arena import Bot, Turn, play_local, wire
from euchre_arena.rules.actions import parse_action
from euchre_arena.rules.cards import parse_card
from euchre_arena.wire import pb
from google.protobuf import text_format

DOCS = Path(__file__).parents[2] / "docs"
PROTOCOL = (DOCS / "protocol.md").read_text(encoding="utf-8")
FRAMES = re.findall(r"```hex\n(.*?)```\n```textproto\n(.*?)```", PROTOCOL, re.DOTALL)


def parse(text: str) -> tuple[pb.PlayRequest | pb.PlayResponse, bytes, str]:
    """A frame of the transcript: the message as described, and its bytes."""
    shown, described = text
    kind = (
        pb.PlayRequest if re.search(r"^(hello|ack|answers)", described, re.M) else pb.PlayResponse
    )
    return text_format.Parse(described, kind()), bytes.fromhex(shown), described


def test_the_transcript_is_whole() -> None:
    assert len(FRAMES) == PROTOCOL.count("```hex") == PROTOCOL.count("```textproto") == 14


@pytest.mark.parametrize("frame", FRAMES, ids=range(len(FRAMES)))
def test_the_bytes_of_the_transcript_are_what_is_said_of_them(frame: str) -> None:
    message, raw, _ = parse(frame)
    assert message.FromString(raw) == message
    assert message.SerializeToString(deterministic=True) == raw


def test_the_secret_of_the_transcript_is_the_one_committed_to() -> None:
    messages = [parse(frame)[0] for frame in FRAMES]
    (secret,) = {m.secret for f in messages for m in getattr(f, "matches_ended", ())}
    (commitment,) = {w.commitment for f in messages for w in getattr(f, "entropy_wanted", ())}
    assert hashlib.sha256(secret).digest() == commitment


def test_the_sdk_writes_the_turns_of_the_transcript() -> None:
    for shown, _ in FRAMES:
        raw = bytes.fromhex(shown)
        if b"\x2a" not in raw[2:3]:
            continue
        frame = wire.read_frame(raw)
        for packed in frame.turns:
            assert packed.HasField("maker") == (packed.phase == 11)


@pytest.mark.parametrize(
    ("text", "code"), re.findall(r"`([a-z][^`]*)` (\d{4,5})\b", PROTOCOL.split("## A session")[0])
)
def test_codes_of_actions(text: str, code: str) -> None:
    assert parse_action(text) == int(code)


def test_numbers_of_cards() -> None:
    for name, number in re.findall(r"`([2-9TJQKA][cdhs])` is (\d+)", PROTOCOL):
        assert parse_card(name) == int(number)


def test_the_first_bot_of_the_guide_plays() -> None:
    guide = (DOCS / "bot-authors.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(from euchre_arena import Bot\n.*?)```", guide, re.DOTALL)[0]
    made: dict[str, type[Bot]] = {}
    exec(code, made)  # a reader would paste it into a file
    result = play_local([made["MyBot"](), "random"], match_format={"games": 20}, seed="guide")
    assert not result.faults, result.errors
    assert result.games[0] >= 10


def test_every_field_of_a_turn_is_in_the_guide() -> None:
    guide = (DOCS / "bot-authors.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `turn\.(\w+)", guide, re.MULTILINE))
    names = {name for name in vars(Turn) if not name.startswith("_")}
    assert listed >= names, names - listed
