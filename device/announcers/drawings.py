"""What is drawn of an event: on the street each call, at a table the card that lies face up; a hidden face never."""

from collections.abc import Callable, Iterator, Sequence

from linesies.calibration import Calibration
from linesies.vision import Call, Cap, Drawn, Event, Image, Placed, Shot, TableEvent, draw_call, draw_card

MOST_CALLS = 4

Drawings = Iterator[tuple[str, Drawn]]  # whose it is, and the picture
Draw = Callable[[Image, Calibration, Event | TableEvent], Drawings]
DrawCall = Callable[[Image, Calibration, Call, Cap], Drawn]


def draw_calls(caps: Sequence[Cap], draw: DrawCall = draw_call) -> Draw:
    """Make what draws the calls of an event on the street, the shooter's first."""
    of = {cap.player: cap for cap in caps}

    def drawn(picture_bgr: Image, calibration: Calibration, event: Event | TableEvent) -> Drawings:
        for call in _calls(event)[:MOST_CALLS]:
            if call.player is not None:
                yield call.player, draw(picture_bgr, calibration, call, of[call.player])

    return drawn


def draw_table(picture_bgr: Image, calibration: Calibration, event: Event | TableEvent) -> Drawings:
    """Draw the card of an event at a table, if it shows its face."""
    if isinstance(event, TableEvent) and event.corners_mm is not None and "card" in event.keys:
        yield event.keys.get("player") or event.zone, draw_card(picture_bgr, calibration, event)


def _calls(event: Event | TableEvent) -> tuple[Call, ...]:
    if isinstance(event, Placed):
        return (event.call,)
    if isinstance(event, Shot):
        return tuple(sorted(event.calls, key=lambda call: call.player != event.player))
    return ()
