"""Card games are set right by what people agree on: each player's numbers; and what came since can be kept."""

import pytest

from linesies.referee.preview import preview
from tests.card_games import CardTable
from tests.card_sitting import Sitting

ROSES = ("5H", "6D")


def right(player, **numbers):
    return {"event": "correct", "players": {player: numbers}}


def skull():
    return Sitting("skull", "ana bo cy", ruleset="small_shelf")


def test_points_and_cards_of_skull_are_set_right_and_play_goes_on():
    sitting = skull()
    assert sitting.codes("correct", players={"bo": {"points": 1, "cards": 2}, "cy": {"cards": 3}}) == ["corrected"]
    assert [(one["points"], one["cards"]) for one in sitting.public["players"]] == [(0, 4), (1, 2), (0, 3)]
    assert sitting.codes("placed", "bo") == []
    assert sitting.codes("correct", players={"bo": {"cards": 4}}) == ["corrected"]
    assert sitting.of("bo")["hand"] == 3


def test_nobody_is_left_with_fewer_cards_than_lie_before_him():
    sitting = skull()
    for name in ("ana", "bo", "cy"):
        sitting.do("placed", name)
    sitting.do("placed", "ana")
    assert sitting.codes("correct", players={"ana": {"cards": 1}}) == "bad_correction"
    assert sitting.of("ana")["cards"] == 4


def test_a_round_of_skull_king_that_was_counted_takes_the_difference_of_a_score():
    sitting = Sitting("skull_king", "ana bo cy", rounds=[1, 1])
    assert sitting.codes("correct", players={"ana": {"score": 10}}) == "bad_correction"
    sitting.do("deal", "cy", cards=1)
    for name in ("ana", "bo", "cy"):
        sitting.do("bid", name, bid=0)
    assert sitting.codes("correct", players={"ana": {"tricks": 2}}) == "bad_correction"
    for name, card in (("ana", "P1"), ("bo", "P2"), ("cy", "P3")):
        sitting.do("play", name, card=card)
    before = sitting.of("ana")["score"]
    assert sitting.codes("correct", players={"ana": {"score": before - 20}}) == ["corrected"]
    assert sitting.of("ana")["rounds"] == [before - 20]


def test_of_a_game_of_skip_bo_that_is_over_only_points_are_set_right():
    sitting = Sitting("skipbo", "ana bo", stock=1, target=100)
    assert sitting.codes("correct", players={"bo": {"stock_cards": 4}}) == ["corrected"]
    sitting.do("draw", "ana", cards=5)
    sitting.do("roll", "ana", face="5-8")
    sitting.do("play", "ana", **{"from": "stock", "card": "1", "pile": 1})
    assert sitting.public["phase"] == "between"
    assert sitting.of("bo")["stock"]["cards"] == 4
    assert sitting.codes("correct", players={"bo": {"hand": 2}}) == "bad_correction"
    assert sitting.codes("correct", players={"ana": {"score": 30}}) == ["corrected"]
    assert sitting.public["sides"][0]["score"] == 30


@pytest.mark.parametrize(
    "players", [None, {}, {"zoe": {"points": 1}}, {"ana": {}}, {"ana": {"points": 2}}, {"ana": {"luck": 1}}, ["ana"]]
)
def test_what_cannot_be_set_right_makes_no_sense(players):
    assert skull().codes("correct", players=players) == "bad_event"


def won_challenge(table):
    """Ana turns over her own rose and, it is said, one of Bo's; a point, and the next round has begun."""
    for name in ("ana", "bo", "cal", "dee"):
        table.say({"event": "placed", "player": name}, name)
    table.say({"event": "bid", "player": "ana", "number": 2}, "ana")
    for name in ("bo", "cal", "dee"):
        table.say({"event": "pass", "player": name}, name)
    for owner, card in zip(("ana", "bo"), ROSES, strict=True):
        table.say({"event": "flip", "player": "ana", "owner": owner, "card": card}, "ana")


def test_a_card_that_was_misread_long_ago_is_set_right_and_what_came_since_is_kept(tmp_path):
    table = CardTable(tmp_path / "journal.sqlite", "skull")
    won_challenge(table)
    turned = table.referee.story.entries[-1]
    for name in ("ana", "bo", "cal", "dee"):
        table.say({"event": "placed", "player": name}, name)
    number = len(table.referee.story.entries)
    amend = {"order": "amend", "about": turned.row, "event": {**turned.event, "card": "KS"}}
    would = preview(table.referee.story, amend)
    assert would["entries"] > 0
    keep = would["keep"]
    assert keep["event"] == right("ana", points=0)
    assert [(one["name"], one["before"], one["after"]) for one in keep["players"]] == [
        ("ana", {"points": 1}, {"points": 0})
    ]
    table.referee.journal.submit({"order": "event", "event": keep["event"]}, "referee:ab12cd")
    table.referee.take_orders()
    assert table.state["phase"] == "place"
    assert [one["points"] for one in table.state["players"]] == [0, 0, 0, 0]
    assert len(table.referee.story.entries) == number + 1
