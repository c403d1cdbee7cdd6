"""Which doorkeeper the page gets, and the board on the device's console that shows the codes."""

import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TextIO

from linesies.device.phones.phones import REFEREE, Phone, Phones
from linesies.device.places import phones_file
from linesies.referee.names import is_printable
from linesies.web import Anyone, Doorkeeper, Role

LOOK_EVERY_S = 1.0


class OpenDoor:
    """Lets every phone order what it likes; a phone still sits for a player, to see and do what is his."""

    is_open = True

    def __init__(self, phones: Phones) -> None:
        self._phones = phones

    def role(self, token: str) -> Role:
        """Give everyone the referee's rights, and the seats that he took."""
        known = self._phones.role(token)
        return Role(kind="referee", seats=known.seats, phone=known.phone)

    def enter(self, _token: str, _code: str) -> str | None:
        """Ask for no codes, so know none."""
        return None

    def sit(self, token: str, player: str) -> str:
        """Seat the phone."""
        return self._phones.sit(token, player)

    def codes(self, _players: Iterable[str]) -> dict[str, str]:
        """Have none."""
        return {}

    def all(self) -> tuple[Phone, ...]:
        """List the phones that sit."""
        return self._phones.all()

    def revoke(self, phone: str) -> bool:
        """Take a phone's seats."""
        return self._phones.revoke(phone)


def doorkeeper_of(state: Path, *, may_order: bool, pairing: bool) -> Doorkeeper:
    """Choose who lets phones in, as settings say."""
    if not may_order:
        return Anyone(may_order=False)
    phones = Phones(phones_file(state))
    return phones if pairing else OpenDoor(phones)


class CodeBoard(threading.Thread):
    """Shows on the device's console whatever code is new; remembers those that it has shown."""

    def __init__(self, door: Doorkeeper, players: Callable[[], Iterable[str]], console: TextIO | None = None) -> None:
        super().__init__(name="codes", daemon=True)
        self._door = door
        self._players = players
        self._console = console or sys.stderr
        self._shown: dict[str, str] = {}

    def run(self) -> None:
        """Look now and then, as long as the page is served."""
        while True:
            self.show()
            time.sleep(LOOK_EVERY_S)

    def show(self) -> None:
        """Write the codes that changed since the last time."""
        codes = self._door.codes(self._players())
        new = {seat: code for seat, code in codes.items() if self._shown.get(seat) != code}
        if new:
            self._shown = codes
            print(*(code_line(seat, code) for seat, code in new.items()), sep="\n", file=self._console, flush=True)


def code_line(seat: str, code: str) -> str:
    """Say what a code is for."""
    if seat == REFEREE:
        return f"To be the referee on your phone, type {code[:3]} {code[3:]} there."
    return f"Seat of {seat if is_printable(seat) else ascii(seat)}: {code}"
