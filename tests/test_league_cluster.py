"""A hub finds a PostgreSQL, the system's or one from PyPI, and keeps to the release that has made its folder."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from linesies.league import cluster
from linesies.league.errors import BadInput
from linesies.league.names import Names
from linesies.league.serving import Homes, open_store

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
    with cluster.running_cluster(evening, is_durable=False) as running:
        assert answers(running)
    assert running._running() == []


def test_a_second_hub_on_a_folder_is_refused_and_takes_nothing_from_the_first(evening):
    with cluster.running_cluster(evening, is_durable=False) as first:
        with pytest.raises(BadInput, match="another hub runs on it"), cluster.running_cluster(evening):
            pass
        assert answers(first)


def test_a_number_of_postgresql_s_that_is_another_program_s_now_stops_nobody(evening):
    with cluster.running_cluster(evening, is_durable=False) as running, subprocess.Popen(["sleep", "60"]) as other:
        kill_all_of(running)
        (running.data / "postmaster.pid").write_text(f"{other.pid}\n")
        running.start()
        assert answers(running)
        other.kill()


def kill_all_of(running):
    """Kill PostgreSQL with all its processes, as where memory runs out."""
    for number in running._running():
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    while running._running():
        time.sleep(0.01)


def test_what_a_killed_postgresql_left_behind_is_waited_for(evening):
    with cluster.running_cluster(evening, is_durable=False) as running:
        first, *others = [running._number(), *(one for one in running._running() if one != running._number())]
        os.kill(others[0], signal.SIGSTOP)  # as one that waits for a bad disk
        os.kill(first, signal.SIGKILL)
        threading.Timer(1.0, os.kill, (others[0], signal.SIGCONT)).start()
        running.start()
        assert answers(running)


def test_a_cluster_whose_making_was_cut_short_is_made_anew(evening, monkeypatch):
    evening.parent.joinpath("programs").mkdir()
    broken = evening.parent / "programs" / "initdb"
    broken.write_text('#!/bin/sh\nmkdir "$2"\necho 15 > "$2"/PG_VERSION\nexit 1\n')
    broken.chmod(0o755)
    with monkeypatch.context() as here:
        here.setattr(cluster, "installed", lambda: [broken.parent])
        with pytest.raises(BadInput):
            cluster.Cluster(evening)
    with cluster.running_cluster(evening, is_durable=False) as running:
        assert answers(running)


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
