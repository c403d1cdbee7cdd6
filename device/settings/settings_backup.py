"""Spare settings: a copy of the last that could be read, to go on with when somebody or a power cut spoils them."""

import contextlib
from pathlib import Path

from linesies.device.errors import BadInput
from linesies.device.settings.settings import Settings
from linesies.device.settings.tables import read_tables
from linesies.referee.saying import Saying, Trouble


def read_settings(config: Path, spare: Path | None = None) -> tuple[Settings, list[Trouble]]:
    """Read settings and keep a copy as the spare; when they cannot be used read the spare, and say so.

    Raises BadInput when there is no spare, or none that can be used either.
    """
    try:
        settings = read_tables(config, Settings)
    except BadInput as fault:
        if spare is None or not spare.exists():
            raise
        try:
            return read_tables(spare, Settings), [Trouble("settings", Saying("spare_settings", why=str(fault)))]
        except BadInput:
            raise fault from None
    if spare is not None:
        with contextlib.suppress(OSError):  # a full disk costs the spare, not the game
            _copy(config, spare)
    return settings, []


def _copy(config: Path, spare: Path) -> None:
    text = config.read_bytes()
    if not spare.exists() or spare.read_bytes() != text:
        beside = spare.with_name(f"{spare.name}.new")
        beside.write_bytes(text)
        beside.replace(spare)
