"""The file of a learned deck: a zip that holds `deck.json` and one PNG a face, so that people can look inside."""

import json
import zipfile
from pathlib import Path

import cv2
import numpy as np

from vision.cards.learned_faces import Faces
from vision.cards.learned_flat import FINE, HEIGHT_MM, WIDTH_MM
from vision.errors import BadInput

FORMAT = "linesies deck 1"
INDEX = "deck.json"
_SHAPE = (HEIGHT_MM * FINE, WIDTH_MM * FINE, 3)
_MOST_FACES = 2000
_MOST_BYTES = 1_000_000  # of one face; a PNG of this size is a tenth of it


def write_faces(faces: Faces, path: str | Path) -> None:
    """Write a deck file; raises BadInput where it can't be written."""
    try:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
            file.writestr(INDEX, json.dumps({"format": FORMAT, "cards": list(faces.names)}, ensure_ascii=False))
            for number, face in enumerate(faces.fine):
                png = cv2.imencode(".png", np.clip(np.round(face), 0, 255).astype(np.uint8))[1]
                file.writestr(f"{number}.png", png.tobytes())
    except OSError as fault:
        raise BadInput(f"{path}: cannot be written ({fault.strerror}); choose another place") from None


def read_faces(path: str | Path) -> Faces:
    """Read a deck file; raises BadInput for anything that `linesies learn` did not write."""
    try:
        with zipfile.ZipFile(path) as file:
            names = _names(json.loads(_member(file, INDEX)))
            pictures = [_picture(_member(file, f"{number}.png"), f"{number}.png") for number in range(len(names))]
    except OSError as fault:
        raise BadInput(f"{path}: cannot be read ({fault.strerror}); check the name and the rights") from None
    except (
        zipfile.BadZipFile,
        KeyError,
        ValueError,
        NotImplementedError,
        RuntimeError,
        RecursionError,
        EOFError,
    ) as fault:
        raise BadInput(f"{path}: is no deck file ({fault}); write one with `linesies learn`") from None
    return Faces(names, np.stack(pictures).astype(np.float32))


def _member(file: zipfile.ZipFile, name: str) -> bytes:
    if file.getinfo(name).file_size > _MOST_BYTES:
        raise ValueError(f"{name} is too large")
    return file.read(name)


def _names(index: object) -> tuple[str, ...]:
    if not isinstance(index, dict) or index.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT!r}")
    names = index.get("cards")
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        raise ValueError("`cards` must list names")
    if not 0 < len(names) <= _MOST_FACES or len(set(names)) != len(names):
        raise ValueError("`cards` must list each name once")
    return tuple(names)


def _picture(data: bytes, name: str) -> np.ndarray:
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if picture is None or picture.shape != _SHAPE:
        raise ValueError(f"{name} is no face of {_SHAPE[1]}x{_SHAPE[0]}")
    return picture
