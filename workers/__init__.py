"""Celery: an app and its tasks. A task names work by id, may run twice, and never plays a game.

    app.py          the Celery app: broker, safety options, beat's schedule
    closed.py       how a worker outlives its broker
    tasks.py        the tasks by name, each a line or two over the files below
    scheduling.py   pairings → matches, a batch at a time
    dispatching.py  matches → referees
    settling.py     results → standings and ratings
    sweeping.py     the safety net: whatever stands still goes on
    measuring.py    what tasks count, on /metrics; quiet.py: what is counted is not logged

Run as `celery -A workers.app worker` and `celery -A workers.app beat` (or `arena worker`,
`arena beat`). Workers talk to the store only, never over gRPC, so the prefork pool is safe: a
child that crashes takes one task with it and that task is delivered again.
"""
