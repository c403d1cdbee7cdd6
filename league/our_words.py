"""The words that rows and deeds themselves are made of: as a nickname such a word tells nobody, and it stays.

They are read off what rows, orders, deeds and states are written by, and off how each game calls what it asks and says;
never off the values that a game knows, of which some are people's names. What eyes tell, and the like, stands here.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from msgspec import inspect

from linesies import rules
from linesies.league.tournament.deeds import Deed
from linesies.referee.orders import AnyOrder
from linesies.referee.rows import BODIES, Row
from linesies.rules import Field

WORD = re.compile(r"\w+")
FILLED = re.compile(r"\{(\w+)")  # what a sentence names of a ruling
TOLD_BESIDE = """
base total how null true false event player players options rulings code rule text details number title tournament
box skip home playing open opened certain blind calls caps unknown x y diameter location gap sigma rest ways t_start
t_end zone said pictures small cases clip start_s contacts_s view board lines regions size package name names by
deed killer shots team round_robin swiss groups group single double shot placed line killer made label outcome
is_lost costs_turn events games call rows joined ranking winner winners as bids boxes scores value count
"""


@cache
def our_words() -> frozenset[str]:
    """List them, for the games that are known here."""
    kept = [Row, AnyOrder, Deed, *BODIES.values(), *(game.state_type for game in rules.GAMES.values())]
    told = [TOLD_BESIDE, *(text for game in rules.GAMES.values() for text in _texts_of(game))]
    written = {word for one in kept if one is not None for word in _words_in(inspect.type_info(one), set())}
    return frozenset(written | {word for text in told for word in WORD.findall(text)})


def _texts_of(game: rules.GameRules[Any]) -> Iterator[str]:
    """Give what a game calls its events with their fields, rulings, refusals and options."""
    yield game.name
    for form in game.forms:
        yield form.event
        yield from _names_of(form.fields)
    for catalogue in (game.words.sentences, game.words.refusals, game.words.options):
        for name, template in catalogue.items():
            yield name.partition(" ")[0]
            yield from FILLED.findall(template)


def _names_of(fields: Iterable[Field]) -> Iterator[str]:
    for one in fields:
        yield one.name
        yield from _names_of(one.of)


def _words_in(kind: inspect.Type, done: set[type]) -> Iterator[str]:
    """Give the keys by which a type is written, and those of what it is made of."""
    if isinstance(kind, inspect.StructType | inspect.DataclassType):
        if kind.cls in done:
            return
        done.add(kind.cls)
        yield from (one.encode_name for one in kind.fields)
    if isinstance(kind, inspect.StructType) and kind.tag is not None:
        yield from (str(kind.tag), str(kind.tag_field))
    for part in _parts_of(kind):
        yield from _words_in(part, done)


def _parts_of(kind: inspect.Type) -> Iterable[inspect.Type]:
    match kind:
        case inspect.StructType() | inspect.DataclassType():
            return [one.type for one in kind.fields]
        case inspect.UnionType():
            return kind.types
        case inspect.TupleType():
            return kind.item_types
        case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
            return (kind.item_type,)
        case inspect.DictType():
            return (kind.key_type, kind.value_type)
        case _:
            return ()
