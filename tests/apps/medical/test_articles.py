"""Articles, guidelines, and several sources at once."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest

from farm.appkit import parse_json
from farm.context.reference import load_reference
from farm.testing import LocalApp
from tests.apps.medical.test_drugs import named

Ask = Callable[..., str]


@pytest.mark.fact("literature")
def test_every_word_must_be_there_and_titles_count_most(ask: Ask) -> None:
    found = ask("search-medical-literature", query="peanuts allergy", max_results=20)

    assert found.startswith('**Medical Literature Search: "peanuts allergy"**\n\nFound ')
    assert all("eanut" in title for title in named(found)[:4])
    either = named(ask("search-medical-literature", query="(flicker[tiab] AND migraine) OR blister", max_results=20))
    assert {"Who sees flicker? Thresholds in 204 office workers", "Draining a blister or leaving it: healing time"} <= {
        *either
    }
    without = named(ask("search-medical-literature", query="melatonin NOT children", max_results=20))
    assert "Melatonin use reported by parents of 1,003 school children" not in without


@pytest.mark.fact("literature")
def test_full_texts_begin_in_the_first_three_only(medical: LocalApp, ask: Ask) -> None:
    text = ask("search-medical-literature", query="sleep", max_results=20)

    shown = text.split("\n\n")[2:]
    assert any("**Full Text Available**" in each for each in shown[:3])
    assert not any("**Full Text Available**" in each for each in shown[3:])
    assert any("(Full text available)" in each for each in shown[3:])
    assert medical.text("search-medical-literature", query="xyzzy") == (
        'No medical articles found for "xyzzy". Try different search terms or check the spelling.'
    )


@pytest.mark.fact("article")
def test_an_article_opens_by_its_pmid(medical: LocalApp, ask: Ask) -> None:
    read = medical.episode.reference.one
    free = read("SELECT * FROM articles WHERE pmc_id IS NOT NULL ORDER BY pmid LIMIT 1")
    closed = read("SELECT * FROM articles WHERE pmc_id IS NULL ORDER BY pmid LIMIT 1")
    assert free
    assert closed

    assert f"**Full Text:**\n{free['body']}\n\n" in ask("get-article-details", pmid=free["pmid"])
    assert f"\n**Abstract:**\n{closed['abstract']}\n\n**Note:** Full text is not available in" in ask(
        "get-article-details", pmid=f" {closed['pmid']}"
    )


@pytest.mark.fact("literature")
def test_pediatric_articles_are_of_seven_journals(ask: Ask) -> None:
    text = ask("search-pediatric-literature", query="sleep", max_results=20)

    journals = {line.split(": ")[1] for line in text.splitlines() if line.startswith("   Journal: ")}
    assert journals <= {
        "Pediatrics",
        "JAMA pediatrics",
        "The Journal of pediatrics",
        "Pediatric research",
        "Archives of disease in childhood",
        "European journal of pediatrics",
    }
    assert len(journals) > 2


@pytest.mark.fact("guidelines")
def test_a_guideline_is_told_by_type_words_journal_and_organisation(ask: Ask) -> None:
    text = ask("search-clinical-guidelines", query="hypertension")

    assert named(text)[0] == "High blood pressure in adults: guideline of the American College of Pressure Medicine"
    assert "   Organization: American College\n" in text
    assert "   Category: Cardiology\n   Evidence Level: Systematic Review\n" in text
    assert ask("search-clinical-guidelines", query="hypertension", organization="WHO").startswith(
        'No clinical guidelines found for "hypertension" from WHO. '
    )
    by_name = ask("search-clinical-guidelines", query="antibiotics", organization="who")
    assert "Organization Filter: who\n" in by_name
    assert "   Organization: World Health Organization\n" in by_name


@pytest.mark.fact("databases")
def test_several_databases_give_each_title_once(ask: Ask) -> None:
    titles = named(ask("search-medical-databases", query="asthma"))

    assert len(titles) == len({*titles}) > 4
    assert titles[-1] == "Reliever With Steroid in Mild Asthma in Practices"
    assert ask("search-medical-databases", query="xyzzy").startswith(
        'No medical articles found for "xyzzy" across any databases. '
    )


@pytest.mark.fact("scholar")
def test_google_scholar_never_finds_anything_today(medical: LocalApp, ask: Ask) -> None:
    assert medical.text("search-google-scholar", query="sleep").startswith('No academic articles found for "sleep". ')
    assert ask("search-medical-journals", query="sleep").startswith('No articles found for "sleep" in top medical')


@pytest.mark.fact("academy")
def test_guidelines_for_children_come_from_two_sources(ask: Ask) -> None:
    one = ask("search-pediatric-guidelines", query="sleep", source="bright-futures")
    other = ask("search-pediatric-guidelines", query="sleep", source="aap-policy")
    both = ask("search-aap-guidelines", query="sleep")

    assert named(both) == [*named(one), *named(other)]
    assert "   Age Group: Infant\n   Category: Preventive Care\n" in one
    assert "   Year: 2022\n   Category: Policy Statement\n" in other
    assert "- 3 from Bright Futures\n- 3 from AAP Policy Statements\n\n1. " in both
    for source, name in (("bright-futures", "Bright Futures"), ("aap-policy", "AAP policy"), ("all", "AAP")):
        assert ask("search-pediatric-guidelines", query="xyzzy", source=source).startswith(f"No {name} ")


@pytest.mark.fact("index")
def test_the_index_is_large_enough_and_names_no_real_article() -> None:
    read = load_reference("medicine")

    assert read.scalar("SELECT count(*) FROM drugs") >= 80
    assert read.scalar("SELECT count(*) FROM articles") >= 150
    # Numbers that nobody has given yet, and the prefix of DOIs for tests.
    strange = "NOT (pmid BETWEEN '90001000' AND '90009999') OR doi NOT LIKE '10.5555/%' OR pmc_id NOT LIKE '990%'"
    assert read.scalar(f"SELECT count(*) FROM articles WHERE {strange}") == 0
    assert read.scalar("SELECT count(*) FROM drugs WHERE ndc NOT LIKE '9800_-____'") == 0
    titles = [row["title"].lower() for row in read.all("SELECT title FROM articles UNION ALL SELECT title FROM trials")]
    assert len(titles) == len({*titles})
    assert all(parse_json(row["authors"]) for row in read.all("SELECT authors FROM articles"))


@pytest.mark.fact("literature")
@pytest.mark.parametrize("query", ["[" * 100_000, "a]" + "[" * 100_000, "word " * 2_000])
def test_a_query_is_looked_through_once(medical: LocalApp, query: str) -> None:
    started = time.process_time()
    medical.text("search-medical-literature", query=query)

    # A bracket that is never closed was once looked for from every bracket on: seconds here, and no alarm ends that.
    assert time.process_time() - started < 0.25


@pytest.mark.fact("literature")
@pytest.mark.parametrize(
    "tool", ["search-medical-literature", "search-clinical-guidelines", "search-pediatric-literature"]
)
def test_a_word_of_any_length_is_a_word_that_nothing_has(medical: LocalApp, tool: str) -> None:
    # SQLite takes no pattern of more than 50,000 bytes.
    assert "ound for" in medical.text(tool, query="a" * 60_000)
    assert "Who sees flicker?" in medical.text("search-medical-literature", query=f"{'a' * 60_000} OR flicker")


@pytest.mark.fact("literature")
def test_no_text_has_a_word_as_long_as_those_that_are_not_looked_for(medical: LocalApp) -> None:
    columns = {
        "articles": ("title", "abstract", "words", "journal", "abbreviation"),
        "guideline_pages": ("title", "url", "description", "words"),
        "trials": ("title", "words"),
    }
    for table, searched in columns.items():
        rows = medical.episode.reference.all(f"SELECT {', '.join(searched)} FROM {table} ORDER BY 1")
        words = [word for row in rows for text in row.values() for word in re.findall(r"[^\W_]+", text)]
        assert 0 < max(map(len, words)) < 200
