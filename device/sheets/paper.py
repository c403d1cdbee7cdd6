"""Paper: a PDF drawn in millimetres from a page's upper left corner, true to scale when printed at 100 %."""

from collections.abc import Sequence
from dataclasses import dataclass

from fpdf import FPDF

Point = tuple[float, float]
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
EDGE_MM = 12.0  # what home printers leave white
RULER_MM = 100.0
FONT = "helvetica"
PT_PER_MM = 72 / 25.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Pen:
    """How a line is drawn: its width, its grey (0 black, 255 white), and whether it is dashed."""

    width_mm: float = 0.3
    grey: int = 0
    is_dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TextStyle:
    """How a text is set: the height of its capitals, bold or not, centred on its point or starting there."""

    capital_mm: float = 3.0
    is_bold: bool = False
    is_centred: bool = False
    grey: int = 0


CAPITAL_SHARE = 0.72  # of the font's size, Helvetica's capitals


class Paper:
    """A document of pages of one size."""

    def __init__(self, size_mm: tuple[float, float], title: str) -> None:
        self.size_mm = size_mm
        self._pdf = FPDF(unit="mm", format=size_mm)
        self._pdf.set_auto_page_break(auto=False)
        self._pdf.set_margins(0, 0, 0)
        self._pdf.c_margin = 0
        self._pdf.set_title(title)
        self._pdf.set_creator("Linesies")

    def turn_page(self) -> None:
        """Begin a new page."""
        self._pdf.add_page()

    def line(self, start_mm: Point, end_mm: Point, pen: Pen) -> None:
        """Draw a straight line."""
        self._take(pen)
        self._pdf.line(*start_mm, *end_mm)

    def outline(self, points_mm: Sequence[Point], pen: Pen) -> None:
        """Draw a closed polygon's outline."""
        self._take(pen)
        self._pdf.polygon(list(points_mm), style="D")

    def circle(self, middle_mm: Point, diameter_mm: float, pen: Pen) -> None:
        """Draw a circle; half of the pen's width lies outside it."""
        self._take(pen)
        self._pdf.circle(*middle_mm, diameter_mm / 2, style="D")

    def disc(self, middle_mm: Point, diameter_mm: float, rgb: tuple[int, int, int]) -> None:
        """Fill a circle."""
        self._pdf.set_fill_color(*rgb)
        self._pdf.circle(*middle_mm, diameter_mm / 2, style="F")

    def block(self, corner_mm: Point, size_mm: tuple[float, float], grey: int = 0) -> None:
        """Fill a rectangle."""
        self._pdf.set_fill_color(grey)
        self._pdf.rect(*corner_mm, *size_mm, style="F")

    def text(self, at_mm: Point, words: str, how: TextStyle | None = None) -> None:
        """Set a line of text with its baseline at a point; letters that the font lacks become question marks."""
        how = how or TextStyle()
        self._pdf.set_font(FONT, "B" if how.is_bold else "", how.capital_mm / CAPITAL_SHARE * PT_PER_MM)
        self._pdf.set_text_color(how.grey)
        known = words.encode("latin-1", "replace").decode("latin-1")
        shift = self._pdf.get_string_width(known) / 2 if how.is_centred else 0.0
        self._pdf.text(at_mm[0] - shift, at_mm[1], known)

    def ruler(self, corner_mm: Point) -> None:
        """Draw a ruler by which people see whether the printer kept to scale."""
        x, y = corner_mm
        self.line((x, y), (x + RULER_MM, y), Pen())
        for tick in range(0, int(RULER_MM) + 1, 10):
            self.line((x + tick, y), (x + tick, y - (4 if tick % 50 == 0 else 2)), Pen())
        self.text((x, y + 5), f"This must measure {RULER_MM:.0f} mm: print at 100 %, without fitting to the page.")

    def to_pdf(self) -> bytes:
        """Give the document's bytes."""
        return bytes(self._pdf.output())

    def _take(self, pen: Pen) -> None:
        self._pdf.set_line_width(pen.width_mm)
        self._pdf.set_draw_color(pen.grey)
        self._pdf.set_dash_pattern(dash=2, gap=2) if pen.is_dashed else self._pdf.set_dash_pattern()
