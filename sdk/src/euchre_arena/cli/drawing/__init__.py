"""A recorded hand drawn as people know it.

- `found`: the hand looked up in a record and played again, action by action.
- `style`: suits, frames and marks, in Unicode or plain ASCII.
- `round`: the hands round a table; `tricks`: what was said and played.
- `markers`: the score kept with two small cards.
"""
