"""Stencils of the boxes' numbers, to be cut out and painted through."""

import re
from collections.abc import Sequence

from linesies.device.sheets.paper import EDGE_MM, Paper, TextStyle

TALL_MM = 110.0  # of a box's 304.8
BRIDGE_MM = 7.0  # what holds the inside of a closed digit


def stencils(names: Sequence[str], size_mm: tuple[float, float]) -> bytes:
    """Draw one number a page; the white bars across are bridges that stay when the black is cut out."""
    paper = Paper((max(size_mm), min(size_mm)), "Linesies: stencils of the numbers")
    width, height = paper.size_mm
    for name in (name for name in names if re.fullmatch(r"\d+", name)):
        paper.turn_page()
        base = (height + TALL_MM) / 2 + 5
        paper.text((width / 2, base), name, TextStyle(capital_mm=TALL_MM, is_bold=True, is_centred=True))
        left = width / 2 - TALL_MM * len(name) / 2
        for row in (0.27, 0.73):
            paper.block((left, base - row * TALL_MM - BRIDGE_MM / 2), (TALL_MM * len(name), BRIDGE_MM), grey=255)
        paper.text((EDGE_MM, EDGE_MM + 4), f"Box {name}: cut out the black; the white bars stay and hold the inside.")
        paper.ruler((EDGE_MM, height - EDGE_MM - 6))
    return paper.to_pdf()
