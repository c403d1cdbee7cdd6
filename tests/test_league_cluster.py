"""A hub finds a PostgreSQL, the system's or one from PyPI, and keeps to the release that has made its folder."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from linesies.league import cluster
from linesies.league.errors import BadInput
from linesies.league.names import Names
from linesies.league.serving import Homes, open_store
from tests.leagues import soon

KILLED = """
import os, signal, sys
from pathlib import Path
from linesies.league.cluster import running_cluster
with running_cluster(Path(sys.argv[1]), is_durable=False):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def programs(folder, release):
    """Make a folder of programs that say which PostgreSQL they are."""
    folder.mkdir(parents=True)
    (folder / "initdb").write_text(f"#!/bin/sh\necho 'initdb (PostgreSQL) {release}'\n")
    (folder / "initdb").chmod(0o755)
    return folder


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A machine with PostgreSQL 15 and 9 of Debian, and 18 from PyPI."""
    monkeypatch.setattr(cluster.shutil, "which", lambda _: None)
    monkeypatch.setattr(cluster, "DEBIANS", tmp_path / "debian")
    monkeypatch.syspath_prepend(tmp_path / "site")
    (tmp_path / "site" / cluster.PACKAGE).mkdir(parents=True)
    (tmp_path / "site" / cluster.PACKAGE / "__init__.py").write_text("")
    for beside in ("common", "18-broken"):
        (tmp_path / "debian" / beside / "bin").mkdir(parents=True)
    found = [programs(tmp_path / "debian" / release / "bin", f"{release}.2") for release in ("15", "9.6")]
    return [*found, programs(tmp_path / "site" / cluster.PACKAGE / "pginstall" / "bin", "18.6")]


def test_the_newest_of_the_system_comes_before_the_one_from_pypi(here, tmp_path):
    assert cluster.installed() == here
    assert cluster.programs_for(tmp_path / "new") == here[0]


def test_a_folder_is_served_by_the_release_that_has_made_it(here, tmp_path):
    (tmp_path / "PG_VERSION").write_text("18\n")
    assert cluster.programs_for(tmp_path) == here[-1]
    (tmp_path / "PG_VERSION").write_text("17\n")
    with pytest.raises(BadInput, match="made by PostgreSQL 17, which is not here"):
        cluster.programs_for(tmp_path)


def test_a_folder_of_another_user_is_named_with_what_to_do(here, tmp_path, monkeypatch):
    def closed(*_, **__):
        raise PermissionError

    monkeypatch.setattr(cluster.Path, "read_text", closed)
    with pytest.raises(BadInput, match=f"{tmp_path}: belongs to another user; start the hub as before"):
        cluster.programs_for(tmp_path)


def test_a_cluster_runs_for_root_as_the_user_who_owns_it(tmp_path):
    (tmp_path / "global").mkdir()
    (tmp_path / "global" / "pg_control").touch()
    assert cluster._its_user(tmp_path) == tmp_path.owner()


def test_where_there_is_none_it_says_both_ways_to_one(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "installed", list)
    with pytest.raises(BadInput, match=r"apt install postgresql.*pip install"):
        cluster.programs_for(tmp_path)


@pytest.fixture
def evening():
    """A hub's folder; not in one of pytest's, which no other user may enter."""
    if not cluster.installed():
        pytest.skip("PostgreSQL is not installed here")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder) / "evening"


def answers(running):
    engine = create_engine(running.url)
    with contextlib.closing(engine.connect()) as connection:
        told = connection.execute(text("SELECT 1")).scalar_one()
    engine.dispose()
    return told == 1


def test_after_a_hub_was_killed_the_next_one_runs_on_its_folder(evening):
    killed = subprocess.run([sys.executable, "-c", KILLED, str(evening)], timeout=120, check=False)
    assert killed.returncode == -signal.SIGKILL
    said = []
    with cluster.running_cluster(evening, is_durable=False, say=said.append) as running:
        assert answers(running)
    assert running._running() == []
    assert said == [f"{evening}: PostgreSQL did not end in peace there; it is waited for, maybe for minutes"]


def test_a_second_hub_on_a_folder_is_refused_and_takes_nothing_from_the_first(evening):
    with cluster.running_cluster(evening, is_durable=False) as first:
        with pytest.raises(BadInput, match="another hub runs on it"), cluster.running_cluster(evening):
            pass
        assert answers(first)


def test_a_number_of_postgresql_s_that_is_another_program_s_now_stops_nobody(evening):
    with contextlib.ExitStack() as in_the_end:
        running = in_the_end.enter_context(cluster.running_cluster(evening, is_durable=False))
        other = in_the_end.enter_context(subprocess.Popen(["sleep", "60"]))
        in_the_end.callback(other.kill)
        kill_all_of(running)
        (running.data / "postmaster.pid").write_text(f"{other.pid}\n")
        running.start()
        assert answers(running)
        assert other.poll() is None


def kill_all_of(running):
    """Kill PostgreSQL with all its processes, as where memory runs out."""
    for number in running._running():
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    soon(lambda: not running._running())


def test_what_a_killed_postgresql_left_behind_is_waited_for(evening):
    with cluster.running_cluster(evening, is_durable=False) as running:
        first, *others = [running._number(), *(one for one in running._running() if one != running._number())]
        os.kill(others[0], signal.SIGSTOP)  # as one that waits for a bad disk
        os.kill(first, signal.SIGKILL)
        threading.Timer(1.0, os.kill, (others[0], signal.SIGCONT)).start()
        running.start()
        assert answers(running)


def making(evening, does):
    """A folder of programs whose making of a cluster does something else, in the folder "$2"."""
    told = programs(evening.parent / "programs", "15.2")
    (told / "initdb").write_text(f"#!/bin/sh\n{does}\n")
    return told


def test_a_cluster_whose_making_was_cut_short_is_made_anew_also_on_another_disk(evening, monkeypatch):
    disk = evening.parent / "disk"
    for folder in (evening, disk):
        folder.mkdir()
    (evening / "data").symlink_to(disk)
    with monkeypatch.context() as here:
        here.setattr(cluster, "installed", lambda: [making(evening, 'echo 15 > "$2"/PG_VERSION; exit 1')])
        with pytest.raises(BadInput):
            cluster.Cluster(evening)
    assert not any(disk.iterdir())
    with cluster.running_cluster(evening, is_durable=False) as running:
        assert answers(running)
    assert (disk / "PG_VERSION").exists()
    assert sorted(one.name for one in evening.parent.iterdir()) == ["disk", "evening", "programs"]


def test_nothing_is_touched_in_a_folder_in_which_another_hub_makes_its_cluster(evening):
    (evening / "data.unfinished").mkdir(parents=True)
    with cluster._alone_in(evening), pytest.raises(BadInput, match="another hub runs on it"):
        cluster.Cluster(evening)
    assert (evening / "data.unfinished").exists()


MAKING = """
import sys
from pathlib import Path
from linesies.league import cluster
cluster.installed = lambda: [Path(sys.argv[2])]
cluster.Cluster(Path(sys.argv[1]))
"""


def test_while_a_killed_hub_s_cluster_is_still_made_its_folder_is_nobody_else_s(evening):
    told = making(evening, 'echo $$ > "$2"/number; mv "$2"/number "$2"/begun; exec sleep 60')
    hub = subprocess.Popen([sys.executable, "-c", MAKING, str(evening), str(told)])
    begun = evening / "data.unfinished" / "begun"
    soon(begun.exists)
    hub.kill()
    hub.wait()
    try:
        with pytest.raises(BadInput, match="another hub runs on it, or was killed while it made it"):
            cluster.Cluster(evening)
    finally:
        os.kill(int(begun.read_text()), signal.SIGKILL)


def is_file(data):
    data.touch()


def is_of_something_else(data):
    data.mkdir()
    (data / "mine").touch()


def was_half_made(data):
    """As the release before left it where it was killed."""
    data.mkdir()
    (data / "PG_VERSION").write_text("15\n")


@pytest.mark.parametrize("lies_there", [is_file, is_of_something_else, was_half_made])
def test_what_is_no_whole_cluster_is_refused_in_one_line_and_left_as_it_is(evening, monkeypatch, lies_there):
    told = programs(evening.parent / "programs", "15.2")
    monkeypatch.setattr(cluster, "installed", lambda: [told])
    evening.mkdir()
    lies_there(evening / "data")
    before = sorted(evening.glob("data/*"))
    with pytest.raises(BadInput, match=f"{evening}/data: (is no whole cluster|cannot be made)"):
        cluster.Cluster(evening)
    assert sorted(evening.glob("data/*")) == before
    assert sorted(one.name for one in evening.iterdir()) == ["data", "held"]


def test_a_cluster_that_cannot_take_its_place_is_refused_and_leaves_nothing_behind(evening, monkeypatch):
    told = making(evening, f"touch {evening}/data/meanwhile")
    monkeypatch.setattr(cluster, "installed", lambda: [told])
    (evening / "data").mkdir(parents=True)
    (evening / "data").chmod(0o777)
    with pytest.raises(BadInput, match=r"data: cannot be made \(Directory not empty\)"):
        cluster.Cluster(evening)
    assert sorted(one.name for one in evening.iterdir()) == ["data", "held"]


def test_a_database_that_goes_away_while_a_hub_opens_it_is_waited_for(evening, monkeypatch):
    count, faults, said = Names.without_keys, [OperationalError("SELECT", {}, Exception("gone"))], []

    def goes_away(names):
        if faults:
            raise faults.pop()
        return count(names)

    monkeypatch.setattr(Names, "without_keys", goes_away)
    with cluster.running_cluster(evening, is_durable=False) as running:
        homes = Homes(database=running.url, keys=evening / "keys")
        with contextlib.closing(open_store(homes, said.append)) as store:
            assert store.keyless == 0
    assert "does not answer" in said[0]
