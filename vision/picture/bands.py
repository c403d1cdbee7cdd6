"""Bands of a picture's rows, worked on one after the other.

What comes of one stays in the processor's cache and in memory that is already at hand: pages that are new to a
program cost it several times more than the sums that are written into them.
"""

from collections.abc import Iterator

ROWS = 32


def bands(height: int) -> Iterator[slice]:
    """Give the rows of each band of a picture.

    >>> [(rows.start, rows.stop) for rows in bands(70)]
    [(0, 32), (32, 64), (64, 70)]
    """
    return (slice(top, min(top + ROWS, height)) for top in range(0, height, ROWS))
