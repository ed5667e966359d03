"""Whole answers about articles, guidelines and several sources, on records of our own."""

from __future__ import annotations

from typing import Any

import pytest

from tests.apps.medical.conftest import FRESH, Known, article, page, trial
from tests.apps.medical.test_drugs import named
from tests.apps.medical.test_whole_drugs import ADVICE

PUBMED = "https://pubmed.ncbi.nlm.nih.gov"
PMC = "https://www.ncbi.nlm.nih.gov/pmc/articles"


def lines(number: int, title: str, pmid: str, **more: str) -> str:
    """Return how PubMed's tools list an article."""
    pmc = f"   PMC ID: {more['pmc_id']} (Full text available)\n" if "pmc_id" in more else ""
    link = f"   Full Text: {PMC}/PMC{more['pmc_id']}/\n" if "pmc_id" in more else ""
    return (
        f"{number}. **{title}**\n   Authors: Ada Lovegood, Bo Li\n   Journal: {more.get('journal', 'Lamp views')}\n"
        f"   Publication Date: 2024-05-06\n   PMID: {pmid}\n{pmc}"
        f"   Abstract: {more.get('abstract', 'About lamps.')}\n{more.get('full', '')}   URL: {PUBMED}/{pmid}/\n{link}\n"
    )


@pytest.mark.fact("literature")
def test_articles_are_listed_with_what_there_is_of_their_text(known: Known) -> None:
    app = known(
        [
            article("11", "Lamps one", pmc_id="901", body="b" * 1001),
            article("12", "Lamps two", "Lamps " + "a" * 300),
            article("13", "Lamps three", pmc_id="903", body="short"),
            article("14", "Lamps four", pmc_id="904", body="not shown"),
        ]
    )
    end = "   [Full text truncated for display. Use get-article-details for complete text.]\n"

    def full(text: str) -> str:
        return f"   **Full Text Available**\n   Full Text (first 1000 chars): {text}\n{end}"

    assert app.text("search-medical-literature", query="lamp") == (
        '**Medical Literature Search: "lamp"**\n\nFound 4 article(s)\n\n'
        + lines(1, "Lamps one", "11", pmc_id="901", full=full(f"{'b' * 1000}..."))
        + lines(2, "Lamps two", "12", abstract=f"Lamps {'a' * 294}...")
        + lines(3, "Lamps three", "13", pmc_id="903", full=full("short"))
        + lines(4, "Lamps four", "14", pmc_id="904")
        + FRESH
    )
    assert named(app.text("search-medical-literature", query="lamp", max_results=2)) == ["Lamps one", "Lamps two"]


@pytest.mark.fact("article")
def test_an_article_is_shown_whole_with_its_text_or_the_note_that_there_is_none(known: Known) -> None:
    app = known([article("11", "One", "a" * 400, pmc_id="901", body="b" * 1200), article("12", "Two")])

    def head(pmid: str, title: str) -> str:
        return (
            f"**Article Details for PMID: {pmid}**\n\n**Title:** {title}\n\n**Authors:** Ada Lovegood, Bo Li\n\n"
            "**Journal:** Lamp views\n**Publication Date:** 2024-05-06\n"
        )

    assert app.text("get-article-details", pmid="11") == (
        f"{head('11', 'One')}**DOI:** 10.5555/l.11\n**PMC ID:** 901\n**Full Text Available:** Yes\n"
        f"**Full Text URL:** {PMC}/PMC901/\n\n\n**Abstract:**\n{'a' * 400}\n\n**Full Text:**\n{'b' * 1200}\n\n{FRESH}"
    )
    assert app.text("get-article-details", pmid="99, 12,11") == (
        f"{head('99, 12,11', 'Two')}**DOI:** 10.5555/l.12\n\n**Abstract:**\nAbout lamps.\n\n"
        "**Note:** Full text is not available in PubMed Central. "
        f"You may need institutional access or subscription to view the complete article.\n\n{FRESH}"
    )
    assert app.text("get-article-details", pmid="99") == f"No article found with PMID: 99{FRESH}"


JOURNALS = [
    "Pediatrics",
    "JAMA pediatrics",
    "The Journal of pediatrics",
    "Pediatric research",
    "Archives of disease in childhood",
    "European journal of pediatrics",
    "PEDIATRIC CLINICS of North America",
]


