"""Statistics of health, of all and of children."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Ask = Callable[..., str]


@pytest.mark.fact("statistics")
def test_figures_come_by_category_newest_first_each_up_to_the_limit(ask: Ask) -> None:
    text = ask("get-health-statistics", indicator="Life expectancy", country="SGP", limit=1)

    assert text.startswith(
        "**Health Statistics: Life expectancy**\n\nCountry Filter: SGP\n"
        "Found 9 data point(s) across 3 category/categories\n\n## Life Expectancy - At Birth\n\n*"
    )
    assert text.count("   Country: SGP\n") == 3
    assert text.count("   Year: 2021\n") == 3
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## Life Expectancy - At Birth",
        "## Life Expectancy - Healthy",
        "## Life Expectancy",
    ]


@pytest.mark.fact("statistics")
def test_at_most_fifty_figures_of_three_indicators_are_looked_at(ask: Ask) -> None:
    assert "Found 135 data point(s)" in ask("get-health-statistics", indicator="a", limit=20)


@pytest.mark.fact("variations")
def test_other_words_of_the_same_meaning_are_tried(ask: Ask) -> None:
    text = ask("get-health-statistics", indicator="Maternal mortality rates", country="DEU")

    assert "**Maternal mortality ratio (per 100 000 live births)**" in text
    assert ask("get-health-statistics", indicator="xyzzy", country="DEU") == (
        'No health indicators found for "xyzzy" in DEU. Try a different search term.'
    )


@pytest.mark.fact("apostrophe")
def test_an_apostrophe_breaks_the_filter(ask: Ask) -> None:
    assert ask("get-health-statistics", indicator="Alzheimer's").startswith("No health indicators found for")
    of_nobody = ask("get-health-statistics", indicator="tuberculosis", country="Cote d'Ivoire")
    assert "   Value: **0**\n   Context: Data not available\n   Year: Unknown\n" in of_nobody
    assert ask("get-child-health-statistics", indicator="infant", country="Cote d'Ivoire").startswith(
        'No child health indicators found for "infant" in Cote d\'Ivoire. '
    )


@pytest.mark.fact("undefined")
def test_the_first_example_of_the_tool_is_answered_with_deaths_of_children(ask: Ask) -> None:
    text = ask("get-child-health-statistics", indicator="Child mortality", country="CHN", limit=3)

    assert text.count("Indicator Code: CHILDMORT5TO14") == 3
    assert "   Age Group: 5-14 year\n" in text


@pytest.mark.fact("undefined")
def test_figures_of_children_have_no_name(ask: Ask) -> None:
    text = ask("get-child-health-statistics", indicator="Infant mortality", country="CHN", limit=2)

    assert text.startswith(
        "**Child Health Statistics: Infant mortality**\n\nCountry Filter: CHN\nFound 2 indicator(s)\n"
    )
    assert text.count("**undefined**") == 2
    assert "   Age Group: Infant\n" in text
    # What no indicator is called finds those with «child» in their names; what is no child's finds none.
    assert "Indicator Code: CHILDMORT5TO14" in ask("get-child-health-statistics", indicator="xyzzy")
    assert ask("get-child-health-statistics", indicator="Life expectancy").startswith(
        "No child health indicators found"
    )
