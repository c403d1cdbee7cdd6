"""Following a source and telling what is seen, with what people said beside it and what the rules say to both."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linesies import rules
from linesies.device.errors import BadInput
from linesies.vision import CameraMoved, Frame, TableWatcher

Event = dict[str, Any]
Line = dict[str, Any]

OUTSIDE_RULES = ("camera_moved", "taken")  # observations that are no events of any game


class Aside:
    """Remembers the game so far; rules on events as `linesies rule` does."""

    def __init__(self, start_file: str) -> None:
        try:
            config = rules.parse_line(Path(start_file).read_bytes())
        except OSError as fault:
            raise BadInput(f"{start_file}: cannot be read ({fault.strerror}); name the game's start event") from None
        try:
            self._game, self._state, _ = rules.start(rules.with_known_game(config))
        except rules.BadStart as fault:
            raise BadInput(f"{start_file}: {fault}") from None

    @property
    def game(self) -> str:
        """The game's name."""
        return self._game.name

    @property
    def public(self) -> dict[str, Any]:
        """The game's public state."""
        return self._game.public(self._state)

    def rule(self, event: Event) -> Iterator[Line]:
        """Rule on an event; yields the lines that tell it."""
        if event["event"] in OUTSIDE_RULES:
            return
        answer = self._game.apply(self._state, event)
        if isinstance(answer, rules.Refused):
            yield {"refused": rules.refused_json(self._game.name, answer)}
            return
        self._state, rulings = answer
        yield from ({"ruling": rules.ruling_json(self._game.name, ruling)} for ruling in rulings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What somebody said, at that second of the source."""

    t_s: float
    event: Event


def read_orders(path: str) -> tuple[Said, ...]:
    """Read a file of orders, one event with its `t` a line; raises BadInput naming the line."""
    try:
        lines = Path(path).read_bytes().splitlines()
    except OSError as fault:
        raise BadInput(f"{path}: cannot be read ({fault.strerror}); name a file of events, one a line") from None
    said = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        event = rules.parse_line(line)
        t_s = event.get("t") if isinstance(event, dict) else None
        if not isinstance(event, dict) or not isinstance(event.get("event"), str):
            raise BadInput(f'{path}:{number}: is no event; write one like {{"t": 12.5, "event": "pass", ...}}')
        if isinstance(t_s, bool) or not isinstance(t_s, int | float):
            raise BadInput(f"{path}:{number}: `t` must be the second of the source at which it was said")
        said.append(Said(t_s=float(t_s), event={key: value for key, value in event.items() if key != "t"}))
    return tuple(sorted(said, key=lambda one: one.t_s))


def who_is_due(public: dict[str, Any] | None) -> str | None:
    """Name who flips or plays next, by the rules; None while they wait for something else."""
    if public is None or public.get("phase") not in ("reveal", "play"):
        return None
    return public.get("out_of_turn") or public.get("turn")


def follow_table(
    frames: Iterable[Frame], watcher: TableWatcher, aside: Aside | None, said: tuple[Said, ...] = ()
) -> Iterator[Line]:
    """Yield what is seen on a card table and what was said, in order of time, each followed by its rulings."""
    waiting = list(said)
    t_s = 0.0

    def tell(event: Event) -> Iterator[Line]:
        yield event
        if aside is not None:
            yield from aside.rule(event)

    def catch_up(until_s: float) -> Iterator[Line]:
        while waiting and waiting[0].t_s <= until_s:
            yield from tell(waiting.pop(0).event)

    for frame in frames:
        t_s = frame.t_s
        if aside is not None:
            watcher.expect(who_is_due(aside.public), aside.public)
        for event in watcher.see(frame):
            yield from catch_up(event.t_s if isinstance(event, CameraMoved) else event.t_end_s)
            yield from tell(event.as_json())
        if watcher.is_at_rest:
            yield from catch_up(t_s)
    for event in watcher.finish():
        yield from catch_up(event.t_end_s)
        yield from tell(event.as_json())
    yield from catch_up(float("inf"))
