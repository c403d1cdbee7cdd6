"""Matches go to free boards, results come back, and nothing changes a bracket without the organiser's word."""

import contextlib
import json
import threading

import pytest

from linesies.device.hub_line import HubLine
from linesies.device.membership import key_file
from linesies.league import Pushed
from linesies.league.bell import Bell
from linesies.league.calling import Calling
from linesies.league.calls import MatchCalls
from linesies.league.identity import identity_in
from linesies.league.schedule import Opening, Schedule
from linesies.league.standings import Standings
from linesies.league.tables import boards, calls
from linesies.league.tournament import BadPlan, HeadStart, Left, Missed, TournamentOpened
from tests.leagues import BoardBox, ask, hub_on, organiser_of, soon

NAMES = ("Ana", "Bo", "Cy", "Dee")


class Evening:
    """A hub with boxes that have joined it, and a tournament; looks only when it is told to."""

    def __init__(self, store, folder, entrants=NAMES, count=2):
        self.store = store
        self.schedule = Schedule(store)
        self.calls = MatchCalls(store)
        self.calling = Calling(Standings(store), self.schedule, self.calls)
        self.boxes = [BoardBox(folder / str(number)) for number in range(1, count + 1)]
        self.entrants = entrants
        self.number = None

    def open(self, form="single", **more):
        plan = TournamentOpened(format=form, entrants=self.entrants, **more)
        self.number = self.schedule.open(Opening(name="Block party", plan=plan))

    def join(self, hub, codes):
        for number, box in enumerate(self.boxes, start=1):
            box.join(hub, codes.now, f"Board {number}")
            box.start()
        soon(lambda: all(board.epoch or board.heard_at for board in self.store.boards()))

    @property
    def now(self):
        return self.schedule.tournament(self.number)

    def match(self, match):
        return next(one for one in self.now.matches if one.id == match)

    def called(self, box):
        """The match that is called to a box, once it has been told."""
        box.pusher.announce(())
        soon(lambda: box.take() is not None)
        self.told(box)
        return box.referee.story.match

    def told(self, box):
        """Wait until the hub has all that a box has to tell."""
        board = identity_in(key_file(box.state)).board
        standings = Standings(self.store)
        soon(lambda: standings.story(standings.boards()[board]).row == box.referee.story.row)
        soon(lambda: not standings.boards()[board].is_behind)

    def play(self, box, winner=None):
        """Play the match that is called to a box."""
        match = self.called(box)
        box.begin(match.players)
        box.play_until_won(winner or match.players[0])
        self.told(box)
        self.calling.look()
        return match.match


@pytest.fixture
def hub(store, codes, monkeypatch):
    monkeypatch.setattr(Bell, "follow", lambda *_, **__: None)  # these tests look when it suits them
    with hub_on(store, codes) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def evening(store, hub, codes, tmp_path):
    evening = Evening(store, tmp_path)
    evening.join(hub, codes)
    evening.open()
    yield evening
    for box in evening.boxes:
        box.close()


def test_a_knock_out_is_played_on_two_boards_without_a_tap(evening):
    evening.calling.look()
    first, second = evening.boxes
    assert [call.match.match for call in evening.calls.on()] == ["K1.1", "K1.2"]
    assert set(evening.called(first).players) == set(evening.match("K1.1").players)
    evening.play(first, "Dee")
    assert evening.match("K1.1").ranking == ("Dee", "Ana")
    evening.play(second, "Bo")
    (call,) = evening.calls.on()
    assert (call.match.match, set(call.match.players)) == ("F2.1", {"Bo", "Dee"})
    evening.play(first, "Bo")
    assert evening.now.winner == "Bo"
    assert evening.calls.on() == ()
    soon(lambda: first.take() is None)


def test_a_game_of_others_is_no_result_and_keeps_its_board_from_being_called(evening):
    first, second = evening.boxes
    first.begin(["x", "y"])
    evening.told(first)
    evening.calling.look()
    assert [call.board for call in evening.calls.on()] == [identity_in(key_file(second.state)).board]
    first.play_until_won("x")
    evening.told(first)
    evening.calling.look()
    assert len(evening.calls.on()) == 2
    assert evening.match("K1.1").ranking is None


