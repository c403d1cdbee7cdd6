"""Caps as solids: what each kind is turned from on a lathe, its material, and what is drawn on it."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.light import linear
from linesies.simulator.street.polish import Polish
from linesies.vision import Cap

Array = NDArray[np.float32]

STEEL = (150, 152, 156)
TEETH = 21
LOGO = 96  # pixels across a cap's face


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ring:
    """One height of the wall: its radius, how much of it teeth take away, and where it faces (1: up, 0: aside).

    Of a ring with a `strip_mm` only what lies so near to its diameter is there.
    """

    height_mm: float
    radius_mm: float
    teeth: float
    up: float
    rgb: Array
    strip_mm: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Well:
    """The hollow of an open cap: its radius, the floor's height (None: it is open through), its wall's colour."""

    radius_mm: float
    floor_mm: float | None
    rgb: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CapSolid:
    """One cap: rings from the ground up, the face (LOGO, LOGO, 3) of its top or floor, and how it shines or mirrors."""

    cap: Cap
    rings: tuple[Ring, ...]
    well: Well | None
    face: Array
    gloss: float
    opacity: float
    is_mirror: bool = False
    gleam_sharpness: float = 90.0  # of the sun's image: polished steel has more, worn steel shows half a moon
    polish: Polish | None = None  # what of the world round it is mirrored, in place of a gleam of the sun alone

    @property
    def height_mm(self) -> float:
        """The highest ring's height."""
        return self.rings[-1].height_mm


def solid(cap: Cap, rng: np.random.Generator) -> CapSolid:
    """Turn a listed cap into a solid; how it is printed is chance."""
    kind = cap.kind or "crown"
    rgb = linear(cap.colour_rgb)
    rings = tuple(
        Ring(height_mm=h * cap.height_mm, radius_mm=r * cap.diameter_mm / 2, teeth=teeth, up=up, rgb=colour)
        for h, r, teeth, up, colour in _profile(kind, rgb)
    )
    shine = {"ring": 0.8, "crown": 0.35, "crown_upturned": 0.10}
    return CapSolid(
        cap=cap,
        rings=rings,
        well=_well(kind, cap, rgb),
        face=_face(cap, kind, rgb, rng),
        gloss=shine.get(kind, 0.12),
        opacity=0.72 if kind == "ring" else 1.0,
        is_mirror=kind == "glide",
        gleam_sharpness=25.0 if kind == "glide" else 90.0,
    )


