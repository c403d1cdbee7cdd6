"""The words for people stand in a catalogue of their own, and every code, option and preset has its sentence."""

import re
from pathlib import Path
from string import Formatter

import pytest

from linesies import rules
from linesies.rules import Refused, Ruling
from linesies.rules.words.catalogue import BY_NAME, NAMES, Catalogue, counted, joined

ROOT = Path(__file__).parent.parent


def test_who_hit_whom_and_what_it_earned_is_a_sentence_that_a_child_understands():
    into = Ruling("hit_into_target", "3.3.1", {"player": "Ana", "victim": "Bo", "boxes": 2, "box": "7f"})
    assert rules.sentence("skully", into) == "Ana hit Bo into the box that Bo wanted: two boxes."
    again = Ruling("shoot_again", "3.2.0", {"player": "Ana", "going_for": "6f"})
    assert rules.sentence("skully", again) == "Ana shoots again, going for box 6."
    lost = Ruling("turn_lost", "3.1", {"player": "Ana", "reason": "out_of_turn"})
    assert rules.sentence("skully", lost) == "Ana loses a turn for going out of turn."
    refused = Refused("awaiting_choice", {"players": ["Ana", "Bo"]})
    assert rules.sentence("skully", refused) == "First Ana and Bo must choose: stay there, or go back."


def test_a_ruling_is_written_with_its_details_between_code_and_rule():
    ruling = Ruling("next_turn", "1.5", {"player": "bo"})
    assert list(rules.ruling_json("skully", ruling).items()) == [
        ("code", "next_turn"),
        ("player", "bo"),
        ("rule", "1.5"),
        ("text", "It is Bo's turn."),
    ]
    assert rules.refused_json("skully", Refused("game_over")) == {"code": "game_over", "message": "The game is over."}


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "no boxes"), (1, "one box"), (2, "two boxes"), (10, "ten boxes"), (11, "11 boxes"), (-1, "-1 boxes")],
)
def test_numbers_are_said_with_their_noun(number, words):
    assert counted(number, "box", "boxes") == words


@pytest.mark.parametrize(
    ("names", "words"), [([], ""), (["ana"], "ana"), (["ana", "bo"], "ana and bo"), (["a", "b", "c"], "a, b and c")]
)
def test_names_are_joined_as_one_says_them(names, words):
    assert joined(names) == words


def test_a_detail_may_pick_its_own_sentence_and_a_vocabulary_its_own_word():
    words = Catalogue(
        title="",
        sentences={"lost": "{who} lost.", "lost why=late": "{who} came late to {where:place}."},
        refusals={},
        options={},
        vocabularies={"place": {"k": "the kitchen"}},
    )
    assert words.sentence("lost", {"who": "Bo", "why": "slow", "where": "k"}) == "Bo lost."
    assert words.sentence("lost", {"who": "Bo", "why": "late", "where": "k"}) == "Bo came late to the kitchen."
    assert words.sentence("lost", {"who": ["k", "Bo"], "why": "late", "where": ("k", "z")}) == (
        "k and Bo came late to the kitchen and z."
    )


@pytest.mark.parametrize("name", ["ana", "Ana"])
def test_names_are_written_as_people_write_them_however_they_were_typed(name):
    hit = Ruling("hit_bonus", "3.3.1", {"player": name, "victim": "bo", "boxes": 1})
    assert rules.sentence("skully", hit) == "Ana hit Bo: one box."
    early = Ruling("early_hit", "3.2.1", {"player": name, "victims": ["bo", "zoë McGee"]})
    assert rules.sentence("skully", early).startswith("Ana hit Bo and Zoë McGee too early")
    bids = Ruling("bids_revealed", "Bidding", {"bids": {name: 0, "bo": 2}})
    assert rules.sentence("skull_king", bids) == "Yo-ho-ho! The bids: Ana 0 and Bo 2."


NO_NAMES = {"bid", "box", "face", "fault", "game_no", "least", "most"}
NO_NAMES |= {"pile", "points", "round", "trick", "value", "wanted", "word"}


@pytest.mark.parametrize("game", rules.GAMES.values(), ids=lambda game: game.name)
def test_whatever_fills_a_sentence_without_a_word_of_its_own_is_known_to_be_a_name_or_none(game):
    templates = [*game.words.sentences.values(), *game.words.refusals.values()]
    plain = {key for template in templates for _, key, spec, _ in Formatter().parse(template) if key and not spec}
    assert plain <= NAMES | BY_NAME | NO_NAMES


@pytest.mark.parametrize("game", rules.GAMES.values(), ids=lambda game: game.name)
def test_every_option_and_preset_has_its_meaning_and_every_preset_starts_a_game(game):
    assert {option.name for option in game.options} == set(game.words.options)
    assert {preset.name for preset in game.presets} == set(game.words.presets)
    for option in game.options:
        assert option.values
    for preset in game.presets:
        for players in range(1, 9):
            names = [f"p{n}" for n in range(players)]
            try:
                game.start({"event": "start", "game": game.name, "players": names, "options": dict(preset.options)})
                break
            except rules.BadStart:
                continue
        else:
            pytest.fail(f"{game.name} cannot start with preset {preset.name}")


def codes_in(folder, pattern):
    files = (ROOT / "rules" / folder).glob("*.py")
    return {code for path in files for code in re.findall(pattern, path.read_text(encoding="utf-8"))}


def test_every_code_of_skully_has_its_sentence_and_none_is_left_over():
    words = rules.GAMES["skully"].words
    said = codes_in("skully", r'say\(\s*"(\w+)"')
    assert {code.split()[0] for code in words.sentences} == said
    refused = codes_in("skully", r'Refused\(\s*"(\w+)"') | codes_in("skully", r'return "(blast\w+)"') | {"blast_exempt"}
    assert set(words.refusals) == refused


@pytest.mark.parametrize("line", [b'{"a": 1}\n', '{"a": 1}', b'{"b": 2, "a": 1.0, "b": 3}'])
def test_a_line_of_json_is_read(line):
    assert rules.parse_line(line)["a"] == 1


@pytest.mark.parametrize(
    "line",
    [b"NaN", b"[-Infinity]", b"\xff", b"{", b"", b"[" * 99_999, b"9" * 1001, b"-" + b"9" * 1000, '"\n"'],
    ids=str,
)
def test_a_line_that_is_not_json_is_refused(line):
    refused = rules.parse_line(line)
    assert refused.code == "bad_event"
    assert rules.sentence("skully", refused) == "That makes no sense: the line is not JSON."


def test_a_long_number_is_still_a_number():
    assert rules.parse_line(b"9" * 1000) == 10**1000 - 1


def test_a_line_is_written_in_peoples_scripts_unless_they_have_no_utf_8_form():
    assert rules.write_line({"b": "José", "a": "小明"}) == '{"b": "José", "a": "小明"}'
    assert rules.write_line({"a": "\ud800é"}) == '{"a": "\\ud800\\u00e9"}'
