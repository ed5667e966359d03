"""Whole answers about statistics, on figures of our own, and how long what was looked up is kept."""

from __future__ import annotations

import json
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.medical.conftest import FRESH, Known, article, concept, drug, figure, indicator, page, trial
from tests.apps.medical.test_whole_drugs import ADVICE

BIRTH = "Average number of years a newborn is expected to live, assuming current mortality patterns remain constant"
RATIO = "Death rate of women during pregnancy or within 42 days of termination of pregnancy"


def point(number: int, name: str, code: str, country: str, value: str, year: str, **more: str) -> str:
    context = more.get("context", f"Year: {year}")
    return (
        f"{number}. **{name}**\n   Country: {country}\n   Value: **{value}**\n   Context: {context}\n"
        f"{more.get('range', '')}   Year: {year}\n   Indicator Code: {code}\n\n"
    )


@pytest.mark.fact("statistics")
def test_figures_are_grouped_newest_first_and_numbered_through(known: Known) -> None:
    app = known(
        [
            indicator(1, "M", "Maternal mortality of lamps"),
            indicator(2, "B", "Lamps: Life expectancy at birth"),
            figure(1, "M", "FRA", 2019, 8.0),
            figure(2, "M", "DEU", 2021, 4.5, 4.0, 5.25),
            figure(3, "M", "FRA", 2021, 7.25, 0, 9),
            figure(4, "M", "ITA", 2018, 3.0),
            figure(5, "B", "DEU", 2020, 81.0, 80.5, 81.5),
        ]
    )

    assert app.text("get-health-statistics", indicator="lamps", limit=3) == (
        "**Health Statistics: lamps**\n\nFound 5 data point(s) across 2 category/categories\n\n"
        f"## Life Expectancy - At Birth\n\n*{BIRTH}*\n\n"
        + point(1, "Lamps: Life expectancy at birth", "B", "DEU", "81", "2020", range="   Range: 80.5 - 81.5\n")
        + f"## Mortality - Maternal\n\n*{RATIO}*\n\n"
        + point(2, "Maternal mortality of lamps", "M", "FRA", "7.25", "2021")
        + point(3, "Maternal mortality of lamps", "M", "DEU", "4.5", "2021", range="   Range: 4 - 5.25\n")
        + point(4, "Maternal mortality of lamps", "M", "FRA", "8", "2019")
        + FRESH
    )
    assert app.text("get-health-statistics", indicator="Maternal", country="ITA") == (
        "**Health Statistics: Maternal**\n\nCountry Filter: ITA\nFound 1 data point(s) across 1 category/categories\n\n"
        f"## Mortality - Maternal\n\n*{RATIO}*\n\n"
        + point(1, "Maternal mortality of lamps", "M", "ITA", "3", "2018")
        + FRESH
    )
    assert app.text("get-health-statistics", indicator="lamps", country="USA") == (
        f'No health indicators found for "lamps" in USA. Try a different search term.{FRESH}'
    )
    assert app.text("get-health-statistics", indicator="kettles") == (
        f'No health indicators found for "kettles". Try a different search term.{FRESH}'
    )


@pytest.mark.fact("statistics")
@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("Healthy life expectancy at birth of lamps", "Life Expectancy - Healthy"),
        ("Life expectancy at birth of lamps", "Life Expectancy - At Birth"),
        ("Life expectancy at 60 of lamps", "Life Expectancy"),
        ("Infant mortality of lamps", "Mortality - Infant"),
        ("Maternal mortality of lamps", "Mortality - Maternal"),
        ("Child mortality of lamps", "Mortality - Child"),
        ("Under 5 mortality of lamps", "Mortality - Child"),
        ("Adult mortality of lamps", "Mortality"),
        ("Prevalence of lamps", "Prevalence"),
        ("Incidence rate of lamps", "Incidence"),
        ("Rate of lamps", "Rate"),
        ("Lamps", "General"),
    ],
)
def test_an_indicator_s_category_is_read_in_its_name(known: Known, name: str, category: str) -> None:
    app = known([indicator(1, "I", name), figure(1, "I", "DEU", 2020, 1.0)])

    text = app.text("get-health-statistics", indicator="lamps")

    assert f"\n\n## {category}\n\n" in text
    assert (f"\n\n## {category}\n\n*" in text) == (category != "General")
    assert text.count("## ") == 1


