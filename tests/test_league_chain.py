"""A hub takes each row of a board once and in its order, whatever the line between them does to messages."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linesies.league import HubAnswer, Pushed, Refusal
from linesies.league.chain import joined
from linesies.referee.seals import seal

EPOCH = "0" * 32


def chain(count, told="as it was", first=1, before=""):
    """Rows as a journal seals them."""
    rows = []
    for number in range(first, first + count):
        values = (number, float(number), "vision", "seen", None, json.dumps({"told": told}), 2, None, None)
        before = seal(values, before)
        rows.append((*values, before))
    return rows


class Hub:
    """What a hub does with the answers of `joined`."""

    def __init__(self):
        self.rows = []

    @property
    def held(self):
        return HubAnswer(held=self.rows[-1][0], seal=self.rows[-1][-1]) if self.rows else HubAnswer(held=0)

    def take(self, rows, before=""):
        seals = {row[0]: row[-1] for row in self.rows}
        told = joined(self.held, Pushed(epoch=EPOCH, before=before, rows=tuple(rows)), seals.get)
        if not isinstance(told, Refusal):
            self.rows += told.rows
            assert told.answer == self.held
        return told


def part(rows, first, last):
    """Rows from one place to another, with the seal before them."""
    return rows[first:last], rows[first - 1][-1] if first else ""


@given(st.integers(1, 12), st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=12))
def test_whatever_parts_arrive_in_whatever_order_it_holds_the_beginning_and_once_all_came_all(count, parts):
    mine, hub = chain(count), Hub()
    for first, last in parts:
        hub.take(*part(mine, min(first, count), min(last, count)))
        assert hub.rows == mine[: len(hub.rows)]
    hub.take(mine)
    assert hub.rows == mine
    assert hub.take(mine).rows == ()


@given(st.integers(2, 8), st.data())
def test_a_missing_row_is_a_hole_and_the_answer_tells_from_where(count, data):
    mine, hub = chain(count + 1), Hub()
    known = data.draw(st.integers(0, count - 1))
    hub.take(mine[:known])
    told = hub.take(*part(mine, known + 1, count + 1))
    assert (told.code, told.held, told.seal) == ("hole", known, mine[known - 1][-1] if known else "")
    assert hub.rows == mine[:known]


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 5))
def test_another_past_is_a_fork_and_changes_nothing(held, more, common):
    common = min(common, held - 1)
    mine, hub = chain(held), Hub()
    hub.take(mine)
    other = chain(common)
    other += chain(more, told="otherwise", first=common + 1, before=other[-1][-1] if other else "")
    told = hub.take(other)
    assert hub.rows == mine
    assert isinstance(told, Refusal)
    assert told.code == "fork"


@given(st.integers(1, 6), st.data())
def test_a_row_that_was_changed_on_its_way_is_refused_with_all_of_its_message(count, data):
    mine, hub = chain(count), Hub()
    at = data.draw(st.integers(0, count - 1))
    column = data.draw(st.sampled_from([1, 2, 3, 4, 5, 7]))
    changed = [list(row) for row in mine]
    changed[at][column] = {1: 7.5, 4: 99, 5: '{"told": "otherwise"}', 7: 3}.get(column, "another")
    assert hub.take([tuple(row) for row in changed]).code == "unsealed"
    assert hub.rows == []


def test_rows_out_of_order_are_refused():
    mine = chain(3)
    assert Hub().take([mine[1], mine[0], mine[2]]).code == "unsealed"


@pytest.mark.parametrize("body", ["nothing", "[1]", ""])
def test_a_row_that_nobody_can_read_is_refused(body):
    values = (1, 1.0, "vision", "seen", None, body, 2, None, None)
    assert Hub().take([(*values, seal(values, ""))]).code == "unsealed"


def test_numbers_may_jump_where_a_mended_journal_lost_rows():
    first = chain(2)
    mine = [*first, *chain(2, first=7, before=first[-1][-1])]
    hub = Hub()
    for a, b in pairwise([0, 1, 3, 4]):
        hub.take(*part(mine, a, b))
    assert [row[0] for row in hub.rows] == [1, 2, 7, 8]
