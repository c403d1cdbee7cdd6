"""Whatever people send, the match goes on: odd orders against a running referee, nested ones, and what they left.

LINESIES_ORDERS says how many (`make fuzz`: 20,000).
"""

import json
import os
from contextlib import closing
from random import Random

import cv2
import pytest

from linesies import rules
from linesies.device.cameras.source import Recording
from linesies.device.journal.journal import Journal
from linesies.device.loop.match import Match
from linesies.device.loop.owner_orders import SetUpPaths, Steward
from linesies.device.loop.setting_up import NoEyes
from linesies.device.serving.webapp import JournalFace
from linesies.referee.folding import story_of
from linesies.referee.orders import order_json, read_order
from linesies.referee.rows import Draft
from linesies.simulator.bots.skully import SkullyBot
from linesies.vision import Frame
from linesies.web import create_app
from linesies.web.orders import read_sent
from tests.kept_journals import DEFAULTS, SKULLY, Evening
from tests.refereeing import START, quick_journal, referee_on, shot
from tests.test_bad_input import STREET
from tests.test_match import ScriptedEyes

ORDERS = int(os.environ.get("LINESIES_ORDERS", "250"))
SEED = int(os.environ.get("LINESIES_SEED", "11"))
NAMES = START["players"]
SHOT = {"event": "shot", "player": "ana", "hits": [], "rest": {"ana": "1"}}
ORIGINS = ["referee:x", "player:ana", "player:bo", "button", "", "player:", "player:zed", "settings"]
ODD = [None, True, 0, -1, 3, 10**30, 1.5, "", "ana", "²", "a\nb", "\x00", [], [[]], {}, [["ana", ["bo"]]], {"a": 1}]
TEMPLATES = [
    {"order": "event", "event": SHOT},
    {"order": "event", "event": {"event": "do_over"}},
    {"order": "event", "event": {"event": "choice", "player": "ana", "of": "stay"}},
    {"order": "event", "event": {"event": "correct", "players": {"ana": {"skip": 1}}}},
    {"order": "event", "event": {"event": "start", **START}},
    {"order": "settle", "about": 5, "event": SHOT},
    {"order": "amend", "about": 4, "event": SHOT, "why": "so it was"},
    {"order": "undo", "about": 4},
    {"order": "redo"},
    {"order": "agree", "about": 6},
    {"order": "decline", "about": 6, "why": "no"},
    {"order": "appeal", "about": 4, "event": SHOT},
    {"order": "new_game", "start": START, "appeals": {"each": 2, "wrong": "turn"}},
    {"order": "calibrate", "corners": [[0, 0], [9, 0], [9, 9], [0, 9]], "board": {"kind": "street", "side": 1800}},
    {"order": "caps", "caps": [{"player": name, "xy": [1.0, 2.0]} for name in NAMES]},
    {"order": "camera", "source": "v4l2:0"},
    {"order": "test"},
    {"order": "shut_down"},
    {"order": "prove", "place": 0, "shows": "gauge"},
    {"order": "put_right"},
]


CORNERS = [[1299, 61], [1478, 909], [439, 1007], [464, 114]]  # of the street's picture
OWNERS = [
    {"order": "calibrate", "corners": CORNERS},
    {"order": "calibrate", "corners": CORNERS[::-1], "board": {"kind": "table"}},
    {"order": "calibrate", "mat": {"game": "skull", "seats": 4}},
    *(template for template in TEMPLATES if template["order"] in ("calibrate", "caps", "camera", "test", "shut_down")),
]


