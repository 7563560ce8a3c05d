"""`arena demo`: bots of the house play a tournament on an arena of their own.

folder.py   the demo's data directory: made anew each run, never somebody else's
children.py `arena up` and the bots, each a process; all gone afterwards
verify.py   every record refereed again
show.py     `play(...)`: the whole of it
"""
