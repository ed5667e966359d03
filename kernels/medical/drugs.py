"""Drugs: labels as openFDA has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json
from farm.appkit.formats.javascript import js_length

from . import lookups
from .notes import cut, with_warning

Label = dict[str, Any]

_GENERIC_TERMS = ("medication", "medicine", "drug", "pill", "tablet", "capsule")
_COMMON_WORDS = (*_GENERIC_TERMS, "injection", "dose", "dosage")
_WORD = re.compile(r"[a-z0-9]+")
# The sections of a label that have a heading of their own, in the order they are shown.
_SECTIONS = {
    "indications_and_usage": "Indications and Usage",
    "purpose": "Purpose/Uses",
    "description": "Description",
    "warnings": "Warnings",
    "contraindications": "Contraindications",
    "dosage_and_administration": "Dosage and Administration",
    "adverse_reactions": "Adverse Reactions",
    "drug_interactions": "Drug Interactions",
    "use_in_specific_populations": "Use in Specific Populations",
    "overdosage": "Overdosage",
    "clinical_pharmacology": "Clinical Pharmacology",
    "nonclinical_toxicology": "Nonclinical Toxicology",
    "clinical_studies": "Clinical Studies",
    "drug_abuse_and_dependence": "Drug Abuse and Dependence",
    "storage_and_handling": "Storage and Handling",
    "patient_counseling_information": "Patient Counseling Information",
}
_SECTION_MAX, _OTHER_MAX, _PURPOSE_MAX = 800, 300, 200
_PEDIATRIC = re.compile(r"(?:pediatric|child|infant|neonatal)[^.]*(?:\.|$)", re.IGNORECASE)
_PEDIATRIC_MAX = 200


def search_drugs(ep: Episode, *, query: str, limit: int = 10) -> Result:
    """Return drugs by name. No NDC is shown, so ``get-drug-details`` needs one from elsewhere.

    Source: https://open.fda.gov/apis/drug/label/
    """
    found, footer = lookups.look_up(ep, "FDA", lambda: find_drugs(ep, query, limit), query=query, limit=limit)
    if not found:
        return _none_found(query) + footer
    return list_drugs(found, query) + footer


def _none_found(query: str) -> str:
    if query.lower().strip() in _GENERIC_TERMS:
        return (
            f'No drugs found for "{query}". This appears to be a generic term rather than a specific drug name. '
            'Please search for a specific medication name (e.g., "aspirin", "ibuprofen", "metformin").'
        )
    return (
        f'No drugs found for "{query}". This medication may not be in the FDA database, or the name may be misspelled. '
        "Please verify the drug name and try again."
    )


def list_drugs(found: Sequence[Label], query: str) -> str:
    """Return drugs as a list, each with what it is and who makes it."""
    text = f'**Drug Search Results for "{query}"**\n\nFound {len(found)} drug(s)\n\n'
    for number, label in enumerate(found, start=1):
        text += f"{number}. **{_first(label, 'brand_name')}**\n"
        text += f"   Generic Name: {_first(label, 'generic_name')}\n"
        text += f"   Manufacturer: {_first(label, 'manufacturer_name')}\n"
        text += f"   Route: {_first(label, 'route')}\n"
        text += f"   Dosage Form: {_first(label, 'dosage_form')}\n"
        if label.get("purpose"):
            text += f"   Purpose: {cut(label['purpose'][0], _PURPOSE_MAX)}\n"
        text += f"   Last Updated: {label['effective_time']}\n\n"
    return text


def get_drug_details(ep: Episode, *, ndc: str) -> Result:
    """Return one drug with every section of its label.

    Source: https://open.fda.gov/apis/drug/label/searchable-fields/
    """
    label, footer = lookups.look_up(ep, "FDA", lambda: find_drug(ep, ndc), ndc=ndc)
    if label is None:
        return f"No drug found with NDC: {ndc}{footer}"
    text = f"**Drug Details for NDC: {ndc}**\n\n{basics(label)}"
    text += f"- Active Substance: {label['openfda']['substance_name'][0]}\n"
    text += f"- Last Updated: {label['effective_time']}\n\n"
    for key, heading in _SECTIONS.items():
        if key in label:
            text += f"**{heading}:**\n"
            text += "".join(f"{n}. {cut(part, _SECTION_MAX)}\n" for n, part in enumerate(label[key], start=1))
            text += "\n"
    others = {key: part for key, part in label.items() if key not in (*_SECTIONS, "openfda", "effective_time")}
    text += "**Additional Information:**\n"
    for key, part in others.items():
        parts = part if isinstance(part, list) else [part]
        text += f"- {key.replace('_', ' ').title()}: " + "\n\n".join(cut(each, _OTHER_MAX) for each in parts) + "\n"
    return f"{text}\n{footer}"


def basics(label: Label) -> str:
    """Return the first lines of a drug's details."""
    shown = {
        "Brand Name": "brand_name",
        "Generic Name": "generic_name",
        "Manufacturer": "manufacturer_name",
        "Route": "route",
        "Dosage Form": "dosage_form",
    }
    return "**Basic Information:**\n" + "".join(f"- {name}: {_first(label, key)}\n" for name, key in shown.items())


