"""The doctor's advice on a board that was just learned, as the page shows it beside how exact calls are."""

from collections.abc import Sequence
from typing import Any

from linesies.calibration import Calibration
from linesies.vision import Cap


def advice_json(found: Calibration, caps: Sequence[Cap]) -> list[dict[str, Any]]:
    """Ask what would make calls more exact, by the picture in which the board was learned."""
    from linesies.device.doctor import advise, examine  # noqa: PLC0415 - wanted when a board is learned

    return [saying.as_json() for saying in advise(examine([found.empty_bgr], found, caps))]
