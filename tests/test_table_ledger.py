"""One place on the table through whole rounds of drawn cards: laid, touched, turned over, taken back, counted."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from linesies.vision import Reading
from linesies.vision.cards.find.overlap import overlap
from linesies.vision.cards.spots import PX_PER_MM, TableSpot
from linesies.vision.cards.table.accounting import account_for
from linesies.vision.cards.table.arms import Reached, Shoulders
from linesies.vision.cards.table.finding import PlaceFinding
from linesies.vision.cards.table.ledger import Ledger, LedgerEntry
from linesies.vision.cards.table.seen import SeenCard
from linesies.vision.cards.table.settling import settle_quad
from linesies.vision.cards.table.skull import SkullTeller
from linesies.vision.cards.table.spread import Spreads

SIDE_MM = 240.0
SIZE = (round(SIDE_MM * PX_PER_MM),) * 2
FINE = 4  # drawn finer than seen, each way
EDGE = 0.9  # how much of the light reaches the table along a card's sides
PAPER = (243, 246, 248)
ROUNDS = range(6)


def place():
    """A square zone, seen from above without any lens."""
    low, high = 20.0, SIDE_MM - 20.0
    at = np.stack(np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1])), axis=-1)
    return TableSpot(
        name="seat:ana",
        polygon_mm=np.array([(low, low), (high, low), (high, high), (low, high)]),
        origin_mm=np.zeros(2),
        size_px=SIZE,
        map_px=cv2.convertMaps(at.astype(np.float32), None, cv2.CV_16SC2),
        small_mask=np.ones((8, 8), bool),
    )


def sheet(rng, *, is_up):
    """Draw a face with pips, or a back with a border, FINE times as large as it is seen."""
    wide, tall = (round(side * PX_PER_MM * FINE) for side in (63, 88))
    card = np.full((tall, wide, 3), PAPER, np.uint8)
    if is_up:
        ink = (40, 30, 190) if rng.random() < 0.5 else (40, 40, 40)
        for _ in range(int(rng.integers(2, 9))):
            xy = rng.uniform(0.25, 0.75, 2) * (wide, tall)
            cv2.circle(card, xy.astype(int).tolist(), 30, ink, -1)
        for corner in ((34, 50), (wide - 34, tall - 50)):
            cv2.circle(card, corner, 18, ink, -1)
        return card
    border, ink = int(rng.integers(14, 28)), tuple(int(v) for v in rng.integers(20, 160, 3))
    card[border:-border, border:-border] = ink
    card[border:-border:36, border:-border] = PAPER
    return card


class Felt:
    """A zone on which cards are drawn; remembers them, the lowest first."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.back = sheet(self.rng, is_up=False)
        shade = self.rng.integers(40, 170, 3)
        self._bare = np.clip(self.rng.normal(shade, 4.0, (*SIZE, 3)), 0, 255)
        self.cards = []

    def paint_lines(self, low_mm, high_mm):
        low, high = (np.rint(np.array(xy) * PX_PER_MM).astype(int).tolist() for xy in (low_mm, high_mm))
        cv2.rectangle(self._bare, low, high, (235.0, 235.0, 235.0), 3)

    def lay(self, card, xy_mm, turn_deg=0.0):
        self.cards.append((card, np.asarray(xy_mm, float), turn_deg))

    def look(self):
        """See it, with the noise that is left on a few frames."""
        seen = self._bare.copy()
        for card, xy_mm, turn_deg in self.cards:
            height, width = card.shape[:2]
            to = cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), turn_deg, 1 / FINE)
            to[:, 2] += xy_mm * PX_PER_MM - (width / 2 - 0.5, height / 2 - 0.5)
            paper, cover = (cv2.warpAffine(i, to, SIZE, flags=cv2.INTER_AREA) for i in (card, np.ones((height, width))))
            shadow = 1 - (1 - EDGE) * cv2.GaussianBlur(cover, (0, 0), 1.2)[..., None]
            seen = seen * shadow * (1 - cover[..., None]) + paper * cover[..., None]
        seen = cv2.GaussianBlur(seen, (0, 0), 0.7) + self.rng.normal(0, 1.0, seen.shape)
        return np.clip(seen, 0, 255).astype(np.uint8)


@pytest.fixture
def table(request):
    felt = Felt(request.param)
    ledger = Ledger(place(), felt.look())
    ledger.begin(felt.look())
    return felt, ledger