@pytest.mark.fact("literature")
def test_seven_journals_are_of_pediatrics(known: Known) -> None:
    rows = [article(f"1{number}", f"Lamps {number}", journal=name) for number, name in enumerate(JOURNALS)]
    app = known([*rows, article("18", "Lamps 8", journal="Pediatrics today"), article("19", "Lamps 9")])

    assert app.text("search-pediatric-literature", query="lamps") == (
        '**Pediatric Journal Articles: "lamps"**\n\nFound 7 article(s) from major pediatric journals\n\n'
        + "".join(
            lines(number + 1, f"Lamps {number}", f"1{number}", journal=name) for number, name in enumerate(JOURNALS)
        )
        + ADVICE.format(origin="Pediatric journal articles are retrieved dynamically from PubMed.")
        + FRESH
    )
    assert named(app.text("search-pediatric-literature", query="lamps", max_results=2)) == ["Lamps 0", "Lamps 1"]
    assert app.text("search-pediatric-literature", query="kettle") == (
        f'No pediatric journal articles found for "kettle". Try a different search term.{FRESH}'
    )


@pytest.mark.fact("literature")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("lamps dim", ["Dim lamps", "Lamps at night", "Old lamps"]),
        # Subjects and journals are searched like abstracts.
        ("evening", ["Lamps at night"]),
        ("glow journal", ["Kettles"]),
        # A plural finds the singular, and the words between are silent.
        ("the lamp is with dims", ["Dim lamps", "Lamps at night", "Old lamps"]),
        ("lamp NOT night", ["Old lamps", "Dim lamps"]),
        ("lamp NOT night NOT old", ["Dim lamps"]),
        ("lamp NOT night evening", ["Old lamps", "Dim lamps"]),
        ("lamp NOT night kettle", ["Lamps at night", "Old lamps", "Dim lamps"]),
        ("lamp NOT the", ["Lamps at night", "Old lamps", "Dim lamps"]),
        ("kettle OR night", ["Kettles", "Lamps at night"]),
        ("nothing OR kettle", ["Kettles"]),
        ("kettle[tiab] AND (glow)", ["Kettles"]),
        ("kettle [Title Abstract] or", ["Kettles"]),
        ("kettle[tiab", []),
        ("lam", []),
        ("the of and", []),
        ("", []),
        (" OR ".join([*(f"none{number}" for number in range(19)), "kettle"]), ["Kettles"]),
        (" OR ".join([*(f"none{number}" for number in range(20)), "kettle"]), []),
    ],
)
def test_a_query_wants_all_its_words_and_ranks_by_title_then_date_then_number(
    known: Known, query: str, found: list[str]
) -> None:
    app = known(
        [
            article("14", "Lamps at night", "They dim.", words="evening", date="2024-05-06"),
            article("13", "Old lamps", "Dim ones.", date="2023-05-06"),
            article("12", "Dim lamps", "Any.", date="2020-01-01"),
            article("11", "Kettles", "Any.", journal="Journal of glow", date="2024-06-01"),
        ]
    )

    text = app.text("search-medical-literature", query=query)

    assert named(text) == found
    assert found or text == (
        f'No medical articles found for "{query}". Try different search terms or check the spelling.'
    )


@pytest.mark.fact("literature")
def test_equal_articles_come_by_their_number_and_the_best_of_the_alternatives_counts(known: Known) -> None:
    app = known([article("12", "Lamps b"), article("11", "Lamps a"), article("13", "Lamp kettles", date="2020-01-01")])

    assert named(app.text("search-medical-literature", query="lamp")) == ["Lamps a", "Lamps b", "Lamp kettles"]
    two_words = named(app.text("search-medical-literature", query="lamp kettle OR lamp"))
    assert two_words == ["Lamp kettles", "Lamps a", "Lamps b"]
    assert named(app.text("search-medical-literature", query="lamp OR lamp kettle")) == two_words


# -- guidelines --------------------------------------------------------------------------------------------------------


