"""A guided proof, place by place: what has been photographed and measured so far, in a folder of its own.

Of each place there are two pictures, and once it is measured what that gave; a walk begins with the first place.
"""

from pathlib import Path

import msgspec

from linesies.calibration.files import read_json, write_whole
from linesies.device.places import proof_folder
from linesies.vision import Cap, Station, draw_gauge, seated_at

PLACES = 5


class Walk(msgspec.Struct, frozen=True, kw_only=True):
    """How far a walk has come: how many places are measured, and of the next one whether the gauge was photographed.

    `seats` lists for each place whose cap belongs on which ring, empty for nobody's.
    """

    seats: list[list[str]] = []
    measured: int = 0
    has_gauge: bool = False
    is_measuring: bool = False


def picture_at(state: Path, place: int, shows: str) -> Path:
    """Name a picture: `shows` is gauge or caps."""
    return proof_folder(state) / f"{place}-{shows}.png"


def measuring_file(state: Path) -> Path:
    """Name what is there while a place is being measured."""
    return proof_folder(state) / "measuring"


def seats_of(caps: tuple[Cap, ...], line_width_mm: float) -> list[list[str]]:
    """Say for each place whose cap is to lie on which ring."""
    gauge = draw_gauge(line_width_mm)
    seated = [seated_at(gauge, caps, place) for place in range(PLACES)]
    return [[at[n].player if n in at else "" for n in range(len(gauge.seats))] for at in seated]


def begin(state: Path, seats: list[list[str]]) -> None:
    """Begin anew: forget the walk before."""
    folder = proof_folder(state)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    write_whole(_seats_file(state), msgspec.json.encode(seats))


def walk_in(state: Path) -> Walk:
    """Tell how far the walk has come that is kept in a state folder; without one, nowhere."""
    if not _seats_file(state).exists():
        return Walk()
    seats = read_json(_seats_file(state), list[list[str]])
    measured = len(stations_in(state))
    has_gauge = picture_at(state, measured, "gauge").exists()
    is_measuring = measuring_file(state).exists()
    return Walk(seats=seats, measured=measured, has_gauge=has_gauge, is_measuring=is_measuring)


def stations_in(state: Path) -> list[Station]:
    """Read what was measured, from the first place on; raises BadInput for what is not a measurement."""
    files = [_station_file(state, place) for place in range(PLACES)]
    there = next((n for n, file in enumerate(files) if not file.exists()), PLACES)
    return [read_json(file, Station) for file in files[:there]]


def keep_station(state: Path, place: int, station: Station) -> None:
    """Keep what was measured at a place."""
    write_whole(_station_file(state, place), msgspec.json.encode(station))


def _seats_file(state: Path) -> Path:
    return proof_folder(state) / "seats.json"


def _station_file(state: Path, place: int) -> Path:
    return proof_folder(state) / f"{place}.json"
