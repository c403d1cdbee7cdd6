"""No message leaves the device untranslated: each has a code, a sentence, its Spanish, and its place of use."""

import ast
from pathlib import Path
from string import Formatter

import pytest

from linesies import device, referee, simulator
from linesies.calibration import NO_BOARD
from linesies.referee.saying import SENTENCES, WHO, Saying, Trouble, for_phones
from linesies.referee.snapshot import story_json
from linesies.web.language import in_language, translator
from tests.refereeing import shot

SAY = translator("es")
HOMES = [Path(folder.__file__).parent for folder in (device, referee, simulator)]
CALLS = [
    (str(path.relative_to(home.parent)), node)
    for home in HOMES
    for path in sorted(home.rglob("*.py"))
    for node in ast.walk(ast.parse(path.read_text()))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
]
SAYINGS = [(name, node.args[0]) for name, node in CALLS if node.func.id == "Saying"]


def fields(template):
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("english", [*SENTENCES.values(), *WHO.values()])
def test_each_sentence_has_its_spanish_with_the_same_fields(english):
    spanish = SAY(english)
    assert spanish != english
    assert fields(spanish) == fields(english)


def test_whatever_the_device_says_has_a_sentence_and_each_sentence_is_said():
    literal = {code.value for _, code in SAYINGS if isinstance(code, ast.Constant)}
    handed_on = {"simulated_players", "simulated_caps", "simulated_camera", "simulated_box"}
    assert [name for name, code in SAYINGS if not isinstance(code, ast.Constant)] == [
        "device/loop/owner_orders.py",
        "referee/owner_orders.py",
    ]
    assert literal | handed_on | {f"board_{code}" for code in NO_BOARD} == set(SENTENCES)


@pytest.mark.parametrize("kind", ["Trouble", "unheeded"])
def test_nothing_but_a_saying_is_told_as_trouble_or_refusal(kind):
    told = [(name, node.args[-1]) for name, node in CALLS if node.func.id == kind]
    assert told
    for name, last in told:
        is_text = isinstance(last, ast.JoinedStr) or (isinstance(last, ast.Constant) and isinstance(last.value, str))
        assert not is_text, f"{name}: {ast.unparse(last)} has no translation"


def test_who_fails_has_a_name_for_people():
    named = {
        node.args[0].value for _, node in CALLS if node.func.id == "Trouble" and isinstance(node.args[0], ast.Constant)
    }
    assert named <= set(WHO)


def test_trouble_reaches_a_spanish_phone_in_spanish_and_the_log_keeps_the_technical_why(referee):
    referee.tell_trouble(Trouble("signals", Saying("fails", why="OSError: the wire is loose")))
    referee.tell_trouble(Trouble("journal", Saying("journal_mended", {"kept": 12, "lost": 1})))
    assert "wire is loose" in referee.journal.rows_after(0)[-2].body["message"]
    english = story_json(referee.story)
    assert english["troubles"]["signals"]["message"] == "does not work"
    spanish = in_language(english, "es")["troubles"]
    assert (spanish["signals"]["who"], spanish["signals"]["message"]) == ("Luces y zumbador", "no funciona")
    assert spanish["journal"]["message"] == "el diario estaba dañado; se conserva: 12 filas; se perdió: una fila"
    referee.tell_trouble(Trouble.over("signals"))
    assert set(story_json(referee.story)["troubles"]) == {"journal"}


@pytest.mark.parametrize(
    ("order", "spanish"),
    [
        ({"order": "undo"}, "ahí no hay nada que corregir"),
        ({"order": "settle"}, "ahí no hay nada por decidir; quizá ya está decidido"),
        (
            {"order": "new_game", "start": {"event": "start", "game": "skull", "players": ["ana"]}},
            "al menos 4 jugadores",
        ),
        ({"order": "nonsense"}, "esa orden no tiene sentido aquí"),
    ],
)
def test_an_order_that_is_not_taken_is_refused_in_the_phones_language(referee, order, spanish):
    referee.journal.submit(order, "referee:x")
    referee.take_orders()
    assert spanish in in_language(story_json(referee.story), "es")["refusal"]["message"]


def test_what_the_rules_refuse_is_said_by_the_rules_words(referee):
    referee.see(shot("ana", "1"))
    referee.journal.submit({"order": "amend", "event": {"event": "placed", "player": "bo", "at": "9"}}, "referee:x")
    referee.take_orders()
    english = story_json(referee.story)["refusal"]
    assert in_language(story_json(referee.story), "es")["refusal"]["message"] not in ("", english["message"])


def test_an_older_journals_words_are_left_as_they_are():
    assert for_phones({"message": "the disk is full"}) == {"message": "the disk is full"}
