"""The archive: record files, what stands beside them, and a store made anew from them.

    sums.py        `<match>.sums` beside `<match>.jsonl`: a checksum a line, and at the close the
                   SHA-256 of the whole with everything the store is told of the match
    cups.py        `<tournament>/tournament.json`: what a tournament is, and how it ended
    restoring.py   records → an empty store, equal to the byte
    auditing.py    store against records: every difference named

What stands here counts: a store can be lost, records cannot. Nothing is imported here: the referee
needs the sums alone.
"""
