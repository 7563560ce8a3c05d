"""Presets and options (rules.md §7): what is played, and what is refused by name."""

from __future__ import annotations

import itertools

import pytest
from euchre_arena.rules import OPTIONS, PRESETS, OptionError, Rules, parse_option

from tests.rules.tables import OPTION_VALUES


@pytest.mark.parametrize(
    ("preset", "pack", "target", "on"),
    [
        ("standard", "24", 10, set()),
        ("stick", "24", 10, {"stick_the_dealer"}),
        ("hoyle", "32", 5, set()),
        ("british", "25", 11, {"benny"}),
        ("canadian", "24", 10, {"canadian"}),
    ],
)
def test_the_presets(preset, pack, target, on):
    """§7, the table of presets; all options default to off (§3)."""
    rules = Rules.of(preset)
    assert (rules.seats, rules.sides, rules.hand_size) == (4, 2, 5)
    assert rules.side_of == (0, 1, 0, 1)
    assert rules.pack.name == pack
    assert rules.target == rules.value("target") == target
    assert rules.flags == on
    assert dict(rules.options) == {}


def test_the_defaults_of_section_six():
    rules = Rules.of("standard")
    assert {
        name: rules.value(name)
        for name in (
            "march", "lone_march", "lone_euchred", "defend_alone_euchre", "defend_alone_march",
            "max_deals", "loner_lead", "on_illegal", "on_timeout", "revoke_lone", "ask_forced",
        )
    } == {
        "march": 2, "lone_march": 4, "lone_euchred": 2, "defend_alone_euchre": 4,
        "defend_alone_march": 4, "max_deals": 500, "loner_lead": "eldest", "on_illegal": "retry",
        "on_timeout": "default", "revoke_lone": 4, "ask_forced": False,
    }  # fmt: skip  # name and value side by side


def test_rules_are_made_once():
    assert Rules.of("standard", {"target": 5}) is Rules.of("standard", {"target": 5})
    assert Rules.of("standard", {"target": 5}) is not Rules.of("standard", {"target": True + 5})


@pytest.mark.parametrize(
    ("preset", "options", "named"),
    [
        ("standard", {"num_deals": 8, "target": 10}, ["num_deals", "target"]),
        ("hoyle", {"num_deals": 8, "target": 5}, ["num_deals", "target"]),
        ("standard", {"num_deals": 8, "win_by_two": True}, ["num_deals", "win_by_two"]),
        ("two", {"canadian": True}, ["canadian", "two"]),
        ("two", {"partners_best": True}, ["partners_best", "two"]),
        ("two", {"defend_alone": True}, ["defend_alone", "two"]),
        ("two", {"tie": "shared"}, ["tie", "two"]),
        ("standard", {"tie": "eldest"}, ["tie", "standard"]),
        ("three", {"win_by_two": True}, ["win_by_two", "three"]),
        ("three", {"robson": True}, ["robson", "three"]),
        ("three", {"loner_lead": "left-of-maker"}, ["loner_lead", "three"]),
        ("three-seven", {"march": 3}, ["march", "three-seven"]),
        ("six", {"partners_best": True}, ["partners_best", "six"]),
        ("six", {"farmers_hand": "swap"}, ["farmers_hand", "six"]),
        ("six", {"ace_no_face": "swap"}, ["ace_no_face", "six"]),
        ("six", {"claims": True}, ["claims", "six"]),
        ("six", {"on_illegal": "revoke"}, ["on_illegal", "six"]),
        ("two", {"on_illegal": "revoke"}, ["on_illegal", "two"]),
        ("six", {"revoke_lone": 2}, ["revoke_lone", "six"]),
        ("auction", {"benny": True}, ["benny", "auction"]),
        ("standard", {"rounds": "open"}, ["rounds", "standard"]),
        ("standard", {"players": 6}, ["players", "standard"]),
        ("standard", {"suit_in_bid": True}, ["suit_in_bid", "standard"]),
        ("ecarte", {"stick_the_dealer": True}, ["stick_the_dealer", "ecarte"]),
        ("ecarte", {"claims": True}, ["claims", "ecarte"]),
        ("ecarte", {"march": 3}, ["march", "ecarte"]),
    ],
)
def test_what_makes_no_sense_names_both(preset, options, named):
    """§7: both options, or the option and the preset."""
    with pytest.raises(OptionError) as refused:
        Rules.of(preset, options)
    for name in named:
        assert f"'{name}'" in str(refused.value)


