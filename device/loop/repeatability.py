"""The box proves itself while it plays: a cap that lies still is measured again and again, and must come out alike.

Hands, shadows and light pass meanwhile. What that scatters is the box's own repeatability; it must stay within the
standard error that its calls state.
"""

from dataclasses import dataclass

from linesies.vision import Call

EVERY_S = 10.0  # one cap at a time: of a core a few thousandths
MOVED_MM = 0.5  # farther away it lies elsewhere
LEAST = 20  # comparisons: fewer prove no scatter
WIDE = 1.25  # of what is stated; with twenty comparisons chance alone reaches that once in a dozen


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeated:
    """What measuring again has come to: how many comparisons, their scatter, and the standard error stated (mm)."""

    count: int
    scatter_mm: float
    sigma_mm: float

    @property
    def is_beyond(self) -> bool:
        """Tell whether calls scatter more than they state."""
        return self.count >= LEAST and self.scatter_mm > WIDE * self.sigma_mm


@dataclass(slots=True)
class _Series:
    """One cap in one place: where, how often it was measured, and the mean gap."""

    xy_mm: tuple[float, float]
    count: int
    gap_mm: float


class Repeatability:
    """Remembers how each cap that lies still was measured, and what all of them scatter together."""

    def __init__(self) -> None:
        self._series: dict[str, _Series] = {}
        self._count = 0
        self._squares_mm2 = 0.0
        self._stated_mm2 = 0.0

    def add(self, player: str, call: Call) -> Repeated | None:
        """Take one more measurement of a cap at rest; tells what all come to, None of the first in its place."""
        series = self._series.get(player)
        if series is None or _away_mm(series.xy_mm, call.xy_mm) > MOVED_MM:
            self._series[player] = _Series(xy_mm=call.xy_mm, count=1, gap_mm=call.gap_mm)
            return None
        series.count += 1
        off_mm = call.gap_mm - series.gap_mm
        series.gap_mm += off_mm / series.count
        self._count += 1
        self._squares_mm2 += off_mm * (call.gap_mm - series.gap_mm)  # by which the sum of squares about the mean grows
        self._stated_mm2 += call.sigma_mm**2
        return Repeated(
            count=self._count,
            scatter_mm=(self._squares_mm2 / self._count) ** 0.5,
            sigma_mm=(self._stated_mm2 / self._count) ** 0.5,
        )


def _away_mm(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)
