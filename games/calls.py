"""What an umpire calls of a game's rulings: a few words for a voice, the full sentences being the rules' own.

Rulings are named by their code, or by `code detail=value` as in a catalogue of words.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter

from linesies.rules import Json

FIELDS = ("player", "victim", "box", "bid")  # of a call's sentence, filled from its ruling


@dataclass(frozen=True, slots=True)
class UmpireCall:
    """One thing that is called: its name, and its sentence in English with the fields of FIELDS; raises ValueError."""

    code: str
    say: str

    def __post_init__(self) -> None:
        """Find fields that nobody fills while the game is made, not when the call is made."""
        fields = {(name, spec, turned) for _, name, spec, turned in Formatter().parse(self.say) if name is not None}
        if unknown := fields - {(name, "", None) for name in FIELDS}:
            named = ", ".join(sorted(f"{{{name}}}" for name, *_ in unknown))
            raise ValueError(f"the call {self.code!r} has fields that nobody fills: {named}")

    def worded(self, details: Json) -> str:
        """Fill its sentence from a ruling or an event, as it stands there."""
        return self.say.format(**{name: details.get(name, "") for name in FIELDS})


def is_named(ruling: Json, name: str) -> bool:
    """Tell whether a ruling is the one of that name.

    >>> is_named({"code": "box_made", "by": "shot"}, "box_made by=shot")
    True
    >>> is_named({"code": "box_made", "by": "hit"}, "box_made by=shot")
    False
    """
    code, _, detail = name.partition(" ")
    key, _, value = detail.partition("=")
    return ruling["code"] == code and (not key or ruling.get(key) == value)


def is_among(ruling: Json, names: Iterable[str]) -> bool:
    """Tell whether a ruling is one of these names."""
    return any(is_named(ruling, name) for name in names)


WON = UmpireCall("won", "{player} wins!")
OUT = UmpireCall("out", "{player} is out of the game!")
NEXT = UmpireCall("next", "{player} is up.")


def no_call(_event: Json, _rulings: Sequence[Json]) -> UmpireCall | None:
    """Call nothing."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class UmpireCalls:
    """A game's calls, by the rulings that they are of.

    Of `headlines` the first that an event's rulings have is called; where there is none, what `otherwise` tells from
    the event and its rulings. After it comes all that `too` names, the same words once however often they are ruled.
    """

    headlines: Mapping[str, UmpireCall] = field(default_factory=lambda: {"game_won": WON})
    too: Mapping[str, UmpireCall] = field(default_factory=lambda: {"next_turn": NEXT})
    otherwise: Callable[[Json, Sequence[Json]], UmpireCall | None] = no_call

    def __iter__(self) -> Iterator[UmpireCall]:
        """Go through those that stand by the name of a ruling."""
        yield from (*self.headlines.values(), *self.too.values())

    def of(self, event: Json, rulings: Sequence[Json]) -> Iterator[tuple[UmpireCall, Json]]:
        """Give what is called of an event, each with the ruling or the event that fills its sentence."""
        named = ((call, one) for name, call in self.headlines.items() for one in rulings if is_named(one, name))
        headline = next(named, None)
        if headline is not None:
            yield headline
        elif (other := self.otherwise(event, rulings)) is not None:
            yield other, event
        too = ((call, one) for one in rulings for name, call in self.too.items() if is_named(one, name))
        said: set[str] = set()
        for call, one in too:
            if (words := call.worded(one)) not in said:
                said.add(words)
                yield call, one
