"""Whose games are told across games: who chose so, and from which game on; forgotten by taking the name out."""

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path


class Remembered:
    """A small file of names, each with the number of the first game that counts; replaced as a whole."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def since(self) -> Mapping[str, int]:
        """Tell from which game on each counts; a file that cannot be read remembers nobody."""
        with contextlib.suppress(OSError, ValueError):
            told = json.loads(self._path.read_text(encoding="utf-8"))
            return {str(name): int(number) for name, number in told.items()}
        return {}

    def remember(self, player: str, number: int) -> None:
        """Count a player's games from that number on; one who is remembered already stays so."""
        self._write({player: number, **self.since()})

    def forget(self, player: str) -> None:
        """Count no game of his any more."""
        self._write({name: number for name, number in self.since().items() if name != player})

    def _write(self, since: Mapping[str, int]) -> None:
        beside = self._path.with_suffix(".new")
        beside.write_text(json.dumps(since, ensure_ascii=False), encoding="utf-8")
        os.replace(beside, self._path)  # noqa: PTH105 - as a whole
