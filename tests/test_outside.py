"""Packages from outside, only pip-installed: a game refereed from its camera to the page, and broken ones set aside."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from tests.browsing import PHONE, in_browser, until
from tests.outside_packages import HERE, broken, install
from tests.refereeing import without_words

PATIENCE_S = 120.0
CORNERS = ("32.7,32.7", "687.3,32.7", "687.3,687.3", "32.7,687.3")
SETTINGS = """
[camera]
source = "crokinole:table?seed=4&discs=3"
[game]
name = "crokinole"
players = ["ana", "bo"]
options = {{ discs = 3, rounds = 1 }}
[pins]
library = "mock"
[web]
host = "127.0.0.1"
port = {port}
pairing = false
"""
GAME, ANNOUNCER = "linesies.games", "linesies.announcers"
OLD = "from dataclasses import replace\nfrom linesies.games import API, GAMES\n"
OLD += "OFFER = replace(GAMES['skull'], api=API + 1)\n"
BROKEN = {  # name -> (group, what it offers, its source, what is said of it)
    "raising": (GAME, "OFFER", "raise RuntimeError('no luck')\n", "RuntimeError: no luck"),
    "hanging": (GAME, "OFFER", "import time\ntime.sleep(3600)\n", "no answer within 5 s"),
    "old": (GAME, "OFFER", OLD, "is made for version 2 of games, and this is version 1"),
    "nothing": (GAME, "OFFER", "OFFER = 7\n", "is no linesies.games.Game"),
    "mute": (ANNOUNCER, "open_it", "def open_it():\n    return object()\n", "is no announcer"),
}


def linesies(site, *words, given=b"", **settings):
    env = {**os.environ, "PYTHONPATH": str(site), "OMP_NUM_THREADS": "1"}
    program = [sys.executable, "-m", "linesies", *words]
    return subprocess.run(
        program, env=env, input=given, capture_output=True, timeout=PATIENCE_S, check=False, **settings
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return install(tmp_path_factory.mktemp("good") / "site", HERE / "crokinole", HERE / "table")


@pytest.fixture(scope="module")
def crowded(tmp_path_factory):
    """Those two, and everything that is broken."""
    folder = tmp_path_factory.mktemp("broken")
    bad = [broken(folder, name, group=told[0], thing=told[1], source=told[2]) for name, told in BROKEN.items()]
    return install(tmp_path_factory.mktemp("crowded") / "site", HERE / "crokinole", HERE / "table", *bad)


def test_a_packages_rules_rule_a_game_as_its_vector_tells(site):
    done = linesies(site, "rule", str(HERE / "vectors" / "one_round.in.jsonl"))
    wanted = (HERE / "vectors" / "one_round.out.jsonl").read_text().splitlines()
    assert done.returncode == 0
    for line, want in zip(done.stdout.decode().splitlines(), wanted, strict=True):
        assert without_words(json.loads(line)) == json.loads(want)


def test_a_package_is_listed_with_its_options_as_the_house_is(site):
    told = linesies(site, "rules").stdout.decode()
    assert "crokinole: Crokinole, discs on a round board" in told
    assert "discs that each player shoots" in linesies(site, "rules", "crokinole").stdout.decode()


def test_without_the_package_there_is_no_such_game():
    assert linesies("", "rules", "crokinole").returncode == 2


def test_what_is_broken_is_set_aside_and_said_and_the_others_are_there(crowded):
    done = linesies(crowded, "rules")
    said = done.stderr.decode()
    assert done.returncode == 0
    assert "crokinole" in done.stdout.decode()
    for name, (group, *_, why) in BROKEN.items():
        assert (f"game {name} is set aside: it " in said and why in said) == (group == GAME), said
    told = linesies(crowded, "doctor").stderr.decode()
    assert all(f"{name} is set aside: it " in told for name in BROKEN)


BEGIN = """
import json, sys
from linesies.device.journal.journal import Journal
from linesies.device.outside import let_games_in
from linesies.referee.decide import begin
from linesies.referee.folding import story_of
let_games_in()
journal = Journal(sys.argv[1])
journal.append(*begin(story_of(journal), {}, json.loads(sys.argv[2]), journal.next_id()))
"""
CROKINOLE = {"event": "start", "game": "crokinole", "players": ["ana", "bo"], "options": {}}


def begin(site, folder, start):
    env = {**os.environ, "PYTHONPATH": str(site)}
    program = [sys.executable, "-c", BEGIN, str(folder / "journal.sqlite"), json.dumps(start)]
    subprocess.run(program, env=env, check=True, timeout=PATIENCE_S)


def test_a_game_whose_package_is_gone_is_named_with_its_package_and_goes_on_once_it_is_back(site, tmp_path):
    begin(site, tmp_path, CROKINOLE)
    absent = "crokinole is played by the package linesies-crokinole, which is not installed"
    status = linesies("", "status", str(tmp_path)).stdout.decode()
    assert f"trouble  game: {absent}; install it and start again" in status
    assert "row" not in status.partition("trouble")[2]
    export = linesies("", "journal", "export", str(tmp_path))
    assert export.returncode == 2
    assert absent in export.stderr.decode()
    assert "crokinole, " in linesies(site, "status", str(tmp_path)).stdout.decode()


def test_a_game_of_the_house_follows_one_whose_package_is_gone(site, tmp_path):
    begin(site, tmp_path, CROKINOLE)
    begin("", tmp_path, {**CROKINOLE, "game": "skully"})
    told = linesies("", "status", "--json", str(tmp_path))
    assert json.loads(told.stdout)["game"] == "skully"
    assert json.loads(told.stdout)["troubles"] == {}


FAILING = """
from dataclasses import replace
from time import sleep
from linesies.games import GAMES
from linesies.rules import Ruling

