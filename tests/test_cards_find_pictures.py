"""Whole pictures: cards on a table found by the networks that are shipped, and told by the command."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from linesies.device.commands.cards import command
from linesies.vision import BadInput as BadPicture
from linesies.vision import CardFinder, Outline
from linesies.vision.cards.find.net import LONG_SIDE_PX, VoteNet
from linesies.vision.cards.find.overlap import overlap
from linesies.vision.cards.find.plane import GuessedTable
from linesies.vision.cards.find.plane_pose import quads_of
from tests.card_felt import corner_error_px, draw_table

TABLE = GuessedTable(
    middle_px=np.array([639.5, 359.5]), focal_px=1300.0, slope=np.array([0.05, 0.35]), depth_mm=950.0, bend=0.05
)
POSES = np.array(
    [
        (-260, -110, 0.3),
        (-230, 90, 1.2),
        (-60, -80, 2.4),
        (-20, -70, 2.9),  # lies on the one before
        (180, -120, 0.0),
        (40, 110, -0.4),
        (250, 90, 1.57),
    ]
)


@pytest.fixture(scope="module")
def scene():
    quads = quads_of(TABLE, POSES)
    return draw_table(quads, np.random.default_rng(4)), quads


def test_every_card_on_a_felt_is_found_once_and_its_corners_to_a_pixel(scene):
    picture, quads = scene
    outlines = CardFinder().find(picture)
    assert len(outlines) == len(quads)
    for number, quad in enumerate(quads):
        best = max(outlines, key=lambda outline, quad=quad: overlap(outline.quad_px, quad))
        assert corner_error_px(best.quad_px, quad) < (3.0 if number == 2 else 1.0), f"card {number}"


def test_cards_of_which_the_net_sees_nothing_from_afar_are_found_from_closer(scene, monkeypatch):
    picture, quads = scene
    cast = VoteNet.cast

    def cast_from_close(net, seen, long_side_px=LONG_SIDE_PX):
        for votes in cast(net, seen, long_side_px):
            yield votes if long_side_px > LONG_SIDE_PX else votes.only(np.zeros(len(votes.chance), bool))

    monkeypatch.setattr(VoteNet, "cast", cast_from_close)
    found = CardFinder().find(picture)
    assert all(max(overlap(outline.quad_px, quad) for outline in found) > 0.9 for quad in quads)


def test_a_covered_card_is_told_whole_and_how_much_of_it_is_seen(scene):
    picture, quads = scene
    covered = max(CardFinder().find(picture), key=lambda outline: overlap(outline.quad_px, quads[2]))
    both, _ = cv2.intersectConvexConvex(quads[2].astype(np.float32), quads[3].astype(np.float32))
    assert covered.visible == pytest.approx(1 - both / cv2.contourArea(quads[2].astype(np.float32)), abs=0.12)


def test_a_large_thing_beside_a_trick_does_not_tell_how_large_cards_are():
    level = replace(TABLE, slope=np.zeros(2), depth_mm=1400.0)
    trick = quads_of(level, np.array([(-250, -60, 0.2), (-215, -40, 1.7), (-240, -20, 2.9)]))
    book = quads_of(level.with_cards((200.0, 280.0)), np.array([(180.0, 20.0, 0.3)]))
    found = CardFinder().find(draw_table([*book, *trick], np.random.default_rng(4)))
    for quad in trick:
        assert max(overlap(outline.quad_px, quad) for outline in found) > 0.9


@pytest.mark.parametrize("are_read", [True, False])
def test_where_things_of_two_sizes_may_be_the_cards_those_are_whose_names_are_read(are_read):
    level = replace(TABLE, slope=np.zeros(2), depth_mm=1400.0)
    card = quads_of(level, np.array([(-300, -160, 0.2)]))[0]
    tiles = quads_of(level.with_cards((150.0, 210.0)), np.array([(-180, 60, 0.1), (20, 60, 0.1), (220, 60, 0.1)]))

    def names(_picture, outlines):
        return float(are_read and any(overlap(outline.quad_px, card) > 0.9 for outline in outlines))

    found = CardFinder(names=names).find(draw_table([*tiles, card], np.random.default_rng(4)))
    assert any(overlap(outline.quad_px, card) > 0.9 for outline in found) == are_read


def test_the_first_side_is_a_short_one_and_corners_run_clockwise(scene):
    for outline in CardFinder().find(scene[0]):
        quad = outline.quad_px
        assert cv2.contourArea(quad.astype(np.float32), oriented=True) > 0
        first, second = np.hypot(*(quad[1] - quad[0])), np.hypot(*(quad[2] - quad[1]))
        assert first < 1.25 * second  # foreshortened at most by the tilt


def test_an_empty_table_has_no_cards():
    rng = np.random.default_rng(6)
    assert CardFinder().find(draw_table(quads_of(TABLE, np.zeros((0, 3))), rng)) == ()


def test_the_command_prints_one_line_a_frame(scene, tmp_path):
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), scene[0])
    done = CliRunner().invoke(command, [str(path)])
    assert done.exit_code == 0, done.output
    (line,) = done.output.splitlines()
    told = json.loads(line)
    assert told["frame"] == 0
    assert len(told["cards"]) == len(POSES)
    assert set(told["cards"][0]) == {"corners", "face", "card", "confidence", "zone"}
    assert all(card["face"] in ("up", "down") and card["zone"] is None for card in told["cards"])


@pytest.mark.parametrize(
    "corners", [((0, 0), (1, 0), (1, 1)), ((0, 0), (1, 0), (1, 1), (0, float("nan")))], ids=["three", "not a number"]
)
def test_an_outline_of_other_than_four_finite_corners_is_refused(corners):
    with pytest.raises(BadPicture, match="four finite corners"):
        Outline(corners_px=corners, score=0.5, visible=0.5)
