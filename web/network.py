"""Where this machine is found in the local network."""

import contextlib
import socket

# whose way is looked for: an address that is nobody's (RFC 5737), and where there is no way out one of our own network
AFAR = ("192.0.2.1", "10.42.0.2")


def own_names() -> tuple[str, ...]:
    """Name this machine as phones may call it."""
    name = socket.gethostname().split(".")[0]
    return ("localhost", name, f"{name}.local")


def lan_address() -> str | None:
    """Find this machine's address in the local network; nothing is sent."""
    for far in AFAR:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
            probe.connect((far, 9))
            return str(probe.getsockname()[0])
    return None


def addresses_at(host: str, port: int) -> tuple[str, ...]:
    """Name a page's addresses: on this machine, and in the local network where it can be called from there."""
    hosts = ["127.0.0.1", lan_address()] if host == "0.0.0.0" else [host]  # noqa: S104 - compared, not bound
    return tuple(dict.fromkeys(f"http://{name}:{port}/" for name in hosts if name))


def addresses_for_phones(host: str, port: int) -> tuple[str, ...]:
    """Name the addresses that phones can use: by number, and by name for networks that know it (mDNS)."""
    if host != "0.0.0.0":  # noqa: S104 - compared, not bound
        return (f"http://{host}:{port}/",)
    number = lan_address()
    hosts = [number, own_names()[-1]] if number else ["127.0.0.1"]
    return tuple(f"http://{name}:{port}/" for name in hosts)
