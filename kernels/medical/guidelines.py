"""Guidelines for practice: what PubMed's records say of themselves, scored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from farm.appkit import Episode, Result, Row

from . import articles, lookups

Guideline = dict[str, Any]
# Each with its word of a title and its words of an abstract.
Categories = Sequence[tuple[str, str, tuple[str, ...]]]

_LAYER_MAX = 20
_ENOUGH = 5  # with fewer of the first layer a second is asked for
_GUIDELINES_MAX = 15
_DESCRIPTION_MAX = 200
_SCORE_MIN = 2.5
_KEYWORDS = (
    "guideline",
    "recommendation",
    "consensus",
    "position statement",
    "standard of care",
    "best practice",
    "evidence-based",
    "expert consensus",
)
_SECOND_LAYER = _KEYWORDS[:5]
_JOURNALS = (
    "journal of the american",
    "new england journal",
    "lancet",
    "bmj",
    "annals of",
    "guidelines",
    "recommendations",
)
_ORGANISATIONS = (
    r"(American|European|National|International|World|Global).*?"
    r"(Association|College|Society|Academy|Institute|Foundation|Organization|Committee|Ministry)",
    r"World Health Organization|WHO",
    r"Centers for Disease Control|CDC",
    r"National Institutes of Health|NIH",
)
_SHORT_NAMES = {
    "aap": ("american academy of pediatrics", "american academy pediatric"),
    "who": ("world health organization",),
    "cdc": ("centers for disease control",),
    "aha": ("american heart association",),
    "acc": ("american college of cardiology",),
    "ada": ("american diabetes association",),
    "acp": ("american college of physicians",),
}
_CATEGORIES = (
    ("Cardiology", "cardiology", ("cardiac", "heart")),
    ("Oncology", "oncology", ("cancer", "tumor")),
    ("Endocrinology", "diabetes", ("diabetes",)),
    ("Pediatrics", "pediatric", ("pediatric", "children")),
    ("Psychiatry", "mental", ("mental", "psychiatric")),
)


def search_clinical_guidelines(ep: Episode, *, query: str, organization: str | None = None) -> Result:
    """Return what reads like a guideline, the most like one first.

    Records of that publication type come first; with fewer than five, others whose words say so are looked at, too.
    """
    asked = {"query": query, **({} if organization is None else {"organization": organization})}
    found, footer = lookups.look_up(ep, "ClinicalGuidelines", lambda: _find(ep, query, organization), **asked)
    return list_guidelines(found, query, organization) + footer


def list_guidelines(found: list[Guideline], query: str, organization: str | None) -> str:
    """Return guidelines as a list."""
    if not found:
        origin = f" from {organization}" if organization else ""
        return (
            f'No clinical guidelines found for "{query}"{origin}. Try a different search term or check if the '
            "condition has established guidelines."
        )
    text = f'**Clinical Guidelines Search: "{query}"**\n\n'
    text += f"Organization Filter: {organization}\n" if organization else ""
    text += f"Found {len(found)} guideline(s)\n\n"
    for number, each in enumerate(found, start=1):
        text += f"{number}. **{each['title']}**\n   Organization: {each['organization']}\n   Year: {each['year']}\n"
        text += f"   Category: {each['category']}\n   Evidence Level: {each['evidence_level']}\n"
        text += f"   Description: {each['description']}\n   URL: {each['url']}\n\n"
    return text


def _find(ep: Episode, query: str, organization: str | None) -> list[Guideline]:
    typed = articles.find_rows(ep, query, "is_guideline = 1")[:_LAYER_MAX]
    rows = {row["pmid"]: row for row in typed}
    if len(typed) < _ENOUGH:
        said = [row for row in articles.find_rows(ep, query) if _says(row, _SECOND_LAYER)]
        for row in said[:_LAYER_MAX]:
            rows.setdefault(row["pmid"], row)
    scored = []
    for row in rows.values():
        issuer = _organisation(row)
        if organization and not _is_from(row, issuer, organization.lower()):
            continue
        score = _score(row) + 1 + (2 if row["is_guideline"] else 0)
        if score >= _SCORE_MIN:
            scored.append((score, _guideline(row, issuer)))
    scored.sort(key=lambda each: each[0], reverse=True)
    return [guideline for _, guideline in scored[:_GUIDELINES_MAX]]


def _says(row: Row, keywords: tuple[str, ...]) -> bool:
    """Whether title or abstract have one of the keywords as words of their own."""
    text = f"{row['title']} {row['abstract']}".lower()
    return any(re.search(rf"\b{re.escape(keyword)}\b", text) for keyword in keywords)


def _organisation(row: Row) -> str:
    """Return the first organisation that an abstract seems to name, else the journal."""
    for pattern in _ORGANISATIONS:
        if named := re.search(pattern, row["abstract"], re.IGNORECASE):
            return named[0]
    return str(row["journal"])


def _is_from(row: Row, issuer: str, wanted: str) -> bool:
    issuer, title, abstract = issuer.lower(), row["title"].lower(), row["abstract"].lower()
    if any(wanted in text for text in (issuer, title, abstract, row["journal"].lower())):
        return True
    return any(name in text for name in _SHORT_NAMES.get(wanted, ()) for text in (issuer, title, abstract))


def _score(row: Row) -> float:
    title, abstract, journal = row["title"].lower(), row["abstract"].lower(), row["journal"].lower()
    said = sum(keyword in abstract for keyword in _KEYWORDS)
    return (
        (1 if any(keyword in title for keyword in _KEYWORDS) else 0)
        + (1 if any(name in journal for name in _JOURNALS) else 0)
        + min(0.5 * said, 1)
    )


def _guideline(row: Row, issuer: str) -> Guideline:
    title, abstract = row["title"].lower(), row["abstract"].lower()
    return as_guideline(row, issuer, category_of(title, abstract, _CATEGORIES), _evidence(title, abstract))


def category_of(title: str, abstract: str, categories: Categories) -> str:
    """Return the first category whose word stands in the title, or one of whose words stands in the abstract."""
    fitting = (name for name, of, words in categories if of in title or any(word in abstract for word in words))
    return next(fitting, "General")


def _evidence(title: str, abstract: str) -> str:
    for words, level in (("meta-analysis", "Meta-analysis"), ("systematic review", "Systematic Review")):
        if words in title or words in abstract:
            return level
    return "Systematic Review/Consensus"


def as_guideline(row: Row, issuer: str, category: str, evidence: str) -> Guideline:
    """Return an article as a guideline."""
    return {
        "title": row["title"],
        "organization": issuer,
        "year": row["date"][:4],
        "url": articles.pubmed_url(row["pmid"]),
        "description": f"{row['abstract'][:_DESCRIPTION_MAX]}...",
        "category": category,
        "evidence_level": evidence,
    }