@pytest.mark.fact("statistics")
def test_three_indicators_and_fifty_figures_of_each_are_looked_at(known: Known) -> None:
    indicators = [indicator(number, f"I{number}", f"Lamps {number}") for number in range(1, 5)]
    figures = [figure(number, "I1", "DEU", 1900 + number, 1.0) for number in range(1, 52)]
    others = [figure(60 + number, f"I{number}", "DEU", 2020, 1.0) for number in range(2, 5)]

    text = known([*indicators, *figures, *others]).text("get-health-statistics", indicator="lamps", limit=20)

    assert text.startswith("**Health Statistics: lamps**\n\nFound 52 data point(s) across 1 category/categories\n\n")
    assert "Year: 1951\n" not in text
    assert "Year: 1950\n" in text
    assert "Indicator Code: I3\n" in text
    assert text.endswith(f"20. **Lamps 1**\n   Country: DEU\n   Value: **1**\n   Context: Year: 1933\n   Year: 1933\n"
                         f"   Indicator Code: I1\n\n{FRESH}")  # fmt: skip


@pytest.mark.fact("variations")
@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("Maternal mortality ratio", "Maternal deaths"),
        ("Infant mortality quota", "Infant deaths"),
        ("Death rate of all", "Mortality"),
        ("Obesity in towns", "Overweight"),
        ("HIV in towns", "AIDS"),
        ("immunization of all", "Vaccine"),
    ],
)
def test_the_first_other_words_that_an_indicator_has_are_taken(known: Known, asked: str, name: str) -> None:
    app = known([indicator(1, "I", name), indicator(2, "J", "Other"), figure(1, "I", "DEU", 2020, 1.0)])

    text = app.text("get-health-statistics", indicator=asked)

    assert point(1, name, "I", "DEU", "1", "2020") in text
    assert text.startswith(f"**Health Statistics: {asked}**\n\nFound 1 data point(s) across 1 ")


@pytest.mark.fact("apostrophe")
def test_a_country_with_an_apostrophe_lists_each_indicator_without_figures(known: Known) -> None:
    app = known(
        [indicator(1, "I", "Lamps 1"), indicator(2, "J", "Lamps 2"), figure(1, "I", "Cote d'Ivoire", 2020, 1.0)]
    )
    nothing = {"context": "Data not available"}

    assert app.text("get-health-statistics", indicator="lamps", country="Cote d'Ivoire") == (
        "**Health Statistics: lamps**\n\nCountry Filter: Cote d'Ivoire\n"
        "Found 2 data point(s) across 1 category/categories\n\n## General\n\n"
        + point(1, "Lamps 1", "I", "Cote d'Ivoire", "0", "Unknown", **nothing)
        + point(2, "Lamps 2", "J", "Cote d'Ivoire", "0", "Unknown", **nothing)
        + FRESH
    )


