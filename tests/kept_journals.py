"""Whole games of every kind, with all that people say in them: what a release's journal is kept of.

`python -m tests.kept_journals FILE` plays them and writes the journal (gzip) and, beside it, the stories it told.
A file that is kept stays as its release wrote it: a later release makes a new one.
"""

import gzip
import json
import sys
import tempfile
from pathlib import Path
from random import Random

from linesies import rules
from linesies.device.announcers.announcing import Announcers
from linesies.device.journal.journal import Journal
from linesies.referee.past_games import games_of
from linesies.referee.referee import Referee
from linesies.referee.saying import Saying, Trouble
from linesies.referee.snapshot import story_json
from linesies.simulator.bots.skipbo import SkipBoBot
from linesies.simulator.bots.skull import SkullBot
from linesies.simulator.bots.skull_king import SkullKingBot
from linesies.simulator.bots.skully import SkullyBot
from linesies.vision import CameraMoved, Hit, Shot
from tests.refereeing import SET_UP, call, other_side, placed

KEPT = Path(__file__).parent / "data" / "journals"
NAMES = ["ana", "bo", "cal", "dee"]
SKULLY = {"early_hits": "allowed", "killer_hits": 1, "killer_round": "any_order", "pipsies": 6}
DEFAULTS = {option.name: option.default for option in rules.GAMES["skully"].options}
CARDS = (
    (SkullBot, "skull", {}),
    (SkullKingBot, "skull_king", {"pirate_abilities": True, "rounds": [2, 3]}),
    (SkipBoBot, "skipbo", {"stock": 3, "target": None}),
)


class Evening:
    """A referee on a fresh journal, and people who play, doubt, correct and appeal by chance."""

    def __init__(self, path, seed=5):
        self.chance = Random(seed)
        self.referee = Referee(Journal(path), Announcers([]), elsewhere=other_side)

    def say(self, origin, order, **more):
        self.referee.journal.submit({"order": order, **more}, origin)
        return self.referee.take_orders()

    def begin(self, game, options):
        house = {"appeals": {"each": 2, "wrong": "turn"}}
        start = {"event": "start", "game": game, "players": NAMES, "options": options}
        self.referee.begin({**SET_UP, **house}, start)

    def street(self, most=20_000):
        self.begin("skully", SKULLY)
        bot = SkullyBot({**DEFAULTS, **SKULLY}, self.chance)
        for number in range(most):
            if self.referee.is_over:
                return
            event = bot.event(self.referee.story.public)
            if event["event"] == "shot":
                self.referee.see(self.seen(event))
                if self.referee.story.pending:
                    self.say("button", "settle")
            elif event["event"] == "placed":
                self.referee.see(placed(event["player"], event["at"]))
            elif event["event"] != "correct":
                self.say("street", "event", event=event)
            if number % 9 == 8 and not self.referee.is_over:
                self.argue(number // 9)

    def seen(self, event):
        is_certain = self.chance.random() < 0.8
        hits = tuple(Hit(by=by, victim=victim, t_s=1.0) for by, victim in event["hits"])
        calls = tuple(
            call(name, place, gap_mm=20.0 if is_certain else 0.2, certain=is_certain)
            for name, place in event["rest"].items()
        )
        return Shot(player=event["player"], hits=hits, calls=calls, t_start_s=1.0, t_end_s=2.0)

    def argue(self, number):
        entry = next((e for e in reversed(self.referee.story.entries) if e.event and e.event["event"] == "shot"), None)
        if entry is None:
            return
        otherwise = {**entry.event, "rest": {**entry.event["rest"], entry.event["player"]: "line"}}
        others = [name for name in NAMES if name != entry.event["player"]]
        if number % 5 == 0:
            self.say("referee:ab12cd", "amend", about=entry.row, event=otherwise, why="it was on the line")
        elif number % 5 == 1:
            self.say("referee:ab12cd", "undo", about=entry.row)
            self.say("referee:ab12cd", "redo", about=entry.row, why="after all")
        elif number % 5 == 2:
            self.say(f"player:{others[0]}", "appeal", about=entry.row, event=otherwise, why="look closely")
            if self.referee.story.motions:
                self.say("referee:ab12cd", self.chance.choice(("agree", "decline")), about=self.motion)
        elif number % 5 == 3:
            self.say(f"player:{others[0]}", "event", event={"event": "do_over"})
            for name in NAMES[:2]:
                if self.referee.story.motions:
                    self.say(f"player:{name}", "agree", about=self.motion)
        else:
            self.referee.tell_trouble(Trouble("page", Saying("page_ended")))
            self.referee.see(CameraMoved(t_s=3.0))
            self.referee.tell_camera("camera_back", "The board is found again.")
            self.referee.tell_evidence(entry.about, {"pictures": {entry.event["player"]: "00000001-0.jpg"}})
            self.say("referee:ab12cd", "undo")

    @property
    def motion(self):
        return self.referee.story.motions[-1].row

    def cards(self, bot_class, game, options, most):
        self.begin(game, options)
        bot = bot_class(options, self.chance)
        for number in range(most):
            if self.referee.is_over:
                return
            event = bot.event(self.referee.story.public)
            self.say(f"player:{event.get('by') or event.get('player', 'ana')}", "event", event=event)
            if number == 11:
                self.say("referee:ab12cd", "undo")
                self.say("referee:ab12cd", "redo")


def play(path):
    """Play the evening into a fresh journal: street, cards, and a street game that is broken off."""
    evening = Evening(path)
    evening.street()
    for bot, game, options in CARDS:
        evening.cards(bot, game, options, most=400)
    evening.street(most=40)
    evening.referee.journal.close()


def told(rows):
    """The stories of a journal, as the page shows them and as `linesies rule` takes them."""
    stories = games_of(rows)
    return {
        "shown": [json.loads(json.dumps(story_json(story, ["ana"]))) for story in stories],
        "exported": [[rules.write_line(event) for event in story.effective_events] for story in stories],
        "entries": [[[e.row, e.event, list(e.rulings), e.refused] for e in story.entries] for story in stories],
    }


def keep(file):
    """Play, and keep the journal with what it told."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        play(path)
        file.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
        journal = Journal(path)
        text = json.dumps(told(journal.rows_after(0)), ensure_ascii=False)
        journal.close()
    file.with_name(file.name.replace(".sqlite.gz", ".json.gz")).write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    keep(Path(sys.argv[1]))
