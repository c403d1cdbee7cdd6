"""The networks' files can be read by each OpenCV that a box may have: Bookworm's fourth, and the fifth."""

from pathlib import Path

import pytest

from linesies import vision

NETS = sorted(Path(vision.__file__).parent.resolve().rglob("*.onnx"))
GRAPH, INPUT = 7, 11  # fields of ONNX's `ModelProto` and `GraphProto`
TYPE, TENSOR, SHAPE, DIMENSION, OPEN = 2, 1, 2, 1, 2  # the way from an input to a dimension whose size is left open


@pytest.mark.parametrize("net", NETS, ids=lambda net: net.name)
def test_a_net_of_several_inputs_leaves_none_of_their_sizes_open(net):
    inputs = list(parts(net.read_bytes(), GRAPH, INPUT))
    are_open = [any(parts(one, TYPE, TENSOR, SHAPE, DIMENSION, OPEN)) for one in inputs]
    assert inputs
    assert len(inputs) == 1 or not any(are_open)  # OpenCV 4 cannot join such


def parts(message, field, *deeper):
    """The parts of a protocol buffer's message that lie along these fields."""
    for part in (content for number, content in fields(message) if number == field):
        yield from parts(part, *deeper) if deeper else [part]


def fields(message):
    """A message's fields that have a length, each with its content; numbers are passed over."""
    at = 0
    while at < len(message):
        key, at = varint(message, at)
        kind = key & 7
        length, at = varint(message, at) if kind in (0, 2) else ({1: 8, 5: 4}[kind], at)
        if kind == 2:
            yield key >> 3, message[at : at + length]
        at += 0 if kind == 0 else length


def varint(message, at):
    value, shift = 0, 0
    while True:
        byte = message[at]
        value, shift, at = value | (byte & 0x7F) << shift, shift + 7, at + 1
        if byte < 0x80:
            return value, at