@pytest.mark.fact("undefined")
def test_figures_of_children_come_as_they_were_loaded_without_a_name(known: Known) -> None:
    app = known(
        [
            indicator(1, "A", "Lamps of adults"),
            indicator(2, "C", "Lamps of children aged 5-14 years"),
            indicator(3, "N", "Lamps of newborn, under-five"),
            figure(1, "C", "DEU", 2019, 1.5, 1.0, 2.0),
            figure(2, "C", "FRA", 2021, 3.0),
            figure(3, "N", "DEU", 2020, 2.0),
            figure(4, "A", "DEU", 2020, 9.0),
        ]
    )
    origin = ADVICE.format(
        origin="Child health statistics are retrieved dynamically from WHO Global Health Observatory."
    )

    def shown(number: int, country: str, value: str, age: str, year: int, code: str, range_: str = "") -> str:
        return (
            f"{number}. **undefined**\n   Country: {country}\n   Value: **{value}**\n   Age Group: {age}\n{range_}"
            f"   Year: {year}\n   Indicator Code: {code}\n\n"
        )

    first = shown(1, "DEU", "1.5 [1-2]", "5-14 years", 2019, "C", "   Range: 1 - 2\n")
    assert app.text("get-child-health-statistics", indicator="lamps") == (
        "**Child Health Statistics: lamps**\n\nFound 3 indicator(s)\n\n"
        + first
        + shown(2, "FRA", "3", "5-14 years", 2021, "C")
        + shown(3, "DEU", "2", "under-five", 2020, "N")
        + origin
        + FRESH
    )
    assert app.text("get-child-health-statistics", indicator="lamps", country="DEU", limit=1) == (
        "**Child Health Statistics: lamps**\n\nCountry Filter: DEU\nFound 1 indicator(s)\n\n" + first + origin + FRESH
    )
    assert app.text("get-child-health-statistics", indicator="adults", country="DEU") == (
        f'No child health indicators found for "adults" in DEU. Try a different search term.{FRESH}'
    )
    assert app.text("get-child-health-statistics", indicator="lamps", country="O'Neil") == (
        f'No child health indicators found for "lamps" in O\'Neil. Try a different search term.{FRESH}'
    )


@pytest.mark.fact("undefined")
@pytest.mark.parametrize(
    ("name", "age"),
    [
        ("Child lamps from 2 to 5 months", "2 to 5 months"),
        ("Lamps of Toddlers, child", "Toddler"),
        ("Lamps under 5", "under 5"),
        ("Neonatal lamps", "Neonatal"),
        ("Lamps 0-18", "0-18 years"),
        ("Pediatric lamps", "0-18 years"),
        ("Lamps, 0 to 18", "0-18 years"),
    ],
)
def test_the_age_of_children_is_read_in_the_indicator_s_name(known: Known, name: str, age: str) -> None:
    app = known([indicator(1, "I", name), figure(1, "I", "DEU", 2020, 1.0)])

    assert f"   Age Group: {age}\n   Year: 2020\n" in app.text("get-child-health-statistics", indicator="lamps")


@pytest.mark.fact("undefined")
def test_where_no_indicator_has_the_words_the_first_term_for_children_is_asked_for(known: Known) -> None:
    rows = [
        indicator(1, "I", "Infant lamps"),
        indicator(2, "P", "Pediatric lamps"),
        *(indicator(number, f"C{number}", f"Child lamps {number}") for number in range(3, 7)),
        *(figure(number, f"C{number}", "DEU", 2020, float(number)) for number in range(3, 7)),
        figure(1, "I", "DEU", 2020, 1.0),
        figure(2, "P", "DEU", 2020, 2.0),
    ]

    def codes(rows: list[dict[str, Any]]) -> list[str]:
        text = known(rows).text("get-child-health-statistics", indicator="kettles")
        return [line.rpartition(" ")[2] for line in text.splitlines() if "Indicator Code" in line]

    assert codes(rows) == ["C3", "C4", "C5"]
    without = [row for row in rows if not str(row.get("code")).startswith("C")]
    assert codes(without) == ["P"]
    assert codes([row for row in without if row["code"] != "P"]) == ["I"]


# -- October 2025 ------------------------------------------------------------------------------------------------------


