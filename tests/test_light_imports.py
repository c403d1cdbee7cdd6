"""What a process does not need it does not load: a box has little memory, and a command should answer at once."""

import subprocess
import sys
from pathlib import Path

import pytest

from linesies import calibration, vision, web
from linesies.late import homes_of

CAMERA = "import linesies.device.cameras.camera_child"
REFEREE = "import linesies.device.loop.refereeing"
PAGE = "import linesies.device.serving.webface, linesies.device.serving.webapp"


def loads(imports, module):
    told = subprocess.run(
        [sys.executable, "-c", f"import sys; {imports}; print({module!r} in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.strip() == "True"


@pytest.mark.parametrize(
    ("imports", "module"),
    [
        (CAMERA, "scipy"),
        (CAMERA, "av"),
        (CAMERA, "cv2"),
        (CAMERA, "linesies.calibration"),
        (CAMERA, "linesies.vision.shots.watcher"),
        (REFEREE, "linesies.vision.cards.read.reading"),
        (REFEREE, "linesies.vision.cards.table.plays"),
        (REFEREE, "scipy"),
        (REFEREE, "flask"),
        (REFEREE, "linesies.simulator"),
        (PAGE, "cv2"),
        (PAGE, "numpy"),
        ("import linesies.device.cli", "numpy"),
    ],
)
def test_what_is_not_needed_is_not_loaded(imports, module):
    assert not loads(imports, module)


@pytest.mark.parametrize(
    ("package", "name"), [(p, name) for p in (calibration, vision, web) for name in homes_of(Path(p.__file__))]
)
def test_every_name_that_a_package_offers_is_there(package, name):
    assert getattr(package, name) is not None


def test_a_name_that_vision_does_not_offer_is_named():
    with pytest.raises(AttributeError, match="offers no 'cap'"):
        vision.cap  # noqa: B018 - asking is what is tried


@pytest.mark.parametrize("package", [calibration, vision, web])
def test_no_name_that_a_package_offers_is_one_of_its_files(package):
    """Else whoever loads the file first would be given it in the name's place."""
    folder = Path(package.__file__).parent
    assert not set(homes_of(folder / "__init__.py")) & {path.stem for path in folder.iterdir()}
