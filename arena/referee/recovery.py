"""A match made again from its checkpoint and the journal, to the very turn.

What a bot was shown is in the journal, so nothing of it is taken back: the match stands where the
last entry left it. A store that may have forgotten the journal's end (a power cut) says so, and the
attempt is voided: what is missing may have been shown.
"""

from __future__ import annotations

import binascii
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from euchre_arena.match import Ask, Effect, Match, Rejected, SpecError
from euchre_arena.match.inputs import CHOSE, CHOSE_WIDE, SAID, InputError, put, rows
from euchre_arena.match.saving import SavedError, restored
from euchre_arena.rules import OptionError

from arena.referee.hosted import Hosted, spec_of
from arena.referee.keeping import unpacked
from arena.store.journal import Saved, Value
from arena.store.types import MatchOrder

ANSWERS: Final = (CHOSE, CHOSE_WIDE, SAID)


class RecoveryError(Exception):
    """An attempt cannot be gone on with; the text says why."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What of an attempt is known before its match is made again."""

    secret: bytes
    salt: bytes
    parallel: int


@dataclass(frozen=True, slots=True)
class Recovered:
    """An attempt where its referee left it."""

    match: Match
    released: Sequence[str]
    """Lines of the record as of the checkpoint."""
    counts: Mapping[str, Any]
    """What was counted until then; empty for nothing."""
    effects: Sequence[Effect]
    """Since then, but what is asked and refused."""
    decisions: int
    """Since then."""


def first_fields(hosted: Hosted, nonces: Sequence[bytes]) -> dict[str, Value]:
    """The checkpoint of a match about to begin."""
    return {
        "secret": hosted.secret.hex(),
        "salt": hosted.salt.hex(),
        "nonces": ",".join(nonce.hex() for nonce in nonces),
        "parallel": hosted.parallel,
        "number": hosted.number,
        "at": hosted.at,
    }


def begun(saved: Saved) -> Begun:
    """Read what never changes. RecoveryError."""
    fields = saved.fields
    try:
        secret, salt = (binascii.unhexlify(fields[name]) for name in ("secret", "salt"))
        return Begun(secret, salt, int(fields["parallel"]))
    except (KeyError, ValueError) as error:
        raise RecoveryError(f"its checkpoint cannot be read: {error!r}") from error


def recovered(order: MatchOrder, saved: Saved, start: Begun, *, updates: bool) -> Recovered:
    """Make the match again; takes a while, so call it from a thread. RecoveryError.

    Its clocks stand still until `euchre_arena.match.saving.reopen`.
    """
    if not saved.whole:
        raise RecoveryError("the store may have forgotten the last that was journalled")
    try:
        return _recovered(order, saved, start, updates)
    except (InputError, SavedError, SpecError, OptionError) as error:
        raise RecoveryError(f"the journal does not fit the match: {error}") from error
    except (KeyError, ValueError, zlib.error) as error:
        raise RecoveryError(f"its checkpoint cannot be read: {error!r}") from error


def _recovered(order: MatchOrder, saved: Saved, start: Begun, updates: bool) -> Recovered:
    fields = saved.fields
    spec, number = spec_of(order), int(fields["number"])
    nonces = [binascii.unhexlify(text) for text in fields["nonces"].split(b",")]
    if not any(nonces):
        nonces = []
    effects: list[Effect] = []
    counts: Mapping[str, Any] = {}
    if "state" in fields:
        state = unpacked(fields["state"])
        counts = counts_of(fields, state["counts"])
        lines = lines_of(fields, counts["chunks"])
        found = restored(spec, start.secret, nonces, start.parallel, updates, state["match"], lines)
        match, released = found.match, found.released
    else:
        match, released = Match(spec, start.secret, nonces, start.parallel, updates), []
        match.keep_lines()
        effects += match.start(0)
    decisions = 0
    for entry in saved.entries:
        for given in rows(entry):
            if given.number == number:
                said = put(match, given)
                if given.kind in ANSWERS and not any(type(e) is Rejected for e in said):
                    decisions += 1
                effects += [e for e in said if type(e) not in (Ask, Rejected)]
    return Recovered(match, released, counts, effects, decisions)


def lines_of(fields: Mapping[str, bytes], parts: int) -> list[tuple[int, str | bytes]]:
    """The record's lines in a checkpoint's parts, each with its game."""
    names = (
        # A release before this one had a line for every hand: under another name, or one of then
        # that goes on with a match of today would take for lines what are none.
        f"{'lines' if f'lines{part}' in fields else 'waiting'}{part}"
        for part in range(1, parts + 1)
    )
    found = _joined(fields, names)
    return [(game, text if text[0] == "{" else bytes.fromhex(text)) for game, text in found]


def counts_of(fields: Mapping[str, bytes], counts: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a checkpoint has counted, with the games that stand in its parts."""
    parts = [f"games{part}" for part in range(1, counts["chunks"] + 1)]
    games = _joined(fields, (part for part in parts if part in fields))
    # A release before this one had all games in one place.
    return {"games": games, **counts, "counted": len(games)}


def _joined(fields: Mapping[str, bytes], names: Iterable[str]) -> list[Any]:
    """What these fields have, one after the other."""
    return [each for name in names for each in unpacked(fields[name])]
