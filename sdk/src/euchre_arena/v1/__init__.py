"""Generated from proto/euchre_arena/v1 by proto/generate; never edited."""
