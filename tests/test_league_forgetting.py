"""A person is forgotten by a tap: his name is nowhere in the hub's database, and what he played stays without it."""

import contextlib
import json
import subprocess

import pytest
from sqlalchemy import create_engine, event, insert, select, text
from sqlalchemy.exc import OperationalError

from linesies.device.membership import key_file
from linesies.league.bell import Bell
from linesies.league.calling import Calling
from linesies.league.calls import MatchCalls
from linesies.league.cluster import installed
from linesies.league.identity import identity_in
from linesies.league.schedule import Opening, Schedule
from linesies.league.standings import Standings
from linesies.league.store import Store, migrate
from linesies.league.tables import boards, deeds, rows, tournaments
from linesies.league.tournament import TournamentOpened
from tests.leagues import BoardBox, Codes, ask, hub_on, organiser_of, soon
from tests.postgres import running_cluster
from tests.refereeing import SET_UP, shot
from tests.test_league import database

ZOE, XYLO = "Zoë-Quartz", "Xylofon"
FORMS = [form.encode() for name in (ZOE, XYLO) for form in (name, json.dumps(name)[1:-1], name.casefold())]


class Hub:
    """A hub with a box that plays a match of a tournament between two; and what its disk holds."""

    def __init__(self, cluster, store, address, organiser):
        self.cluster, self.store, self.address, self.organiser = cluster, store, address, organiser
        self.schedule = Schedule(store)

    def get(self, path):
        return ask(self.address, path)[1]

    def forget(self, name, headers=None):
        given = self.organiser if headers is None else headers
        return ask(self.address, "/people/forget", json.dumps({"name": name}).encode(), given)

    def disk(self):
        """All that PostgreSQL keeps, its log of what it does included."""
        with self.store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("CHECKPOINT"))
        return b"".join(file.read_bytes() for file in sorted(self.cluster.data.rglob("*")) if file.is_file())


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """An evening on a PostgreSQL of its own: a match of Skully and a game with secret bids, both over or left."""
    codes, folder = Codes(), tmp_path_factory.mktemp("forgetting")
    with contextlib.ExitStack() as until_over:
        cluster = until_over.enter_context(running_cluster())
        store = until_over.enter_context(contextlib.closing(Store(cluster.url, folder / "keys")))
        until_over.enter_context(pytest.MonkeyPatch.context()).setattr(Bell, "follow", lambda *_, **__: None)
        hub = Hub(cluster, store, f"http://127.0.0.1:{until_over.enter_context(hub_on(store, codes))}", None)
        hub.organiser = organiser_of(hub.address, codes)
        hub.schedule.open(Opening(name="Block party", plan=TournamentOpened(format="single", entrants=(ZOE, XYLO))))
        with contextlib.closing(BoardBox(folder)) as box:
            box.join(hub.address, codes.now)
            box.start()
            play(hub, box)
        yield hub


def play(hub, box):
    calling = Calling(Standings(hub.store), hub.schedule, MatchCalls(hub.store))
    soon(lambda: calling.look() or box.pusher.announce(()) or box.take() is not None)
    box.begin([XYLO.upper(), ZOE])
    for _ in range(4):
        box.referee.see(shot(box.referee.story.public["turn"], "1"))
    box.play_until_won(ZOE)
    start = {"event": "start", "game": "skull_king", "players": [ZOE, "bo", XYLO], "options": {}}
    board = identity_in(key_file(box.state)).board
    standings = Standings(hub.store)
    soon(lambda: standings.story(standings.boards()[board]).row == box.referee.story.row)
    calling.look()
    box.referee.begin(SET_UP, start)
    box.referee.journal.submit(
        {"order": "event", "event": {"event": "deal", "player": ZOE, "cards": 1}}, f"player:{ZOE}"
    )
    box.take()
    box.referee.begin(SET_UP, {**start, "game": "skully", "players": ["bo", "cy"]})
    soon(lambda: standings.story(standings.boards()[board]).row == box.referee.story.row)


def test_the_page_shows_names_and_no_byte_of_the_database_does(played):
    told = played.get("/tournaments/1.json")
    assert told["winner"] == ZOE
    assert told["ranking"] == [ZOE, XYLO]
    disk = played.disk()
    assert b"Block party" in disk  # so we do look where it is kept
    assert [form for form in FORMS if form in disk or form in disk.lower()] == []


def test_nobody_but_the_organiser_forgets_anybody(played):
    assert played.forget(ZOE, {})[0] == 403
    assert played.get("/tournaments/1.json")["winner"] == ZOE


