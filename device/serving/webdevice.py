"""The machine as the page shows it to its owner: what the camera sees, and how much room is left."""

import shutil
import time
from pathlib import Path

from device.places import picture_file, picture_wanted_file

FRESH_S = 10.0


class OwnDevice:
    """Asks for pictures by touching a file that the referee looks at, and reads them from the one that he writes."""

    def __init__(self, state: Path) -> None:
        self._state = state

    def picture(self) -> bytes | None:
        """Give what the camera saw a moment ago; None when no picture is fresh, and then one is asked for."""
        picture_wanted_file(self._state).touch()
        path = picture_file(self._state)
        try:
            return path.read_bytes() if time.time() - path.stat().st_mtime < FRESH_S else None
        except OSError:
            return None

    def storage(self) -> tuple[int, int]:
        """Tell how many bytes are free where the game is kept, and how many there are."""
        room = shutil.disk_usage(self._state)
        return room.free, room.total
