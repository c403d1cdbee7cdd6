"""Case files: what a call was measured from is kept small, sent as one file, and measured again to the last bit."""

import zipfile
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO

import msgspec
import numpy as np
import pytest

from linesies.device.cases.archives import case_file_of, open_archive
from linesies.device.cases.case import BLOBS, case_names, read_case, read_case_in
from linesies.device.cases.case_store import CaseStore
from linesies.device.cases.rejudging import rejudge
from linesies.device.cases.reporting import page_of, report_of
from linesies.device.cli import main
from linesies.device.errors import BadInput
from linesies.device.journal.journal import Journal
from linesies.device.serving.webapp import JournalFace
from linesies.web import create_app
from tests import cap_pictures
from tests.case_files import AWAITED, called, cases_in, filed


@pytest.fixture(scope="module")
def calibration():
    return cap_pictures.calibration()


@pytest.fixture(scope="module")
def shot(calibration):
    return called(calibration)


@pytest.fixture
def folder(tmp_path, shot, calibration):
    filed(tmp_path / "cases", shot, calibration, rows=(41,))
    return tmp_path / "cases"


def grained(shot, seed):
    """The same shot with other noise in its pixels, as no two pictures of a camera are alike."""
    random = np.random.default_rng(seed)
    crops = [
        replace(crop, now_bgr=random.integers(0, 255, crop.now_bgr.shape, np.uint8))
        for call in shot.calls
        for crop in call.exhibit.crops
    ]
    calls = [
        replace(call, exhibit=replace(call.exhibit, crops=(crop,)))
        for call, crop in zip(shot.calls, crops, strict=True)
    ]
    return replace(shot, calls=tuple(calls))


def names_in(folder):
    return {path.name for path in folder.iterdir()}


@dataclass(frozen=True)
class Told:
    """What a command printed, and its exit status."""

    output: str
    exit_code: int


