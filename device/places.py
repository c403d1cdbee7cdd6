"""Where things lie in a state folder, and state folders for no longer than they are needed."""

import contextlib
import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

PASSING = "linesies-"
ALIVE = "alive"  # locked for as long as somebody needs the folder, however he ends


def journal_file(state: Path) -> Path:
    """Name the journal of a state folder."""
    return state / "journal.sqlite"


def evidence_folder(state: Path) -> Path:
    """Name the folder of the pictures."""
    return state / "evidence"


def cases_folder(state: Path) -> Path:
    """Name the folder of the case files."""
    return state / "cases"


def calibration_file(state: Path) -> Path:
    """Name the calibration that a demo made for itself."""
    return state / "calibration.json"


def certificate_file(state: Path) -> Path:
    """Name the certificate that proof of this installation gave."""
    return state / "certificate.json"


def proof_folder(state: Path) -> Path:
    """Name the folder of what a guided proof has photographed and measured so far."""
    return state / "proof"


def camera_file(state: Path) -> Path:
    """Name the file that names the camera which people chose on the page, in place of the settings' own."""
    return state / "camera"


def picture_file(state: Path) -> Path:
    """Name what the camera saw last, while somebody looks."""
    return state / "picture.jpg"


def found_caps_file(state: Path) -> Path:
    """Name what lists the caps found on the camera's last picture."""
    return state / "picture.json"


def picture_wanted_file(state: Path) -> Path:
    """Name the file whose time says when somebody last wanted to look."""
    return state / "picture.wanted"


def photographs_folder(state: Path, game: str) -> Path:
    """Name the folder of the photographs from which a game's cards are learned: one folder a card."""
    return state / "decks" / game


def deck_file(state: Path, game: str) -> Path:
    """Name the deck that was learned from these photographs."""
    return state / "decks" / f"{game}.deck"


def learning_file(state: Path, game: str) -> Path:
    """Name what is there while that deck is being learned."""
    return state / "decks" / f"{game}.learning"


def remembered_file(state: Path) -> Path:
    """Name the list of players whose games are told across games."""
    return state / "people.json"


def phones_file(state: Path) -> Path:
    """Name the list of paired phones."""
    return state / "phones.sqlite"


@contextlib.contextmanager
def passing_folder() -> Iterator[Path]:
    """Make a folder that goes when it is no longer needed; what killed ones have left behind goes now."""
    _sweep(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=PASSING) as name, (Path(name) / "new").open("w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        Path(alive.name).rename(Path(name) / ALIVE)  # so nobody finds it without its lock
        yield Path(name)


def _sweep(folder: Path) -> None:
    for mark in folder.glob(f"{PASSING}*/{ALIVE}"):
        with contextlib.suppress(OSError), mark.open("r+") as alive:  # another's, or alive
            fcntl.flock(alive, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(mark.parent, ignore_errors=True)
