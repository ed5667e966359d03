"""docs/apps.md says what the apps say."""

from __future__ import annotations

from pathlib import Path

from farm.traverse.fidelity.overview import overview

PAGE = Path(__file__).resolve().parents[2] / "docs" / "apps.md"


def test_the_page_is_the_one_that_is_made_now() -> None:
    assert PAGE.read_text("utf-8") == overview(), "make it anew: farm apps --markdown > docs/apps.md"
