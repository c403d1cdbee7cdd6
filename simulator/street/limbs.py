"""The shapes of what comes into the picture: hands in four gestures, a foot, a dog; from rounded limbs, in mm.

A limb is a cone with round ends, (x, y, radius) to (x, y, radius); x runs back from the fingertip, the toe or the nose.
"""

from dataclasses import dataclass, field
from typing import Literal

Gesture = Literal["ready", "flick", "pinch", "point", "foot", "dog"]
End = tuple[float, float, float]
Limbs = list[tuple[End, End]]

SKINS = ((236, 188, 160), (198, 134, 96), (141, 85, 54), (96, 58, 40), (224, 172, 138), (172, 110, 76))
SLEEVES = ((46, 74, 122), (150, 42, 46), (60, 64, 66), (206, 200, 186), (44, 104, 78), (196, 140, 44))
SHOES = ((235, 232, 225), (40, 40, 44), (120, 60, 40), (30, 60, 130))
FURS = ((60, 50, 44), (176, 132, 82), (222, 212, 196), (30, 30, 32))

_ARM: Limbs = [
    ((-62, 2, 26), (-92, 4, 30)),
    ((-60, 16, 20), (-100, 12, 24)),
    ((-62, -14, 20), (-100, -8, 24)),
    ((-95, 3, 28), (-150, 2, 24)),
    ((-150, 2, 24), (-330, 0, 34)),
]
_CURLED: Limbs = [((-56, 18, 10), (-30, 20, 9)), ((-62, 30, 9), (-42, 31, 8))]
_SLEEVE: Limbs = [((-215, 0, 40), (-900, 0, 62)), ((-900, 0, 62), (-2600, 0, 90))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Bare limbs and clothed ones, their colours, and how steeply (height over length) all rises to the back."""

    bare: Limbs
    clothed: Limbs = field(default_factory=lambda: _SLEEVE)
    bare_rgb: tuple[tuple[int, int, int], ...] = SKINS
    clothed_rgb: tuple[tuple[int, int, int], ...] = SLEEVES
    rise: float = 0.26


SHAPES: dict[Gesture, Shape] = {
    "ready": Shape(
        bare=[
            *_ARM,
            *_CURLED,
            ((-58, -16, 11), (-24, -18, 10)),
            ((-24, -18, 10), (-12, -4, 9)),
            ((-56, 2, 11), (-22, 4, 10)),
            ((-84, -26, 12), (-36, -28, 10)),
            ((-36, -28, 10), (-14, -14, 9)),
        ]
    ),
    "flick": Shape(
        bare=[
            *_ARM,
            *_CURLED,
            ((-58, -16, 11), (-30, -14, 10)),
            ((-30, -14, 10), (0, -3, 8)),
            ((-56, 2, 11), (-26, 6, 10)),
            ((-84, -26, 12), (-44, -36, 10)),
            ((-44, -36, 10), (-24, -34, 9)),
        ]
    ),
    "pinch": Shape(
        bare=[
            *_ARM,
            ((-58, -10, 11), (-26, -14, 10)),
            ((-26, -14, 10), (-4, -8, 8)),
            ((-56, 6, 11), (-28, 8, 10)),
            ((-56, 20, 10), (-36, 24, 9)),
            ((-62, 32, 9), (-46, 36, 8)),
            ((-82, -26, 12), (-44, -34, 10)),
            ((-44, -34, 10), (-8, -20, 8)),
        ]
    ),
    "point": Shape(
        bare=[
            *_ARM,
            ((-58, -12, 11), (-30, -10, 10)),
            ((-30, -10, 10), (2, -2, 8)),
            ((-56, 6, 11), (-30, 10, 10)),
            ((-56, 20, 10), (-34, 22, 9)),
            ((-62, 32, 9), (-46, 34, 8)),
            ((-82, -24, 12), (-50, -28, 10)),
        ]
    ),
    "foot": Shape(
        bare=[((-45, 0, 42), (-120, 4, 40)), ((-120, 4, 40), (-235, 0, 34))],
        clothed=[((-200, 0, 52), (-420, 0, 70)), ((-420, 0, 70), (-520, 0, 84))],
        bare_rgb=SHOES,
        rise=1.6,
    ),
    "dog": Shape(
        bare=[
            ((-20, 0, 22), (-90, 0, 45)),
            ((-90, 0, 62), (-130, 0, 60)),
            ((-130, 0, 55), (-260, 0, 85)),
            ((-260, 0, 95), (-620, 0, 80)),
            ((-640, 0, 26), (-860, 20, 12)),
            ((-110, -62, 22), (-150, -74, 12)),
            ((-110, 62, 22), (-150, 74, 12)),
        ],
        clothed=[],
        bare_rgb=FURS,
        rise=0.0,
    ),
}
