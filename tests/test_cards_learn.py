"""A deck learned from photographs: found, told apart, read in any position, kept in a file."""

import json
import zipfile
from itertools import pairwise

import cv2
import numpy as np
import pytest

from linesies.vision import BadInput, LearnedDeck, Outline, learn, photograph
from linesies.vision.cards.learn.faces import Faces
from linesies.vision.cards.learn.families import lay_together
from linesies.vision.cards.learn.photo import find_alone
from tests import drawn_decks as drawn

TURNS = (0, 4, 187, -6, 172, 9, 3, 181, -3, 8, 0, 176)


def outline(corners_px, rng=None, slip_px=1.0):
    corners = np.array(corners_px, float)
    if rng is not None:
        corners = corners + rng.normal(0, slip_px, (4, 2))
    return Outline(corners_px=tuple(map(tuple, corners.tolist())), score=1.0, visible=1.0)


@pytest.fixture(scope="module")
def faces():
    """A photograph of each face."""
    return {
        card: [photograph(drawn.photograph_of(art, seed=seed, turn_deg=turn))]
        for (card, art), seed, turn in zip(drawn.draw_deck().items(), range(99), TURNS, strict=False)
    }


@pytest.fixture(scope="module")
def lesson(faces):
    photos = dict(faces)
    photos["back"] = [photograph(drawn.photograph_of(drawn.draw_back(), seed=50))]
    return learn(photos)


