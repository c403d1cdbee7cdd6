"""In CI a run that skipped something for no known reason fails, and says what it was."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run_in_ci(tmp_path, reason):
    (tmp_path / "test_one.py").write_text(f"import pytest\n@pytest.mark.skip(reason={reason!r})\ndef test_x(): ...\n")
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", "-q", str(tmp_path)]
    environ = {**os.environ, "CI": "1", "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("reason", ["no reason that anybody knows", "needs a program that was forgotten"])
def test_a_skip_without_a_known_reason_fails_the_run_and_is_named(reason, tmp_path):
    run = run_in_ci(tmp_path, reason)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "skipped in CI without a known reason" in run.stdout
    assert f"test_one.py::test_x: Skipped: {reason}" in run.stdout


def test_a_skip_for_a_known_reason_does_not(tmp_path):
    run = run_in_ci(tmp_path, "takes hours")
    assert run.returncode == 0, run.stdout + run.stderr