def guideline(number: int, title: str, pmid: str, said: str, **more: str) -> str:
    return (
        f"{number}. **{title}**\n   Organization: {more.get('organization', 'Lamp views')}\n   Year: 2024\n"
        f"   Category: {more.get('category', 'General')}\n"
        f"   Evidence Level: {more.get('evidence', 'Systematic Review/Consensus')}\n"
        f"   Description: {said[:200]}...\n   URL: {PUBMED}/{pmid}/\n\n"
    )


@pytest.mark.fact("guidelines")
def test_guidelines_are_listed_by_their_score_with_who_issued_them(known: Known) -> None:
    best = f"Lamps: a consensus and best practice of the American Lamp Society. Heart. {'x' * 200}"
    app = known(
        [
            # Of the type, without a word of it: 1 and 2 for the type.
            article("11", "Lamps one", "Lamps.", is_guideline=1),
            # 1, 2, a title's 1, and 1 for two keywords.
            article("12", "Lamps guideline", best, is_guideline=1),
            # 1, a title's 1 and a half for a keyword: 2.5, which is enough.
            article("13", "Lamps consensus", "Lamps: a recommendation by the WHO."),
            # 1 and 1 for two keywords: not enough.
            article("14", "Lamps four", "Lamps: consensus, guideline."),
        ]
    )

    assert app.text("search-clinical-guidelines", query="lamps") == (
        '**Clinical Guidelines Search: "lamps"**\n\nFound 3 guideline(s)\n\n'
        + guideline(1, "Lamps guideline", "12", best, organization="American Lamp Society", category="Cardiology")
        + guideline(2, "Lamps one", "11", "Lamps.")
        + guideline(3, "Lamps consensus", "13", "Lamps: a recommendation by the WHO.", organization="WHO")
        + FRESH
    )
    assert app.text("search-clinical-guidelines", query="lamps", organization="who") == (
        '**Clinical Guidelines Search: "lamps"**\n\nOrganization Filter: who\nFound 1 guideline(s)\n\n'
        + guideline(1, "Lamps consensus", "13", "Lamps: a recommendation by the WHO.", organization="WHO")
        + FRESH
    )
    assert app.text("search-clinical-guidelines", query="lamps", organization="ADA") == (
        'No clinical guidelines found for "lamps" from ADA. Try a different search term or check if the condition has '
        f"established guidelines.{FRESH}"
    )
    assert app.text("search-clinical-guidelines", query="kettles") == (
        'No clinical guidelines found for "kettles". Try a different search term or check if the condition has '
        f"established guidelines.{FRESH}"
    )


@pytest.mark.fact("guidelines")
@pytest.mark.parametrize(
    ("journal", "title", "abstract", "is_one"),
    [
        # 1 for being of the second layer, then what is told beside each.
        ("BMJ", "Lamps", "A consensus.", True),  # 1 + 0.5
        ("Annals of lamps", "Lamps", "A consensus.", True),
        ("The Lancet", "Lamps", "A consensus.", True),
        ("Journal of the American lamp", "Lamps", "A consensus.", True),
        ("New England journal of lamps", "Lamps", "A consensus.", True),
        ("Lamp views", "Lamps: consensus", "A consensus.", True),
        ("Lamp views", "Lamps: consensus", "None.", False),  # 1
        ("Lamp views", "Lamps", "A consensus, evidence-based, best practice, guideline.", False),  # 1 at most
        ("BMJ", "Lamps", "Evidence-based.", False),  # of no second layer
        ("BMJ", "Lamps", "Many consensuses.", False),  # no word of its own
        ("BMJ", "Lamps", "Best practice, position statement.", True),
        ("BMJ", "Lamps", "The standard of care.", True),
        ("BMJ", "Lamps", "A Recommendation.", True),
    ],
)
def test_an_article_of_another_type_is_a_guideline_by_its_words_and_its_journal(
    known: Known, journal: str, title: str, abstract: str, is_one: bool
) -> None:
    app = known([article("11", title, abstract, journal=journal)])

    assert named(app.text("search-clinical-guidelines", query="lamps")) == ([title] if is_one else [])


