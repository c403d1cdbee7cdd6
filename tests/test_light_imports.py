"""What a process does not need it does not load: a box has little memory, and a command should answer at once."""

import subprocess
import sys

import pytest

import vision
import web

CAMERA = "import device.cameras.alone"
REFEREE = "import device.match.refereeing"
PAGE = "import device.serving.webface, device.serving.webapp"


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
        (CAMERA, "calibration"),
        (CAMERA, "vision.watch"),
        (REFEREE, "vision.cards.reading"),
        (REFEREE, "vision.cards.plays"),
        (REFEREE, "scipy"),
        (REFEREE, "flask"),
        (REFEREE, "device.simulator"),
        (PAGE, "cv2"),
        (PAGE, "numpy"),
        ("import device.cli", "numpy"),
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
