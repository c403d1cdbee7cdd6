"""Installs the packages under tests/outside/, and broken ones written for a test, as people would: by pip."""

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent / "outside"

PROJECT = """
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"
[project]
name = "{name}"
version = "1.0"
[project.entry-points."{group}"]
{offer} = "{name}:{thing}"
[tool.setuptools]
py-modules = ["{name}"]
"""


def install(target, *projects):
    """Install project folders into a folder of their own, from copies, for a build leaves things beside its source."""
    copies = []
    for project in projects:
        copy = target.with_name(f"{target.name}-{project.name}")
        shutil.copytree(project, copy, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build"))
        copies.append(str(copy))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--disable-pip-version-check", "--target", str(target), *copies], check=True)
    return target


def broken(folder, name, *, group, thing, source, offer=None):
    """Write a package of one module whose offer does not work."""
    project = folder / name
    project.mkdir()
    told = PROJECT.format(name=name, group=group, offer=offer or name, thing=thing)
    (project / "pyproject.toml").write_text(told)
    (project / f"{name}.py").write_text(source)
    return project
