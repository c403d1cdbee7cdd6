import json
import math
from dataclasses import replace

import numpy as np
import pytest

from linesies.calibration import Calibration, Survey
from linesies.device.errors import BadInput
from linesies.device.following import Aside, Said, follow_table, read_orders
from linesies.games import GAMES
from linesies.simulator.cards.sitting import SimulatedTable
from linesies.simulator.cards.stage import TableWishes
from linesies.vision import Reading, TableEvent, TableWatcher
from linesies.vision.cards.change import CARD_CHANGE, area_mm2, changed, find_new
from linesies.vision.cards.spots import PX_PER_MM
from linesies.vision.cards.table.accounting import Act
from linesies.vision.cards.table.arms import Reach, Reached, Shoulders, whose
from linesies.vision.cards.table.finding import WHY, PlaceFinding
from linesies.vision.cards.table.ledger import CHANGE
from linesies.vision.cards.table.seen import SeenCard, read_where_others_lay
from linesies.vision.cards.table.skipbo import SkipBoTeller
from linesies.vision.cards.table.skull import SkullTeller
from linesies.vision.cards.table.trick import TrickTeller

AT_MM = {"ana": np.array([450.0, 900.0]), "bo": np.array([100.0, -400.0]), "cy": np.array([800.0, -400.0])}


def card(name, x=0.0, face="up"):
    quad = np.array([(0, 0), (63, 0), (63, 88), (0, 88)], float) + np.array([x, 0.0])
    reading = Reading(face=face, name=name, confidence=1.0)
    return SeenCard(quad_mm=quad, reading=reading, sides=1.0, cover=1.0)


def reached_from(*crossings):
    """Arms that came in there, each of which hid the whole of a place of one small pixel."""
    reaches = tuple(Reach(np.array([crossing]), np.array([True])) for crossing in crossings if crossing is not None)
    return Reached(at_mm=CARD_MM[None], reaches=reaches)


def finding(spot, crossing=None, t_s=1.0, *, by=None, is_bare=False, doubt=None, lying=(), **done):
    """Make what was done in one place; `by` whose arm, of which it was seen where it came in."""
    acts = tuple(Act(kind=kind, card=one, doubt=doubt) for kind, cards in done.items() for one in cards)
    _, _, seat = spot.partition(":")
    owner, _, number = seat.partition(":")
    if by is not None:
        crossing = (acts[0].card.middle_mm + AT_MM[by]) / 2
    return PlaceFinding(
        spot=spot,
        acts=acts,
        is_bare=is_bare,
        owner=owner or None,
        number=int(number or 0),
        lying=tuple(lying),
        arms=reached_from(crossing),
        t_start_s=t_s - 1,
        t_end_s=t_s,
    )


def keys(events):
    return [(event.kind, event.zone, event.keys) for event in events]


@pytest.fixture(scope="module")
def felt():
    return np.random.default_rng(1).normal(90, 6, (360, 360, 3)).clip(0, 255).astype(np.uint8)


def with_card(felt, x=120, y=100):
    picture = felt.copy()
    picture[y : y + round(88 * PX_PER_MM), x : x + round(63 * PX_PER_MM)] = (200, 60, 40)
    return picture


def test_noise_and_a_change_of_light_are_no_change(felt):
    noise = np.random.default_rng(2).normal(0, 2, felt.shape)
    assert area_mm2(changed(felt, np.clip(felt * 1.06 + noise, 0, 255).astype(np.uint8))) < 20


def test_a_new_card_is_found_where_it_was_laid(felt):
    now = with_card(felt)
    best = find_new(now, changed(felt, now), reach_mm=CARD_CHANGE.near_mm, full_slope=CARD_CHANGE.full_slope)[0]
    assert best.sides > 0.9
    assert best.cover > 0.9
    assert np.abs(best.quad_px.mean(axis=0) - [120 + 31.5 * 1.5, 100 + 44 * 1.5]).max() < 3


def test_a_card_on_its_like_is_found_by_the_slivers_that_changed(felt):
    before = with_card(felt)
    before[100:232, 120:214][:6] = before[100:232, 120:214][-6:] = 240  # the back's white border
    before[100:232, 120:126] = before[100:232, 208:214] = 240
    before[110:220:8, 128:200] = (120, 40, 30)  # and its pattern
    now = before.copy()
    now[106 : 106 + 132, 127 : 127 + 94] = before[100:232, 120:214]
    best = find_new(now, changed(before, now), reach_mm=CARD_CHANGE.near_mm, full_slope=CARD_CHANGE.full_slope)[0]
    assert np.abs(best.quad_px.mean(axis=0) - [127 + 47, 106 + 66]).max() < 3


