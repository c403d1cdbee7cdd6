"""A fresh machine's tests are whole: `make test` installs the programs that they run where it may, or names them."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "need_programs.sh"


@pytest.fixture
def fresh(tmp_path):
    """Runs the script where nothing of what tests need is there; tells what it says, and what apt-get was asked for."""

    def run(user, *, has_apt=True):
        asked = tmp_path / "asked"
        programs = {"id": f"echo {user}"} | ({"apt-get": f'echo "$@" >> {asked}'} if has_apt else {})
        for name, does in {**programs, "ls": "exit 2"}.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
            (tmp_path / name).chmod(0o755)
        done = subprocess.run(
            ["/bin/sh", str(SCRIPT)],
            env={**os.environ, "PATH": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        return done.stderr, asked.read_text() if asked.exists() else ""

    return run


NEEDED = ("chromium", "mosquitto", "postgresql", "gcc", "libc6-dev", "dosfstools", "apt-utils")


def test_what_tests_run_is_installed_where_it_may(fresh):
    told, asked = fresh(0)
    assert not told
    installed = asked.splitlines()[-1].split()
    assert "install" in installed
    assert set(NEEDED) <= set(installed)


@pytest.mark.parametrize(("user", "has_apt"), [(1000, True), (0, False)], ids=["not root", "no apt"])
def test_elsewhere_what_is_not_there_is_named_with_the_mend(user, has_apt, fresh):
    told, asked = fresh(user, has_apt=has_apt)
    assert not asked
    assert "will be skipped" in told
    assert "sudo apt install" in told
    assert all(name in told for name in NEEDED)
