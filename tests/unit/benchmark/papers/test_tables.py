"""A paper's table from finished runs: each run's cells, the paper's own rows, and what does not fit."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest

from farm import content
from farm.benchmark.papers.agreement import build_agreement
from farm.benchmark.papers.definition import find_tables, papers, shape_of
from farm.benchmark.papers.partial_run import limit, require_tasks
from farm.benchmark.papers.prices import Price, Prices, load_prices
from farm.benchmark.papers.rendering import as_csv, as_latex, as_markdown
from farm.benchmark.papers.statistics import build_statistics
from farm.benchmark.papers.svg import as_svg
from farm.benchmark.papers.tables import build
from farm.benchmark.runner.log import RunLog
from farm.errors import FarmError, NotFoundError
from tests.suites import parsed_suite

HELD: Mapping[str, Any] = {
    "agent": "oracle",
    "suite": "gone",
    "sealed": True,
    "profile": "latest",
    "menu": "selected",
    "k": 1,
}


def trial(task: str, category: str, score: float, *, number: int = 0, app: str = "slack") -> dict[str, Any]:
    """Return the line of a trial with one checkpoint."""
    point = {"id": "p", "kind": "operate", "score": score, "low": score, "high": score, "contested": []}
    call = {"app": app, "tool": "t", "arguments": {}, "refused": False, "result": {"content": []}}
    return {
        "task": task,
        "trial": number,
        "category": category,
        "outcome": "pass" if score > 0.8 else "fail",
        "acc": score,
        "exec_acc": float(score == 1),
        "checkpoints": [point],
        "damage": [],
        "weight": 1,
        "tfs": None,
        "tefs": None,
        "usage": None,
        "time_s": 1.0,
        "calls": [call],
        "ended": "answered",
    }


def run(folder: Path, *trials: Mapping[str, Any], **held: Any) -> RunLog:
    """Write a run that has these trials."""
    tasks = {each["task"]: "0" for each in trials}
    return RunLog.write(folder, {**HELD, "tasks": tasks, "tools_sha256": {}, **held}, trials)


def cells(log: RunLog, table: str = "table3") -> dict[str, Any]:
    """Return the cells of a run's row, by head."""
    laid_out = build(find_tables(table)[0], [log])
    (row,) = [row for row in laid_out.rows if row.source != "paper"]
    return dict(zip(laid_out.heads, row.values, strict=True))


def test_each_task_counts_in_the_column_of_its_category_and_apps(tmp_path: Path) -> None:
    log = run(
        tmp_path,
        trial("a", "slack/reply", 1.0),
        trial("b", "lark/calendar", 0.5, app="lark"),
        trial("c", "rednote/search", 0.0, app="rednote"),
        trial("d", "cross/slack-centric", 1.0, app="lark"),
        trial("e", "cross/notes", 0.25, app="notion"),
    )

    found = cells(log)

    assert found["Collaboration"] == 75.0
    assert found["Social"] == 0.0
    assert found["Lark-centric"] == 100.0
    assert found["Hodgepodge"] == 25.0
    assert found["Content"] is None
    assert found["Acc"] == 55.0
    assert found["tasks"] == 5


def test_repeated_trials_are_averaged_by_task_and_have_pass_at_k(tmp_path: Path) -> None:
    log = run(tmp_path, trial("a", "slack/reply", 1.0), trial("a", "slack/reply", 0.0, number=1), k=2)

    found = cells(log)

    assert (found["Acc"], found["k"], found["pass@k"], found["pass^k"]) == (50.0, 2, 100.0, 0.0)


def test_the_papers_rows_stand_first_and_a_script_is_not_taken_for_a_model(tmp_path: Path) -> None:
    laid_out = build(find_tables("table3")[0], [run(tmp_path, trial("a", "slack/reply", 1.0))])

    assert [row.source for row in laid_out.rows] == ["paper"] * 6 + ["script"]
    assert any("oracle is a script, not a model" in note for note in laid_out.notes)


