"""Votes gathered into cards, and sides measured where edges are likely."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from linesies.vision.cards.find.corners import likely_sides, linearised, meet, sharpened
from linesies.vision.cards.find.corners_search import search_moves
from linesies.vision.cards.find.edges import ALONG, OFFSETS_MM, STEP_MM, EdgeNet, side_frames, side_scales
from linesies.vision.cards.find.overlap import overlap
from linesies.vision.cards.find.scales import distinct
from linesies.vision.cards.find.votes import gather
from tests.card_votes import LYING, cast, turned


@pytest.mark.parametrize(
    "cards",
    [
        [LYING],
        [turned(LYING, 90), turned(LYING, 30, (500, 100))],
        [LYING, turned(LYING, 0, (40, 0))],
        [LYING, turned(LYING, 90)],
        [LYING, turned(LYING, 15, (35, 5)), turned(LYING, 30, (70, 15)), turned(LYING, 45, (105, 30))],
    ],
    ids=["one", "two apart", "a pile", "a cross", "a fan"],
)
def test_cells_that_mean_the_same_card_make_one_outline(cards):
    found = gather(cast(cards, np.random.default_rng(1)))
    assert len(found) == len(cards)
    for card in cards:
        assert max(overlap(card, rough.quad_px) for rough in found) > 0.85


def test_what_is_seen_of_a_card_is_told():
    found = gather(cast([LYING, turned(LYING, 0, (63, 0))], np.random.default_rng(2)))
    assert sorted(rough.visible for rough in found) == pytest.approx([0.5, 1.0], abs=0.1)


def test_a_scattered_vote_goes_to_the_card_that_it_fits_best():
    cards = [LYING, turned(LYING, 8, (32, 0)), turned(LYING, 16, (64, 0))]
    found = gather(cast(cards, np.random.default_rng(4), noise_px=9.0))
    assert all(max(overlap(card, rough.quad_px) for rough in found) > 0.8 for card in cards)
    whole = max(found, key=lambda rough: overlap(cards[2], rough.quad_px))
    assert whole.visible == pytest.approx(1.0, abs=0.12)


def test_a_cell_outside_the_card_that_it_votes_for_does_not_count():
    votes = cast([LYING], np.random.default_rng(5))
    astray = replace(votes, at_px=votes.at_px + np.array([400.0, 0.0]))
    assert len(gather(votes)) == 1
    assert gather(astray) == []


def test_no_votes_make_no_card():
    assert gather(cast([LYING - 5000], np.random.default_rng(1))) == []


def test_a_card_found_at_two_scales_is_one_card():
    found = gather(cast([LYING], np.random.default_rng(1)))
    again = gather(cast([LYING], np.random.default_rng(2)))
    assert len(distinct([found, again])) == 1


def picture_of(quad, *, ground=(60, 90, 60)):
    """A white card with a frame, drawn four times finer and averaged."""
    big = np.full((600 * 4, 800 * 4, 3), ground, np.uint8)
    cv2.fillPoly(big, [np.round((quad + 0.5) * 4 - 0.5).astype(np.int32)], (235, 240, 240), cv2.LINE_AA)
    inner = quad.mean(0) + 0.85 * (quad - quad.mean(0))
    cv2.fillPoly(big, [np.round((inner + 0.5) * 4 - 0.5).astype(np.int32)], (160, 40, 30), cv2.LINE_AA)
    small = cv2.resize(big, (800, 600), interpolation=cv2.INTER_AREA).astype(float)
    noisy = cv2.GaussianBlur(small, (0, 0), 0.8) + np.random.default_rng(3).normal(0, 2, small.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def test_the_outer_edge_is_taken_and_not_the_frame_to_a_third_of_a_pixel():
    net, off_px = EdgeNet(), []
    for turn, shift in ((17, (5, -4)), (48, (-3, 2)), (71, (2, 5)), (3, (-4, -3))):
        quad = turned(LYING, turn)
        picture = picture_of(quad)
        supposed = turned(LYING, turn + 1.5, shift)[None]
        chances = net.ask(picture, supposed)
        sides = sharpened(linearised(picture), likely_sides(chances, supposed, search_moves(chances, 1.0)))
        off_px.append(np.abs(meet(sides)[0] - quad))
        assert sides.support.min() > 0.3
    assert np.mean(off_px) < 0.35
    assert np.max(off_px) < 1.0


def test_a_bowed_side_is_followed_to_the_corners():
    chances = np.zeros((1, 4, len(ALONG), len(OFFSETS_MM)), np.float32)
    bow = 2.0 * ((2 * ALONG - 1) ** 2 - 1 / 3)
    at = np.rint((bow - OFFSETS_MM[0]) / STEP_MM).astype(int)
    chances[0, :, np.arange(len(ALONG)), at] = 1.0
    corners = meet(likely_sides(chances, LYING[None], np.zeros((1, 4, 3))))[0]
    outward = (corners - LYING) * np.sign(LYING - LYING.mean(0)) / side_scales(LYING[None])[0]
    assert outward == pytest.approx(np.full((4, 2), 1.33), abs=0.5)


def test_normals_point_outward():
    _, normal, _ = side_frames(LYING[None])
    assert normal[0].round(6).tolist() == [[0, -1], [1, 0], [0, 1], [-1, 0]]
