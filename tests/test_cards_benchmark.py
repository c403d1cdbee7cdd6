"""Cards seen in two ways are compared fairly: a card counts once, and a wrong name is told from none."""

import json

import cv2
import numpy as np
import pytest

from linesies.benchmarks.cards import score
from linesies.benchmarks.tutorial import plain

CORNERS = [[40.0, 30.0], [166.0, 30.0], [166.0, 206.0], [40.0, 206.0]]
OTHER = [[240.0, 30.0], [366.0, 30.0], [366.0, 206.0], [240.0, 206.0]]


@pytest.fixture
def folder(tmp_path):
    table = np.full((240, 400, 3), 40, np.uint8)
    cards = []
    for corners in (CORNERS, OTHER):
        cv2.fillConvexPoly(table, np.array(corners, int), (235, 235, 235))
        cards.append({"corners": corners, "face": "up", "card": "7H", "visible": 1.0, "index_visible": [1.0, 1.0]})
    cv2.imwrite(str(tmp_path / "0.png"), table)
    (tmp_path / "truth.json").write_text(json.dumps({"images": [{"file": "0.png", "cards": cards}]}))
    return tmp_path


def test_shares_count_each_card_once_and_tell_wrong_names_from_none(folder):
    told = [(np.array(CORNERS), "7H"), (np.array(CORNERS) + 2, "7H"), (np.array(OTHER), "8S")]
    got = score(folder, lambda _: told)
    assert (got.found, got.precise, got.named, got.wrong) == (1.0, pytest.approx(2 / 3), 0.5, 0.5)
    assert score(folder, lambda _: [(np.array(OTHER), None)]).wrong == 0.0


def test_tutorials_find_plain_cards_and_name_no_blank_one(folder):
    got = score(folder, plain())
    assert (got.found, got.precise, got.named, got.wrong) == (1.0, 1.0, 0.0, 0.0)
