"""The machine as the page shows it to its owner: what the camera sees, and how much room is left."""

import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from linesies.device.leaving import Farewell, take_leave
from linesies.device.membership import read_membership
from linesies.device.places import (
    camera_file,
    deck_file,
    found_caps_file,
    learning_file,
    photographs_folder,
    picture_file,
    picture_wanted_file,
)
from linesies.device.proof.walk import walk_in

PHOTOGRAPH = "1.jpg"
FRESH_S = 3.0  # of a live picture: caps put down since are on it
VIDEO = Path("/sys/class/video4linux")
OF_PI = ("unicam", "bcm2835", "rp1-cfe", "pispbe", "rpi", "rpivid")
SENSOR = re.compile(r"(imx|ov|arducam|gc|mira)\w*\s")  # like "imx708 10-001a"


class OwnDevice:
    """Asks for pictures by touching a file that the referee looks at, and reads them from the one that he writes."""

    def __init__(self, state: Path) -> None:
        self._state = state

    def picture(self) -> bytes | None:
        """Give what the camera saw a moment ago; None when no picture is fresh, and then one is asked for."""
        picture_wanted_file(self._state).touch()
        return _fresh(picture_file(self._state))

    def found_caps(self) -> list[dict[str, Any]] | None:
        """List the caps that the referee found on that picture; None when it isn't fresh."""
        written = _fresh(found_caps_file(self._state))
        return None if written is None else msgspec.json.decode(written, type=list[dict[str, Any]])

    def storage(self) -> tuple[int, int]:
        """Tell how many bytes are free where the game is kept, and how many there are."""
        room = shutil.disk_usage(self._state)
        return room.free, room.total

    def photographed(self, game: str) -> dict[str, Any]:
        """Tell which of a game's own cards were photographed, whether they are being learned, and when they were."""
        folder, deck = photographs_folder(self._state, game), deck_file(self._state, game)
        return {
            "cards": sorted(str(taken.parent.relative_to(folder)) for taken in folder.rglob(f"*/{PHOTOGRAPH}")),
            "is_learning": learning_file(self._state, game).exists(),
            "learned": deck.stat().st_mtime if deck.exists() else None,
        }

    def keep_photograph(self, game: str, card: str, jpeg: bytes) -> None:
        """Keep the photograph of a card in place of its last one."""
        taken = photographs_folder(self._state, game) / card / PHOTOGRAPH
        taken.parent.mkdir(parents=True, exist_ok=True)
        taken.write_bytes(jpeg)

    def proof_walk(self) -> dict[str, Any]:
        """Tell how far a guided proof has come."""
        walk: dict[str, Any] = msgspec.to_builtins(walk_in(self._state))
        return walk

    def league(self) -> dict[str, Any] | None:
        """Tell to which league the box belongs, None for none."""
        membership = read_membership(self._state)
        return None if membership is None else {"hub": membership.hub, "name": membership.name}

    def leave_league(self) -> dict[str, Any]:
        """Leave the league, unless its hub refuses."""
        membership = read_membership(self._state)
        return asdict(Farewell(has_left=True) if membership is None else take_leave(membership, self._state))

    def cameras(self) -> list[dict[str, object]]:
        """List the cameras of this machine, and which of them people chose."""
        chosen = _text(camera_file(self._state)).partition(" ")[0]
        found = [*_pi_cameras(), *_usb_cameras()]
        return [{"source": source, "name": name, "is_chosen": source == chosen} for source, name in found]


def _fresh(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if time.time() - path.stat().st_mtime < FRESH_S else None
    except OSError:
        return None


def _usb_cameras() -> Iterator[tuple[str, str]]:
    """Name what Video4Linux takes pictures with; the parts of a Pi's own camera are none by themselves."""
    for folder in sorted(VIDEO.glob("video*"), key=lambda path: int(path.name[5:])):
        name = _text(folder / "name")
        if _text(folder / "index") == "0" and not name.startswith(OF_PI):
            yield f"v4l2:{folder.name[5:]}", name or folder.name


def _pi_cameras() -> Iterator[tuple[str, str]]:
    """Name the cameras on a Pi's ribbons, by the sensors that the kernel has found."""
    sensors = sorted(_text(path / "name") for path in VIDEO.glob("v4l-subdev*"))
    found = [name.split()[0] for name in sensors if SENSOR.match(name)]
    for number, name in enumerate(found):
        yield f"picamera2:{number}", name


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
