"""Who sits where: the seats of a mat are given to the players, by their names or else in their order."""

from collections.abc import Mapping, Sequence

from linesies.calibration import Board

Seating = Mapping[str, str]  # seat -> player


def seats_of(board: Board) -> tuple[str, ...]:
    """Name the seats of a mat, clockwise."""
    prefix = "seat:"
    return tuple(r.name.removeprefix(prefix) for r in board.regions if r.name.startswith(prefix))


def seated(board: Board, players: Sequence[str]) -> Seating:
    """Give each player a seat: the one that bears the name, else all take the first seats clockwise in their order.

    Without players every seat is its own; players beyond the seats get none (see `misfit`).
    """
    seats = seats_of(board)
    if set(players) <= set(seats):
        return {seat: seat for seat in seats if seat in players or not players}
    return dict(zip(seats, players, strict=False))


def misfit(board: Board, game: str, players: Sequence[str]) -> str | None:
    """Say why a game can't be played on a mat by these players, and what would help; None: it can."""
    zones = {region.name for region in board.regions}
    wanted = {"skull_king": {"trick"}, "skipbo": {f"pile{i}" for i in range(1, 5)}}.get(game, set())
    missing = sorted(wanted - zones)
    if missing:
        return f"the table in view has no zone {', '.join(missing)}, which {game} needs: calibrate a mat for {game}"
    seats = seats_of(board)
    if len(players) > len(seats):
        return f"the table in view has {len(seats)} seats for {len(players)} players: calibrate a larger mat"
    return None
