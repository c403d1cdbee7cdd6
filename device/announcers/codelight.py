"""The pairing code told by lamps, for a box without a screen: count the green blinks, the red one ends each digit."""

from collections.abc import Iterator

Flash = tuple[str | None, float]  # the one lamp that is lit, None: dark; for how many seconds

BLINK: tuple[Flash, ...] = (("in", 0.3), (None, 0.3))
END_OF_DIGIT: tuple[Flash, ...] = ((None, 0.4), ("on_line", 0.5), (None, 0.7))
END: tuple[Flash, ...] = (("too_close", 2.0), (None, 0.0))
TEN = 10  # blinks for the digit 0, since none could not be counted


def code_flashes(code: str) -> Iterator[Flash]:
    """Yield the flashes that tell a code of digits; amber at its end."""
    for digit in code:
        yield from BLINK * (int(digit) or TEN)
        yield from END_OF_DIGIT
    yield from END
