"""The server as it was in October 2025, as far as it differs."""

from __future__ import annotations

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.medical.test_drugs import named


@pytest.mark.fact("autumn")
def test_nothing_is_cached_and_no_answer_says_so(autumn: LocalApp) -> None:
    first = autumn.text("search-medical-literature", query="sleep")

    assert autumn.text("search-medical-literature", query="sleep") == first
    assert "API response" not in first
    assert "Full Text" not in first
    assert autumn.changes() == {}


@pytest.mark.fact("autumn")
def test_a_brand_that_is_none_is_told_as_an_error_that_looks_like_an_answer(autumn: LocalApp) -> None:
    with pytest.raises(VendorError) as refused:
        autumn.text("search-drugs", query="ibuprofen")

    assert refused.value.code == 404
    assert autumn.result("search-drugs", query="ibuprofen") == {
        "content": [{"type": "text", "text": "Error searching drugs: Not Found"}]
    }
    assert named(autumn.text("search-drugs", query="advil")) == ["Advil"]


@pytest.mark.fact("autumn")
def test_google_scholar_gives_each_result_twice_and_its_host_for_the_journal(autumn: LocalApp) -> None:
    text = autumn.text("search-google-scholar", query="melatonin gummies")

    assert named(text) == ["Labelled and measured melatonin in sold gummies"] * 2
    assert "   Authors: A Bergstromer, A Delacourtine\u00a0- JAMA, 2022\u00a0- jamanetwork.example\n" in text
    assert "   Journal: jamanetwork.example\n" in text
    assert "   Citations: Save Cite " in text
    assert "   URL: " not in text
    assert named(autumn.text("search-medical-journals", query="melatonin gummies")) == named(text)


@pytest.mark.fact("autumn")
def test_statistics_are_the_newest_of_each_country_with_a_guessed_unit(autumn: LocalApp) -> None:
    text = autumn.text("get-health-statistics", indicator="Adult mortality", country="SWE", limit=3)

    assert text.startswith(
        "**Health Statistics: Adult mortality**\n\nCountry: SWE\nFound 1 data points\n\n1. **SWE** (2021)\n"
    )
    # The indicator is of those between 15 and 60; the unit is guessed from «mortality».
    assert " per 1000 Unit: per 1000 population | Year: 2021\n" in text


@pytest.mark.fact("autumn")
def test_guidelines_are_whatever_twelve_searches_find_that_reads_like_one(autumn: LocalApp) -> None:
    text = autumn.text("search-clinical-guidelines", query="hypertension")

    assert "High blood pressure in adults: guideline of the American College of Pressure Medicine" in named(text)
    assert autumn.text("search-clinical-guidelines", query="xyzzy").startswith("No clinical guidelines found for")


@pytest.mark.fact("autumn")
def test_a_label_and_an_article_are_shown_in_short(autumn: LocalApp) -> None:
    ndc = autumn.episode.reference.scalar("SELECT ndc FROM drugs WHERE brand = 'Advil'")
    headings = [line for line in autumn.text("get-drug-details", ndc=ndc).splitlines() if line.startswith("**")]
    pmid = autumn.episode.reference.scalar("SELECT pmid FROM articles WHERE pmc_id IS NOT NULL ORDER BY pmid")

    assert headings[1:] == ["**Basic Information:**", "**Purpose/Uses:**", "**Warnings:**", "**Drug Interactions:**"]
    assert "PMC" not in autumn.text("get-article-details", pmid=pmid)


@pytest.mark.fact("interactions")
@pytest.mark.parametrize(
    ("one", "other", "severity"),
    [("warfarin", "ibuprofen", "Major"), ("levothyroxine", "ferrous sulfate", "Moderate")],
)
def test_an_interaction_is_as_severe_as_its_article_says(autumn: LocalApp, one: str, other: str, severity: str) -> None:
    """The server takes any ``avoid`` for a contraindication; deep_research shows the same article."""
    assert f"1. **{severity} Interaction**" in autumn.text("check-drug-interactions", drug1=one, drug2=other)


@pytest.mark.fact("interactions")
def test_drugs_interact_as_the_first_article_says(autumn: LocalApp) -> None:
    text = autumn.text("check-drug-interactions", drug1="Sertraline", drug2="tramadol")

    assert text.startswith(
        "**Drug Interaction Check: Sertraline + tramadol**\n\nFound 1 interaction(s)\n\n1. **Major Inter"
    )
    assert "   Clinical Effects: may cause severe serotonin toxicity; " in text
    assert "   Management: monitoring after each change of dose is described in all of them" in text
    assert autumn.text("check-drug-interactions", drug1="sertraline", drug2="caffeine").startswith(
        "No significant drug interactions found between sertraline and caffeine. However, "
    )
