"""The live feed has room for so many; no address can take it all, and paired phones always find a place."""

from linesies.web.listeners import Listeners


def admitted(listeners, place, count, *, is_paired=False):
    return [found for _ in range(count) if (found := listeners.admit(place, is_paired=is_paired))]


def test_one_address_may_take_all_while_nobody_else_wants_to_listen():
    assert len(admitted(Listeners(10), "a", 12)) == 10


def test_whoever_comes_later_gets_an_equal_share_from_the_address_that_has_most():
    listeners = Listeners(10)
    crowd = admitted(listeners, "a", 10)
    assert len(admitted(listeners, "b", 8)) == 5
    assert [listener.is_over for listener in crowd] == [True] * 5 + [False] * 5, "the longest there goes first"
    assert len(admitted(listeners, "c", 8)) == 3
    assert listeners.admit("a", is_paired=False) is None


def test_a_paired_phone_always_finds_a_place_and_never_loses_it():
    listeners = Listeners(4)
    admitted(listeners, "a", 4)
    paired = admitted(listeners, "a", 4, is_paired=True)
    assert len(paired) == 4
    assert listeners.admit("b", is_paired=False) is None
    assert listeners.admit("b", is_paired=True) is None
    assert not any(listener.is_over for listener in paired)


def test_a_place_that_is_given_back_is_free():
    listeners = Listeners(1)
    first = listeners.admit("a", is_paired=False)
    assert listeners.admit("a", is_paired=False) is None
    listeners.leave(first)
    listeners.leave(first)
    assert listeners.admit("a", is_paired=False) is not None
