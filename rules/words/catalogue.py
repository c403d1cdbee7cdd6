"""Turns a code and its details into a sentence that a child understands.

A template is English with fields in braces, named as the details:

    {player}              as it is; a list is joined: "ana, bo and cy"
    {bids}                names with their values: "ana 2 and bo 0"
    {scores:total}        likewise, of each value the key `total`
    {boxes:box|boxes}     a counted noun: "one box", "three boxes", "no boxes", "12 boxes"
    {going_for:target}    the word that the vocabulary `target` has for the value, else the value

A code may have several sentences: "turn_over reason=miss" is taken when the detail `reason` is `miss`, before
"turn_over". Templates are whole sentences, so that gettext can replace them one by one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Any

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """One game's words in one language; `vocabularies` name the words for values such as targets and places."""

    title: str
    sentences: Mapping[str, str]  # code, or "code detail=value" -> template, for rulings
    refusals: Mapping[str, str]  # the same for refusals
    options: Mapping[str, str]  # option -> what it means
    presets: Mapping[str, str] = field(default_factory=dict)  # preset -> what it is for
    vocabularies: Mapping[str, Mapping[Any, str]] = field(default_factory=dict)

    def sentence(self, code: str, details: Mapping[str, Any]) -> str:
        """Say a ruling in one or a few short sentences."""
        return self._fill(self.sentences, code, details)

    def refusal(self, code: str, details: Mapping[str, Any]) -> str:
        """Say why an event is refused."""
        return self._fill(self.refusals, code, details)

    def _fill(self, templates: Mapping[str, str], code: str, details: Mapping[str, Any]) -> str:
        special = (templates.get(f"{code} {name}={value}") for name, value in details.items())
        template = next((found for found in special if found is not None), None)
        return _Words(self.vocabularies).vformat(template or templates[code], (), details)


class _Words(Formatter):
    def __init__(self, vocabularies: Mapping[str, Mapping[Any, str]]) -> None:
        self.vocabularies = vocabularies

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" in format_spec:
            return counted(value, *format_spec.split("|"))
        if isinstance(value, Mapping):
            return joined([f"{name} {one[format_spec] if format_spec else one}" for name, one in value.items()])
        if isinstance(value, list | tuple):
            return joined([self.format_field(one, format_spec) for one in value])
        return self.vocabularies[format_spec].get(value, str(value)) if format_spec else str(value)


def counted(number: int, one: str, many: str) -> str:
    """Say a number with its noun: "two boxes"."""
    word = NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)
    return f"{word} {one if number == 1 else many}"


def joined(names: list[str]) -> str:
    """Join names as one says them: "ana, bo and cy"."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
