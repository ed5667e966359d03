"""Whole answers of the server of October 2025 about articles, on records of our own."""

from __future__ import annotations

import pytest

from farm.testing import LocalApp
from tests.apps.medical.conftest import Known, article, trial
from tests.apps.medical.test_drugs import named
from tests.apps.medical.test_whole_articles import DATABASES, ORIGIN, PUBMED, guideline, item
from tests.apps.medical.test_whole_drugs import ADVICE

CITED = "   Citations: Save Cite {}Related articles All {} versions\n"


def autumn(known: Known, *rows: dict[str, object]) -> LocalApp:
    return known(rows, profile="paper-2025")


def scholar(number: int, title: str, cited: str = "", versions: int = 2, said: str = "About lamps.") -> str:
    return item(
        number, title, "lampviews.example", "2024", "", abstract=f"{said}…", cited=CITED.format(cited, versions),
        authors="A Lovegood, B Li\u00a0- Lamp V, 2024\u00a0- lampviews.example",
    )  # fmt: skip


@pytest.mark.fact("autumn")
def test_articles_are_listed_and_shown_without_their_texts(known: Known) -> None:
    app = autumn(
        known, article("11", "Lamps", "Lamps " + "a" * 300, pmc_id="901", body="b"), article("12", "Lamps two")
    )

    assert app.text("search-medical-literature", query="lamps", max_results=1) == (
        '**Medical Literature Search: "lamps"**\n\nFound 1 article(s)\n\n1. **Lamps**\n'
        "   Authors: Ada Lovegood, Bo Li\n   Journal: Lamp views\n   Publication Date: 2024-05-06\n   PMID: 11\n"
        f"   Abstract: Lamps {'a' * 294}...\n   URL: {PUBMED}/11/\n\n"
    )
    assert app.text("get-article-details", pmid="12") == (
        "**Article Details for PMID: 12**\n\n**Title:** Lamps two\n\n**Authors:** Ada Lovegood, Bo Li\n\n"
        "**Journal:** Lamp views\n**Publication Date:** 2024-05-06\n**DOI:** 10.5555/l.12\n\n"
        "**Abstract:**\nAbout lamps.\n"
    )
    assert app.text("get-article-details", pmid="13") == "No article found with PMID: 13"
    assert app.text("search-medical-literature", query="kettle") == (
        'No medical articles found for "kettle". Try different search terms or check the spelling.'
    )


@pytest.mark.fact("autumn")
def test_scholar_has_each_result_twice_with_a_snippet_and_who_cites_it(known: Known) -> None:
    app = autumn(
        known,
        article("11", "Lamps one", "a" * 181, cited=12),
        article("12", "Lamps two"),
        article("13", "Lamps of old", date="2019-12-31"),
    )
    first, said = ("Lamps one", "Cited by 12 ", 4), "a" * 180
    listed = [scholar(1, *first, said), scholar(2, *first, said), scholar(3, "Lamps two"), scholar(4, "Lamps two")]

    assert app.text("search-google-scholar", query="lamps") == (
        '**Academic Research Search: "lamps"**\n\nFound 4 article(s)\n\n' + "".join(listed)
    )
    assert app.text("search-google-scholar", query="kettle") == (
        'No academic articles found for "kettle". This could be due to no results matching your query, rate limiting, '
        "or network issues."
    )


@pytest.mark.fact("autumn")
def test_a_page_of_scholar_has_ten_results_and_each_abbreviation_is_searched(known: Known) -> None:
    app = autumn(known, *(article(f"{number}", f"Lamps {number}", date="2020-01-01") for number in range(10, 22)))

    found = named(app.text("search-google-scholar", query="lamps"))

    assert found == [f"Lamps {number}" for number in range(10, 20) for _ in range(2)]
    assert len(named(app.text("search-google-scholar", query="lamps v"))) == 20


@pytest.mark.fact("autumn")
def test_several_databases_have_scholar_among_them(known: Known) -> None:
    app = autumn(
        known,
        *(article(f"1{number}", f"Lamps {number}") for number in range(6)),
        article("21", "Lamps of old", is_cochrane=1, date="2001-01-01"),
        trial("NCT1", "Lamps in a trial"),
    )
    listed = [item(n + 1, f"Lamps {n}", "Lamp views", "2024", f"{PUBMED}/1{n}/") for n in range(5)]
    cochrane = "https://www.cochranelibrary.com/cdsr/doi/10.5555/l.21/full"
    study = "https://clinicaltrials.gov/study/NCT1"

    assert app.text("search-medical-databases", query="lamps") == (
        '**Comprehensive Medical Database Search: "lamps"**\n\nFound 8 article(s) across multiple databases\n\n'
        + "".join(listed)
        + scholar(6, "Lamps 5")
        + item(7, "Lamps of old", "Cochrane Database", "", cochrane)
        + item(8, "Lamps in a trial", "ClinicalTrials.gov", "2023-04", study, authors="Clinical Trial", abstract="")
        + ADVICE.format(origin=f"{ORIGIN}\n\n**DYNAMIC DATA SOURCES:**\n{DATABASES}").replace(
            f"{DATABASES}\n\n", DATABASES
        )
    )
    assert app.text("search-medical-databases", query="kettle") == (
        'No medical articles found for "kettle" across any databases. This could be due to no results matching your '
        "query, database API rate limiting, or network connectivity issues."
    )


