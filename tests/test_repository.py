"""Our packages as an apt repository of static files: apt itself finds, checks and fetches them."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOLS = ("apt-ftparchive", "apt-get", "dpkg-deb", "gpg")
pytestmark = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in TOOLS),
    reason=f"needs {', '.join(TOOLS)}: sudo apt install apt-utils gpg",
)


@pytest.fixture
def packages(tmp_path):
    """A folder with a small package of our name for each kind of machine."""
    folder = tmp_path / "packages"
    for arch in ("arm64", "amd64"):
        control = tmp_path / arch / "DEBIAN" / "control"
        control.parent.mkdir(parents=True)
        control.write_text(
            f"Package: linesies\nVersion: 9.1\nArchitecture: {arch}\nMaintainer: none <none@linesies.invalid>\n"
            "Description: stands in for the real one\n"
        )
        folder.mkdir(exist_ok=True)
        made = f"{folder}/linesies_9.1_{arch}.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", str(tmp_path / arch), made], check=True)
    return folder


def repository(folder, packages, key=""):
    environ = {**os.environ, "PACKAGES": str(packages), "KEY": key, "GNUPGHOME": str(folder.parent / "gpg")}
    made = subprocess.run(
        ["sh", str(ROOT / "packaging/make_repository.sh"), str(folder)],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    return folder


def apt(tmp_path, source, *command):
    """Run apt-get with nothing but this source."""
    place = tmp_path / "apt"
    for inner in ("lists/partial", "cache/archives/partial", "parts"):
        (place / inner).mkdir(parents=True, exist_ok=True)
    (place / "sources.list").write_text(f"{source}\n")
    (place / "status").touch()
    options = {
        "Dir::Etc::sourcelist": place / "sources.list",
        "Dir::Etc::sourceparts": place / "parts",
        "Dir::State::lists": place / "lists",
        "Dir::State::status": place / "status",
        "Dir::Cache": place / "cache",
        "APT::Sandbox::User": "root",
        "APT::Architecture": "arm64",
        "APT::Architectures": "arm64",
    }
    told = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
    return subprocess.run(
        ["apt-get", *told, *command], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )


def test_apt_finds_and_fetches_the_package_of_its_kind_of_machine(tmp_path, packages):
    folder = repository(tmp_path / "site", packages)
    source = f"deb [trusted=yes] file:{folder} stable main"
    assert apt(tmp_path, source, "update").returncode == 0
    got = apt(tmp_path, source, "download", "linesies")
    assert got.returncode == 0, got.stderr
    assert (tmp_path / "linesies_9.1_arm64.deb").exists()


def test_a_signed_one_needs_no_further_trust_and_a_changed_one_is_refused(tmp_path, packages):
    (tmp_path / "gpg").mkdir(mode=0o700)
    name = "linesies@linesies.invalid"
    make_key = ["gpg", "--batch", "--passphrase", "", "--quick-generate-key", name, "ed25519", "sign"]
    subprocess.run(make_key, env={**os.environ, "GNUPGHOME": str(tmp_path / "gpg")}, check=True, capture_output=True)
    folder = repository(tmp_path / "site", packages, key=name)
    source = f"deb [signed-by={folder}/linesies.asc] file:{folder} stable main"
    told = apt(tmp_path, source, "update")
    assert told.returncode == 0, told.stderr
    index = folder / "dists/stable/InRelease"
    index.write_text(index.read_text().replace("Suite: stable", "Suite: other!"))
    shutil.rmtree(tmp_path / "apt/lists")
    assert apt(tmp_path, source, "update").returncode != 0


def test_without_a_package_it_says_how_to_make_one(tmp_path):
    (tmp_path / "none").mkdir()
    environ = {**os.environ, "PACKAGES": str(tmp_path / "none")}
    command = ["sh", str(ROOT / "packaging/make_repository.sh"), str(tmp_path / "site")]
    told = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert "make deb ARCH=arm64" in told.stderr
