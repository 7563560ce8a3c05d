"""``python -m euchre_arena.cli``: the same as ``euchre-arena``."""

from euchre_arena.cli import main

main()