def test_a_card_laid_nearly_square_on_its_like_is_still_noticed(felt):
    before = with_card(felt)
    before[106:226:5, 126:208] = (120, 40, 30)
    now = before.copy()
    now[101:233, 121:215] = before[100:232, 120:214]
    assert area_mm2(changed(before, now)) > CHANGE.slight_mm2


def skull(*piles, phase="place"):
    return {"phase": phase, "players": [{"name": name, "pile": [None] * count} for name, count in piles]}


def test_an_open_card_that_was_nudged_is_no_event():
    teller = SkullTeller(Shoulders(AT_MM))
    assert teller.tell(finding("seat:ana", moved=[card("7H", 82.0)])) == []


def test_skull_cards_are_placed_turned_over_and_taken():
    teller = SkullTeller(Shoulders(AT_MM))
    back = card(None, face="down")
    assert keys(teller.tell(finding("seat:ana", laid=[back]))) == [("placed", "seat:ana", {"player": "ana"})]
    teller.tell(finding("seat:ana", laid=[back]))
    teller.expect("bo", None)
    flip = teller.tell(finding("seat:ana", by="bo", turned=[card("7H", 80.0)]))
    assert keys(flip) == [("flip", "seat:ana", {"player": "bo", "owner": "ana", "card": "7H"})]
    gone = teller.tell(finding("seat:ana", taken=[back, card("7H")], is_bare=True))
    assert keys(gone) == [("taken", "seat:ana", {"count": 2})]


def test_a_card_looked_at_for_a_while_and_put_back_is_not_placed_again():
    teller, back = SkullTeller(Shoulders(AT_MM)), card(None, face="down")
    teller.expect("bo", skull(("ana", 1), ("bo", 0)))
    assert keys(teller.tell(finding("seat:ana", taken=[back], is_bare=True))) == [("taken", "seat:ana", {"count": 1})]
    teller.expect("bo", skull(("ana", 1), ("bo", 0)))
    assert teller.tell(finding("seat:ana", laid=[back])) == []
    assert len(teller.tell(finding("seat:ana", laid=[back]))) == 1


def test_what_was_gathered_up_at_the_end_of_a_round_is_placed_anew_in_the_next():
    teller, back = SkullTeller(Shoulders(AT_MM)), card(None, face="down")
    teller.expect("ana", skull(("ana", 2), phase="loss"))
    teller.tell(finding("seat:ana", taken=[back, back], is_bare=True))
    teller.expect("ana", skull(("ana", 0), phase="first"))
    assert len(teller.tell(finding("seat:ana", laid=[back]))) == 1


def test_cards_gathered_up_after_a_reveal_are_placed_anew_though_the_rules_were_not_told_of_the_bids():
    teller, back = SkullTeller(Shoulders(AT_MM)), card(None, face="down")
    teller.expect("ana", skull(("ana", 1), ("bo", 1)))
    teller.tell(finding("seat:bo", turned=[card("7H")]))
    teller.tell(finding("seat:ana", taken=[back], is_bare=True))
    assert len(teller.tell(finding("seat:ana", laid=[back]))) == 1


def test_a_card_shown_from_the_hand_by_mistake_is_no_event_of_skull():
    assert SkullTeller(Shoulders(AT_MM)).tell(finding("seat:ana", laid=[card("7H")])) == []


def test_where_a_card_may_only_have_been_touched_the_event_says_so():
    (event,) = SkullTeller(Shoulders(AT_MM)).tell(finding("seat:ana", laid=[card(None, face="down")], doubt="touched"))
    assert event.doubt


def test_a_card_laid_by_an_arm_that_is_anothers_is_asked_about():
    back = card(None, x=420.0, face="down")
    (event,) = SkullTeller(Shoulders(AT_MM)).tell(finding("seat:ana", laid=[back], crossing=np.array([630.0, -200.0])))
    assert event.keys["player"] is None


def test_an_arm_tells_who_played_even_against_the_turn():
    teller = TrickTeller(Shoulders(AT_MM))
    teller.expect("ana", None)
    played = teller.tell(finding("trick", laid=[card("P7", 430)], crossing=np.array([470.0, 520.0])))
    assert played[0].keys == {"player": "ana", "card": "P7"}
    played = teller.tell(finding("trick", laid=[card("C2", 500)], crossing=np.array([640.0, -200.0])))
    assert played[0].keys["player"] == "cy"


