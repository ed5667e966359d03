"""The tables that ``farm run`` and ``farm report`` print."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from farm._util.plurals import pluralize
from farm.appkit.app import LATEST
from farm.cli.tables import print_table, print_text

_FIGURES = ("acc", "sr_08", "exec_acc", "safe_sr", "damage_rate", "tfs", "tefs")
_CATEGORY_FIGURES = ("acc", "safe_sr")
_TOOLS_SHOWN = 6


def print_tokens(found: dict[str, Any]) -> None:
    """Print what fills an agent's context: the menu in every request, and the tools with the longest answers."""
    if found["menu_tokens"] is None:
        return
    dear = sorted(found["answer_tokens"].items(), key=lambda each: -each[1]["largest"])[:_TOOLS_SHOWN]
    menu = f"about {found['menu_tokens']:,} tokens of tools in each request"
    if not dear:
        typer.echo(f"\n{found['agent']}: {menu}, and no call")
        return
    typer.echo(f"\n{found['agent']}: {menu}, longest answers:")
    print_table(
        ("tool", "calls", "tokens each", "largest"),
        [(tool, str(each["calls"]), f"{each['mean']:,}", f"{each['largest']:,}") for tool, each in dear],
    )


def print_summaries(found: list[dict[str, Any]], *, with_categories: bool = True) -> None:
    """Print a table with one line a run, and one for each run's categories: the main figures; JSON has all."""
    rows: list[tuple[str, ...]] = []
    names = run_names(found)
    for name, each in zip(names, found, strict=True):
        outcomes = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in each["outcomes"].items() if count)
        sealed = "" if each.get("sealed", True) else " (unsealed)"
        profile = "" if each["profile"] == LATEST else f" ({each['profile']})"
        figures = (_cell(each, figure) for figure in _FIGURES)
        rows.append((name + sealed + profile, _trials(each), *figures, outcomes))
        if graded := each.get("graded_only"):
            cells = (_cell(graded, figure) for figure in _FIGURES)
            rows.append(("  without failures of its endpoint", str(each["graded"]), *cells, ""))
        if judged := each.get("judged"):
            made = f"{judged['decided']} of {judged['contested']} in doubt, agrees in {judged['agrees']}"
            if judged.get("close"):
                made += f"; refuses {judged['close_refused']} of {judged['close']} that code is just sure of"
            what = f"  {judged['model']} decides {made}"
            rows.append((what, "", *(_cell(judged, figure) for figure in _FIGURES), ""))
            if every := judged.get("every_text"):
                made = f"{every['decided']} of {pluralize(every['texts'], 'text')}"
                rows.append((f"  {judged['model']} judges {made}", "", *(_cell(every, f) for f in _FIGURES), ""))
    print_table(("agent", "trials", *_FIGURES, "outcomes"), rows)
    _print_repeated(names, found)
    for name, each in zip(names, found, strict=True):
        for line in _verdict_lines(each):
            print_text(f"{name}: {line}", indent=2)
    for name, each in zip(names, found, strict=True):
        if with_categories and len(each["by_category"]) > 1:
            parts = [
                (category, _trials(of), *(_cell(of, figure) for figure in _CATEGORY_FIGURES))
                for category, of in each["by_category"].items()
            ]
            print_table((name, "trials", *_CATEGORY_FIGURES), parts)


def _print_repeated(names: list[str], found: list[dict[str, Any]]) -> None:
    """Print what repeated trials show: the mean, the chance that one of k succeeds, and that all do; with intervals."""
    rows = []
    for name, each in zip(names, found, strict=True):
        for k, at in each.get("pass_at_k", {}).items():
            if int(k) == max(map(int, each["pass_at_k"])) > 1:
                every = each["pass_all_k"][k]
                rows.append((name, k, _cell(each, "acc"), _with_interval(at), _with_interval(every)))
    if rows:
        print_table(("agent", "k", "avg@k", "pass@k", "pass^k"), rows)


def _with_interval(figure: dict[str, Any]) -> str:
    low, high = figure["interval"]
    return f"{figure['value']:.2f} ({low:.2f}–{high:.2f})"


def _verdict_lines(found: dict[str, Any]) -> Iterator[str]:
    """Yield who decided the checkpoints, what sheets and prose scored, and what an agent told wrongly."""
    made = (found.get("judged") or found).get("decided_by") or {"open": 0, "judge": 0}
    total = sum(made.values())
    if made["open"] or made["judge"]:
        shares = ", ".join(f"{made[who]} by {who}" for who in ("code", "judge") if made[who])
        yield f"of {pluralize(total, 'checkpoint')}, {shares}{', ' if shares else ''}{made['open']} open"
    if (shown := found.get("menu_tools")) and found.get("menu", "").startswith("k="):
        low, high = shown
        tools = pluralize(high, "tool")
        yield f"the menu {found['menu']} showed {tools if low == high else f'{low} to {tools}'}"
    if count := found.get("told_wrongly"):
        yield f"in {pluralize(count, 'trial')} it told other calls or tokens than the trace has; the trace counts"
    if forms := found.get("answer_forms"):
        low, high = forms["by_prose_range"]
        prose = _interval(forms["by_prose"], low, high)
        same = f"alike in {forms['alike']} of {forms['checkpoints']}"
        yield f"answers by sheet {forms['by_sheet']:.2f}, by prose {prose}, {same}"


def run_names(found: list[dict[str, Any]]) -> list[str]:
    """Return the runs' display names: the agent, and the folder, too, if several runs have the same agent."""
    agents = [each["agent"] for each in found]
    return [
        f"{each['agent']} in {each['out']}" if "out" in each and agents.count(each["agent"]) > 1 else each["agent"]
        for each in found
    ]


def _trials(figures: dict[str, Any]) -> str:
    """Return the number of scored trials, and the total if some could not start."""
    graded, trials = figures["graded"], figures["trials"]
    return str(trials) if graded == trials else f"{graded} of {trials}"


def _cell(figures: dict[str, Any], name: str) -> str:
    """Return a figure, or its interval if texts are in doubt."""
    value = figures.get(name)
    if value is None:
        return "–"
    return _interval(value, *figures.get("ranges", {}).get(name, (value, value)))


def _interval(value: float, low: float, high: float) -> str:
    """Return a figure; only its interval if texts are open, for a best guess is no verdict."""
    return f"{value:.2f}" if low == high else f"{low:.2f}–{high:.2f}"
