"""`linesies rules`: what players can agree on before a game."""

import json
from typing import Any

import click

from linesies import rules
from linesies.device.commands.naming import unknown
from linesies.device.errors import BadInput
from linesies.device.outside import let_games_in


@click.command()
@click.argument("game", required=False)
@click.option("--preset", metavar="NAME", help="Print this preset's options alone, as JSON for a start event.")
def command(game: str | None, preset: str | None) -> None:
    """Show the options of GAME, what they mean, their defaults, and its named presets; without GAME, list the games."""
    if game is None:
        if preset is not None:
            raise BadInput("--preset needs a game, such as: linesies rules skully --preset street")
        click.echo("\n".join(f"{name}: {known.words.title}" for name, known in rules.GAMES.items()))
        for aside in let_games_in():
            click.echo(f"{aside}", err=True)
        return
    name = rules.game_named(game)
    if name is None:
        raise BadInput(unknown(game, "game", rules.GAMES))
    known = rules.GAMES[name]
    click.echo(described(known) if preset is None else json.dumps(options_of(known, preset)))


def options_of(game: rules.GameRules[Any], preset: str) -> dict[str, object]:
    """Look up a preset's options; raises BadInput naming those that there are."""
    found = next((known for known in game.presets if known.name == preset), None)
    if found is None:
        there = ", ".join(known.name for known in game.presets) or "none"
        raise BadInput(f'{game.name} has no preset "{preset}"; there are: {there}')
    return dict(found.options)


def described(game: rules.GameRules[Any]) -> str:
    """Describe a game's options and presets in words for people."""
    lines = [game.words.title, "", "Options:"]
    for option in game.options:
        lines += [
            f"  {option.name}: {option.values}{unsaid(option)}",
            *(f"      {line}" for line in game.words.options[option.name].splitlines()),
        ]
    if game.presets:
        lines += ["", "Presets:"]
    for preset in game.presets:
        lines += [f"  {preset.name}: {game.words.presets[preset.name]}", f"      {json.dumps(dict(preset.options))}"]
    return "\n".join(lines)


def unsaid(option: rules.Option) -> str:
    """Write the default; where that is no value one could name, the option's own words tell what happens."""
    return f"; if not said: {json.dumps(option.default)}" if option.is_allowed(option.default) else ""