@pytest.mark.fact("autumn")
@pytest.mark.parametrize(
    ("name", "value", "unit"),
    [
        ("Lamps: life expectancy", "7.5 years", "years"),
        ("Mortality of lamps", "7.5 per 1000", "per 1000 population"),
        ("Prevalence of lamps", "7.5%", "%"),
        ("Incidence of lamps", "7.5 per 100,000", "per 100,000 population"),
        ("Lamps", "7.5", "Unknown"),
    ],
)
def test_the_older_server_guesses_a_unit_from_the_name(known: Known, name: str, value: str, unit: str) -> None:
    rows = [indicator(1, "I", name), figure(1, "I", "DEU", 2020, 7.5)]
    app = known(rows, profile="paper-2025", now="2025-10-28T09:00:00+00:00")

    assert app.text("get-health-statistics", indicator="lamps") == (
        f"**Health Statistics: lamps**\n\nFound 1 data points\n\n1. **DEU** (2020)\n   Value: {value} Unit: {unit} | "
        "Year: 2020\n   Numeric Value: 7.5\n   Date: 2025-10-28T09:00:00.000Z\n\n"
    )


@pytest.mark.fact("autumn")
def test_the_older_server_shows_the_newest_figure_of_each_country(known: Known) -> None:
    rows = [
        indicator(1, "I", "Lamps"),
        figure(1, "I", "DEU", 2019, 1.0),
        figure(2, "I", "FRA", 2021, 2.0),
        figure(3, "I", "DEU", 2020, 3.0),
        figure(4, "I", "FRA", 2018, 4.0),
        figure(5, "I", "ITA", 2018, 5.0),
    ]
    app = known(rows, profile="paper-2025", now="2025-10-28T09:00:00+00:00")

    def shown(number: int, country: str, year: int, value: str) -> str:
        return (
            f"{number}. **{country}** ({year})\n   Value: {value} Unit: Unknown | Year: {year}\n"
            f"   Numeric Value: {value}\n   Date: 2025-10-28T09:00:00.000Z\n\n"
        )

    assert app.text("get-health-statistics", indicator="lamps", limit=2) == (
        "**Health Statistics: lamps**\n\nFound 3 data points\n\n"
        + shown(1, "DEU", 2020, "3")
        + shown(2, "FRA", 2021, "2")
    )
    assert app.text("get-health-statistics", indicator="lamps", country="O'Neil") == (
        "**Health Statistics: lamps**\n\nCountry: O'Neil\nFound 1 data points\n\n1. **O'Neil** (Unknown)\n"
        "   Value: 0 Data not available\n   Numeric Value: 0\n   Date: 2025-10-28T09:00:00.000Z\n\n"
    )
    assert app.text("get-health-statistics", indicator="lamps", country="USA") == (
        'No health indicators found for "lamps" in USA. Try a different search term.'
    )


# -- the cache ---------------------------------------------------------------------------------------------------------

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
Q = {"query": "lamps"}


