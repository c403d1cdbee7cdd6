"""What can go wrong in vision, with the blame in the type."""


class VisionError(Exception):
    """The base of every error of this folder."""


class BadInput(VisionError, ValueError):  # noqa: N818 - the name says whose fault it is
    """A file or a picture that cannot be used; the text says what, where and how to mend it."""
