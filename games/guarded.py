"""Games from outside, asked at arm's length: where one raises or takes too long, the referee goes on.

What its rules fail at is refused; of anything else that it fails at, it is as if it had said nothing.
"""

import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from linesies.games.calls import UmpireCall
from linesies.games.game import Doubt, Game
from linesies.rules import BadStart, Catalogue, Event, Form, GameRules, Json, Option, Preset, Refused, Ruling

PATIENCE_S = 2.0  # no move takes rules so long; set by hand, a hundred times what the house's slowest ruling takes
FAILED = "rules_failed"
SENTENCE = "These rules do not work: {fault}."

Answer = TypeVar("Answer")

log = logging.getLogger(__name__)


class TookTooLong(Exception):  # noqa: N818 - reads as what happened
    """Something from outside did not answer in time."""


def within(seconds: float, ask: Callable[[], Answer]) -> Answer:
    """Ask on a thread of its own and wait so long; raises what it raises, or TookTooLong and lets it hang."""
    answers: list[Answer] = []
    faults: list[BaseException] = []

    def run() -> None:
        try:
            answers.append(ask())
        except BaseException as fault:  # noqa: BLE001 - whatever it does is told to who asked
            faults.append(fault)

    thread = threading.Thread(target=run, name="outside", daemon=True)
    thread.start()
    thread.join(seconds)
    if faults:
        raise faults[0]
    if not answers:
        raise TookTooLong(f"no answer within {seconds:g} s")
    return answers[0]


def guarded(game: Game) -> Game:
    """Put what is asked of a game from outside while it is on, beside its rules, behind a guard."""
    call, doubt, unread = game.calls.otherwise, game.doubt, game.unread

    def called(event: Json, rulings: Sequence[Json]) -> UmpireCall | None:
        told = call(event, rulings)
        return None if told is None else UmpireCall(told.code, told.say)

    def doubted(event: Json, public: Json) -> Doubt | None:
        told = doubt(event, public)
        return None if told is None else Doubt(told.why, tuple((label, meant) for label, meant in told.answers))

    def read(event: Json, public: Json) -> tuple[tuple[str, str], ...]:
        return tuple((label, card) for label, card in unread(event, public))

    return replace(
        game,
        calls=replace(game.calls, otherwise=_at_arms_length(called, None)),
        doubt=_at_arms_length(doubted, None),
        unread=_at_arms_length(read, ()),
        is_place_weighty=_at_arms_length(game.is_place_weighty, instead=False),
        penalty=_event_of(game.penalty),
        keep=_event_of(game.keep),
        head_start=_event_of(game.head_start),
        tallies=tuple(replace(tally, asking=_at_arms_length(tally.asking, ())) for tally in game.tallies),
    )


def _event_of(ask: Callable[..., Json | None] | None) -> Callable[..., Json | None] | None:
    """Have what gives an event give one that a row can keep, and none where it fails; None stays None."""
    if ask is None:
        return None

    def told(*given: Any) -> Json | None:
        event = ask(*given)
        if event is None:
            return None
        written = dict(json.loads(json.dumps(dict(event), allow_nan=False)))
        if not isinstance(written.get("event"), str):
            raise TypeError('an event says by a text "event" what it is')
        return written

    return _at_arms_length(told, None)


def _at_arms_length(ask: Callable[..., Answer], instead: Answer) -> Callable[..., Answer]:
    """Ask, and where that raises or hangs give this instead; says so once, and asks no more what has hung."""
    faults: list[BaseException] = []

    def asked(*given: Any) -> Answer:
        if any(isinstance(fault, TookTooLong) for fault in faults):
            return instead
        try:
            return within(PATIENCE_S, lambda: ask(*given))
        except Exception as fault:
            if type(fault) not in map(type, faults):
                log.exception("a game from outside fails")
                faults.append(fault)
            return instead

    return asked


class Guarded:
    """Another package's rules; remembers that they have hung, and then asks them no more."""

    def __init__(self, inner: GameRules[Any]) -> None:
        self._inner = inner
        self._has_hung = False
        self._own_view = _at_arms_length(self._viewed, None)
        self.name: str = inner.name
        self.version: int = getattr(inner, "version", 0)  # a package may not know of it yet
        self.state_type: type[Any] | None = getattr(inner, "state_type", None)
        self.options: tuple[Option, ...] = tuple(inner.options)
        self.presets: tuple[Preset, ...] = tuple(inner.presets)
        self.forms: tuple[Form, ...] = tuple(getattr(inner, "forms", ()))
        self.words: Catalogue = _with_failure(inner.words)

    def start(self, config: Mapping[str, Any]) -> tuple[Any, tuple[Ruling, ...]]:
        """Make the first state; raises BadStart, for rules that fail too."""
        try:
            return self._ask(lambda: self._told(self._inner.start(config)))
        except BadStart:
            raise
        except Exception as fault:  # noqa: BLE001 - likewise
            raise BadStart(f"{self.name} cannot begin: {_named(fault)}") from None

    def apply(self, state: Any, event: Event) -> tuple[Any, tuple[Ruling, ...]] | Refused:
        """Rule on one event; refused where the rules fail."""
        try:
            return self._ask(lambda: self._told(self._inner.apply(state, event)))
        except Exception as fault:  # noqa: BLE001 - whatever they do, the game goes on
            return Refused(FAILED, {"fault": _named(fault)})

    def _told(self, answer: Any) -> Any:
        """Try whether what was ruled can be said and shown; raises what that raises."""
        if isinstance(answer, Refused):
            self.words.refusal(answer.code, answer.details)
            return answer
        state, rulings = answer
        self._inner.public(state)
        for ruling in rulings:
            self.words.sentence(ruling.code, ruling.details)
        return answer

    def public(self, state: Any) -> dict[str, Any]:
        """Write the public state."""
        return self._inner.public(state)

    def view(self, state: Any, player: str) -> dict[str, Any]:
        """Write what a player may know; what all may, where the game fails at his own."""
        return self._own_view(state, player) or self._inner.public(state)

    def _viewed(self, state: Any, player: str) -> dict[str, Any]:
        """Write what a player may know; raises what that raises, and KeyError where he is not told of himself."""
        told = self._inner.view(state, player)
        if player not in {one["name"] for one in told["players"]}:
            raise KeyError(player)
        return told

    def _ask(self, ask: Callable[[], Answer]) -> Answer:
        if self._has_hung:
            raise TookTooLong("they have hung before")
        try:
            return within(PATIENCE_S, ask)
        except TookTooLong:
            self._has_hung = True
            raise


def _with_failure(words: Catalogue) -> Catalogue:
    refusals = {FAILED: SENTENCE, **words.refusals}
    return Catalogue(
        title=words.title,
        sentences=words.sentences,
        refusals=refusals,
        options=words.options,
        presets=words.presets,
        tells=words.tells,
        book=words.book,
        vocabularies=words.vocabularies,
        conjunction=words.conjunction,
    )


def _named(fault: BaseException) -> str:
    return f"{type(fault).__name__}: {fault}"
