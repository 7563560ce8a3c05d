"""The journal's place; a later issue fills it.

What stands already: the key names ``journal`` (a stream a referee: one packed entry a turn of its
loop) and ``checkpoint`` (a hash a match: its last finished hand) in ``keys``. Until then a
referee's death voids its attempts and ``sweep`` has them played again.
"""

from __future__ import annotations
