"""Who plays (1.0, 1.1): players who join late or come back, teams that win together, and where a first shot is from."""

import pytest

from linesies import rules
from linesies.rules import BadStart
from tests.street import Street, killer, on, shot

START = {"event": "start", "game": "skully", "players": ["ana", "bo", "cy", "di"]}


def join(name):
    return {"event": "join", "player": name}


def leave(name):
    return {"event": "leave", "player": name}


def test_who_joins_late_is_last_and_begins_behind_the_start_line():
    street = Street("ana", "bo")
    street.shot("ana", "open")
    assert street.said(join("zoe")) == ["1.1 joined player=zoe"]
    assert [player["name"] for player in street.public["players"]] == ["ana", "bo", "zoe"]
    assert street.cap("zoe") == Street().cap("ana")
    assert street.public["do_over"] is None
    assert "1.5 next_turn player=zoe" in street.shot("bo", "open")


def test_who_left_may_come_back_as_the_last_and_from_the_start():
    street = Street(edits={"bo": on("7f", "6")})
    street.said(leave("bo"))
    street.said(join("bo"))
    assert [player["name"] for player in street.public["players"]] == ["ana", "cy", "bo"]
    assert street.way("bo") == (None, "1f")


def test_who_plays_or_is_dead_does_not_join():
    street = Street(edits={"cy": {"status": "eliminated"}})
    assert street.refused(join("ana")) == "already_in"
    assert street.refused(join("cy")) == "player_out"
    assert street.refused(join("")) == "bad_event"
    assert street.refused({"event": "join"}) == "bad_event"
    street.said({"event": "pause"})
    assert street.refused(join("zoe")) == "paused"


def test_nobody_joins_a_game_that_is_over():
    street = Street("ana", "bo")
    street.said(leave("bo"))
    assert street.refused(join("bo")) == "game_over"


def test_teams_take_turns_one_after_another_and_win_together():
    street = Street("ana", "bo", "cy", "di", teams=2, edits={"ana": killer(), "cy": killer("open")})
    assert street.public["teams"] == [["ana", "cy"], ["bo", "di"]]
    street.said({"event": "correct", "players": {"bo": {"status": "eliminated"}, "ana": {"status": "eliminated"}}})
    assert street.public["winners"] is None
    assert street.said(leave("di"))[-1] == "1.0 team_won players=['ana', 'cy']"
    assert (street.public["winner"], street.public["winners"]) == ("cy", ["ana", "cy"])
    assert street.public["phase"] == "over"


def test_who_joins_late_goes_to_the_team_that_is_short_of_players():
    street = Street("ana", "bo", "cy", "di", teams=2)
    street.said(join("eve"))
    street.said(join("flo"))
    assert street.public["teams"] == [["ana", "cy", "eve"], ["bo", "di", "flo"]]
    street.said(leave("ana"))
    street.said(join("gil"))
    assert street.public["teams"][0] == ["ana", "cy", "eve", "gil"]


@pytest.mark.parametrize(("players", "teams"), [(2, 2), (3, 2), (4, 3), (3, 3), (5, 2)])
def test_teams_have_as_many_players_each_and_more_than_one(players, teams):
    names = [f"p{number}" for number in range(players)]
    with pytest.raises(BadStart, match='option "teams"'):
        rules.start(START | {"players": names, "options": {"teams": teams}})


def test_single_players_have_no_teams_in_their_state():
    assert not {"teams", "winners"} & Street().public.keys()


@pytest.mark.parametrize("turn", ["ana", "bo"])
def test_a_first_shot_from_before_the_start_line_is_said_and_changes_nothing_else(turn):
    event = shot("ana", "open")
    plain, told = Street("ana", "bo", turn=turn), Street("ana", "bo", turn=turn)
    said = told.said(event | {"behind_start": False})
    assert [line for line in said if line != "3.2.1 not_behind_start player=ana"] == plain.said(event)
    assert "3.2.1 not_behind_start player=ana" in said
    assert told.public == plain.public


def test_where_a_later_shot_is_from_is_nobodys_business():
    street = Street(edits={"ana": on("3f")})
    assert not [line for line in street.said(shot("ana", "4") | {"behind_start": False}) if "behind" in line]
    assert Street().said(shot("ana", "open") | {"behind_start": True}) == Street().shot("ana", "open")
