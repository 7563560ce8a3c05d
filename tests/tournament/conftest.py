"""Hypothesis without its deadline: a busy machine is no fault of the code."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("arena", deadline=None)
settings.load_profile("arena")