def corrected(evening, box):
    """Play the first round, then say on the first board that it was the other who went home."""
    evening.calling.look()
    evening.play(box, "Ana")
    box.referee.journal.submit({"order": "undo"}, "referee:phone")
    box.take()
    box.play_until_won("Dee")
    evening.told(box)
    evening.calling.look()


def test_a_correction_on_the_board_changes_the_bracket_only_by_the_organisers_word(evening, hub, codes):
    corrected(evening, evening.boxes[0])
    evening.play(evening.boxes[1], "Bo")
    assert evening.match("K1.1").ranking == ("Ana", "Dee")
    told = ask(hub, f"/tournaments/{evening.number}.json")[1]["where"]["K1.1"]
    assert told["said"] == {"board": "Board 1", "ranking": ["Dee", "Ana"], "changes": ["F2.1"]}
    word = json.dumps({"match": "K1.1", "is_taken": True}).encode()
    assert ask(hub, f"/tournaments/{evening.number}/word", word)[0] == 403
    assert ask(hub, f"/tournaments/{evening.number}/word", word, organiser_of(hub, codes))[1] == {"done": True}
    assert evening.match("K1.1").ranking == ("Dee", "Ana")
    assert set(evening.match("F2.1").players) == {"Bo", "Dee"}
    assert evening.calling.where(evening.number)["K1.1"].said is None


def test_what_the_organiser_leaves_stays_and_is_not_asked_again(evening):
    corrected(evening, evening.boxes[0])
    before = evening.now
    assert evening.calling.heed(evening.number, "K1.1", is_taken=False)
    assert not evening.calling.heed(evening.number, "K1.1", is_taken=False)
    assert evening.now == before


def fall_silent(evening, box):
    box.close()
    board = identity_in(key_file(box.state)).board
    with evening.store.engine.begin() as connection:
        connection.execute(boards.update().where(boards.c.board == board).values(heard_at=None))


def test_the_match_of_a_board_that_dies_before_it_goes_to_another_and_one_that_is_on_waits(evening):
    first, second = evening.boxes
    evening.calling.look()
    match = evening.called(second)
    second.begin(match.players)
    evening.told(second)
    fall_silent(evening, first)
    fall_silent(evening, second)
    evening.calling.look()
    assert [call.match.match for call in evening.calls.on()] == ["K1.2"]
    assert evening.calling.recall(evening.number, "K1.2")
    evening.calling.look()
    assert evening.calls.on() == ()
    first.start()
    first.pusher.announce(())
    soon(lambda: any(board.heard_at for board in evening.store.boards()))
    evening.calling.look()
    assert len(evening.calls.on()) == 1


def played_while_cut_off(evening):
    """Let K1.1 be called to the first board, whose line is cut then: it is played there, and called elsewhere."""
    first, second = evening.boxes
    evening.calling.look()
    match = evening.called(first)
    first.close()
    first.pusher = None
    first.begin(match.players)
    first.play_until_won("Dee")
    fall_silent(evening, first)
    evening.play(second, "Bo")
    evening.calling.look()
    (call,) = evening.calls.on()
    assert (call.match.match, call.board) == ("K1.1", identity_in(key_file(second.state)).board)
    first.start()
    first.pusher.announce(())
    evening.told(first)
    evening.calling.look()


def test_a_match_that_was_played_behind_a_cut_line_is_not_overheard_once_its_board_is_back(evening):
    played_while_cut_off(evening)
    assert evening.match("K1.1").ranking is None
    said = evening.calling.where(evening.number)["K1.1"].said
    assert (said.board.name, said.ranking) == ("Board 1", ("Dee", "Ana"))
    assert evening.calling.heed(evening.number, "K1.1", is_taken=True)
    evening.calling.look()
    assert evening.match("K1.1").ranking == ("Dee", "Ana")
    assert {call.match.match for call in evening.calls.on()} == {"F2.1"}
    assert evening.calling.where(evening.number)["K1.1"].said is None


