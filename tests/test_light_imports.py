"""What a process does not need it does not load: a box has little memory, and a command should answer at once."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from linesies import vision, web

CAMERA = "import linesies.device.cameras.camera_child"
REFEREE = "import linesies.device.loop.refereeing"
PAGE = "import linesies.device.serving.webface, device.serving.webapp"


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


@pytest.mark.parametrize(("package", "name"), [(p, name) for p in (vision, web) for name in p.__all__])
def test_every_name_that_a_package_offers_is_there(package, name):
    assert getattr(package, name) is not None


def test_a_name_that_vision_does_not_offer_is_named():
    with pytest.raises(AttributeError, match="offers no 'cap'"):
        vision.cap  # noqa: B018 - asking is what is tried


def test_vision_offers_what_type_checkers_are_told():
    told = {
        (node.module.removeprefix("linesies.vision."), alias.name)
        for node in ast.walk(ast.parse(Path(vision.__file__).read_text()))
        if isinstance(node, ast.ImportFrom) and node.module.startswith("linesies.vision.")
        for alias in node.names
    }
    assert told == {(module, name) for module, names in vision.HOMES.items() for name in names}
    assert {name for _, name in told} == set(vision.__all__)
