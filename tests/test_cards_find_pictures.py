"""Whole pictures: cards on a table found by the networks that are shipped, and told by the command."""

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from linesies.device.commands.cards import command
from linesies.vision import BadInput as BadPicture
from linesies.vision import CardFinder, Outline
from linesies.vision.cards.find.finding import overlap
from linesies.vision.cards.find.plane import GuessedTable
from linesies.vision.cards.find.plane_pose import quads_of

SIZE_PX = (1280, 720)
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


def face(rng):
    """A card of 8 px/mm: pips on white, or a lattice in a white frame."""
    card = np.full((704, 504, 3), 245, np.uint8)
    ink = (30, 30, 30) if rng.random() < 0.5 else (40, 40, 200)
    if rng.random() < 0.3:
        ys, xs = np.indices((640, 440))
        card[32:-32, 32:-32][((xs + ys) // 18 % 2 == 0) | ((xs - ys) // 18 % 2 == 0)] = (140, 60, 30)
        return card
    for x in (150, 354):
        for y in (150, 352, 554):
            cv2.circle(card, (x, y), 45, ink, -1, cv2.LINE_AA)
    for _ in range(2):
        cv2.putText(card, "6", (25, 90), cv2.FONT_HERSHEY_SIMPLEX, 3, ink, 10, cv2.LINE_AA)
        cv2.circle(card, (50, 130), 24, ink, -1, cv2.LINE_AA)
        card = np.ascontiguousarray(card[::-1, ::-1])
    return card


def draw_table(quads, rng):
    """Lay cards on felt, drawn four times finer, blurred and noisy as a camera's picture."""
    fine = 3
    size = (SIZE_PX[0] * fine, SIZE_PX[1] * fine)
    table = np.full((size[1], size[0], 3), (70, 110, 40), np.float32)
    table += cv2.resize(rng.normal(0, 4, (size[1] // 4, size[0] // 4, 3)), size)
    flat = np.array([(-0.5, -0.5), (503.5, -0.5), (503.5, 703.5), (-0.5, 703.5)], np.float32)
    shape = np.zeros((704, 504), np.float32)
    cv2.rectangle(shape, (28, 28), (475, 675), 1.0, -1)
    shape = cv2.dilate(shape, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (57, 57)))
    for quad in quads:
        to_px = cv2.getPerspectiveTransform(flat, ((quad + 0.5) * fine - 0.5).astype(np.float32))
        share = cv2.warpPerspective(shape, to_px, size)[..., None]
        shade = cv2.GaussianBlur(np.roll(share[..., 0], (6, 6), (0, 1)), (0, 0), 8)[..., None]
        table = table * (1 - 0.3 * shade) * (1 - share) + cv2.warpPerspective(face(rng), to_px, size) * share
    small = cv2.resize(table, SIZE_PX, interpolation=cv2.INTER_AREA)
    return np.clip(cv2.GaussianBlur(small, (0, 0), 0.6) + rng.normal(0, 2, small.shape), 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def scene():
    quads = quads_of(TABLE, POSES)
    return draw_table(quads, np.random.default_rng(4)), quads


def corner_error_px(found, true):
    return min(np.hypot(*(np.roll(found, turn, 0) - true).T).mean() for turn in range(4))


def test_every_card_on_a_felt_is_found_once_and_its_corners_to_a_pixel(scene):
    picture, quads = scene
    outlines = CardFinder().find(picture)
    assert len(outlines) == len(quads)
    for number, quad in enumerate(quads):
        best = max(outlines, key=lambda outline, quad=quad: overlap(outline.quad_px, quad))
        assert corner_error_px(best.quad_px, quad) < (3.0 if number == 2 else 1.0), f"card {number}"


def test_a_covered_card_is_told_whole_and_how_much_of_it_is_seen(scene):
    picture, quads = scene
    covered = max(CardFinder().find(picture), key=lambda outline: overlap(outline.quad_px, quads[2]))
    both, _ = cv2.intersectConvexConvex(quads[2].astype(np.float32), quads[3].astype(np.float32))
    assert covered.visible == pytest.approx(1 - both / cv2.contourArea(quads[2].astype(np.float32)), abs=0.12)


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