@pytest.mark.fact("cache")
@pytest.mark.parametrize(
    ("tool", "arguments", "others", "kept_ms"),
    [
        ("search-drugs", Q, [{"query": "lamp"}, {"limit": 3}], DAY_MS),
        ("get-drug-details", {"ndc": "1"}, [{"ndc": "2"}], DAY_MS),
        ("search-pediatric-drugs", Q, [{"query": "lamp"}, {"limit": 3}], DAY_MS),
        ("search-drug-nomenclature", Q, [{"query": "lamp"}], 30 * DAY_MS),
        ("get-health-statistics", {"indicator": "x"}, [{"indicator": "y"}, {"country": "C"}, {"limit": 3}], 7 * DAY_MS),
        (
            "get-child-health-statistics",
            {"indicator": "x"},
            [{"indicator": "y"}, {"country": "C"}, {"limit": 3}],
            7 * DAY_MS,
        ),
        ("search-medical-literature", Q, [{"query": "lamp"}, {"max_results": 3}], HOUR_MS),
        ("get-article-details", {"pmid": "1"}, [{"pmid": "2"}], HOUR_MS),
        ("search-pediatric-literature", Q, [{"query": "lamp"}, {"max_results": 3}], HOUR_MS),
        ("search-google-scholar", Q, [{"query": "lamp"}], HOUR_MS),
        ("search-medical-databases", Q, [{"query": "lamp"}], HOUR_MS),
        ("search-medical-journals", Q, [{"query": "lamp"}], HOUR_MS),
        ("search-clinical-guidelines", Q, [{"query": "lamp"}, {"organization": "WHO"}], 7 * DAY_MS),
        ("search-pediatric-guidelines", {**Q, "source": "bright-futures"}, [{"query": "lamp"}], 30 * DAY_MS),
        ("search-pediatric-guidelines", {**Q, "source": "aap-policy"}, [{"query": "lamp"}], 7 * DAY_MS),
        ("search-pediatric-guidelines", Q, [{"query": "lamp"}], 7 * DAY_MS),
        ("search-aap-guidelines", Q, [{"query": "lamp"}], 7 * DAY_MS),
    ],
)
def test_each_source_s_answers_are_kept_for_its_time_apart_for_other_arguments(
    known: Known, tool: str, arguments: dict[str, Any], others: list[dict[str, Any]], kept_ms: int
) -> None:
    app = known([])

    for each in ({}, *others):
        app.result(tool, **{**arguments, **each})
    for each in ({}, *others):
        app.result(tool, **{**arguments, **each})

    entries = app.episode.db.all("SELECT expires_ms - made_ms AS kept_ms FROM cache_entries")
    assert entries == [{"kept_ms": kept_ms}] * (1 + len(others))
    asked = 1 + len(others)
    assert app.episode.db.all("SELECT hits, misses FROM cache_counts") == [{"hits": asked, "misses": asked}]


@pytest.mark.fact("cache")
def test_tools_with_the_same_arguments_share_no_entry_unless_they_ask_the_same(known: Known) -> None:
    app = known([])
    tools = ["search-google-scholar", "search-medical-databases", "search-medical-journals", "search-drug-nomenclature"]

    for tool in (*tools, "search-clinical-guidelines", "search-aap-guidelines"):
        app.result(tool, **Q)
    assert app.episode.db.scalar("SELECT count(*) FROM cache_entries") == 6
    assert app.text("search-pediatric-guidelines", **Q).endswith("*📦 Cached (0s old)*")


@pytest.mark.fact("cache")
def test_the_statistics_of_the_cache_tell_rates_memory_and_times(known: Known) -> None:
    app = known([article("11", "Lamps", pmc_id="901", body="b" * 20_000)], now="2026-03-09T01:00:00+00:00")

    for pmid in ("11", "12", "11"):
        app.text("get-article-details", pmid=pmid)

    times = app.episode.db.one("SELECT min(made_ms) AS first, max(made_ms) AS last FROM cache_entries")
    assert times is not None
    first, last = (times[each] - 1773018000000 for each in ("first", "last"))
    assert 0 <= first < last < 10
    # The article's 20,000 characters and 200 bytes for each entry.
    assert app.text("get-cache-stats") == (
        "**Cache Statistics**\n\nTotal Entries: 2\nCache Hits: 1\nCache Misses: 2\nHit Rate: 33.33%\n"
        f"Miss Rate: 66.67%\nMemory Usage (estimate): 0.02 MB\nOldest Entry: 2026-03-09T01:00:00.00{first}Z\n"
        f"Newest Entry: 2026-03-09T01:00:00.00{last}Z\n"
    )


