"""The areas of mutation testing name files that exist."""

from __future__ import annotations

import pytest

from tests.mutation.run import AREAS, ROOT


@pytest.mark.parametrize("name", AREAS)
def test_every_pattern_of_an_area_matches_a_file(name: str) -> None:
    area = AREAS[name]

    assert [each for each in (*area.files, *area.tests) if not any(ROOT.glob(each))] == []