def test_a_run_under_other_conditions_has_a_row_that_names_them(tmp_path: Path) -> None:
    usual = run(tmp_path / "a", trial("a", "slack/reply", 1.0))
    plain = run(tmp_path / "b", trial("a", "slack/reply", 0.0), prompt="plain")

    laid_out = build(find_tables("table3")[0], [usual, plain])

    assert [row.name for row in laid_out.rows][-2:] == ["oracle", "oracle (prompt plain)"]


def test_every_format_has_every_row(tmp_path: Path) -> None:
    laid_out = build(find_tables("table3")[0], [run(tmp_path, trial("a", "slack/reply", 1.0), agent="llm:a_b&c")])

    lines = list(csv.DictReader(io.StringIO(as_csv(laid_out))))
    assert [line["agent"] for line in lines] == [row.name for row in laid_out.rows]
    assert lines[-1]["Collaboration"] == "100.00"
    assert lines[0]["tasks"] == ""
    assert "| run | llm:a_b&c | 100.00 |" in as_markdown(laid_out)
    assert r"run & llm:a\_b\&c & 100.00 &" in as_latex(laid_out)
    assert as_latex(laid_out).count(r"\\") == len(laid_out.rows) + 1


def test_an_unknown_table_is_refused_with_the_names() -> None:
    with pytest.raises(NotFoundError, match=r"no table or figure 'table99'; have .*table3"):
        find_tables("table99")


def test_every_paper_can_be_read() -> None:
    assert [each.name for each in papers()] != []


def test_the_arms_of_an_agent_share_a_row(tmp_path: Path) -> None:
    skills = [{"name": "lark", "text": "x"}, {"name": "rednote", "text": "y"}]
    without = run(tmp_path / "a", trial("a", "lark/tasks", 0.25, app="lark"), skills=[])
    ours = run(tmp_path / "b", trial("a", "lark/tasks", 0.75, app="lark"), skills=skills)

    laid_out = build(find_tables("table5")[0], [without, ours])

    (row,) = laid_out.rows
    found = dict(zip(laid_out.heads, row.values, strict=True))
    assert (found["Lark: no skill"], found["Lark: ours"], found["Lark: OpenClaw"]) == (25.0, 75.0, None)
    assert found["Rednote: ours"] is None


def test_a_run_of_no_arm_and_two_of_one_are_refused(tmp_path: Path) -> None:
    one = run(tmp_path / "a", trial("a", "slack/reply", 1.0))
    same = run(tmp_path / "b", trial("a", "slack/reply", 1.0))
    other = run(tmp_path / "c", trial("a", "slack/reply", 1.0), menu="k=20")

    with pytest.raises(FarmError, match=r"b and .*a fill the same cells of table6; name one"):
        build(find_tables("table6")[0], [one, same])
    with pytest.raises(FarmError, match=r"is of no arm of table6, which has all tools \(menu paper\); selected tools"):
        build(find_tables("table6")[0], [other])


def test_a_menu_with_a_kind_of_distractors_is_of_its_size_and_named_by_the_kind(tmp_path: Path) -> None:
    line = trial("a", "slack/reply", 1.0) | {"tefs": True, "menu_tools": 12}

    laid_out = build(find_tables("menus")[0], [run(tmp_path, line, menu="k=10:mixed")])

    assert laid_out.rows[-1].name == "oracle (distractors mixed)"
    assert dict(zip(laid_out.heads, laid_out.rows[-1].values, strict=True))["10"] == 100.0
    assert any("12 tools shown" in note for note in laid_out.notes)


@pytest.mark.parametrize(
    ("steps", "shape"),
    [([[1]], "single"), ([[1], [2]], "serial"), ([[1, 2]], "parallel"), ([[1, 2], [3]], "multi"), ([[1]] * 3, "multi")],
)
def test_the_shape_of_a_task_is_that_of_its_oracle(steps: list[list[int]], shape: str) -> None:
    assert shape_of(steps) == shape