def search_pediatric_drugs(ep: Episode, *, query: str, limit: int = 10) -> Result:
    """Return drugs whose label speaks of children, with the first words it has for their doses and warnings."""
    found, footer = lookups.look_up(
        ep, "PediatricDrugs", lambda: _find_pediatric(ep, query, limit), query=query, limit=limit
    )
    if not found:
        return (
            f'No pediatric drugs found for "{query}". This may indicate the drug is not approved for pediatric use or '
            f"lacks pediatric labeling information.{footer}"
        )
    text = f'**Pediatric Drug Search: "{query}"**\n\nFound {len(found)} drug(s) with pediatric labeling\n\n'
    for number, label in enumerate(found, start=1):
        text += f"{number}. **{_first(label, 'brand_name')}** ({_first(label, 'generic_name')})\n"
        if label.get("purpose"):
            text += f"   Purpose: {', '.join(label['purpose'])}\n"
        for heading, key in (("Dosing", "dosage_and_administration"), ("Warnings", "warnings")):
            said = _PEDIATRIC.search(" ".join(label[key]))
            if said:
                text += f"   Pediatric {heading}: {said[0][:_PEDIATRIC_MAX]}...\n"
        text += f"   Effective Time: {label['effective_time']}\n\n"
    return with_warning(text, "Pediatric drug information is retrieved dynamically from FDA database.") + footer


def _find_pediatric(ep: Episode, query: str, limit: int) -> list[Label]:
    return [label for label in find_drugs(ep, query, 2 * limit) if _is_pediatric(label)][:limit]


def _is_pediatric(label: Label) -> bool:
    purpose, warnings, dosage = (
        " ".join(label.get(key, ())).lower() for key in ("purpose", "warnings", "dosage_and_administration")
    )
    return any(word in purpose for word in ("pediatric", "child", "infant", "neonatal")) or any(
        word in text for text in (warnings, dosage) for word in ("pediatric", "child")
    )


def find_drugs(ep: Episode, query: str, limit: int) -> list[Label]:
    """Return labels by brand, then by generic name, then by substance, then by any of the words."""
    if not _is_drug_name(query):
        return []
    words = _WORD.findall(query.lower())
    rows = _rows(ep)
    found: dict[str, Row] = {}
    tests: tuple[Callable[[Row], bool], ...] = (
        lambda row: _holds(row["brand"], words),
        lambda row: _holds(row["generic"], words),
        lambda row: any(_holds(substance, words) for substance in parse_json(row["substances"])),
        lambda row: has_any(row, words),
    )
    for is_meant in tests:
        for row in [row for row in rows if is_meant(row)][:limit]:
            found.setdefault(row["ndc"], row)
    return [as_label(row) for row in [*found.values()][:limit]]


def find_by_brand(ep: Episode, query: str, limit: int) -> list[Label]:
    """Return labels as openFDA finds them where the brand is asked for without quotation marks."""
    words = _WORD.findall(query.lower())
    return [as_label(row) for row in [row for row in _rows(ep) if has_any(row, words)][:limit]]


def _rows(ep: Episode) -> list[Row]:
    return ep.reference.all("SELECT * FROM drugs ORDER BY ndc")


def _is_drug_name(query: str) -> bool:
    trimmed = query.strip()
    lower = trimmed.lower()
    if lower in _COMMON_WORDS or js_length(trimmed) < 3:
        return False
    if re.fullmatch(r"[a-z]+-[0-9]+", lower) or re.search(r"[0-9]{3,}", trimmed):
        return js_length(trimmed) >= 5
    return True


def _holds(text: str, words: Sequence[str]) -> bool:
    """Whether a text has the words as a phrase."""
    there = _WORD.findall(text.lower())
    return bool(words) and any(there[n : n + len(words)] == [*words] for n in range(len(there)))


def has_any(row: Row, words: Sequence[str]) -> bool:
    """Whether the first word is one of the brand's, or another stands anywhere in the label."""
    return bool(words) and (
        _holds(row["brand"], words[:1])
        or not set(words[1:]).isdisjoint(_WORD.findall(f"{row['brand']} {row['generic']} {row['sections']}".lower()))
    )


def find_drug(ep: Episode, ndc: str) -> Label | None:
    """Return the label of a product by its NDC, or None."""
    row = ep.reference.one("SELECT * FROM drugs WHERE ndc = ?", ndc.strip())
    return None if row is None else as_label(row)


def as_label(row: Row) -> Label:
    """Return a drug as openFDA gives its label."""
    return {
        **parse_json(row["sections"]),
        "effective_time": row["effective"],
        "openfda": {
            "brand_name": [row["brand"]],
            "generic_name": [row["generic"]],
            "manufacturer_name": [row["manufacturer"]],
            "product_ndc": [row["ndc"]],
            "route": [row["route"]],
            "dosage_form": [row["form"]],
            "substance_name": parse_json(row["substances"]),
        },
    }


def _first(label: Mapping[str, Any], key: str) -> str:
    return str(label["openfda"][key][0])
