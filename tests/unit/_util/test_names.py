"""Names in sentences that say what there is."""

from __future__ import annotations

from farm._util.names import list_names, split_names

TASKS = [f"task-{number:02}" for number in range(30)]


def test_few_names_are_all_told_in_their_order() -> None:
    assert list_names(["b", "a"], "x") == "b, a"
    assert list_names([], "x") == "none"
    assert list_names(TASKS[:12], "x") == ", ".join(TASKS[:12])


def test_of_many_those_that_were_meant_come_first_and_their_number_is_told() -> None:
    assert list_names([*TASKS, "pin-the-day"], "pin-teh-day", 3) == "pin-the-day, task-00, task-01, … (31 in all)"
    assert list_names([*TASKS, "somebody.priya.nair"], "priya", 2) == "somebody.priya.nair, task-00, … (31 in all)"
    assert list_names(TASKS, "", 2) == "task-00, task-01, … (30 in all)"


def test_comma_lists_may_have_blanks_and_be_given_again() -> None:
    assert split_names(["a, b,", "b,c"]) == ["a", "b", "c"]
    assert split_names(None) == split_names([" ,"]) == []
