"""Every key, once: Python and the scripts take their names from the two tables here.

Times in them are milliseconds by the server's clock. Nothing is in a cluster: a script may touch
any of them.
"""

from __future__ import annotations

PREFIX = "arena:"
CELERY_PREFIX = PREFIX + "celery:"
"""Before every key of Celery's transport."""

SINGLE = {
    "tokens": "tokens",  # hash: SHA-256 of a token → "role:name"
    "token_of": "token-of",  # hash: "role:name" → SHA-256 of its token
    "bots": "bots",  # hash: bot → JSON {created_at, rotated_at, revoked}
    "seen": "seen",  # hash: bot → when it was last connected
    "tournaments": "tournaments",  # zset: id by creation
    "active": "active",  # set: tournaments whose matches may be placed
    "pending": "pending",  # zset: matches taken by dispatch, by when it must have placed them
    "leases": "leases",  # zset: matches queued or leased, by when that ends
    "progress": "progress",  # zset: matches leased, by their last progress
    "fence": "fence",  # the last fencing token: a counter that never falls behind the clock
    "ticket": "ticket",  # counter: the last ticket to derive standings
    "referees": "referees",  # zset: referee by when its presence ends
    "loads": "loads",  # hash: bot → matches assigned anywhere
    "rejected": "rejected",  # hash: duplicate, stale → results refused
    "dirty": "dirty",  # set: tournaments with results newer than their table
    "moved": "moved",  # set: matches that wait for a referee to go on with them
    "synced": "synced",  # counter: writes made only to wait until they are on the disk
    "untold": "untold",  # hash: "match bot" → JSON {referee, at, ends}: not yet acknowledged
    "swept": "swept",  # when somebody last looked for what stands still
}

FAMILY = {
    "tournament": "t:%s",  # hash: the tournament, its counters "n:<state>"
    "entrants": "t:%s:entrants",  # hash: index → its bots, comma-separated
    "waiting": "t:%s:waiting",  # zset: "<index>:<entrant>,<entrant>" by index
    "results": "t:%s:results",  # hash: index → JSON
    "events": "t:%s:events",  # stream: kind, data
    "table": "t:%s:table",  # hash: standings as last derived
    "settling": "t:%s:settling",  # string with a time to live: the ticket of who derives
    "match": "m:%s",  # hash: the match
    "attempts": "m:%s:attempts",  # list: JSON of voided attempts
    "referee": "r:%s",  # hash: address, capacity …
    "referee_bots": "r:%s:bots",  # hash: bot connected there → matches at once
    "referee_loads": "r:%s:loads",  # hash: bot → matches assigned there
    "referee_matches": "r:%s:matches",  # set: matches assigned there
    "inbox": "r:%s:inbox",  # stream, consumer group INBOX_GROUP
    "journal": "r:%s:journal",  # stream: see journal.py
    "pen": "r:%s:pen",  # hash: number of the journal's last entry, life of the store it is sure of
    "sealed": "r:%s:sealed",  # set: "match fence" taken from it, which it may not append to
    "journaled": "r:%s:journaled",  # set: matches whose checkpoint is continued in its journal
    "checkpoint": "m:%s:checkpoint",  # hash: see journal.py
}

INBOX_GROUP = "referee"


def single(name: str) -> str:
    """The key of that name in SINGLE."""
    return PREFIX + SINGLE[name]


def of(family: str, identifier: str) -> str:
    """The key of that family in FAMILY for one tournament, match or referee."""
    return PREFIX + FAMILY[family] % identifier


def lua() -> str:
    """Both tables for the scripts: ``KEY.tokens`` and ``of('match', id)``."""
    singles = ", ".join(f"{name} = '{PREFIX}{text}'" for name, text in SINGLE.items())
    families = ", ".join(f"{name} = '{PREFIX}{text}'" for name, text in FAMILY.items())
    return (
        f"local KEY = {{{singles}}}\n"
        f"local FAMILY = {{{families}}}\n"
        f"local INBOX_GROUP = '{INBOX_GROUP}'\n"
        "local function of(family, id) return string.format(FAMILY[family], id) end\n"
    )
