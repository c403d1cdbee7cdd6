"""What a board has told its hub, as the board's own page wants it."""

from collections.abc import Collection
from typing import Any

from linesies.league.standings import Standings

NOW = {"camera": "ok", "caps": {}, "signals": {}}  # boards tell what was ruled, and nothing of the moment


class FarBoard:
    """One board's rows at the hub."""

    def __init__(self, standings: Standings, board: str) -> None:
        self._standings = standings
        self._board = board

    def last_id(self) -> int:
        """Give the newest row that is held of it."""
        found = self._standings.find(self._board)
        return 0 if found is None else self._standings.story(found).row

    def story_json(self, seats: Collection[str] = ()) -> dict[str, Any]:  # noqa: ARG002 - no secret comes to a hub
        """Write its story for everybody, without the pictures."""
        told = self._standings.story_json(self._board) or {}
        return {**told, **{kind: [{**one, "evidence": {}} for one in told[kind]] for kind in ("entries", "pending")}}
