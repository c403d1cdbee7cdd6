"""Many cases measured again: each once, wherever they lie, whoever measures them, and whenever somebody is killed."""

import subprocess
import sys
import time
import zipfile

import distributed
import duckdb
import msgspec
import psutil
import pytest
from click.testing import CliRunner

from linesies.benchmarks.rejudging import cluster
from linesies.device.cases import results
from linesies.device.cases.case import CallFile
from linesies.device.cases.measuring import Batch, Task
from linesies.device.cases.program import this_program
from linesies.device.cases.results import Results
from linesies.device.cases.spreading import over_cores, over_dask
from linesies.device.cases.sweeping import Sweep
from linesies.device.commands.rejudge import command
from linesies.device.errors import BadInput
from linesies.referee.addresses import BadAddress
from tests import cap_pictures
from tests.case_files import called, copied, filed

ROWS = range(100, 130)


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archive") / "cases"
    calibration = cap_pictures.calibration()
    filed(folder, called(calibration), calibration, rows=(41,))
    copied(folder, rows=ROWS)
    return folder


def names(archive):
    return sorted(path.name for path in archive.glob("*.json"))


def kept(results):
    return sorted(line["case"] for line in Results(str(results)).lines())


def said(*args):
    return CliRunner().invoke(command, [str(arg) for arg in args])


def test_results_are_parquet_that_duckdb_reads_as_they_are(archive, tmp_path):
    told = said(archive, "--jobs", 1, "--results", tmp_path / "results")
    assert told.exit_code == 0, told.output
    found = duckdb.sql(f"SELECT change, count(*), max(now.gap) FROM '{tmp_path}/results/*.parquet' GROUP BY change")
    [(change, count, gap)] = found.fetchall()
    assert (change, count) == ("same", len(names(archive)))
    assert isinstance(gap, float)


def test_a_sweep_goes_on_where_it_was_stopped_and_does_nothing_twice(archive, tmp_path):
    results = str(tmp_path / "results")
    first = Sweep([str(archive)], results)
    for _ in zip(range(40), first.run(over_cores(1)), strict=False):
        pass  # stopped in the middle of its second batch
    again = Sweep([str(archive)], results)
    assert 0 < len(again.known) == first.count - again.count < first.count
    list(again.run(over_cores(1)))
    assert kept(results) == names(archive)
    assert Sweep([str(archive)], results).count == 0


def test_what_people_have_said_since_a_case_was_measured_is_told_of_it(archive, tmp_path, monkeypatch):
    asked = [archive, "--jobs", 1, "--results", tmp_path / "results"]
    assert "settled by people" not in said(*asked).output
    monkeypatch.setattr("linesies.device.cases.sweeping.settled_in", lambda _: {(41, "ana"): "elsewhere"})
    told = said(*asked)
    assert told.exit_code == 1
    assert "1 were settled by people, of which 1 are called with certainty otherwise now" in told.output


def test_results_keep_all_of_a_call_beside_those_of_a_release_that_kept_less(tmp_path, monkeypatch):
    of_now = {field.name: None for field in msgspec.structs.fields(CallFile)}
    line = {**dict.fromkeys(results.COLUMNS), "case": "1", "was": {**of_now, "cap_share": 0.5}}
    folder = results.Results(str(tmp_path / "results"))
    folder.keep("b", [line])
    with monkeypatch.context() as earlier:
        less = results.CALL.replace(", cap_share DOUBLE", "")
        earlier.setattr(results, "COLUMNS", {**results.COLUMNS, "was": less, "now": less})
        folder.keep("a", [{**line, "case": "0", "was": {"location": "7"}}])
    assert [one["was"].get("cap_share") for one in sorted(folder.lines(), key=lambda one: one["case"])] == [None, 0.5]
    assert all(set(one["was"]) == set(of_now) for one in folder.lines())


@pytest.mark.takes_turns(seconds=18)
def test_a_batch_that_is_measured_twice_stands_there_once(archive, tmp_path):
    results = str(tmp_path / "results")
    sweep = Sweep([str(archive)], results)
    for _ in range(2):
        list(sweep.run(over_cores(1)))
    assert kept(results) == names(archive)


@pytest.mark.takes_turns(seconds=17)
def test_what_another_program_found_is_told_apart_and_measured_anew(archive, tmp_path):
    results = Results(str(tmp_path / "results"))
    line = next(iter(Sweep([str(archive)]).run(over_cores(1))))
    results.keep("old", [{**line, "program": "old", "change": "flipped"}])
    assert Sweep([str(archive)], str(tmp_path / "results")).count == len(names(archive))
    list(Sweep([str(archive)], str(tmp_path / "results")).run(over_cores(1)))
    told = said("--report", tmp_path / "results")
    assert "by program old:\n1 calls" in told.output
    assert f"by program {this_program().measuring} (this one):\n{len(names(archive))} calls" in told.output