@pytest.mark.parametrize("due", [None, "ana"])
def test_where_no_arm_was_seen_over_what_all_share_nobody_is_named_whoever_is_due(due):
    teller = TrickTeller(Shoulders(AT_MM))
    teller.expect(due, None)
    assert teller.tell(finding("trick", laid=[card("P7")]))[0].keys["player"] is None


def test_where_no_arm_was_seen_a_player_s_own_place_still_tells_who_it_was():
    (event,) = SkullTeller(Shoulders(AT_MM)).tell(finding("seat:ana", laid=[card(None, face="down")]))
    assert event.keys["player"] == "ana"


def test_a_card_of_a_player_without_a_seat_is_laid_by_anybody():
    teller = TrickTeller(Shoulders(AT_MM))
    teller.expect("graybeard", None)
    played = teller.tell(finding("trick", laid=[card("P7", 430)], crossing=np.array([470.0, 520.0])))
    assert played[0].keys["player"] == "graybeard"


def test_each_arm_points_back_to_its_shoulder():
    chances = whose(Shoulders(AT_MM), np.array([450.0, 150.0]), np.array([330.0, -20.0]))
    assert max(chances, key=chances.get) == "bo"
    assert sum(chances.values()) == pytest.approx(1.0)


CARD_MM = np.array([450.0, 150.0])


def reaching_from(x_mm, y_mm):
    """Where an arm from there to the card crosses the picture's border."""
    return CARD_MM + 0.6 * (np.array([x_mm, y_mm]) - CARD_MM)


def hiding(*parts):
    """What arms hid of a place of eight small pixels in a row, 10 mm apart; each came in at another side."""
    at_mm = np.stack([10.0 * np.arange(8), np.zeros(8)], axis=1)
    sides_mm = [(-500.0, 0.0), (500.0, 0.0), (0.0, 500.0)]
    reaches = tuple(
        Reach(np.array([side]), np.isin(np.arange(8), list(part))) for side, part in zip(sides_mm, parts, strict=False)
    )
    return Reached(at_mm=at_mm, reaches=reaches)


def quad_round(low_mm, high_mm):
    return np.array([(low_mm, -5), (high_mm, -5), (high_mm, 5), (low_mm, 5)], float)


def test_a_card_was_laid_by_the_arm_that_hid_its_own_place_though_another_reached_farther_beside_it():
    arms = hiding(range(6), range(5, 8))
    assert arms.crossing_mm().tolist() == arms.crossing_mm(quad_round(-5, 25)).tolist() == [-500, 0]
    assert arms.crossing_mm(quad_round(45, 75)).tolist() == [500, 0]


def test_of_two_arms_that_hid_as_much_of_a_cards_place_nobody_is_told():
    assert hiding(range(6), range(3, 8)).crossing_mm(quad_round(25, 55)) is None
    assert hiding().crossing_mm(quad_round(25, 55)) is None


def test_a_card_whose_place_no_arm_hid_was_laid_by_the_one_that_reached_farthest():
    assert hiding(range(5), range(2)).crossing_mm(quad_round(55, 75)).tolist() == [-500, 0]


def likeliest(shoulders, crossing_mm):
    by_arm = whose(shoulders, CARD_MM, crossing_mm)
    return max(by_arm, key=by_arm.get)


def test_where_people_truly_sit_is_learned_from_their_arms():
    shoulders = Shoulders({"ana": np.array([350.0, 900.0]), "bo": np.array([600.0, 900.0])})
    assert likeliest(shoulders, reaching_from(520.0, 900.0)) == "bo"
    for _ in range(4):  # both sit farther to the right than drawn
        shoulders.learn("ana", CARD_MM, reaching_from(450.0, 900.0))
        shoulders.learn("bo", CARD_MM, reaching_from(700.0, 900.0))
    assert likeliest(shoulders, reaching_from(520.0, 900.0)) == "ana"


def test_where_people_sit_is_not_forgotten_when_another_leaves_but_when_they_change_places():
    at_mm = {"ana": np.array([350.0, 900.0]), "bo": np.array([600.0, 900.0]), "cy": np.array([800.0, -400.0])}
    shoulders = Shoulders(at_mm)
    for _ in range(4):
        shoulders.learn("ana", CARD_MM, reaching_from(450.0, 900.0))
        shoulders.learn("bo", CARD_MM, reaching_from(700.0, 900.0))
    shoulders.seat({"ana": at_mm["ana"], "bo": at_mm["bo"]})
    assert list(shoulders) == ["ana", "bo"]
    assert likeliest(shoulders, reaching_from(520.0, 900.0)) == "ana"
    shoulders.seat({"ana": at_mm["bo"], "bo": at_mm["ana"]})
    assert likeliest(shoulders, reaching_from(520.0, 900.0)) == "ana"
    assert likeliest(shoulders, reaching_from(430.0, 900.0)) == "bo"


