"""People across games: nothing is summed up unasked, only the player or the referee asks, forgotten is forgotten."""

import pytest

from linesies.device.phones.remembered import Remembered
from linesies.device.serving.webapp import JournalFace
from linesies.referee.careers import career_json, records_json
from linesies.web import Anyone, create_app
from linesies.web.roles import Role
from linesies.web.safety import COOKIE, TOKEN_HEADER, sign_of
from tests import scenes
from tests.refereeing import START, call, quick_journal, referee_on, shot


def summary(*, minutes=30.0, winners=(), **players):
    """How a game went: each player's (made, hits, best gap)."""
    others = {"shots": 1, "was_hit": 1, "pipsies": 1, "longest": {"pipsies": 1}}
    told = [
        {"name": name, "made": made, "hits": hits, "best_gap": gap, **others}
        for name, (made, hits, gap) in players.items()
    ]
    rests = [[10.0 * i, 5.0, name] for i, name in enumerate(players)]
    span = {"begun": 100.0, "ended": 100.0 + 60 * minutes}
    told_of = {"players": told, "rests": rests, "set_up": {"board": len(players)}}
    return {**span, **told_of, "game": {"game": "skully"}, "winners": list(winners)}


TWO = [
    summary(ana=(6, 2, 1.4), bo=(3, 5, None), winners=["ana"]),
    summary(ana=(9, 0, 0.3), cy=(1, 1, 0.9), minutes=60, winners=["cy"]),
]


def test_a_career_adds_up_the_games_in_which_one_played():
    [told] = career_json("ana", TWO)["of"]
    assert (told["game"], told["games"], told["won"], told["shots"]) == ("skully", 2, 1, 2)
    counts = {"boxes": 15, "boxes an hour": 10.0, "hits": 2, "was hit": 2, "pipsies": 2}
    assert {one["title"]: one["value"] for one in told["counts"]} == counts
    assert told["best_gap"] == 0.3
    assert told["rests"] == [[0.0, 5.0], [0.0, 5.0]]
    assert career_json("zed", TWO)["of"] == []


def test_records_name_the_best_and_nothing_where_nobody_has_one():
    [told] = records_json(TWO)
    assert (told["game"], told["closest"]) == ("skully", {"player": "ana", "value": 0.3})
    assert {one["title"]: (one["player"], one["value"]) for one in told["records"]} == {
        "most boxes an hour": ("ana", 12.0),
        "most hits in a game": ("bo", 5),
        "longest pipsies, boxes": ("ana", 1),
    }
    assert records_json([]) == []


def test_a_game_of_a_minute_sets_no_record_of_speed():
    [told] = records_json([summary(ana=(3, 0, None), minutes=1)])
    assert "most boxes an hour" not in [one["title"] for one in told["records"]]


def test_a_file_that_is_damaged_remembers_nobody_and_is_written_anew(tmp_path):
    (path := tmp_path / "people.json").write_text('{"ana": ')
    kept = Remembered(path)
    assert kept.since() == {}
    kept.remember("bo", 4)
    kept.remember("bo", 9)
    assert Remembered(path).since() == {"bo": 4}
    kept.forget("bo")
    assert kept.since() == {}


class Seated(Anyone):
    """Every phone plays for Ana."""

    def role(self, _token):
        return Role(kind="player", seats=("ana",), phone="ab12cd")


@pytest.fixture
def page(tmp_path):
    """The page of a box on which two games were played, for a phone that plays for Ana: (client, referee)."""
    with quick_journal() as path:
        referee = referee_on(path)
        referee.see(shot("ana", "1"))
        referee.begin(scenes.set_up(), {**START, "players": ["ana", "bo"]})
        referee.see(shot("ana", "1"))
        referee.see(shot("ana", "open", hits=["bo"], others=[call("bo", "open")]))
        app = create_app(
            JournalFace(referee.journal),
            referee.journal.submit,
            dict,
            doorkeeper=Seated(may_order=True),
            remembers=Remembered(tmp_path / "people.json"),
        )
        yield app.test_client()


def wish(client, player, *, keep):
    client.get("/")
    headers = {"Origin": "http://localhost", TOKEN_HEADER: sign_of(client.get_cookie(COOKIE).value)}
    return client.post("/people", json={"player": player, "keep": keep}, headers=headers)


def test_nothing_is_told_of_anybody_who_did_not_ask_for_it(page):
    assert page.get("/people/ana").json == {"is_kept": False}


def test_a_player_has_his_games_kept_from_this_one_on_and_forgotten_by_a_tap(page):
    assert wish(page, "ana", keep=True).json == {"kept": ["ana"]}
    told = page.get("/people/ana").json
    assert (told["is_kept"], told["of"][0]["games"], told["of"][0]["shots"]) == (True, 1, 2)
    assert wish(page, "ana", keep=False).json == {"kept": []}
    assert page.get("/people/ana").json == {"is_kept": False}


def test_nobody_keeps_or_forgets_for_another(page):
    assert wish(page, "bo", keep=True).status_code == 403
    assert page.get("/people").json["kept"] == []


def test_only_who_has_played_here_can_be_kept(page, monkeypatch):
    monkeypatch.setattr(Seated, "role", lambda *_: Role(kind="referee"))
    assert wish(page, "nobody", keep=True).status_code == 404


def test_the_records_are_told_with_those_who_hold_them(page):
    [told] = page.get("/people").json["records"]
    assert (told["title"], told["closest"]) == ("Skully", {"player": "ana", "value": 20.0})
    assert told["records"] == []  # of the hits that were too early there is none


def test_what_is_counted_is_told_in_the_phones_language(page):
    wish(page, "ana", keep=True)
    assert "casillas" in [one["title"] for one in page.get("/people/ana?lang=es").json["of"][0]["counts"]]
