"""The commands of `arena`, one a file, imported when called (`arena.cli` has the table).

up demo referee worker beat      what runs
bot/ tournament/ record/         what organizers do, over gRPC
lazy.py calling.py tables.py     what they share: groups, the admin address and token, output
"""