def test_an_arm_that_looks_rather_like_anothers_is_asked_about_though_somebody_else_is_due():
    teller = TrickTeller(Shoulders({"ana": np.array([350.0, 900.0]), "bo": np.array([560.0, 900.0])}))
    teller.expect("ana", None)
    played = teller.tell(finding("trick", laid=[card("P7", 418)], crossing=reaching_from(500.0, 900.0)))
    assert played[0].keys["player"] is None


def test_a_card_straightened_in_the_trick_or_lifted_and_put_back_is_not_played_twice():
    teller = TrickTeller(Shoulders(AT_MM))
    teller.tell(finding("trick", laid=[card("P7")]))
    told = teller.tell(finding("trick", moved=[card("P7", 4.0)], laid=[card("C2", 120.0)]))
    assert [event.keys["card"] for event in told] == ["C2"]
    teller.expect("bo", {"table": [{"player": "ana", "card": "P7"}], "players": []})
    teller.tell(finding("trick", taken=[card("P7")]))
    assert teller.tell(finding("trick", laid=[card("P7")])) == []
    assert len(teller.tell(finding("trick", laid=[card("C3")]))) == 1


def test_an_escape_taken_back_unplayed_is_none_of_those_that_lie_in_the_trick():
    teller = TrickTeller(Shoulders(AT_MM))
    teller.expect("ana", {"table": [{"player": "bo", "card": "ESC"}], "players": []})
    teller.tell(finding("trick", taken=[card("ESC", 120.0)], lying=[card("ESC")]))
    laid = teller.tell(finding("trick", laid=[card("ESC", 240.0)], lying=[card("ESC"), card("ESC", 240.0)], by="ana"))
    assert [event.keys for event in laid] == [{"player": "ana", "card": "ESC"}]


def skipbo(turn="ana", building=0, discards=(), die=None, out_of_turn=None):
    piles = [list(discards), [], [], []]
    return {
        "phase": "play",
        "turn": turn,
        "out_of_turn": out_of_turn,
        "building": [{"top": building, "cards": building}] * 4,
        "die": {"face": die, "used": False, "discards": 0},
        "players": [{"name": name, "stock": {"cards": 3, "top": None}, "discards": piles} for name in AT_MM],
    }


def building(teller, *cards, by="ana", **more):
    teller.tell(finding("pile1", laid=cards, by=by, **more))
    return [event.keys for event in teller.settle(math.inf)]


def test_a_card_played_from_a_discard_pile_is_told_with_its_pile():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", None)
    discard = teller.tell(finding("seat:ana:3", laid=[card("5")], t_s=1.0))
    assert keys(discard) == [("discard", "seat:ana", {"player": "ana", "pile": 3, "card": "5"})]
    assert teller.tell(finding("seat:ana:3", taken=[card("5")], is_bare=True, t_s=4.0)) == []
    assert teller.tell(finding("pile2", laid=[card("5", 300.0)], t_s=4.5, by="ana")) == []
    assert teller.settle(math.inf)[0].keys == {"player": "ana", "from": "discard", "n": 3, "pile": 2, "card": "5"}
    assert teller.settle(math.inf) == []


def test_a_card_put_back_after_a_look_is_no_discard_but_one_that_was_gone_for_long_is_asked_about():
    for back_s, told in ((6.0, []), (90.0, [WHY["touched"]])):
        teller = SkipBoTeller(Shoulders(AT_MM))
        teller.expect("ana", None)
        teller.tell(finding("seat:ana:3", taken=[card("5")], is_bare=True, t_s=4.0))
        back = teller.tell(finding("seat:ana:2", laid=[card("5")], t_s=back_s, by="ana"))
        assert [event.doubt for event in back] == told


class ReadsAt:
    """Reads a face in no outline but one."""

    def __init__(self, where_px, name):
        self._where_px, self._name = where_px, name

    def read(self, picture_bgr, outlines):
        at = (np.allclose(outline.corners_px, self._where_px) for outline in outlines)
        return [Reading(face="up", name=self._name if is_there else None, confidence=0.9) for is_there in at]


def test_a_face_that_cannot_be_read_in_its_own_outline_is_read_in_that_of_the_card_it_lies_on():
    calibration = calibration_of(SimulatedTable(TableWishes(game="skipbo", seed=4, players=2, light="indoor", fps=15)))
    lain = [card("10")]
    reader = ReadsAt(calibration.view.mm_to_px(lain[0].quad_mm), "11")
    beside = [card(None, x) for x in (3.0, 30.0)]
    told = [read_where_others_lay(one, lain, calibration.empty_bgr, calibration, reader).reading.name for one in beside]
    assert told == ["11", None]


