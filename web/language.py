"""The page's languages: a catalogue for each beside English, read once; sentences are made anew from what was ruled."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po
from flask import Request

from linesies import rules
from linesies.rules import AND, Catalogue, Conjunction

ENGLISH = "en"
BEGINS_WITH_I = re.compile(r"h?(i(?![aeouáéóú])|í)", re.IGNORECASE)  # before its own sound Spanish y becomes e
CONJUNCTIONS = {ENGLISH: AND, "es": Conjunction("y", "e", BEGINS_WITH_I)}
LANGUAGES = tuple(CONJUNCTIONS)
CHOSEN = "linesies-language"  # the cookie by which a phone remembers what it has chosen
FOLDER = Path(__file__).parent / "languages"
TOLD_BESIDE = ("code", "rule", "text")  # the keys of a ruling that are no details of its sentence


def language_of(request: Request) -> str:
    """Tell the language that a phone asks for: one it names or has chosen, else the first it prefers that we know."""
    named = request.args.get("lang") or request.cookies.get(CHOSEN, "")
    return named if named in LANGUAGES else request.accept_languages.best_match(LANGUAGES, ENGLISH) or ENGLISH


def turning(language: str) -> dict[str, str]:
    """Tell a page how a tap turns to the next language: under which name to remember which."""
    return {"choice": CHOSEN, "next_language": LANGUAGES[(LANGUAGES.index(language) + 1) % len(LANGUAGES)]}


def translator(language: str) -> Callable[[str], str]:
    """Give what says an English sentence in a language; one without a translation stays English."""
    known = _messages(language)
    return lambda text: known.get(text) or text


def in_language(story: dict[str, Any], language: str) -> dict[str, Any]:
    """Say every ruling and refusal of a story anew, and what the device itself says in it."""
    if language == ENGLISH:
        return story
    say, refusal = translator(language), story.get("refusal")
    words = None if story["game"] is None else words_of(story["game"]["game"], language)
    troubles = {
        who: {**_said(told, language), "who": say(told["who"])} for who, told in story.get("troubles", {}).items()
    }
    set_up = story.get("set_up")
    if set_up and "advice" in set_up:
        story = {**story, "set_up": {**set_up, "advice": [_said(told, language) for told in set_up["advice"]]}}
    call = story.get("call")
    if call:
        story = {**story, "call": {**call, "sayings": [_said(told, language) for told in call["sayings"]]}}
    return {
        **story,
        "entries": [_entry(entry, words) for entry in story["entries"]] if words else story["entries"],
        "refusal": refusal and (_said(refusal, language) if "said" in refusal else _refused(refusal, words)),
        "troubles": troubles,
    }


def _said(told: dict[str, Any], language: str) -> dict[str, Any]:
    """Say anew what the device says: its row names the English sentence and what fills it."""
    said = told.get("said")
    if said is None:
        return told

    def anew() -> str:
        sentence = {said["code"]: translator(language)(said["say"])}
        words = Catalogue(title="", sentences=sentence, refusals={}, options={}, conjunction=CONJUNCTIONS[language])
        return words.sentence(said["code"], said["details"])

    return {**told, "message": _or_as_told(anew, told.get("message", ""))}


def _or_as_told(anew: Callable[[], str], told: str) -> str:
    """Say something anew; as it was told, in English, where it is of another release and there are no words for it."""
    try:
        return anew()
    except (LookupError, TypeError, ValueError, AttributeError):  # a code, or what fills its sentence, is another
        return told


@cache
def words_of(game: str, language: str) -> Catalogue:
    """Give a game's words in a language."""
    return rules.GAMES[game].words.translated(translator(language), CONJUNCTIONS[language])


@cache
def _messages(language: str) -> Mapping[str, str]:
    if language == ENGLISH:
        return {}
    with (FOLDER / f"{language}.po").open("rb") as file:
        return {str(message.id): str(message.string) for message in read_po(file) if message.id}


def _entry(entry: dict[str, Any], words: Catalogue) -> dict[str, Any]:
    rulings = [_ruling(ruling, words) for ruling in entry["rulings"]]
    refused = entry["refused"] and _refused(entry["refused"], words)
    return {**entry, "rulings": rulings, "refused": refused}


def ruled_in(ruling: Mapping[str, Any], game: str, language: str) -> str:
    """Say a ruling in a language; as it was told, in English, where this program has no words for it."""
    if language == ENGLISH or game not in rules.GAMES:
        return str(ruling.get("text", ""))
    return _sentence(ruling, words_of(game, language))


def _ruling(ruling: dict[str, Any], words: Catalogue) -> dict[str, Any]:
    return {**ruling, "text": _sentence(ruling, words)}


def _sentence(ruling: Mapping[str, Any], words: Catalogue) -> str:
    details = {key: value for key, value in ruling.items() if key not in TOLD_BESIDE}
    return _or_as_told(lambda: words.sentence(ruling["code"], details), str(ruling.get("text", "")))


def _refused(refused: dict[str, Any], words: Catalogue | None) -> dict[str, Any]:
    details = refused.get("details")
    if details is None or words is None:  # an older journal's words
        return refused
    anew = _or_as_told(lambda: words.refusal(refused["code"], details), refused.get("message", ""))
    return {**refused, "message": anew}
