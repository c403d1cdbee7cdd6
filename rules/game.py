"""What every game offers: a start, one step, and what people may see of the state.

A game is a pure machine. `start(config)` makes the first state and its rulings; `apply(state, event)` gives the next
state and the rulings, or a `Refused` that changes nothing. States are frozen values of the game's own; events are JSON
values as the contract writes them (a person or a camera sent them, so anything may come in).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from linesies.rules.forms import Form
from linesies.rules.options import Option, Preset
from linesies.rules.words.catalogue import Catalogue

State = TypeVar("State")
Event = Any  # decoded JSON of whatever shape
Json = Mapping[str, Any]  # a JSON object


@dataclass(frozen=True, slots=True)
class Ruling:
    """One thing that the referee announces: its code, the paragraph it rests on, and the keys of that code."""

    code: str
    rule: str
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Refused:
    """An event that the rules do not allow, or that makes no sense; nothing has changed.

    `details` fill the sentence that the catalogue has for this code; see `linesies.rules.sentence`.
    """

    code: str
    details: Mapping[str, Any] = field(default_factory=dict)


class GameRules(Protocol[State]):
    """One game's rules; `name` is its name in the start event, `words` its sentences for people."""

    @property
    def name(self) -> str:
        """Name the game as the start event does."""
        ...

    @property
    def version(self) -> int:
        """Number these rules; raised whenever an event would be ruled on otherwise, or the state is another value."""
        ...

    @property
    def state_type(self) -> type[State] | None:
        """Name the type of this game's states, so that one can be kept as text and read again; None: it cannot."""
        ...

    @property
    def options(self) -> tuple[Option, ...]:
        """List what players may agree on before they begin."""
        ...

    @property
    def forms(self) -> tuple[Form, ...]:
        """List what may be told of this game, each event with its fields; the likeliest first."""
        ...

    @property
    def presets(self) -> tuple[Preset, ...]:
        """List the sets of options that people really agree on, by name."""
        ...

    @property
    def words(self) -> Catalogue:
        """Hold the sentence of each ruling and refusal, and what each option and preset means."""
        ...

    def start(self, config: Mapping[str, Any]) -> tuple[State, tuple[Ruling, ...]]:
        """Make the first state and its rulings from a decoded start event; BadStart says what is wrong."""
        ...

    def apply(self, state: State, event: Event) -> tuple[State, tuple[Ruling, ...]] | Refused:
        """Rule on one event."""
        ...

    def public(self, state: State) -> dict[str, Any]:
        """Write the whole public state with the contract's keys, in the contract's order."""
        ...

    def view(self, state: State, player: str) -> dict[str, Any]:
        """Write what this player may know: the public state and what is his alone."""
        ...