def test_a_game_that_is_yet_to_be_told_is_no_result_of_a_match_that_is_called_meanwhile(
    store, hub, codes, tmp_path, monkeypatch
):
    evening = Evening(store, tmp_path, entrants=("Ana", "Bo"), count=1)
    evening.join(hub, codes)
    (box,) = evening.boxes
    box.pusher.close()
    with store.engine.begin() as connection:
        connection.execute(boards.update().values(heard_at=None))
    box.begin(["Ana", "Bo"])
    box.play_until_won("Bo")
    evening.open()
    say = HubLine.say

    def say_and_look(line, message):
        answer = say(line, message)
        evening.calling.look()
        return answer

    monkeypatch.setattr(HubLine, "say", say_and_look)
    box.start()
    evening.called(box)
    assert evening.calls.on()[0].after_row >= box.referee.story.start_row
    evening.calling.look()
    assert evening.now.winner is None
    evening.play(box, "Ana")
    assert evening.now.winner == "Ana"
    box.close()


def test_who_plays_though_the_call_was_taken_back_is_not_overheard_while_others_are_called_there(
    store, hub, codes, tmp_path
):
    evening = Evening(store, tmp_path, count=1)
    evening.open()
    evening.join(hub, codes)
    (box,) = evening.boxes
    evening.calling.look()
    match = evening.called(box)
    assert evening.calling.recall(evening.number, match.match)
    evening.calling.look()
    box.begin(match.players)
    box.play_until_won("Dee")
    evening.told(box)
    assert {call.match.match for call in evening.calls.on()} == {"K1.2"}
    assert evening.calling.where(evening.number)[match.match].said.ranking == ("Dee", "Ana")
    box.close()


def test_a_board_of_an_earlier_release_that_says_not_what_it_has_to_tell_is_called_all_the_same(evening):
    (board,) = (one for one in evening.store.boards() if one.name == "Board 1")
    evening.boxes[0].close()
    evening.store.push(board.board, Pushed(epoch="0" * 32, before="another seal"))
    assert evening.store.board(board.board).is_behind
    evening.store.push(board.board, Pushed(epoch="0" * 32))
    assert not evening.store.board(board.board).is_behind


def test_what_was_played_behind_a_cut_line_and_elsewhere_too_is_asked_only_if_it_came_out_otherwise(evening):
    played_while_cut_off(evening)
    evening.play(evening.boxes[1], "Ana")
    evening.play(evening.boxes[0], "Ana")  # that board plays on: the question stays
    said = evening.calling.where(evening.number)["K1.1"].said
    assert (said.board.name, said.ranking, said.change.matches) == ("Board 1", ("Dee", "Ana"), ("F2.1",))
    assert evening.calling.heed(evening.number, "K1.1", is_taken=False)
    assert evening.calling.where(evening.number)["K1.1"].said is None
    assert evening.match("K1.1").ranking == ("Ana", "Dee")


def test_who_does_not_come_or_goes_home_holds_nobody_up(evening):
    evening.calling.look()
    evening.schedule.say(evening.number, Missed(match="K1.1", player="Dee"))
    evening.schedule.say(evening.number, Left(player="Bo"))
    evening.calling.look()
    assert evening.match("K1.1").is_walkover
    assert {call.match.match for call in evening.calls.on()} == {"F2.1"}
    evening.schedule.undo(evening.number)
    evening.calling.look()
    assert {call.match.match for call in evening.calls.on()} == {"K1.2"}


def test_a_result_that_is_undone_is_played_anew(evening):
    evening.calling.look()
    evening.play(evening.boxes[0], "Ana")
    evening.schedule.undo(evening.number)
    evening.calling.look()
    assert {call.match.match for call in evening.calls.on()} == {"K1.1", "K1.2"}
    assert evening.match("K1.1").ranking is None