@pytest.mark.fact("guidelines")
def test_others_are_looked_at_only_where_fewer_than_five_are_of_the_type(known: Known) -> None:
    other = article("31", "Lamps other consensus", "A consensus.")
    typed = [article(f"1{number}", f"Lamps {number}", is_guideline=1) for number in range(5)]

    assert "Lamps other consensus" in named(
        known([*typed[:4], other]).text("search-clinical-guidelines", query="lamps")
    )
    assert named(known([*typed, other]).text("search-clinical-guidelines", query="lamps")) == [
        f"Lamps {number}" for number in range(5)
    ]


@pytest.mark.fact("guidelines")
def test_at_most_fifteen_guidelines_are_listed(known: Known) -> None:
    app = known([article(f"{number}", f"Lamps {number}", is_guideline=1) for number in range(10, 27)])

    assert named(app.text("search-clinical-guidelines", query="lamps")) == [
        f"Lamps {number}" for number in range(10, 25)
    ]


@pytest.mark.fact("guidelines")
@pytest.mark.parametrize(
    ("title", "abstract", "shown"),
    [
        ("Cardiology of lamps", "None.", ("Lamp views", "Cardiology", "Systematic Review/Consensus")),
        ("Lamps", "For the heart.", ("Lamp views", "Cardiology", "Systematic Review/Consensus")),
        ("Lamps", "A tumor.", ("Lamp views", "Oncology", "Systematic Review/Consensus")),
        ("Lamps in diabetes", "None.", ("Lamp views", "Endocrinology", "Systematic Review/Consensus")),
        ("Lamps", "For children.", ("Lamp views", "Pediatrics", "Systematic Review/Consensus")),
        ("Lamps", "A psychiatric heart.", ("Lamp views", "Cardiology", "Systematic Review/Consensus")),
        ("Lamps and mental health", "None.", ("Lamp views", "Psychiatry", "Systematic Review/Consensus")),
        ("Lamps", "A Meta-Analysis and systematic review.", ("Lamp views", "General", "Meta-analysis")),
        ("A systematic review of lamps", "None.", ("Lamp views", "General", "Systematic Review")),
        ("Lamps", "By the global lamp Committee.", ("global lamp Committee", "General", "Systematic Review/Consensus")),
        ("Lamps", "By the NIH.", ("NIH", "General", "Systematic Review/Consensus")),
        (
            "Lamps",
            "Centers for Disease Control.",
            ("Centers for Disease Control", "General", "Systematic Review/Consensus"),
        ),
    ],
)
def test_who_issued_a_guideline_its_field_and_its_evidence_are_read_in_its_words(
    known: Known, title: str, abstract: str, shown: tuple[str, str, str]
) -> None:
    app = known([article("11", title, abstract, is_guideline=1)])
    organization, category, evidence = shown

    assert app.text("search-clinical-guidelines", query="lamps") == (
        '**Clinical Guidelines Search: "lamps"**\n\nFound 1 guideline(s)\n\n'
        + guideline(1, title, "11", abstract, organization=organization, category=category, evidence=evidence)
        + FRESH
    )


@pytest.mark.fact("guidelines")
@pytest.mark.parametrize(
    ("wanted", "more", "is_listed"),
    [
        ("views", {}, True),  # the journal issued it, as nobody is named
        ("LAMPS", {}, True),
        ("shade", {"abstract": "Of the shade."}, True),
        ("ada", {"abstract": "By the American Diabetes Association, and of lamps."}, True),
        ("AHA", {"title": "Lamps of the American Heart Association"}, True),
        ("acc", {"abstract": "American College of Cardiology"}, True),
        ("acp", {"abstract": "American College of Physicians"}, True),
        ("aap", {"abstract": "American Academy of Pediatrics"}, True),
        ("cdc", {"abstract": "Centers for Disease Control"}, True),
        ("views", {"abstract": "Of the World Lamp Society."}, True),
        ("aha", {"abstract": "American Diabetes Association"}, False),
        ("kettle", {}, False),
    ],
)
def test_a_filter_takes_what_names_the_organisation_in_full_or_in_short(
    known: Known, wanted: str, more: dict[str, Any], is_listed: bool
) -> None:
    row = {"title": "Lamps", "abstract": "None.", **more}
    app = known([article("11", is_guideline=1, **row)])

    found = named(app.text("search-clinical-guidelines", query="lamps", organization=wanted))

    assert found == ([row["title"]] if is_listed else [])


# -- for children ------------------------------------------------------------------------------------------------------


