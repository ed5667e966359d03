"""The ``farm`` command. A command's module is imported only when that command is called, so that each starts fast."""

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
from farm._util.sigint import EXIT_INTERRUPTED, ExitOnSigint, require_no_interrupt
from farm.errors import FarmError

# The disk is full, or our quota on it.
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})

# Command → its module, whose COMMANDS holds the function or typer app, and its line in the list of commands.
COMMANDS = {
    "up": ("farm.cli.up", "Start a farm: one process per app, and the gateway."),
    "down": ("farm.cli.up", "End the farm."),
    "status": ("farm.cli.up", "Show the running farm: URLs and apps."),
    "connect": ("farm.cli.connect", "Print or write the configuration of a desktop client."),
    "bridge": ("farm.cli.bridge", "Connect a client that supports only stdio."),
    "open": ("farm.cli.open", "Open the page: the apps as people know them, live."),
    "watch": ("farm.cli.watch", "Show each call and what it changed, live."),
    "episode": ("farm.cli.episode", "Create, reset, snapshot, fork and compare episodes."),
    "demo": ("farm.cli.demo", "Start a farm, run the oracle and the null agent, and show how to connect."),
    "call": ("farm.cli.inspect", "Call one tool."),
    "apps": ("farm.cli.inspect", "List the apps."),
    "tools": ("farm.cli.inspect", "List an app's tools."),
    "tables": ("farm.cli.inspect", "List an app's tables and columns."),
    "worlds": ("farm.cli.inspect", "List the worlds."),
    "people": ("farm.cli.inspect", "List a world's people."),
    "model": ("farm.cli.model", "Serve a model that answers from a script, for tests of agents."),
    "cassette": ("farm.cli.cassette", "Record an MCP server or a model, and replay it in tests."),
    "tasks": ("farm.cli.tasks", "List, show, validate, generate and export tasks."),
    "audit": ("farm.cli.tasks", "Prove that a suite's tasks can be done, and only by doing them."),
    "sit": ("farm.cli.sit", "Play the agent yourself: instruction and tools, nothing else."),
    "run": ("farm.cli.run", "Run an agent over a suite and score it."),
    "report": ("farm.cli.report", "Summarise finished runs."),
    "rescore": ("farm.cli.report", "Score finished runs again."),
    "compare": ("farm.cli.compare", "Compare two runs over the trials that both held."),
    "paper": ("farm.cli.paper", "Lay out finished runs as a paper's table or figure."),
    "merge": ("farm.cli.report", "Merge runs that were held in parts."),
    "judge-agreement": ("farm.cli.report", "Compare the verdicts of code, judge and people on texts."),
    "new": ("farm.cli.new", "Make the folders of a new app."),
    "world": ("farm.cli.world", "Generate and check worlds."),
    "traverse": ("farm.cli.traverse", "Record a real MCP server, and compare an app with it."),
    "synth": ("farm.cli.synth", "Write an app from a real server's recorded calls."),
    "fidelity": ("farm.cli.fidelity", "Replay recorded calls of a real server and compare."),
    "serve": ("farm.cli.up", "Serve one app in the foreground, without a gateway."),
    "doctor": ("farm.cli.maintenance", "Find and repair problems in the data folder."),
    "gc": ("farm.cli.maintenance", "Remove expired episodes and leftovers from the data folder."),
    "compose": ("farm.cli.containers", "Write docker-compose.yml, or files for Kubernetes."),
    "gateway": ("farm.cli.containers", "Serve the gateway of apps in containers."),
    "front": ("farm.cli.containers", "Run the front of a farm in containers."),
}
# The headings of the list of commands → the commands below each, in the same order.
GROUPS = {
    "Live with it": ("up", "down", "status", "connect", "bridge", "open", "watch", "episode", "demo"),
    "Test": ("call", "apps", "tools", "tables", "worlds", "people", "model", "cassette"),
    "Benchmark": ("tasks", "audit", "sit", "run", "report", "compare", "paper", "rescore", "merge", "judge-agreement"),
    "Make": ("new", "world", "traverse", "synth", "fidelity"),
    "Operate": ("serve", "doctor", "gc", "compose", "gateway", "front"),
}
_GROUP_OF = {command: group for group, commands in GROUPS.items() for command in commands}


EXIT_MISTAKE = 1
EXIT_USAGE = 2

# Maximum length of a user's word in an error line; its beginning identifies it.
_WORD_SHOWN_MAX = 200
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_LONG_WORD = re.compile(rf"(\S{{{_WORD_SHOWN_MAX}}})\S+")


def _stub() -> None:
    """Placeholder for a listed command that is not called."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"mcp-farm {__version__}")
        raise typer.Exit


def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Run simulated MCP servers with private, resettable state. Begin with: farm up."""


def build(arguments: Sequence[str]) -> typer.Typer:
    """Return the command line with the called command imported, and the others as placeholders if needed."""
    wanted = next((argument for argument in arguments if not argument.startswith("-")), None)
    # Building all commands' parsers takes longer than many a command.
    is_alone = wanted in COMMANDS and wanted == arguments[0]
    app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
    app.callback()(_root)
    for name, (module, line) in COMMANDS.items():
        if name == wanted:
            command = importlib.import_module(module).COMMANDS[name]
            if isinstance(command, typer.Typer):
                app.add_typer(
                    _only(arguments[1:2], command) if is_alone else command,
                    name=name,
                    help=line,
                    rich_help_panel=_GROUP_OF[name],
                )
            else:
                app.command(name, rich_help_panel=_GROUP_OF[name])(command)
        elif not is_alone:
            app.command(name, help=line, rich_help_panel=_GROUP_OF[name])(_stub)
    return app


def _only(named: Sequence[str], group: typer.Typer) -> typer.Typer:
    """Return a group with only the named command, or the unchanged group if none is named."""
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
    """Run the command line; a user's error is one line on stderr and status 1, or 2 for an invalid command line."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        _require_text(given)
        with ExitOnSigint():
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
        # Typer turns it into a failure when the reader of our output, such as `head`, has closed the pipe.
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as problem:
        if problem.errno in _NO_ROOM:  # the system does not name the file
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
        # A command imports more modules while it runs.
        require_no_interrupt(problem)
        raise


def _say(problem: str) -> None:
    # A message may quote a server's or a file's text, which must not move the cursor or name the window.
    printable = _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", problem)
    typer.echo("farm: " + _LONG_WORD.sub(r"\1…", printable), err=True)


def _say_misused(problem: typer.TyperException) -> None:
    # A command without arguments has printed its help.
    if said := " ".join(problem.format_message().split()).rstrip("."):
        context = getattr(problem, "ctx", None)
        where = "farm" if context is None else context.command_path
        _say(f"{said}; see '{where} --help'")


def _require_text(arguments: Sequence[str]) -> None:
    """Check that all arguments can be printed, stored and sent: a file's name may have bytes that are not text."""
    told = [("argument", each) for each in arguments]
    told += [(name, value) for name, value in os.environ.items() if name.startswith("FARM_")]
    for what, value in told:
        try:
            value.encode()
        except UnicodeEncodeError:
            _say(f"{what} {value!a} is not UTF-8; give it in UTF-8, or name the file otherwise")
            sys.exit(EXIT_USAGE)
