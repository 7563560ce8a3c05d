"""After the trouble: nothing lost, nothing doubled, nobody wrongly charged, nothing taken back."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from euchre_arena.match.reading import FaultLine, GameLine, GameResultLine, HandLine, read_line
from euchre_arena.rules import Game, Rules, view
from euchre_arena.rules.dealing import Deal

from arena.archive.auditing import Audit
from arena.archive.restoring import restore
from arena.store import Embedded, Store
from tests.chaos.cup import ID, Cup
from tests.chaos.trouble import Charge

Shown = dict[tuple[int, int], list[tuple[int, list[int], list[int]]]]
"""(game, hand) → seat, public actions so far, own cards: what bots of a match were asked with."""


@dataclass
class Verdict:
    """What was found, each with its cause in words."""

    matches: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    wronged: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    """Shown to a bot and not so in the record."""
    differing: list[str] = field(default_factory=list)
    """Found by the audit, or by a store restored from the records."""
    charged: Counter[str] = field(default_factory=Counter)
    """Faults of bots that were theirs, by kind."""
    voided: int = 0
    decisions: int = 0
    """Shown to bots and compared with the records."""

    @property
    def sound(self) -> bool:
        return not (self.lost or self.doubled or self.wronged or self.changed or self.differing)

    def __str__(self) -> str:
        """All of it, for who has to find out why."""
        parts = ("lost", "doubled", "wronged", "changed", "differing")
        return "\n".join(f"{part}: {text}" for part in parts for text in getattr(self, part)[:20])


def judge(cup: Cup, charges: Sequence[Charge]) -> Verdict:
    """Look at everything a finished tournament has left."""
    verdict = Verdict()
    records = cup.data.records
    with cup.store() as store:
        verdict.differing += [
            f"{each.match or each.tournament}: {each.what}" for each in Audit(store, records).run()
        ]
        results(cup, store, verdict)
        told(cup, store, verdict)
        faults(store, records, charges, verdict)
        shown(cup, store, verdict)
        again(cup, store, verdict)
    return verdict


def results(cup: Cup, store: Store, verdict: Verdict) -> None:
    """Every match has its result, its record, and one of each."""
    found = Counter(result.match_id for result in store.matches.results(ID))
    wanted = {f"{ID}-m{index}" for index in range(cup.scale.matches)}
    verdict.matches = len(found)
    verdict.lost += [f"{match} has no result" for match in sorted(wanted - set(found))]
    verdict.doubled += [f"{match}: {times} results" for match, times in found.items() if times > 1]
    games = store.tournaments.get(ID).progress.games
    if games != 2 * len(found):
        verdict.doubled.append(f"{len(found)} matches of 2 games, and {games} games are counted")
    verdict.voided = store.tournaments.get(ID).progress.voided


def lines(player_log: Path) -> Iterator[list[Any]]:
    """What a bot wrote down."""
    for line in player_log.read_bytes().splitlines():
        yield json.loads(line)


def told(cup: Cup, store: Store, verdict: Verdict) -> None:
    """No bot was told of a result that is not the one that stands."""
    names = [entrant.name for entrant in store.tournaments.get(ID).entrants]
    stands = {
        result.match_id: sorted(names[result.entrants[each]] for each in result.result["winners"])
        for result in store.matches.results(ID)
    }
    for player in cup.players.values():
        for kind, *facts in lines(player.shown):
            if kind != "match":
                continue
            match, winners, voided = facts
            if not voided and sorted(winners) != stands.get(match):
                verdict.doubled.append(
                    f"{player.name} was told {winners} won {match}; {stands.get(match)} stands"
                )


def faults(store: Store, records: Path, charges: Sequence[Charge], verdict: Verdict) -> None:
    """Who is charged was away beyond the grace while the match was played."""
    names = [entrant.name for entrant in store.tournaments.get(ID).entrants]
    for info in store.matches.page(ID, 0, 100_000):
        result = store.matches.result(info.match_id)
        if result is None:
            continue
        for entrant, kinds in zip(result.entrants, result.result["faults"], strict=True):
            for kind, times in kinds.items():
                bot = names[entrant]
                since, until = info.started_at, result.finished_at
                own = any(
                    each.bot == bot and each.since <= until and since <= each.until
                    for each in charges
                )
                if own and kind == "disconnected":
                    verdict.charged[kind] += times
                    continue
                details = [
                    fault["detail"]
                    for fault in map(json.loads, (records / result.record).open())
                    if fault["line"] == "fault"
                ]
                verdict.wronged.append(f"{bot} in {info.match_id}: {times} {kind}: {details}")


def shown(cup: Cup, store: Store, verdict: Verdict) -> None:
    """Whatever a bot was shown stands in the record; or the attempt was voided, with its secret."""
    by_match: defaultdict[str, Shown] = defaultdict(lambda: defaultdict(list))
    for player in cup.players.values():
        for kind, *facts in lines(player.shown):
            if kind == "turn":
                commitment, game, seat, hand, history, cards = facts
                by_match[commitment][game, hand].append((seat, history, cards))
    for path in (cup.data.records / ID).glob("*.jsonl"):
        texts = path.read_bytes().splitlines()
        commitment = json.loads(texts[0])["commitment"]
        for text in compare(texts, by_match.pop(commitment, {})):
            verdict.changed.append(f"{path.stem}: {text}")
        verdict.decisions += 1
    verdict.decisions = sum(
        1 for player in cup.players.values() for kind, *_ in lines(player.shown) if kind == "turn"
    )
    given_up = {
        attempt["commitment"]
        for index in range(cup.scale.matches)
        for attempt in store.matches.attempts(f"{ID}-m{index}")
    }
    for commitment in by_match.keys() - given_up:
        verdict.changed.append(f"of a match committed to as {commitment[:16]} there is no record")


def compare(texts: Sequence[bytes], asked: Shown) -> Iterator[str]:
    """What bots were asked with that the record of their match has not; in words."""
    head = json.loads(texts[0])
    rules = Rules.of(head["preset"], head["options"])
    game = Game(rules, 0)
    number = -1
    left = set(asked)
    for text in texts[1:]:
        match read_line(text):
            case GameLine() as line:
                number, game = line.game, Game(rules, line.first_dealer)
            case HandLine() as line:
                left.discard((number, line.hand))
                points = points_of(game, line)
                for seat, history, cards in asked.get((number, line.hand), ()):
                    if cards not in points.get((seat, tuple(history)), []):
                        yield (
                            f"game {number} hand {line.hand}: seat {seat} was shown {history} "
                            f"with {cards}"
                        )
            case FaultLine() | GameResultLine() | _:
                pass
    for number, hand in sorted(left):
        yield f"game {number} hand {hand} was played and is not in the record"


def points_of(game: Game, line: HandLine) -> dict[tuple[int, tuple[int, ...]], list[list[int]]]:
    """Every decision of a recorded hand: seat and public actions → the cards the seat held."""
    found: defaultdict[tuple[int, tuple[int, ...]], list[list[int]]] = defaultdict(list)
    hand = game.start_hand(Deal(line.hands, line.up_card, line.kitty))

    def point() -> None:
        if not hand.over:
            seen = view(hand, hand.to_act)
            found[hand.to_act, tuple(seen.history)].append(list(seen.hand))

    point()
    for action in line.actions:
        hand.apply(action)
        point()
    if hand.over:
        game.finish_hand()
    return found


def again(cup: Cup, store: Store, verdict: Verdict) -> None:
    """An empty store restored from the records has the same table."""
    before = store.standings.get(ID)
    with Embedded(cup.folder / "restored") as valkey:
        other = Store.connect(valkey.settings)
        for outcome in restore(other, cup.data.records):
            verdict.differing += outcome.problems
        after = other.standings.get(ID)
        other.close()
    if before is None or after is None or before.table != after.table:
        verdict.differing.append("the table restored from the records is another")