def test_who_plays_yet_is_not_forgotten_before_he_has_left(played):
    number = played.schedule.open(Opening(name="Later", plan=TournamentOpened(format="single", entrants=("cy", XYLO))))
    status, told = played.forget(XYLO)
    assert (status, "Later" in told["message"]) == (400, True)
    ask(played.address, f"/tournaments/{number}/deeds", b'{"deed": "left", "player": "cy"}', played.organiser)
    status, told = played.forget("cy")
    assert (status, "Board 1" in told["message"]) == (400, True)


def test_whoever_is_forgotten_is_gone_everywhere_and_results_stay(played, tmp_path):
    before = played.get("/ratings.json")
    keys = {file.name for file in played.store.names.folder.iterdir()}
    assert played.forget(ZOE.upper())[1] == {"done": True}
    assert played.forget(ZOE)[1] == {"done": False}
    (gone,) = keys - {file.name for file in played.store.names.folder.iterdir()}
    someone = f"Someone {gone}"
    told = played.get("/tournaments/1.json")
    assert (told["winner"], told["ranking"]) == (someone, [someone, XYLO])
    assert played.get("/ratings.json") == [
        {**one, "name": someone if one["name"] == ZOE else one["name"]} for one in before
    ]
    board = played.get("/boards.json")[0]["board"]
    assert ZOE not in json.dumps(played.get(f"/boards/{board}/story.json"), ensure_ascii=False)
    anew = Store(played.cluster.url, played.store.names.folder)
    with contextlib.closing(anew):
        assert Schedule(anew).tournament(1).winner == someone
    restored = restored_from(played, tmp_path)
    with contextlib.closing(Store(restored, played.store.names.folder)) as other:
        assert Schedule(other).tournament(1).winner == someone


def restored_from(played, folder):
    """A backup of the hub, put back; gives the new database's address."""
    url = database(played.cluster, "restored")
    plain = [one.replace("+psycopg", "") for one in (played.cluster.url, url)]
    subprocess.run([installed()[0] / "pg_dump", "-f", folder / "backup.sql", plain[0]], check=True, timeout=60)
    assert not any(form in (folder / "backup.sql").read_bytes() for form in FORMS)
    loaded = [installed()[0] / "psql", "-q", "-v", "ON_ERROR_STOP=1", "-f", folder / "backup.sql", plain[1]]
    subprocess.run(loaded, check=True, timeout=60, stdout=subprocess.DEVNULL)
    return url


@pytest.mark.parametrize("name", ["7", "5", "-3", "7, 5", ",", ":", '"', "t"])
def test_a_name_that_looks_like_a_part_of_json_breaks_none_once_it_is_forgotten(store, name):
    told = json.dumps({"players": [name, "Bo"], "box": 7, "xy": [7, 5], "gap": 1.5, "low": -3, "text": "a\tb\t"})
    hidden = store.names.hide_json(told)
    assert store.names.show(hidden) == told
    assert store.names.forget(name)
    shown = json.loads(store.names.show(hidden))
    assert shown["players"][0].startswith("Someone ")
    assert shown == {**json.loads(told), "players": shown["players"]}


def test_a_place_stays_a_place_once_a_player_called_like_it_is_forgotten(store):
    told = {
        "event": {"event": "shot", "player": "7", "rest": {"7": "7", "Bo": "7"}, "at": "7", "hits": [["Bo", "7"]]},
        "players": [{"name": "7", "going_for": "7", "home": "7"}, {"name": "Bo", "going_for": "9f"}],
        "turn": "7",
    }
    hidden = store.names.hide(json.dumps(told), ["7", "Bo"])
    assert json.loads(store.names.show(hidden)) == told
    assert store.names.forget("7")
    shown = json.loads(store.names.show(hidden))
    someone = shown["turn"]
    assert someone.startswith("Someone ")
    assert shown["event"] == {
        "event": "shot",
        "player": someone,
        "rest": {someone: "7", "Bo": "7"},
        "at": "7",
        "hits": [["Bo", someone]],
    }
    assert shown["players"] == [{"name": someone, "going_for": "7", "home": "7"}, {"name": "Bo", "going_for": "9f"}]


def test_a_name_of_digits_is_forgotten_where_an_order_came_from_too(store):
    hidden = store.names.hide("player:7", ["7"])
    assert store.names.forget("7")
    assert store.names.show(hidden).startswith("player:Someone ")