@pytest.mark.fact("autumn")
def test_five_journals_are_asked_for_in_scholar_one_behind_the_other(known: Known) -> None:
    app = autumn(
        known,
        article("11", "Lamps one", abbreviation="BMJ"),
        article("12", "Lamps two", abbreviation="Lancet"),
        article("13", "Lamps three", abbreviation="JAMA"),
        article("14", "Lamps four", abbreviation="NEJM"),
        article("15", "Lamps five", abbreviation="Nature Medicine"),
        article("16", "Lamps six"),
    )
    sources = (
        "New England Journal of Medicine (NEJM)",
        "Journal of the American Medical Association (JAMA)",
        "The Lancet",
        "British Medical Journal (BMJ)",
        "Nature Medicine",
    )

    text = app.text("search-medical-journals", query="lamps")

    assert named(text) == [f"Lamps {name}" for name in ("four", "three", "two", "one", "five") for _ in range(2)]
    assert text.startswith(
        '**Top Medical Journals Search: "lamps"**\n\nFound 10 article(s) from top medical journals\n\n'
    )
    named_sources = "".join(f"• {source}\n" for source in sources)
    origin = "This search retrieves information from top medical journals dynamically.\n\n**DYNAMIC DATA SOURCES:**\n"
    ending = ADVICE.format(origin=origin + named_sources).replace(f"{named_sources}\n\n", named_sources)
    assert text.endswith(ending)
    assert app.text("search-medical-journals", query="kettle") == (
        'No articles found for "kettle" in top medical journals. This could be due to no results matching your query, '
        "journal-specific search limitations, or network connectivity issues."
    )


@pytest.mark.fact("autumn")
def test_at_most_fifteen_results_of_the_journals_are_shown(known: Known) -> None:
    app = autumn(known, *(article(f"{number}", f"Lamps {number}", abbreviation="JAMA") for number in range(10, 19)))

    assert named(app.text("search-medical-journals", query="lamps")) == [
        *(f"Lamps {number}" for number in range(10, 17) for _ in range(2)),
        "Lamps 17",
    ]


@pytest.mark.fact("autumn")
@pytest.mark.parametrize(
    ("title", "abstract", "shown"),
    [
        ("Lamps guideline", "Recommendations.", {}),
        ("Lamps", "A consensus.", {}),
        ("Lamps: best practice", "Recommendations.", {}),
        ("Lamps: evidence-based", "Guidelines.", {}),
        ("Lamps", "Best practice.", None),
        ("Lamps: hypertension guidelines", "None.", {"category": "Cardiology"}),
        ("Lamps guidelines", "An infection.", {"category": "Infectious Diseases"}),
        ("Lamps guidelines", "Of children.", {"category": "Pediatrics"}),
        ("Lamps guidelines", "Of cancer.", {"category": "Oncology"}),
        ("Lamps guidelines", "Of mental health.", {"category": "Psychiatry"}),
        ("Lamps guidelines", "Of the World Lamp Society.", {"organization": "World Lamp Society"}),
        ("Lamps guidelines", "Of the American Lamp Academy.", {"organization": "American Lamp Academy"}),
        ("Lamps guidelines", "Of the WHO.", {"organization": "WHO"}),
        ("Lamps guidelines", "Of the CDC.", {"organization": "CDC"}),
        ("Lamps guidelines", "Of the National Lamp Institute", {"organization": "National Lamp Institute"}),
        ("Lamps guidelines", "A randomized one.", {"evidence": "Randomized Controlled Trial"}),
        ("Lamps guidelines", "A meta-analysis.", {"evidence": "Meta-analysis"}),
        ("Lamps guidelines: systematic review", "None.", {"evidence": "Systematic Review"}),
    ],
)
def test_a_guideline_is_what_reads_like_one(
    known: Known, title: str, abstract: str, shown: dict[str, str] | None
) -> None:
    text = autumn(known, article("11", title, abstract)).text("search-clinical-guidelines", query="lamps")

    head = '**Clinical Guidelines Search: "lamps"**\n\nFound 1 guideline(s)\n\n'
    none = (
        'No clinical guidelines found for "lamps". Try a different search term or check if the condition has '
        "established guidelines."
    )
    assert text == (none if shown is None else head + guideline(1, title, "11", abstract, **shown))


