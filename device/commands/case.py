"""`linesies case`: what each call was measured from: list the cases that are kept, show one, send one."""

import time
from collections.abc import Iterable, Iterator
from importlib.resources.abc import Traversable
from pathlib import Path

import click
import cv2

from linesies.device.cases.archives import cases_of_row, cases_to_read, open_archive, settled_in, with_settled, zipped
from linesies.device.cases.case import CallFile, Case, case_names, read_blob
from linesies.device.cases.picturing import case_picture
from linesies.device.errors import BadInput

STATE = click.option(
    "--state",
    type=click.Path(exists=True),
    default="linesies-state",
    show_default=True,
    help="The state folder, a folder of cases, or a zip file.",
)
ROWS = click.argument("rows", type=click.IntRange(1), nargs=-1, required=True)


@click.group("case")
def command() -> None:
    """Show or send what a call was measured from.

    Nothing is sent by itself: `export` writes a file, and you decide who gets it. It shows a few centimetres of street
    round each cap, and no more.
    """


@command.command("list")
@STATE
def list_cases(state: str) -> None:
    """List the cases that are kept."""
    archive = open_archive(state)
    missed: list[BadInput] = []
    for case in cases_to_read(archive, case_names(archive), missed):
        stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(case.at_s))
        click.echo(f"{case.row:6} {stamp} {case.player}: {_words(case.call)}")
    _tell(missed)


@command.command("show")
@ROWS
@STATE
@click.option("--pictures", type=click.Path(file_okay=False, path_type=Path), help="Write a picture of each there.")
def show(rows: tuple[int, ...], state: str, pictures: Path | None) -> None:
    """Show the calls of these rows: numbers, program, what was awaited, and what people said."""
    archive, settled = open_archive(state), settled_in(state)
    missed: list[BadInput] = []
    for kept in (kept for row in rows for kept in cases_of_row(archive, row, missed)):
        case = with_settled(kept, settled)
        click.echo(f"row {case.row}, {case.event}, {case.player}: {_words(case.call)}")
        click.echo(f"  measured by linesies {case.program.version} ({case.program.measuring})")
        click.echo(f"  awaited: {_awaited(case)}")
        if case.settled is not None:
            click.echo(f"  people said: {case.settled}")
        if case.contact is not None:
            click.echo(f"  struck by {case.contact.by}")
        if pictures is not None:
            for path in (_drawn(archive, case, pictures), *_struck(archive, case, pictures)):
                click.echo(f"  {path}")
    _tell(missed)


@command.command("export")
@ROWS
@STATE
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), default="case.zip", show_default=True)
def export(rows: tuple[int, ...], state: str, output: Path) -> None:
    """Write the cases of these rows, with what people said of them, into one zip file to send."""
    archive, settled = open_archive(state), settled_in(state)
    missed: list[BadInput] = []
    cases = [with_settled(case, settled) for row in rows for case in cases_of_row(archive, row, missed)]
    packed = zipped(archive, cases, missed)
    try:
        output.write_bytes(packed)
    except OSError as fault:
        raise BadInput(f"{output}: cannot be written ({fault.strerror}); choose another place") from None
    _tell(missed)
    count = len(case_names(open_archive(str(output))))
    click.echo(f"{output}: {count} calls, {len(packed) / 1000:.0f} kB", err=True)


def _tell(missed: Iterable[BadInput]) -> None:
    for fault in missed:
        click.echo(f"left out: {fault}", err=True)


def _words(call: CallFile) -> str:
    certain = "certain" if call.certain else "too close"
    return f"{call.location}, gap {call.gap:+.2f} mm, sigma {call.sigma:.2f} mm, {certain}"


def _awaited(case: Case) -> str:
    turn = case.expected.get("turn")
    placing = [f"{due['player']} in {due['box']}" for due in case.expected.get("awaiting", ()) if "box" in due]
    return "; ".join([f"{turn}'s turn" if turn else "nobody's turn", *placing])


def _drawn(archive: Traversable, case: Case, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{_stem(case)}.png"
    if not cv2.imwrite(str(path), case_picture(archive, case)):
        raise BadInput(f"{path}: cannot be written; choose another folder")
    return path


def _struck(archive: Traversable, case: Case, folder: Path) -> Iterator[Path]:
    """Write out how a cap was struck, picture by picture."""
    for number, part in enumerate(() if case.contact is None else case.contact.parts, start=1):
        path = folder / f"{_stem(case)}-struck-{number}.png"
        path.write_bytes(read_blob(archive, part.picture))
        yield path


def _stem(case: Case) -> str:
    return f"{case.row:08d}-{case.player}"
