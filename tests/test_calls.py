"""What an umpire calls belongs to the game: its headline, what is called after it, and what where there is none."""

import pytest

from linesies.games import GAMES, UmpireCall, UmpireCalls, is_among

WIN, BOX, HIT, NEXT = (UmpireCall(code, code) for code in ("won", "in", "hit", "next"))
CALLS = UmpireCalls(headlines={"game_won": WIN, "made by=shot": BOX}, too={"hit": HIT, "next_turn": NEXT})
MADE, BROUGHT = {"code": "made", "by": "shot"}, {"code": "made", "by": "hit"}


def called(calls, event, *rulings):
    return [call.code for call, _ in calls.of(event, rulings)]


def test_the_weightiest_ruling_is_the_headline_and_what_comes_too_follows_in_the_order_of_the_rulings():
    rulings = (MADE, {"code": "hit"}, {"code": "next_turn"}, {"code": "game_won"})
    assert called(CALLS, {}, *rulings) == ["won", "hit", "next"]


def test_a_ruling_whose_detail_is_another_one_is_not_called():
    assert called(CALLS, {}, BROUGHT) == []
    assert is_among(MADE, CALLS.headlines)
    assert not is_among(BROUGHT, CALLS.headlines)


@pytest.mark.parametrize("say", ["{who} wins!", "{player!r} wins!", "{box:box|boxes}", "{player"])
def test_a_call_that_nobody_could_fill_is_none(say):
    with pytest.raises(ValueError, match=r"fields that nobody fills|expected '}'"):
        UmpireCall("won", say)


def test_a_miss_at_skully_is_called_by_where_the_cap_lies_and_not_after_a_hit():
    shot = {"event": "shot", "player": "ana", "hits": [], "rest": {"ana": "open"}}
    hit = {**shot, "hits": [["ana", "bo"]]}
    skully = GAMES["skully"].calls
    assert called(skully, shot) == ["miss"]
    assert called(skully, {**shot, "rest": {"ana": "skull_line"}}) == ["line"]
    assert called(skully, hit, {"code": "hit_bonus", "player": "ana", "victim": "bo"}) == ["hit"]
    assert called(skully, hit, {"code": "eliminated", "player": "bo", "by": "ana"}) == ["out"]  # killer by killer
    assert called(skully, {"event": "leave", "player": "ana"}) == []


def test_a_hit_that_earns_twice_is_called_once():
    shot = {"event": "shot", "player": "ana", "hits": [["ana", "bo"], ["bo", "cy"]], "rest": {"ana": "open"}}
    twice = [{"code": code, "player": "ana", "victim": "bo"} for code in ("skull_hit", "hit_into_target")]
    of_cy = {"code": "hit_bonus", "player": "ana", "victim": "cy"}
    assert called(GAMES["skully"].calls, shot, *twice, of_cy) == ["hit", "hit"]


def test_at_cards_nobody_misses_a_box_and_who_loses_his_last_card_is_called_out():
    skull = GAMES["skull"].calls
    assert called(skull, {"event": "placed", "player": "ana"}) == []
    assert called(skull, {"event": "card_lost", "player": "ana"}, {"code": "player_out", "player": "ana"}) == ["out"]
