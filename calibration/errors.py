"""What can go wrong in calibration, with the blame in the type."""


class CalibrationError(Exception):
    """The base of every error of this folder."""


class BadInput(CalibrationError, ValueError):  # noqa: N818 - the name says whose fault it is
    """A file or an argument that cannot be used; the text says what, where and how to mend it."""
