"""The rules of euchre, pure: no clock, no network, no randomness of its own.

cards, actions    numbers inside, names outside (§1, §12)
presets, options  what a competition may choose (§7), checked; ``explaining`` says it in words
ruleset           a preset with its options, compiled: ``Rules``
tables            look-up tables a pack and trump suit
dealing           deals anyone can check (§2, §9)
hand              one deal as a state machine: ``Hand``
phases            what may be said when; ``making`` trumps (§3), ``claims`` (§5)
scoring, game     points of a hand (§6), a game to its end
views, turn       what one seat may know, in numbers and in words
"""

from .actions import action_text, parse_action
from .cards import card_name, parse_card, parse_cards
from .dealing import Deal, deal_cards
from .game import Game
from .hand import Hand
from .options import OPTIONS, OptionError, parse_option
from .preset_table import PRESETS
from .ruleset import Rules
from .terms import Phase, Reason, Result, UpCardState
from .views import View, done, laid_away, playing, steady, view, view_with

__all__ = [
    "OPTIONS",
    "PRESETS",
    "Deal",
    "Game",
    "Hand",
    "OptionError",
    "Phase",
    "Reason",
    "Result",
    "Rules",
    "UpCardState",
    "View",
    "action_text",
    "card_name",
    "deal_cards",
    "done",
    "laid_away",
    "parse_action",
    "parse_card",
    "parse_cards",
    "parse_option",
    "playing",
    "steady",
    "view",
    "view_with",
]