@pytest.fixture
def run(monkeypatch, capsys):
    def ran(*args):
        monkeypatch.setattr("sys.argv", ["linesies", *(str(arg) for arg in args)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return Told(output=printed.out + printed.err, exit_code=ended.value.code or 0)

    return ran


def test_a_case_measured_again_by_the_same_program_gives_the_same_call_to_the_last_bit(folder):
    again = [rejudge(folder, name) for name, _ in cases_in(folder)]
    assert [(one.case.player, one.change, one.is_same_program) for one in again] == [
        (player, "same", True) for player in [one.case.player for one in again]
    ]
    assert {one.case.player for one in again} == {"ana", "bo", "cal"}


def test_a_case_says_what_the_rules_awaited_and_nothing_of_hands_and_bids(folder):
    (_, data), *_ = cases_in(folder)
    assert read_case(data, "").expected == {key: AWAITED[key] for key in ("game", "turn", "awaiting", "phase")}


def test_a_call_takes_less_than_300_kilobytes(folder):
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert size / len(list(cases_in(folder))) < 300_000


def test_what_many_cases_share_is_kept_once(tmp_path, shot, calibration):
    filed(tmp_path, shot, calibration, rows=(1, 2, 3))
    cases = [read_case(data, name) for name, data in cases_in(tmp_path)]
    assert len(cases) == 9
    assert len(list((tmp_path / BLOBS).iterdir())) == 1 + 2 * 3


def test_the_oldest_go_first_and_the_disputed_last(tmp_path, shot, calibration):
    for row in range(1, 40):
        filed(tmp_path, grained(shot, row), calibration, rows=(row,))
    store, _ = filed(tmp_path, shot, calibration, rows=(40,), megabytes=1.0)
    store.tidy(disputed={2})
    left = sorted({int(name.split("-")[0]) for name, _ in cases_in(tmp_path)})
    assert left[0] == 2
    assert left[1:] == list(range(left[1], 41))
    assert left[1] > 3
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) < 1_000_000
    assert all(read_case(data, name).blobs <= names_in(tmp_path / BLOBS) for name, data in cases_in(tmp_path))


def test_blobs_of_no_case_go(tmp_path, shot, calibration):
    store, names = filed(tmp_path, shot, calibration, rows=(1,))
    for name in names[1]:
        (tmp_path / name).unlink()
    store._room, store._size = 1, None
    store.tidy()
    assert list((tmp_path / BLOBS).iterdir()) == []


def test_a_case_is_sent_as_one_file_and_measured_there(folder, tmp_path, run):
    sent = tmp_path / "sent.zip"
    told = run("case", "export", 41, "--state", folder, "-o", sent)
    assert told.exit_code == 0, told.output
    assert all(rejudge(open_archive(str(sent)), name).change == "same" for name, _ in cases_in(open_archive(str(sent))))
    assert len(list(cases_in(open_archive(str(sent))))) == 3


def test_a_phone_is_given_the_case_of_a_row_and_404_where_none_is_kept(folder, tmp_path):
    journal = JournalFace(Journal(tmp_path / "journal.sqlite"))
    app = create_app(journal, journal.journal.submit, dict, case_file=partial(case_file_of, folder))
    answer = app.test_client().get("/case/41.zip")
    assert answer.mimetype == "application/zip"
    with zipfile.ZipFile(BytesIO(answer.data)) as sent:
        assert sum(name.endswith(".json") for name in sent.namelist()) == 3
    assert app.test_client().get("/case/42.zip").status_code == 404
    assert create_app(journal, journal.journal.submit, dict).test_client().get("/case/41.zip").status_code == 404


def test_a_case_is_shown_with_its_picture(folder, tmp_path, run):
    told = run("case", "show", 41, "--state", folder, "--pictures", tmp_path / "shown")
    assert told.exit_code == 0, told.output
    assert "awaited: ana's turn" in told.output
    assert len(list((tmp_path / "shown").glob("*.png"))) == 3


def test_damaged_and_missing_parts_are_said_and_stop_nobody(folder, run):
    names = [name for name, _ in cases_in(folder)]
    first, second, _ = (read_case(data, name) for name, data in cases_in(folder))
    (folder / BLOBS / first.crops[0].now).unlink()
    (folder / BLOBS / second.crops[0].now).write_bytes(b"other")
    assert [rejudge(folder, name).change for name in names] == ["unreadable", "unreadable", "same"]
    assert "is gone" in rejudge(folder, names[0]).why
    assert "is damaged" in rejudge(folder, names[1]).why
    told = run("rejudge", folder, "--jobs", 1)
    assert told.exit_code == 0
    assert "2 cannot be measured" in told.output


def test_a_damaged_case_of_a_box_keeps_no_other_from_being_measured(tmp_path, shot, calibration, run, monkeypatch):
    filed(tmp_path / "cases", shot, calibration, rows=(41,))
    first, *_ = case_names(tmp_path / "cases")
    (tmp_path / "cases" / first).write_bytes(b"{")
    monkeypatch.setattr("linesies.device.cases.sweeping.settled_in", lambda _: {(41, "ana"): "7"})
    assert "1 cannot be measured" in run("rejudge", tmp_path, "--jobs", 1).output


def test_a_case_that_cannot_be_read_hides_no_other_of_its_row(folder, tmp_path, run):
    first, second, third = case_names(folder)
    (folder / first).write_bytes(b"{")
    (folder / BLOBS / read_case((folder / second).read_bytes(), second).crops[0].now).unlink()
    player = read_case((folder / third).read_bytes(), third).player
    told = run("case", "show", 41, "--state", folder)
    assert (told.exit_code, f"shot, {player}" in told.output, f"left out: {first}" in told.output) == (0, True, True)
    told = run("case", "export", 41, "--state", folder, "-o", tmp_path / "sent.zip")
    assert (told.exit_code, "1 calls" in told.output, "is gone" in told.output) == (0, True, True)
    with zipfile.ZipFile(BytesIO(case_file_of(folder, 41))) as sent:
        assert [name for name in sent.namelist() if name.endswith(".json")] == [third]
    (folder / third).write_bytes(b"{")
    assert case_file_of(folder, 41) is None
    assert run("case", "export", 41, "--state", folder).exit_code == 2


def test_a_list_of_cases_names_those_that_cannot_be_read_and_goes_on(folder, run):
    first, second, third = case_names(folder)
    (folder / first).write_bytes(b"{")
    told = run("case", "list", "--state", folder)
    assert told.exit_code == 0
    assert f"left out: {first}" in told.output
    listed = [read_case((folder / name).read_bytes(), name).player for name in (second, third)]
    assert all(f"{player}: " in told.output for player in listed)


def test_a_damaged_case_of_another_row_hides_none(folder):
    (folder / "00000042-0123456789ab.json").write_bytes(b"{" * 17_000_000)
    assert case_file_of(folder, 41) is not None


def test_of_a_zip_file_with_any_byte_changed_no_more_is_lost_than_is_said(folder, tmp_path):
    whole = bytearray(case_file_of(folder, 41))
    sent = tmp_path / "sent.zip"
    for at in range(whole.index(b"PK\1\2"), len(whole)):
        for bit in (0x01, 0x80):
            data = bytearray(whole)
            data[at] ^= bit
            sent.write_bytes(data)
            with suppress(BadInput):
                archive = open_archive(str(sent))
                for name in case_names(archive):
                    with suppress(BadInput):
                        read_case_in(archive, name)


@pytest.mark.parametrize("fault", ["caps", "geometry", "crops"])
def test_a_page_is_made_whatever_a_stranger_s_case_lacks(folder, fault):
    name, data = next(iter(cases_in(folder)))
    case = read_case(data, name)
    blob = CaseStore(folder, megabytes=1).keep_blob(b"{}")
    changes = {
        "caps": {"caps": [cap for cap in case.caps if cap["player"] != case.player]},
        "geometry": {"calibration": blob},
        "crops": {"crops": []},
    }
    (folder / name).write_bytes(msgspec.json.encode(msgspec.structs.replace(case, **changes[fault])))
    line = {"archive": str(folder), **rejudge(folder, name).as_json()}
    assert line["change"] == "unreadable"
    assert "no picture: " in page_of([report_of([line])])


@pytest.mark.parametrize("data", [b"", b"[]", b'{"format": 1}', b"\xff"])
def test_what_is_no_case_is_refused_with_its_name(data):
    with pytest.raises(BadInput, match=r"thing\.json: is no case"):
        read_case(data, "thing.json")


def test_letters_that_are_none_make_no_case(folder):
    _, data = next(iter(cases_in(folder)))
    player = read_case(data, "").player.encode()
    with pytest.raises(BadInput, match=r"thing\.json: is no case"):
        read_case(data.replace(b'"player":"' + player, b'"player":"\xe3' + player, 1), "thing.json")


@pytest.mark.parametrize("path", ["/dev/zero", "../../journal.sqlite", "a\0b"])
def test_a_stranger_s_case_names_no_file_but_blobs(path, folder):
    name, data = next(iter(cases_in(folder)))
    (folder / name).write_bytes(
        data.replace(read_case(data, name).calibration.encode(), msgspec.json.encode(path)[1:-1])
    )
    assert "is no case" in rejudge(folder, name).why


def test_a_case_of_a_later_format_is_named_as_that(folder):
    name, data = next(iter(cases_in(folder)))
    later = msgspec.json.encode(msgspec.structs.replace(read_case(data, name), format=2))
    with pytest.raises(BadInput, match="of format 2"):
        read_case(later, name)


def test_another_program_s_call_is_told_as_what_it_would_change(folder, run):
    name, data = next(iter(cases_in(folder)))
    case = read_case(data, name)
    was = msgspec.structs.replace(case.call, location="7", gap=-case.call.gap)
    (folder / name).write_bytes(msgspec.json.encode(msgspec.structs.replace(case, call=was)))
    told = run("rejudge", folder, "--jobs", 1)
    assert "1 called otherwise" in told.output
    assert f"{name}: called otherwise: 7" in told.output


def test_a_certain_call_against_what_was_settled_ends_with_status_1(folder, run):
    name, data = next(iter(cases_in(folder)))
    case = read_case(data, name)
    assert case.call.certain
    (folder / name).write_bytes(msgspec.json.encode(msgspec.structs.replace(case, settled="elsewhere")))
    told = run("rejudge", folder, "--jobs", 1)
    assert told.exit_code == 1
    assert "1 are called with certainty otherwise now" in told.output


def test_processes_measure_as_one_does(folder, tmp_path, run):
    by_one = run("rejudge", folder, "--jobs", 1).output
    assert run("rejudge", folder, "--jobs", 2).output == by_one


def test_no_archive_is_one_clear_line(tmp_path, run):
    (tmp_path / "x.zip").write_bytes(b"no zip")
    told = run("rejudge", tmp_path / "x.zip")
    assert told.exit_code == 2
    assert "no archive of cases" in told.output
