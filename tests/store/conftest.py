"""Tests of the store talk to a real Valkey."""

from __future__ import annotations

from tests.support.valkey import store, valkey

__all__ = ["store", "valkey"]
