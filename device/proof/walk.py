"""A guided proof, place by place: what has been photographed and measured so far, in a folder of its own.

Of each place there are two pictures, and once it is measured what that gave; a walk begins with the first place.
"""

from pathlib import Path

import msgspec

from linesies.device.places import proof_folder

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


def station_file(state: Path, place: int) -> Path:
    """Name what was measured at a place."""
    return proof_folder(state) / f"{place}.json"


def measuring_file(state: Path) -> Path:
    """Name what is there while a place is being measured."""
    return proof_folder(state) / "measuring"


def begin(state: Path, seats: list[list[str]]) -> None:
    """Begin anew: forget the walk before; raises OSError where nothing can be kept."""
    folder = proof_folder(state)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    _seats_file(state).write_bytes(msgspec.json.encode(seats))


def measured_in(state: Path) -> int:
    """Count the places that are measured, from the first on."""
    return next((place for place in range(PLACES) if not station_file(state, place).exists()), PLACES)


def walk_in(state: Path) -> Walk:
    """Tell how far the walk has come that is kept in a state folder; without one, nowhere."""
    try:
        seats = msgspec.json.decode(_seats_file(state).read_bytes(), type=list[list[str]])
    except (OSError, msgspec.MsgspecError):
        return Walk()
    measured = measured_in(state)
    has_gauge = picture_at(state, measured, "gauge").exists()
    return Walk(seats=seats, measured=measured, has_gauge=has_gauge, is_measuring=measuring_file(state).exists())


def _seats_file(state: Path) -> Path:
    return proof_folder(state) / "seats.json"
