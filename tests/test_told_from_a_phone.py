"""Whatever the contract lets people say and agree on has a way from a phone; what has none is listed, and why."""

import json
import re
import shutil
import subprocess

import msgspec
import pytest

from linesies import rules
from linesies.rules.skipbo.game import SKIPBO
from linesies.rules.skully.events import KINDS
from linesies.web.bundle import STATIC
from linesies.web.hosting import game_json
from linesies.web.telling import form_json

NODE = shutil.which("node")
EVENTS = {  # those of each game's page of the contract, and what has been added to it
    "skully": "shot placed choice foul do_over pause resume switch_cap leave join correct",
    "skull": "placed bid pass flip card_lost leave join correct",
    "skull_king": "deal bid change_bid load play ability skip_ability leave join correct",
    "skipbo": "turn_up draw roll play discard opponent_draws end_turn notice cheating next_game leave join correct",
}
KEYS = {
    ("skully", "shot"): "player hits rest behind_start",
    ("skully", "placed"): "player at of",
    ("skully", "choice"): "player choice",
    ("skully", "foul"): "player kind at",
    ("skully", "do_over"): "reason",
    ("skully", "pause"): "",
    ("skully", "resume"): "at",
    ("skully", "switch_cap"): "player reason",
    ("skully", "leave"): "player",
    ("skully", "join"): "player",
    ("skully", "correct"): "players turn",
    **{(game, event): "player" for game in ("skull", "skull_king", "skipbo") for event in ("leave", "join")},
    ("skull", "correct"): "players",
    ("skull_king", "correct"): "players",
    ("skipbo", "correct"): "players",
    ("skull", "placed"): "player",
    ("skull", "pass"): "player",
    ("skull", "flip"): "player owner card",
    ("skull", "card_lost"): "player by",
    ("skull", "bid"): "player number",
    ("skull_king", "deal"): "player cards",
    ("skull_king", "bid"): "player bid",
    ("skull_king", "change_bid"): "player bid",
    ("skull_king", "skip_ability"): "player",
    ("skull_king", "load"): "player load",
    ("skull_king", "play"): "player card as",
    ("skull_king", "ability"): "player pirate leader drawn discarded bet change",
    ("skipbo", "play"): "player from card pile n owner as die",
    ("skipbo", "discard"): "player card pile die",
    ("skipbo", "draw"): "player cards",
    ("skipbo", "roll"): "player face",
    ("skipbo", "opponent_draws"): "player opponent",
    ("skipbo", "turn_up"): "player card",
    ("skipbo", "end_turn"): "player",
    ("skipbo", "next_game"): "",
    ("skipbo", "notice"): "player",
    ("skipbo", "cheating"): "player",
}
RESTS = "1 2 3 4 5 6 7 8 9 10 11 12 13 skull1 skull2 skull3 skull4 skull_line line open off"
VALUES = {  # what a key of an event may say, where the contract lists it
    ("skully", "foul", "kind"): "false_start kick hand_move hold roll spin",
    ("skully", "foul", "at"): RESTS,
    ("skully", "placed", "at"): RESTS,
    ("skully", "placed", "of"): "1 2 3 4 5 6 7 8 9 10 11 12 13 skull1 skull2 skull3 skull4 skull",
    ("skully", "choice", "choice"): "stay back",
    ("skully", "do_over", "reason"): "agreed blast",
    ("skully", "switch_cap", "reason"): "damaged choice",
    ("skull_king", "load", "load"): "grapeshot cannonball",
    ("skull_king", "play", "as"): "pirate escape",
    ("skull_king", "ability", "pirate"): "rosie bendt rascal juanita harry",
    ("skull_king", "ability", "bet"): "0 10 20",
    ("skull_king", "ability", "change"): "-1 0 1",
    ("skipbo", "play", "from"): "hand stock discard",
    ("skipbo", "play", "card"): "1 2 3 4 5 6 7 8 9 10 11 12 SB",
    ("skipbo", "roll", "face"): "1-4 5-8 9-12 SB DISCARD2 DRAW1",
}
OPTIONS = {  # those of each game's page of the contract, and what has been added to it
    "skully": "linesies pipsies early_hits skull_numbers hit_killer skull_lines killer_hits killer_board killer_round "
    "blastsies marksies holdsies rollsies spinsies switchsies out_of_town teams",
    "skull": "ruleset decks starter open_bid fortune_favours_the_bold",
    "skull_king": "scoring cannonball kraken whale loot pirate_abilities rounds dealer",
    "skipbo": "stock partners target deck dealer",
}
ONLY_A_CAMERA = {  # what no phone says, each with its reason
    "t_start": "when a movement began is measured, not said",
    "t_end": "when it ended, likewise",
    "calls": "a measured gap with its doubt is evidence, and people give none",
}


def forms_of(game):
    return {form.event: form for form in rules.GAMES[game].forms}


@pytest.mark.parametrize("game", EVENTS)
def test_every_event_of_the_contract_has_its_form(game):
    assert set(forms_of(game)) == set(EVENTS[game].split())


def test_no_event_is_left_out():
    assert set(KEYS) == {(game, event) for game, events in EVENTS.items() for event in events.split()}


@pytest.mark.parametrize(("game", "event"), KEYS)
def test_every_key_of_an_event_is_asked_for(game, event):
    keys = {field.name for field in forms_of(game)[event].fields}
    assert keys == set(KEYS[game, event].split())
    assert not keys & set(ONLY_A_CAMERA)


@pytest.mark.parametrize(("game", "event", "key"), VALUES)
def test_everything_that_a_key_may_say_is_offered_in_the_contracts_order(game, event, key):
    (field,) = (field for field in forms_of(game)[event].fields if field.name == key)
    assert [str(value) for value in field.values] == VALUES[game, event, key].split()


