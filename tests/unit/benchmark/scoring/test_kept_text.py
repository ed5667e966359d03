"""What is added to a text of the start, and whether that is kept."""

from __future__ import annotations

import pytest

from farm.benchmark.scoring.kept_text import addition_to

START = "# lamp\n\n## in words\n\n- a mother complains\n- somebody unplugged it\n## counts\n\n214 users"
HEADINGS = frozenset({"# lamp", "## in words", "## counts"})


@pytest.mark.parametrize(
    "text",
    [
        f"{START}\n131 of them in Singapore",
        f"131 of them in Singapore\n{START}",
        START.replace("## counts", "\n131 of them in Singapore\n## counts"),
        START.replace("## counts", "\n131 of them in Singapore\n## counts") + "。",
    ],
)
def test_an_addition_stands_before_or_behind_the_start_or_at_the_end_of_a_section(text: str) -> None:
    addition = addition_to(START, text, HEADINGS)

    assert (addition.text.strip(), addition.fault) == ("131 of them in Singapore", "")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (START.replace("- somebody", "- 131 of them\n- somebody"), "the text of the start does not stand whole"),
        (START.replace("- somebody unplugged it\n", ""), "the text of the start does not stand whole"),
        (START.replace("a mother", "a father").replace("##", "131\n##"), "the text of the start does not stand whole"),
        (START.replace("## counts", "- somebody unplugged it\n## counts"), "a line stands there twice"),
        (f"{START}\n131 in Singapore\n131 in Singapore", "a line stands there twice"),
        (f"{START}\n{START}", "the text of the start stands 2 times"),
        (f"{START}吗？", "the text of the start goes on into another"),
    ],
)
def test_a_start_that_is_changed_or_doubled_is_a_fault(text: str, fault: str) -> None:
    assert addition_to(START, text, HEADINGS).fault == fault
