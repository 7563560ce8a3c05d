"""Rules that stand alone: which card wins, how trumps rank, what follows, what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from euchre_arena.conformance.suite import MismatchError, Question
from euchre_arena.rules import OptionError, Rules, parse_card
from euchre_arena.rules.cards import NAMES, parse_suit
from euchre_arena.rules.ecarte import winning


def ask(question: Question) -> None:
    """Answer a question and compare; `MismatchError` when the answers differ.

    OptionError when preset or options make no sense (and the question is another).
    """
    if question.question == "refused":
        _refused(question)
        return
    rules = Rules.of(question.preset, question.options)
    try:
        got, same = _ANSWERS[question.question](question, rules)
    except ValueError as error:
        raise MismatchError(question.question, _text(question.answer), str(error)) from None
    if not same:
        raise MismatchError(question.question, _text(question.answer), _text(got))


def _refused(question: Question) -> None:
    named = f"a refusal that names {' and '.join(map(repr, question.answer))}"
    try:
        Rules.of(question.preset, question.options)
    except OptionError as error:
        missing = [name for name in question.answer if name not in str(error)]
        if missing:
            raise MismatchError("refused", named, f"'{error}'") from None
        return
    raise MismatchError("refused", named, "rules that are played")


def _winner(question: Question, rules: Rules) -> tuple[Any, bool]:
    powers = rules.trumps(parse_suit(question.trump)).powers[parse_suit(question.led)]
    trick = [powers[parse_card(name)] for name in question.trick]
    got = trick.index(max(trick))
    return got, got == question.answer


def _order(question: Question, rules: Rules) -> tuple[Any, bool]:
    got = [NAMES[card] for card in rules.trumps(parse_suit(question.trump)).ranking]
    return got, got == question.answer


def _follow(question: Question, rules: Rules) -> tuple[Any, bool]:
    trump, led = parse_suit(question.trump), parse_suit(question.led)
    trick = [parse_card(name) for name in question.trick]
    bits = rules.pack_tables.bit
    hand = [parse_card(name) for name in question.hand]
    mask = sum(bits[card] for card in hand)
    if rules.making == "ecarte":
        playable = winning(rules, trump, trick, mask)
    else:
        playable = (mask & rules.trumps(trump).follow[led]) or mask
    got = [card for card in hand if bits[card] & playable]
    answer = {parse_card(name) for name in question.answer}
    return [NAMES[card] for card in got], set(got) == answer


_ANSWERS: Final[dict[str, Callable[[Question, Rules], tuple[Any, bool]]]] = {
    "winner": _winner,
    "order": _order,
    "follow": _follow,
}


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
