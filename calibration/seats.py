"""Who sits where at a mat: its seats are given to the players, by their names or else in their order."""

from collections.abc import Container, Iterable, Mapping, Sequence

SEAT = "seat:"  # how the zone before a player is named

Seating = Mapping[str, str]  # seat -> player


def seats_of(zones: Iterable[str]) -> tuple[str, ...]:
    """Name the seats among a mat's zones, clockwise."""
    return tuple(zone.removeprefix(SEAT) for zone in zones if zone.startswith(SEAT))


def seated(zones: Iterable[str], players: Sequence[str]) -> Seating:
    """Give each player a seat: the one that bears the name, else all take the first seats clockwise in their order.

    Without players every seat is its own; players beyond the seats get none (see `misfit`).

    >>> seated(["seat:player1", "seat:player2", "trick"], ["Ana", "Bo"])
    {'player1': 'Ana', 'player2': 'Bo'}
    """
    seats = seats_of(zones)
    if set(players) <= set(seats):
        return {seat: seat for seat in seats if seat in players or not players}
    return dict(zip(seats, players, strict=False))


def seat_for(name: str, seats: Sequence[str], seating: Seating, gone: Container[str]) -> str | None:
    """Name the seat of somebody who sits down: his own, else one that nobody has, else that of somebody who is gone.

    >>> seat_for("Di", ["1", "2", "3"], {"1": "Ana", "2": "Bo"}, gone=["Ana"])
    '3'
    >>> seat_for("Di", ["1", "2", "Di"], {"2": "Bo"}, gone=[])
    'Di'
    >>> seat_for("Di", ["1", "2"], {"1": "Ana", "2": "Bo"}, gone=["Ana"])
    '1'
    >>> seat_for("Di", ["1", "2"], {"1": "Ana", "2": "Bo"}, gone=[]) is None
    True
    """
    own = [seat for seat in seats if seating.get(seat) == name]
    free = [seat for seat in seats if seat not in seating]
    named = [seat for seat in free if seat == name]
    left = [seat for seat in seats if seating.get(seat) in gone]
    return next(iter((*own, *named, *free, *left)), None)


def sits_after(seat: str, seats: Sequence[str], seating: Seating) -> str | None:
    """Name behind whom, clockwise, a seat is: who had it, else whoever has the last seat before it.

    >>> sits_after("3", ["1", "2", "3"], {"1": "Ana", "2": "Bo"})
    'Bo'
    """
    place = seats.index(seat) + 1
    clockwise = (*seats[place:], *seats[:place])
    return next((seating[one] for one in reversed(clockwise) if one in seating), None)


def misfit(zones: Sequence[str], between: Iterable[str], players: Sequence[str]) -> str | None:
    """Say why a game that needs the zones `between` cannot be played by these on a mat of these zones; None: it can.

    >>> misfit(["seat:1", "seat:2"], ["trick"], ["Ana", "Bo"])
    'the table in view has no zone trick'
    >>> misfit(["seat:1"], [], ["Ana", "Bo"])
    'the table in view has 1 seat for 2 players'
    """
    missing = [zone for zone in between if zone not in zones]
    if missing:
        return f"the table in view has no zone {', '.join(missing)}"
    seats = seats_of(zones)
    if len(players) > len(seats):
        return f"the table in view has {len(seats)} seat{'s' * (len(seats) != 1)} for {len(players)} players"
    return None
