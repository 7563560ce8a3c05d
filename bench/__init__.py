"""Speeds and sizes: ``python -m bench`` prints a table of medians and ratios.

- `rules`: random hands in one process, beside OpenSpiel's on the same deals and choices
- `presets`: random hands of every preset; `against`: four-handed ones beside a git revision's
- `arena`: the real thing, a referee and four bots as processes of their own: throughput, bots that
  think, a lonely game, memory
- `referee`, `bot`: those processes
- `table`: how it is printed

Nothing here is asserted anywhere: shared machines differ, trust the ratios.
"""
