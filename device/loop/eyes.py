"""What the loop needs of whatever looks at a board or a table: caps, cards, or a package's own eyes."""

from collections.abc import Sequence
from typing import Protocol

from linesies.calibration import Calibration, Lens
from linesies.device.loop.repeatability import Repeated
from linesies.vision import Call, CameraLeaned, CameraMoved, Cap, Event, Expectation, Frame, Scene, TableEvent

Seen = Event | TableEvent | CameraMoved | CameraLeaned | Repeated


class Eyes(Protocol):
    """Eyes; remember how the board lies in the picture, and whether the camera has been moved since."""

    @property
    def calibration(self) -> Calibration | None:
        """Give the board as it was learned; None before it was."""
        ...

    @property
    def lens(self) -> Lens | None:
        """Give the camera's lens; None where it is not known."""
        ...

    @property
    def has_moved(self) -> bool:
        """Tell whether the camera was moved, and the board not yet found again."""
        ...

    @property
    def scene(self) -> Scene:
        """Tell where caps are right now."""
        ...

    def prepared(self, frame: Frame) -> Frame:
        """Make of a frame once what several will ask of it."""
        ...

    def see(self, frame: Frame) -> tuple[Seen, ...]:
        """Look at the next frame."""
        ...

    def finish(self) -> tuple[Seen, ...]:
        """Tell what was still open at the source's end."""
        ...

    def expect(self, expectation: Expectation) -> None:
        """Say who is to shoot and who is to place his cap."""
        ...

    def elsewhere(self, call: Call) -> str:
        """Name the location on the other side of the nearest edge of paint."""
        ...

    def has_found_board_again(self, frame: Frame) -> bool:
        """After the camera was moved, try to find the board."""
        ...

    def forget(self) -> None:
        """Look afresh: what was seen before may no longer be so, and the frames to come may count time anew."""
        ...

    def stand_corrected(self) -> None:
        """Hear that people told what was missed, or took back what was invented."""
        ...

    def recalibrate(self, calibration: Calibration) -> None:
        """Look with this calibration from now on."""
        ...

    def rekit(self, caps: Sequence[Cap]) -> None:
        """Look for these caps from now on."""
        ...

    def look_through_another(self) -> None:
        """See nothing until another camera has found the board."""
        ...
