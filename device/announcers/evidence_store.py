"""The folder of pictures and clips, kept small: so many of each, so many megabytes, and the disk is never filled."""

import shutil
from collections.abc import Callable
from pathlib import Path

LEAST_FREE_MB = 200.0  # on the disk, for the journal and the rest of the system
MB = 1_000_000


def free_mb(folder: Path) -> float:
    """Tell how much room the disk has left."""
    return shutil.disk_usage(folder).free / MB


class Shelf:
    """Keeps the newest files; their names sort by age."""

    def __init__(
        self, folder: Path, *, pictures: int, clips: int, megabytes: float, free: Callable[[Path], float] = free_mb
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.keeps_clips = clips > 0
        self.keeps_pictures = pictures > 0
        self._most = {"jpg": pictures, "webp": pictures, "mp4": clips}
        self._megabytes = megabytes
        self._free_mb = free

    @property
    def has_room_for_clips(self) -> bool:
        """Tell whether the disk has room for more than the journal and the pictures."""
        return self._free_mb(self.folder) >= LEAST_FREE_MB

    def tidy(self) -> None:
        """Drop the oldest beyond each number and beyond the size; clips first when the disk is nearly full."""
        for kind, most in self._most.items():
            for old in self._oldest_first(kind)[: -most or None]:
                old.unlink(missing_ok=True)
        clips = self._oldest_first("mp4")
        while clips and not self.has_room_for_clips:
            clips.pop(0).unlink(missing_ok=True)
        kept = self._oldest_first("jpg", "webp", "mp4")
        sizes = {path: path.stat().st_size for path in kept}
        while kept and sum(sizes[path] for path in kept) > self._megabytes * MB:
            kept.pop(0).unlink(missing_ok=True)

    def _oldest_first(self, *kinds: str) -> list[Path]:
        return sorted(path for kind in kinds for path in self.folder.glob(f"*.{kind}"))
