"""`linesies learn`: learn a deck from photographs of its cards."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import click
import numpy as np

from linesies.device.cameras.pictures import ENDINGS, read_picture
from linesies.device.errors import BadInput
from linesies.device.progress import with_time_left
from linesies.vision import BadInput as BadPicture
from linesies.vision import Image, LearnedDie, learn, photograph, photograph_die

Photo = TypeVar("Photo")
DIE = "die"  # the folder of a deck's die; one folder a face in it


@click.command("learn")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("-o", "--output", "deck_file", required=True, metavar="DECKFILE", help="Where to write the deck.")
def command(folder: Path, deck_file: str) -> None:
    """Learn a deck from FOLDER/<card>/*.jpg or *.png, each a photograph of that one card lying on a table.

    One picture a card will do; two, on different tables or in different light, are better. The back, if it is to be
    known, goes into FOLDER/back, the faces of a die into FOLDER/die/<face>. A folder's name is the card's name: J12,
    PIRATE:harry, 7, SB ...

    \b
    linesies learn skull_king -o skull_king.deck
    linesies cards table.jpg --deck skull_king.deck
    """  # noqa: D301 - \b is click's sign for a paragraph to be left as it is
    cards = _pictures(folder, apart=DIE)
    shown = with_time_left(cards.items(), "cards", len(cards))
    photos, faults = {}, []
    for card, paths in shown:
        photos[card], wrong = _taken(paths, photograph)
        faults += wrong
    die, wrong = _die(folder / DIE)
    if faults or wrong:
        raise BadInput("; ".join((*faults, *wrong)))
    lesson = learn(photos, die)
    for card in lesson.unlike:
        click.echo(f"linesies: warning: {folder / card}: its pictures don't look alike; keep the clear ones", err=True)
    for one, other in lesson.alike:
        pair = f"{folder / one} and {folder / other}"
        click.echo(f"linesies: warning: {pair} cannot be told apart; look at their pictures", err=True)
    lesson.deck.save(deck_file)
    told = {
        "ok": True,
        "cards": len(lesson.deck.names),
        "back": lesson.deck.has_back,
        "die": len(lesson.deck.die.names) if lesson.deck.die else 0,
        "pictures": sum(len(several) for several in photos.values()),
        "alike": [list(pair) for pair in lesson.alike],
    }
    click.echo(json.dumps(told, ensure_ascii=False))


def _die(folder: Path) -> tuple[LearnedDie | None, list[str]]:
    """Learn a die's faces, and say which pictures show none."""
    if not folder.is_dir():
        return None, []
    faces, faults = {}, []
    for face, paths in _pictures(folder).items():
        taken, wrong = _taken(paths[:1], photograph_die)  # one says it all: a die is always seen from above
        faults += wrong
        if taken:
            faces[face] = taken[0]
    return (LearnedDie(tuple(faces), np.stack(list(faces.values()))) if faces else None), faults


def _pictures(folder: Path, apart: str = "") -> dict[str, list[Path]]:
    """List each card's pictures by the card's name, which is its folder's; raises BadInput for an unusable folder."""
    try:
        cards = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    except OSError as fault:
        raise BadInput(
            f"{folder}: cannot be read ({fault.strerror}); give a folder that holds a folder a card"
        ) from None
    pictures = {card.name: _pictures_of(card) for card in cards if card.name != apart}
    if not pictures:
        raise BadInput(f"{folder}: holds no folders; put each card's pictures into a folder named as the card")
    return pictures


def _pictures_of(card: Path) -> list[Path]:
    inside = sorted(path for path in card.iterdir() if not path.name.startswith("."))
    if nested := [path for path in inside if path.is_dir()]:
        raise BadInput(f"{nested[0]}: is a folder within a card's folder; put the pictures straight into {card}")
    pictures = [path for path in inside if path.suffix.lower() in ENDINGS]
    if not pictures:
        raise BadInput(f"{card}: holds no picture; put a .jpg or .png of that card there, or remove the folder")
    return pictures


def _taken(paths: Sequence[Path], take: Callable[[Image], Photo]) -> tuple[list[Photo], list[str]]:
    """Take what pictures show, and say of each that shows nothing to be learned why."""
    taken: list[Photo] = []
    faults = []
    for path in paths:
        try:
            taken.append(take(read_picture(path)))
        except BadPicture as fault:
            faults.append(f"{path}: {fault}")
    return taken, faults