def mutated(value, chance):
    """A copy in which one part is something else, or gone, or there twice."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        key = chance.choice(list(value))
        if chance.random() < 0.1:
            return {name: part for name, part in value.items() if name != key}
        return {**value, key: mutated(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.8:
        at = chance.randrange(len(value))
        return [*value[:at], mutated(value[at], chance), *value[at + 1 :]]
    return chance.choice(ODD)


@pytest.mark.timeout(300 + ORDERS)
def test_a_match_survives_every_odd_order_and_its_journal_folds_to_the_same_story():
    chance = Random(SEED)
    with quick_journal() as path:
        referee = referee_on(path)
        bot, refused = SkullyBot({**DEFAULTS, **SKULLY}, chance), 0
        for number in range(ORDERS):
            sent = chance.choice(TEMPLATES)
            for _ in range(chance.choice((0, 1, 1, 2))):
                sent = mutated(sent, chance)
            referee.journal.submit(sent, chance.choice(ORIGINS))
            rows = referee.take_orders()
            assert rows[0].kind == "order"
            refused += any(row.kind == "refused" for row in rows)
            assert "order_failed" not in json.dumps([dict(row.body) for row in rows])
            if number % 5 == 0 and referee.has_game and referee.story.public["turn"]:
                event = bot.event(referee.story.public)
                referee.journal.submit({"order": "event", "event": event}, "referee:x")
                referee.take_orders()
        assert referee.journal.inbox() == []
        with closing(Journal(path)) as other:
            assert story_of(other) == referee.story
    print(f"\n{ORDERS} odd orders, {refused} of them refused")  # noqa: T201 - a long run's figures


def said_otherwise(story, chance):
    """An order that has what was told undone, told again, read otherwise or put in, of any entry that there is."""
    entry, players = chance.choice(story.entries), story.start["players"]
    player = chance.choice(players)
    rest = {chance.choice(players): chance.choice(["1", "2", "3", "open", "line", "skull1", "off", "13"])}
    event = {"event": "shot", "player": player, "hits": [], "rest": rest}
    standing = {"event": "correct", "players": {player: {"going_for": chance.choice(["2f", "5f", "9f", "3b"])}}}
    about = {"about": entry.row} if chance.random() < 0.8 else {}
    orders = (
        {"order": "undo", **about},
        {"order": "redo", **about},
        {"order": "amend", **about, "event": chance.choice([event, dict(entry.event or event)])},
        {"order": "insert", **about, "event": event},
        {"order": "settle", "event": event},
        {"order": "event", "event": chance.choice([event, standing])},
    )
    return chance.choices(orders, [35, 35, 15, 5, 3, 7])[0]


@pytest.mark.timeout(300 + ORDERS)
def test_undone_and_corrected_in_any_order_a_game_is_the_one_that_its_journal_folds_to():
    chance, count, done = Random(SEED), ORDERS // 5, 0
    with quick_journal() as path:
        evening = Evening(path, seed=SEED)
        evening.street(most=20)
        referee = evening.referee
        for number in range(count):
            rows = evening.say("referee:x", **said_otherwise(referee.story, chance))
            done += all(row.kind != "refused" for row in rows)
            if number % 50 == 49:
                with closing(Journal(path)) as other:
                    assert story_of(other) == referee.story
        start, *events = referee.story.effective_events
        game, state, _ = rules.start(start)
        for event in events:
            state, _ = game.apply(state, event)
        assert game.public(state) == referee.story.public
        referee.journal.close()
    print(f"\n{count} orders of undo and correction, {done} of them carried out")  # noqa: T201 - a long run's figures
    assert done > count / 10


def test_an_order_that_makes_something_fail_is_told_to_who_gave_it_and_ends_nothing(monkeypatch):
    with quick_journal() as path:
        referee = referee_on(path)
        monkeypatch.setattr("linesies.referee.heeding.complete", lambda *_: 1 / 0)
        referee.journal.submit({"order": "undo"}, "referee:x")
        assert [row.kind for row in referee.take_orders()] == ["order", "refused"]
        assert "failed here" in referee.story.refusal["message"]
        monkeypatch.undo()
        referee.see(shot("ana", "1"))
        assert len(referee.story.entries) == 1


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template["order"])
def test_an_order_is_written_as_it_is_read(template):
    order = read_order(template)
    assert read_order(order_json(order)) == order


@pytest.mark.parametrize(
    "body",
    [
        b'{"order": "event", "event": {"event": "shot", "x": ' + b"[" * 963 + b"]" * 963 + b"}}",
        b'{"order": "event", "event": {"event": "shot", "x": ' + b"[" * 40 + b"]" * 40 + b"}}",
        b'{"order": "event", "event": {"event": "pause"}, "origin": "referee"}',
        b'{"order": "caps", "caps": [{"player": "' + b"x" * 25 + b'", "xy": [1, 2]}]}',
        b'{"order": "calibrate", "corners": [[1, 2], [3, 4], [5, 6]]}',
    ],
    ids=["963 deep", "40 deep", "unknown key", "25 letters", "three corners"],
)
def test_what_no_order_needs_is_refused_at_the_door(body):
    assert isinstance(read_sent(body), str)


@pytest.mark.parametrize("name", ["a\nSeat of you: 9999", "\x1b[31mred", "\u202eevil", " ana", "x" * 25])
def test_nobody_is_called_what_cannot_be_shown(name):
    with quick_journal() as path:
        referee = referee_on(path)
        start = {"event": "start", "game": "skipbo", "players": [name, "bo"], "options": {}}
        referee.journal.submit({"order": "new_game", "start": start}, "referee:x")
        referee.take_orders()
        assert "24 letters" in referee.story.refusal["message"]
        assert referee.story.start == START


def test_an_older_row_nested_without_end_takes_no_page_with_it():
    with quick_journal() as path:
        referee = referee_on(path)
        deep = 1
        for _ in range(900):
            deep = [deep]
        told = {"event": {**SHOT, "x": deep}, "rulings": []}
        referee.journal.append(
            Draft(origin="vision", kind="seen", body=told["event"]),
            Draft(origin="referee", kind="ruled", about=3, body=told),
        )
        face = JournalFace(referee.journal)
        client = create_app(face, referee.journal.submit, dict).test_client()
        assert client.get("/story").json["entries"][0]["event"]["player"] == "ana"
        for page in ("/past", "/past/1", "/past/1.jsonl", "/past/1.csv"):
            assert client.get(page).status_code == 200


class Ordering(Recording):
    """The picture of an empty board, again and again; before each, somebody orders something odd of its owner."""

    fps = 30.0

    def __init__(self, journal, orders, chance):
        self.name, self._journal, self._orders, self._chance = "ordering", journal, orders, chance
        self._picture = cv2.imread(str(STREET / "empty.jpg"))
        self.size_px = (self._picture.shape[1], self._picture.shape[0])

    def frames(self):
        for number in range(self._orders):
            sent = self._chance.choice(OWNERS)
            for _ in range(self._chance.choice((0, 1, 1, 2))):
                sent = mutated(sent, self._chance)
            self._journal.submit(sent, self._chance.choice(["referee:x", "player:ana"]))
            yield Frame.from_bgr(self._picture, number=number, t_s=number / self.fps)

    def close(self):
        """Hold nothing open."""


@pytest.mark.takes_turns(seconds=16)
@pytest.mark.timeout(300 + ORDERS)
def test_a_running_match_carries_out_or_refuses_whatever_its_owner_orders(tmp_path):
    chance = Random(SEED)
    with quick_journal() as path:
        referee = referee_on(path)
        kept = SetUpPaths(state=tmp_path, calibration=tmp_path / "calibration.json", caps=tmp_path / "caps.json")
        steward = Steward(
            NoEyes(), (), kept=kept, redraw=referee.redraw, rekit=lambda _caps: None, power_off=("false",)
        )
        match = Match(ScriptedEyes({}), referee, steward=steward)
        orders = 20 + ORDERS // 20
        assert not match.follow(Ordering(referee.journal, orders, chance), is_done=lambda: False)
        match.serve()
        assert referee.journal.inbox() == []
        assert len([row for row in referee.journal.rows_after(0) if row.kind == "order"]) == orders
        referee.see(shot("ana", "1"))
        assert referee.story.entries, "the game goes on"
    print(f"\n{orders} orders of its owner to a running match")  # noqa: T201 - a long run's figures
