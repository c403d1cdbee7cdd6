"""Archives of cases: a folder, a referee's state folder, or one zip file to send."""

import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path

import msgspec

from linesies.device.cases.case import BLOBS, DAMAGED, Case, case_json, case_names, name_of, read_blob, read_case_in
from linesies.device.errors import BadInput
from linesies.device.journal.salvage import rows_to_read
from linesies.device.places import cases_folder, journal_file
from linesies.referee.addresses import place_of
from linesies.referee.past_games import games_of

Settled = Mapping[tuple[int, str], str]  # by row and player: where people said that the cap lies


def open_archive(address: str) -> Traversable:
    """Open a folder of cases, the one in a state folder, or a zip file; raises BadInput where there is none."""
    place = place_of(address)
    try:
        if place.is_dir():
            inner = cases_folder(place)
            return inner if inner.is_dir() else place
        return zipfile.Path(place if isinstance(place, Path) else place.open("rb"))
    except (OSError, *DAMAGED):
        raise BadInput(
            f"{address}: is no archive of cases; name a state folder, or a folder or zip file of cases"
        ) from None


def cases_of_row(archive: Traversable, row: int, missed: list[BadInput]) -> list[Case]:
    """Read the cases of one row; what cannot be read is added to what was `missed`, and hides no other.

    Raises BadInput where there is none at all.
    """
    names = [name for name in case_names(archive) if name.startswith(f"{row:08d}-")]
    if not names:
        raise BadInput(f"row {row}: there is no case of it; `linesies case list` names those that are kept")
    return list(cases_to_read(archive, names, missed))


def cases_to_read(archive: Traversable, names: Iterable[str], missed: list[BadInput]) -> Iterator[Case]:
    """Read the cases of these names, one after the other; what cannot be read is added to what was `missed`."""
    for name in names:
        try:
            yield read_case_in(archive, name)
        except BadInput as fault:
            missed.append(fault)


def zipped(archive: Traversable, cases: Sequence[Case], missed: list[BadInput]) -> bytes:
    """Put cases with all that belongs to them into one zip file; what cannot be read is added to what was `missed`.

    Raises BadInput where nothing can be.
    """
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:  # PNG is packed already
        for case in cases:
            try:
                blobs = {f"{BLOBS}/{name}": read_blob(archive, name) for name in sorted(case.blobs)}
            except BadInput as fault:
                missed.append(fault)
                continue
            file.writestr(name_of(case), case_json(case))
            for name in blobs.keys() - set(file.namelist()):
                file.writestr(name, blobs[name])
        if not file.namelist():
            raise missed[0]
    return buffer.getvalue()


def case_file_of(state: Path, row: int) -> bytes | None:
    """Put the cases of a row of a state folder into one zip file, None where none is kept."""
    missed: list[BadInput] = []
    try:
        archive, settled = open_archive(str(state)), settled_in(str(state))
        cases = [with_settled(case, settled) for case in cases_of_row(archive, row, missed)]
        return zipped(archive, cases, missed)
    except (BadInput, FileNotFoundError):
        return None


def settled_in(state: str) -> Settled:
    """Read out of a state folder's journal where people said that caps lie, where they had something to say.

    A journal is read on this machine only: SQLite knows no addresses.
    """
    journal = journal_file(Path(state))
    stories = games_of(rows_to_read(journal)) if journal.is_file() else []
    told: dict[tuple[int, str], str] = {}
    for story in stories:
        for entry in story.entries:
            if entry.has_word_of_people and entry.event is not None:
                rests = {entry.event.get("player", ""): entry.event.get("at"), **entry.event.get("rest", {})}
                told |= {(entry.about, player): place for player, place in rests.items() if isinstance(place, str)}
    return told


def with_settled(case: Case, settled: Settled) -> Case:
    """Add to a case what people said of it."""
    return msgspec.structs.replace(case, settled=settled.get((case.row, case.player), case.settled))
