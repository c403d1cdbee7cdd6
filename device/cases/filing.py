"""Filing: the calls of an event become case files, with everything that they were measured from."""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2

from linesies.calibration import Calibration, geometry_json
from linesies.device.cases.case import Case, ContactFile, CropFile, LightFile, PartFile, call_file, expected_of
from linesies.device.cases.case_store import CaseStore
from linesies.device.cases.program import this_program
from linesies.device.cases.struck import ContactPictures
from linesies.vision import Call, Cap, Crop, Event, Image, Placed, ShadowLight, Shot, caps_to_file

PACKED = [cv2.IMWRITE_PNG_COMPRESSION, 6]  # a fifth smaller than as OpenCV packs by itself, for 2 ms more


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What all calls of an event share."""

    row: int
    event: Event
    geometry: str
    awaited: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filing:
    """Where cases are filed, and what holds for all of them: the caps in play, the setting."""

    store: CaseStore
    caps: Sequence[Cap]
    settled_s: float

    def file(
        self,
        row: int,
        event: Event,
        calibration: Calibration,
        awaited: Mapping[str, Any] | None,
        contacts: Mapping[str, ContactPictures] | None = None,
    ) -> list[str]:
        """Keep a case of each call of an event that was measured; gives their names.

        `row` is that of what was seen, `awaited` the game's public state before it; `contacts` show who was struck.
        """
        calls = list(_measured(event))
        if not calls:
            return []
        geometry = self.store.keep_blob(geometry_json(calibration))  # one for all calls of the event
        seen = _Seen(row=row, event=event, geometry=geometry, awaited=awaited)
        return [self._case(seen, call, (contacts or {}).get(str(call.player))) for call in calls]

    def _case(self, seen: _Seen, call: Call, struck: ContactPictures | None) -> str:
        exhibit = call.exhibit
        assert exhibit is not None  # only measured calls come here
        assert call.player is not None
        case = Case(
            row=seen.row,
            at_s=time.time(),
            player=call.player,
            event="shot" if isinstance(seen.event, Shot) else "placed",
            call=call_file(call),
            near=exhibit.near_mm,
            off=exhibit.off_mm if math.isfinite(exhibit.off_mm) else None,
            beside=list(exhibit.beside),
            light=None if exhibit.light is None else _light(exhibit.light),
            crops=[_crop(self.store, crop) for crop in exhibit.crops],
            calibration=seen.geometry,
            caps=caps_to_file(self.caps)["caps"],
            program=this_program(),
            settled_s=self.settled_s,
            expected=expected_of(seen.awaited),
            contact=None if struck is None else _contact(self.store, struck),
        )
        return self.store.keep(case)


def _measured(event: Event) -> Iterator[Call]:
    match event:
        case Shot(calls=calls):
            pass
        case Placed(call=call):
            calls = (call,)
        case _:
            calls = ()
    return (call for call in calls if call.exhibit is not None and call.player is not None)


def _contact(store: CaseStore, struck: ContactPictures) -> ContactFile:
    parts = [
        PartFile(t_s=part.t_s, corner=part.corner_px, picture=store.keep_blob(_png(part.bgr))) for part in struck.parts
    ]
    return ContactFile(by=struck.hit.by, t_s=struck.hit.t_s, parts=parts)


def _light(light: ShadowLight) -> LightFile:
    if light.slope is None:
        return LightFile(slope=None)
    x, y = light.slope
    return LightFile(slope=(float(x), float(y)))


def _crop(store: CaseStore, crop: Crop) -> CropFile:
    return CropFile(
        corner=crop.corner_px, now=store.keep_blob(_png(crop.now_bgr)), empty=store.keep_blob(_png(crop.empty_bgr))
    )


def _png(picture_bgr: Image) -> bytes:
    done, data = cv2.imencode(".png", picture_bgr, PACKED)
    if not done:
        raise OSError("a crop cannot be encoded")
    return data.tobytes()
