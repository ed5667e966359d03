"""The pool of paragraphs on other things: its rules, what is drawn from it, and where it stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any, cast

import pytest

from farm import content
from farm.benchmark.audit.truth.passages import passages_of_text
from farm.benchmark.audit.truth.standing import stands_in
from farm.benchmark.runner import prompts
from farm.benchmark.runner.distractor_paragraphs import Paragraph, draw, pool
from farm.benchmark.scoring.claims import Claim
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.texts import wanted_of
from farm.benchmark.tasks import Task
from tests.suites import parsed_suite

TASK = parsed_suite("demo").task("slack-boards-rate")
CHINESE = replace(TASK, instruction="周五的会几点开始？")
# Runs of words, or of Chinese characters, that two paragraphs may share.
SHARED_MAX = {"en": 8, "zh": 12}
LENGTHS = {"en": (40, 100), "zh": (60, 170)}
# A choice alone is one everyday word ("water"), which says nothing without its question.
TYPED = frozenset({"date", "clock", "span", "number", "amount", "id"})


def words_of(paragraph: Paragraph) -> list[str]:
    if paragraph.language == "zh":
        return re.findall(r"\w", paragraph.text)
    return re.findall(r"[^\W_]+(?:'[^\W_]+)?", paragraph.text.casefold())


def runs_of(paragraph: Paragraph) -> Iterator[tuple[str, ...]]:
    words, length = words_of(paragraph), SHARED_MAX[paragraph.language] + 1
    yield from (tuple(words[start : start + length]) for start in range(len(words) - length + 1))


def test_the_pool_has_400_paragraphs_by_eight_writers_in_two_languages() -> None:
    assert len(pool()) >= 400
    assert len({each.id for each in pool()}) == len(pool())
    assert len({each.writer for each in pool()}) >= 8
    assert {each.language for each in pool()} == {"en", "zh"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_paragraph_is_neither_a_line_nor_a_page(language: str) -> None:
    shortest, longest = LENGTHS[language]

    own = [each for each in pool() if each.language == language]

    lengths = {each.id: len(each.text.split()) if language == "en" else len(each.text) for each in own}
    assert {name: length for name, length in lengths.items() if not shortest <= length <= longest} == {}


def test_no_two_paragraphs_share_a_long_run_of_words() -> None:
    having = Counter(run for each in pool() for run in set(runs_of(each)))

    assert [" ".join(run) for run, count in having.items() if count > 1] == []


def test_no_paragraph_is_an_instruction_a_question_or_a_place_to_be_filled() -> None:
    odd = [each.id for each in pool() if re.search(r"[?？{}@]|https?:|\d:\d\d|\byou\b|202[4-7]", each.text)]

    assert odd == []


@pytest.mark.parametrize("suite", content.suite_names())
def test_no_paragraph_answers_a_task(suite: str) -> None:
    """If one does, remove the paragraph from the pool."""
    answering = [
        (task.id, paragraph.id)
        for task in parsed_suite(suite).tasks
        for paragraph in answers(task, [each for each in pool() if each.language == language_of(task)])
    ]

    assert answering == []


def language_of(task: Task) -> str:
    (drawn,) = draw(task, 0, 1)
    return drawn.language


def answers(task: Task, paragraphs: list[Paragraph]) -> Iterator[Paragraph]:
    """Yield the paragraphs that hold all of several values that a text of the task must name, or one that is telling.

    One small count or one day alone (five rings, a Tuesday) answers nothing: it says not of what.
    """
    known = ValueResolver.from_task(task, load_start(task.world))
    passages = [(each, passages_of_text(each.text, known.clock_context.now)) for each in paragraphs]
    for claims in values_of_texts(task, known):
        for each, passage in passages:
            found = [claim for claim in claims if stands_in(claim, [passage])]
            if (len(claims) > 1 and found == claims) or any(map(is_telling, found)):
                yield each


def values_of_texts(task: Task, known: ValueResolver) -> Iterator[list[Claim]]:
    for point in task.checkpoints:
        for form in text_forms(asdict(cast(Any, point))):
            resolved = known.resolve(form, getattr(point, "app", "") or "")
            wanted = wanted_of(resolved, "", known.clock_context).claims
            claims = [each for each in wanted if each.kind != "says"]
            if any(each.kind in TYPED for each in claims):
                yield claims


def text_forms(value: Any) -> Iterator[dict[str, Any]]:
    match value:
        case {"claims": claims, **others}:
            yield {"claims": claims}
            yield from text_forms(others)
        case dict():
            yield from (form for each in value.values() for form in text_forms(each))
        case list() | tuple():
            yield from (form for each in value for form in text_forms(each))


def is_telling(claim: Claim) -> bool:
    """Whether a value hardly stands anywhere by chance: an id, an amount, a number from 100."""
    value = claim.values[0]
    return claim.kind in ("id", "amount") or (isinstance(value, float) and abs(value) >= 100)


def test_a_paragraph_with_the_value_of_a_task_would_be_found() -> None:
    kind = {type(claim.values[0]) for claims in values_of_texts(TASK, resolver()) for claim in claims}
    right = Paragraph("x", "x", "en", "x", TASK.oracle_answer or TASK.oracle[-1][-1].arguments["text"])

    assert kind
    assert list(answers(TASK, [right, *pool()[:20]]))[:1] == [right]


def resolver() -> ValueResolver:
    return ValueResolver.from_task(TASK, load_start(TASK.world))


def test_the_same_seed_and_task_draw_the_same_paragraphs_in_the_language_of_the_task() -> None:
    drawn = draw(TASK, 7, 5)

    assert len({each.id for each in drawn}) == 5
    assert draw(TASK, 7, 5) == drawn
    assert draw(TASK, 8, 5) != drawn
    assert draw(replace(TASK, id="other"), 7, 5) != drawn
    assert {each.language for each in drawn} == {"en"}
    assert {each.language for each in draw(CHINESE, 7, 5)} == {"zh"}


def test_the_paragraphs_stand_among_the_facts_which_keep_their_order() -> None:
    task = replace(TASK, instruction="Move it.", necessary=("A.", "B."), unnecessary=("C.",))
    places = set()
    for seed in range(20):
        drawn = draw(task, seed, 5)

        told = prompts.instruction(task, paragraphs=drawn)

        head, *facts = told.removeprefix("Move it.\n\n- ").split("\n- ")
        lines = [head, *facts]
        assert sorted(lines) == sorted(["A.", "B.", *(each.text for each in drawn)])
        assert lines.index("A.") < lines.index("B.")
        places.add((lines.index("A."), lines.index("B.")))
    assert len(places) > 5
