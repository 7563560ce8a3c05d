"""What a hand scores (rules.md §6, §7, §8): asked of the scoring functions themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from euchre_arena.rules.actions import PROPOSE, STAND, Kind, bid
from euchre_arena.rules.explaining.words import points, span, tricks
from euchre_arena.rules.ruleset import Rules
from euchre_arena.rules.scoring import SCORINGS, TOKENS_A_POINT
from euchre_arena.rules.terms import Result

if TYPE_CHECKING:
    from euchre_arena.rules.hand import Hand


@dataclass(slots=True)
class _Played:
    """A hand as far as its score goes; seat 0 is the maker, in Écarté the non-dealer."""

    rules: Rules
    tricks: list[int]
    alone: bool = False
    blind: bool = False
    defending_alone: int = -1
    bid: int = 0
    makers: tuple[int, ...] = (0,)
    log: list[int] = field(default_factory=list)
    maker: int = 0
    dealer: int = 1
    conceded: int = -1
    result: Result = Result.PLAYED
    trick_winners: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)

    def score(self) -> list[int]:
        """Points by side."""
        self.points = [0] * self.rules.sides
        self.tokens = [0] * self.rules.sides
        SCORINGS[self.rules.scoring](cast("Hand", self))  # it has all that a scoring looks at
        return self.points


def counting(rules: Rules) -> list[str]:
    """The points of a hand."""
    match rules.scoring:
        case "partnership":
            said = list(_partnership(rules))
        case "auction" | "bid" | "picked":
            said = _bids(rules)
        case "ecarte":
            said = list(_ecarte(rules))
        case _:
            said = list(_solo(rules))
    return [*said, *_house(rules)]


def _outcomes(
    rules: Rules, alone: bool, blind: bool = False, defending: int = -1
) -> Iterator[tuple[str, int, int]]:
    """Trick counts in a row that score alike: which, points of the makers, of the defenders."""
    size = rules.hand_size
    found: list[tuple[list[int], tuple[int, int]]] = []
    for taken in range(size, -1, -1):
        split = [taken, size - taken] + [0] * (rules.sides - 2)
        makers, defenders, *_ = _Played(rules, split, alone, blind, defending).score()
        if found and found[-1][1] == (makers, defenders):
            found[-1][0].insert(0, taken)
        else:
            found.append(([taken], (makers, defenders)))
    for counts, (makers, defenders) in reversed(found):
        yield span(counts), makers, defenders


def _rows(
    rules: Rules, who: str, alone: bool = False, blind: bool = False, defending: int = -1
) -> str:
    rows = []
    for taken, makers, defenders in _outcomes(rules, alone, blind, defending):
        if makers:
            scored = f"{points(makers)}" if makers > 0 else f"lose {points(-makers)}"
        elif defenders:
            scored = f"{points(defenders)} to the defenders"
        else:
            scored = "nobody scores"
        rows.append(f"{taken} tricks, {scored}")
    return f"{who}: {'; '.join(reversed(rows))}."


def _partnership(rules: Rules) -> Iterator[str]:
    yield _rows(rules, "Makers who play together")
    yield _rows(rules, "A lone maker", alone=True)
    if "blind_loner" in rules.flags:
        yield _rows(rules, "A dealer who went alone blind, whoever defends", alone=True, blind=True)
    defend = rules.value("defend_alone")
    if defend:
        yield _rows(rules, "A lone maker against one who defends alone", alone=True, defending=1)
    if defend == "any":
        yield _rows(rules, "Makers who play together against one who defends alone", defending=1)


def _solo(rules: Rules) -> Iterator[str]:
    size = rules.hand_size
    for taken, maker, other in reversed(list(_outcomes(rules, alone=False))):
        if maker > 0:
            yield f"A maker who takes {taken} tricks: {points(maker)}."
        elif maker < 0:
            yield (
                f"A maker who takes {taken} tricks is euchred and loses {points(-maker)}, below "
                "zero allowed; nobody else scores."
            )
        elif not other:
            yield f"A maker who takes {taken} tricks: nobody scores."
        elif rules.scoring != "seven-card":
            each = "the opponent" if rules.seats == 2 else "each of the others"
            yield f"A maker who takes {taken} tricks is euchred: {points(other)} to {each}."
    if rules.scoring == "seven-card":
        short = rules.majority - 1
        more = _Played(rules, [short, size - short, 0]).score()[1]
        level = _Played(rules, [1, 3, 3]).score()[1]
        yield (
            f"A maker who takes fewer than {rules.majority} tricks: {points(more)} to the defender "
            f"with more tricks than the other, {points(level)} to each when they have equally many."
        )


def _bids(rules: Rules) -> list[str]:
    if rules.scoring == "auction":
        return [
            "Makers who take at least as many tricks as they bid score the number of the bid, no "
            "more; if not, their opponents score it."
        ]
    if rules.scoring == "bid":
        size = rules.hand_size
        lone = _Played(rules, [size, 0], alone=True, bid=bid(size, 1, True)).score()[0]
        lost = _Played(rules, [0, size], alone=True, bid=bid(size, 1, True)).score()[0]
        return [
            "Makers who take at least as many tricks as they bid score 1 point a trick; if not, "
            "they lose the number of the bid, below zero allowed.",
            "The defenders always score 1 point for each trick they take.",
            f"All {tricks(size)} bid alone: {points(lone)} if made, and {points(-lost)} lost if "
            "not.",
        ]
    return [
        "A maker who with his partners takes at least as many tricks as the bid says scores its "
        "number, and so does each partner.",
        "If not, the number comes off the maker alone, below zero allowed.",
        "Nobody else scores.",
    ]


def _ecarte(rules: Rules) -> Iterator[str]:
    refuse = int(Kind.REFUSE) << 10

    def scored(split: Sequence[int], log: list[int]) -> int:
        return max(_Played(rules, list(split), log=log).score())

    quiet = [PROPOSE, int(Kind.ACCEPT) << 10]
    point, vole = scored((3, 2), quiet), scored((5, 0), quiet)
    yield f"The point, {span((3, 4))} tricks: {points(point)}. The vole, all five: {points(vole)}."
    yield (
        "A non-dealer who stood without any proposal in the hand and loses the point: "
        f"{points(scored((2, 3), [STAND]))} to the dealer instead."
    )
    yield (
        "A dealer who refused the first proposal and loses the point: "
        f"{points(scored((3, 2), [PROPOSE, refuse]))} to the non-dealer instead."
    )
    yield f"The vole is {scored((0, 5), [STAND])} all the same."
    given = _Played(rules, [0, 0], log=quiet, conceded=0, result=Result.CONCEDED).score()
    some = _Played(rules, [1, 0], log=quiet, conceded=0, result=Result.CONCEDED).score()
    yield (
        f"To concede without a trick gives the opponent the vole, {max(given)}; with one or two "
        f"the point, {max(some)}, or as much as the point is worth after standing or refusing."
    )


def _house(rules: Rules) -> list[str]:
    said = []
    if "four_trick_tokens" in rules.flags:
        said.append(
            "Makers who play together and take exactly 4 tricks get a token besides; "
            f"{TOKENS_A_POINT} tokens become 1 point."
        )
    if "fast_break" in rules.flags:
        blind = ", save against a dealer who went blind" if "blind_loner" in rules.flags else ""
        said.append(
            "When the defenders take the first two tricks and the makers the last three, nobody "
            f"scores{blind}."
        )
    if "robson" in rules.flags:
        size = rules.hand_size
        first = "or its only player" if rules.seats == 2 else "or its first defender in the hand"
        left = "" if rules.seats == 2 else " from the dealer's left"
        said.append(
            f"When a side takes all {tricks(size)}, its maker ({first}{left}) says whether the "
            "points go to it or come off the opponents, below zero allowed."
        )
    return said