def test_a_play_waits_for_places_that_stirred_before_it_lay_until_one_shows_where_it_came_from():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo(building=8, discards=["9"]))
    teller.tell(finding("pile1", laid=[card("9")], t_s=4.2, by="ana"))
    assert teller.settle(3.4) == []
    teller.tell(finding("seat:ana:1", taken=[card("9")], is_bare=True, t_s=4.4))
    (played,) = teller.settle(3.4)
    assert (played.keys["from"], played.keys["n"]) == ("discard", 1)


def test_a_play_waits_for_no_place_that_stirs_since():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo(building=8, discards=["9"]))
    teller.tell(finding("pile1", laid=[card("9")], t_s=4.2, by="ana"))
    (played,) = teller.settle(4.3)
    assert played.keys["from"] == "hand"


def test_a_play_is_told_after_the_one_beneath_it_though_where_that_came_from_is_seen_later():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo(building=8, discards=["10"]))
    teller.tell(finding("pile1", laid=[card("9")], t_s=4.2, by="ana"))
    teller.tell(finding("seat:ana:1", taken=[card("10")], is_bare=True, t_s=6.6))
    teller.tell(finding("pile1", laid=[card("10")], t_s=7.0, by="ana"))
    assert teller.settle(3.4) == []
    assert [(played.keys["card"], played.keys["from"]) for played in teller.settle(4.5)] == [
        ("9", "hand"),
        ("10", "discard"),
    ]


def test_a_play_on_another_pile_is_told_as_soon_as_it_is_seen_where_it_came_from():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo(building=8, discards=["10"]))
    teller.tell(finding("pile1", laid=[card("9")], t_s=4.2, by="ana"))
    teller.tell(finding("seat:ana:1", taken=[card("10")], is_bare=True, t_s=4.6))
    teller.tell(finding("pile2", laid=[card("10")], t_s=5.0, by="ana"))
    assert [played.keys["card"] for played in teller.settle(3.4)] == ["10"]


def test_a_play_that_waits_when_the_game_is_won_is_none_of_the_next_game():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo())
    teller.tell(finding("pile1", laid=[card("1")]))
    teller.expect(None, {**skipbo(), "phase": "over"})
    teller.expect("ana", skipbo())
    assert teller.settle(math.inf) == []


def test_who_has_left_discards_nothing_whatever_is_laid_before_his_seat():
    shoulders = Shoulders(AT_MM)
    teller = SkipBoTeller(shoulders)
    shoulders.seat({player: at_mm for player, at_mm in AT_MM.items() if player != "cy"})
    assert teller.tell(finding("seat:cy:1", laid=[card("5")])) == []


def test_the_one_card_of_a_discard_pile_is_played_from_there_though_two_were_seen_in_it():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo(building=8, discards=["9"]))
    assert teller.tell(finding("seat:ana:1", taken=[card("9"), card(None)], is_bare=True, t_s=4.0)) == []
    (played,) = building(teller, card("9"), t_s=4.2)
    assert (played["from"], played["n"]) == ("discard", 1)
    assert building(teller, card("9"), t_s=4.4)[0]["from"] == "hand"


@pytest.mark.parametrize(("taken", "left", "source"), [("6", ["4", "4"], "discard"), ("9", ["4", "6"], "hand")])
def test_a_discard_is_played_from_its_pile_though_more_cards_seem_to_lie_there_than_count(taken, left, source):
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo(building=int(taken) - 1, discards=["4", "6"]))
    lying = [card(name) for name in left]
    assert teller.tell(finding("seat:ana:1", taken=[card(taken)], lying=lying, t_s=4.0)) == []
    assert [played["from"] for played in building(teller, card(taken), t_s=4.2)] == [source]


def test_a_card_played_from_the_hand_and_from_the_stock():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", None)
    assert building(teller, card("1"))[0]["from"] == "hand"
    teller.tell(finding("seat:ana:0", laid=[card("2", 50.0)], t_s=6.0))
    teller.tell(finding("seat:ana:0", taken=[card("2", 50.0)], t_s=9.0))
    assert building(teller, card("2"), t_s=9.5)[0]["from"] == "stock"


