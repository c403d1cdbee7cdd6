"""The picture of a case: its call drawn on what it was measured from."""

from importlib.resources.abc import Traversable

from linesies.device.cases.case import Case
from linesies.device.cases.rejudging import refused_as_ours, restored
from linesies.device.errors import BadInput
from linesies.vision import Call, Image, draw_evidence, pictures_of


@refused_as_ours()
def case_picture(archive: Traversable, case: Case) -> Image:
    """Draw a case's call as it was called (640, 640, 3), black where no pixels are kept; raises BadInput."""
    kept = restored(archive, case)
    call = Call(
        player=case.player,
        xy_mm=case.call.xy,
        diameter_mm=case.call.diameter,
        location=case.call.location,
        gap_mm=case.call.gap,
        sigma_mm=case.call.sigma,
        is_certain=case.call.certain,
    )
    cap = next((cap for cap in kept.caps if cap.player == case.player), None)
    if cap is None:
        raise BadInput(f"the case of row {case.row}: its caps are not those of the game, for {case.player} has none")
    now_bgr, calibration = pictures_of(kept.exhibit, kept.calibration)
    return draw_evidence(now_bgr, calibration, call, cap)