def read(felt, ledger, candidates, now):
    """Read cards as a reader would who knows which lie there: the topmost near each candidate."""
    seen = []
    for candidate in candidates:
        quad = ledger.spot.to_mm(settle_quad(now, candidate.quad_px))
        if not candidate.is_sure or any(overlap(quad, other.quad_mm) > 0.3 for other in seen):
            continue
        near = [c for c in felt.cards if np.hypot(*(c[1] - quad.mean(axis=0))) < 8]
        if not near:
            continue
        card = near[-1][0]
        name = None if card is felt.back else str(id(card))
        reading = Reading(face="down" if name is None else "up", name=name, confidence=1.0)
        seen.append(SeenCard(quad_mm=quad, reading=reading, sides=candidate.sides, cover=candidate.cover))
    return seen


def seen_at(face, xy_mm):
    half_mm = np.array((63.0, 88.0)) / 2
    quad_mm = np.array(xy_mm) + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half_mm
    return SeenCard(
        quad_mm=quad_mm, reading=Reading(face="up", name=str(id(face)), confidence=1.0), sides=1.0, cover=1.0
    )


def acts(felt, ledger):
    """Look at the place as a watcher does; the acts as (kind, whether it is certain)."""
    return [(act.kind, act.doubt is None) for act in finding(felt, ledger).acts]


def doubts(felt, ledger, **how):
    """Look at the place as a watcher does; the acts as (kind, what is doubted)."""
    return [(act.kind, act.doubt) for act in finding(felt, ledger, **how).acts]


def finding(felt, ledger, *, spreads=None, has_doubles=False):
    now = felt.look()
    difference = ledger.compare(now)
    done, is_bare = (), False
    if difference is not None:
        assert difference.is_explained
        cards = read(felt, ledger, difference.candidates, now)
        account = account_for(ledger, now, cards, difference, spreads=spreads or Spreads(), has_doubles=has_doubles)
        ledger.enter(now, account.entry)
        if spreads is not None and account.spread is not None:
            spreads.learn(account.spread)
        done, is_bare = account.acts, difference.is_bare
    return PlaceFinding(
        spot="seat:ana",
        acts=done,
        is_bare=is_bare,
        owner="ana",
        arms=Reached(at_mm=np.empty((0, 2))),
        t_start_s=0.0,
        t_end_s=1.0,
    )


def told(felt, ledger, teller):
    return [(event.kind, event.keys.get("count")) for event in teller.tell(finding(felt, ledger))]


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
def test_every_card_of_a_pile_counts_however_squarely_it_is_laid_and_taken_back(table):
    felt, ledger = table
    teller, spot, turn = (
        SkullTeller(Shoulders({"ana": np.zeros(2)})),
        felt.rng.uniform(90, 150, 2),
        felt.rng.uniform(-40, 40),
    )
    for _ in range(4):
        felt.lay(felt.back, spot + felt.rng.normal(0, 2.5, 2), turn + felt.rng.normal(0, 3))
        assert told(felt, ledger, teller) == [("placed", None)]
        assert told(felt, ledger, teller) == []
    felt.cards.pop()
    assert told(felt, ledger, teller) == [("taken", 1)]
    felt.cards = felt.cards[:1]
    assert told(felt, ledger, teller) == [("taken", 2)]
    felt.cards.clear()
    assert told(felt, ledger, teller) == [("taken", 1)]


TOUCHES = {
    "put back 10 mm off": lambda xy, turn: (xy + np.array([8.0, 6.0]), turn),
    "turned": lambda xy, turn: (xy, turn + 90.0),
    "pushed": lambda xy, turn: (xy + np.array([40.0 if xy[0] < 120 else -40.0, 0.0]), turn),
}


