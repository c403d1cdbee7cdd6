"""Who plays with which cap: the caps file."""

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from linesies.calibration import BadInput as BadFile
from linesies.calibration import read_json
from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.errors import BadInput
from linesies.vision.shadow_light import ShadowLight

SIMILAR = (
    "by hand, of 60 to 90 levels with as much of size: of 1,025 certain calls of world=varied 17400 to 17443, 17450 to "
    "17461, 17500 to 17549 and 17700 to 17724, a third on photographs of ground, seven were of another's cap or of a "
    "coin, each of a cap near which another is listed; of 324 near whose cap none is within 90 levels, none; "
    "2026-11-29"
)


@dataclass(frozen=True)
class AlikeTuning(Tuning):
    """Which listed caps look alike."""

    mirror_levels: int = tuned(
        60,
        title="nearer than which the colours of steel glides are one, which mirror what is about them",
        unit="levels",
        low=5,
        high=255,
        source="by hand in e677364, for two steel glides that no light tells apart; on which pictures was not recorded",
    )
    colour_levels: int = tuned(
        25,
        title="nearer than which two colours are one in the next light",
        unit="levels",
        low=5,
        high=255,
        source=by_hand_in("af5ee60"),
    )
    wide: float = tuned(
        0.15,
        title="of a diameter: small pictures show no less",
        unit="1",
        low=0.02,
        high=1,
        source=by_hand_in("af5ee60"),
    )
    similar_levels: float = tuned(
        72.0,
        title="between two colours of caps of one size, from which no light makes the one look like the other",
        unit="levels",
        low=10,
        high=255,
        source=SIMILAR,
    )
    similar_wide: float = tuned(
        0.18,
        title="between two sizes of caps of one colour, likewise (logarithm)",
        unit="1",
        low=0.02,
        high=1,
        source=SIMILAR,
    )


LOOKS_ALIKE = AlikeTuning()

Array = NDArray[np.float64]
Kind = Literal["crown", "crown_upturned", "lid", "lid_open", "ring", "glide"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """One player's cap: the material's colour (r, g, b), its size, and where it is widest (None: not told)."""

    player: str
    colour_rgb: tuple[int, int, int]
    diameter_mm: float
    height_mm: float
    kind: Kind | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """The caps in play."""

    caps: tuple[Cap, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KnownCap:
    """A cap of which it is known whose it is, and near which board point (2,) it lies.

    `off_mm` is how far off that point usually is, along x and y, inf where nobody knows; `beside` are other caps and
    about where they lie (2,); `light` is how shadows fall, None where it is to be told from the picture.
    """

    cap: Cap
    near_mm: Array
    beside: tuple[tuple[Cap, Array], ...] = ()
    off_mm: float = math.inf
    light: ShadowLight | None = None


class _CapFile(msgspec.Struct):
    player: str
    colour: str
    diameter: float
    height: float
    kind: Kind | None = None


class _KitFile(msgspec.Struct):
    caps: list[_CapFile]


def read_caps(path: str | os.PathLike[str]) -> tuple[Cap, ...]:
    """Read a caps file; raises BadInput naming the file and every fault's key."""
    try:
        file = read_json(path, _KitFile)
    except BadFile as fault:
        raise BadInput(str(fault)) from None
    return _checked(file, str(path))


def caps_from_file(listed: Sequence[Mapping[str, Any]], whence: str) -> tuple[Cap, ...]:
    """Read caps as their file has them; raises BadInput naming whence they came and every fault's key."""
    try:
        file = msgspec.convert({"caps": listed}, _KitFile)
    except msgspec.ValidationError as fault:
        raise BadInput(f"{whence}: {fault}") from None
    return _checked(file, whence)


def _checked(file: _KitFile, whence: str) -> tuple[Cap, ...]:
    faults = [fault for i, cap in enumerate(file.caps) for fault in _faults(i, cap)]
    names = [cap.player for cap in file.caps]
    faults += [f"`caps`: the player {name!r} stands twice" for name in sorted({n for n in names if names.count(n) > 1})]
    if not file.caps:
        faults.append("`caps` is empty; list each player's cap")
    if faults:
        raise BadInput(f"{whence}: {'; '.join(faults)}")
    return tuple(
        Cap(
            player=cap.player,
            colour_rgb=(int(cap.colour[1:3], 16), int(cap.colour[3:5], 16), int(cap.colour[5:7], 16)),
            diameter_mm=cap.diameter,
            height_mm=cap.height,
            kind=cap.kind,
        )
        for cap in file.caps
    )


def doubles(caps: Sequence[Cap]) -> list[tuple[str, str]]:
    """List the pairs of players whose caps are listed so much alike that whose is whose would be a guess."""
    return [(one.player, other.player) for one, other in combinations(caps, 2) if _is_double(one, other)]


def similar(caps: Sequence[Cap]) -> frozenset[str]:
    """List the players whose caps are listed so near another that one's look, in an odd light, may be the other's."""
    return frozenset(cap.player for pair in combinations(caps, 2) if _are_similar(*pair) for cap in pair)


def _are_similar(one: Cap, other: Cap) -> bool:
    wide = abs(math.log(one.diameter_mm / other.diameter_mm))
    return (
        _is_double(one, other)
        or math.hypot(_levels_apart(one, other) / LOOKS_ALIKE.similar_levels, wide / LOOKS_ALIKE.similar_wide) < 1
    )


def _levels_apart(one: Cap, other: Cap) -> int:
    return max(abs(a - b) for a, b in zip(one.colour_rgb, other.colour_rgb, strict=True))


def _is_double(one: Cap, other: Cap) -> bool:
    levels = LOOKS_ALIKE.mirror_levels if one.kind == other.kind == "glide" else LOOKS_ALIKE.colour_levels
    return _levels_apart(one, other) < levels and abs(one.diameter_mm / other.diameter_mm - 1) < LOOKS_ALIKE.wide


def caps_to_file(caps: Sequence[Cap]) -> dict[str, Any]:
    """Write caps as their file has them."""
    return {
        "caps": [
            {
                "player": cap.player,
                "colour": "#{:02x}{:02x}{:02x}".format(*cap.colour_rgb),
                "diameter": cap.diameter_mm,
                "height": cap.height_mm,
                "kind": cap.kind,
            }
            for cap in caps
        ]
    }


def _faults(i: int, cap: _CapFile) -> list[str]:
    faults = []
    if not cap.player:
        faults.append(f"`caps[{i}].player` is empty")
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", cap.colour):
        faults.append(f"`caps[{i}].colour` must be like #c0392b")
    if not (math.isfinite(cap.diameter) and 5 <= cap.diameter <= 100):
        faults.append(f"`caps[{i}].diameter` must be 5 to 100 mm")
    if not (math.isfinite(cap.height) and 0 < cap.height <= 60):
        faults.append(f"`caps[{i}].height` must be above 0 and at most 60 mm")
    return faults
