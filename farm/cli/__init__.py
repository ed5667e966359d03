"""The ``farm`` command. Each command's module is imported when it is called, so that the others start at once."""

from __future__ import annotations

import copy
import errno
import importlib
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

import typer

from farm import __version__
from farm.errors import FarmError
from farm.interrupts import EXIT_INTERRUPTED, EndedAtOnce, require_no_interrupt

# The disk is full, or what of it is ours.
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})

# Command → its module, whose COMMANDS holds the function or typer app, and its line in the list of commands.
COMMANDS = {
    "up": ("farm.cli.up", "Start a farm: one process per app, and the gateway."),
    "down": ("farm.cli.up", "End the farm."),
    "status": ("farm.cli.up", "Show what runs and where."),
    "serve": ("farm.cli.up", "Serve one app in the foreground, without a gateway."),
    "doctor": ("farm.cli.upkeep", "Say what is wrong in the data folder, and put it right."),
    "gc": ("farm.cli.upkeep", "Remove what is over from the data folder."),
    "compose": ("farm.cli.containers", "Write docker-compose.yml, or what Kubernetes wants."),
    "gateway": ("farm.cli.containers", "Serve the gateway of apps in containers."),
    "front": ("farm.cli.containers", "Run the front of a farm in containers."),
    "connect": ("farm.cli.connect", "Print or write the configuration of a desktop client."),
    "bridge": ("farm.cli.bridge", "Connect a client that knows only stdio."),
    "watch": ("farm.cli.watch", "Show each call and what it changed, live."),
    "episode": ("farm.cli.episode", "Create, reset, snapshot, fork and compare episodes."),
    "apps": ("farm.cli.apps", "List the apps."),
    "tools": ("farm.cli.apps", "List an app's tools."),
    "tables": ("farm.cli.apps", "List an app's tables and columns."),
    "worlds": ("farm.cli.apps", "List the worlds."),
    "people": ("farm.cli.apps", "List a world's people."),
    "call": ("farm.cli.apps", "Call one tool."),
    "tasks": ("farm.cli.tasks", "List, show and validate tasks."),
    "audit": ("farm.cli.tasks", "Prove that a suite's tasks can be done, and only by doing them."),
    "run": ("farm.cli.run", "Run an agent over a suite and score it."),
    "report": ("farm.cli.run", "Summarise finished runs."),
    "rescore": ("farm.cli.run", "Score finished runs again."),
    "demo": ("farm.cli.demo", "Start a farm, run the oracle and the null agent, say how to connect."),
    "model": ("farm.cli.model", "Serve a model that says what a script says, for tests of agents."),
    "fidelity": ("farm.cli.fidelity", "Replay recorded calls of a real server and compare."),
    "traverse": ("farm.cli.traverse", "Record a real MCP server, and compare an app with it."),
    "bench": ("farm.cli.bench", "Measure every performance figure beside its floor and baseline."),
    "world": ("farm.cli.world", "Generate and check worlds."),
    "new": ("farm.cli.new", "Make the folders of a new app."),
}


EXIT_MISTAKE = 1
EXIT_USAGE = 2

# Of one word that somebody gave; where a line repeats it, its beginning tells which it was.
_WORD_SHOWN_MAX = 200
_LONG_WORD = re.compile(rf"(\S{{{_WORD_SHOWN_MAX}}})\S+")


def _stub() -> None:
    """Stands for a command that is listed but not the one called."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mcp-farm {__version__}")
        raise typer.Exit


def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Simulated MCP servers with private, resettable state. Begin with: farm up."""


def build(arguments: Sequence[str]) -> typer.Typer:
    """Return the command line with the called command imported, and the others where a list of them may be shown."""
    wanted = next((argument for argument in arguments if not argument.startswith("-")), None)
    # Making the parsers of all commands takes longer than many a command.
    is_alone = wanted in COMMANDS and wanted == arguments[0]
    app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
    app.callback()(_root)
    for name, (module, line) in COMMANDS.items():
        if name == wanted:
            command = importlib.import_module(module).COMMANDS[name]
            if isinstance(command, typer.Typer):
                app.add_typer(_only(arguments[1:2], command) if is_alone else command, name=name, help=line)
            else:
                app.command(name)(command)
        elif not is_alone:
            app.command(name, help=line)(_stub)
    return app


def _only(named: Sequence[str], group: typer.Typer) -> typer.Typer:
    """Return a group with the one command that is named, or as it is when none is."""
    found = [
        each
        for each in group.registered_commands
        if each.callback is not None and [each.name or typer.main.get_command_name(each.callback.__name__)] == named
    ]
    if not found:
        return group
    alone = copy.copy(group)
    alone.registered_commands = found
    return alone


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; a mistake of the user's is one line on stderr and status 1, or 2 for one in its words."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        _require_text(given)
        with EndedAtOnce():
            command = build(given)
        sys.exit(_run(command, given))
    except typer.TyperException as problem:
        _say_misused(problem)
        sys.exit(problem.exit_code)
    except FarmError as problem:
        _say(str(problem))
        sys.exit(EXIT_MISTAKE)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except SystemExit as end:
        # Typer makes a failure of it that the reader of our output left, as `head` does.
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as problem:
        if problem.errno in _NO_ROOM:  # the system does not say of which file
            _say(f"what was to be written could not be ({problem.strerror})")
            sys.exit(EXIT_MISTAKE)
        if problem.filename is None:
            raise
        _say(f"{problem.filename}: {problem.strerror}")
        sys.exit(EXIT_MISTAKE)


def _run(command: typer.Typer, given: list[str]) -> Any:
    try:
        return command(args=given, prog_name="farm", standalone_mode=False) or 0
    except Exception as problem:
        # A command imports more as it runs.
        require_no_interrupt(problem)
        raise


def _say(problem: str) -> None:
    typer.echo("farm: " + _LONG_WORD.sub(r"\1…", problem), err=True)


def _say_misused(problem: typer.TyperException) -> None:
    # A command that was given nothing has printed its help, and has nothing to add.
    if said := " ".join(problem.format_message().split()).rstrip("."):
        context = getattr(problem, "ctx", None)
        where = "farm" if context is None else context.command_path
        _say(f"{said}; see '{where} --help'")


def _require_text(arguments: Sequence[str]) -> None:
    """Check that what was given can be printed, stored and sent: a file's name may have bytes that are no text."""
    told = [("argument", each) for each in arguments]
    told += [(name, value) for name, value in os.environ.items() if name.startswith("FARM_")]
    for what, value in told:
        try:
            value.encode()
        except UnicodeEncodeError:
            _say(f"{what} {value!a} is not UTF-8; give it in UTF-8, or name the file otherwise")
            sys.exit(EXIT_USAGE)
