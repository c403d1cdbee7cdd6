"""What shows calls at a league's hub: clips and case files of boards whose owners say so, for as long as they do."""

import contextlib
import hashlib
import io
import itertools
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import event, select, text
from upath import UPath

from linesies.device import hub_line
from linesies.device.announcers import offering
from linesies.device.announcers.offering import FileOffering
from linesies.device.cases.case import Case, CropFile, ProgramFile, call_file
from linesies.device.cases.case_store import CaseStore
from linesies.device.hub_line import HubLine
from linesies.device.leaving import take_leave
from linesies.device.membership import key_file, pictures_file, read_membership
from linesies.device.places import cases_folder, evidence_folder
from linesies.device.settings.settings import Settings
from linesies.league import HubAnswer, Identity, Joining, file_place
from linesies.league.file_place import FilePlace, FilesAway
from linesies.league.files import Files as HubFiles
from linesies.league.files import Room
from linesies.league.forgetting import forget
from linesies.league.hub import Others
from linesies.league.identity import identity_in
from linesies.league.schedule import Schedule
from linesies.league.standings import Standings
from linesies.league.tables import files
from linesies.league.wire import MOST_FILE_BYTES, Offered, Wanted, file_path
from linesies.referee.addresses import BadAddress, names_in, place_of
from linesies.vision import Call
from tests.browsing import PHONE, in_browser, until
from tests.leagues import BoardBox, ask, hub_on, organiser_of, soon
from tests.object_stores import BUCKET, reached_at, s3_server, silent_server, slow_before
from tests.pace import SLACK

FILM = (Path(__file__).parent.parent / "web/static/awake.mp4").read_bytes()
WRITING_S = 2.0  # at a store that is slow
numbers = itertools.count()


@pytest.fixture(scope="module")
def s3_address():
    with s3_server() as (address, _):
        yield address


@pytest.fixture
def s3(s3_address, monkeypatch):
    monkeypatch.setattr(file_place, "PATIENCE_S", file_place.PATIENCE_S * SLACK)  # only its pace decides here
    monkeypatch.setattr(hub_line, "PATIENCE_S", hub_line.PATIENCE_S * SLACK)
    with reached_at(s3_address):
        yield


@pytest.fixture
def slow_s3(s3_address):
    with slow_before(s3_address, writing_s=WRITING_S) as address, reached_at(address):
        yield


@pytest.fixture(params=["folder", "memory", "s3"])
def address(request, tmp_path):
    """Where a hub's files lie: in a folder, where fsspec keeps them by itself, and in a store of objects over HTTP."""
    if request.param == "s3":
        request.getfixturevalue("s3")
        return f"s3://{BUCKET}/evening{next(numbers)}"
    if request.param == "slow s3":
        request.getfixturevalue("slow_s3")
        return f"s3://{BUCKET}/evening{next(numbers)}"
    return str(tmp_path / "files") if request.param == "folder" else f"memory://bucket{next(numbers)}"


@pytest.fixture
def hub(store, codes, address, monkeypatch):
    """A hub whose store, once too slow for a busy machine, is asked again while a test still waits."""
    monkeypatch.setattr(file_place, "AGAIN_S", 5.0)
    with hub_on(store, codes, others=Others(room=Room(address=address))) as port:
        yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def offered_by(box, *, may_leave=True):
    with contextlib.closing(
        FileOffering(read_membership(box.state), box.state, box.path, may_leave=may_leave)
    ) as offering:
        yield offering


def is_brought(line, epoch, file):
    """Whether the hub takes a film: not while it asks a store for the first time, as a hub does that has just begun."""
    return line.bring(epoch, file, FILM) == Wanted()


def key_of(box):
    return identity_in(key_file(box.state)).board


def line_of(box, hub):
    return HubLine(hub, identity_in(key_file(box.state)))


def shown_call(box, clip=FILM, case=b"crop"):
    """Play a shot of which there are a clip and a case; gives the row of what was seen."""
    box.play(1)
    row = box.referee.story.entries[-1].about
    body = {"pictures": {}}
    if clip is not None:
        body |= {"clip": f"{row:08d}-clip.mp4", "start_s": 1.0, "contacts_s": [0.2]}
        evidence_folder(box.state).mkdir(exist_ok=True)
        (evidence_folder(box.state) / body["clip"]).write_bytes(clip)
    if case is not None:
        body["cases"] = [kept_case(box.state, row, case)]
    box.referee.tell_evidence(row, body)
    return row


