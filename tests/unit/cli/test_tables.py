"""Tables of the command line: narrow terminals cut nothing."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.text import Text

from farm.cli import tables
from farm.cli.run_figures import print_summaries, print_tokens

HEAD = ("agent", "acc", "damage_rate", "outcomes")
ROWS = [("oracle", "1.00", "0.00", "41 pass"), ("llm:a-model-with-a-long-name", "0.51 (0.48–0.55)", "0.12", "20 pass")]


def be_a_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)


@pytest.mark.parametrize(("width", "count"), [(120, 1), (80, 1), (60, 2), (50, 3)])
def test_no_line_is_wider_than_the_terminal_and_no_figure_is_cut(
    width: int, count: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    be_a_terminal(width, monkeypatch)

    tables.print_table(HEAD, ROWS)

    text = Text.from_ansi(capsys.readouterr().out).plain
    assert max(map(cell_len, text.splitlines())) <= width
    for each in ("1.00", "0.51 (0.48–0.55)", "0.12", "41 pass", "damage_rate"):
        assert each in text
    assert text.count("oracle") == count


def test_what_is_piped_is_as_wide_as_the_terminal_it_comes_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")

    tables.print_table(HEAD, ROWS)

    text = capsys.readouterr().out
    assert max(map(cell_len, text.splitlines())) <= 60
    assert text.count("oracle") == 2


LONG = "Say in the channel 发布 that 林晚 moved the go / no-go by a day, and why, so that all know before they leave."


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_text_ends_its_lines_between_words_and_goes_on_below_where_it_began(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    be_a_terminal(width, monkeypatch)

    tables.print_text(LONG, begin="  moved:", indent=10)

    lines = capsys.readouterr().out.splitlines()
    assert max(map(cell_len, lines)) <= width
    assert lines[0].startswith("  moved:  Say")
    assert all(line.startswith(" " * 10) for line in lines[1:])
    assert " ".join(line[10:] for line in lines) == LONG


def test_a_piped_text_is_one_line_for_whoever_searches_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("FORCE_COLOR", "1")  # as services that run tests set it

    tables.print_text(LONG, begin="moved ", indent=10)

    assert capsys.readouterr().out == f"moved {LONG}\n"


def test_the_summary_of_a_run_fits_a_terminal_of_80_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    be_a_terminal(80, monkeypatch)
    names = ("acc", "sr_08", "exec_acc", "safe_sr", "damage_rate", "tfs", "tefs")
    figures = {"trials": 41, "graded": 40, "ranges": dict.fromkeys(names, (0.25, 0.75)), **dict.fromkeys(names, 0.5)}
    outcomes = {"pass": 20, "fail": 12, "unsafe": 6, "over_limit": 2, "not_graded": 1}
    found = {**figures, "agent": "llm:some-model", "profile": "latest", "outcomes": outcomes}

    print_summaries([{**found, "by_category": {"lark": figures, "cross/lark-centric": figures}}])

    text = Text.from_ansi(capsys.readouterr().out).plain
    assert max(map(cell_len, text.splitlines())) <= 80
    assert text.count("0.25–0.75") == len(names) + 2 * 2  # of a category the main figures
    # One trial could not be held, so no figure is of it.
    assert text.count("40 of 41") == 1 + 2


def test_runs_of_one_agent_are_told_apart_by_their_folders(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    names = ("acc", "sr_08", "exec_acc", "safe_sr", "damage_rate", "tfs", "tefs")
    figures = {"trials": 1, "graded": 1, "ranges": {}, "by_category": {}, **dict.fromkeys(names, 0.5)}
    run = {**figures, "profile": "latest", "outcomes": {"pass": 1}}

    print_summaries([{**run, "agent": agent, "out": f"runs/{number}"} for number, agent in enumerate("aab")])

    lines = capsys.readouterr().out.splitlines()
    assert [line.split("│")[1].strip() for line in lines if line.startswith("│")] == ["a in runs/0", "a in runs/1", "b"]


def test_a_run_without_a_call_has_no_table_of_answers(capsys: pytest.CaptureFixture[str]) -> None:
    print_tokens({"agent": "null", "menu_tokens": 18491, "answer_tokens": {}})

    assert capsys.readouterr().out == "\nnull: about 18,491 tokens of tools in each request, and no call\n"
