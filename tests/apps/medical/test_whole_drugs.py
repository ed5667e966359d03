"""Whole answers about drugs, on labels of our own; how they look is the running server's."""

from __future__ import annotations

import pytest

from tests.apps.medical.conftest import FRESH, Known, concept, drug
from tests.apps.medical.test_drugs import named

ADVICE = """
🚨 **CRITICAL SAFETY WARNING:**
{origin}

• No hardcoded data - all results retrieved in real-time

**ALWAYS:**
• Verify information through multiple sources
• Consult qualified healthcare professionals
• Consider publication dates and evidence quality
• Follow established clinical guidelines

**NEVER rely solely on this information for clinical decisions.**"""


@pytest.mark.fact("no-ndc")
def test_a_list_of_drugs_says_what_each_is_and_the_beginning_of_its_purpose(known: Known) -> None:
    app = known([drug("1-1", "Lumol", "lumitol", purpose=["p" * 201, "more"]), drug("1-2", "Lumol Mild", "lumitol")])

    assert app.text("search-drugs", query="lumol") == (
        '**Drug Search Results for "lumol"**\n\nFound 2 drug(s)\n\n'
        "1. **Lumol**\n   Generic Name: lumitol\n   Manufacturer: Acme Pharma\n   Route: ORAL\n"
        f"   Dosage Form: TABLET\n   Purpose: {'p' * 200}...\n   Last Updated: 20250102\n\n"
        "2. **Lumol Mild**\n   Generic Name: lumitol\n   Manufacturer: Acme Pharma\n   Route: ORAL\n"
        f"   Dosage Form: TABLET\n   Last Updated: 20250102\n\n{FRESH}"
    )


@pytest.mark.fact("names")
def test_a_word_that_is_no_name_is_told_apart_from_one_that_nothing_has(known: Known) -> None:
    app = known([])

    for term in ("medication", "Medicine", "drug", "pill", "tablet", " capsule"):
        assert app.text("search-drugs", query=term) == (
            f'No drugs found for "{term}". This appears to be a generic term rather than a specific drug name. '
            f'Please search for a specific medication name (e.g., "aspirin", "ibuprofen", "metformin").{FRESH}'
        )
    for term in ("injection", "dose", "dosage", "lumol"):
        assert app.text("search-drugs", query=term) == (
            f'No drugs found for "{term}". This medication may not be in the FDA database, or the name may be '
            f"misspelled. Please verify the drug name and try again.{FRESH}"
        )


@pytest.mark.fact("names")
@pytest.mark.parametrize(
    ("name", "is_searched"),
    [
        ("ab", False),
        ("abc", True),
        (" ab ", False),
        ("b12", True),
        ("b-12", False),
        ("b-123", True),
        ("B-12", False),
        ("a123", False),
        ("a1234", True),
        ("a-1c", True),
        ("ab12", True),
        ("Injection", False),
        ("😀a", True),  # JavaScript counts three
    ],
)
def test_short_names_and_short_ones_with_digits_are_not_searched(known: Known, name: str, is_searched: bool) -> None:
    app = known([drug("1-1", f"Lumol {name.strip()} a", "lumitol")])

    assert bool(named(app.text("search-drugs", query=name))) == is_searched


@pytest.mark.fact("drugs")
@pytest.mark.parametrize(
    ("query", "limit", "found"),
    [
        ("alphol", 10, ["Alphol Plus", "Zeta", "Beta"]),
        ("alphol", 2, ["Alphol Plus", "Zeta"]),
        ("ALPHOL  plus", 10, ["Alphol Plus"]),
        # A phrase that no label has: the first word in the brand, any other anywhere but among the substances.
        ("plus alphol", 10, ["Zeta", "Alphol Plus", "Delta"]),
        ("none alphol", 10, ["Zeta", "Alphol Plus", "Delta"]),
        ("delta none", 10, ["Delta"]),
        ("alphol none", 10, ["Alphol Plus"]),
        ("alph", 10, []),
        ("...", 10, []),
    ],
)
def test_a_name_is_looked_for_in_brands_then_generic_names_then_substances_then_by_its_words(
    known: Known, query: str, limit: int, found: list[str]
) -> None:
    app = known(
        [
            drug("1-1", "Zeta", "alphol"),
            drug("1-2", "Alphol Plus", "zetol"),
            drug("1-3", "Beta", "betol", ["BETOL", "ALPHOL"]),
            drug("1-4", "Delta", "deltol", warnings=["Not with alphol."]),
        ]
    )

    assert named(app.text("search-drugs", query=query, limit=limit)) == found


