"""What people install: one name, all that the program needs, the simulator beside it, and nothing of the workshop."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

pytestmark = pytest.mark.takes_turns(seconds=7)

ROOT = Path(__file__).parent.parent
PRODUCT = ("calibration", "vision", "rules", "games", "referee", "web", "league", "device")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from what git knows of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    packed = subprocess.run(
        ["tar", "-c", "--null", "--ignore-failed-read", "-T", "-"],
        cwd=ROOT,
        input=listed,
        check=True,
        capture_output=True,
    ).stdout
    subprocess.run(["tar", "-x", "-C", str(source)], input=packed, check=True)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder), "."]
    built = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return next(folder.glob("*.whl"))


def names(wheel):
    with zipfile.ZipFile(wheel) as packed:
        return packed.namelist()


def test_all_lies_under_one_name(wheel):
    assert {name.split("/")[0].split("-")[0] for name in names(wheel)} == {"linesies"}


def test_the_demo_is_installed_and_the_workshop_is_not(wheel):
    folders = {name.split("/")[1] for name in names(wheel) if name.startswith("linesies/") and name.count("/") > 1}
    assert folders == {*PRODUCT, "simulator"}


def test_every_file_that_the_program_reads_is_in_it(wheel):
    known = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    wanted = {f"linesies/{name}" for name in known if name.split("/")[0] in PRODUCT and (ROOT / name).exists()}
    assert wanted - set(names(wheel)) == set()
    assert "linesies/py.typed" in names(wheel)


@pytest.mark.parametrize(("version", "asks"), [("3.11", True), ("3.12", True), ("3.13", False)])
def test_pins_ask_pip_for_nothing_that_has_no_wheel(version, asks, wheel):
    """lgpio has none for Python 3.13, and needs a compiler and its library there."""
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith("/METADATA"))
        lines = packed.read(name).decode().splitlines()
    wanted = [Requirement(line.split(": ", 1)[1]) for line in lines if line.startswith("Requires-Dist: lgpio")]
    assert [one.marker.evaluate({"python_version": version, "extra": "pi"}) for one in wanted] == [asks]


def test_it_works_where_the_simulator_is_not_installed(wheel, tmp_path):
    """A box has a street of its own."""
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path, [name for name in packed.namelist() if "/simulator/" not in name])

    def line(*args):
        program = (  # without the finder by which a checkout stands for the installed package
            "import sys; sys.meta_path[:] = [one for one in sys.meta_path if 'editable' not in repr(one).lower()]; "
            f"sys.path.insert(0, {str(tmp_path)!r}); from linesies.device.cli import main; main()"
        )
        return subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True, check=False)

    told = line("--help").stdout
    assert "referee" in told
    assert not {"demo", "simulate", "games"} & {row.split()[0] for row in told.splitlines() if row.strip()}
    for command in ("referee", "print", "calibrate", "doctor", "watch"):
        assert line(command, "--help").returncode == 0
    refused = line("watch", "sim:street", "--caps", "x", "--calibration", "y")
    assert refused.returncode == 2
    assert "Traceback" not in refused.stderr
