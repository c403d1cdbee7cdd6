"""Card games on a real journal, played by bots through orders, to stop wherever a test wants; and their page."""

from contextlib import contextmanager
from random import Random

from linesies.device.announcers.announcing import Announcers
from linesies.device.journal.journal import Journal
from linesies.device.serving.webapp import JournalFace
from linesies.referee.referee import Referee
from linesies.simulator.bots.skipbo import SkipBoBot
from linesies.simulator.bots.skull import SkullBot
from linesies.simulator.bots.skull_king import SkullKingBot
from linesies.web import create_app
from tests.page_server import nothing_moves, serving

BOTS = {"skull": SkullBot, "skull_king": SkullKingBot, "skipbo": SkipBoBot}
PLAYERS = ["ana", "bo", "cal", "dee"]
OPTIONS = {
    "skull": {},
    "skull_king": {"pirate_abilities": True, "rounds": [3, 4]},
    "skipbo": {"stock": 4, "target": None},
}
COLOURS = ("#1f5fae", "#e8c21e", "#f1efe8", "#c0392b", "#3a7d44", "#6a2a86")


class CardTable:
    """A referee at a card table, and a bot that knows the cards; remembers the last event played."""

    def __init__(self, path, game, *, players=PLAYERS, options=None, seed=1, seats=0):
        options = OPTIONS[game] if options is None else options
        self.referee = Referee(Journal(path), Announcers([]), elsewhere=lambda call: call.location)
        caps = [{"player": name, "colour": colour} for name, colour in zip(players, COLOURS, strict=False)]
        zones = [{"name": f"seat:player{number}", "polygon": []} for number in range(1, seats + 1)]
        set_up = {"board": {"size": [1, 1], "regions": zones}, "lines": [], "caps": caps}
        self.referee.begin(set_up, {"event": "start", "game": game, "players": list(players), "options": options})
        self.bot = BOTS[game](options, Random(seed))

    @property
    def state(self):
        return self.referee.story.public

    def step(self, **change):
        """Play the bot's next event, as its player says it."""
        event = {**self.bot.event(self.state), **change}
        self.say(event, event.get("by") or event.get("player", "ana"))
        return event

    def say(self, event, player):
        self.referee.journal.submit({"order": "event", "event": event}, f"player:{player}")
        return self.referee.take_orders()

    def play_until(self, is_there, most=3000):
        for _ in range(most):
            if is_there(self.state):
                return
            self.step()
        raise AssertionError("the bots never got there")


@contextmanager
def page_of(table, **settings):
    """Serve the page of a card table on 127.0.0.1; gives the port."""
    face = JournalFace(table.referee.journal)
    app = create_app(face, face.journal.submit, nothing_moves, **settings)
    with serving(app) as port:
        yield port
