"""Judging again: a case is measured by today's program, and the two calls are laid side by side."""

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable
from typing import Any, Literal

import cv2
import msgspec
import numpy as np

from linesies.calibration import BadInput as CalibrationFault
from linesies.calibration import Calibration, read_geometry
from linesies.device.cases.case import CallFile, Case, LightFile, call_file, read_blob, read_case_in
from linesies.device.cases.program import this_program
from linesies.device.errors import BadInput
from linesies.device.picture_size import megapixels
from linesies.vision import BadInput as VisionFault
from linesies.vision import Cap, Crop, Exhibit, Image, NotSeen, ShadowLight, caps_from_file, judge_again

Change = Literal["same", "moved", "certain", "doubtful", "flipped", "not_seen", "unreadable"]
"""How two calls on one cap differ: not at all; by numbers only; it became certain, or doubtful; it lies elsewhere."""
TOO_LITTLE = "too little of the picture is kept to ask whether a cap lies there: only its place was measured again"
MOST_CROP_MEGAPIXELS = 4.0  # a few centimetres round a cap, seen by any camera here
CALIBRATIONS = 8  # kept read; cases of one calibration follow one another


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejudged:
    """A case as it was called and is called now (None: not measured); `why` says why not, or what was not asked."""

    name: str
    case: Case | None  # None: it cannot be read
    now: CallFile | None
    why: str = ""
    is_readable: bool = True

    @property
    def is_same_program(self) -> bool:
        """Tell whether what measured then is what measures now."""
        return self.case is not None and self.case.program.measuring == this_program().measuring

    @property
    def change(self) -> Change:
        """Say in one word what has changed; where two words fit, the graver."""
        if self.case is None or not self.is_readable:
            return "unreadable"
        was, now = self.case.call, self.now
        if now is None:
            return "not_seen"
        if was.location != now.location or (was.gap > 0) != (now.gap > 0):
            return "flipped"
        if was.certain != now.certain:
            return "certain" if now.certain else "doubtful"
        return "same" if was == now else "moved"

    @property
    def is_wrong(self) -> bool:
        """Tell whether today's program calls with certainty what was settled otherwise."""
        now = None if self.now is None else msgspec.to_builtins(self.now)
        return self.case is not None and self.case.settled is not None and _is_against(now, self.case.settled)

    def as_json(self) -> dict[str, Any]:
        """Write what became of the case."""
        return {
            "case": self.name,
            "change": self.change,
            "program": this_program().measuring,
            "same_program": self.is_same_program,
            "was": None if self.case is None else msgspec.to_builtins(self.case.call),
            "now": None if self.now is None else msgspec.to_builtins(self.now),
            "settled": None if self.case is None else self.case.settled,
            "wrong": self.is_wrong,
            "why": self.why,
        }


def settled_as(line: dict[str, Any], settled: str) -> dict[str, Any]:
    """Have what was written of a case say what people have said of it since."""
    return {**line, "settled": settled, "wrong": _is_against(line["now"], settled)}


def _is_against(now: Mapping[str, Any] | None, settled: str) -> bool:
    return now is not None and now["certain"] and now["location"] != settled


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RestoredCase:
    """What a case was measured from."""

    exhibit: Exhibit
    calibration: Calibration
    caps: tuple[Cap, ...]


def rejudge(archive: Traversable, name: str, *, settled: str | None = None) -> Rejudged:
    """Measure one case of an archive again; what cannot be read is said, and stops nobody.

    `settled` is what people said of it, where the case does not say so itself.
    """
    case = None
    try:
        case = read_case_in(archive, name)
        case = case if settled is None else msgspec.structs.replace(case, settled=settled)
        kept = restored(archive, case)
        with refused_as_ours():
            call = judge_again(kept.exhibit, case.player, kept.calibration, kept.caps)
    except BadInput as fault:
        return Rejudged(name=name, case=case, now=None, why=str(fault), is_readable=False)
    if isinstance(call, NotSeen):
        return Rejudged(name=name, case=case, now=None, why=call.reason)
    return Rejudged(name=name, case=case, now=call_file(call), why=TOO_LITTLE if call.cap_share is None else "")


@contextmanager
def refused_as_ours() -> Iterator[None]:
    """Refuse as a case that cannot be used what calibration and vision refuse of it; raises BadInput."""
    try:
        yield
    except (CalibrationFault, VisionFault) as fault:
        raise BadInput(str(fault)) from None


@refused_as_ours()
def restored(archive: Traversable, case: Case) -> RestoredCase:
    """Read all that a case was measured from; raises BadInput of the folder whose part is at fault."""
    exhibit = Exhibit(
        near_mm=case.near,
        off_mm=math.inf if case.off is None else case.off,
        beside=tuple((player, near) for player, near in case.beside),
        crops=tuple(_crop(archive, *crop.corner, now=crop.now, empty=crop.empty) for crop in case.crops),
        light=None if case.light is None else _light(case.light),
    )
    caps = caps_from_file(case.caps, f"the case of row {case.row}")
    return RestoredCase(exhibit=exhibit, calibration=_geometry(read_blob(archive, case.calibration)), caps=caps)


@lru_cache(maxsize=CALIBRATIONS)
def _geometry(data: bytes) -> Calibration:
    return read_geometry(data, "its calibration")


def _light(light: LightFile) -> ShadowLight:
    return ShadowLight(slope=None if light.slope is None else np.array(light.slope))


def _crop(archive: Traversable, x: int, y: int, *, now: str, empty: str) -> Crop:
    return Crop(corner_px=(x, y), now_bgr=_picture(archive, now), empty_bgr=_picture(archive, empty))


def _picture(archive: Traversable, name: str) -> Image:
    data = read_blob(archive, name)
    if megapixels(data) > MOST_CROP_MEGAPIXELS:
        raise BadInput(f"{archive}: a blob is too large for a picture of one cap")
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise BadInput(f"{archive}: a blob is no picture")
    return np.asarray(picture, np.uint8)
