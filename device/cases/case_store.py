"""The folder of case files, kept small: the oldest go first, the disputed last."""

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

from linesies.device.cases.case import BLOBS, Case, case_json, name_of, named, read_case
from linesies.device.errors import BadInput

MB = 1_000_000
TIDIED_TO = 0.9  # of the room, so that not every case has the whole folder looked through


class CaseStore:
    """Keeps cases and their blobs in a folder of at most so many megabytes."""

    def __init__(self, folder: Path, *, megabytes: float) -> None:
        self.folder = folder
        self._room = int(megabytes * MB)
        self._size: int | None = None

    @property
    def is_kept(self) -> bool:
        """Tell whether cases are kept at all."""
        return self._room > 0

    def keep_blob(self, data: bytes) -> str:
        """Keep bytes under the name of their content, and give that name; what is there already is written once."""
        path = self.folder / BLOBS / named(data)
        if not path.exists():
            self._write(path, data)
        return path.name

    def keep(self, case: Case) -> str:
        """Keep a case whose blobs are there; gives its file's name."""
        self._write(self.folder / name_of(case), case_json(case))
        return name_of(case)

    def tidy(self, disputed: Collection[int] = ()) -> None:
        """Where there is too much, drop whole cases, the oldest first and those of disputed rows last."""
        if self._size is None:
            self._size = sum(path.stat().st_size for path in (*self._manifests(), *self._blobs()))
        if self._size <= self._room:
            return
        going = sorted(self._manifests(), key=lambda path: (_row_of(path) in disputed, path.name))
        needed = Counter(name for path in going for name in _blobs_of(path))
        sizes = {path.name: path.stat().st_size for path in self._blobs()}
        size = sum(sizes.get(name, 0) for name in needed) + sum(path.stat().st_size for path in going)
        while going and size > TIDIED_TO * self._room:
            path = going.pop(0)
            unshared = [name for name in _blobs_of(path) if needed[name] == 1]
            needed -= Counter(_blobs_of(path))
            size -= path.stat().st_size + sum(sizes.get(name, 0) for name in unshared)
            path.unlink()
        for name in set(sizes) - set(needed):
            (self.folder / BLOBS / name).unlink()
        self._size = size

    def _write(self, path: Path, data: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(data)
        part.replace(path)
        self._size = None if self._size is None else self._size + len(data)

    def _blobs(self) -> Iterator[Path]:
        return (self.folder / BLOBS).glob("*")

    def _manifests(self) -> list[Path]:
        return [path for path in self.folder.glob("*.json") if path.is_file()]


def _row_of(path: Path) -> int:
    row = path.name.split("-")[0]
    return int(row) if row.isdigit() else 0


def _blobs_of(path: Path) -> frozenset[str]:
    """Name a case's blobs; a file that is no case needs none."""
    try:
        return read_case(path.read_bytes(), str(path)).blobs
    except (BadInput, OSError):
        return frozenset()
