"""Words for people and logs, without the secrets of any camera's address in them."""

import re

WITH_SECRETS = re.compile(r"(\b[a-z][a-z0-9+.-]*:/+)(?:\S*@)?([^\s?]*)(?:\?\S*?(?=:\s|\s|$))?", re.IGNORECASE)


def hushed(words: str) -> str:
    """Write a sentence without the secrets of any address in it, even of one that is misspelt.

    >>> hushed("RTSP:/ana:sec@ret@10.0.0.7/street?key=1: there is no such file")
    'RTSP:/10.0.0.7/street: there is no such file'
    >>> hushed("clip.mp4: breaks off at frame 7")
    'clip.mp4: breaks off at frame 7'
    """
    return WITH_SECRETS.sub(r"\1\2", words)
