"""Why a referee cannot start, found by trying what he tries first; and what would let him, where a program may do that.

A mend takes nothing away: what cannot be read is set aside under another name.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from linesies.calibration import CalibrationError, read_calibration
from linesies.device.errors import DeviceError
from linesies.device.journal.mending import BESIDE, open_journal
from linesies.device.places import journal_file, phones_file
from linesies.device.settings.settings import Settings
from linesies.device.settings.settings_backup import read_settings
from linesies.vision import VisionError, read_caps

LAST_WORDS = "last_words"  # in the folder of what runs: why the referee ended by himself

Mend = Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ailment:
    """What is wrong, in the words of whoever found it; what a mend would do, and the mend, where there is one."""

    words: str
    offer: str = ""
    mend: Mend | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """The settings file and its spare, the folder of games, and where a referee leaves his last words."""

    config: Path
    spare: Path
    state: Path
    run: Path

    def settings(self) -> Settings | None:
        """Give the settings that a referee would have; None where neither file can be read."""
        try:
            return read_settings(self.config, self.spare)[0]
        except DeviceError:
            return None


def ailments_of(patient: Patient) -> list[Ailment]:
    """Find all that is wrong; what nobody finds is told by the referee's last words."""
    return [*_of_settings(patient), *_of_disk(patient.state), *_of_journal(patient.state), *_of_files(patient)]


def last_words(patient: Patient) -> str:
    """Give what the referee said last before he ended; empty where he said nothing."""
    try:
        return (patient.run / LAST_WORDS).read_text(encoding="utf-8")
    except OSError:
        return ""


def _of_settings(patient: Patient) -> Iterator[Ailment]:
    try:
        read_settings(patient.config, patient.spare)
    except DeviceError as fault:
        offer = f"Mend the line that is named, in {patient.config}; `linesies init -` prints a whole file."
        yield Ailment(words=str(fault), offer=offer)


def _of_disk(state: Path) -> Iterator[Ailment]:
    try:
        probe = state / "probe"
        probe.write_bytes(bytes(4096))
        probe.unlink()
    except OSError as fault:
        words = f"{state}: cannot be written ({fault.strerror})"
        yield Ailment(words=words, offer="Remove files if the card is full; else take a new card.")


def _of_journal(state: Path) -> Iterator[Ailment]:
    path = journal_file(state)
    try:
        open_journal(path)[0].close()
    except (DeviceError, sqlite3.Error, OSError) as fault:
        parts = [path.with_name(path.name + end) for end in BESIDE]
        yield Ailment(
            words=str(fault),
            offer="Set the games aside and begin with none; they are kept beside it.",
            mend=lambda: _set_aside(*parts),
        )
    try:
        with sqlite3.connect(phones_file(state)) as phones:
            phones.execute("SELECT count(*) FROM phones")
    except sqlite3.DatabaseError as fault:
        if "no such table" not in str(fault):
            yield Ailment(
                words=f"{phones_file(state)}: cannot be read ({fault})",
                offer="Forget which phones were let in; each is asked for a code again.",
                mend=lambda: _set_aside(phones_file(state)),
            )


def _of_files(patient: Patient) -> Iterator[Ailment]:
    settings = patient.settings()
    if settings is None:
        return
    for name, read, what in (
        (settings.camera.calibration, read_calibration, "the board as it was learned"),
        (settings.camera.caps, read_caps, "whose cap is which"),
    ):
        path = Path(name)
        try:
            if path.exists():
                read(name)
        except (CalibrationError, VisionError, DeviceError) as fault:
            yield Ailment(
                words=str(fault),
                offer=f"Set {what} aside, and set it up anew by phone.",
                mend=lambda path=path: _set_aside(path),  # type: ignore[misc] # bound now, not when called
            )


def _set_aside(*paths: Path) -> None:
    """Rename files that are there, by the time."""
    ending = time.strftime("%Y%m%d-%H%M%S")
    for path in paths:
        if path.exists():
            path.rename(path.with_name(f"{path.name}.{ending}"))
