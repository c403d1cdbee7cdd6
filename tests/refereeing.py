"""Builders for tests of the referee: calls, shots, placings, and a referee on a fresh journal."""

import contextlib
import tempfile
from pathlib import Path

from linesies.device.announcers.announcing import Announcers
from linesies.device.journal.journal import Journal
from linesies.device.places import journal_file
from linesies.referee.referee import Referee
from linesies.referee.rows import Row
from linesies.vision import Call, Hit, Placed, Shot

START = {"event": "start", "game": "skully", "players": ["ana", "bo", "cy"], "options": {"pipsies": 0}}
SET_UP = {"board": {"size": [100, 100], "regions": []}, "lines": [], "caps": []}


def call(player, location, gap_mm=20.0, sigma_mm=0.3, certain=True):
    return Call(
        player=player,
        xy_mm=(1.0, 2.0),
        diameter_mm=26.0,
        location=location,
        gap_mm=gap_mm,
        sigma_mm=sigma_mm,
        is_certain=certain,
    )


def shot(player, location, *, hits=(), others=None, certain=True, t_s=1.0, **more):
    """A shot by `player` that rests at `location`; `hits` are victims' names or Hits, `others` their calls."""
    contacts = tuple(h if isinstance(h, Hit) else Hit(by=player, victim=h, t_s=t_s) for h in hits)
    gap_mm = -0.2 if location in ("line", "skull_line") else 0.2
    own = call(player, location) if certain else call(player, location, gap_mm=gap_mm, certain=False)
    return Shot(player=player, hits=contacts, calls=(own, *(others or ())), t_start_s=t_s, t_end_s=t_s + 1, **more)


def placed(player, at, of=None):
    return Placed(player=player, call=call(player, at), t_start_s=1.0, t_end_s=2.0, of=of)


@contextlib.contextmanager
def quick_journal():
    """A journal's path in memory, where waiting for the disk costs nothing."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder) / "journal.sqlite"


class Listener:
    """An announcer that remembers what it was told."""

    name = "listener"

    def __init__(self):
        self.rows = []

    def announce(self, rows):
        self.rows += rows

    def close(self):
        pass


def other_side(one):
    """On the other side of a box's line lies the line, and beyond the line box 1."""
    return "1" if one.location == "line" else "line"


def referee_on(path, *announcers, policy=None):
    journal = Journal(path)
    more = {} if policy is None else {"policy": policy}
    referee = Referee(journal, Announcers(announcers), elsewhere=other_side, **more)
    if referee.story.start is None:
        referee.begin(SET_UP, START)
    return referee


def codes(referee):
    """The codes ruled on each entry, as the story has them now."""
    return [[ruling["code"] for ruling in entry.rulings] for entry in referee.story.entries]


def player(referee, name):
    return next(p for p in referee.story.public["players"] if p["name"] == name)


def row(kind, event=None, n=1):
    """A row of an event, as announcers are told of it."""
    return Row(id=n, at_s=0.0, origin="test", kind=kind, about=None, body={} if event is None else {"event": event})


def ruled(location):
    """The row of a shot of Ana's that was ruled on."""
    return row("ruled", {"event": "shot", "player": "ana", "hits": [], "rest": {"ana": location}})


def rows_of(state):
    """The rows of the journal in a state folder."""
    with contextlib.closing(Journal(journal_file(state))) as journal:
        return journal.rows_after(0)


def without_words(value):
    """A referee's answer without what it says to people, in whatever words."""
    if isinstance(value, dict):
        return {key: without_words(inner) for key, inner in value.items() if key not in ("text", "message")}
    return [without_words(inner) for inner in value] if isinstance(value, list) else value