@pytest.mark.fact("academy")
def test_guidelines_for_children_are_listed_by_source(known: Known) -> None:
    app = known(
        [
            page(1, "bright-futures", "Lamps for 2 to 5 years", "d" * 301),
            page(2, "bright-futures", "Lamps for the Toddler"),
            page(3, "bright-futures", "Lamps for all"),
            page(4, "aap-policy", "Lamps: policy of 2019"),
            page(5, "aap-policy", "Lamps: policy 12019"),
        ]
    )
    futures = [
        ("Lamps for 2 to 5 years", "   Age Group: 2 to 5 years\n   Category: Preventive Care\n", "d" * 300, 1),
        ("Lamps for all", "   Category: Preventive Care\n", "About lamps.", 3),
        ("Lamps for the Toddler", "   Age Group: Toddler\n   Category: Preventive Care\n", "About lamps.", 2),
    ]
    policies = [
        ("Lamps: policy 12019", "   Category: Policy Statement\n", "About lamps.", 5),
        ("Lamps: policy of 2019", "   Year: 2019\n   Category: Policy Statement\n", "About lamps.", 4),
    ]

    def listed(pages: list[tuple[str, str, str, int]], *sources: str) -> str:
        return "".join(
            f"{number}. **{title}**\n{source}   Organization: American Academy of Pediatrics\n{more}"
            f"   Description: {said}\n   URL: https://aap.example/{place}\n\n"
            for number, ((title, more, said, place), source) in enumerate(
                zip(pages, sources or [""] * len(pages), strict=True), start=1
            )
        )

    def ask(source: str) -> str:
        return app.text("search-pediatric-guidelines", query="lamps", source=source)

    # By source each list is as the pages' search has it: the order below is by title's words, then by url.
    one, other, both = ask("bright-futures"), ask("aap-policy"), ask("all")

    assert sorted(named(one)) == [title for title, *_ in futures]
    assert sorted(named(other)) == [title for title, *_ in policies]
    in_order = [next(each for each in futures if each[0] == title) for title in named(one)]
    behind = [next(each for each in policies if each[0] == title) for title in named(other)]
    assert one == (
        f'**Bright Futures Guidelines: "lamps"**\n\nFound 3 guideline(s)\n\n{listed(in_order)}'
        + ADVICE.format(origin="Bright Futures guidelines are retrieved dynamically from the AAP website.")
        + FRESH
    )
    assert other == (
        f'**AAP Policy Statements: "lamps"**\n\nFound 2 policy statement(s)\n\n{listed(behind)}'
        + ADVICE.format(origin="AAP policy statements are retrieved dynamically from the AAP publications website.")
        + FRESH
    )
    sources = ["   Source: Bright Futures\n"] * 3 + ["   Source: AAP Policy Statement\n"] * 2
    whole = (
        '**AAP Guidelines Search: "lamps"**\n\nFound 5 guideline(s) total\n- 3 from Bright Futures\n'
        f"- 2 from AAP Policy Statements\n\n{listed([*in_order, *behind], *sources)}"
        + ADVICE.format(
            origin="AAP guidelines are retrieved dynamically from Bright Futures and AAP publications websites."
        )
    )
    assert both == whole + FRESH
    assert app.text("search-pediatric-guidelines", query="lamps") == f"{whole}\n\n*📦 Cached (0s old)*"
    assert app.text("search-aap-guidelines", query="lamps") == f"{whole}\n\n*📦 Cached (0s old)*"
    only = app.text("search-aap-guidelines", query="toddler")
    assert only.startswith(
        '**AAP Guidelines Search: "toddler"**\n\nFound 1 guideline(s) total\n- 1 from Bright Futures\n\n1. '
    )


@pytest.mark.fact("academy")
def test_no_guideline_for_children_is_told_by_source(known: Known) -> None:
    app = known([])
    more = "Try a different search term."

    for source, what in (
        ("bright-futures", "Bright Futures guidelines"),
        ("aap-policy", "AAP policy statements"),
        ("all", "AAP guidelines"),
    ):
        text = app.text("search-pediatric-guidelines", query="lamps", source=source)
        assert text == f'No {what} found for "lamps". {more}{FRESH}'


# -- several sources ---------------------------------------------------------------------------------------------------