def test_a_stock_s_card_that_was_looked_at_and_put_back_is_there_however_many_seemed_to_lie_on_it():
    teller = SkipBoTeller(Shoulders(AT_MM))
    public = skipbo(building=11)
    public["players"][0]["stock"]["top"] = "12"
    teller.expect("ana", public)
    teller.tell(finding("seat:ana:0", taken=[card("12"), card("12"), card("12")], t_s=1.0))
    teller.tell(finding("seat:ana:0", laid=[card("12")], lying=[card("12")], t_s=3.0))
    assert building(teller, card("12"), t_s=30.0)[0]["from"] == "hand"


@pytest.mark.parametrize(
    ("seat", "beneath", "source"), [("ana:0", "down", "stock"), ("ana:0", "up", "hand"), ("ana:3", "down", "hand")]
)
def test_a_stock_that_shows_a_back_had_its_card_taken_whatever_else_its_cards_seem_to_have_done(seat, beneath, source):
    teller, next_one = SkipBoTeller(Shoulders(AT_MM)), card(None, face="down")
    public = skipbo()
    public["players"][0]["stock"]["top"] = "1"
    teller.expect("ana", public)
    shown = next_one if beneath == "down" else card("7")
    teller.tell(finding(f"seat:{seat}", laid=[next_one], doubt="touched", lying=[card("1"), shown], t_s=1.0))
    assert building(teller, card("1"), t_s=1.5)[0]["from"] == source


def test_a_card_of_anothers_pile_that_was_only_looked_at_is_played_by_nobody_else():
    teller = SkipBoTeller(Shoulders(AT_MM))
    for sides, source in (([["ana"], ["bo"], ["cy"]], "hand"), ([["ana", "bo"], ["cy"]], "stock")):
        teller.expect("ana", {**skipbo(), "sides": [{"players": side, "score": 0} for side in sides]})
        teller.tell(finding("seat:bo:0", taken=[card("4")], t_s=1.0))
        assert building(teller, card("4"), t_s=30.0)[0]["from"] == source


def test_a_discard_that_is_straightened_or_lifted_and_put_back_ends_no_turn():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("bo", skipbo("bo", discards=["9"]))
    assert teller.tell(finding("seat:ana:1", moved=[card("9")])) == []
    teller.tell(finding("seat:ana:1", taken=[card("9")], is_bare=True, t_s=2.0))
    teller.expect("bo", skipbo("bo", discards=["9"]))
    assert teller.tell(finding("seat:ana:1", laid=[card("9")], t_s=9.0)) == []
    assert len(teller.tell(finding("seat:ana:1", laid=[card("9")], t_s=12.0))) == 1


@pytest.mark.parametrize(
    ("due", "counted", "is_asked"), [("ana", ["9"], False), ("ana", [], True), ("bo", ["9"], True)]
)
def test_a_discard_squarely_where_another_lay_may_have_lain_beneath_it_where_none_is_due_or_that_does_not_count(
    due, counted, is_asked
):
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect(due, skipbo(due, discards=counted))
    found = finding("seat:ana:1", laid=[card("4")], lying=[card("9"), card("4")])
    squarely = replace(found, acts=tuple(replace(act, on_another=0.9) for act in found.acts))
    assert [event.doubt is not None for event in teller.tell(squarely)] == [is_asked]
    assert [event.doubt for event in teller.tell(found)] == [None]


@pytest.mark.parametrize(
    ("due", "counted", "is_asked"), [("bo", ["P7"], False), ("bo", [], True), ("cy", ["P7"], True)]
)
def test_a_card_of_the_trick_squarely_where_another_lay_may_have_lain_beneath_it_likewise(due, counted, is_asked):
    teller = TrickTeller(Shoulders(AT_MM))
    teller.expect(due, {"table": [{"player": "ana", "card": name} for name in counted], "players": []})
    found = finding("trick", laid=[card("C2")], lying=[card("P7"), card("C2")], by="bo")
    squarely = replace(found, acts=tuple(replace(act, on_another=0.9) for act in found.acts))
    assert [event.doubt is not None for event in teller.tell(squarely)] == [is_asked]


def test_a_card_of_the_trick_exactly_where_another_lay_may_have_lain_beneath_it_whoever_is_due():
    teller = TrickTeller(Shoulders(AT_MM))
    teller.expect("bo", {"table": [{"player": "ana", "card": "P7"}], "players": []})
    found = finding("trick", laid=[card("C2")], lying=[card("P7"), card("C2")], by="bo")
    exactly = replace(found, acts=tuple(replace(act, on_another=1.0) for act in found.acts))
    assert [event.doubt for event in teller.tell(exactly)] == [WHY["two"]]


