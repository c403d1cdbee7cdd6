"""What events are made of, told so that a page can draw a sheet on which people say one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import fields

Kind = Literal["player", "cap", "place", "card", "choice", "number", "flag", "text", "list", "table", "record"]

KIND_OF: Mapping[type, Kind] = {bool: "flag", str: "text"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One key of an event: what kind of thing it holds, and which.

    `values` are those of a choice, a place or a card, none where the game's options say which cards there are; `least`
    and `most` bound a number. `of` are the parts of a list's item, the one part of a table's value (its keys are caps
    or players, as `by` says), or a record's fields. `where` names fields of the same event that must have one of
    these values for this one to be asked for.
    """

    name: str
    kind: Kind
    is_optional: bool = False
    values: tuple[Any, ...] = ()
    least: int | None = None
    most: int | None = None
    of: tuple["Field", ...] = ()
    by: Literal["player", "cap"] | None = None
    where: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def is_asked(self, event: Mapping[str, Any]) -> bool:
        """Tell whether an event that is such as this needs the field."""
        return all(event.get(key) in values for key, values in self.where.items())


@dataclass(frozen=True, slots=True)
class Form:
    """An event by its name, and its fields in the order in which they are asked for."""

    event: str
    fields: tuple[Field, ...] = ()

    def keys(self, event: Mapping[str, Any]) -> list[str]:
        """List the keys that such an event must have, being as it is, and those of the others that it has."""
        asked = (one for one in self.fields if one.is_asked(event))
        return [one.name for one in asked if one.name in event or not one.is_optional]


def a_player(name: str = "player", **more: Any) -> Field:
    """Make a field that names somebody who plays."""
    return Field(name=name, kind="player", **more)


def a_card(name: str = "card", **more: Any) -> Field:
    """Make a field that names a card."""
    return Field(name=name, kind="card", **more)


def a_choice(name: str, *values: Any, **more: Any) -> Field:
    """Make a field that has one of these values."""
    return Field(name=name, kind="choice", values=values, **more)


def a_number(name: str, least: int | None = None, most: int | None = None, **more: Any) -> Field:
    """Make a field that is a whole number."""
    return Field(name=name, kind="number", least=least, most=most, **more)


def form_of(event: str, struct: type[msgspec.Struct]) -> Form:
    """Read an event's form off its type, where `Meta(extra={"kind": ...})` says of a text what it names.

    Raises TypeError for a key of a type that nobody can be asked for.
    """
    return Form(event, _fields_of(struct))


def _fields_of(struct: type[msgspec.Struct]) -> tuple[Field, ...]:
    hints = get_type_hints(struct, include_extras=True)
    return tuple(_field(one.name, hints[one.name], is_optional=not one.required) for one in fields(struct))


def _field(name: str, hint: Any, *, is_optional: bool = False) -> Field:
    metas: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, metas = hint.__origin__, hint.__metadata__
    if get_origin(hint) in (Union, UnionType):
        [inner] = [part for part in get_args(hint) if part is not msgspec.UnsetType]
        return _field(name, inner, is_optional=True)
    kind: Any = next((meta.extra["kind"] for meta in metas if meta.extra), None)
    if kind is None and hint is int:
        [bounds] = metas
        return Field(name=name, kind="number", least=bounds.ge, most=bounds.le, is_optional=is_optional)
    made_of = _made_of(name, hint)
    return Field(name=name, is_optional=is_optional, **(made_of if kind is None else {**made_of, "kind": kind}))


def _made_of(name: str, hint: Any) -> dict[str, Any]:
    """Tell the kind of a type, and of which parts it is."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"kind": "choice", "values": parts}
    if origin is list:
        return {"kind": "list", "of": tuple(_field("", part) for part in get_args(parts[0]))}
    if origin is dict:
        return {"kind": "table", "by": parts[0].__metadata__[0].extra["kind"], "of": (_field("", parts[1]),)}
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return {"kind": "record", "of": _fields_of(hint)}
    if hint in KIND_OF:
        return {"kind": KIND_OF[hint]}
    raise TypeError(f"{name}: nobody can be asked for {hint}")


def fault_of_kind(event: Any, kinds: Iterable[str]) -> str | None:
    """Say why something is no event of these kinds, or None."""
    if not isinstance(event, dict):
        return "an event is an object with keys"
    kind = event.get("event")
    if not isinstance(kind, str) or kind not in kinds:
        return f'"event" must be one of {", ".join(kinds)}'
    return None
