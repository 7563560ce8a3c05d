"""What people see in a terminal: `tables.py`, and how far a tournament is (`progress.py`)."""