def test_many_who_call_at_once_give_each_board_one_match(store, hub, codes, tmp_path):
    evening = Evening(store, tmp_path, entrants=tuple(f"p{n}" for n in range(16)), count=2)
    with contextlib.ExitStack() as open_boxes:
        for box in evening.boxes:
            open_boxes.callback(box.close)
        evening.join(hub, codes)
        evening.open("groups")
        threads = [threading.Thread(target=evening.calling.look) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len({call.board for call in evening.calls.on()}) == len(evening.calls.on()) == 2


def going_for(box):
    return {one["name"]: one["going_for"] for one in box.referee.story.standing["players"]}


def test_a_head_start_is_on_the_board_as_soon_as_its_game_begins(evening):
    evening.schedule.say(evening.number, HeadStart(player="Dee", box=5))
    evening.calling.look()
    first, _ = evening.boxes
    assert evening.called(first).head_starts == {"Dee": 5}
    first.begin(["dee", "ANA"])  # as people type them there
    assert going_for(first) == {"dee": "5f", "ANA": "1f"}
    assert first.referee.story.entries[0].origin == "league"
    first.play_until_won("dee")
    evening.told(first)
    evening.calling.look()
    assert evening.match("K1.1").head_starts == {("Dee", 5)}
    assert [one.name for one in evening.schedule.ratings()] == []  # such a game tells no strength


def test_a_match_that_is_begun_again_begins_with_its_head_starts_again(evening):
    evening.schedule.say(evening.number, HeadStart(player="Dee", box=5))
    evening.calling.look()
    first, _ = evening.boxes
    evening.called(first)
    for players in (["Ana", "Dee"], ["Dee", "Ana"]):
        first.begin(players)
        assert going_for(first) == {"Dee": "5f", "Ana": "1f"}
    first.begin(["x", "y"])
    first.begin(["Ana", "Dee"])
    assert going_for(first)["Dee"] == "5f"
    first.play_until_won("Dee")
    evening.told(first)
    evening.calling.look()
    first.pusher.announce(())
    soon(lambda: first.take() is None and first.referee.story.playing is None)
    first.begin(["Ana", "Dee"])  # once it has its result: among friends
    assert going_for(first)["Dee"] == "1f"


def test_a_head_start_that_is_given_after_the_call_reaches_the_board_before_its_game(evening):
    evening.calling.look()
    first, _ = evening.boxes
    assert evening.called(first).head_starts == {}
    evening.schedule.say(evening.number, HeadStart(player="Ana", box=3))
    evening.calling.look()
    evening.calling.look()
    first.pusher.announce(())
    soon(lambda: first.take() is not None and first.referee.story.match.head_starts == {"Ana": 3})
    first.begin(["Ana", "Dee"])
    assert going_for(first) == {"Ana": "3f", "Dee": "1f"}


def test_a_game_that_knows_no_head_starts_begins_with_all_alike(evening):
    evening.schedule.say(evening.number, HeadStart(player="Dee", box=5))
    evening.calling.look()
    first, _ = evening.boxes
    evening.called(first)
    first.referee.begin({}, {"event": "start", "game": "skipbo", "players": ["Ana", "Dee"], "options": {}})
    assert first.referee.story.entries == ()


def test_head_starts_given_at_the_opening_are_there_before_the_first_call(hub, codes):
    plan = {"deed": "opened", "format": "single", "entrants": ["Ana", "Bo"]}
    body = {"name": "Cup", "plan": plan, "head_starts": {"Bo": 5}}
    number = ask(hub, "/tournaments", json.dumps(body).encode(), organiser_of(hub, codes))[1]["tournament"]
    told = ask(hub, f"/tournaments/{number}.json")[1]
    assert told["head_starts"] == {"Bo": 5}
    assert told["matches"][0]["head_starts"] == {"Bo": 5}
    for worse in ({"Bo": 14}, {"bo": 5}):
        sent = json.dumps({**body, "head_starts": worse}).encode()
        assert ask(hub, "/tournaments", sent, organiser_of(hub, codes))[0] == 400


def test_a_head_start_of_somebody_who_does_not_take_part_is_refused_and_not_kept(evening):
    before = evening.now
    with pytest.raises(BadPlan, match="'dee' does not take part"):
        evening.schedule.say(evening.number, HeadStart(player="dee", box=5))
    assert evening.now == before
    assert evening.schedule.deed(evening.number, 2) is None


def test_a_game_on_a_journal_that_was_begun_anew_is_not_that_of_an_old_call(evening):
    first, _ = evening.boxes
    evening.calling.look()
    match = evening.called(first)
    (call,) = (one for one in evening.calls.on() if one.match == match)
    assert evening.calling.recall(evening.number, match.match)
    first.begin(match.players)
    first.play_until_won("Dee")
    evening.told(first)
    assert evening.calling.where(evening.number)[match.match].said is not None
    with evening.store.engine.begin() as connection:
        connection.execute(calls.update().where(calls.c.call == call.number).values(epoch="0" * 32))
    assert evening.calling.where(evening.number)[match.match].said is None
