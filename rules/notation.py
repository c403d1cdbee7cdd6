"""Events and rulings to and from JSON lines, as the contract writes them."""

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from linesies.rules.game import Event, Refused, Ruling
from linesies.rules.registry import GAMES

MOST_DIGITS = 1000  # of a whole number: sums of such numbers can still be written


def parse_line(line: bytes | str) -> Event | Refused:
    """Decode one line; whatever is not JSON (NaN, broken UTF-8, nesting without end) is refused as a bad event."""
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        return json.loads(text, parse_constant=_refuse_constant, parse_int=_read_whole)
    except (ValueError, RecursionError):
        return Refused("bad_event", {"fault": "the line is not JSON"})


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _read_whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("a number without end")
    return int(digits)


def write_line(value: Mapping[str, Any]) -> str:
    """Write one line of JSON, people's scripts as they are; equal values give equal lines."""
    line = json.dumps(value, ensure_ascii=False)
    try:
        line.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which JSON allows and UTF-8 does not
        return json.dumps(value)
    return line


def sentence(game: str, told: Ruling | Refused) -> str:
    """Say a ruling, or why an event was refused, in words for people."""
    words = GAMES[game].words
    speak = words.sentence if isinstance(told, Ruling) else words.refusal
    return speak(told.code, told.details)


def ruling_json(game: str, ruling: Ruling) -> dict[str, Any]:
    """Write a ruling with the contract's keys: code, details, rule, text."""
    return {"code": ruling.code, **ruling.details, "rule": ruling.rule, "text": sentence(game, ruling)}


def refused_json(game: str, refused: Refused) -> dict[str, str]:
    """Write a refusal with the contract's keys: code, message."""
    return {"code": refused.code, "message": sentence(game, refused)}
