import itertools

import numpy as np
import pytest

from linesies import games, rules
from linesies.calibration import Calibration, CalibrationError, calibrate
from linesies.calibration.card_mats import mat
from linesies.device.errors import BadInput
from linesies.simulator.cards.faces import draw_deck, names_of
from linesies.simulator.cards.sitting import SimulatedTable
from linesies.simulator.cards.stage import TableWishes
from linesies.simulator.cards.umpire import card_event
from linesies.simulator.street.naming import open_simulator
from linesies.simulator.umpire import RulesUmpire

GAMES = ("skull", "skull_king", "skipbo")
NAMES = ["ana", "bo", "cy", "di", "ed", "flo", "gus", "hal"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_a_mat_has_a_zone_for_everyone_and_no_two_overlap(game, count):
    board = mat(NAMES[:count], game, games.GAMES[game].seen)
    boxes = {r.name: (*r.polygon_mm.min(axis=0), *r.polygon_mm.max(axis=0)) for r in board.regions}
    assert [name for name in boxes if name.startswith("seat:")] == [f"seat:{name}" for name in NAMES[:count]]
    for box in boxes.values():
        assert min(box) > 0
        assert box[2] < board.size_mm[0]
        assert box[3] < board.size_mm[1]
    for a, b in itertools.combinations(boxes.values(), 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_seats_run_clockwise():
    board = mat(NAMES[:6], "skull", games.GAMES["skull"].seen)
    middle = np.array(board.size_mm) / 2
    middles = [r.polygon_mm.mean(axis=0) - middle for r in board.regions if r.name.startswith("seat:")]
    turns = np.unwrap([np.arctan2(y, x) for x, y in middles])
    assert (np.diff(turns) > 0).all()


@pytest.mark.parametrize("count", [2, 5, 8])
def test_a_skull_mat_has_two_places_for_what_each_player_has_won(count):
    board = mat(NAMES[:count], "skull", games.GAMES["skull"].seen)
    won = [region for region in board.regions if region.name.startswith("won:")]
    assert [r.name for r in won] == [f"won:{name}:{i}" for name in NAMES[:count] for i in (1, 2)]
    for region in won:
        name = region.name.split(":")[1]
        seats = {r.name: r.polygon_mm.mean(axis=0) for r in board.regions if r.name.startswith("seat:")}
        middle = region.polygon_mm.mean(axis=0)
        assert min(seats, key=lambda seat: np.hypot(*(seats[seat] - middle))) == f"seat:{name}"


@pytest.mark.parametrize("seats", [["ana"], ["ana", "ana"], [*NAMES, "ida"]])
def test_a_mat_for_too_few_too_many_or_equal_names_is_refused(seats):
    with pytest.raises(CalibrationError):
        mat(seats, "skull", games.GAMES["skull"].seen)


@pytest.mark.parametrize("game", GAMES)
def test_every_card_of_a_deck_looks_unlike_every_other(game):
    deck = draw_deck(game, np.random.default_rng(1))
    assert set(deck.faces) == set(names_of(game))
    small = np.array([face[::6, ::6].ravel() for face in deck.faces.values()], np.int16)
    for a, b in itertools.combinations(range(len(small)), 2):
        assert (np.abs(small[a] - small[b]) > 60).mean() > 0.002


@pytest.fixture(scope="module")
def tables():
    return {game: SimulatedTable(TableWishes(game=game, seed=1)) for game in GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_people_play_a_whole_game_by_the_rules(tables, game):
    table = SimulatedTable(TableWishes(game=game, seed=1))
    for t_s in table.play():
        if (table.is_over and not table.world.cards) or t_s > 1500:
            break
    core, state, _ = rules.start(table.start)
    for truth in table.truth:
        if truth["event"] != "taken":
            answer = core.apply(state, card_event(truth))
            assert not isinstance(answer, rules.Refused), (truth, answer)
            state = answer[0]
    assert core.public(state)["phase"] == "over"
    assert any(truth["event"] == "taken" for truth in table.truth)


@pytest.mark.parametrize("game", GAMES)
def test_nobody_reads_the_ruling_on_what_he_does_before_he_has_told_what_he_did(game, monkeypatch):
    """Else he waits for a ruling that he has read, and then says that there was none."""
    table, read_too_early = SimulatedTable(TableWishes(game=game, seed=1)), []

    def state(umpire):
        read_too_early.extend(truth for truth in table.truth if "event" not in truth)
        return umpire._game.public(umpire._state)

    monkeypatch.setattr(RulesUmpire, "state", state)
    for _ in zip(range(30 * 60), table.play(), strict=False):
        pass
    assert table.truth
    assert not read_too_early


def test_the_mat_is_calibrated_from_its_picture(tables):
    table = tables["skull_king"]
    corners = np.array(table.corners_px, float)
    found = calibrate(table.empty_bgr, table.board, lens=table.lens, corners_px=corners)
    assert isinstance(found, Calibration)
    width, height = table.board.size_mm
    mm = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    assert np.abs(found.view.mm_to_px(mm) - table.stage.view.mm_to_px(mm)).max() < 1.0


def test_a_card_laid_down_changes_the_picture_where_it_lies(tables):
    table = tables["skull"]
    empty = table.empty_bgr.astype(int)
    laid = (frame for frame in table.frames() if table.world.cards and not table.world.hands)
    frame = next(laid)
    card = next(iter(table.world.cards.values()))
    x, y = table.stage.view.mm_to_px(card.lie.xy_mm[None])[0].astype(int)
    change = np.abs(frame.bgr.astype(int) - empty).max(axis=2)
    assert np.median(change[y - 10 : y + 10, x - 10 : x + 10]) > 20
    assert np.median(change) < 8


def test_half_the_frames_show_the_same_game():
    table = open_simulator("skull", {"seed": "4", "fps": "15", "speed": "max"})
    times = [frame.t_s for frame in itertools.islice(table.frames(), 12)]
    assert np.diff(times) == pytest.approx(1 / 15)
    assert [number for number, _ in enumerate(times)] == [round(t_s * table.fps) for t_s in times]


@pytest.mark.parametrize(
    "options", [{"seed": "x"}, {"table": "ice"}, {"players": "9"}, {"speed": "0"}, {"colour": "red"}, {"fps": "7"}]
)
def test_wishes_that_cannot_be_had_are_refused(options):
    with pytest.raises(BadInput):
        open_simulator("skull", options)
