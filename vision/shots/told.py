"""How the way of a frame ends: with the events that have become known, or with none yet."""

from dataclasses import dataclass

from linesies.vision.values import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameDone:
    """The way of a frame has ended: with these events."""

    events: tuple[Event, ...] = ()