@pytest.mark.fact("drugs")
def test_a_label_whose_brand_and_generic_name_fit_is_listed_once(known: Known) -> None:
    app = known([drug("1-1", "Alphol", "alphol"), drug("1-2", "Alphol", "alphol")])

    assert named(app.text("search-drugs", query="alphol")) == ["Alphol", "Alphol"]
    assert named(app.text("search-drugs", query="alphol", limit=1)) == ["Alphol"]


@pytest.mark.fact("label")
def test_a_label_is_shown_whole_each_part_cut_and_what_has_no_heading_behind(known: Known) -> None:
    sections = {
        "set_id": "s" * 301,
        "warnings": ["w" * 801, "second"],
        "indications_and_usage": ["i" * 800],
        "package_label": ["one", "o" * 301],
    }
    app = known([drug("1-1", "Lumol", "lumitol", ["LUMITOL", "OTHER"], **sections)])

    assert app.text("get-drug-details", ndc=" 1-1 ") == (
        "**Drug Details for NDC:  1-1 **\n\n**Basic Information:**\n- Brand Name: Lumol\n- Generic Name: lumitol\n"
        "- Manufacturer: Acme Pharma\n- Route: ORAL\n- Dosage Form: TABLET\n- Active Substance: LUMITOL\n"
        f"- Last Updated: 20250102\n\n**Indications and Usage:**\n1. {'i' * 800}\n\n"
        f"**Warnings:**\n1. {'w' * 800}...\n2. second\n\n"
        f"**Additional Information:**\n- Set Id: {'s' * 300}...\n- Package Label: one\n\n{'o' * 300}...\n\n{FRESH}"
    )
    assert app.text("get-drug-details", ndc="1-2") == f"No drug found with NDC: 1-2{FRESH}"


@pytest.mark.fact("children")
def test_a_label_for_children_shows_the_first_sentence_that_speaks_of_them(known: Known) -> None:
    long = f"Children {'l' * 300}."
    app = known(
        [
            drug("1-1", "Lumol", "lumitol", purpose=["Calms", "Soothes"], warnings=["Ask first.", "No child alone. Or"],
                 dosage_and_administration=["Adults: one.", long]),
            drug("1-2", "Lumol Adult", "lumitol", purpose=["Calms"], warnings=["None."],
                 dosage_and_administration=["Adults: one."]),
            drug("1-3", "Lumol Drops", "lumitol", purpose=["For the INFANT"], warnings=["None."],
                 dosage_and_administration=["One."]),
        ]
    )  # fmt: skip

    assert app.text("search-pediatric-drugs", query="lumol") == (
        '**Pediatric Drug Search: "lumol"**\n\nFound 2 drug(s) with pediatric labeling\n\n'
        f"1. **Lumol** (lumitol)\n   Purpose: Calms, Soothes\n   Pediatric Dosing: {long[:200]}...\n"
        "   Pediatric Warnings: child alone....\n   Effective Time: 20250102\n\n"
        "2. **Lumol Drops** (lumitol)\n   Purpose: For the INFANT\n   Effective Time: 20250102\n\n"
        + ADVICE.format(origin="Pediatric drug information is retrieved dynamically from FDA database.")
        + FRESH
    )


@pytest.mark.fact("children")
@pytest.mark.parametrize(
    ("section", "word", "is_listed"),
    [
        *(("purpose", word, True) for word in ("Pediatric", "child", "infant", "neonatal")),
        *(("warnings", word, True) for word in ("pediatric", "CHILD")),
        *(("dosage_and_administration", word, True) for word in ("pediatric", "child")),
        ("warnings", "infant", False),
        ("dosage_and_administration", "neonatal", False),
        ("description", "child", False),
    ],
)
def test_a_label_is_for_children_by_the_words_of_three_sections(
    known: Known, section: str, word: str, is_listed: bool
) -> None:
    said = {"warnings": ["w"], "dosage_and_administration": ["d"], section: [f"Of the {word} there"]}
    app = known([drug("1-1", "Lumol", "lumitol", **said)])

    text = app.text("search-pediatric-drugs", query="lumol")

    assert named(text) == (["Lumol"] if is_listed else [])
    assert is_listed or text == (
        'No pediatric drugs found for "lumol". This may indicate the drug is not approved for pediatric use or lacks '
        f"pediatric labeling information.{FRESH}"
    )


