"""Random play of every preset under any valid options, much of it (the long run is `make soak`)."""

from __future__ import annotations

import random
import secrets

import pytest
from euchre_arena.rules import OPTIONS, PRESETS, Rules
from euchre_arena.rules.options import find_preset
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules import soak
from tests.rules.checks import Sampling, check_match, play_checked
from tests.rules.tables import random_hand, seeds, sensible, some

EVERYTHING = Sampling(conserved=1, plays=1, refusals=1 / 4, views=1)


@st.composite
def rules_of_any_preset(draw: st.DrawFn) -> Rules:
    """Any preset, any options that go with it and with each other; shrinks to fewer of them."""
    preset = draw(st.sampled_from(list(PRESETS)))
    fitting = [option for option in OPTIONS.values() if option.where.fits(find_preset(preset))]
    chosen = draw(st.lists(st.sampled_from(fitting), max_size=8, unique_by=lambda o: o.name))
    options = {option.name: draw(st.sampled_from(some(option))) for option in chosen}
    return Rules.of(preset, sensible(preset, options))


@pytest.mark.slow
@pytest.mark.timeout(600)
@settings(max_examples=2000, deadline=None)
@given(rules=rules_of_any_preset(), seed=seeds)
def test_all_holds_under_any_rules(rules: Rules, seed: int):
    """Every check at every decision, and one match in twenty."""
    rng = random.Random(seed)
    play_checked(random_hand(rng, rules), rng, EVERYTHING)
    if rng.random() < 1 / 20:
        check_match(rules, rng)


@pytest.mark.slow
@pytest.mark.timeout(900)  # some 100 s on two cores that are otherwise idle
def test_two_hundred_thousand_hands(capsys: pytest.CaptureFixture[str]):
    """Both cores; each run plays other hands, the seed is told. What is sampled: see ``soak``.

    Legality, the end, cards at the end, points and a second playing of the actions: every hand.
    Cards in mid-hand every 20th decision, plays every 10th, all candidates every 1,000th, a view
    in every 8th hand, a match replayed every 200 hands.
    """
    with capsys.disabled():
        assert soak.soak(200_000, secrets.randbelow(1 << 48), processes=2)


def test_some_tables_of_the_soak():
    """The same on an ordinary day: a few tables, always these."""
    done = soak.play_tables(range(60))
    assert done.failed is None, f"{done.why}\n{soak.reproduction(done.failed)}"
    assert len(done.hands) > 12
    assert done.matches
