"""The shortest bot there is: always the first legal action.

euchre-arena play first.py:MyBot random
"""

from euchre_arena import Bot


class MyBot(Bot):
    def act(self, turn):
        return turn.legal[0]
