"""TOML files made of tables: read with every fault told at once and its line, written with a comment a key."""

import difflib
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import Field, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from linesies.device.errors import BadInput

T = TypeVar("T", bound="DataclassInstance")
if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Check = Callable[[Any], str | None]  # what a value must be, where it is not


def told(
    default: Any, comment: str, check: Check, *, is_alone: bool = False, spelled: Callable[[Any], Any] = lambda v: v
) -> Any:
    """Declare a key: its default, a comment for people, what it may be; `is_alone`: no other such key may equal it.

    A negative number means none, which several may have. `spelled` writes what people wrote as it is known here.
    """
    metadata = {"comment": comment, "check": check, "is_alone": is_alone, "spelled": spelled}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)


def flag() -> Check:
    """Allow true and false."""
    return lambda value: None if isinstance(value, bool) else "true or false"


def text() -> Check:
    """Allow text that is not empty."""
    return lambda value: None if isinstance(value, str) and value.strip() else "text in quotes"


def maybe() -> Check:
    """Allow text, empty too."""
    return lambda value: None if isinstance(value, str) else "text in quotes"


def choice(*allowed: str) -> Check:
    """Allow the listed values."""
    listed = f"one of {', '.join(_toml(value) for value in allowed)}"
    return lambda value: None if value in allowed else listed


def one_in(names: Collection[str]) -> Check:
    """Allow the names that are in a collection when it's asked; some may come in after the settings were described."""

    def check(value: Any) -> str | None:
        return choice(*names)(value)

    return check


def number(low: float, high: float) -> Check:
    """Allow numbers from `low` to `high`."""

    def check(value: Any) -> str | None:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return None if is_number and low <= value <= high else f"a number from {low:g} to {high:g}"

    return check


def whole(low: int, high: int) -> Check:
    """Allow whole numbers from `low` to `high`."""

    def check(value: Any) -> str | None:
        return None if type(value) is int and low <= value <= high else f"a whole number from {low} to {high}"

    return check


def names() -> Check:
    """Allow lists of distinct names."""

    def check(value: Any) -> str | None:
        is_list = isinstance(value, list) and all(isinstance(name, str) and name.strip() for name in value)
        return None if is_list and len(set(value)) == len(value) else 'a list of names that differ, like ["ana", "bo"]'

    return check


def tones() -> Check:
    """Allow lists of [hertz, seconds], 0 hertz for silence."""
    hertz, seconds = number(0, 7000), number(0.01, 5)

    def check(value: Any) -> str | None:
        are_pairs = isinstance(value, list) and all(isinstance(one, list) and len(one) == 2 for one in value)
        is_right = are_pairs and not any(hertz(one[0]) or seconds(one[1]) or 0 < one[0] < 28 for one in value)
        return None if is_right else "a list of [hertz, seconds], like [[587, 0.2], [0, 0.1], [880, 0.2]]"

    return check


def table() -> Check:
    """Allow a table of whatever keys."""
    return lambda value: None if isinstance(value, dict) else "a table, like { pipsies = 2 }"


def read_tables(path: Path, kind: type[T]) -> T:
    """Read a TOML file as `kind`, a dataclass whose fields are tables; raises BadInput, one line a fault."""
    if path.exists() and not path.is_file():
        raise BadInput(f"{path}: is no plain file; `linesies init` writes one")
    try:
        source = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise BadInput(f"{path}: cannot be read ({_reason(fault)}); `linesies init` writes a new one") from None
    try:
        found = tomllib.loads(source)
    except tomllib.TOMLDecodeError as fault:
        raise BadInput(f"{path}: is not TOML: {fault}") from None
    faults = sorted(_faults(found, kind, _lines(source)))
    if faults:
        raise BadInput("; ".join(f"{path}:{line}: {fault}" for line, fault in faults))
    return kind(**{part.name: _filled(part, found.get(part.name, {})) for part in fields(kind)})


def write_tables(value: Any) -> str:
    """Write a dataclass of tables as TOML, each key under its comment."""
    parts = []
    for part in fields(value):
        inner = getattr(value, part.name)
        lines = [f"# {inner.__doc__}", f"[{part.name}]"]
        for key in fields(inner):
            lines += [f"# {key.metadata['comment']}", f"{key.name} = {_toml(getattr(inner, key.name))}"]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _filled(part: Field[Any], values: Mapping[str, Any]) -> Any:
    kind = _kind_of(part)
    spelled = {key.name: key.metadata["spelled"] for key in fields(kind)}
    return kind(**{key: spelled[key](_frozen(value)) for key, value in values.items()})


def _kind_of(part: Field[Any]) -> type[Any]:
    assert isinstance(part.type, type), "a table's class is named, not quoted"
    return part.type


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def _faults(found: Mapping[str, Any], kind: type[Any], lines: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    parts = {part.name: part for part in fields(kind)}
    for name, values in found.items():
        if name not in parts:
            yield lines.get(name, 1), f"[{name}] is no table of this file{_meant(name, parts)}"
        elif not isinstance(values, dict):
            yield lines.get(name, 1), f"{name} must be a table, written [{name}]"
        else:
            yield from _faults_of_part(name, values, _kind_of(parts[name]), lines)


def _faults_of_part(
    name: str, values: Mapping[str, Any], kind: type[Any], lines: Mapping[str, int]
) -> Iterator[tuple[int, str]]:
    keys = {key.name: key for key in fields(kind)}
    for told, value in values.items():
        line = lines.get(f"{name}.{told}", lines.get(name, 1))
        if told not in keys:
            yield line, f"[{name}] knows no {told}{_meant(told, keys)}"
        elif (wanted := keys[told].metadata["check"](keys[told].metadata["spelled"](value))) is not None:
            yield line, f"{told} must be {wanted}"
    taken: dict[Any, str] = {}
    for key in (key for key in keys.values() if key.metadata["is_alone"]):
        value = values.get(key.name, key.default)
        if isinstance(value, int) and value < 0:
            continue
        if taken.setdefault(_toml(value), key.name) != key.name:
            line = max(lines.get(f"{name}.{k}", 1) for k in (key.name, taken[_toml(value)]))
            yield line, f"{key.name} and {taken[_toml(value)]} are both {_toml(value)}; give each its own"


def _meant(name: str, known: Mapping[str, Any]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"; {near[0]} is meant?" if near else f"; known are {', '.join(known)}"


def _lines(source: str) -> dict[str, int]:
    """Find the line of each table and key; a key in braces or brackets over several lines has its first."""
    lines: dict[str, int] = {}
    inside = ""
    for number_, line in enumerate(source.splitlines(), start=1):
        if header := re.match(r"\s*\[\[?\s*([\w.-]+)\s*\]\]?\s*(#.*)?$", line):
            inside = header[1]
            lines.setdefault(inside, number_)
        elif key := re.match(r"""\s*["']?([\w.-]+)["']?\s*=""", line):
            lines.setdefault(f"{inside}.{key[1]}" if inside else key[1], number_)
    return lines


def _reason(fault: Exception) -> str:
    return getattr(fault, "strerror", None) or str(fault)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(item) for item in value)}]"
    if isinstance(value, Mapping):
        inside = ", ".join(f"{key} = {_toml(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    return str(value)