@pytest.mark.fact("cache")
def test_an_entry_is_kept_up_to_its_last_moment(known: Known) -> None:
    def at(app: LocalApp, moment_ms: int) -> None:
        context = app.store.open(app.id)
        context.clock_ms = moment_ms - context.writes

    app = known([])
    app.text("get-drug-details", ndc="1")
    expires_ms = app.episode.db.scalar("SELECT expires_ms FROM cache_entries")

    at(app, expires_ms)
    assert "Total Entries: 1\n" in app.text("get-cache-stats")
    assert app.text("get-drug-details", ndc="1").endswith("*📦 Cached (86400s old)*")
    at(app, expires_ms + 1)
    assert "Total Entries: 0\n" in app.text("get-cache-stats")
    assert "Entry" not in app.text("get-cache-stats")
    assert app.text("get-drug-details", ndc="1").endswith(FRESH)


@pytest.mark.fact("cache")
def test_what_is_found_counts_for_the_size_of_an_entry(known: Known) -> None:
    app = known([drug("1", "Lumol", "lumitol")])

    app.text("get-drug-details", ndc="2")
    app.text("search-drugs", query="nothing")

    # null, and an empty list, and 200 bytes beside each.
    assert app.episode.db.all("SELECT size_bytes FROM cache_entries ORDER BY size_bytes DESC") == [
        {"size_bytes": 204},
        {"size_bytes": 202},
    ]


ROWS = [
    drug("1-1", "Lumol", "lumitol", purpose=["For a child"], warnings=["w"], dosage_and_administration=["d"]),
    concept(1, "lumitol 5 MG", "SCD", "Lumol", "lumitol"),
    concept(2, "other", "SCD", "", "lumitol"),
    article("11", "Lamps guideline", is_guideline=1, pmc_id="901", body="text", journal="Pediatrics"),
    trial("NCT1", "Lamps at night"),
    page(1, "bright-futures", "Infant lamps"),
    page(2, "aap-policy", "Lamps of 2019"),
    indicator(1, "I", "Child lamps"),
    figure(7, "I", "DEU", 2020, 1.5, 1.25, 2.5),
]
ARTICLE = {
    "pmid": "11", "title": "Lamps guideline", "abstract": "About lamps.", "authors": ["Ada Lovegood", "Bo Li"],
    "journal": "Pediatrics", "publication_date": "2024-05-06", "doi": "10.5555/l.11", "pmc_id": "901",
    "full_text": "text",
}  # fmt: skip
LABEL = {
    "purpose": ["For a child"], "warnings": ["w"], "dosage_and_administration": ["d"], "effective_time": "20250102",
    "openfda": {
        "brand_name": ["Lumol"], "generic_name": ["lumitol"], "manufacturer_name": ["Acme Pharma"],
        "product_ndc": ["1-1"], "route": ["ORAL"], "dosage_form": ["TABLET"], "substance_name": ["LUMITOL"],
    },
}  # fmt: skip
FUTURES = {
    "title": "Infant lamps", "organization": "American Academy of Pediatrics", "url": "https://aap.example/1",
    "description": "About lamps.", "source": "bright-futures", "age_group": "Infant", "category": "Preventive Care",
}  # fmt: skip
POLICY = {
    "title": "Lamps of 2019", "organization": "American Academy of Pediatrics", "url": "https://aap.example/2",
    "description": "About lamps.", "source": "aap-policy", "year": "2019", "category": "Policy Statement",
}  # fmt: skip
FIGURE = {
    "IndicatorCode": "I", "IndicatorName": "Child lamps", "SpatialDimType": "COUNTRY", "SpatialDim": "DEU",
    "TimeDim": "2020", "TimeDimType": "YEAR", "DataSourceDim": "WHO", "DataSourceType": "Official", "Value": 1.5,
    "NumericValue": 1.5, "Low": 1.25, "High": 2.5, "Comments": "Year: 2020", "Date": "2024-08-02T10:00:00+02:00",
}  # fmt: skip
LOADED = {
    "Id": 7, "IndicatorCode": "I", "SpatialDimType": "COUNTRY", "SpatialDim": "DEU", "TimeDimType": "YEAR",
    "TimeDim": 2020, "Value": "1.5 [1.25-2.5]", "NumericValue": 1.5, "Low": 1.25, "High": 2.5, "Comments": None,
    "Date": "2024-08-02T10:00:00+02:00", "AgeGroup": "0-18 years",
}  # fmt: skip


