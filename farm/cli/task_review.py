"""``farm tasks review`` and ``stats``: two reviewers judge drafts; what a suite is made of."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from farm._util.plurals import pluralize
from farm.cli.options import Content, Json, given_path, print_json
from farm.cli.tables import print_table, print_text
from farm.errors import FarmError

SuiteName = Annotated[str, typer.Argument(help="The suite.")]


def review(
    suite: SuiteName,
    reviewer: Annotated[str | None, typer.Option("--as", help="Who reviews: any name.")] = None,
    drafts: Annotated[
        Path | None,
        typer.Option("--drafts", help="The folder of the drafts; default: drafts/SUITE.", parser=given_path),
    ] = None,
    as_json: Json = False,
    _: Content = None,
) -> None:
    """Judge drafts one card at a time: accept, reword or reject, by a written list; without --as, show the agreement.

    Example: farm tasks review mine --as ann
    """
    from farm.benchmark.generate.drafts import read_drafts, write_draft
    from farm.benchmark.generate.review import REASONS, agreement, card, reasons_of, reviewed, verdicts_of

    folder = drafts or Path("drafts") / suite
    found = read_drafts(folder)
    if reviewer is None:
        _print_agreement(agreement(found), dict(reasons_of(found)), as_json=as_json)
        return
    typer.echo("accept | reword REASON | reject REASON | skip | quit")
    for reason, meaning in REASONS.items():
        typer.echo(f"  {reason:<14}{meaning}")
    done = 0
    for draft in found:
        if draft.state in ("rejected", "accepted") or any(each.get("by") == reviewer for each in draft.history):
            continue
        typer.echo("")
        for line in card(draft):
            print_text(line, indent=2)
        said = _said(lambda verdict, reason: reviewed(draft, reviewer, verdict, reason))  # noqa: B023 # called at once
        if said is None:
            break
        if said:
            write_draft(folder, said)
            done += len(verdicts_of(said)) > len(verdicts_of(draft))
    typer.echo(f"{pluralize(done, 'draft')} judged")


def _said(judge: Any) -> Any:
    """Return the draft with the verdict of the next valid line; False to skip, None to stop."""
    try:
        for line in sys.stdin:
            verdict, _, reason = line.strip().partition(" ")
            if verdict in ("", "skip"):
                return False
            if verdict == "quit":
                return None
            try:
                return judge(verdict, reason.strip())
            except FarmError as problem:
                typer.echo(str(problem))
    except OSError as problem:
        raise FarmError(f"no verdicts can be read from the terminal: {problem}") from None
    return None


def _print_agreement(found: list[dict[str, Any]], reasons: dict[str, int], *, as_json: bool) -> None:
    if as_json:
        print_json({"agreement": found, "reasons": reasons})
        return
    if not found:
        typer.echo("no two reviewers have judged the same draft yet; 'farm tasks review SUITE --as NAME' reviews")
        return
    rows = []
    for each in found:
        kappa = "–" if each["kappa"] is None else f"{each['kappa']:.2f}"
        rows.append((" – ".join(each["reviewers"]), str(each["drafts"]), f"{each['agreement']:.1%}", kappa))
    print_table(("reviewers", "drafts", "agreement", "kappa"), rows)
    for reason, number in sorted(reasons.items(), key=lambda each: -each[1]):
        typer.echo(f"  {number:>4}  {reason}")


def stats(suite: SuiteName, as_json: Json = False, _: Content = None) -> None:
    """Show what a suite is made of: checkpoints by kind, gold calls, apps, people, languages, chains alike.

    Example: farm tasks stats demo
    """
    from farm.benchmark.generate.stats import suite_stats
    from farm.benchmark.tasks import load_suite

    found = suite_stats(load_suite(suite))
    if as_json:
        print_json(found)
        return
    rows = [(name, str(each["tasks"]), str(each["checkpoints"])) for name, each in found["by_category"].items()]
    print_table(("category", "tasks", "checkpoints"), rows)
    shown: tuple[str, ...] = (
        "tasks",
        "checkpoints",
        "checkpoints_a_task",
        "by_kind",
        "by_apps",
        "gold_calls",
        "counts_of_five",
    )
    shown += ("worlds", "people", "chinese", "name_every_app", "name_no_app", "with_ids", "with_grader_clauses")
    for name in (*shown, "chains_alike", "tools_used", "tools_most_used"):
        print_text(_flat(found[name]), begin=f"{name.replace('_', ' '):<20}", indent=20)


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_flat(each)}" for name, each in value.items()) or "none"
    if isinstance(value, list):
        return "; ".join(" = ".join(each) if isinstance(each, list) else str(each) for each in value) or "none"
    return str(value)


def register(tasks: typer.Typer) -> None:
    """Add the commands to ``farm tasks``."""
    tasks.command()(review)
    tasks.command()(stats)
