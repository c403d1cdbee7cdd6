"""Where the simulator's camera hangs: far enough to see the whole board, at a slant, through a bent lens."""

from dataclasses import replace

import numpy as np

from linesies.calibration import Board, Lens, View

MARGIN = (0.03, 0.07)  # free picture round the board's corners, of its height
BEHIND = 0.06  # room behind the start line where caps wait, of the board's height
FOCAL = (0.62, 1.02)  # focal length, in picture widths


def choose_lens(rng: np.random.Generator, size_px: tuple[int, int]) -> Lens:
    """Choose a lens as small cameras have them: slightly off centre, slightly barrelled or not."""
    width, height = size_px
    focal = width * rng.uniform(*FOCAL)
    cx = (width - 1) / 2 + rng.normal(0, 0.003 * width)
    cy = (height - 1) / 2 + rng.normal(0, 0.005 * width)
    return Lens(
        size_px=size_px,
        camera_matrix=np.array([[focal, 0.0, cx], [0.0, focal, cy], [0.0, 0.0, 1.0]]),
        distortion=np.array([rng.normal(-0.03, 0.06), rng.normal(0, 0.015), *rng.normal(0, 5e-4, 2), 0.0]),
    )


def choose_view(
    rng: np.random.Generator, board: Board, lens: Lens, *, tilt_deg: float, turn_deg: float, has_start_line: bool
) -> View:
    """Hang the camera so that the board just fits: `tilt_deg` from looking straight down, turned about the upright."""
    margin_px = lens.size_px[1] * rng.uniform(*MARGIN)
    rotation = _about_x(-np.radians(tilt_deg)) @ _about_z(np.radians(turn_deg))
    width, height = board.size_mm
    corners = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
    aim = np.array([width / 2, height / 2])
    if has_start_line and board.start_line_mm is not None:
        corners = np.vstack([corners, board.start_line_mm - [0.0, BEHIND * height]])
    far, near = 20.0 * width, 0.3 * width
    for _ in range(30):
        distance = (far + near) / 2
        view = _hang(lens, rotation, aim, distance)
        seen = view.mm_to_px(corners)
        middle_px = (seen.min(axis=0) + seen.max(axis=0)) / 2
        aim = aim + view.px_to_mm(middle_px[None])[0] - view.px_to_mm(_centre(lens)[None])[0]
        fits = np.all(np.ptp(seen, axis=0) <= np.array(lens.size_px) - 2 * margin_px)
        far, near = (distance, near) if fits else (far, distance)
    return _hang(lens, rotation, aim, far)


def look_through(view: View, window_px: tuple[int, int], rng: np.random.Generator) -> View:
    """Keep a window of the camera's picture alone, somewhere within."""
    (width, height), room = window_px, np.array(view.lens.size_px) - window_px
    corner = np.floor(rng.uniform(0, 1, 2) * np.maximum(room, 0))
    matrix = view.lens.camera_matrix.copy()
    matrix[:2, 2] -= corner
    return replace(view, lens=replace(view.lens, size_px=(width, height), camera_matrix=matrix))


def _centre(lens: Lens) -> np.ndarray:
    return (np.array(lens.size_px, float) - 1) / 2


def _hang(lens: Lens, rotation: np.ndarray, aim_mm: np.ndarray, distance_mm: float) -> View:
    camera = np.append(aim_mm, 0.0) - distance_mm * rotation[2]
    return View(lens=lens, rotation=rotation, translation_mm=-rotation @ camera)


def _about_x(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def _about_z(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
