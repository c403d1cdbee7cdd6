"""The eyes change with the game and with what lies in view; a mat is learned by phone as a board is."""

from dataclasses import replace

import numpy as np
import pytest

import linesies.device.loop.refereeing as refereeing_module
from linesies.calibration import Calibration, Survey, read_calibration, write_calibration
from linesies.calibration.card_mats import mat
from linesies.device.cameras.source import Source
from linesies.device.journal.journal import Journal
from linesies.device.loop.owner_orders import SetUpPaths, Steward
from linesies.device.loop.setting_up import NoEyes
from linesies.device.loop.sight import NOTHING, sight_of
from linesies.device.loop.table_eyes import TableEyes
from linesies.device.places import journal_file
from linesies.device.settings.settings import (
    CameraSettings,
    GameSettings,
    KeepSettings,
    PinSettings,
    Settings,
    WebSettings,
)
from linesies.games import GAMES
from linesies.referee.folding import story_of
from linesies.referee.orders import Calibrate, PrintedMat
from linesies.referee.owner_orders import complete_owners
from linesies.referee.saying import Saying
from linesies.referee.story import Story
from linesies.simulator.cards.sitting import SimulatedTable
from linesies.simulator.cards.stage import TableWishes
from linesies.vision import Expectation, Frame, open_reader
from tests.calibrations import plain_calibration
from tests.test_hosting import order_row

SIZE_PX = (640, 360)
MAT = SimulatedTable(TableWishes(game="skull_king", seed=4, players=4, light="indoor", size_px=SIZE_PX))
TABLE = Calibration(
    board=MAT.board,
    view=MAT.stage.view,
    survey=Survey(lines=(), misfit_px=0.0),
    regions=MAT.board.regions,
    reprojection_px=0.0,
    empty_bgr=np.full((*SIZE_PX[::-1], 3), 90, np.uint8),
)
FRAME = Frame.from_bgr(TABLE.empty_bgr, number=0, t_s=0.0)
FOUR = ["Ana", "Bo", "Cy", "Di"]


@pytest.mark.parametrize(
    ("game", "calibration", "sight"),
    [
        ("skully", plain_calibration(), "caps"),
        ("skully", TABLE, NOTHING),
        ("skully", None, NOTHING),
        ("skull", TABLE, "cards:skull"),
        ("skull_king", TABLE, "cards:skull_king"),
        ("skull", plain_calibration(), NOTHING),
    ],
)
def test_what_is_looked_for_is_the_games_where_the_board_in_view_is_one_for_it(game, calibration, sight):
    assert sight_of(game, calibration) == sight


class Evening(Source):
    """A camera over an empty mat; between two frames it has people order what comes next."""

    name, size_px, fps, is_live = "evening", SIZE_PX, 20.0, True

    def __init__(self, steps):
        self._steps = iter(steps)
        self._number = 0

    def frames(self):
        while True:
            self._number += 1
            yield Frame.from_bgr(TABLE.empty_bgr, number=self._number, t_s=self._number / self.fps)
            step = next(self._steps, None)
            if step is None:
                return
            step()

    def close(self):
        pass


def played(tmp_path, monkeypatch, orders):
    """Begin Skull on a mat, give orders one after the other; what was looked for, and the story at the end."""
    settings = Settings(
        camera=CameraSettings(source="v4l2:0", calibration=str(tmp_path / "c.json"), caps=str(tmp_path / "caps.json")),
        game=GameSettings(name="skull", players=tuple(FOUR)),
        pins=PinSettings(library="mock"),
        web=WebSettings(serve=False),
        keep=KeepSettings(state=str(tmp_path), clips=0),
    )
    write_calibration(TABLE, tmp_path / "c.json")
    looked = []
    opened = refereeing_module._eyes

    def noted(settings, known, start):
        looked.append(sight_of(start["game"], known.calibration))
        return opened(settings, known, start)

    def ordering(order):
        def step():
            journal = Journal(journal_file(tmp_path))
            journal.submit(order, "referee:x")
            journal.close()

        return step

    evening = Evening([step for order in orders for step in (ordering(order), lambda: None, lambda: None)])
    monkeypatch.setattr(refereeing_module, "_eyes", noted)
    monkeypatch.setattr(refereeing_module, "_apart", lambda _source, _meanwhile: evening)
    refereeing_module.referee_game(settings, say=lambda _line: None)
    journal = Journal(journal_file(tmp_path))
    story = story_of(journal)
    journal.close()
    return looked, story


def begin(game, players=FOUR):
    return {
        "order": "new_game",
        "start": {"event": "start", "game": game, "players": list(players), "options": {}},
    }


def test_the_eyes_change_with_the_game_and_what_was_not_learned_is_said_and_played_by_phone(tmp_path, monkeypatch):
    looked, story = played(tmp_path, monkeypatch, [begin("skull_king")])
    assert looked == ["cards:skull", "cards:skull_king"]
    assert story.troubles["cards"]["said"]["code"] == "deck_unlearned"
    assert (story.game_name, list(story.players)) == ("skull_king", FOUR)


def test_the_eyes_come_back_with_their_game(tmp_path, monkeypatch):
    looked, story = played(tmp_path, monkeypatch, [begin("skull_king"), begin("skull")])
    assert looked == ["cards:skull", "cards:skull_king", "cards:skull"]
    assert "cards" not in story.troubles


def test_a_mat_is_learned_by_phone_from_its_four_corners(tmp_path):
    canvas = np.ascontiguousarray(MAT.empty_bgr)
    eyes = NoEyes()
    kept = SetUpPaths(state=tmp_path, calibration=tmp_path / "c.json", caps=tmp_path / "caps.json")
    redrawn = []
    steward = Steward(eyes, (), kept=kept, redraw=redrawn.append, rekit=lambda _: None)
    corners = [[float(x), float(y)] for x, y in MAT.corners_px]
    steward.take([order_row("calibrate", corners=corners, mat={"game": "skull_king", "seats": 4})])
    [told] = steward.see(Frame.from_bgr(canvas, number=0, t_s=0.0))
    assert told.is_over, told.message
    assert sight_of("skull_king", read_calibration(tmp_path / "c.json")) == "cards:skull_king"
    zones = [region["name"] for region in redrawn[-1]["board"]["regions"]]
    assert zones[:4] == [f"seat:player{n}" for n in range(1, 5)]


@pytest.mark.parametrize(("game", "seats"), [("skully", 4), ("chess", 2), ("skipbo", 8)])
def test_a_mat_that_there_is_not_is_refused(game, seats):
    refused = complete_owners(Calibrate(mat=PrintedMat(game=game, seats=seats)), Story())
    assert isinstance(refused, Saying)


@pytest.mark.parametrize("game", ["skull", "skull_king", "skipbo"])
def test_there_are_mats_for_two_to_as_many_as_may_play(game):
    seen = GAMES[game].seen
    for seats in range(2, seen.most + 1):
        drawn = mat([str(n) for n in range(seats)], game, seen)
        assert len([region for region in drawn.regions if region.name.startswith("seat:")]) == seats
    assert replace(seen).most in (6, 8)


def test_people_keep_their_seats_when_the_table_is_found_again():
    eyes = TableEyes(TABLE, open_reader("standard", "english"), cards=GAMES["skull_king"].seen)
    eyes.expect(Expectation(shooter="Bo", public={"players": [{"name": name} for name in FOUR], "table": []}))
    eyes.recalibrate(TABLE)
    assert list(eyes._watcher.seating.values()) == FOUR