def kept_case(state, row, crop):
    store = CaseStore(cases_folder(state), megabytes=10)
    call = Call(player="ana", xy_mm=(1, 2), diameter_mm=32, location="1", gap_mm=1, sigma_mm=0.1, is_certain=True)
    case = Case(
        row=row,
        at_s=1.0,
        player="ana",
        event="shot",
        call=call_file(call),
        near=(1, 2),
        beside=[],
        crops=[CropFile(corner=(0, 0), now=store.keep_blob(crop), empty=store.keep_blob(crop))],
        calibration=store.keep_blob(b"geometry"),
        caps=[],
        program=ProgramFile(version="1", measuring="2"),
        settled_s=0.4,
        expected={},
    )
    return store.keep(case)


def seen_at(hub, box, row, kind):
    """A file as the audience gets it, None where it gets none."""
    try:
        with urllib.request.urlopen(f"{hub}/boards/{key_of(box)}/files/{row}/{kind}", timeout=60) as answer:
            assert answer.headers["Cache-Control"] == "no-store"
            return answer.read()
    except urllib.error.HTTPError as refused:
        return None if refused.code == 404 else refused.code


def is_told(hub, box):
    soon(lambda: ask(hub, f"/boards/{key_of(box)}/story.json")[1]["row"] == box.referee.story.row)


def told_at(hub, box, row):
    return ask(hub, f"/boards/{key_of(box)}/files/{row}.json")[1]


def are_there(hub, box, row):
    return {"clip", "case"} <= told_at(hub, box, row).keys()


def kept_in(address, box):
    return names_in(place_of(address) / key_of(box))


def test_what_shows_a_call_is_at_the_hub_where_the_boards_owner_says_so(hub, box, address):
    row = shown_call(box)
    with offered_by(box):
        soon(lambda: are_there(hub, box, row))
    told = told_at(hub, box, row)
    assert (told["start_s"], told["contacts_s"]) == (1.0, [0.2])
    assert seen_at(hub, box, row, "clip") == FILM
    with zipfile.ZipFile(io.BytesIO(seen_at(hub, box, row, "case"))) as case:
        assert {name.split("-")[0] for name in case.namelist()} >= {f"{row:08d}"}
    assert hashlib.sha256(FILM).hexdigest() in kept_in(address, box)
    assert told_at(hub, box, row + 1) == {}
    assert seen_at(hub, box, row, "picture") is None


def test_what_was_brought_is_asked_for_no_more_and_brought_again_changes_nothing(hub, box, address):
    row = shown_call(box)
    epoch, line = read_membership(box.state).epoch, line_of(box, hub)
    is_told(hub, box)
    both = ((row, "clip"), (row, "case"))
    early = Offered(epoch=epoch, at_s=1.0, files=(*both, (row + 999, "clip")))
    assert line.offer(early) == Wanted(files=both, has_rows=False)
    soon(lambda: is_brought(line, epoch, (row, "clip")))
    assert line.bring(epoch, (row, "clip"), b"another") == Wanted()
    assert line.offer(Offered(epoch=epoch, at_s=2.0, files=both)) == Wanted(files=((row, "case"),))
    assert seen_at(hub, box, row, "clip") == FILM
    assert len(kept_in(address, box)) == 1


def test_no_picture_leaves_a_board_unless_its_owner_says_so(hub, box, address, store):
    assert not Settings().league.pictures
    row = shown_call(box)
    with offered_by(box, may_leave=False) as offering:
        offering._thread.join(5)
        assert not offering._thread.is_alive()
    is_told(hub, box)
    assert line_of(box, hub).bring(read_membership(box.state).epoch, (row, "clip"), FILM).code == "not_offered"
    assert told_at(hub, box, row) == {}
    assert kept_in(address, box) == []
    with store.engine.connect() as connection:
        assert connection.execute(select(files)).all() == []


@pytest.fixture
def open_row(hub, box):
    """A row at the hub of a board that lets its files be seen, and its chain."""
    row, epoch = shown_call(box), read_membership(box.state).epoch
    is_told(hub, box)
    line_of(box, hub).offer(Offered(epoch=epoch, at_s=1.0, files=()))
    return epoch, row