@pytest.mark.parametrize("table", range(3), indirect=True)
@pytest.mark.parametrize("how", TOUCHES)
@pytest.mark.parametrize("height", [1, 2, 3])
def test_a_card_that_was_only_touched_is_never_surely_a_new_one(table, how, height):
    felt, ledger = table
    spot, turn = felt.rng.uniform(95, 145, 2), felt.rng.uniform(-30, 30)
    for _ in range(height):
        felt.lay(felt.back, spot + felt.rng.normal(0, 4.0, 2), turn + felt.rng.normal(0, 4))
        acts(felt, ledger)
    card, xy, turn = felt.cards.pop()
    felt.lay(card, *TOUCHES[how](xy, turn))
    done = acts(felt, ledger)
    assert ("laid", True) not in done
    assert ("taken", True) not in done
    assert len(ledger.cards) <= height + sum(kind == "laid" for kind, _ in done)


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
def test_two_cards_laid_at_once_are_both_asked_about(table):
    felt, ledger = table
    felt.lay(felt.back, (100, 115), 10)
    felt.lay(felt.back, (125, 123), 10)
    assert doubts(felt, ledger) == [("laid", "two"), ("laid", "two")]


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
def test_of_two_cards_laid_at_once_the_lower_is_seen_by_a_sliver_of_four_millimetres(table):
    felt, ledger = table
    felt.lay(felt.back, (116, 112), 4)
    felt.lay(felt.back, (112, 112), 4)
    assert doubts(felt, ledger) == [("laid", "two"), ("laid", "two")]


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
def test_a_face_beneath_which_another_shows_is_asked_about_and_so_is_that_when_it_is_seen(table):
    felt, ledger = table
    felt.lay(sheet(felt.rng, is_up=True), (100, 115), 10)
    felt.lay(sheet(felt.rng, is_up=True), (116, 109), 14)
    assert doubts(felt, ledger) == [("laid", "two")]
    felt.cards.pop()
    assert ("laid", "two") in doubts(felt, ledger)


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
@pytest.mark.parametrize("off_mm", [(16, -6), (20, 30), (-35, 45)])
def test_a_face_that_comes_to_light_when_one_that_covered_some_of_it_is_taken_may_have_lain_there(table, off_mm):
    felt, ledger = table
    above, beneath = sheet(felt.rng, is_up=True), sheet(felt.rng, is_up=True)
    felt.lay(above, (110, 115), 10)
    assert doubts(felt, ledger) == [("laid", None)]
    felt.cards.clear()
    felt.lay(beneath, np.array((110, 115)) + off_mm, 4)
    assert sorted(doubts(felt, ledger)) == [("laid", "two"), ("taken", None)]


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
def test_a_face_laid_partly_onto_another_is_one_for_sure(table):
    felt, ledger = table
    felt.lay(sheet(felt.rng, is_up=True), (90, 110), -8)
    assert doubts(felt, ledger) == [("laid", None)]
    felt.lay(sheet(felt.rng, is_up=True), (120, 118), 14)
    assert doubts(felt, ledger) == [("laid", None)]
    assert len(ledger.cards) == 2


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
@pytest.mark.parametrize(
    ("off_mm", "is_squarely", "is_exactly"), [(0.0, True, True), (4.0, True, False), (30.0, False, False)]
)
def test_a_face_laid_where_another_lies_says_whether_it_hides_that(table, off_mm, is_squarely, is_exactly):
    felt, ledger = table
    felt.lay(sheet(felt.rng, is_up=True), (100, 110), 0)
    assert [act.is_squarely for act in finding(felt, ledger).acts] == [False]
    felt.lay(sheet(felt.rng, is_up=True), (100 + off_mm, 110), 0)
    assert [(act.is_squarely, act.is_exactly) for act in finding(felt, ledger).acts] == [(is_squarely, is_exactly)]


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
def test_a_face_that_is_straightened_or_lifted_and_put_back_is_the_card_that_lay_there(table):
    felt, ledger = table
    face, other = (sheet(felt.rng, is_up=True) for _ in range(2))
    for card, xy, turn in ((other, (120, 120), 0.0), (face, (122, 124), 5.0)):
        felt.lay(card, xy, turn)
        assert acts(felt, ledger) == [("laid", True)]
    felt.cards[-1] = (face, np.array([114.0, 120.0]), -8.0)
    assert acts(felt, ledger) == [("moved", True)]
    felt.cards.pop()
    assert acts(felt, ledger) == [("taken", True)]
    felt.lay(face, (120, 121))
    assert acts(felt, ledger) == [("laid", True)]


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
def test_a_card_that_may_only_have_been_touched_is_not_taken_when_the_next_is_laid(table):
    felt, ledger = table
    face, other = (sheet(felt.rng, is_up=True) for _ in range(2))
    for xy_mm in ((75.0, 120.0), (77.6, 118.8)):  # one card, of which it was left open whether a second one came
        felt.cards = [(face, np.array(xy_mm), 0.0)]
        ledger.enter(felt.look(), LedgerEntry(come=(seen_at(face, xy_mm),)))
    felt.lay(other, (165, 120))
    assert doubts(felt, ledger) == [("laid", None)]


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
def test_a_card_is_laid_without_doubt_though_a_back_is_thought_to_lie_elsewhere_that_nobody_sees(table):
    felt, ledger = table
    back = replace(seen_at(felt.back, (75.0, 120.0)), reading=Reading(face="down", name=None, confidence=1.0))
    ledger.enter(felt.look(), LedgerEntry(come=(back,)))  # a phone, say, that somebody has taken away
    felt.lay(sheet(felt.rng, is_up=True), (165, 120))
    assert doubts(felt, ledger) == [("laid", None)]


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
def test_a_card_laid_squarely_on_its_like_is_found_though_a_neighbour_s_pile_has_changed(table):
    felt, ledger = table
    face, like = (sheet(felt.rng, is_up=True) for _ in range(2))
    felt.lay(face, (120, 120))
    acts(felt, ledger)
    felt.lay(like, (120.0, 121.5))
    felt.lay(felt.back, (264, 120))
    (act,) = finding(felt, ledger).acts
    assert act.kind == "laid"
    assert np.hypot(*(act.card.middle_mm - (120.0, 121.5))) < 4.0


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
def test_cards_turned_over_from_a_pile_are_found_where_they_are_laid_beside_it_and_on_each_other(table):
    felt, ledger = table
    spot, beside = np.array([85.0, 120.0]), np.array([162.0, 120.0])
    for _ in range(3):
        felt.lay(felt.back, spot + felt.rng.normal(0, 4.0, 2), felt.rng.uniform(-25, 25))
        acts(felt, ledger)
    for left in (2, 1, 0):
        xy = felt.rng.normal(beside + np.array([6.0 * (2 - left), 0.0]), 5.0)
        backs = [card for card in felt.cards if card[0] is felt.back][:left]
        felt.cards = [*backs, *(card for card in felt.cards if card[0] is not felt.back)]
        felt.lay(sheet(felt.rng, is_up=True), xy, felt.rng.normal(0, 10))
        (act,) = finding(felt, ledger).acts
        assert act.kind == "turned"
        assert np.hypot(*(act.card.middle_mm - xy)) < 4.0
        assert len(ledger.cards) == 3


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
def test_a_card_taken_off_bares_the_next_though_the_mats_lines_look_like_one_that_was_laid_beside_it(table):
    felt, ledger = table
    face = sheet(felt.rng, is_up=True)
    felt.paint_lines((84, 44), (147, 132))
    ledger.begin(felt.look())
    for card, turn_deg in ((felt.back, 0), (felt.back, 22.5), (face, 22.5)):
        felt.lay(card, (120, 120), turn_deg)
        acts(felt, ledger)
    felt.cards = [felt.cards[0], (felt.back, np.array((120.0, 119.2)), 22.5)]
    assert doubts(felt, ledger) == [("taken", None)]


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
@pytest.mark.parametrize(("beneath", "doubt"), [([], None), ([((123.0, 124.0), 6.0)], "two")])
def test_two_cards_laid_at_once_squarely_on_another_are_told_from_one(table, beneath, doubt):
    felt, ledger = table
    spreads = Spreads()
    for turn_deg in (70, 40, 20, 10, 0):
        felt.cards.clear()
        doubts(felt, ledger)
        felt.lay(sheet(felt.rng, is_up=True), (120, 120), turn_deg)
        assert doubts(felt, ledger, spreads=spreads) == [("laid", None)]
    for xy_mm, turn_deg in beneath:
        felt.lay(sheet(felt.rng, is_up=True), xy_mm, turn_deg)
    felt.lay(sheet(felt.rng, is_up=True), (120.5, 121.0))
    assert doubts(felt, ledger, spreads=spreads) == [("laid", doubt)]


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
def test_where_a_card_lay_that_is_gone_nothing_tells_of_a_second_one(table):
    felt, ledger = table
    felt.lay(felt.back, (90, 120), 40)
    acts(felt, ledger)
    felt.cards.clear()
    felt.lay(sheet(felt.rng, is_up=True), (125, 120))
    assert doubts(felt, ledger) == [("turned", None)]


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
def test_a_sweep_leaves_nothing_and_counts_all(table):
    felt, ledger = table
    teller = SkullTeller(Shoulders({"ana": np.zeros(2)}))
    for number in range(3):
        felt.lay(felt.back, (80 + 3 * number, 110), felt.rng.normal(0, 5))
        told(felt, ledger, teller)
    felt.cards.pop()
    felt.lay(sheet(felt.rng, is_up=True), (165, 120))
    assert told(felt, ledger, teller) == [("flip", None)]
    felt.cards.clear()
    assert told(felt, ledger, teller) == [("taken", 3)]
    assert told(felt, ledger, teller) == []


