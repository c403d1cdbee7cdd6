"""Builders for tests of the league: a hub that is served, boxes with a referee that push to it, and asking a hub."""

import contextlib
import json
import time
import urllib.error
import urllib.request
from random import Random

from click.testing import CliRunner

from linesies.device.announcers.announcing import Announcers
from linesies.device.announcers.pushing import LeaguePusher
from linesies.device.commands import join
from linesies.device.journal.journal import Journal
from linesies.device.membership import read_membership
from linesies.league.admission import Admission
from linesies.league.bell import Bell
from linesies.league.hub import create_hub
from linesies.league.organising import COOKIE, Organisers
from linesies.referee.referee import Referee
from tests.page_server import serving
from tests.refereeing import SET_UP, START, other_side, shot

SOON_S = 60.0  # on a busy machine; a quiet one needs a second


class Codes:
    """The hub's own screen: the codes that it has shown."""

    def __init__(self):
        self.shown = []
        self.organiser = []

    @property
    def now(self):
        return self.shown[-1]


@contextlib.contextmanager
def hub_on(store, codes, port=0, others=None):
    """A hub on a store, served on 127.0.0.1; gives the port."""
    with contextlib.closing(Bell(store.engine)) as bell:
        organisers = Organisers(Admission(codes.organiser.append))
        app = create_hub(store, Admission(codes.shown.append), bell, organisers, others)
        with serving(app, port=port) as served:
            yield served


class BoardBox:
    """A box with a referee, and with the pusher that its referee would have."""

    def __init__(self, state):
        self.state = state
        self.path = str(state / "journal.sqlite")
        self.chance = Random(3)
        self.pusher = None
        self.referee = None

    def join(self, hub, code, name="Board 1"):
        given = [hub, code, "--name", name, "--place", "Calle Luna", "--state", str(self.state)]
        return CliRunner().invoke(join.command, given, catch_exceptions=False)

    def start(self):
        membership = read_membership(self.state)
        self.pusher = None if membership is None else LeaguePusher(membership, self.state, self.path)
        told = [] if self.pusher is None else [self.pusher]
        self.referee = Referee(Journal(self.path), Announcers(told), elsewhere=other_side)

    def take(self):
        """Take what waits in the inbox; gives the match that is called here."""
        self.referee.take_orders()
        return self.referee.story.match

    def begin(self, players):
        self.referee.begin(SET_UP, {**START, "players": list(players)})

    def say(self, event):
        self.referee.journal.submit({"order": "event", "event": event}, "referee:phone")
        self.referee.take_orders()

    def play_until_won(self, winner):
        """End the game at once: all others go home."""
        for name in self.referee.story.players:
            if name != winner:
                self.say({"event": "leave", "player": name})

    def play(self, shots=3):
        if not self.referee.has_game:
            self.referee.begin(SET_UP, START)
        for _ in range(shots):
            self.referee.see(shot(self.referee.story.public["turn"], self.chance.choice(["1", "2", "open"])))

    def values(self):
        return [tuple(one) for one in self.referee.journal.values_after(0, 10_000)]

    def close(self):
        if self.pusher is not None:
            self.pusher.close()


def organiser_of(hub, codes):
    """The headers of the organiser's phone."""
    asked = urllib.request.Request(hub + "/organiser", json.dumps({"code": codes.organiser[-1]}).encode())
    with urllib.request.urlopen(asked, timeout=60) as answer:
        token = answer.headers["Set-Cookie"].split("=")[1].split(";")[0]
    return {"Cookie": f"{COOKIE}={token}"}


def ask(hub, path, body=None, headers=None):
    """Ask a hub; the status and what it says."""
    try:
        with urllib.request.urlopen(urllib.request.Request(hub + path, body, headers or {}), timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as refused:
        return refused.code, json.loads(refused.read())


def soon(is_so):
    until_s = time.monotonic() + SOON_S
    while not is_so():
        assert time.monotonic() < until_s
        time.sleep(0.05)