def all_fields(fields):
    """List fields with the parts that they are made of."""
    for field in fields:
        yield field
        yield from all_fields(field.of)


@pytest.mark.parametrize("game", EVENTS)
def test_what_is_offered_stands_in_an_order_that_no_start_of_the_program_changes(game):
    fields = [field for form in forms_of(game).values() for field in all_fields(form.fields)]
    assert {type(field.values) for field in fields} == {tuple}


@pytest.mark.skipif(NODE is None, reason="no node on this machine")
def test_the_page_has_a_control_for_every_kind_of_field():
    text = (STATIC / "telling" / "fields.js").read_text()
    body = text[text.index("export const CONTROLS = {") :]
    controls = set(re.findall(r"^  (\w+)(?::|,)", body[: body.index("};")], re.MULTILINE))
    asked = {field.kind for game in EVENTS for form in rules.GAMES[game].forms for field in all_fields(form.fields)}
    assert asked <= controls


@pytest.mark.parametrize("game", EVENTS)
def test_events_fields_and_choices_have_names_that_people_tap(game):
    def named(fields, nested=False):
        for field in fields:
            assert nested or field["label"], field["name"]
            is_word = [isinstance(value, str) and not value[:1].isdigit() for value in field["values"]]
            if field["kind"] == "choice" and field["name"] not in ("of", "going_for"):
                assert all(label for label, word in zip(field["labels"], is_word, strict=True) if word), field["name"]
            named(field["of"], nested=True)

    for form in rules.GAMES[game].forms:
        told = form_json(form, rules.GAMES[game].words)
        assert told["label"], form.event
        named(told["fields"])


@pytest.mark.parametrize("game", EVENTS)
def test_every_option_can_be_chosen_when_a_game_is_hosted(game):
    told = game_json(rules.GAMES[game], rules.GAMES[game].words)
    assert {option["name"] for option in told["options"]} == set(OPTIONS[game].split())
    assert [option["name"] for option in told["options"] if option["kind"] is None] == []


@pytest.mark.parametrize("game", EVENTS)
def test_what_is_offered_for_an_option_is_allowed(game):
    for option in rules.GAMES[game].options:
        how = option.choosing
        if how.kind == "choices":
            assert all(option.is_allowed(value) for value in how.choices)
        if how.kind == "number":
            assert option.is_allowed(int(how.least))
        if how.kind == "numbers":
            assert option.is_allowed([int(how.least)] * (how.count or 3))


def test_a_form_is_read_off_the_type_that_reads_the_event():
    for name, kind in KINDS.items():
        keys = {field.encode_name for field in msgspec.structs.fields(kind)}
        assert {field.name for field in forms_of("skully")[name].fields} == keys


def test_a_key_is_asked_for_where_the_event_needs_it():
    play = next(form for form in SKIPBO.forms if form.event == "play")
    assert "n" in play.keys({"from": "discard"})
    assert "n" not in play.keys({"from": "hand"})


@pytest.mark.parametrize("game", EVENTS)
def test_the_book_has_a_paragraph_for_every_ruling(game):
    """The label under which a ruling stands is found in the book, whichever game rules it."""
    sources = "".join(path.read_text() for path in (STATIC.parent.parent / "rules" / game).glob("*.py"))
    book = {paragraph.rule: paragraph for paragraph in rules.GAMES[game].words.book}
    labels = set(re.findall(r'"(\d\.\d(?:\.\d)?)"', sources)) if game == "skully" else set(HEADINGS[game])
    assert labels <= set(book)
    assert all(paragraph.title and len(paragraph.text) > 20 for paragraph in book.values())


HEADINGS = {
    "skull": (
        *(
            "Not in the book",
            "Setup",
            "Start of a round",
            "Player turns",
            "Revealing cards",
            "End of the game",
            "Gameplay",
        ),
        *("Placement Phase", "Bidding Phase", "Reveal Phase", "Consquences Phase", "End of the Game", "Variants"),
    ),
    "skull_king": (
        *(
            "Not in the book",
            "Dealing cards",
            "Bidding",
            "Optional Rascal Rules",
            "The Carrrds",
            "Suit Cards",
            "Escape Cards",
        ),
        *("Character Cards", "Leviathans From The Depths", "Bonus Points", "Additional Cards", "Roiling waters"),
        *("Advanced Pirate Abilities", "The Skull King's Scoring", "The Rascal's Scoring", "On Your Turn"),
    ),
    "skipbo": (
        *("Object", "Setup", "Play", "Building piles", "Die", "Partners", "Irregularity 1", "Irregularity 2"),
        *("Scoring", "Not in the book"),
    ),
}


@pytest.mark.skipif(NODE is None, reason="no node on this machine")
def test_the_names_of_both_languages_are_complete_for_sheets():
    script = "".join(f"import {one} from '{STATIC / f'words_{one}.js'}'; " for one in ("en", "es"))
    script += "console.log(JSON.stringify([en.right, es.right, en.book, es.book].map(Object.keys)))"
    told = subprocess.run([NODE, "--input-type=module", "-e", script], capture_output=True, check=True, text=True)
    english, spanish, book, libro = json.loads(told.stdout)
    assert (english, book) == (spanish, libro)


def test_the_page_serves_forms_and_book_in_the_phones_language():
    from tests.page_server import Stage  # noqa: PLC0415 - the page's parts are heavy

    client = Stage().app().test_client()
    spanish = client.get("/forms/skully?lang=es").json["forms"]
    assert spanish[0]["label"] == "Faltó un tiro"
    paragraphs = client.get("/book/skull_king?lang=es").json["paragraphs"]
    assert any("Skull King" in one["text"] for one in paragraphs)
    assert client.get("/book/chess").status_code == 404
