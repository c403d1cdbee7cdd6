"""An application's API in writing: OpenAPI for each of its doors, from the same types that read what comes in."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from flask import Flask

IN_PATH = re.compile(r"{(\w+)}")
CHOICE = re.compile(r"<any\(([^)]*)\):\w+>")
NUMBERS = frozenset({"number", "row", "hook"})  # which parts of paths are whole numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """What is said of an application: by path what it is for, what is sent to it, and what a query may say.

    `answers` are those of a question, `taken` those of what is sent, by status.
    """

    title: str
    about: str
    summaries: Mapping[str, str]
    bodies: Mapping[str, Any]
    queries: Mapping[str, Mapping[str, Any]]
    answers: Mapping[str, str]
    taken: Mapping[str, str]


def described(app: Flask, doors: Doors) -> dict[str, Any]:
    """Describe every door of an application."""
    kinds = [kind for kind in doors.bodies.values() if kind is not None]
    refs, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    schemas = dict(zip((id(kind) for kind in kinds), refs, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for rule in app.url_map.iter_rules():
        for path in _paths(str(rule)):
            for method in sorted((rule.methods or set()) & {"GET", "POST"}):
                body = schemas.get(id(doors.bodies.get(path))) if method == "POST" else None
                paths.setdefault(path, {})[method.lower()] = _door(doors, path, method, body)
    return {
        "openapi": "3.1.0",
        "info": {"title": doors.title, "version": "1", "description": doors.about},
        "paths": paths,
        "components": {"schemas": components},
    }


def _paths(rule: str) -> list[str]:
    if rule.startswith("/static"):
        return []
    choice = CHOICE.search(rule)
    rules = [rule.replace(choice[0], one.strip()) for one in choice[1].split(",")] if choice else [rule]
    return [re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", one) for one in rules]


def _door(doors: Doors, path: str, method: str, body: Any) -> dict[str, Any]:
    answers = doors.taken if method == "POST" else doors.answers
    door: dict[str, Any] = {
        "summary": doors.summaries[path],
        "operationId": f"{method.lower()}{path}",
        "parameters": [*_in_path(path), *_in_query(doors.queries.get(path, {}) if method == "GET" else {})],
        "responses": {code: {"description": text} for code, text in answers.items()},
    }
    if body is not None:
        door["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return door


def _in_path(path: str) -> list[dict[str, Any]]:
    number, text = {"type": "integer", "minimum": 0}, {"type": "string"}
    return [
        {"name": name, "in": "path", "required": True, "schema": number if name in NUMBERS else text}
        for name in IN_PATH.findall(path)
    ]


def _in_query(query: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"name": name, "in": "query", "schema": schema} for name, schema in query.items()]