def test_a_hub_takes_no_file_that_is_too_large_of_no_row_or_no_kind(hub, box, address, open_row):
    epoch, row = open_row
    line = line_of(box, hub)
    assert line.bring(epoch, (row, "clip"), b"f" * (MOST_FILE_BYTES + 1)).code == "too_large"
    assert line.bring(epoch, (row + 999, "clip"), FILM).code == "unknown_row"
    assert line.bring("0" * 32, (row, "clip"), FILM).code == "unknown_row"
    assert line.bring(epoch, (row, "song"), FILM).code == "not_understood"
    assert kept_in(address, box) == []


def test_a_hub_takes_no_file_that_is_not_what_its_name_says(hub, box, address, open_row):
    epoch, row = open_row
    path = file_path(epoch, (row, "clip"), FILM)
    assert line_of(box, hub)._sent(path, b"another film", {}, Wanted).code == "other_bytes"
    assert kept_in(address, box) == []


def test_a_board_brings_files_of_its_own_rows_alone(hub, box, codes, open_row):
    epoch, row = open_row
    other = Identity(b"o" * 32)
    assert HubLine(hub, other).bring(epoch, (row, "clip"), FILM).code == "unknown"
    assert HubLine(hub, other).offer(Offered(epoch=epoch, at_s=1.0, files=None)).code == "unknown"
    assert isinstance(HubLine(hub, other).say(Joining(code=codes.now, name="Board 2")), HubAnswer)
    HubLine(hub, other).offer(Offered(epoch=epoch, at_s=1.0, files=()))
    assert HubLine(hub, other).bring(epoch, (row, "clip"), FILM).code == "unknown_row"

    class Forger(Identity):
        board = key_of(box)

    assert HubLine(hub, Forger(b"f" * 32)).bring(epoch, (row, "clip"), FILM).code == "unsigned"
    assert HubLine(hub, Forger(b"f" * 32)).offer(Offered(epoch=epoch, at_s=9.0, files=None)).code == "unsigned"
    assert told_at(hub, box, row) == {}


def test_what_the_owner_takes_back_is_removed_and_an_echo_brings_nothing_back(hub, box, address):
    row = shown_call(box)
    with offered_by(box):
        soon(lambda: are_there(hub, box, row))
    with offered_by(box, may_leave=False):
        soon(lambda: not pictures_file(box.state).exists())
        assert seen_at(hub, box, row, "clip") is None  # at once
        soon(lambda: kept_in(address, box) == [])
    epoch, line = read_membership(box.state).epoch, line_of(box, hub)
    assert line.offer(Offered(epoch=epoch, at_s=1.0, files=((row, "clip"),))).code == "outdated"
    assert line.bring(epoch, (row, "clip"), FILM).code == "not_offered"
    with offered_by(box):
        soon(lambda: are_there(hub, box, row))  # the owner thinks again


def test_what_another_hub_brought_to_a_store_or_removed_there_is_listed_as_it_is(s3):
    address = f"s3://{BUCKET}/evening{next(numbers)}"
    place, other = FilePlace(address), UPath(address, skip_instance_cache=True)
    place.write("board", "one", b"one")
    assert place.names("board") == ["one"]
    (other / "board" / "two").write_bytes(b"two")
    assert sorted(place.names("board")) == ["one", "two"]
    for name in ("one", "two"):
        (other / "board" / name).unlink()
    assert place.names("board") == []


@pytest.mark.parametrize("by", ["board", "organiser"])
def test_a_board_that_leaves_leaves_no_picture_behind(hub, box, codes, address, by):
    row = shown_call(box)
    with offered_by(box):
        soon(lambda: are_there(hub, box, row))
    if by == "board":
        assert take_leave(read_membership(box.state), box.state).has_left
    else:
        ask(hub, f"/boards/{key_of(box)}/leave", b"", organiser_of(hub, codes))
    assert seen_at(hub, box, row, "clip") is None
    soon(lambda: kept_in(address, box) == [])


def test_cases_come_first_then_the_smallest_clip_and_a_broken_line_is_taken_up_again(hub, box, monkeypatch):
    brought, bring = [], HubLine.bring

    def over_a_bad_line(line, epoch, file, data):
        brought.append(file)
        if len(brought) in (1, 3):
            raise OSError("the line is cut")
        return bring(line, epoch, file, data)

    monkeypatch.setattr(HubLine, "bring", over_a_bad_line)
    monkeypatch.setattr(offering, "SOONEST_S", 0.05)
    large = shown_call(box, clip=b"f" * 2000, case=None)
    small = shown_call(box, clip=b"f" * 1000, case=b"crop")
    shown_call(box, clip=b"f" * (MOST_FILE_BYTES + 1), case=None)
    is_told(hub, box)
    with offered_by(box) as offers:
        soon(lambda: told_at(hub, box, large))
        soon(lambda: offers._fault is None)
    case, clip, last = (small, "case"), (small, "clip"), (large, "clip")
    assert brought == [case, case, clip, clip, last]


