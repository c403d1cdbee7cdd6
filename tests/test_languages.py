"""Every sentence that people are told has its Spanish, with the same fields, and is made anew from what was ruled."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

from linesies import rules, web
from linesies.games import GAMES, HOUSE
from linesies.games.skully import MISS, ON_THE_LINE
from linesies.referee.calling import OF_ANY_GAME
from linesies.referee.saying import for_phones
from linesies.rules.words.catalogue import Catalogue, counted
from linesies.web.language import FOLDER, in_language, translator, words_of
from tests import scenes
from tests.page_server import Stage

SAY = translator("es")
LEFT_ALIKE = ("Juanita Jade", "Skip-Bo")
SAID = re.compile(r"say\('(.+?)'\)")


def templates(words: Catalogue):
    yield words.title
    for part in (
        words.sentences,
        words.refusals,
        words.options,
        words.presets,
        words.tells,
        *words.vocabularies.values(),
    ):
        yield from part.values()


def fields(template):
    return sorted((name, spec if "|" not in spec else "#") for _, name, spec, _ in Formatter().parse(template) if name)


@pytest.mark.parametrize("game", rules.GAMES)
def test_each_sentence_of_a_game_has_its_spanish_with_the_same_fields(game):
    for english in templates(rules.GAMES[game].words):
        spanish = SAY(english)
        assert spanish != english or not re.search(r"[a-z]{3}", english) or english in LEFT_ALIKE, english
        assert set(fields(english)) >= set(fields(spanish)), (english, spanish)
        for _, _, spec, _ in Formatter().parse(spanish):
            assert not spec or "|" not in spec or len(spec.split("|")) == 3, spanish


def sentences(path):
    """All sentences that a module holds beside its docstrings."""
    tree = ast.parse(path.read_text())
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in told)
    return {text for text in texts if isinstance(text, str) and re.fullmatch(r"[A-Z].* .*\.", text)}


def test_every_sentence_of_the_page_itself_has_its_spanish():
    said = {text for path in Path(web.__file__).parent.glob("*.py") for text in sentences(path)}
    said |= {
        text for path in Path(web.__file__).parent.glob("templates/*.html") for text in SAID.findall(path.read_text())
    }
    assert len(said) > 15
    assert [text for text in said if SAY(text) == text] == []


def test_every_call_of_the_umpire_has_its_spanish_with_the_same_fields():
    of_games = [call for name in HOUSE for call in GAMES[name].calls]
    for english in {call.say for call in (*OF_ANY_GAME, *of_games, MISS, ON_THE_LINE)}:
        assert SAY(english) != english
        assert fields(SAY(english)) == fields(english)


def test_what_is_counted_across_games_has_its_spanish():
    titles = {
        title
        for name in HOUSE
        for tally in GAMES[name].tallies
        for title in (tally.title, tally.most, tally.longest, tally.an_hour, tally.fastest)
        if title
    }
    assert {title for title in titles if SAY(title) == title} == {"pipsies"}


def test_a_ruling_is_said_as_people_say_it():
    words = words_of("skully", "es")
    told = words.sentence("hit_into_target", {"player": "Ana", "victim": "Bo", "boxes": 2, "box": "7f"})
    assert told == "Ana empujó a Bo a la casilla que Bo quería: 2 casillas."
    assert words.sentence("hit_bonus", {"player": "Ana", "victim": "Bo", "boxes": 1}) == "Ana le dio a Bo: una casilla."
    refused = words.refusal("awaiting_choice", {"players": ["Ana", "Bo"]})
    assert refused == "Primero les toca elegir a Ana y Bo: quedarse ahí o volver."
    king = words_of("skull_king", "es").sentence("bids_revealed", {"bids": {"ana": 0, "bo": 2}})
    assert king == "¡Yo-ho-ho! Las apuestas: Ana 0 y Bo 2."


@pytest.mark.parametrize(("going_for", "called"), [("6f", "la 6"), ("13", "la 13"), ("6b", "la 6 de vuelta")])
def test_a_box_is_sought_by_its_article_and_number(going_for, called):
    again = words_of("skully", "es").sentence("shoot_again", {"player": "Ana", "going_for": going_for})
    assert again == f"Ana tira otra vez y busca {called}."


def test_a_box_is_la_6_in_the_whole_rule_book():
    words = words_of("skully", "es")
    told = [*templates(words), *(text for one in words.book for text in (one.title, one.text))]
    assert [one for one in told if re.search(r"\b(el|al|del) \d", one, re.IGNORECASE)] == []


@pytest.mark.parametrize(
    ("last", "told"), [("Bo", "Ana y Bo"), ("Inés", "Ana e Inés"), ("Hilda", "Ana e Hilda"), ("Ian", "Ana y Ian")]
)
def test_names_are_joined_as_spanish_is_spoken(last, told):
    refused = words_of("skully", "es").refusal("awaiting_choice", {"players": ["Ana", last]})
    assert f"a {told}:" in refused


# Of each concept one word: beside it the words that it had before, or that speak of a player as of a boy.
GIVEN_UP = {
    "killer": "asesin[oa]",
    "fuera del juego": "eliminad[oa]",
    "la calavera atrapa a": r"\bpres[oa]\b",
    "encontrar": r"\bhall(a|ar|e|ó)\b",
    "fuera del pueblo": "ciudad",
    "pareja": "compañer[oa]",
    "busca": r"\bva por\b",
    "en la línea": "sobre la línea",
    "tachar y recuperar": "(des|re)hac|repuest",
    "el lente": r"\bla lente\b",
    "«…»": "[“”]",
}


@pytest.mark.parametrize("word", GIVEN_UP)
def test_spanish_has_one_word_for_each_concept(word):
    told = [line for line in (FOLDER / "es.po").read_text().splitlines() if line.startswith("msgstr")]
    told += (FOLDER.parent / "static" / "words_es.js").read_text().splitlines()
    assert [line for line in told if re.search(GIVEN_UP[word], line, re.IGNORECASE)] == []


def test_numbers_with_a_form_for_none_are_digits():
    assert [counted(n, "una caja", "cajas", "ninguna caja") for n in (0, 1, 2)] == [
        "ninguna caja",
        "una caja",
        "2 cajas",
    ]


def test_a_story_is_told_anew_with_what_was_refused():
    ruling = {"code": "next_turn", "player": "bo", "rule": "1.5", "text": "It is bo's turn."}
    refused = {"code": "game_over", "message": "The game is over.", "details": {}}
    entry = {"rulings": [ruling], "refused": refused}
    device = {"code": "bad_order", "message": "there is nothing to undo"}
    told = in_language({"game": scenes.START, "entries": [entry], "refusal": device}, "es")
    assert told["entries"][0]["rulings"][0]["text"] == "Le toca a Bo."
    assert told["entries"][0]["refused"]["message"] == "El juego terminó."
    assert told["refusal"] == device


def test_what_another_release_has_told_stays_as_it_told_it_and_ends_no_feed():
    ruling = {"code": "box_melted", "rule": "9", "text": "The box has melted."}
    half = {"code": "box_made", "rule": "9", "text": "Somebody made a box."}
    refused = {"code": "too_hot", "message": "It is too hot.", "details": {}}
    told = {"message": "It melts.", "said": {"code": "melting", "details": {"degrees": 40}}}
    lacking = {"message": "It leans.", "said": {"code": "camera_leaned", "details": {}}}
    troubles = {str(n): {"who": "Box", **for_phones(one)} for n, one in enumerate((told, lacking))}
    entry = {"rulings": [ruling, half], "refused": refused}
    spanish = in_language({"game": scenes.START, "entries": [entry], "troubles": troubles}, "es")
    assert spanish["entries"] == [entry]
    assert [one["message"] for one in spanish["troubles"].values()] == ["It melts.", "It leans."]


def test_the_phones_language_chooses_and_the_phone_may_choose_another():
    stage = Stage()
    client = stage.app().test_client()
    spanish = {"Accept-Language": "es-PR,es;q=0.9,en;q=0.5"}
    assert 'lang="es"' in client.get("/", headers=spanish).text
    assert 'lang="en"' in client.get("/", headers={"Accept-Language": "de"}).text
    assert 'lang="en"' in client.get("/?lang=en", headers=spanish).text
    assert client.get("/nothing", headers=spanish).json["message"] == "Aquí no hay nada."
    assert "Mira el juego" in client.get("/join", headers=spanish).text
