"""The invitation on the device's own screen: where the page is, and the code by which a phone gets there."""

import io
import sys
from collections.abc import Iterator, Sequence


def invitation(addresses: Sequence[str], for_phones: Sequence[str]) -> Iterator[str]:
    """Say where the game is shown; on a terminal, draw the address that phones can use as a QR code."""
    named = [address for address in for_phones if address not in addresses]
    yield f"The game is shown at {' and '.join([*addresses, *named])}"
    if for_phones and sys.stderr.isatty():
        yield qr_for_terminal(for_phones[0])


def qr_for_terminal(address: str) -> str:
    """Draw an address in half blocks, light on dark as terminals are."""
    import segno  # noqa: PLC0415 - for a terminal alone; a box has none

    drawn = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(drawn, border=2, compact=True)
    return drawn.getvalue().rstrip("\n")