def test_whoever_straightens_a_building_pile_plays_nothing():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo(building=4))
    assert building(teller, card("4")) == []
    teller.tell(finding("pile1", moved=[card("4")]))
    assert teller.settle(math.inf) == []
    assert building(teller, card("5"))[0]["card"] == "5"


@pytest.mark.parametrize(("name", "is_asked"), [("5", False), ("9", True)])
def test_a_card_that_the_building_pile_lacks_was_not_only_touched(name, is_asked):
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo(building=4))
    teller.tell(finding("pile1", laid=[card(name)], doubt="touched", by="ana"))
    assert [event.doubt is not None for event in teller.settle(math.inf)] == [is_asked]


def test_a_card_is_played_by_the_arm_that_lays_it_whoever_is_due():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo("ana"))
    assert building(teller, card("1", 430), by=None, crossing=np.array([640.0, -200.0]))[0]["player"] == "cy"


def test_a_wild_card_squarely_where_one_lay_before_may_be_a_play_or_a_card_taken_back():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", None)
    teller.tell(finding("pile1", taken=[card("2")], lying=[card("SB")], t_s=9.0, by="ana"))
    (again,) = teller.settle(math.inf)
    assert again.keys == {"player": "ana", "from": "hand", "pile": 1, "card": "SB"}
    assert again.doubt
    gone = teller.tell(finding("pile1", taken=[card("SB"), card("2")], is_bare=True))
    assert keys(gone) == [("taken", "pile1", {"count": 2})]


def test_a_card_taken_back_from_its_like_is_not_thought_to_be_of_that_pile_when_it_is_laid_elsewhere():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo(discards=["8"]))
    teller.tell(finding("seat:ana:1", laid=[card("12")], taken=[card("8")], lying=[card("8"), card("12")]))
    laid = teller.tell(finding("seat:ana:2", laid=[card("8")], lying=[card("8")]))
    assert [event.keys["card"] for event in laid] == ["8"]


def test_a_card_that_the_rules_refused_on_a_wild_card_is_taken_back_without_a_question():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo(building=1))
    teller.tell(finding("pile1", taken=[card("6")], lying=[card("SB")]))
    assert teller.settle(math.inf) == []


def test_a_wild_card_seen_to_be_laid_is_told_once_though_the_card_beneath_it_seems_to_be_gone():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo(building=7))
    assert len(building(teller, card("SB"), taken=[card("7")], lying=[card("SB")])) == 1


def test_a_wild_card_lifted_from_a_building_pile_and_put_back_is_not_played_again():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo(building=1))
    teller.tell(finding("pile1", taken=[card("SB")], is_bare=True))
    teller.expect("ana", skipbo(building=1))
    assert building(teller, card("SB")) == []
    assert building(teller, card("SB"))[0]["card"] == "SB"


def test_a_wild_card_played_after_its_pile_was_cleared_away_is_new():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo(building=0))
    teller.tell(finding("pile1", taken=[card("12"), card("SB")], is_bare=True))
    assert building(teller, card("SB"))[0]["card"] == "SB"


def test_a_number_taken_back_from_a_building_pile_is_no_play():
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.tell(finding("pile1", taken=[card("2")], lying=[card("1")], t_s=9.0))
    assert teller.settle(math.inf) == []


@pytest.mark.parametrize(("face", "told"), [("1-4", {"die": 4}), ("SB", {"die": 4}), ("5-8", {}), ("DRAW1", {})])
def test_a_card_two_above_the_pile_is_played_on_the_die_where_that_may_stand_between(face, told):
    teller = SkipBoTeller(Shoulders(AT_MM))
    teller.expect("ana", skipbo(building=3, die=face))
    (played,) = building(teller, card("5"))
    assert {key: value for key, value in played.items() if key == "die"} == told


class KnowsTheDeck:
    """Reads by comparing with the drawn faces, so that these tests do not hang on a network's training."""

    def __init__(self, table):
        self._table = table

    def read(self, picture_bgr, outlines):
        view, cards = self._table.stage.view, list(self._table.world.cards.values())
        readings = []
        for outline in outlines:
            xy = view.px_to_mm(outline.quad_px.mean(axis=0)[None])[0]
            near = min(reversed(cards), key=lambda c: round(float(np.hypot(*(c.lie.xy_mm - xy))) / 3))
            face, name = ("up", near.name) if near.is_up else ("down", None)
            readings.append(Reading(face=face, name=name, confidence=1.0))
        return tuple(readings)


def calibration_of(table):
    return Calibration(
        board=table.board,
        view=table.stage.view,
        survey=Survey(lines=(), misfit_px=0.0),
        regions=table.board.regions,
        reprojection_px=0.0,
        empty_bgr=table.empty_bgr,
    )


