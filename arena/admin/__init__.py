"""The organizers' and operators' gRPC services and their client.

    server.py      `running(...)`: the three services on an address of their own, beside a referee
    desk.py        what they share: the caller's token and role, the store's threads, refusals
    guarding.py    streams that end when their token is void
    tournaments.py `TournamentService`, watching.py its stream of changes
    keeping.py     the tournaments' files beside their records
    bots.py        `BotService`
    referees.py    `OperatorService`
    records.py     `RecordService`, live.py its matches as they are played
    meant.py       what was probably meant by a name that is not there
    messages.py    the store's words → protobuf
    client.py      `Admin`: what the `arena` commands call, errors in words

Roles: an organizer may call everything; an operator may read; a bot's token opens nothing here.

Nothing is imported here: the client must be light, and the server is not.
"""