DATABASES = "".join(
    f"• {name}\n"
    for name in (
        "PubMed (National Library of Medicine)",
        "Google Scholar (Academic search)",
        "Cochrane Library (Systematic reviews)",
        "ClinicalTrials.gov (Clinical trials)",
    )
)
ORIGIN = "This comprehensive search retrieves information from multiple medical databases dynamically."


def item(number: int, title: str, journal: str, year: str, url: str, **more: str) -> str:
    year, said = f"   Year: {year}\n" if year else "", more.get("abstract", "About lamps.")
    authors, cited = more.get("authors", "Ada Lovegood, Bo Li"), more.get("cited", "")
    link, abstract = f"   URL: {url}\n" if url else "", f"   Abstract: {said}\n" if said else ""
    return f"{number}. **{title}**\n   Authors: {authors}\n   Journal: {journal}\n{year}{cited}{link}{abstract}\n"


@pytest.mark.fact("databases")
def test_several_databases_are_asked_and_a_title_comes_once(known: Known) -> None:
    newest = [article(f"1{number}", f"Lamps {number}", "a" * 301, date="2025-01-01") for number in range(5)]
    app = known(
        [
            *newest,
            article("21", "Lamps of old", is_cochrane=1, date="2001-01-01"),
            article("22", "Lamps 4", is_cochrane=1, date="2002-01-01"),
            article("23", "Lamps that nobody asks for", date="2003-01-01"),
            trial("NCT1", "Lamps in a trial"),
            trial("NCT2", "lamps, of OLD!"),
        ]
    )

    assert app.text("search-medical-databases", query="lamps") == (
        '**Comprehensive Medical Database Search: "lamps"**\n\nFound 7 article(s) across multiple databases\n\n'
        + "".join(
            item(n + 1, f"Lamps {n}", "Lamp views", "2025", f"{PUBMED}/1{n}/", abstract=f"{'a' * 300}...")
            for n in range(5)
        )
        + item(6, "Lamps of old", "Cochrane Database", "", "https://www.cochranelibrary.com/cdsr/doi/10.5555/l.21/full")
        + item(7, "Lamps in a trial", "ClinicalTrials.gov", "2023-04", "https://clinicaltrials.gov/study/NCT1",
               authors="Clinical Trial", abstract="")
        + ADVICE.format(origin=f"{ORIGIN}\n\n**DYNAMIC DATA SOURCES:**\n{DATABASES}").replace(
            f"{DATABASES}\n\n", DATABASES
        )
        + FRESH
    )  # fmt: skip
    assert app.text("search-medical-databases", query="kettle") == (
        'No medical articles found for "kettle" across any databases. This could be due to no results matching your '
        f"query, database API rate limiting, or network connectivity issues.{FRESH}"
    )


@pytest.mark.fact("databases")
def test_five_of_pubmed_twenty_five_of_cochrane_and_ten_trials_make_twenty_at_most(known: Known) -> None:
    reviews = [
        article(f"{number}", f"Lamps review {number}", is_cochrane=1, date=f"20{60 - number}-01-01")
        for number in range(20, 47)
    ]
    trials = [trial(f"NCT{number}", f"Lamps trial {number}") for number in range(10, 22)]

    text = known([*reviews, *trials]).text("search-medical-databases", query="lamps")
    few = known([*reviews[:4], *trials]).text("search-medical-databases", query="lamps")

    assert named(text) == [f"Lamps review {number}" for number in range(20, 40)]
    assert named(few) == [
        *(f"Lamps review {number}" for number in range(20, 24)),
        *(f"Lamps trial {number}" for number in range(10, 20)),
    ]


@pytest.mark.fact("scholar")
def test_what_scholar_and_the_journals_never_find_is_told_in_full(known: Known) -> None:
    app = known([article("11", "Lamps")])

    assert app.text("search-google-scholar", query="lamps") == (
        'No academic articles found for "lamps". This could be due to no results matching your query, rate limiting, '
        "or network issues."
    )
    assert app.text("search-medical-journals", query="lamps") == (
        'No articles found for "lamps" in top medical journals. This could be due to no results matching your query, '
        f"journal-specific search limitations, or network connectivity issues.{FRESH}"
    )