def fails(*_, **__):
    raise FilesAway("nobody answers")


def test_a_place_that_does_not_answer_is_said_and_tried_again(store, box, address, hub, open_row, monkeypatch):
    epoch, row = open_row
    line = line_of(box, hub)
    with monkeypatch.context() as away:
        away.setattr(FilePlace, "_waited_for", fails)
        assert line.bring(epoch, (row, "clip"), FILM).code == "no_files"
    assert told_at(hub, box, row) == {}
    soon(lambda: is_brought(line, epoch, (row, "clip")))
    monkeypatch.setattr(FilePlace, "_waited_for", fails)
    with pytest.raises(FilesAway):
        HubFiles(store, Room(address=address)).read(key_of(box), row, "clip")


@pytest.fixture
def at_the_hub(store, codes, box, hub, open_row):
    """Serves another hub on the same database, whose files lie at an address, and has a board bring it one."""
    epoch, row = open_row

    @contextlib.contextmanager
    def served(address):
        with hub_on(store, codes, others=Others(room=Room(address=address))) as port:
            line = line_of(box, f"http://127.0.0.1:{port}")
            yield lambda data=FILM: line.bring(epoch, (row, "clip"), data)

    return served


def told_by_the_hub(caplog):
    return [record.getMessage() for record in caplog.records if record.name.startswith("linesies.league")]


@pytest.mark.takes_turns(seconds=14)
@pytest.mark.parametrize("address", ["folder"], indirect=True)
@pytest.mark.parametrize(
    "refusal",
    [
        ("nobody_made_it", {}, "FileNotFoundError: The specified bucket does not exist"),
        (BUCKET, {"INITIAL_NO_AUTH_ACTION_COUNT": "1"}, "PermissionError: The AWS Access Key Id you provided does not"),
    ],
    ids=["no bucket", "wrong key"],
)
def test_a_store_that_refuses_is_said_in_one_line_and_holds_up_no_row(
    at_the_hub, hub, box, caplog, refusal, monkeypatch
):
    monkeypatch.setattr(file_place, "PATIENCE_S", file_place.PATIENCE_S * SLACK)
    monkeypatch.setattr(hub_line, "PATIENCE_S", hub_line.PATIENCE_S * SLACK)
    bucket, settings, why = refusal
    with s3_server(**settings) as (address, end), reached_at(address), at_the_hub(f"s3://{bucket}") as bring:
        assert bring().code == "no_files"
        soon(lambda: any(line.startswith(f"files: s3://{bucket}: {why}") for line in told_by_the_hub(caplog)))
        end()
        assert bring().code == "no_files"
        assert "Traceback" not in caplog.text
        box.play(1)
        is_told(hub, box)


@pytest.mark.parametrize("address", ["folder"], indirect=True)
def test_a_store_that_takes_the_line_and_says_nothing_holds_up_no_row_and_is_left_alone(
    at_the_hub, hub, box, store, caplog, monkeypatch
):
    monkeypatch.setattr(file_place, "FIRST_S", 1.0)
    monkeypatch.setattr(file_place, "PATIENCE_S", 1.0)
    monkeypatch.setattr(file_place, "AGAIN_S", 600.0)
    with silent_server() as address, reached_at(address), at_the_hub(f"s3://{BUCKET}") as bring:
        assert bring().code == "no_files"
        box.play(1)
        is_told(hub, box)
        assert bring().code == "no_files"
    assert "left alone for 600 s" in caplog.text


class Slow:
    """A place at which writing takes as long as somebody wants."""

    def __init__(self, monkeypatch):
        self.is_written, self.go_on, self.is_done = (threading.Event() for _ in range(3))
        self.monkeypatch, write = monkeypatch, Path.write_bytes

        def slowly(path, data):
            self.is_written.set()
            assert self.go_on.wait(60)
            written = write(path, data)
            self.is_done.set()
            return written

        monkeypatch.setattr(Path, "write_bytes", slowly)


@pytest.fixture
def slow(monkeypatch):
    slow = Slow(monkeypatch)
    yield slow
    slow.go_on.set()


