"""People's names, each under a key of its own: in the hub's database there is no name that can be read.

Wherever rows, deeds and calls hold a name, the database holds the number of its spelling between two control
characters, which no JSON contains; so a text is exactly what it was as soon as it is shown again. A spelling is a row
of its own, sealed with its person's key (XSalsa20 and Poly1305, by PyNaCl). The keys lie in a folder beside the
database, never in it: whoever is forgotten loses that key, and is *Someone 17* from then on, in all that is held and
in every backup of the database.
"""

import contextlib
import json
import os
import re
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from nacl.secret import SecretBox
from sqlalchemy import Engine, func, insert, select, update

from linesies.league.errors import BadInput
from linesies.league.our_words import our_words
from linesies.league.tables import names
from linesies.rules import written

NAMING = frozenset({"player", "players", "entrants", "ranking", "joined", "winner", "winners"})  # keys that hold names
HIDDEN = re.compile("\x02(\\d+)\x03")
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"(?:(\s*:\s*)"((?:[^"\\]|\\.)*)")?')  # and, of a key, the text that it has
# keys of places, as players' names are
PLACING = frozenset({"at", "back", "box", "going_for", "home", "location", "place", "zone"})
PLACE = re.compile(r"\d+[a-z]?")  # as a player may be called, too
JSON_BEGINS = ("{", "[")
LONGEST = 60  # of what is taken for a name


def keys_folder(folder: Path) -> Path:
    """Name the folder of the keys of a hub that keeps all in one folder."""
    return folder / "league-keys"


class Names:
    """Hides and shows names; remembers each spelling that it has shown, and counts how many people were forgotten."""

    def __init__(self, engine: Engine, keys: Path) -> None:
        self._engine = engine
        self.folder = keys
        self._lock = threading.Lock()
        self._shown: dict[int, str] = {}  # by the spelling's number
        self._numbers: dict[str, int] = {}
        self._people: dict[str, int] = {}  # whose keys are there, by their names as they are compared
        self.forgotten = 0
        try:
            keys.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as fault:
            raise BadInput(f"--keys: {keys} cannot be written ({fault.strerror}); choose another folder") from None

    def hide(self, text: str, people: Iterable[str]) -> str:
        """Put numbers for these people's names where they stand as whole words, escaped as JSON or not.

        In JSON only between quotes: whoever is called *7* is no number, and whoever is called *t* no tabulator. Where a
        cap lies is no name either, though somebody is called so.
        """
        typed = [name for name in people if name not in our_words()]
        told = {form for name in typed for form in (name, written(name))} - our_words()  # sentences write it so
        spelled = {form for name in told for form in (name, json.dumps(name)[1:-1])}
        if not spelled:
            return text
        longest_first = sorted(spelled, key=len, reverse=True)
        pattern = re.compile(rf"(?<![\w\\])(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")

        def hidden(told: str) -> str:
            return pattern.sub(lambda found: f"\x02{self._number(found.group())}\x03", told)

        def hidden_quoted(found: re.Match[str]) -> str:
            key, colon, value = found.groups()
            if value is None:
                return f'"{hidden(key)}"'
            is_place = PLACE.fullmatch(value) and (key in PLACING or key in spelled)
            return f'"{hidden(key)}"{colon}"{value if is_place else hidden(value)}"'

        return QUOTED.sub(hidden_quoted, text) if text.startswith(JSON_BEGINS) else hidden(text)

    def hide_json(self, text: str) -> str:
        """Put numbers for all names that a JSON text says are names; for those of a list, all in it."""
        told = json.loads(text)
        return self.hide(text, names_in({"players": told} if isinstance(told, list) else told))

    def show(self, text: str) -> str:
        """Put the names back; for who was forgotten a number that says nothing."""
        return HIDDEN.sub(lambda found: self._spelling(int(found.group(1))), text)

    def forget(self, name: str) -> bool:
        """Shred the key of whoever is called so; tells whether there was anybody."""
        with self._lock:
            self._read()
            person = self._people.get(_compared(name))
            if person is None:
                return False
            try:
                with self._engine.begin() as connection:  # empty, it is not missed once nothing can open it any more
                    connection.execute(update(names).where(names.c.person == person).values(sealed=b""))
                    _shred(self._key_file(person))
            finally:  # also where the database went away in the middle: what the disk holds is what is so
                for known in (self._shown, self._numbers, self._people):
                    known.clear()
                self.forgotten += 1
        return True

    def numbers_of(self, name: str) -> frozenset[int]:
        """Give the numbers of all spellings of whoever is called so; none where nobody is."""
        with self._lock:
            self._read()
            person = self._people.get(_compared(name))
            known = self._numbers.items()
            return frozenset(number for spelling, number in known if self._people[_compared(spelling)] == person)

    def without_keys(self) -> int:
        """Count the people whose keys are not where they should be, and who were not forgotten."""
        with self._engine.connect() as connection:
            people = connection.execute(select(names.c.person).where(names.c.sealed != b"").distinct()).scalars().all()
        return sum(not self._key_file(person).exists() for person in people)

    def _spelling(self, number: int) -> str:
        with self._lock:
            if number not in self._shown:
                self._read()
            return self._shown.get(number, "?")

    def _number(self, spelling: str) -> int:
        with self._lock:
            if spelling not in self._numbers:
                self._read()
            return self._numbers[spelling] if spelling in self._numbers else self._add(spelling)

    def _add(self, spelling: str) -> int:
        """Keep a spelling that is new: of somebody known, under his key, else under a fresh one."""
        person = self._people.get(_compared(spelling)) or self._new_person()
        sealed = bytes(SecretBox(self._key_file(person).read_bytes()).encrypt(spelling.encode()))
        with self._engine.begin() as connection:
            made = insert(names).values(person=person, sealed=sealed).returning(names.c.number)
            number = int(connection.execute(made).scalar_one())
        self._know(number, person, spelling)
        return number

    def _new_person(self) -> int:
        """Make a key for somebody new, durably before anything is sealed with it; no number is given twice."""
        with self._engine.connect() as connection:
            person = int(connection.execute(select(func.coalesce(func.max(names.c.person), 0))).scalar_one()) + 1
        while True:
            try:
                file = os.open(self._key_file(person), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            except FileExistsError:
                person += 1
                continue
            with os.fdopen(file, "wb") as kept:
                kept.write(os.urandom(SecretBox.KEY_SIZE))
                kept.flush()
                os.fsync(kept.fileno())
            return person

    def _read(self) -> None:
        """Read the spellings that are not known yet."""
        with self._engine.connect() as connection:
            found = connection.execute(select(names).order_by(names.c.number)).all()
        for one in (one for one in found if one.number not in self._shown):
            try:
                key = self._key_file(one.person).read_bytes()
            except FileNotFoundError:
                self._shown[one.number] = f"Someone {one.person}"
            else:
                self._know(one.number, one.person, SecretBox(key).decrypt(one.sealed).decode())

    def _know(self, number: int, person: int, spelling: str) -> None:
        self._shown[number] = spelling
        self._numbers[spelling] = number
        self._people[_compared(spelling)] = person

    def _key_file(self, person: int) -> Path:
        return self.folder / str(person)


def names_in(told: Any) -> Iterator[str]:
    """Find the names of people in a row's body, a state, or a deed."""
    if isinstance(told, dict):
        for key, inner in told.items():
            if key in NAMING:
                yield from _people_of(inner)
            yield from names_in(inner)
    elif isinstance(told, list):
        for inner in told:
            yield from names_in(inner)


def _people_of(named: Any) -> Iterator[str]:
    for one in named if isinstance(named, list) else [named]:
        name = one.get("name") if isinstance(one, dict) else one
        if isinstance(name, str) and 0 < len(name) <= LONGEST and not HIDDEN.search(name):
            yield name


def _compared(spelling: str) -> str:
    """Write a name as it is compared: whether it was escaped, and its case, make no other person."""
    try:
        return str(json.loads(f'"{spelling}"')).casefold()
    except ValueError:
        return spelling.casefold()


def _shred(file: Path) -> None:
    """Overwrite a key before it is removed; one that is gone is shredded."""
    with contextlib.suppress(FileNotFoundError), file.open("r+b") as kept:
        kept.write(bytes(SecretBox.KEY_SIZE))
        kept.flush()
        os.fsync(kept.fileno())
    file.unlink(missing_ok=True)
