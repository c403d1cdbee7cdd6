"""What can go wrong in the shell, with the blame in the type."""


class DeviceError(Exception):
    """The base of every error of this folder."""


class BadInput(DeviceError, ValueError):  # noqa: N818 - the name says whose fault it is
    """A file, an argument or a setting that cannot be used; the text says what, where and how to mend it."""


class CameraFailed(DeviceError, OSError):  # noqa: N818 - reads as what happened
    """A live camera broke off, or cannot be opened; the text says which and what to look at."""


class CameraStalled(DeviceError, TimeoutError):  # noqa: N818 - reads as what happened
    """A live camera gives no more frames."""


class JournalFailed(DeviceError, OSError):  # noqa: N818 - reads as what happened
    """The journal cannot be written, so nothing may be ruled on; the text says why and how to mend it."""


class JournalDamaged(DeviceError, OSError):  # noqa: N818 - reads as what happened
    """The journal's file is damaged; opened anew, its sound part is taken over."""
