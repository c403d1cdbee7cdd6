"""A picture can be measured by a calibration of its own size alone."""

from linesies.calibration import Calibration
from linesies.device.cameras.source import Source
from linesies.device.errors import BadInput


def check_size(opened: Source, source: str, calibration: Calibration, calibration_file: str) -> None:
    """Raise BadInput where a source's pictures are not of the size that was calibrated."""
    is_px, wanted_px = ("{}x{}".format(*size) for size in (opened.size_px, calibration.view.lens.size_px))
    if is_px != wanted_px:
        raise BadInput(
            f"{source}: its pictures are {is_px}, but {calibration_file} is for {wanted_px}; calibrate at this size"
        )
