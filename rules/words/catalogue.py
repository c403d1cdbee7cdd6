"""Turns a code and its details into a sentence that a child understands.

A template is English with fields in braces, named as the details:

    {player}              a name as people write it, however it was typed; a list is joined: "Ana, Bo and Cy"
    {bids}                names with their values: "Ana 2 and Bo 0"
    {pile}                anything that is no name as it is
    {scores:total}        likewise, of each value the key `total`
    {boxes:box|boxes}     a counted noun: "one box", "three boxes", "no boxes", "12 boxes"
    {going_for:target}    the word that the vocabulary `target` has for the value, else the value

    {boxes:una caja|cajas|ninguna caja}   the same where numbers are written in digits: exactly one, so many, none

A code may have several sentences: "turn_over reason=miss" is taken when the detail `reason` is `miss`, before
"turn_over". Templates are whole sentences, so that gettext can replace them one by one.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

from linesies.rules.words.book import Paragraph

NAMES = frozenset(  # details that are players
    {"player", "players", "victim", "victims", "by", "owner", "leader", "with", "opponent", "dealer", "due", "winner"}
    | {"asked"}  # by the referee
)
BY_NAME = frozenset({"bids", "loads", "scores"})  # details that hold a value for each player
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class Conjunction:
    """How a language says "and" before the last name, and how it says so where that name begins otherwise."""

    word: str
    other: str = ""
    other_before: re.Pattern[str] | None = None

    def before(self, name: str) -> str:
        """Give the word before a name."""
        return self.other if self.other_before is not None and self.other_before.match(name) else self.word


AND = Conjunction("and")


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """One game's words in one language; `vocabularies` name the words for values such as targets and places."""

    title: str
    sentences: Mapping[str, str]  # code, or "code detail=value" -> template, for rulings
    refusals: Mapping[str, str]  # the same for refusals
    options: Mapping[str, str]  # option -> what it means
    presets: Mapping[str, str] = field(default_factory=dict)  # preset -> what it is for
    # what people tell: "event", "event.field" or ".field" of any event, "event.field=value" or ".field=value"
    tells: Mapping[str, str] = field(default_factory=dict)
    book: tuple[Paragraph, ...] = ()  # the rule book in plain words
    vocabularies: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)
    conjunction: Conjunction = AND

    @property
    def short_title(self) -> str:
        """What people call the game: its title up to the comma."""
        return self.title.partition(",")[0]

    def translated(self, translate: Callable[[str], str], conjunction: Conjunction) -> "Catalogue":
        """Make the catalogue in another language, sentence by sentence."""

        def all_of(words: Mapping[Any, str]) -> dict[Any, str]:
            return {key: translate(value) for key, value in words.items()}

        return Catalogue(
            title=translate(self.title),
            sentences=all_of(self.sentences),
            refusals=all_of(self.refusals),
            options=all_of(self.options),
            presets=all_of(self.presets),
            tells=all_of(self.tells),
            book=tuple(one.translated(translate) for one in self.book),
            vocabularies={name: all_of(words) for name, words in self.vocabularies.items()},
            conjunction=conjunction,
        )

    def sentence(self, code: str, details: Mapping[str, Any]) -> str:
        """Say a ruling in one or a few short sentences."""
        return self._fill(self.sentences, code, details)

    def refusal(self, code: str, details: Mapping[str, Any]) -> str:
        """Say why an event is refused."""
        return self._fill(self.refusals, code, details)

    def _fill(self, templates: Mapping[str, str], code: str, details: Mapping[str, Any]) -> str:
        special = (templates.get(f"{code} {name}={value}") for name, value in details.items())
        template = next((found for found in special if found is not None), None)
        return _Words(self).vformat(template or templates[code], (), details)


class _Words(Formatter):
    def __init__(self, words: Catalogue) -> None:
        self.vocabularies = words.vocabularies
        self.conjunction = words.conjunction

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        value = super().get_value(key, args, kwargs)
        if key in BY_NAME:
            return {written(name): one for name, one in value.items()}
        return _written(value) if key in NAMES else value

    def joined(self, names: list[str]) -> str:
        return joined(names, self.conjunction)

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            return counted(value, *format_spec.split("|"))
        if isinstance(value, Mapping):
            return self.joined([f"{name} {one[format_spec] if format_spec else one}" for name, one in value.items()])
        if isinstance(value, list | tuple):
            return self.joined([self.format_field(one, format_spec) for one in value])
        return self.vocabularies[format_spec].get(value, str(value)) if format_spec else str(value)


def written(name: str) -> str:
    """Write a name as people do, however it was typed: "Ana"."""
    return name[:1].upper() + name[1:]


def _written(who: Any) -> Any:
    if isinstance(who, str):
        return written(who)
    return [_written(one) for one in who] if isinstance(who, list | tuple) else who


def counted(number: int, one: str, many: str, none: str | None = None) -> str:
    """Say a number with its noun: "two boxes"; with a form for `none`, in digits: "2 cajas"."""
    if none is not None:
        return {0: none, 1: one}.get(number, f"{number} {many}")
    word = NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)
    return f"{word} {one if number == 1 else many}"


def joined(names: list[str], conjunction: Conjunction = AND) -> str:
    """Join names as one says them: "Ana, Bo and Cy"."""
    if len(names) < 2:
        return "".join(names)
    *first, last = names
    return f"{', '.join(first)} {conjunction.before(last)} {last}"
