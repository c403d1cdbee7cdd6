"""What the referee needs of the world: rows kept durably, and people told of them."""

from collections.abc import Sequence
from typing import Protocol

from linesies.referee.rows import Draft, Row, Submitted
from linesies.referee.saying import Trouble


class Rows(Protocol):
    """What was written, to be read."""

    def rows_after(self, row_id: int) -> list[Row]:
        """List the rows after the one of that id, oldest first."""
        ...


class RowStore(Rows, Protocol):
    """Keeps rows: what `append` has returned survives a power cut."""

    def append(self, *drafts: Draft, takes: Submitted | None = None) -> tuple[Row, ...]:
        """Write rows in one transaction; `takes` marks an order of the inbox as dealt with by the first."""
        ...

    def next_id(self) -> int:
        """Tell which id the next row will get."""
        ...

    def inbox(self) -> list[Submitted]:
        """List the orders not yet taken, oldest first."""
        ...


class Telling(Protocol):
    """Tells people what was written."""

    def announce(self, rows: Sequence[Row]) -> None:
        """Hand rows on; never waits, never raises."""
        ...

    def troubles(self) -> list[Trouble]:
        """List what began or ceased to fail since last asked."""
        ...
