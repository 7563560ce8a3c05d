"""Very many random hands over all presets and options, each checked: ``make soak``.

A *table* is one seed: a preset, a random valid set of options, a few hands. Tables are numbered on
from the seed given, so a failing one is played again by its number alone.

On every hand: legal actions at every decision (some, canonical order, no claim); the hand ends; all
cards of the pack are where they can be; result, trick winners, tricks, points and tokens are those
of the naive referee; its actions said again to a fresh hand come to the same. The costly rest is
sampled: see ``SAMPLING`` and ``TABLES_A_MATCH``.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import secrets
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from euchre_arena.rules import PRESETS

from tests.rules.checks import Sampling, check_match, play_checked
from tests.rules.tables import any_rules, random_hand

HANDS_A_TABLE = 8
TABLES_A_MATCH = 25
"""One table in so many also plays a small match whose record is replayed: one in 200 hands."""
TABLES_A_TASK = 25
SAMPLING = Sampling(conserved=1 / 20, plays=1 / 10, refusals=1 / 1000, views=1 / 8)
"""Cards in the middle of a hand at every 20th decision, plays against the naive referee's at every
10th, all candidates against the list at every 1,000th; one view of one moment in every 8th hand."""
SECONDS_A_LINE = 5.0


class Done(NamedTuple):
    """What became of some tables."""

    hands: Counter[str]
    """By preset."""
    matches: int
    failed: int | None = None
    """The seed of the first table that failed."""
    why: str = ""


def play_table(seed: int) -> tuple[str, int]:
    """One table; its preset and how many matches were played. AssertionError where it fails."""
    rng = random.Random(seed)
    rules = any_rules(rng, rng.choice(list(PRESETS)))
    for _ in range(HANDS_A_TABLE):
        play_checked(random_hand(rng, rules), rng, SAMPLING)
    if rng.randrange(TABLES_A_MATCH):
        return rules.preset, 0
    check_match(rules, rng)
    return rules.preset, 1


def play_tables(seeds: range) -> Done:
    """Tables one after the other, up to the first that fails."""
    hands: Counter[str] = Counter()
    matches = 0
    for seed in seeds:
        try:
            preset, played = play_table(seed)
        except Exception:
            return Done(hands, matches, seed, traceback.format_exc())
        hands[preset] += HANDS_A_TABLE
        matches += played
    return Done(hands, matches)


def tasks(seed: int, tables: int) -> Iterator[range]:
    for first in range(seed, seed + tables, TABLES_A_TASK):
        yield range(first, min(first + TABLES_A_TASK, seed + tables))


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def soak(hands: int, seed: int, processes: int) -> bool:
    """Play at least so many hands, telling how it goes; False when one failed."""
    tables = max(1, -(-hands // HANDS_A_TABLE))
    total: Counter[str] = Counter()
    matches = 0
    began = told = time.monotonic()
    say(f"soak: {tables * HANDS_A_TABLE} hands, seed {seed}, {processes} processes")
    # spawn: a process forked from a test run would inherit its threads and open files.
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for done in pool.imap_unordered(play_tables, tasks(seed, tables)):
            total += done.hands
            matches += done.matches
            if done.failed is not None:
                say(f"{done.why}\nsoak: the table of seed {done.failed} failed; once more with")
                say(f"  {reproduction(done.failed)}")
                return False
            now = time.monotonic()
            if now - told >= SECONDS_A_LINE:
                told = now
                rate = total.total() / (now - began)
                say(f"soak: {total.total()} hands, {matches} matches, {rate:.0f} hands/s")
    seconds = time.monotonic() - began
    for preset in PRESETS:
        say(f"  {preset:<14} {total[preset]:>9}")
    say(
        f"soak: {total.total()} hands and {matches} matches hold, seed {seed}; "
        f"{seconds:.1f} s, {total.total() / seconds:.0f} hands/s"
    )
    return True


def reproduction(seed: int) -> str:
    """The command that plays one table again."""
    return f".venv/bin/python -m tests.rules.soak --hands 1 --seed {seed} --processes 1"


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when all holds, 1 when a hand or match failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.rules.soak", description=__doc__)
    parser.add_argument("--hands", type=int, default=2_000_000, help="at least (%(default)s)")
    parser.add_argument("--seed", type=int, help="of the first table; default: drawn and told")
    parser.add_argument("--processes", type=int, default=2, help="%(default)s")
    told = parser.parse_args(arguments)
    seed = secrets.randbelow(1 << 48) if told.seed is None else told.seed
    return 0 if soak(told.hands, seed, told.processes) else 1


if __name__ == "__main__":
    sys.exit(main())