def found_item(title: str, authors: str, abstract: str, journal: str, year: str, url: str) -> dict[str, str]:
    return {
        "title": title, "authors": authors, "abstract": abstract, "journal": journal, "year": year, "citations": "",
        "url": url,
    }  # fmt: skip


@pytest.mark.fact("cache")
@pytest.mark.parametrize(
    ("tool", "arguments", "found"),
    [
        ("search-drugs", {"query": "lumol"}, [LABEL]),
        ("get-drug-details", {"ndc": "1-1"}, LABEL),
        ("search-pediatric-drugs", {"query": "lumol"}, [LABEL]),
        (
            "search-drug-nomenclature",
            {"query": "lumitol"},
            [
                {"rxcui": "701", "name": "lumitol 5 MG", "synonym": ["Lumol"], "tty": "SCD", "language": "ENG",
                 "suppress": "N", "umlscui": []},
                {"rxcui": "702", "name": "other", "synonym": [], "tty": "SCD", "language": "ENG", "suppress": "N",
                 "umlscui": []},
            ],
        ),
        ("get-health-statistics", {"indicator": "lamps"}, [FIGURE]),
        (
            "get-health-statistics",
            {"indicator": "lamps", "country": "O'Neil"},
            [
                {**FIGURE, "SpatialDimType": "Country", "SpatialDim": "O'Neil", "TimeDim": "Unknown",
                 "TimeDimType": "Year", "Value": 0, "NumericValue": 0, "Low": 0, "High": 0,
                 "Comments": "Data not available", "Date": "2026-03-09T01:00:00.000Z"},
            ],
        ),
        ("get-child-health-statistics", {"indicator": "lamps"}, [LOADED]),
        ("search-medical-literature", {"query": "lamps"}, [ARTICLE]),
        ("get-article-details", {"pmid": "11"}, ARTICLE),
        ("search-pediatric-literature", {"query": "lamps"}, [ARTICLE]),
        (
            "search-clinical-guidelines",
            {"query": "lamps"},
            [
                {"title": "Lamps guideline", "organization": "Pediatrics", "year": "2024",
                 "url": "https://pubmed.ncbi.nlm.nih.gov/11/", "description": "About lamps....", "category": "General",
                 "evidence_level": "Systematic Review/Consensus"},
            ],
        ),
        (
            "search-medical-databases",
            {"query": "lamps"},
            [
                {**found_item("Lamps guideline", "Ada Lovegood, Bo Li", "About lamps.", "Pediatrics", "2024",
                              "https://pubmed.ncbi.nlm.nih.gov/11/"), "doi": "10.5555/l.11"},
                found_item("Lamps at night", "Clinical Trial", "", "ClinicalTrials.gov", "2023-04",
                           "https://clinicaltrials.gov/study/NCT1"),
            ],
        ),
        ("search-medical-journals", {"query": "lamps"}, []),
        ("search-google-scholar", {"query": "lamps"}, []),
        ("search-pediatric-guidelines", {"query": "lamps", "source": "bright-futures"}, [FUTURES]),
        ("search-pediatric-guidelines", {"query": "lamps", "source": "aap-policy"}, [POLICY]),
        ("search-aap-guidelines", {"query": "lamps"}, [FUTURES, POLICY]),
    ],
)  # fmt: skip
def test_an_entry_is_as_large_as_what_the_server_holds_as_json(
    known: Known, tool: str, arguments: dict[str, str], found: Any
) -> None:
    app = known(ROWS, now="2026-03-09T01:00:00+00:00")

    app.result(tool, **arguments)

    size = len(json.dumps(found, ensure_ascii=False, separators=(",", ":"))) + 200
    assert app.episode.db.scalar("SELECT size_bytes FROM cache_entries") == size
