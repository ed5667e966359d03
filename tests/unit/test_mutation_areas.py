"""The areas of mutation testing name files that exist."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.mutation.run import AREAS, ROOT, equivalents


@pytest.mark.parametrize("name", AREAS)
def test_every_pattern_of_an_area_matches_a_file(name: str) -> None:
    area = AREAS[name]

    assert [each for each in (*area.files, *area.tests) if not any(ROOT.glob(each))] == []


def test_mutants_that_cannot_be_noticed_have_a_reason_and_are_few() -> None:
    reasons = equivalents()
    by_package = Counter(function.rpartition(".")[0].rpartition(".")[0] for function, _ in reasons)

    assert all(len(reason.split()) > 2 for reason in reasons.values())
    assert [package for package, count in by_package.items() if count > 3] == []
