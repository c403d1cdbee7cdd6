"""`linesies watch`: follow a film or camera and tell what is played as soon as it is known."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator

import click

from linesies.calibration import Calibration, read_calibration
from linesies.device.cameras.opening import is_live, open_source
from linesies.device.cameras.sizes import check_size
from linesies.device.cameras.source import Recording, as_read
from linesies.device.errors import BadInput
from linesies.device.following import Aside, Line, follow_table, read_orders
from linesies.games import GAMES, CardsOnMat
from linesies.vision import (
    LETTERS,
    Frame,
    GlancedFrame,
    TableWatcher,
    Watcher,
    doubles,
    open_reader,
    read_caps,
    where_it_stands,
)

STANDARD = "standard"


@click.command("watch")
@click.argument("source")
@click.option("--calibration", "calibration_file", required=True, help="What `linesies calibrate` wrote.")
@click.option("--caps", "caps_file", help="Who plays with which cap (caps.json), on a Skully board.")
@click.option("--game", "start_file", help="The game's start event (start.json); rulings then follow each event.")
@click.option("--deck", default=STANDARD, show_default=True, help="`standard`, or what `linesies learn` wrote.")
@click.option(
    "--letters", type=click.Choice(LETTERS), default="english", show_default=True, help="A standard deck's J, Q, K."
)
@click.option("--orders", "orders_file", help="What people say at a card table: events with a `t`, one a line.")
@click.option("--settled", "settled_s", default=0.4, show_default=True, help="Seconds of rest before a shot is told.")
def command(  # noqa: PLR0913 - one parameter an option
    *,
    source: str,
    calibration_file: str,
    caps_file: str | None,
    start_file: str | None,
    deck: str,
    letters: str,
    orders_file: str | None,
    settled_s: float,
) -> None:
    """Follow SOURCE to its end and print one event a line: shots and caps placed, or cards laid, turned and taken.

    The events are those of `linesies rule`; with --game each is followed by what the rules say to it. A card game
    needs its --game; its board's regions are the zones of the table: `seat:NAME` before each player, `trick` in Skull
    King, `pile1` to `pile4` and `die` in Skip-Bo. There a player's zone holds five places side by side, from that
    player's left: the stock, then the discard piles 1 to 4. `linesies print mat` draws such tables.
    """
    calibration = read_calibration(calibration_file)
    aside = None if start_file is None else Aside(start_file)
    cards = None if aside is None else GAMES[aside.game].seen
    if aside is None or not isinstance(cards, CardsOnMat):
        if caps_file is None:
            raise BadInput("watch needs --caps for a Skully board, or the --game of a card table (start.json)")
        caps = read_caps(caps_file)
        for one, other in doubles(caps):
            alike = f"{one}'s and {other}'s caps look alike, and whose is whose at first is a guess; mark one of them"
            click.echo(f"linesies: warning: {caps_file}: {alike}", err=True)
        calibration = _from_where_it_stands(source, calibration, calibration_file)
        watcher = Watcher(calibration, caps, settled_s=settled_s)
        frames = _frames(source, calibration, calibration_file, prepare=GlancedFrame)
        _print_all(_follow_caps(frames, watcher, aside))
        return
    if deck == STANDARD and cards.has_own_deck:
        raise BadInput(f"{start_file}: {aside.game} has cards of its own; give what `linesies learn` wrote as --deck")
    said = read_orders(orders_file) if orders_file else ()
    reader = open_reader(deck, letters)
    calibration = _from_where_it_stands(source, calibration, calibration_file)
    table = TableWatcher(calibration, reader, cards=cards)
    _print_all(follow_table(_frames(source, calibration, calibration_file), table, aside, said))


def _from_where_it_stands(source: str, calibration: Calibration, calibration_file: str) -> Calibration:
    """Follow a camera that was moved after it was calibrated and before it filmed; that is said.

    Of a live one it is said by `camera_moved`: it can be calibrated again.
    """
    if is_live(source):
        return calibration
    with open_source(source) as film:
        check_size(film, source, calibration, calibration_file)
        try:
            stands = where_it_stands(film.frames(), calibration)
        except BadInput:  # which is said in its turn: what came before it is told first
            return calibration
    if stands is not calibration:
        moved = f"the camera was moved since {calibration_file}, by {stands.apart_px(calibration):.0f} pixels"
        click.echo(f"linesies: warning: {source}: {moved}; its board was found again", err=True)
    return stands


def _frames(
    source: str, calibration: Calibration, calibration_file: str, *, prepare: Callable[[Frame], Frame] = as_read
) -> Iterator[Frame]:
    """Yield a source's frames, which must be of the calibration's size; a film's come prepared so."""
    with open_source(source) as opened:
        if isinstance(opened, Recording):
            opened.prepare = prepare
        check_size(opened, source, calibration, calibration_file)
        yield from opened.frames()


def _follow_caps(frames: Iterable[Frame], watcher: Watcher, aside: Aside | None) -> Iterator[Line]:
    for frame in frames:
        for event in watcher.see(frame):
            yield from _told(event.as_json(), aside)
    for event in watcher.finish():
        yield from _told(event.as_json(), aside)


def _told(event: Line, aside: Aside | None) -> Iterator[Line]:
    yield event
    if aside is not None:
        yield from aside.rule(event)


def _print_all(lines: Iterable[Line]) -> None:
    for line in lines:
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
        sys.stdout.flush()
