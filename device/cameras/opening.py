"""Opens a source by its name, as the contract writes it."""

from device.cameras.source import Source


def open_source(name: str) -> Source:
    """Open `name`: a picture, film or folder, `picamera2[:N]`, `v4l2:N`, an RTSP address, or `sim:NAME[?seed=N]`."""
    raise NotImplementedError(name)
