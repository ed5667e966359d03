"""``farm demo``: a complete first run for newcomers."""

from __future__ import annotations

from typing import Any

import typer

from farm._util.plurals import pluralize
from farm.cli.options import DATA, Content, Data
from farm.cli.up import OperatorPort, Port

SUITE = "demo"


def demo(
    port: Port = 8700,
    operator_port: OperatorPort = 8701,
    data: Data = DATA,
    _: Content = None,
) -> None:
    """Start a farm if none runs, score the oracle and an idle agent on the demo suite, and show how to connect.

    Example: farm demo --port 9700
    """
    from pathlib import Path

    from farm.benchmark.agents.factory import make_agent
    from farm.benchmark.runner.farm_address import FarmAddress
    from farm.benchmark.runner.options import Options
    from farm.benchmark.runner.run import run_suite
    from farm.benchmark.tasks import load_suite
    from farm.cli.run import progress
    from farm.cli.run_figures import print_summaries
    from farm.cli.up import print_ready
    from farm.connect.discovery import ensure_running
    from farm.runtime.supervisor.log_file import LOG

    suite = load_suite(SUITE)
    typer.echo("starting the farm …")
    state = ensure_running(data, f"--port={port}", f"--operator-port={operator_port}")
    address = FarmAddress(state.operators_url, Path(state.token_file).read_text("ascii").strip())
    found = []
    for name in ("oracle", "null"):
        typer.echo(f"running the {name} agent over {pluralize(len(suite.tasks), 'task')} …")
        with progress(name, len(suite.tasks)) as on_trial:
            found.append(run_suite(suite, make_agent(name), address, Options(), on_trial=on_trial))
    print_summaries(found, with_categories=False)
    for each in found:
        typer.echo(f"{each['agent']:<8} scores {each['acc']:.2f}")
    typer.echo("")
    log = data / LOG
    print_ready(state, data, log if log.exists() else None)
    typer.echo("\nThe farm stays. What to do with it:")
    typer.echo("  farm connect claude-code   connect a client\n  farm watch                 see what it does")
    typer.echo("  farm down                  end the farm")


COMMANDS: dict[str, Any] = {"demo": demo}
