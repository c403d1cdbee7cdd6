"""Builders for tests of case files: three caps called on a drawn street, filed in a folder."""

import msgspec
import numpy as np

from linesies.device.cases.case import BLOBS, case_names, name_of, read_case, read_part
from linesies.device.cases.case_store import CaseStore
from linesies.device.cases.filing import Filing
from linesies.vision import Judge, KnownCap, ShadowLight, Shot
from tests import cap_pictures
from tests.cap_pictures import CAPS

PLACES = {"ana": (180.0, 180.0), "bo": (420.0, 240.0), "cal": (260.0, 420.0)}
LIGHTS = (None, ShadowLight(slope=None), ShadowLight(slope=np.array([0.7, -1.1])))
AWAITED = {"game": "skully", "turn": "ana", "awaiting": [], "phase": "play", "players": ["much", "more"]}


def cases_in(archive):
    """List the cases of a folder or zip file in the order of their rows: name and bytes."""
    return [(name, read_part(archive, name, whence=name)) for name in case_names(archive)]


def called(calibration):
    """A shot of Ana's, with the calls of all three caps and what they were measured from."""
    picture = cap_pictures.picture(calibration, [(cap, PLACES[cap.player]) for cap in CAPS])
    judge = Judge(calibration, CAPS)
    known = (
        KnownCap(cap=cap, near_mm=np.add(PLACES[cap.player], (1.0, -2.0)), light=light)
        for cap, light in zip(CAPS, LIGHTS, strict=True)
    )
    calls = tuple(judge.fit(picture, one) for one in known)
    return Shot(player="ana", hits=(), calls=calls, t_start_s=1.0, t_end_s=2.0)


def filed(folder, shot, calibration, *, rows, megabytes=100.0):
    store = CaseStore(folder, megabytes=megabytes)
    filing = Filing(store=store, caps=CAPS, settled_s=0.4)
    return store, {row: filing.file(row, shot, calibration, AWAITED) for row in rows}


def copied(folder, *, rows):
    """Add the cases of a folder once more for each of these rows."""
    cases = [read_case(path.read_bytes(), path.name) for path in sorted(folder.glob("*.json"))]
    for row in rows:
        for case in cases:
            another = msgspec.structs.replace(case, row=row)
            (folder / name_of(another)).write_bytes(msgspec.json.encode(another))
    assert (folder / BLOBS).is_dir()
