"""``farm traverse``: a real MCP server recorded, provoked and compared with. Each command has a module of its own."""

from __future__ import annotations

import typer

from farm.cli.traverse.capture import capture
from farm.cli.traverse.perturb import perturb
from farm.cli.traverse.reconstruct import reconstruct
from farm.cli.traverse.tree import tree

traverse = typer.Typer(no_args_is_help=True)
traverse.command()(capture)
traverse.command()(perturb)
traverse.command()(tree)
traverse.command()(reconstruct)

COMMANDS = {"traverse": traverse}
