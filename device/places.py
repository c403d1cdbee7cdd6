"""Where things lie in a state folder."""

from pathlib import Path


def journal_file(state: Path) -> Path:
    """Name the journal of a state folder."""
    return state / "journal.sqlite"


def evidence_folder(state: Path) -> Path:
    """Name the folder of the pictures."""
    return state / "evidence"


def calibration_file(state: Path) -> Path:
    """Name the calibration that a demo made for itself."""
    return state / "calibration.json"


def camera_file(state: Path) -> Path:
    """Name the file that names the camera which people chose on the page, in place of the settings' own."""
    return state / "camera"


def picture_file(state: Path) -> Path:
    """Name what the camera saw last, while somebody looks."""
    return state / "picture.jpg"


def picture_wanted_file(state: Path) -> Path:
    """Name the file whose time says when somebody last wanted to look."""
    return state / "picture.wanted"


def phones_file(state: Path) -> Path:
    """Name the list of paired phones."""
    return state / "phones.sqlite"
