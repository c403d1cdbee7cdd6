"""What proof offers to put right: sizes of caps and of the board, and the errors that are stated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from linesies.calibration import Calibration, resized
from linesies.vision.caps.cap import Cap


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What is off beyond doubt: each player's true diameter and height, how many times as large as drawn the board is.

    `sigma_times` is by how much stated errors are too small (1: they are not; they are never made smaller).
    """

    diameters_mm: Mapping[str, float] = field(default_factory=dict)
    heights_mm: Mapping[str, float] = field(default_factory=dict)
    board_times: float = 1.0
    sigma_times: float = 1.0

    @property
    def is_needed(self) -> bool:
        """Tell whether anything is off."""
        return bool(self.diameters_mm or self.heights_mm) or (self.board_times, self.sigma_times) != (1.0, 1.0)

    def calibration(self, was: Calibration) -> Calibration:
        """Put a calibration right."""
        widened = replace(was, sigma_times=was.sigma_times * self.sigma_times)
        return widened if self.board_times == 1.0 else resized(widened, self.board_times)

    def caps(self, were: Sequence[Cap]) -> tuple[Cap, ...]:
        """Put the list of caps right."""
        return tuple(
            replace(
                cap,
                diameter_mm=self.diameters_mm.get(cap.player, cap.diameter_mm),
                height_mm=self.heights_mm.get(cap.player, cap.height_mm),
            )
            for cap in were
        )
