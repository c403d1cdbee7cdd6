"""Where to hang which camera over a 6 ft board, and how exact its calls will be there: the table of docs/mount.md.

python -m linesies.benchmarks.mounting
"""

import sys
from dataclasses import dataclass

import numpy as np

from linesies.calibration import CAMERAS, Lens
from linesies.calibration.standard_boards import STREET, nominal_board
from linesies.device.doctor import TYPICAL_CAP
from linesies.simulator.street.paint import paint_board
from linesies.simulator.street.stage import perfect_survey
from linesies.simulator.street.viewpoint import choose_view
from linesies.vision import expected_sigma_mm

TILTS_DEG = (0.0, 15.0, 30.0)
SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """A camera's mode that shows its whole field, 40 frames a second or more: the one that `picamera2` is asked for."""

    camera: str
    lens: str  # its name in calibration.CAMERAS
    size_px: tuple[int, int]
    fps: int


MODES = (
    Mode(camera="Camera Module 2", lens="camera-module-2", size_px=(1640, 1232), fps=40),
    Mode(camera="Camera Module 3", lens="camera-module-3", size_px=(2304, 1296), fps=56),
    Mode(camera="Camera Module 3 Wide", lens="camera-module-3-wide", size_px=(2304, 1296), fps=56),
    Mode(camera="HQ Camera, 6 mm lens", lens="hq-6mm", size_px=(2028, 1520), fps=40),
    Mode(camera="Global Shutter, 6 mm lens", lens="global-shutter-6mm", size_px=(1456, 1088), fps=60),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mounting:
    """A camera hung so that the board and its start line just fit: how high, and what that gives on the worst box."""

    mode: Mode
    tilt_deg: float
    height_m: float
    mm_per_px: float
    sigma_mm: float


def place(mode: Mode, tilt_deg: float) -> Mounting:
    """Hang a camera and look how exact it is; the paint is surveyed as the simulator's usual one."""
    width, height = mode.size_px
    focal = CAMERAS[mode.lens].focal * width
    matrix = np.array([[focal, 0.0, (width - 1) / 2], [0.0, focal, (height - 1) / 2], [0.0, 0.0, 1.0]])
    lens = Lens(size_px=mode.size_px, camera_matrix=matrix, distortion=np.zeros(5))
    painted = paint_board(nominal_board(STREET), np.random.default_rng(SEED))
    view = choose_view(
        np.random.default_rng(SEED), painted.board, lens, tilt_deg=tilt_deg, turn_deg=90.0, has_start_line=True
    )
    calibration = perfect_survey(painted, view)
    middles = [region.polygon_mm.mean(axis=0) for region in painted.board.regions]
    return Mounting(
        mode=mode,
        tilt_deg=tilt_deg,
        height_m=view.camera_height_mm / 1000,
        mm_per_px=max(1 / view.px_per_mm(middle) for middle in middles),
        sigma_mm=max(expected_sigma_mm(calibration, TYPICAL_CAP, middle) for middle in middles),
    )


def table() -> list[str]:
    """Write the table in Markdown, a line a camera."""
    lines = ["| camera | mode | " + " | ".join(f"tilted {tilt:.0f}°" for tilt in TILTS_DEG) + " |"]
    lines.append("|---" * (2 + len(TILTS_DEG)) + "|")
    for mode in MODES:
        places = [place(mode, tilt) for tilt in TILTS_DEG]
        cells = [f"{p.height_m:.1f} m up, {p.mm_per_px:.1f} mm a pixel, ±{p.sigma_mm:.1f} mm" for p in places]
        size = f"{mode.size_px[0]}x{mode.size_px[1]} at {mode.fps}"
        lines.append(f"| {mode.camera} | {size} | {' | '.join(cells)} |")
    return lines


if __name__ == "__main__":
    sys.stdout.write("\n".join(table()) + "\n")
