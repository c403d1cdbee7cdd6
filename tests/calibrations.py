"""A plain calibration for tests: a box and a trapezoid of the skull beside one another, seen from straight above."""

import numpy as np

from linesies.calibration import Board, Calibration, Lens, PaintedLine, Region, Survey, View

HALF_MM = 5.0  # half the width of a line


def plain_calibration():
    """Box 1 from x = 0 to 100, skull1 from 100 to 200, both 100 high; the line between them bounds the skull."""
    regions = (_region("1", 0.0), _region("skull1", 100.0))
    lens = Lens(
        size_px=(64, 48), camera_matrix=np.array([[50.0, 0, 32], [0, 50.0, 24], [0, 0, 1]]), distortion=np.zeros(5)
    )
    view = View(lens=lens, rotation=np.eye(3), translation_mm=np.array([-100.0, -50.0, 300.0]))
    board = Board(name="plain", size_mm=(200.0, 100.0), line_width_mm=2 * HALF_MM, regions=regions)
    lines = (*(_line(x, "skull" if x > 0 else "") for x in (0.0, 100.0, 200.0)), _rail(0.0), _rail(100.0))
    return Calibration(
        board=board,
        view=view,
        survey=Survey(lines=lines, misfit_px=0.1),
        regions=regions,
        reprojection_px=0.1,
        empty_bgr=np.zeros((48, 64, 3), np.uint8),
    )


def _region(name, left_mm):
    corners = [[left_mm, 0.0], [left_mm + 100, 0.0], [left_mm + 100, 100.0], [left_mm, 100.0]]
    return Region(name=name, polygon_mm=np.array(corners))


def _line(x_mm, line_class):
    return _painted(np.array([[x_mm, 0.0], [x_mm, 100.0]]), np.array([HALF_MM, 0.0]), line_class)


def _rail(y_mm):
    return _painted(np.array([[0.0, y_mm], [200.0, y_mm]]), np.array([0.0, HALF_MM]), "")


def _painted(middle_mm, aside_mm, line_class):
    return PaintedLine(
        line_class=line_class,
        left_mm=middle_mm - aside_mm,
        right_mm=middle_mm + aside_mm,
        sigma_mm=np.array([0.1, 0.1]),
    )