@pytest.mark.fact("autumn")
def test_ten_articles_of_each_search_are_filtered_by_issuer_and_title(known: Known) -> None:
    app = autumn(
        known,
        *(article(f"{number}", f"Lamps guideline {number}") for number in range(10, 26)),
        article("31", "Lamps guideline of the Shade", "Of nobody.", date="2025-01-01"),
        article("32", "Lamps guideline, other", "Of the World Shade Society.", date="2025-01-01"),
    )

    assert len(named(app.text("search-clinical-guidelines", query="lamps"))) == 10
    assert named(app.text("search-clinical-guidelines", query="lamps", organization="SHADE")) == [
        "Lamps guideline of the Shade",
        "Lamps guideline, other",
    ]


@pytest.mark.fact("interactions")
@pytest.mark.parametrize(
    ("abstract", "severity", "effects", "management"),
    [
        (
            "The interaction led to increased risk of bleeding in all. Monitor the patients for a week. "
            "Contraindicated.",
            "Contraindicated",
            "increased risk of bleeding in all",
            "monitor the patients for a week",
        ),
        (
            "A severe interaction, associated with falls at night. Reduce the dose by a half.",
            "Major",
            "associated with falls at night",
            "reduce the dose by a half",
        ),
        (
            "A mild interaction. It can cause some dry mouth. Consider another time.",
            "Minor",
            "can cause some dry mouth",
            "consider another time",
        ),
        (
            "An interaction and no more.",
            "Moderate",
            "See referenced literature for clinical effects",
            "Consult healthcare provider before combining medications",
        ),
        (
            # Fifteen characters are too few, so the next words count.
            "Interaction: lower abcdefghi . Results in a longer sleep. Adjusting the dose is enough.",
            "Moderate",
            "results in a longer sleep",
            "adjusting the dose is enough",
        ),
    ],
)
def test_an_interaction_is_told_in_the_words_of_its_article(
    known: Known, abstract: str, severity: str, effects: str, management: str
) -> None:
    app = autumn(known, article("11", "Lumol and Wick", abstract))

    assert app.text("check-drug-interactions", drug1="Lumol", drug2="Wick") == (
        "**Drug Interaction Check: Lumol + Wick**\n\nFound 1 interaction(s)\n\n"
        f"1. **{severity} Interaction**\n"
        "   Description: Interaction between Lumol and Wick - see referenced literature\n"
        f"   Clinical Effects: {effects}\n   Management: {management}\n\n"
    )


@pytest.mark.fact("interactions")
@pytest.mark.parametrize(
    "rows",
    [
        [],
        [article("11", "Lumol", "An interaction with nothing.")],
        [article("11", "Lumol and Wick", "An adverse event.")],
        *([article("11", "Lumol and Wick", f"An interaction: {words}.")] for words in (
            "no interaction", "a safe combination", "no contraindication", "they can be used together")),
        # Three articles of a search are looked at.
        [
            *(article(f"1{number}", "Lumol and Wick interaction", "It can be used together.") for number in range(3)),
            article("14", "Lumol and Wick", "An interaction.", date="2001-01-01"),
        ],
    ],
)  # fmt: skip
def test_what_is_no_interaction_is_told_with_the_advice_to_ask(known: Known, rows: list[dict[str, object]]) -> None:
    assert autumn(known, *rows).text("check-drug-interactions", drug1="Lumol", drug2="Wick") == (
        "No significant drug interactions found between Lumol and Wick. However, always consult a healthcare provider "
        "before combining medications."
    )


@pytest.mark.fact("interactions")
@pytest.mark.parametrize("word", ["interaction", "contraindication"])
def test_an_article_is_looked_for_by_three_words(known: Known, word: str) -> None:
    app = autumn(known, article("11", "Lumol, Wick: adverse", f"Of every {word}s."))

    assert "1. **Moderate Interaction**" in app.text("check-drug-interactions", drug1="lumol", drug2="wick")


@pytest.mark.fact("autumn")
def test_guidelines_stand_in_the_order_of_the_searches_up_to_fifteen(known: Known) -> None:
    app = autumn(
        known,
        *(article(f"{number}", f"Lamps consensus {number}") for number in range(10, 20)),
        *(article(f"{number}", f"Lamps guideline {number}") for number in range(20, 30)),
    )

    assert named(app.text("search-clinical-guidelines", query="lamps")) == [
        *(f"Lamps guideline {number}" for number in range(20, 30)),
        *(f"Lamps consensus {number}" for number in range(10, 15)),
    ]
