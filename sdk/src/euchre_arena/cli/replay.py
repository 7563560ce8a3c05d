"""``euchre-arena replay``: a record or a game in Euchre Game Notation, refereed again."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from euchre_arena.cli.words import counted

if TYPE_CHECKING:
    from euchre_arena.match.replay import HandReport, ReplayReport

UNREADABLE = 2
EGN_SUFFIXES = (".egn", ".json")


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object (a file a line).")
@click.option("--quiet", "-q", is_flag=True, help="Leave the hands out.")
def replay(files: tuple[Path, ...], as_json: bool, quiet: bool) -> None:
    """Referee records (*.jsonl) and games in Euchre Game Notation (*.egn) again, card by card.

    Prints the hands, the score of the game or of the last one, what the match came to, whether the
    deals follow from the published secret, and `line N: …` for the first line of a record that
    breaks the rules, or every breach of an EGN game.

    The exit status is 0 when all is well, 1 when a file breaks the rules, 2 when one cannot be
    read.
    """
    status = 0
    for file in files:
        prefix = f"{file}: " if len(files) > 1 else ""
        try:
            data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        except OSError as error:
            click.echo(f"{file}: {error.strerror or error}", err=True)
            status = UNREADABLE
            continue
        one = _egn if file.suffix.lower() in EGN_SUFFIXES else _record
        status = max(status, one(data, prefix, as_json, quiet))
    sys.exit(status)


def _record(data: bytes, prefix: str, as_json: bool, quiet: bool) -> int:
    from euchre_arena.match.replay import replay_record

    hands: list[HandReport] = []
    keep = (lambda hand: None) if quiet or as_json else hands.append
    report = replay_record(_lines(data), keep)
    if as_json:
        click.echo(json.dumps(_named(prefix, report.to_json()), ensure_ascii=False))
    else:
        lines = [prefix + line for line in (*map(_hand_line, hands), *_summary(report))]
        click.echo("\n".join(lines))
    return 0 if report.ok else 1


def _lines(data: bytes) -> list[bytes]:
    """Lines end with a line feed; what follows the last one is a line only if there is any."""
    lines = data.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def _named(prefix: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"file": prefix.removesuffix(": "), **data} if prefix else data


def _hand_line(hand: HandReport) -> str:
    from euchre_arena.rules.cards import SUIT_LETTERS

    made = "no trumps made"
    if hand.trump and hand.maker >= 0:
        alone = " alone" if hand.alone else ""
        made = f"seat {hand.maker} makes {SUIT_LETTERS[hand.trump]}{alone}"
    elif hand.trump:  # écarté: nobody makes them
        made = f"trumps {SUIT_LETTERS[hand.trump]} turned up"
    return (
        f"game {hand.game} hand {hand.hand}: dealer {hand.dealer}, {made}, {hand.result}, "
        f"tricks {_dash(hand.tricks)}, points {_dash(hand.points)}, score {_dash(hand.score)}"
    )


def _dash(numbers: tuple[int, ...]) -> str:
    return "–".join(map(str, numbers))


def _summary(report: ReplayReport) -> Iterator[str]:
    if not report.ok:
        yield report.message
        return
    for fault in report.faults:
        yield (
            f"fault: {fault['fault']}, game {fault['game']}, hand {fault['hand']}, action "
            f"{fault['action']}, seat {fault['seat']}: {fault['detail']}"
        )
    ended = "" if report.finished else "unfinished: "
    yield f"{ended}games {report.games}, hands {report.hands}"
    if report.score:
        # The match's own result is in the entrants' lines.
        what = "final score" if report.games == 1 else "score of the last game"
        yield f"{what} {_dash(report.score)}"
    if report.result is not None:
        for number, name in enumerate(report.entrants):
            won, points = report.result["games"][number], report.result["points"][number]
            best = ", winner" if number in report.result["winners"] else ""
            worth = "".join(
                f", {what} {report.result[key][number]:{sign}}"
                for key, what, sign in (("rubber", "rubber points", ""), ("stakes", "stakes", "+"))
                if key in report.result
            )
            yield f"{name}: games won {won}, points {points}{worth}{best}"
    if report.skunks:
        yield "skunks: " + ", ".join(
            f"game {game} won by {' and '.join(names)}"
            for game, names in zip(report.skunks, report.skunkers, strict=True)
        )
    yield f"deals verified ({_randomness(report)})"


def _randomness(report: ReplayReport) -> str:
    if report.seeded:
        return "seeded: whoever knows the seed knows the deals"
    if not report.nonces:
        return "no nonces: committed, not unchosen"
    return f"nonces from {counted(report.nonces, 'seat')}"


def _egn(data: bytes, prefix: str, as_json: bool, quiet: bool) -> int:
    from euchre_arena.match.egn import EgnError, replay_egn

    try:
        report = replay_egn(data)
    except EgnError as error:
        click.echo(f"{prefix}{error}", err=True)
        return UNREADABLE
    if as_json:
        click.echo(json.dumps(_named(prefix, report.to_json())))
    else:
        for line in report.lines():
            if not quiet or line.startswith("score"):
                click.echo(prefix + line)
    return 1 if report.faults else 0
