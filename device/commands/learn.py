"""`linesies learn`: learn a deck from photographs of its cards."""

import json
from pathlib import Path

import click

from device.cameras.pictures import ENDINGS, read_picture
from device.errors import BadInput
from vision import BadInput as BadPicture
from vision import CardPhoto, learn, photograph


@click.command("learn")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("-o", "--output", "deck_file", required=True, metavar="DECKFILE", help="Where to write the deck.")
def command(folder: Path, deck_file: str) -> None:
    """Learn a deck from FOLDER/<card>/*.jpg or *.png, each a photograph of that one card lying on a table.

    One picture a card will do, two on different tables or in different light are better. The back, if it is to be
    known, goes into FOLDER/back. A card's folder is its name: J12, PIRATE:harry, 7, SB ...

    \b
    linesies learn skull_king -o skull_king.deck
    linesies cards table.jpg --deck skull_king.deck
    """  # noqa: D301 - \b is click's sign for a paragraph to be left as it is
    photos = {card: [_photo(path) for path in paths] for card, paths in _pictures(folder).items()}
    lesson = learn(photos)
    for card in lesson.unlike:
        click.echo(
            f"linesies: warning: {folder / card}: its pictures show different cards; keep those of one", err=True
        )
    for one, other in lesson.alike:
        click.echo(f"linesies: warning: {one} and {other} cannot be told apart; look at their pictures", err=True)
    lesson.deck.save(deck_file)
    told = {
        "ok": True,
        "cards": len(lesson.deck.names),
        "back": lesson.deck.has_back,
        "pictures": sum(len(several) for several in photos.values()),
        "alike": [list(pair) for pair in lesson.alike],
    }
    click.echo(json.dumps(told, ensure_ascii=False))


def _pictures(folder: Path) -> dict[str, list[Path]]:
    """List each card's pictures by the card's name, which is its folder's; raises BadInput for an unusable folder."""
    try:
        cards = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    except OSError as fault:
        raise BadInput(
            f"{folder}: cannot be read ({fault.strerror}); name a folder that holds one folder a card"
        ) from None
    if not cards:
        raise BadInput(f"{folder}: holds no folders; put each card's pictures into a folder named as the card")
    pictures = {}
    for card in cards:
        inside = sorted(path for path in card.iterdir() if not path.name.startswith("."))
        pictures[card.name] = [path for path in inside if path.is_file() and path.suffix.lower() in ENDINGS]
        if nested := [path for path in inside if path.is_dir()]:
            raise BadInput(f"{nested[0]}: is a folder within a card's folder; put the pictures straight into {card}")
        if not pictures[card.name]:
            raise BadInput(f"{card}: holds no picture; put a .jpg or .png of that card there, or remove the folder")
    return pictures


def _photo(path: Path) -> CardPhoto:
    try:
        return photograph(read_picture(path))
    except BadPicture as fault:
        raise BadInput(f"{path}: {fault}") from None