@pytest.mark.parametrize(
    ("preset", "options", "hint"),
    [
        ("standart", {}, "did you mean 'standard'?"),
        ("whist", {}, "there are standard, stick"),
        ("standard", {"targt": 5}, "did you mean 'target'?"),
        ("standard", {"stick_dealer": True}, "did you mean 'stick_the_dealer'?"),
        ("standard", {"xyzzy": 1}, "there are target, num_deals"),
    ],
)
def test_an_unknown_name_is_named_and_the_nearest_suggested(preset, options, hint):
    with pytest.raises(OptionError) as refused:
        Rules.of(preset, options)
    assert hint in str(refused.value)
    assert next(iter(options), preset) in str(refused.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"target": 0}, "a whole number from 1 to"),
        ({"target": "5"}, "a whole number from 1 to"),
        ({"target": True}, "a whole number from 1 to"),
        ({"target": 5.0}, "a whole number from 1 to"),
        ({"lone_march": -1}, "a whole number from 0 to"),
        ({"max_deals": 0}, "a whole number from 1 to"),
        ({"benny": 1}, "true or false, not 1"),
        ({"benny": "yes"}, "true or false, not 'yes'"),
        ({"farmers_hand": True}, 'one of "swap", "redeal", false, not True'),
        ({"no_trump": True}, 'one of "second-round", false, not True'),
        ({"defend_alone": "all"}, "one of true, \"any\", false, not 'all'"),
        ({"loner_lead": "dealer"}, 'one of "eldest", "left-of-maker", not'),
        ({"on_illegal": None}, 'one of "retry", "revoke", "forfeit", not None'),
    ],
)
def test_a_wrong_value_is_named_with_what_would_do(options, told):
    with pytest.raises(OptionError) as refused:
        Rules.of("standard", options)
    assert f"'{next(iter(options))}'" in str(refused.value)
    assert told in str(refused.value)


def test_off_may_be_said():
    rules = Rules.of("canadian", {"canadian": False, "win_by_two": False, "num_deals": 3})
    assert rules.flags == set()
    assert (rules.target, rules.value("num_deals"), rules.value("target")) == (0, 3, None)


@pytest.mark.parametrize("preset", ["standard", "stick", "hoyle", "british", "canadian"])
def test_any_two_options_of_four_handed_euchre_go_together(preset):
    """Only a number of deals beside a target, or beside a lead of two, is a contradiction."""
    for first, second in itertools.combinations(OPTION_VALUES, 2):
        clash = {first, second} in ({"num_deals", "target"}, {"num_deals", "win_by_two"})
        options = {first: OPTION_VALUES[first][0], second: OPTION_VALUES[second][0]}
        if clash:
            with pytest.raises(OptionError, match=r"num_deals.*contradict"):
                Rules.of(preset, options)
        else:
            Rules.of(preset, options)


def test_every_option_is_explained():
    """§7: name, values, where, source, and a sentence for people."""
    for name, option in OPTIONS.items():
        assert option.name == name
        assert option.text
        assert option.source
        assert any(option.where.fits(preset) for preset in PRESETS.values())


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("target=5", ("target", 5)),
        ("benny=true", ("benny", True)),
        ("farmers_hand=swap", ("farmers_hand", "swap")),
        ("farmers_hand=false", ("farmers_hand", False)),
        ("target=[5]", ("target", "[5]")),
    ],
)
def test_an_option_as_a_person_types_it(text, read):
    assert parse_option(text) == read


def test_an_option_without_a_value_is_told_how():
    with pytest.raises(OptionError, match="write target=VALUE"):
        parse_option("target")