@pytest.mark.parametrize(
    "told", ["Ana hits Ana2, and Anabel; ANA!", '{"player": "Ana", "rest": {"Ana2": "4"}}', "", '["Zo\\u00eb", "Zoë"]']
)
def test_what_is_hidden_is_shown_again_to_the_letter(store, told):
    hidden = store.names.hide(told, ["Ana", "Ana2", "Zoë", "ANA"])
    assert store.names.show(hidden) == told
    assert "ana" not in hidden.casefold().replace("anabel", "")


def test_somebody_whose_name_begins_like_anothers_is_not_forgotten_with_him(store):
    hidden = store.names.hide("Ana2 hits Ana", ["Ana", "Ana2"])
    assert store.names.forget("ana")
    assert store.names.show(hidden).startswith("Ana2 hits Someone ")


@pytest.mark.parametrize(("when", "is_forgotten"), [("begin", False), ("commit", True)])
def test_where_the_database_goes_away_in_the_middle_a_name_is_shown_as_it_is_now(store, when, is_forgotten):
    hidden = store.names.hide("Ana", ["Ana"])

    def gone(_):
        raise OperationalError("no answer", None, Exception())

    event.listen(store.names._engine, when, gone)
    with pytest.raises(OperationalError):
        store.names.forget("Ana")
    event.remove(store.names._engine, when, gone)
    assert (store.names.show(hidden) != "Ana") == is_forgotten
    assert store.names.forget("Ana") != is_forgotten
    assert store.names.show(hidden).startswith("Someone ")


def test_who_was_forgotten_by_another_hub_on_the_same_keys_is_forgotten_here_too(store, cluster):
    hidden = store.names.hide("Ana", ["Ana"])
    with contextlib.closing(Store(cluster.url, store.names.folder)) as other:
        assert other.names.forget("Ana")
    assert store.names.forget("Ana")
    assert store.names.show(hidden).startswith("Someone ")


def test_keys_that_are_not_where_they_should_be_are_counted_and_those_of_the_forgotten_are_not(
    store, cluster, tmp_path
):
    store.names.hide("Ana and Bo", ["Ana", "Bo"])
    store.names.forget("Ana")
    assert store.names.without_keys() == 0
    with contextlib.closing(Store(cluster.url, tmp_path / "elsewhere")) as other:
        assert other.names.without_keys() == 1
        assert other.names.show(store.names.hide("Bo", ["Bo"])).startswith("Someone ")


def test_a_name_that_is_part_of_a_word_or_a_word_of_ours_breaks_nothing_once_it_is_forgotten(store):
    schedule = Schedule(store)
    number = schedule.open(
        Opening(name="x", plan=TournamentOpened(format="single", entrants=("Dee", "Bo", "player", "single")))
    )
    for name in ("Dee", "player", "single"):
        store.names.forget(name)
    entrants = Schedule(store).tournament(number).plan.entrants
    assert "Dee" not in entrants
    assert entrants[1:] == ("Bo", "player", "single")


def test_what_an_earlier_release_kept_is_hidden_at_the_first_start(cluster, tmp_path):
    url = database(cluster, "bare_names")
    typed = XYLO.casefold()  # sentences write it as people do
    start = {"event": "start", "game": "skully", "players": [typed, "bo"], "options": {}}
    row = {"board": "b", "epoch": "e", "row": 1, "at": 1.5, "origin": "o", "kind": "start", "body": json.dumps(start)}
    older = create_engine(url)
    with older.begin() as connection:
        migrate(connection, "0003")
        connection.execute(insert(boards).values(board="b", name="Board 1", place=""))
        connection.execute(insert(rows).values(**row))
        connection.execute(
            insert(rows).values(**{**row, "row": 2, "kind": "ruled", "body": f'{{"text": "{XYLO} wins"}}'})
        )
        connection.execute(insert(tournaments).values(name="Block party"))
        connection.execute(insert(deeds).values(tournament=1, number=1, body=json.dumps({"entrants": [typed, "bo"]})))
    older.dispose()
    with contextlib.closing(Store(url, tmp_path)) as store, store.engine.connect() as connection:
        kept = [*connection.execute(select(rows.c.body)).scalars(), *connection.execute(select(deeds.c.body)).scalars()]
        assert not any(name in body for body in kept for name in (XYLO, typed))
        assert [one.body for one in store.rows_after("b", "e", 0)] == [start, {"text": f"{XYLO} wins"}]