def on_edge(lying: CapSolid) -> CapSolid:
    """Stand a cap on its edge, as it rolls: a thin upright disc in slices, its diameter along the pose's angle."""
    radius, half_mm = lying.cap.diameter_mm / 2, lying.cap.height_mm / 2
    heights = np.linspace(0.04, 1.98, 15) * radius
    rings = tuple(
        Ring(
            height_mm=float(height),
            radius_mm=float(np.hypot(np.sqrt(max(radius**2 - (height - radius) ** 2, 0.1)), half_mm)),
            teeth=0.0,
            up=float(np.clip(height / radius - 1, 0.1, 0.95)),
            rgb=lying.rings[len(lying.rings) // 2].rgb,
            strip_mm=half_mm,
        )
        for height in heights
    )
    return replace(lying, cap=replace(lying.cap, kind="glide"), rings=rings, well=None)


def _profile(kind: str, rgb: Array) -> list[tuple[float, float, float, float, Array]]:
    """Rings as shares of height and radius: (height, radius, teeth, up, colour)."""
    steel = linear(STEEL)
    if kind == "crown":
        return [
            (0.0, 1.0, 0.055, 0.15, 0.85 * rgb + 0.03 * steel),
            (0.18, 0.99, 0.05, 0.2, 0.95 * rgb),
            (0.38, 0.965, 0.035, 0.25, rgb),
            (0.58, 0.93, 0.015, 0.35, rgb),
            (0.78, 0.895, 0.0, 0.5, rgb),
            (0.92, 0.85, 0.0, 0.75, rgb),
            (1.0, 0.78, 0.0, 0.95, rgb),
        ]
    if kind == "crown_upturned":
        edge = 0.45 * steel + 0.15 * rgb
        levels = [(0.0, 0.80, 0.3), (0.12, 0.87, 0.2), (0.4, 0.92, 0.1), (0.7, 0.965, 0.1), (1.0, 1.0, 0.5)]
        return [(h, r, 0.075 * max(h - 0.3, 0) / 0.7, up, edge) for h, r, up in levels]
    if kind == "glide":
        arc = [
            (0.0, 0.93),
            (0.12, 1.0),
            (0.24, 1.0),
            (0.45, 0.93),
            (0.65, 0.80),
            (0.82, 0.62),
            (0.94, 0.40),
            (1.0, 0.2),
        ]
        return [(h, r, 0.0, min(1.0, 0.15 + h**1.3), rgb) for h, r in arc]
    if kind == "ring":
        arc = [(0.0, 0.88), (0.15, 0.95), (0.35, 0.99), (0.5, 1.0), (0.65, 0.99), (0.85, 0.95), (1.0, 0.88)]
        return [(h, r, 0.0, h, 0.18 * rgb) for h, r in arc]
    if kind == "lid_open":  # its face, with the rounded edge, lies on the ground
        foot = [(0.0, 0.93, 0.0, 0.05, 0.85 * rgb), (0.08, 0.975, 0.0, 0.08, 0.9 * rgb)]
        wall = [(h, 0.98 + 0.02 * h, 0.0, 0.12, 0.92 * rgb) for h in (0.18, 0.35, 0.5, 0.66, 0.82, 0.95)]
        return [*foot, *wall, (1.0, 0.985, 0.0, 0.85, rgb)]
    wall = [(h, 1.0, 0.0, 0.12, 0.92 * rgb) for h in (0.0, 0.16, 0.33, 0.5, 0.66, 0.82)]
    return [*wall, (0.93, 0.985, 0.0, 0.3, rgb), (1.0, 0.94, 0.0, 0.85, rgb)]


def _well(kind: str, cap: Cap, rgb: Array) -> Well | None:
    radius = cap.diameter_mm / 2
    if kind == "crown_upturned":
        return Well(radius_mm=0.89 * radius, floor_mm=0.72 * cap.height_mm, rgb=0.3 * linear(STEEL))
    if kind == "lid_open":
        return Well(radius_mm=0.88 * radius, floor_mm=0.14 * cap.height_mm, rgb=0.85 * rgb)
    if kind == "ring":
        return Well(radius_mm=0.70 * radius, floor_mm=None, rgb=0.2 * rgb)
    return None


def _face(cap: Cap, kind: str, rgb: Array, rng: np.random.Generator) -> Array:
    """Draw what the cap shows upwards: plain, a dot, rings, or its owner's initial."""
    face = np.empty((LOGO, LOGO, 3), np.float32)
    face[:] = rgb
    if kind in ("ring", "glide", "lid_open", "crown_upturned"):
        return face
    middle = (LOGO // 2, LOGO // 2)
    is_dark = float(rgb.mean()) < 0.35
    ink = linear((245, 243, 235) if is_dark else (30, 30, 34))
    drawn = np.zeros((LOGO, LOGO), np.uint8)
    design = rng.choice(["plain", "dot", "rings", "initial"]) if kind == "crown" else "rings"
    if design == "dot":
        cv2.circle(drawn, middle, int(LOGO * rng.uniform(0.14, 0.24)), 255, -1, cv2.LINE_AA)
    elif design == "rings":
        ink = 0.8 * rgb if kind == "lid" else ink
        cv2.circle(drawn, middle, int(LOGO * rng.uniform(0.27, 0.36)), 255, 4, cv2.LINE_AA)
    elif design == "initial":
        font, text = cv2.FONT_HERSHEY_DUPLEX, cap.player[:1].upper()
        (wide, high), _ = cv2.getTextSize(text, font, 1.8, 5)
        cv2.putText(drawn, text, (middle[0] - wide // 2, middle[1] + high // 2), font, 1.8, 255, 5, cv2.LINE_AA)
    share = drawn[..., None].astype(np.float32) / 255
    return (face * (1 - share) + ink * share).astype(np.float32)
