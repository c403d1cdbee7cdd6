"""What the page's process is told: light, so that nothing heavy is loaded before the worker is ready for it."""

import msgspec


class PageOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be served: the state folder, on which open socket, and to whom."""

    state: str
    socket: int
    host: str = "127.0.0.1"
    port: int = 0
    names: tuple[str, ...]
    may_order: bool
    pairing: bool = False