def test_a_cost_is_tokens_times_the_price_of_the_reported_model(tmp_path: Path) -> None:
    used = {"prompt_tokens": 1_000_000, "completion_tokens": 100_000, "cached_tokens": 400_000}
    line = trial("a", "slack/reply", 1.0) | {"usage": used, "models": ["vendor/M-1-2026-05-04"], "turns": [[], []]}
    prices = Prices("2026-01-01", {"m": Price(9.0, 9.0, 9.0), "m-1": Price(2.0, 10.0, 0.5)})

    laid_out = build(find_tables("figure3")[0], [run(tmp_path, line, agent="llm:m")], prices)

    found = dict(zip(laid_out.heads, laid_out.rows[-1].values, strict=True))
    # 0.6 M fresh at 2, 0.4 M cached at 0.5, 0.1 M answered at 10 dollars a million.
    assert (found["cost ($)"], found["tokens"], found["steps"], found["calls"]) == (2.4, 1_100_000, 2, 1)
    assert "Prices are those of 2026-01-01." in laid_out.notes


@pytest.mark.parametrize("name", ["m-1", "V/M-1", "m-1-2025-08-07", "m-1@20250807", "m-1-20250807", "m-1-latest"])
def test_a_price_is_that_of_the_name_with_or_without_a_date(name: str) -> None:
    price = Price(2.0, 10.0, 0.5)

    assert Prices("2026-01-01", {"m": Price(9.0, 9.0, 9.0), "m-1": price}).find(name) is price


@pytest.mark.parametrize("name", ["m-1.5", "m-1-mini", "m-1-2025", "m-12", "other"])
def test_another_model_of_a_similar_name_has_no_price(name: str) -> None:
    assert Prices("2026-01-01", {"m": Price(9.0, 9.0, 9.0), "m-1": Price(2.0, 10.0, 0.5)}).find(name) is None


def test_each_price_of_the_farm_has_its_source() -> None:
    (root, *_) = content.roots()
    raw = tomllib.loads((root.folder / "papers" / "prices.toml").read_text("utf-8"))

    assert date.fromisoformat(raw["date"])
    assert load_prices().models.keys() == raw["models"].keys()
    assert {name: each["source"][:8] for name, each in raw["models"].items()} == dict.fromkeys(
        raw["models"], "https://"
    )


def test_a_trial_of_several_models_costs_what_each_of_them_does() -> None:
    million = {"prompt_tokens": 1_000_000, "completion_tokens": 0, "cached_tokens": 0}
    prices = Prices("2026-01-01", {"m": Price(9.0, 9.0, 9.0), "n": Price(2.0, 10.0, 0.5)})
    line = {"usage": million, "models": ["m", "n"]}

    assert prices.of_trial(line) is None
    assert prices.of_trial(line | {"usage_by_model": {"m": million, "n": million}}) == 11.0
    assert prices.of_trial(line | {"usage_by_model": {"m": million, "unheard-of": million}}) is None


def test_a_model_without_a_price_has_no_cost(tmp_path: Path) -> None:
    used = {"prompt_tokens": 10, "completion_tokens": 1, "cached_tokens": 0}
    line = trial("a", "slack/reply", 1.0) | {"usage": used, "models": ["unheard-of"]}

    laid_out = build(find_tables("figure3")[0], [run(tmp_path, line)], Prices("2026-01-01", {}))

    found = dict(zip(laid_out.heads, laid_out.rows[-1].values, strict=True))
    assert (found["cost ($)"], found["tokens"]) == (None, 11)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("date = 1", r"is no list of prices: it needs a date and, of each model, input and output \('models'\)"),
        ('date = "x"\n[models]\nm = { input = 1 }', "is no list of prices"),
        ("date =", "is not TOML"),
    ],
)
def test_a_file_that_is_no_list_of_prices_is_refused(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "prices.toml").write_text(text, "utf-8")

    with pytest.raises(FarmError, match=why):
        load_prices(tmp_path / "prices.toml")


