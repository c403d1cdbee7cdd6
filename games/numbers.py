"""Keeping what came since, in games whose standing is numbers: each moves by as much as one entry moved it."""

from collections.abc import Callable, Mapping

from linesies.rules import Json

Numbers = Mapping[str, Mapping[str, int]]  # player -> name -> number


def kept(numbers: Callable[[Json, Json], Numbers]) -> Callable[[Json, Json, Json], Json | None]:
    """Make the `keep` of a game; `numbers` reads, from a public state and that of now, what of the first counts on."""

    def keep(was: Json, would: Json, now: Json) -> Json | None:
        old, new, current = (numbers(state, now) for state in (was, would, now))
        edits = {}
        for name, standing in current.items():
            before, after = old.get(name, {}), new.get(name, {})
            moved = {key: after[key] - before[key] for key in standing if key in before and key in after}
            edit = {key: standing[key] + by for key, by in moved.items() if by}
            if edit:
                edits[name] = edit
        return {"event": "correct", "players": edits} if edits else None

    return keep