@pytest.fixture(scope="module")
def table():
    """Every card of the deck on a table, in other light, and its back."""
    rng = np.random.default_rng(7)
    deck = {**drawn.draw_deck(), "back": drawn.draw_back()}
    picture = drawn.draw_table(rng, (1100, 620), (120, 70, 90))
    places = [drawn.place((90 + 150 * (i % 7), 150 + 260 * (i // 7)), 37 * i, 1.4) for i in range(len(deck))]
    for art, corners in zip(deck.values(), places, strict=True):
        drawn.lay(picture, art, corners)
    return drawn.expose(rng, picture, cast=(0.8, 0.95, 1.05), noise=3.0), dict(zip(deck, places, strict=True))


def test_each_card_is_read_in_any_turn_from_outlines_that_are_a_pixel_off(lesson, table):
    picture, places = table
    rng = np.random.default_rng(3)
    outlines = [outline(corners, rng) for corners in places.values()]
    for card, reading in zip(places, lesson.deck.read(picture, outlines), strict=True):
        assert (reading.face, reading.name) == (("down", None) if card == "back" else ("up", card))


def test_an_outline_may_begin_at_either_end_of_a_card(lesson, table):
    picture, places = table
    (reading,) = lesson.deck.read(picture, [outline(np.roll(places["A6"], 2, 0))])
    assert reading.name == "A6"


def test_a_strange_back_is_face_down(lesson):
    rng = np.random.default_rng(4)
    picture = drawn.draw_table(rng, (400, 400), (60, 60, 60))
    corners = drawn.place((200, 200), 20, 2.0)
    stripes = np.tile(np.array([(250, 250, 250)] * 30 + [(40, 140, 40)] * 30, np.uint8), (528, 7, 1))[:, :378]
    drawn.lay(picture, stripes, corners)
    (reading,) = lesson.deck.read(drawn.expose(rng, picture), [outline(corners)])
    assert (reading.face, reading.name) == ("down", None)


def smudged(art, share):
    rng = np.random.default_rng(8)
    blots = cv2.GaussianBlur(rng.uniform(0, 255, art.shape).astype(np.float32), (0, 0), 12)
    return np.clip((1 - share) * art + share * (8 * (blots - blots.mean()) + 128), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("has_back", "shown", "face"), [(True, "A6", "up"), (False, "A6", "down"), (True, "back", "down")]
)
def test_a_face_that_is_hardly_seen_is_no_back_where_the_back_is_known(faces, lesson, has_back, shown, face):
    deck = lesson.deck if has_back else learn(faces).deck
    art = drawn.draw_back() if shown == "back" else drawn.draw_deck()[shown]
    picture, corners = (
        drawn.draw_table(np.random.default_rng(4), (400, 400), (60, 60, 60)),
        drawn.place((200, 200), 20, 2),
    )
    drawn.lay(picture, smudged(art, 0.88), corners)
    (reading,) = deck.read(picture, [outline(corners)])
    assert (reading.face, reading.name) == (face, None)


def test_only_what_is_seen_of_a_covered_card_counts(lesson):
    rng = np.random.default_rng(5)
    deck = drawn.draw_deck()
    picture = drawn.draw_table(rng, (500, 420), (60, 110, 110))
    fan = {card: drawn.place((150 + 40 * i, 210), 8 * i, 2.0) for i, card in enumerate(("A3", "B7", "A8"))}
    for card, corners in fan.items():
        drawn.lay(picture, deck[card], corners)
    readings = lesson.deck.read(drawn.expose(rng, picture), [outline(corners) for corners in fan.values()])
    assert [reading.name for reading in readings] == ["A3", "B7", "A8"]


def test_a_card_under_an_unknown_one_is_not_read_from_what_lies_over_it(lesson):
    rng = np.random.default_rng(6)
    picture = drawn.draw_table(rng, (420, 420), (60, 110, 110))
    under, over = drawn.place((200, 200), 0, 2.0), drawn.place((205, 205), 4, 2.0)
    drawn.lay(picture, drawn.draw_deck()["A3"], under)
    drawn.lay(picture, np.full((528, 378, 3), (30, 30, 200), np.uint8), over)
    readings = lesson.deck.read(drawn.expose(rng, picture), [outline(under), outline(over)])
    assert [reading.name for reading in readings] == [None, None]


def test_no_outlines_no_readings(lesson, table):
    assert lesson.deck.read(table[0], []) == ()


def test_cards_that_look_alike_are_named_while_learning():
    deck = {"A1": drawn.draw_card("A", 1), "A7": drawn.draw_card("A", 7), "A7 again": drawn.draw_card("A", 7)}
    photos = {
        card: [photograph(drawn.photograph_of(art, seed=i, cast=(1, 1 - 0.1 * i, 0.9)))]
        for i, (card, art) in enumerate(deck.items())
    }
    assert learn(photos).alike == (("A7", "A7 again"),)


def test_pictures_of_different_cards_under_one_name_are_named_while_learning():
    arts = (drawn.draw_card("A", 1), drawn.draw_back(), drawn.draw_card("B", 1))
    first, second, third = (photograph(drawn.photograph_of(art)) for art in arts)
    lesson = learn({"mixed": [first, second], "B1": [third]})
    assert lesson.unlike == ("mixed",)


def test_two_pictures_of_a_card_may_be_turned_differently():
    art = drawn.draw_card("B", 7)
    upright, upside_down = (photograph(drawn.photograph_of(art, seed=t, turn_deg=t)) for t in (3, 183))
    assert learn({"B7": [upright, upside_down]}).unlike == ()


@pytest.mark.parametrize("table", [(20, 20, 22), (225, 225, 225), (90, 140, 180)])
def test_a_card_is_found_on_dark_light_and_wooden_tables(table):
    picture = drawn.photograph_of(drawn.draw_card("A", 3), table=table, turn_deg=12, seed=2)
    (found,) = find_alone(picture)
    area_mm = cv2.contourArea(found.quad_px.astype(np.float32)) / 2.4**2
    assert area_mm == pytest.approx(63 * 88, rel=0.06)


def test_a_picture_without_a_card_and_one_with_two_are_told():
    rng = np.random.default_rng(8)
    empty = drawn.draw_table(rng, (300, 260), (90, 90, 90))
    with pytest.raises(BadInput, match="no card found"):
        photograph(drawn.expose(rng, empty))
    for x in (75, 225):
        drawn.lay(empty, drawn.draw_card("A", 2), drawn.place((x, 130), 3, 1.5))
    with pytest.raises(BadInput, match="2 cards found"):
        photograph(drawn.expose(rng, empty))


def test_large_numbers_on_one_emblem_are_no_shade_while_learning():
    """Two numbers differ by more than light does: neither paper nor emblem may take that for light."""
    pale, purple, size = (212, 232, 240), (150, 50, 104), (176, 126)
    faces = {}
    for number in map(str, range(1, 10)):
        face = np.full((*size, 3), pale, np.uint8)
        cv2.rectangle(face, (30, 58), (96, 118), purple, -1)
        cv2.putText(face, number, (42, 108), cv2.FONT_HERSHEY_TRIPLEX, 1.8, pale, 4, cv2.LINE_AA)
        faces[number] = cv2.GaussianBlur(face, (0, 0), 1.0).astype(np.float32)
    learned = lay_together(Faces(tuple(faces), np.stack(list(faces.values())))).fine
    beside = [np.s_[64:112, 33:39], np.s_[64:112, 87:93], np.s_[40:54, 40:86], np.s_[122:136, 40:86]]
    for face, own in zip(learned, faces.values(), strict=True):
        assert max(np.abs((face - own)[place].mean((0, 1))).max() for place in beside) < 3


def test_a_deck_survives_its_file(lesson, table, tmp_path):
    picture, places = table
    lesson.deck.save(tmp_path / "small.deck")
    opened = LearnedDeck.open(tmp_path / "small.deck")
    assert opened.names == lesson.deck.names
    assert opened.has_back
    outlines = [outline(places[card]) for card in ("A1", "B8")]
    assert [reading.name for reading in opened.read(picture, outlines)] == ["A1", "B8"]


def broken_decks(whole, tmp_path):
    """Yield files that are nearly decks."""
    data = whole.read_bytes()
    yield "cut short", data[: len(data) // 2]
    yield "empty", b""
    yield "text", b"a deck of cards"
    for name, index in {
        "another format": {"format": "other", "cards": ["A1"], "die": []},
        "no list": [],
        "a name twice": {"format": "linesies deck 1", "cards": ["A1", "A1"], "die": []},
        "a face is missing": {"format": "linesies deck 1", "cards": ["A1"], "die": []},
        "no card": {"format": "linesies deck 1", "cards": [], "die": []},
        "numbers": {"format": "linesies deck 1", "cards": [1], "die": []},
    }.items():
        path = tmp_path / "made.zip"
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("deck.json", json.dumps(index))
        yield name, path.read_bytes()


def test_a_file_that_is_no_deck_is_refused_in_one_line(lesson, tmp_path):
    lesson.deck.save(tmp_path / "whole.deck")
    for name, data in broken_decks(tmp_path / "whole.deck", tmp_path):
        path = tmp_path / f"{name}.deck"
        path.write_bytes(data)
        with pytest.raises(BadInput, match="linesies learn") as caught:
            LearnedDeck.open(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(BadInput, match="cannot be read"):
        LearnedDeck.open(tmp_path / "absent.deck")


def test_the_surer_a_reading_the_larger_its_confidence(lesson):
    rng = np.random.default_rng(9)
    picture = drawn.draw_table(rng, (400, 400), (80, 60, 60))
    corners = drawn.place((200, 200), 10, 1.2)
    drawn.lay(picture, drawn.draw_deck()["A8"], corners)
    confidences = []
    for noise in (2, 25, 90):
        (reading,) = lesson.deck.read(drawn.expose(rng, picture, noise=noise), [outline(corners)])
        assert reading.name in ("A8", None)
        confidences.append(reading.confidence if reading.face == "up" else 0.0)
    assert all(more > less for more, less in pairwise(confidences))
