"""``farm traverse``: records a real MCP server, provokes refusals and compares. Each command has its own module."""

from __future__ import annotations

import typer

from farm.cli.traverse.capture import capture
from farm.cli.traverse.compare import compare
from farm.cli.traverse.perturb import perturb
from farm.cli.traverse.pool import pool
from farm.cli.traverse.proxy import proxy
from farm.cli.traverse.reconstruct import reconstruct
from farm.cli.traverse.report import report
from farm.cli.traverse.seed import seed
from farm.cli.traverse.tree import tree

traverse = typer.Typer(no_args_is_help=True)
traverse.command()(capture)
traverse.command()(proxy)
traverse.command()(seed)
traverse.command()(perturb)
traverse.command()(pool)
traverse.command()(tree)
traverse.command()(reconstruct)
traverse.command()(compare)
traverse.command()(report)

COMMANDS = {"traverse": traverse}
