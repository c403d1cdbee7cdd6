"""A stream for many phones is compressed text by text, each readable as soon as it has come."""

import zlib

from hypothesis import given
from hypothesis import strategies as st

from linesies.web.squeezing import squeezed_stream


def told(texts):
    yield from texts


@given(st.lists(st.text()))
def test_each_text_of_a_stream_is_readable_once_it_has_come(texts):
    reader = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    head, *blocks = squeezed_stream(told(texts))
    assert reader.decompress(head) == b""
    assert [reader.decompress(block).decode() for block in blocks] == texts


def test_a_long_text_is_told_in_a_fraction_of_its_bytes():
    text = '{"row": 7, "player": "Ana"}' * 1000
    assert sum(map(len, squeezed_stream(told([text])))) < len(text) / 20


def test_who_stops_listening_ends_the_stream_behind_it():
    ended = []

    def live():
        try:
            yield "hello"
            yield "never heard"
        finally:
            ended.append(True)

    stream = squeezed_stream(live())
    next(stream), next(stream)
    stream.close()
    assert ended
