"""The command line: finds the command's file, runs it, and turns faults into one line and an exit status.

Commands are imported only when called, so that `linesies rule` and `--help` answer at once.
"""

import importlib
import importlib.util
import os
import sys

import click

from linesies.device.commands.naming import unknown

# our matrices are small: a second thread of the linear algebra only spins, and on a Pi it takes the camera's core
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# what OpenCV cannot read or open, we say ourselves, in one line
os.environ.setdefault("OPENCV_LOG_LEVEL", "FATAL")

# name -> one line of help, in the order in which a newcomer meets them
COMMANDS = {
    "demo": "Play a simulated street game, refereed live on a page in your browser.",
    "referee": "Referee a real game: camera to rulings, lamps, buzzer and phones.",
    "aid": "Say on the page why the referee cannot start, and offer the mend.",
    "web": "Serve the page alone, for a referee that runs beside it.",
    "init": "Write a commented settings file to start from.",
    "lens": "Learn a camera's lens from pictures of a printed sheet.",
    "print": "Print markers, the lens sheet, a board's plan, stencils, or a card mat.",
    "doctor": "Tell how exact calls will be in this set-up, and what to change.",
    "calibrate": "Learn where the camera stands and how the board is really painted.",
    "judge": "Say where each cap lies in a picture, with its gap to the paint.",
    "proof": "Measure a printed gauge on the board, and say how exact calls truly are there.",
    "learn": "Learn a deck of cards from a photograph or two of each.",
    "cards": "Say which cards lie where in a picture, and what they show.",
    "watch": "Follow a film or camera and tell each shot, as it is known.",
    "rule": "Rule on a game from its events, line by line.",
    "rules": "Show a game's options, what they mean, and named presets.",
    "phones": "Show who has paired and the codes for the next phones; send one away.",
    "journal": "Show or export what was seen, ordered and ruled.",
    "case": "Show or send what a call was measured from.",
    "rejudge": "Measure kept cases by today's program, and say which calls it would change.",
    "status": "Tell how referee, camera, game, disk and power do.",
    "backup": "Put the games into one file.",
    "restore": "Bring back the games of a backup.",
    "join": "Join a league: what is played here is shown at its hub too.",
    "leave": "Leave the league.",
    "league": "Gather what many boards announce, and show it: the hub.",
    "evening": "Show a league's evening: a hub, simulated boards, and a tournament under way.",
    "hotspot": "Open or close a Wi-Fi network of the box's own.",
    "simulate": "Make a film of a simulated game together with its truth.",
    "games": "Referee whole simulated games and compare the rulings with the truth.",
    "bench": "Measure how fast this machine is at each stage.",
}
HOMES = {  # where a command's file lies that is not in `device/commands`; not all of these are installed on a Pi
    "league": "linesies.league.commands",
    "demo": "linesies.simulator.commands",
    "evening": "linesies.simulator.commands",
    "simulate": "linesies.simulator.commands",
    "games": "linesies.simulator.commands",
    "bench": "linesies.benchmarks.commands",
}
INPUT_FAULTS = {"BadInput", "BadStart", "BadAddress"}  # the types that blame the input, in whichever folder
NO_COMMAND = getattr(click.exceptions, "NoArgsIsHelpError", ())  # click before 8.2 prints the help by itself
OUR_FAULTS = {"DeviceError", "CalibrationError", "VisionError", "RulesError", "LeagueError"}


def home_of(command: str) -> str:
    """Name the package that holds a command's file."""
    return HOMES.get(command, "linesies.device.commands")


def is_installed(command: str) -> bool:
    """Tell whether the package with a command's file is there."""
    folder = home_of(command).split(".")[1]
    return importlib.util.find_spec(f"linesies.{folder}") is not None


class _Commands(click.Group):
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self.list_commands(ctx):
            ctx.fail(unknown(args[0], "command", self.list_commands(ctx)))
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return [name for name in COMMANDS if is_installed(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in COMMANDS or not is_installed(cmd_name):
            return None
        command: click.Command = importlib.import_module(f"{home_of(cmd_name)}.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, told) for name, told in COMMANDS.items() if is_installed(name)])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="linesies")
def linesies() -> None:
    """Linesies referees Skully on the street and card games on the table, from a camera.

    Try `linesies demo` first: it needs no camera. Every command explains itself with --help.

    The Tab key completes commands once your shell knows them; for bash, write into ~/.bashrc (zsh and fish likewise):

        eval "$(_LINESIES_COMPLETE=bash_source linesies)"
    """
    from linesies.device.outside import let_games_in  # noqa: PLC0415 - `--help` needs none

    let_games_in()


def main() -> None:
    """Run the command line; exit status 0 done, 2 for wrong input (one line on stderr), 1 for anything else."""
    try:
        status = linesies.main(standalone_mode=False)
    except click.Abort:
        status = 130
    except NO_COMMAND as fault:
        click.echo(fault.ctx.get_help())
        status = 0
    except click.ClickException as fault:
        click.echo(f"linesies: {' '.join(fault.format_message().split())}", err=True)
        status = 2
    except BrokenPipeError:
        sys.stderr.close()  # whoever read us has gone; there is nobody to tell
        status = 1
    except Exception as fault:
        kinds = {kind.__name__ for kind in type(fault).__mro__}
        if not kinds & (INPUT_FAULTS | OUR_FAULTS):
            raise
        from linesies.device.hushing import hushed  # noqa: PLC0415 - `--help` needs none

        click.echo(f"linesies: {hushed(' '.join(str(fault).split()))}", err=True)  # it may name a camera
        status = 2 if kinds & INPUT_FAULTS else 1
    sys.exit(status)
