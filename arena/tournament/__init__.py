"""Pure tournament arithmetic: pairings, standings, ratings and statistics."""
