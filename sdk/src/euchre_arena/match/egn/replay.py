"""Deal after deal to the score: what was scored, and what a careful referee finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from euchre_arena.match.egn.contract import Contract, Making, read_contract
from euchre_arena.match.egn.holders import dealt_twice, misplaced
from euchre_arena.match.egn.notation import EgnError
from euchre_arena.match.egn.play import Breach, BreachKind, World, follow, played_out
from euchre_arena.match.egn.reader import EgnDeal, read_egn
from euchre_arena.rules import Rules
from euchre_arena.rules.cards import SUIT_LETTERS
from euchre_arena.rules.scoring import partnership

Points = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DealReport:
    """What came of one deal."""

    deal: EgnDeal
    contract: Contract
    points: Points | None
    """By side; None where the deal was not played out or not enough of it is known."""
    tokens: Points
    """By side after the deal (option ``four_trick_tokens``)."""
    breaches: tuple[Breach, ...]

    @property
    def text(self) -> str:
        """``dealer 0, Jc turned up, 1 makes spades: 0–1``."""
        up_card = f", {self.deal.up_card.text} turned up" if self.deal.up_card else ""
        points = "not played out" if self.points is None else "–".join(map(str, self.points))
        return f"dealer {self.deal.dealer}{up_card}, {self._made}: {points}"

    @property
    def _made(self) -> str:
        made = self.contract
        if made.making is not Making.MADE:
            return "thrown in" if made.making is Making.THROWN_IN else "no trumps made"
        trump = SUIT_LETTERS[made.trumps[0]] if len(made.trumps) == 1 else "an unknown suit"
        alone = " alone" if made.alone else ""
        against = f", {made.lone_defender} defends alone" if made.lone_defender >= 0 else ""
        return f"{made.maker} {'orders' if made.ordered else 'calls'} {trump}{alone}{against}"


@dataclass(frozen=True, slots=True)
class EgnReport:
    """What a replay of a game found. Sides are seats 0 and 2, seats 1 and 3."""

    rules: Rules
    score: Points
    """After the last deal recorded, the initial score included."""
    deals: tuple[DealReport, ...]

    @property
    def points(self) -> list[Points | None]:
        """Points of each deal."""
        return [deal.points for deal in self.deals]

    @property
    def faults(self) -> list[dict[str, Any]]:
        """``{"deal": 0, "trick": 3, "kind": "revoke"}``; no trick where the whole deal shows it."""
        return [
            {
                "deal": number,
                **({} if breach.trick is None else {"trick": breach.trick}),
                "kind": str(breach.kind),
            }
            for number, deal in enumerate(self.deals)
            for breach in deal.breaches
        ]

    def to_json(self) -> dict[str, Any]:
        """``{"score": [..], "points": [[..] or null, …], "faults": [..]}``."""
        return {
            "score": list(self.score),
            "points": [None if points is None else list(points) for points in self.points],
            "faults": self.faults,
        }

    def lines(self) -> Iterator[str]:
        """The report as a person reads it: deals, their breaches, the score."""
        for number, deal in enumerate(self.deals):
            yield f"deal {number}: {deal.text}"
            for breach in deal.breaches:
                trick = "" if breach.trick is None else f", trick {breach.trick}"
                yield f"deal {number}{trick}: {breach.kind}"
        yield f"score {'–'.join(map(str, self.score))}"


def replay_egn(source: bytes | str | Mapping[str, Any]) -> EgnReport:
    """Replay a game from its text or parsed JSON; deals with breaches are scored as recorded.

    EgnError names the place where the game cannot be read or followed.
    """
    game = read_egn(source)
    rules = game.rules
    score: Points = game.score
    tokens: Points = (0,) * rules.sides
    reports: list[DealReport] = []
    for number, deal in enumerate(game.deals):
        over = _over(rules, score, number)
        try:
            report = _replay_deal(rules, deal, tokens, over)
        except EgnError as error:
            raise EgnError(f"deal {number}: {error}") from None
        reports.append(report)
        tokens = report.tokens
        if report.points is not None:
            score = tuple(old + new for old, new in zip(score, report.points, strict=True))
    return EgnReport(rules, score, tuple(reports))


def _over(rules: Rules, score: Points, deals: int) -> bool:
    """Whether the game had been won before a deal, ``deals`` having been dealt."""
    if rules.target:
        return max(score) >= rules.target
    return deals >= rules.number("num_deals")


def _replay_deal(rules: Rules, deal: EgnDeal, tokens: Points, over: bool) -> DealReport:
    contract = read_contract(rules, deal)
    breaches = [Breach(BreachKind.GAME_OVER)] if over else []
    if contract.illegal:
        breaches.append(Breach(BreachKind.ILLEGAL_CALL))
    points: Points | None = None
    if contract.making is Making.MADE:
        worlds = follow(rules, deal, contract)
        breaches += _in_all(
            [[*world.breaches, *misplaced(rules, deal, contract, world)] for world in worlds]
        )
        if played_out(rules, deal, contract):
            points, tokens = _scored(rules, contract, worlds, tokens)
    elif deal.tricks:
        raise EgnError("cards were played, but no call made trumps")
    elif contract.making is Making.THROWN_IN:
        points = (0,) * rules.sides
    breaches += dealt_twice(deal, contract)
    return DealReport(deal, contract, points, tokens, tuple(breaches))


def _in_all(found: Sequence[Sequence[Breach]]) -> list[Breach]:
    """Breaches that every world shows, in the order of the first."""
    common = Counter(found[0])
    for breaches in found[1:]:
        common &= Counter(breaches)
    kept = []
    for breach in found[0]:
        if common[breach]:
            common[breach] -= 1
            kept.append(breach)
    return kept


@dataclass(slots=True)
class _Tricks:
    """The tricks of a deal as the scoring of partners wants them."""

    rules: Rules
    maker: int
    alone: bool
    defending_alone: int
    tricks: list[int]
    trick_winners: list[int]
    tokens: list[int]
    points: list[int] = field(default_factory=lambda: [0, 0])
    blind: bool = False


def _scored(
    rules: Rules, contract: Contract, worlds: Sequence[World], tokens: Points
) -> tuple[Points | None, Points]:
    """Points and tokens where all worlds agree; else no points, and the tokens as they were."""
    outcomes = {_score(rules, contract, world.winners, tokens) for world in worlds}
    return outcomes.pop() if len(outcomes) == 1 else (None, tokens)


def _score(
    rules: Rules, contract: Contract, winners: Sequence[int], tokens: Points
) -> tuple[Points, Points]:
    tricks = [0] * rules.sides
    for seat in winners:
        tricks[rules.side_of[seat]] += 1
    played = _Tricks(
        rules,
        contract.maker,
        contract.alone,
        contract.lone_defender,
        tricks,
        list(winners),
        list(tokens),
    )
    partnership(played)
    return tuple(played.points), tuple(played.tokens)