@pytest.mark.parametrize("address", ["folder"], indirect=True)
def test_while_a_file_is_written_the_rows_of_its_board_are_taken_and_it_may_take_back_its_pictures(
    hub, box, address, open_row, slow, monkeypatch
):
    monkeypatch.setattr(file_place, "PATIENCE_S", 60)
    monkeypatch.setattr(hub_line, "PATIENCE_S", 60)
    epoch, row = open_row
    answers = []
    bringing = threading.Thread(target=lambda: answers.append(line_of(box, hub).bring(epoch, (row, "clip"), FILM)))
    bringing.start()
    assert slow.is_written.wait(60)
    box.play(2)
    is_told(hub, box)
    assert line_of(box, hub).bring(epoch, (row, "case"), b"case").code == "no_files"  # one after the other
    assert line_of(box, hub).offer(Offered(epoch=epoch, at_s=2.0, files=None)) == Wanted()
    slow.go_on.set()
    bringing.join(60)
    assert answers == [Wanted()]
    assert told_at(hub, box, row) == {}
    soon(lambda: kept_in(address, box) == [])


@pytest.mark.takes_turns(seconds=15)
@pytest.mark.parametrize("address", ["folder"], indirect=True)
def test_a_file_that_arrives_after_nobody_waited_for_it_any_more_is_seen(
    hub, box, address, open_row, slow, monkeypatch
):
    monkeypatch.setattr(file_place, "PATIENCE_S", 0.1)
    epoch, row = open_row
    assert line_of(box, hub).bring(epoch, (row, "clip"), FILM).code == "no_files"
    monkeypatch.setattr(file_place, "PATIENCE_S", 60)
    slow.go_on.set()
    soon(lambda: seen_at(hub, box, row, "clip") == FILM)
    assert line_of(box, hub).offer(Offered(epoch=epoch, at_s=2.0, files=((row, "clip"),))) == Wanted()


@pytest.mark.takes_turns(seconds=33)
@pytest.mark.parametrize("address", ["slow s3"], indirect=True)
def test_a_store_that_takes_each_file_too_late_has_all_of_them_in_the_end(hub, box, monkeypatch):
    monkeypatch.setattr(file_place, "PATIENCE_S", WRITING_S / 2)
    monkeypatch.setattr(offering, "SOONEST_S", 0.1)
    row = shown_call(box)
    with offered_by(box):
        soon(lambda: are_there(hub, box, row))
    monkeypatch.setattr(file_place, "PATIENCE_S", 60)
    assert seen_at(hub, box, row, "clip") == FILM


@pytest.mark.takes_turns(seconds=17)
@pytest.mark.parametrize("address", ["folder"], indirect=True)
def test_a_late_file_whose_removal_fails_is_removed_once_that_can_be_and_this_is_said_once(
    hub, box, address, open_row, slow, caplog
):
    monkeypatch = slow.monkeypatch
    monkeypatch.setattr(file_place, "PATIENCE_S", 0.1)
    epoch, row = open_row
    assert line_of(box, hub).bring(epoch, (row, "clip"), FILM).code == "no_files"
    assert line_of(box, hub).offer(Offered(epoch=epoch, at_s=2.0, files=None)) == Wanted()
    tried = []
    with monkeypatch.context() as away:
        away.setattr(FilePlace, "remove", lambda *what: tried.append(what) or fails())
        slow.go_on.set()
        soon(lambda: tried)
        for times in range(1, 4):
            box.play(1)  # which rings the bell
            soon(lambda times=times: len(tried) > times)
    soon(lambda: kept_in(address, box) == [])
    assert caplog.text.count("files: nobody answers; it is tried again") == 1


@pytest.fixture
def kept(store, address):
    return HubFiles(store, Room(address=address, megabytes=1))


