"""Addresses of network cameras, which often hold a password: told to people without it."""

from urllib.parse import urlsplit

SCHEMES = ("rtsp", "rtsps", "http", "https")


def is_address(name: str) -> bool:
    """Tell whether a source's name is the address of a network camera."""
    scheme, mark, _ = name.partition("://")
    return bool(mark) and scheme.lower() in SCHEMES


def without_secrets(name: str) -> str:
    """Write a source's name for people, logs and pages: an address without user, password and what follows a `?`.

    >>> without_secrets("rtsp://ana:secret@10.0.0.7:554/street?key=1")
    'rtsp://10.0.0.7:554/street'
    >>> without_secrets("v4l2:0")
    'v4l2:0'
    """
    if not is_address(name):
        return name
    try:
        address = urlsplit(name)
    except ValueError:  # no address at all; nothing of it can be told safely
        return f"{name.partition('://')[0]}://..."
    return f"{address.scheme}://{address.netloc.rpartition('@')[2]}{address.path}"
