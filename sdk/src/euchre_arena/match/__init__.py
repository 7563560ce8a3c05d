"""A match as a state machine without I/O: clocks, faults, duplicates, records."""
