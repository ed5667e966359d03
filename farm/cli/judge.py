"""The model that decides texts in doubt: its options, and the figures by its verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm.benchmark.tasks import load_suite
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.benchmark.runner.log import RunLog

JudgeModel = Annotated[
    str | None,
    typer.Option("--judge", metavar="MODEL", help="Let a model decide the texts in doubt; printed beside the score."),
]
JudgeAll = Annotated[
    bool,
    typer.Option("--judge-all", help="Let the model of --judge judge every text, too, and print acc by its verdicts."),
]
BaseUrl = Annotated[str | None, typer.Option(envvar="OPENAI_BASE_URL", help="API of an llm: agent, and of the judge.")]


def require_judge(model: str | None, every: bool) -> None:
    if every and model is None:
        raise FarmError("--judge-all needs --judge MODEL: the model that judges every text")


def judged_figures(log: RunLog, model: str | None, base_url: str | None, *, every: bool = False) -> dict[str, Any]:
    """Return the figures with a model's decisions on the texts in doubt; empty if no model is named."""
    if model is None:
        return {}
    from farm.benchmark.runner.judge import JudgeModel, judged
    from farm.benchmark.runner.prompts import instruction

    said = {task.id: instruction(task) for task in load_suite(log.manifest["suite"]).tasks}
    try:
        return {"judged": judged(log.trials(), JudgeModel(model, log.folder, base_url=base_url), said, every=every)}
    except FarmError as problem:
        # The figures by code do not depend on it.
        typer.echo(f"farm: {problem}; its figures are left out", err=True)
        return {}
