"""Nested no deeper than anything of ours: what people send is refused beyond that, what stands in a row is cut."""

from typing import Any

DEEPEST = 24  # set by hand: the deepest event of any game has 5
CUT = "..."
NESTS = (dict, list)


def is_deep(value: Any, most: int = DEEPEST) -> bool:
    """Tell whether a JSON value is nested deeper than `most` lists and objects."""
    level = [value] if isinstance(value, NESTS) else []
    for _ in range(most):
        inner = (one.values() if isinstance(one, dict) else one for one in level)
        level = [one for values in inner for one in values if isinstance(one, NESTS)]
        if not level:
            return False
    return bool(level)


def shallow(body: dict[str, Any], text: str) -> dict[str, Any]:
    """Cut off what is nested too deep to be shown, in a body that was read from this text."""
    if text.count("[") + text.count("{") <= DEEPEST or not is_deep(body):
        return body
    return {key: _cut(value, DEEPEST - 1) for key, value in body.items()}


def _cut(value: Any, most: int) -> Any:
    if not isinstance(value, dict | list):
        return value
    if most == 0:
        return CUT
    if isinstance(value, dict):
        return {key: _cut(inner, most - 1) for key, inner in value.items()}
    return [_cut(inner, most - 1) for inner in value]