@pytest.fixture
def keep(hub, box, kept):
    """Keeps a file of so many bytes of a row of what the box has told."""

    def one(row, size):
        data = row.to_bytes(2) * (size // 2)
        name = hashlib.sha256(data).hexdigest()
        return kept.keep(key_of(box), data, epoch=read_membership(box.state).epoch, file=(row, "clip"), sha256=name)

    return one


@pytest.fixture
def shots(hub, box, kept):
    """Plays so many shots, and tells them to a hub that may have their files; gives their rows."""

    def play(count):
        rows = [shown_call(box, clip=None, case=None) for _ in range(count)]
        is_told(hub, box)
        kept.offered(key_of(box), Offered(epoch=read_membership(box.state).epoch, at_s=1.0, files=()))
        return rows

    return play


def dispute(box, row):
    said = next(one for one in box.referee.story.entries if one.about == row)
    box.referee.journal.submit({"order": "amend", "about": said.row, "event": {**said.event, "at": "3"}}, "phone")
    box.referee.take_orders()
    assert row in box.referee.story.disputed


class HeldUp:
    """Holds up whoever first changes the table of files, until somebody else waits for him."""

    def __init__(self, engine):
        self.is_so = threading.Event()
        self._engine = engine
        event.listen(engine, "after_cursor_execute", self._hold_up)

    def _hold_up(self, _connection, _cursor, statement, *_):
        if statement.startswith("UPDATE files SET is_gone") and not self.is_so.is_set():
            self.is_so.set()
            soon(self._is_waited_for)

    def _is_waited_for(self):
        with self._engine.connect() as connection:
            return connection.execute(text("SELECT count(*) FROM pg_locks WHERE NOT granted")).scalar_one()


@pytest.mark.parametrize("address", ["folder"], indirect=True)
def test_files_make_room_while_somebody_in_their_games_is_forgotten(hub, box, store, kept, keep, shots):
    box.begin(["Zoe", "Bo"])
    first, second, third = shots(3)
    dispute(box, first)  # so it goes last, but has the lowest number
    is_told(hub, box)
    keep(first, 920_000)
    keep(second, 30_000)
    held_up = HeldUp(store.engine)
    with ThreadPoolExecutor() as pool:
        room = pool.submit(keep, third, 80_000)
        assert held_up.is_so.wait(60)
        kept.forget_games_of("Zoe")
        assert room.result(60) == Wanted()
    assert [told_at(hub, box, row) for row in (first, second, third)] == [{}, {}, {}]


@pytest.mark.parametrize("address", ["folder"], indirect=True)
def test_no_row_of_the_table_is_held_while_the_place_of_files_is_waited_for(box, store, kept, keep, shots, monkeypatch):
    with monkeypatch.context() as away:
        away.setattr(FilePlace, "remove", fails)
        for row in shots(2):
            keep(row, 600_000)  # of which the first has to make room, and cannot be removed
    is_waited_for, go_on = threading.Event(), threading.Event()
    monkeypatch.setattr(FilePlace, "remove", lambda *_: is_waited_for.set() or go_on.wait(60))
    try:
        kept.offered(key_of(box), Offered(epoch=read_membership(box.state).epoch, at_s=2.0, files=None))
        assert is_waited_for.wait(60)
        with store.engine.begin() as connection:
            assert len(connection.execute(select(files).with_for_update(nowait=True)).all()) == 2
    finally:
        go_on.set()


@pytest.mark.parametrize("address", ["folder"], indirect=True)
def test_whoever_thinks_again_while_his_files_are_removed_keeps_those_that_are_there_yet(
    hub, box, kept, keep, shots, monkeypatch
):
    rows, epoch, unlink = shots(4), read_membership(box.state).epoch, Path.unlink
    for row in rows:
        keep(row, 1000)
    removed, is_second, go_on = [], threading.Event(), threading.Event()

    def slowly(path, **how):
        if path.parent.name == key_of(box):
            removed.append(path)
            if len(removed) == 2:
                is_second.set()
                assert go_on.wait(60)
        unlink(path, **how)

    monkeypatch.setattr(Path, "unlink", slowly)
    kept.offered(key_of(box), Offered(epoch=epoch, at_s=2.0, files=None))
    assert is_second.wait(60)
    kept.offered(key_of(box), Offered(epoch=epoch, at_s=3.0, files=()))
    go_on.set()
    soon(lambda: len([row for row in rows if told_at(hub, box, row)]) == 2)
    there = [seen_at(hub, box, row, "clip") for row in rows]
    assert sum(one is not None for one in there) == 2  # and what is shown lies there


@pytest.mark.parametrize("address", ["folder"], indirect=True)
def test_a_board_with_many_files_is_cleared_however_long_that_takes(box, address, kept, keep, shots, monkeypatch):
    for row in shots(4):
        keep(row, 1000)
    unlink = Path.unlink
    monkeypatch.setattr(file_place, "PATIENCE_S", 1.0)
    monkeypatch.setattr(Path, "unlink", lambda path, **how: time.sleep(0.4) or unlink(path, **how))
    kept.offered(key_of(box), Offered(epoch=read_membership(box.state).epoch, at_s=2.0, files=None))
    soon(lambda: kept_in(address, box) == [])


def test_whoever_comes_while_a_store_is_yet_to_be_loaded_shuts_nobody_out(monkeypatch):
    place = FilePlace(f"memory://cold{next(numbers)}")
    is_asked, is_loaded, write = threading.Event(), threading.Event(), type(place._place).write_bytes
    monkeypatch.setattr(
        type(place._place), "write_bytes", lambda *what: is_asked.set() or (is_loaded.wait(60) and write(*what))
    )
    monkeypatch.setattr(file_place, "PATIENCE_S", 0.1)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(place.try_out)
        assert is_asked.wait(60)
        with pytest.raises(FilesAway):
            place.write("board", "name", b"film")
        is_loaded.set()
        first.result(60)
    monkeypatch.setattr(file_place, "PATIENCE_S", 60)
    place.write("board", "name", b"film")
    assert place.read("board", "name") == b"film"


def test_a_file_that_was_changed_where_it_lies_is_shown_to_nobody(hub, box, address, open_row):
    epoch, row = open_row
    line_of(box, hub).bring(epoch, (row, "clip"), FILM)
    (place_of(address) / key_of(box) / hashlib.sha256(FILM).hexdigest()).write_bytes(b"another")
    assert seen_at(hub, box, row, "clip") is None


HALF = "half of it is written"
HUB_THAT_DIES = """
import os, signal
from pathlib import Path
from linesies.league import file_place, files, serving

def die(*_):
    os.killpg(0, signal.SIGKILL)

def half(path, data):
    path.open("wb", buffering=0).write(data[: len(data) // 2])
    die()

at = {at!r}
if at == "half of it is written":
    Path.write_bytes = half
if at == "it is written":
    files.Files._settle = die
if at == "it is kept":
    files.Files._make_room = die
homes = serving.Homes(database={database!r}, keys=Path({keys!r}), room=files.Room(address={address!r}))
serving.serve_hub(homes, host="127.0.0.1", port={port}, say=lambda line: print(line, flush=True))
"""


@pytest.fixture
def hub_that_dies(cluster, tmp_path):
    """Gives what serves a hub that dies together with all that serves it once a file has come so far."""
    keys, files_ = str(tmp_path / "keys"), str(tmp_path / "files")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    @contextlib.contextmanager
    def served(at):
        begun = HUB_THAT_DIES.format(at=at, database=cluster.url, keys=keys, address=files_, port=port)
        command = [sys.executable, "-c", begun]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as hub:
            code = next(line for line in hub.stdout if "next board" in line).split(": ")[1].replace(" ", "").strip()
            try:
                yield SimpleNamespace(address=f"http://127.0.0.1:{port}", code=code, process=hub)
            finally:
                hub.terminate()

    return served


@pytest.mark.usefixtures("store")  # an empty one
@pytest.mark.takes_turns(seconds=20)
@pytest.mark.parametrize(
    ("at", "is_taken_back"),
    [(HALF, False), ("it is written", False), ("it is kept", False), (HALF, True)],
)
def test_a_file_that_is_under_way_when_the_hub_is_killed_is_brought_again_whole_or_lies_nowhere(
    hub_that_dies, tmp_path, at, is_taken_back
):
    address = str(tmp_path / "files")
    with contextlib.closing(BoardBox(tmp_path)) as box:
        with hub_that_dies(at) as hub:
            box.join(hub.address, hub.code)
            box.start()
            row = shown_call(box)
            is_told(hub.address, box)
            with offered_by(box):
                hub.process.wait(60)
        assert kept_in(address, box)
        with hub_that_dies("never") as hub, offered_by(box, may_leave=not is_taken_back):
            soon(lambda: is_taken_back or are_there(hub.address, box, row))
            soon(lambda: len(kept_in(address, box)) == (0 if is_taken_back else 2))
            if not is_taken_back:
                assert seen_at(hub.address, box, row, "clip") == FILM


@pytest.mark.parametrize("address", ["folder"], indirect=True)
def test_a_file_is_shown_of_one_row_while_it_is_written_of_another(hub, box, address, kept, shots, monkeypatch):
    first, second = shots(2)
    epoch, name = read_membership(box.state).epoch, hashlib.sha256(FILM).hexdigest()
    kept.keep(key_of(box), FILM, epoch=epoch, file=(first, "clip"), sha256=name)
    monkeypatch.setattr(Path, "write_bytes", half_written)
    with pytest.raises(FilesAway, match="killed"):
        kept.keep(key_of(box), FILM, epoch=epoch, file=(second, "clip"), sha256=name)
    assert seen_at(hub, box, first, "clip") == FILM


def half_written(path, data):
    with path.open("wb") as file:
        file.write(data[: len(data) // 2])
    raise OSError("killed")


def test_where_there_is_no_room_the_oldest_go_and_what_people_disputed_stays(hub, box, address, kept, keep, shots):
    rows = shots(4)
    dispute(box, rows[0])
    is_told(hub, box)
    for row in rows:
        assert keep(row, 300_000) == Wanted()
    assert [row for row in rows if told_at(hub, box, row)] == [rows[0], rows[2], rows[3]]
    soon(lambda: len(kept_in(address, box)) == 3)
    every = tuple((row, "clip") for row in rows)
    offered = Offered(epoch=read_membership(box.state).epoch, at_s=2.0, files=every)
    assert kept.offered(key_of(box), offered).files == ()  # not asked for again


def test_with_a_person_the_pictures_of_his_games_are_forgotten(hub, box, store, address):
    box.begin(["Zoe", "Bo"])
    first = shown_call(box)
    box.play_until_won("Bo")
    box.begin(["Cy", "Bo"])
    second = shown_call(box, clip=FILM + b"2", case=b"crop 2")
    with offered_by(box):
        soon(lambda: are_there(hub, box, second) and len(kept_in(address, box)) == 4)
    kept, standings = HubFiles(store, Room(address=address)), Standings(store)
    assert forget("Zoe", store=store, files=kept, schedule=Schedule(store), standings=standings)
    assert told_at(hub, box, first) == {}
    assert are_there(hub, box, second)
    soon(lambda: len(kept_in(address, box)) == 2)


def test_who_is_forgotten_while_the_place_of_files_is_away_is_forgotten_at_once_and_no_late_picture_comes(
    hub, box, store, address, monkeypatch
):
    box.begin(["Zoe", "Bo"])
    row = shown_call(box)
    line, epoch = line_of(box, hub), read_membership(box.state).epoch
    box.play_until_won("Bo")
    is_told(hub, box)
    line.offer(Offered(epoch=epoch, at_s=1.0, files=()))
    soon(lambda: is_brought(line, epoch, (row, "clip")))
    kept, standings = HubFiles(store, Room(address=address)), Standings(store)
    with monkeypatch.context() as away:
        away.setattr(FilePlace, "_waited_for", fails)
        assert forget("Zoe", store=store, files=kept, schedule=Schedule(store), standings=standings)
        assert told_at(hub, box, row) == {}
        assert len(kept_in(address, box)) == 1

    def is_tidied():
        kept.tidy()  # again, where it was just now the turn of the hub's own
        return kept_in(address, box) == []

    soon(is_tidied)
    assert line.offer(Offered(epoch=epoch, at_s=2.0, files=((row, "clip"), (row, "case")))) == Wanted()
    line.bring(epoch, (row, "case"), b"case")  # as a board does that was told before to bring it
    assert told_at(hub, box, row) == {}
    assert kept_in(address, box) == []


def test_an_address_that_nobody_knows_is_said_in_one_line(store):
    with pytest.raises(BadAddress, match="nosuch://bucket: cannot be reached"):
        HubFiles(store, Room(address="nosuch://bucket"))


@pytest.mark.takes_turns(seconds=10)
@in_browser[0]
@in_browser[1]
@pytest.mark.parametrize(
    ("language", "text"), [("en", "What this call was measured from"), ("es", "Con qué se midió esta jugada")]
)
@pytest.mark.parametrize("address", ["folder"], indirect=True)
def test_a_tap_on_a_call_of_a_boards_page_at_the_hub_shows_its_film(browser, hub, box, language, text):
    row = shown_call(box)
    with offered_by(box):
        soon(lambda: are_there(hub, box, row))
    page = browser.new_context(**{**PHONE, "locale": language}).new_page()
    page.goto(f"{hub}/boards/{key_of(box)}/screen")
    until(page, f"() => document.body.dataset.row === '{box.referee.story.row}'")
    page.touchscreen.tap(100, 100)
    page.wait_for_selector("body.attended")
    page.tap("#open-history")
    page.tap("#history li:first-child button")
    link = page.wait_for_selector(f"dialog a[href$='/files/{row}/case']")
    assert link.text_content().startswith(text)
    page.locator("dialog[open] .filmed summary").tap()
    until(page, "() => document.querySelector('dialog video')?.duration > 0")
    page.context.close()
