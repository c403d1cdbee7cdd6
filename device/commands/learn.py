"""`linesies learn`: learn a deck from photographs of its cards."""

import json
from collections.abc import Callable
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
    photos = {card: [_taken(path, photograph) for path in paths] for card, paths in shown}
    lesson = learn(photos, _die(folder / DIE))
    for card in lesson.unlike:
        click.echo(f"linesies: warning: {folder / card}: its pictures don't look alike; keep the clear ones", err=True)
    for one, other in lesson.alike:
        click.echo(f"linesies: warning: {one} and {other} cannot be told apart; look at their pictures", err=True)
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


def _die(folder: Path) -> LearnedDie | None:
    if not folder.is_dir():
        return None
    faces = {
        face: _taken(paths[0], photograph_die)  # one says it all: a die is always seen from above
        for face, paths in _pictures(folder).items()
    }
    return LearnedDie(tuple(faces), np.stack(list(faces.values())))


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


def _taken(path: Path, take: Callable[[Image], Photo]) -> Photo:
    try:
        return take(read_picture(path))
    except BadPicture as fault:
        raise BadInput(f"{path}: {fault}") from None