@pytest.mark.fact("children")
def test_twice_as_many_labels_are_looked_at_as_are_listed(known: Known) -> None:
    def label(number: int, warnings: str) -> dict[str, object]:
        said = {"warnings": [warnings], "dosage_and_administration": ["One."]}
        return drug(f"1-{number}", f"Lumol {number}", "lumitol", **said)

    app = known([label(1, "no"), label(2, "child"), label(3, "no"), label(4, "child"), label(5, "child")])

    assert named(app.text("search-pediatric-drugs", query="lumol", limit=2)) == ["Lumol 2", "Lumol 4"]
    assert named(app.text("search-pediatric-drugs", query="lumol", limit=1)) == ["Lumol 2"]


@pytest.mark.fact("rxnorm")
def test_a_list_of_names_says_what_each_is_called_beside(known: Known) -> None:
    app = known(
        [
            concept(1, "lumitol 5 MG [Lumol]", "SBD", "Lumol 5 MG", "lumitol", "lumol"),
            concept(2, "lumitol 5 MG", "SCD", "", "lumitol"),
            concept(3, "other 5 MG", "SCD", "", "other"),
        ]
    )
    first = (
        "1. **lumitol 5 MG [Lumol]**\n   RxCUI: 701\n   Term Type: SBD\n   Language: ENG\n   Synonyms: Lumol 5 MG\n\n"
    )

    assert app.text("search-drug-nomenclature", query=" LUMITOL ") == (
        f'**RxNorm Drug Search: " LUMITOL "**\n\nFound 2 drug(s)\n\n{first}'
        f"2. **lumitol 5 MG**\n   RxCUI: 702\n   Term Type: SCD\n   Language: ENG\n\n{FRESH}"
    )
    for name in ("lumol", "lumol  5 mg", "Lumitol 5 MG [Lumol]"):
        assert app.text("search-drug-nomenclature", query=name) == (
            f'**RxNorm Drug Search: "{name}"**\n\nFound 1 drug(s)\n\n{first}{FRESH}'
        )
    assert app.text("search-drug-nomenclature", query="lum") == (
        'No drugs found in RxNorm database for "lum". Try a different search term.'
    )


@pytest.mark.fact("autumn")
def test_the_older_server_shows_three_sections_of_a_label(known: Known) -> None:
    sections = {"purpose": ["p" * 301], "warnings": ["w" * 301, "x"], "drug_interactions": ["d"], "description": ["no"]}
    app = known([drug("1-1", "Lumol", "lumitol", **sections), drug("1-2", "Other", "lumitol")], profile="paper-2025")
    head = "**Basic Information:**\n- Brand Name: {}\n- Generic Name: lumitol\n- Manufacturer: Acme Pharma\n"
    head += "- Route: ORAL\n- Dosage Form: TABLET\n- Last Updated: 20250102\n\n"

    assert app.text("get-drug-details", ndc="1-1") == (
        f"**Drug Details for NDC: 1-1**\n\n{head.format('Lumol')}**Purpose/Uses:**\n1. {'p' * 301}\n\n"
        f"**Warnings:**\n1. {'w' * 300}...\n2. x\n\n**Drug Interactions:**\n1. d\n\n"
    )
    assert app.text("get-drug-details", ndc="1-2") == f"**Drug Details for NDC: 1-2**\n\n{head.format('Other')}"
    assert app.text("get-drug-details", ndc="1-3") == "No drug found with NDC: 1-3"


@pytest.mark.fact("autumn")
def test_the_older_server_finds_drugs_by_any_word_of_the_brand_without_quotation_marks(known: Known) -> None:
    rows = [
        drug("1-1", "Lumol", "lumitol", purpose=["Calms"]),
        drug("1-2", "Other", "lumitol", warnings=["Not with lumol."]),
    ]
    app = known(rows, profile="paper-2025")

    assert app.text("search-drugs", query="lumol") == (
        '**Drug Search Results for "lumol"**\n\nFound 1 drug(s)\n\n1. **Lumol**\n   Generic Name: lumitol\n'
        "   Manufacturer: Acme Pharma\n   Route: ORAL\n   Dosage Form: TABLET\n   Purpose: Calms\n"
        "   Last Updated: 20250102\n\n"
    )
    assert named(app.text("search-drugs", query="none lumol")) == ["Lumol", "Other"]
    assert named(app.text("search-drugs", query="none lumol", limit=1)) == ["Lumol"]
    assert app.text("search-drug-nomenclature", query="lumol") == (
        'No drugs found in RxNorm database for "lumol". Try a different search term.'
    )