@pytest.mark.parametrize("table", [table.name for paper in papers() for table in paper.tables.values()])
def test_every_table_of_the_papers_can_be_drawn(tmp_path: Path, table: str) -> None:
    (wanted,) = find_tables(table)
    if wanted.layout == "statistics":
        laid_out = build_statistics(wanted, parsed_suite("demo"))
    elif wanted.layout == "agreement":
        laid_out = build_agreement(wanted, [], {})
    else:
        laid_out = build(wanted, [])

    drawing = fromstring(as_svg(laid_out))
    assert drawing.tag.endswith("svg")
    assert len(laid_out.rows) == len(wanted.published)


def test_a_drawing_has_a_bar_for_each_figure_of_a_row_and_its_name_in_the_legend(tmp_path: Path) -> None:
    laid_out = build(find_tables("table3")[0], [run(tmp_path, trial("a", "slack/reply", 1.0), agent="llm:<x>")])

    drawing = as_svg(laid_out)

    assert "llm:&lt;x&gt; (run)" in drawing
    fills = [each.get("fill") for each in fromstring(drawing) if each.tag.endswith("rect")]
    # The legend, and of its ten figures the four that the run has: Collaboration, Acc, SR-0.8 and Exec-Acc.
    assert fills.count("#7f7f7f") == 1 + 4


def test_the_suite_is_counted_beside_the_papers_data_set() -> None:
    suite = parsed_suite("demo")

    laid_out = build_statistics(find_tables("figure2")[0], suite)

    found = {row.name: row.values for row in laid_out.rows}
    assert found["tasks"] == (173, len(suite.tasks))
    assert found["checkpoints"] == (970, sum(len(task.checkpoints) for task in suite.tasks))
    assert found["tasks with Lark"][1] == sum("lark" in task.apps for task in suite.tasks)


def test_the_agreement_with_people_counts_the_texts_that_they_labelled(tmp_path: Path) -> None:
    lines = []
    for number in range(3):
        line = trial("a", "slack/reply", 1.0, number=number) | {"id": f"a{number}"}
        said = {"place": "text", "text": "yes", "wanted": [], "guess": True, "doubts": (), "question": None}
        lines.append(line | {"checkpoints": [line["checkpoints"][0] | {"settled": [said]}]})
    labels = tmp_path / "labels.csv"
    labels.write_text("trial,checkpoint,label\na0,p,yes\na#1,p,no\n", "utf-8")

    log = run(tmp_path / "run", *lines, k=3)
    laid_out = build_agreement(find_tables("table7")[0], [log], {"gone": {"a": "Say so."}}, labels)

    found = {row.name: row.values for row in laid_out.rows if row.source == "run"}
    assert found["Slack: code – people"] == (2, 50.0)


def rows_of(table: str, *logs: RunLog) -> tuple[list[str], list[str]]:
    """Return the names of the rows that are not the paper's, and the notes."""
    laid_out = build(find_tables(table)[0], logs)
    return [row.name for row in laid_out.rows if row.source != "paper"], list(laid_out.notes)


OURS = [{"name": "lark", "text": "x"}, {"name": "rednote", "text": "y"}]


def test_failures_of_an_endpoint_are_counted_and_a_second_row_leaves_them_out(tmp_path: Path) -> None:
    failed = trial("b", "slack/reply", 0.0) | {"outcome": "endpoint_failed", "checkpoints": [], "error": "503"}
    log = run(tmp_path, trial("a", "slack/reply", 1.0), failed, agent="llm:m")

    laid_out = build(find_tables("table3")[0], [log])

    whole, graded = laid_out.rows[-2:]
    acc = laid_out.heads.index("Acc")
    assert (whole.name, whole.values[acc]) == ("llm:m", 50.0)
    assert (graded.name, graded.values[acc]) == ("llm:m without failures of its endpoint", 100.0)
    assert f"llm:m: 2 trials of suite 'gone', 1 endpoint failed ({tmp_path})." in laid_out.notes


def test_a_run_that_lacks_trials_of_its_tasks_says_how_many_it_has(tmp_path: Path) -> None:
    log = run(
        tmp_path, trial("a", "slack/reply", 1.0), trial("b", "slack/reply", 1.0), tasks={"a": "0", "b": "0", "c": "0"}
    )

    _, notes = rows_of("table3", log)

    assert f"oracle: only 2 of 3 trials held of suite 'gone' ({tmp_path})." in notes


