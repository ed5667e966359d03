"""Drugs: labels, by name and by NDC, and their standard names."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from farm.testing import LocalApp

Ask = Callable[..., str]


def named(text: str) -> list[str]:
    """Return the titles of a numbered list."""
    return [line.split("**")[1] for line in text.splitlines() if line[:1].isdigit() and ". **" in line]


@pytest.mark.fact("envelope")
def test_nothing_found_is_an_answer_like_any_other(medical: LocalApp) -> None:
    assert medical.result("get-drug-details", ndc="0573-0164") == {
        "content": [{"type": "text", "text": "No drug found with NDC: 0573-0164\n\n*🔄 Fresh API response*"}]
    }


@pytest.mark.fact("arguments")
def test_bad_arguments_and_unknown_tools_are_protocol_errors(medical: LocalApp) -> None:
    low = medical.result("search-drugs", query="aspirin", limit=0)["error"]
    unknown = medical.result("search_drugs", query="aspirin")["error"]

    assert low["code"] == -32602
    assert low["message"].startswith("MCP error -32602: Invalid arguments for tool search-drugs: [\n  {\n")
    assert '"Number must be greater than or equal to 1"' in low["message"]
    assert unknown == {"code": -32602, "message": "MCP error -32602: Tool search_drugs not found"}


@pytest.mark.fact("names")
@pytest.mark.parametrize(
    ("query", "said"),
    [
        (" Tablet ", "appears to be a generic term"),
        ("dosage", "may be misspelled"),
        ("ad", "may be misspelled"),
        ("b-12", "may be misspelled"),
        ("1234", "may be misspelled"),
        ("unheardofin", "may be misspelled"),
    ],
)
def test_what_is_no_drug_s_name_is_not_searched(ask: Ask, query: str, said: str) -> None:
    text = ask("search-drugs", query=query)

    assert text.startswith(f'No drugs found for "{query}". This')
    assert said in text


@pytest.mark.fact("drugs")
def test_brands_come_before_generic_names_and_each_product_once(ask: Ask) -> None:
    assert named(ask("search-drugs", query="advil")) == ["Advil"]
    assert named(ask("search-drugs", query="IBUPROFEN")) == ["Advil", "Children's Motrin"]
    assert named(ask("search-drugs", query="ibuprofen", limit=1)) == ["Advil"]
    # By one of several substances.
    assert named(ask("search-drugs", query="neomycin sulfate", limit=1)) == ["Neosporin"]
    # A phrase of no label, then any of its words.
    assert "Zyrtec" in named(ask("search-drugs", query="zyrtec unheardofin"))


@pytest.mark.fact("no-ndc")
@pytest.mark.parametrize("tool", ["search-drugs", "search-pediatric-drugs"])
def test_no_search_shows_an_ndc(ask: Ask, tool: str) -> None:
    text = ask(tool, query="epinephrine")

    assert "EpiPen" in text
    assert "NDC" not in text
    assert "98007-" not in text


@pytest.mark.fact("label")
def test_a_label_is_shown_in_the_server_s_order(medical: LocalApp, ask: Ask) -> None:
    ndc = medical.episode.reference.scalar("SELECT ndc FROM drugs WHERE brand = 'EpiPen Auto-Injector'")

    text = ask("get-drug-details", ndc=ndc)

    headings = [line for line in text.splitlines() if line.startswith("**")]
    assert headings == [
        f"**Drug Details for NDC: {ndc}**",
        "**Basic Information:**",
        "**Indications and Usage:**",
        "**Description:**",
        "**Warnings:**",
        "**Contraindications:**",
        "**Dosage and Administration:**",
        "**Adverse Reactions:**",
        "**Drug Interactions:**",
        "**Use in Specific Populations:**",
        "**Storage and Handling:**",
        "**Patient Counseling Information:**",
        "**Additional Information:**",
    ]
    assert "- Active Substance: EPINEPHRINE\n" in text
    assert "Do not refrigerate." in text
    assert "\n- Set Id: " in text


@pytest.mark.fact("children")
def test_labels_for_children_speak_of_them(ask: Ask) -> None:
    text = ask("search-pediatric-drugs", query="aspirin")

    assert "**Bayer Aspirin** (ASPIRIN)" in text
    assert "   Pediatric Warnings: children and teenagers who have or recover from chickenpox" in text
    assert text.endswith("**NEVER rely solely on this information for clinical decisions.**")
    assert ask("search-pediatric-drugs", query="glipizide").startswith('No pediatric drugs found for "glipizide". ')


@pytest.mark.fact("rxnorm")
def test_names_are_found_by_ingredient_brand_and_as_a_whole(medical: LocalApp, ask: Ask) -> None:
    by_ingredient = ask("search-drug-nomenclature", query="Ibuprofen")

    assert named(by_ingredient)[0].endswith("[Advil]")
    assert by_ingredient.index("Term Type: SBD") < by_ingredient.index("Term Type: SCD")
    assert named(ask("search-drug-nomenclature", query="advil")) == ["ibuprofen 200 MG Oral Tablet [Advil]"]
    assert named(ask("search-drug-nomenclature", query="Acetaminophen  500 mg oral tablet")) == [
        "acetaminophen 500 MG Oral Tablet"
    ]
    assert medical.text("search-drug-nomenclature", query="nothing") == (
        'No drugs found in RxNorm database for "nothing". Try a different search term.'
    )


@pytest.mark.fact("drugs")
def test_each_label_is_read_once_for_all_words(medical: LocalApp) -> None:
    started = time.process_time()
    text = medical.text("search-drugs", query=f"aspirin {' '.join(f'w{number}' for number in range(1_000))}")

    assert "Aspirin" in text
    assert time.process_time() - started < 0.25
