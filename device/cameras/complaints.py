"""What libjpeg complains of while OpenCV has it decode: it writes that to stderr and gives a picture all the same.

Stderr is the whole process's: a damaged picture that another thread decodes meanwhile, in another way than by these
complaints, would be taken for this one.
"""

import logging
import os
import re
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

_ONE_AT_A_TIME = threading.Lock()
_OF_LIBJPEG = re.compile(r"(Corrupt JPEG data|Premature end of JPEG file|Invalid JPEG file structure)")
_PADDING = re.compile(r"Corrupt JPEG data: [1-4] extraneous bytes before marker")  # webcams write some

log = logging.getLogger(__name__)


@contextmanager
def complaints() -> Iterator[list[str]]:
    """Collect what libjpeg says of damage meanwhile; known at the end, and whatever else was said is passed on."""
    said: list[str] = []
    if sys.stderr is None:  # closed: nothing is said anywhere
        yield said
        return
    with _ONE_AT_A_TIME, ExitStack() as opened:
        try:
            aside, stderr = opened.enter_context(tempfile.TemporaryFile()), os.dup(2)
        except OSError as fault:
            log.warning("whether a JPEG is damaged in its middle cannot be told: %s", fault)
            yield said
            return
        try:
            os.dup2(aside.fileno(), 2)
            yield said
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
            aside.seek(0)
            for line in aside.read().decode(errors="replace").splitlines(keepends=True):
                if not _OF_LIBJPEG.match(line):
                    os.write(2, line.encode())
                elif not _PADDING.match(line):
                    said.append(line.strip())
