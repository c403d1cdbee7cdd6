"""Wrong codes: whoever guesses waits, and nobody else does."""

import ipaddress
from collections import deque

MOST_PLACES = 1000
HOUSEHOLD_BITS = 64  # one machine has a whole such network of addresses for itself


def place_of(address: str) -> str:
    """Name the place from which an address calls: a number of version 6 by its network, unless it is a local link's.

    >>> place_of("192.168.4.7"), place_of("2001:db8:1:2:3:4:5:6"), place_of("fe80::7")
    ('192.168.4.7', '2001:db8:1:2::', 'fe80::7')
    """
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if known.version == 4 or known.is_link_local:
        return str(known)
    return str(ipaddress.ip_network((known, HOUSEHOLD_BITS), strict=False).network_address)


class Tries:
    """Remembers when each place last guessed wrong: after `most` times within the pause it waits till one has aged."""

    def __init__(self, *, most: int = 5, pause_s: float = 60.0) -> None:
        self._most = most
        self._pause_s = pause_s
        self._wrong: dict[str, deque[float]] = {}  # the place that guessed last stands last

    def wait_s(self, place: str, at_s: float) -> float:
        """Tell how long this place must wait before it may try again, 0 when it may now."""
        wrong = self._recent(place, at_s)
        return self._pause_s - (at_s - wrong[0]) if len(wrong) >= self._most else 0.0

    def note_wrong(self, place: str, at_s: float) -> int:
        """Note a wrong code; tells how many tries are left."""
        wrong = self._recent(place, at_s)
        wrong.append(at_s)
        self._wrong.pop(place, None)
        self._wrong[place] = wrong
        if len(self._wrong) > MOST_PLACES:
            del self._wrong[next(iter(self._wrong))]
        return max(0, self._most - len(wrong))

    def _recent(self, place: str, at_s: float) -> deque[float]:
        wrong = self._wrong.get(place, deque(maxlen=self._most))
        while wrong and at_s - wrong[0] >= self._pause_s:
            wrong.popleft()
        return wrong