def test_a_page_shows_what_changed_with_its_picture(archive, tmp_path):
    line = next(iter(Sweep([str(archive)]).run(over_cores(1))))
    Results(str(tmp_path / "results")).keep("one", [{**line, "change": "flipped", "wrong": True, "settled": "7"}])
    told = said("--report", tmp_path / "results", "--page", tmp_path / "page.html")
    assert told.exit_code == 1
    page = (tmp_path / "page.html").read_text()
    assert page.count("data:image/jpeg;base64,") == 1
    assert f"{line['case']}: called otherwise" in page


def test_archives_and_results_may_lie_at_an_address(archive, tmp_path):
    by_address = Sweep([f"file://{archive}"], f"file://{tmp_path}/results")
    assert [line["change"] for line in by_address.run(over_cores(2))] == ["same"] * len(names(archive))
    assert kept(f"file://{tmp_path}/results") == names(archive)
    with zipfile.ZipFile(tmp_path / "sent.zip", "w") as sent:
        for path in archive.rglob("*"):
            sent.write(path, path.relative_to(archive))
    assert Sweep([f"file://{tmp_path}/sent.zip"]).count == len(names(archive))


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["nothing://there/is"], "nothing://there/is: cannot be reached"),
        (["{tmp}/none"], "is no archive of cases"),
        ([], "name ARCHIVES"),
        (["--report", "{tmp}/none"], "there are no results"),
        (["{archive}", "--results", "{tmp}/file"], "results are a folder"),
        (["{archive}", "--results", "{tmp}/foreign"], "holds what is no results"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(archive, tmp_path, args, why):
    (tmp_path / "file").write_text("x")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "x.parquet").write_bytes(b"PAR1")
    told = said(*(arg.format(tmp=tmp_path, archive=archive) for arg in args))
    said_so = str(told.exception) if isinstance(told.exception, BadInput | BadAddress) else told.output
    assert why in said_so
    assert "\n" not in said_so or told.exit_code == 2


def test_a_cluster_that_is_not_there_is_said_in_one_line(archive):
    """In a process of its own, as all that uses Dask here: its threads stay as long as the process does."""
    setting = "linesies.device.cases.spreading.ANSWERS_S = 0.5"
    asked = ["rejudge", str(archive), "--scheduler", "tcp://127.0.0.1:9"]
    code = f"import linesies.device.cases.spreading; {setting}; import sys; sys.argv = ['linesies', *{asked!r}]; "
    code += "from linesies.device.cli import main; main()"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert "no Dask scheduler answers there" in told.stderr
    assert len(told.stderr.splitlines()) == 1


@pytest.mark.takes_turns(seconds=21)
def test_every_case_is_measured_once_by_workers_that_are_killed_at_random(archive, tmp_path):
    results, killed = tmp_path / "results", 0
    with cluster(tmp_path, workers=2) as (address, nannies):
        command = [sys.executable, "-m", "linesies", "rejudge", str(archive), "--scheduler", address]
        with subprocess.Popen([*command, "--results", str(results)], stdout=subprocess.PIPE, text=True) as measuring:
            while measuring.poll() is None:
                if killed < 2 and killed <= len(list(results.glob("*.parquet"))):
                    child_of(nannies[killed]).kill()
                    killed += 1
                time.sleep(0.01)
            told = measuring.stdout.read()
    assert killed == 2
    assert f"{len(names(archive))} calls measured again" in told
    assert kept(results) == names(archive)


@pytest.mark.takes_turns(seconds=12)
def test_a_worker_has_no_more_batches_at_once_than_it_will_soon_measure(archive, tmp_path):
    """Its death is held against all that it has: when each had its share from the start, a few damned every batch."""
    program = this_program().measuring
    tasks = [Task(archive=str(archive), name=name, settled=None) for name in names(archive)]
    batches = [Batch(tasks=(task,), program=program, results=None) for task in tasks]
    with cluster(tmp_path, workers=2) as (address, _), distributed.Client(address) as client:
        client.wait_for_workers(2)  # a cluster stands there already when a sweep begins
        telling = over_dask(address)(batches)
        first = next(telling)
        at_once = [len(keys) for keys in client.processing().values()]
        rest = list(telling)
    assert max(at_once) <= 3
    assert sorted(line["case"] for lines in (first, *rest) for line in lines) == names(archive)


def child_of(pid):
    """The process in which a nanny's worker runs, once there is one."""
    until_s = time.monotonic() + 30
    while not (children := psutil.Process(pid).children()) and time.monotonic() < until_s:
        time.sleep(0.01)
    return children[0]