class Failing:
    def __init__(self, inner):
        self.inner = inner
        self.name = "failing"
    def __getattr__(self, name):
        return getattr(self.inner, name)
    def apply(self, state, event):
        if event.get("number") == 1:
            raise RuntimeError("no luck")
        if event.get("number") == 2:
            sleep(3600)
        if event.get("number") == 3:
            return state, (Ruling("unsayable", "nowhere"),)
        return self.inner.apply(state, event)

OFFER = replace(GAMES["skull"], rules=Failing(GAMES["skull"].rules))
"""


def test_rules_that_raise_or_hang_refuse_that_event_and_the_referee_goes_on(tmp_path):
    failing = broken(tmp_path, "failing", group=GAME, thing="OFFER", source=FAILING)
    site = install(tmp_path / "site", failing)
    start = {"event": "start", "game": "failing", "players": ["ana", "bo", "cy", "di"], "options": {}}
    placed = {"event": "placed", "player": "ana"}
    bids = [{"event": "bid", "player": "ana", "number": number} for number in (1, 2, 3)]
    lines = [start, bids[0], placed, bids[2], bids[1], placed]
    done = linesies(site, "rule", "-", given="".join(json.dumps(line) + "\n" for line in lines).encode())
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in told] == [True, False, True, False, False, False]
    assert {told[n]["error"]["code"] for n in (1, 3, 4, 5)} == {"rules_failed"}
    assert "no luck" in told[1]["error"]["message"]
    assert "unsayable" in told[3]["error"]["message"]
    assert "no answer within" in told[4]["error"]["message"]


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


def story(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/story", timeout=60) as answer:
        return json.load(answer)


def once(asked, patience_s=PATIENCE_S):
    until_s = time.monotonic() + patience_s
    while not (told := asked()):
        assert time.monotonic() < until_s
        time.sleep(0.2)
    return told


@pytest.fixture
def game(tmp_path, crowded):
    """A crokinole game refereed by a camera, with all that is broken beside it; gives the page's port."""
    board, port = str(crowded / "linesies_crokinole" / "board.json"), free_port()
    words = ("calibrate", "crokinole:table?discs=0", "--board", board, "--corners", *CORNERS, "-o", "calibration.json")
    assert linesies(crowded, *words, cwd=tmp_path).returncode == 0
    (tmp_path / "linesies.toml").write_text(SETTINGS.format(port=port))
    env = {**os.environ, "PYTHONPATH": str(crowded), "LINESIES_SLATE": str(tmp_path / "slate.txt")}
    referee = subprocess.Popen(
        [sys.executable, "-m", "linesies", "referee"], cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True
    )
    try:
        assert any("The game is shown at" in line for line in referee.stderr)
        yield port
    finally:
        referee.terminate()
        referee.communicate(timeout=90)


@pytest.mark.takes_turns(seconds=70)
@in_browser[0]
@in_browser[1]
@pytest.mark.timeout(400)
def test_a_game_from_outside_is_refereed_from_its_camera_to_the_page(game, tmp_path, browser):
    page = browser.new_context(**PHONE).new_page()
    page.set_default_timeout(60_000)
    faults = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto(f"http://127.0.0.1:{game}/")
    page.wait_for_selector("#board svg.crokinole polygon")
    told = once(lambda: (now := story(game))["state"] and now["state"]["phase"] == "over" and now)
    shots = [entry for entry in told["entries"] if entry["event"]["event"] == "shot"]
    assert [entry["refused"] for entry in shots] == [None] * 6
    until(page, "document.body.dataset.phase === 'over'")
    drawn = page.locator("#board svg.crokinole circle").count()
    assert drawn == sum(len(places) for places in shots[-1]["event"]["xy"].values()) > 0
    for player in told["state"]["players"]:
        score = f"{player['name']} {player['score']} ({player['points']})"
        assert score in page.text_content("#board svg.crokinole")
    assert faults == []
    assert (tmp_path / "slate.txt").read_text().strip() == shots[-1]["rulings"][-1]["text"]
    assert {f"game {name}" for name, (group, *_) in BROKEN.items() if group == GAME} <= told["troubles"].keys()
    assert "announcer mute" in told["troubles"]


@pytest.mark.parametrize("package", ["crokinole", "table"])
def test_a_package_is_small_enough_to_be_read_at_one_sitting(package):
    files = [path for path in (HERE / package).rglob("*") if path.suffix in (".py", ".js", ".json", ".toml")]
    assert sum(len(path.read_text().splitlines()) for path in files) <= 400