@pytest.mark.parametrize(("game", "seconds"), [("skull", 9.0), ("skull_king", 10.0)])
def test_a_simulated_table_is_told_as_it_was_played(game, seconds):
    table = SimulatedTable(TableWishes(game=game, seed=4, light="indoor"), pace=2.0)
    watcher, told = TableWatcher(calibration_of(table), KnowsTheDeck(table), cards=GAMES[game].seen), []
    for frame in table.frames():
        told += watcher.see(frame)
        if frame.t_s > seconds and watcher.is_at_rest:
            break
    done = [truth for truth in table.truth if "t_start" in truth]
    assert len(told) >= sum(truth["t_clear"] < frame.t_s - 0.5 for truth in done) >= 2
    for event, truth in zip(told, done, strict=False):
        said = event.as_json()
        assert all(
            said[key] == truth[key] for key in ("event", "player", "card", "zone") if key in truth and key in said
        )
        assert truth["t"] - 1 < event.t_end_s < truth["t_clear"] + 1


def test_cards_laid_where_nobody_sits_or_has_left_are_no_event_and_end_no_watching():
    table = SimulatedTable(TableWishes(game="skull", seed=4, light="indoor"), pace=2.0)
    first, gone, *_ = table.stage.players
    people = [{"name": first, "pile": []}, {"name": gone, "pile": [], "status": "left"}]
    watcher, told = TableWatcher(calibration_of(table), KnowsTheDeck(table), cards=GAMES["skull"].seen), []
    watcher.expect(None, {"players": people})
    for frame in table.frames():
        told += watcher.see(frame)
        if frame.t_s > 9.0 and watcher.is_at_rest:
            break
    zones = {truth["zone"] for truth in table.truth if truth["event"] == "placed"}
    assert zones >= {f"seat:{player}" for player in table.stage.players}
    assert {event.zone for event in told} == {f"seat:{first}"}


def test_a_play_that_waits_is_told_though_somebody_leaves_meanwhile():
    table = SimulatedTable(TableWishes(game="skipbo", seed=4, players=3, light="indoor"))
    watcher = TableWatcher(calibration_of(table), KnowsTheDeck(table), cards=GAMES["skipbo"].seen)
    public = skipbo()
    watcher.expect("ana", public)
    watcher._teller.tell(finding("pile1", laid=[card("1")]))
    people = [{**one, "status": "left" if one["name"] == "cy" else "in"} for one in public["players"]]
    watcher.expect("ana", {**public, "players": people})
    assert [event.keys["card"] for event in watcher.finish()] == ["1"]


class Told:
    """A watcher that tells a placing at each of some seconds."""

    is_at_rest = True

    def __init__(self, *events):
        self._events = list(events)
        self.due = []

    def expect(self, player, public=None):
        self.due.append(player)

    def see(self, frame):
        now = [event for event in self._events if event.t_end_s <= frame.t_s]
        self._events = self._events[len(now) :]
        return tuple(now)

    def finish(self):
        return ()


def placed(player, t_s):
    return TableEvent(kind="placed", zone=f"seat:{player}", keys={"player": player}, t_start_s=t_s - 1, t_end_s=t_s)


class Tick:
    def __init__(self, t_s):
        self.t_s = t_s


def test_what_people_say_is_merged_in_time_and_ruled_on(tmp_path):
    start = tmp_path / "start.json"
    options = {"ruleset": "small_shelf"}
    start.write_text(json.dumps({"event": "start", "game": "skull", "players": ["ana", "bo"], "options": options}))
    said = (Said(t_s=6.0, event={"event": "bid", "player": "ana", "number": 1}),)
    watcher = Told(placed("ana", 2.0), placed("bo", 4.0))
    lines = list(follow_table([Tick(t) for t in (1.0, 3.0, 5.0, 7.0)], watcher, Aside(str(start)), said))
    told = [line.get("event") or line["ruling"]["code"] for line in lines]
    assert told == ["placed", "placed", "all_placed", "bid", "bidding_opened"]


@pytest.mark.parametrize("line", ["{", "[]", '{"event": "pass"}', '{"t": true, "event": "pass"}', '{"t": 1}'])
def test_orders_that_make_no_sense_name_their_line(tmp_path, line):
    orders = tmp_path / "orders.jsonl"
    orders.write_text('{"t": 0, "event": "pass", "player": "ana"}\n' + line + "\n")
    with pytest.raises(BadInput, match=r"orders\.jsonl:2"):
        read_orders(str(orders))