def test_a_run_without_trials_has_a_note_and_no_row(tmp_path: Path) -> None:
    names, notes = rows_of("table5", run(tmp_path, tasks={"a": "0"}))

    assert names == []
    assert f"oracle, no skill: only 0 of 1 trial held, so it has no figures ({tmp_path})." in notes


def test_arms_of_other_tasks_or_other_versions_of_a_task_are_noted(tmp_path: Path) -> None:
    a, b = trial("a", "lark/tasks", 1.0, app="lark"), trial("b", "lark/tasks", 1.0, app="lark")
    without = run(tmp_path / "without", a, b, tasks={"a": "1", "b": "1"})
    ours = run(tmp_path / "ours", a, skills=OURS, tasks={"a": "2"})

    _, notes = rows_of("table5", without, ours)

    assert "oracle, ours: lacks 1 task of its other arms, b." in notes
    assert "oracle: its arms have different versions of a." in notes


def test_arms_of_the_same_tasks_have_no_such_note(tmp_path: Path) -> None:
    a = trial("a", "lark/tasks", 1.0, app="lark")

    _, notes = rows_of("table5", run(tmp_path / "without", a), run(tmp_path / "ours", a, skills=OURS))

    assert not any("other arms" in note or "different versions" in note for note in notes)


def test_an_arm_of_another_table_has_no_row_unless_several_arms_were_run_under_it(tmp_path: Path) -> None:
    a = trial("a", "lark/tasks", 1.0, app="lark")
    usual = run(tmp_path / "usual", a)
    menu, five = run(tmp_path / "menu", a, menu="paper"), run(tmp_path / "five", a, context="+5")
    ours = run(tmp_path / "ours", a, menu="paper", skills=OURS)

    names, notes = rows_of("table5", usual, menu, five)
    both, _ = rows_of("table5", menu, ours)

    assert names == ["oracle"]
    assert f"oracle (menu paper) is no arm of table5 and has no row ({tmp_path / 'menu'})." in notes
    assert f"oracle (context +5) is no arm of table5 and has no row ({tmp_path / 'five'})." in notes
    assert both == ["oracle (menu paper)"]


def test_runs_are_limited_to_tasks_and_a_number_of_trials(tmp_path: Path) -> None:
    lines = [trial(task, "slack/reply", float(number == 0), number=number) for task in "ab" for number in range(2)]
    log = run(tmp_path, *lines, k=2)

    one, every = limit(log, ["a"], 1), limit(log, [], None)

    assert [(each["task"], each["trial"]) for each in one.trials()] == [("a", 0)]
    found = cells(one)
    assert (found["tasks"], found["k"], found["Acc"]) == (1, 1, 100.0)
    assert len(every.trials()) == 4
    with pytest.raises(FarmError, match="no run has the task 'z'"):
        require_tasks([log], ["a", "z"])


def test_costs_tokens_and_steps_have_a_panel_each_and_a_model_without_a_price_is_named(tmp_path: Path) -> None:
    used = {"prompt_tokens": 900, "completion_tokens": 100, "cached_tokens": 0}
    line = trial("a", "slack/reply", 1.0) | {"usage": used, "models": ["unheard-of"], "turns": [[], []]}
    table, log = find_tables("figure3")[0], run(tmp_path, line, agent="llm:m")

    without = build(table, [log], Prices("2026-01-01", {}))
    priced = build(table, [log], Prices("2026-01-01", {"unheard-of": Price(1.0, 1.0, 1.0)}))

    assert as_svg(without).count("<circle") == 2
    assert as_svg(priced).count("<circle") == 3
    assert ">cost ($)<" not in as_svg(without)
    said = "llm:m: no price of unheard-of, so no cost; --prices FILE names a file that has it."
    assert said in without.notes
    assert said not in priced.notes
    assert "no row has cost ($), tokens, steps" in as_svg(build(table, []))
