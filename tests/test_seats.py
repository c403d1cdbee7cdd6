"""The seats of a mat are given to the people who play at it, and a game that does not fit is explained, not begun."""

import numpy as np
import pytest

from linesies.calibration import Calibration, Survey
from linesies.calibration.card_mats import mat
from linesies.calibration.seats import misfit, seated
from linesies.device.errors import BadInput
from linesies.device.loop.refereeing import table_start
from linesies.device.settings.settings import GameSettings, Settings
from linesies.games import GAMES
from linesies.referee.orders import NewGame
from linesies.referee.owner_orders import complete_owners
from linesies.referee.saying import Saying
from linesies.referee.story import Story
from linesies.simulator.cards.sitting import SimulatedTable
from linesies.simulator.cards.stage import TableWishes
from linesies.vision import TableWatcher

ZONES = ["seat:player1", "seat:player2", "seat:player3", "trick"]


def test_players_take_the_seats_of_a_printed_mat_in_their_order():
    assert seated(ZONES, ["Ana", "Bo"]) == {"player1": "Ana", "player2": "Bo"}


def test_players_whose_names_stand_on_the_mat_sit_there():
    assert seated(["seat:bo", "seat:ana", "seat:cy"], ["ana", "bo"]) == {"bo": "bo", "ana": "ana"}


@pytest.mark.parametrize(
    ("between", "players", "fault"),
    [(["trick"], ["a", "b", "c"], None), (["pile1"], ["a", "b"], "no zone pile1"), ([], list("abcd"), "3 seats")],
)
def test_a_mat_fits_a_game_or_says_what_is_missing(between, players, fault):
    told = misfit(ZONES, between, players)
    assert told is None if fault is None else fault in told


def order(game, players, zones=ZONES):
    start = {"event": "start", "game": game, "players": players, "options": {}}
    regions = [{"name": name, "polygon": []} for name in zones]
    return complete_owners(NewGame(start=start), Story(set_up={"board": {"regions": regions}}))


def test_people_with_names_of_their_own_begin_a_game_on_a_printed_mat_by_phone():
    assert order("skull_king", ["Ana", "Bo", "Cy"]).start["players"] == ["Ana", "Bo", "Cy"]


@pytest.mark.parametrize(("game", "players"), [("skull_king", list("abcd")), ("skipbo", ["Ana", "Bo"])])
def test_a_game_that_does_not_fit_the_mat_in_view_is_explained_and_not_begun(game, players):
    refused = order(game, players)
    assert isinstance(refused, Saying)
    assert "the table in view" in refused.why


def test_the_settings_may_name_people_for_the_seats_of_a_mat():
    board = mat(["player1", "player2", "player3", "player4"], "skull", GAMES["skull"].seen)
    settings = Settings(game=GameSettings(name="skull", players=("Ana", "Bo", "Cy", "Di")))
    assert table_start(settings, board)["players"] == ["Ana", "Bo", "Cy", "Di"]
    with pytest.raises(BadInput, match="4 seats for 5 players"):
        table_start(Settings(game=GameSettings(name="skull", players=tuple("ABCDE"))), board)


class NoReader:
    def read(self, picture_bgr, outlines):
        raise AssertionError("nothing lies there")


def test_the_watcher_names_the_people_who_play_not_the_seats_of_the_mat():
    table = SimulatedTable(TableWishes(game="skull", seed=4, players=4, light="indoor"))
    found = Calibration(
        board=table.board,
        view=table.stage.view,
        survey=Survey(lines=(), misfit_px=0.0),
        regions=table.board.regions,
        reprojection_px=0.0,
        empty_bgr=np.zeros((720, 1280, 3), np.uint8),
    )
    watcher = TableWatcher(found, NoReader(), cards=GAMES["skull"].seen)
    people = [{"name": name, "pile": []} for name in ("Ana", "Bo", "Cy", "Di")]
    watcher.expect("Ana", {"players": people})
    assert dict(watcher.seating) == {"ana": "Ana", "bo": "Bo", "cy": "Cy", "di": "Di"}
    people[1]["status"] = "left"
    watcher.expect("Ana", {"players": people}, {"ana": "Ana", "bo": "Eve", "cy": "Cy", "di": "Di"})
    assert list(watcher.seating.values()) == ["Ana", "Eve", "Cy", "Di"]