def test_something_that_stays_and_is_no_card_changes_no_count():
    felt = Felt(3)
    ledger = Ledger(place(), felt.look())
    felt.lay(felt.back, (100, 120))
    acts(felt, ledger)
    glass = np.full((160, 160, 3), (90, 70, 60), np.uint8)
    felt.lay(glass, (190, 60))
    now = felt.look()
    assert not ledger.compare(now).is_explained
    ledger.adopt(now)
    assert len(ledger.cards) == 1
    felt.cards.pop()
    assert acts(felt, ledger) == []
    assert len(ledger.cards) == 1
    felt.cards.pop()
    assert acts(felt, ledger) == [("taken", True)]


def test_what_lies_round_a_place_is_none_of_its_own():
    felt = Felt(3)
    bare = felt.look()
    ledger = Ledger(place(), bare)
    felt.lay(felt.back, (120, 120))
    felt.lay(felt.back, (264, 120))
    now = felt.look()
    alone = ledger.alone(now, bare)
    assert (alone[100:260, 150:210] == now[100:260, 150:210]).all()
    assert (alone[:, -15:] == bare[:, -15:]).all()


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
@pytest.mark.parametrize(
    ("is_up", "where_mm", "is_on_it"),
    [(False, (100, 110), True), (False, (200, 110), False), (True, (100, 110), False)],
)
def test_what_lies_on_a_back_and_is_not_known_as_a_card_may_be_another_back(table, is_up, where_mm, is_on_it):
    felt, ledger = table
    lying = sheet(felt.rng, is_up=True) if is_up else felt.back
    felt.lay(lying, (100, 110), 0)
    assert acts(felt, ledger) == [("laid", True)]
    now = felt.look()
    x, y = (round(along * PX_PER_MM) for along in where_mm)
    cv2.circle(now, (x, y), 15, (200, 60, 200), -1)
    assert (ledger.back_changed_in_place(now) is not None) is is_on_it


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
@pytest.mark.parametrize(("beside_mm", "may_be_back"), [(7, True), (40, False)])
def test_a_sliver_beside_a_back_may_be_another_back_laid_on_it(table, beside_mm, may_be_back):
    felt, ledger = table
    felt.lay(felt.back, (100, 110), 0)
    assert acts(felt, ledger) == [("laid", True)]
    now = felt.look()
    left, right, top, bottom = (round(side * PX_PER_MM) for side in (132, 132 + beside_mm, 75, 150))
    now[top:bottom, left:right] = (150, 150, 235)
    assert (ledger.back_changed_in_place(now) is not None) is may_be_back


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
@pytest.mark.parametrize(("has_doubles", "told"), [(True, [("laid", "touched")]), (False, [])])
def test_a_card_laid_nearly_exactly_on_one_that_shows_the_same_is_asked_about_where_there_are_doubles(
    table, has_doubles, told
):
    felt, ledger = table
    twelve = sheet(felt.rng, is_up=True)
    felt.lay(twelve, (120.0, 120.0), 3.0)
    assert doubts(felt, ledger, has_doubles=has_doubles) == [("laid", None)]
    felt.lay(twelve, (121.2, 119.2), 3.0)
    assert doubts(felt, ledger, has_doubles=has_doubles) == told


@pytest.mark.parametrize("table", ROUNDS, indirect=True)
@pytest.mark.parametrize(("off_mm", "turn_deg"), [((3.0, -2.0), 4.0), ((1.5, 1.0), -5.0)])
def test_where_there_are_doubles_a_card_laid_like_one_two_beneath_it_may_be_another(table, off_mm, turn_deg):
    felt, ledger = table
    seven, twelve = sheet(felt.rng, is_up=True), sheet(felt.rng, is_up=True)
    for card, xy_mm in ((seven, (120.0, 120.0)), (twelve, (123.0, 117.0))):
        felt.lay(card, xy_mm)
        assert doubts(felt, ledger, has_doubles=True) == [("laid", None)]
    felt.lay(seven, np.array((120.0, 120.0)) + off_mm, turn_deg)
    assert [kind for kind, _ in doubts(felt, ledger, has_doubles=True)] == ["laid"]
