"""Several sources at once: PubMed, Google Scholar, Cochrane and ClinicalTrials.gov, and the leading journals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json

from . import articles, lookups, search
from .notes import cut, with_warning

Found = dict[str, Any]

_ABSTRACT_MAX = 300
_PUBMED_MAX, _COCHRANE_MAX, _TRIALS_MAX = 5, 25, 10
_DATABASES_MAX = 20
DATABASES = (
    "PubMed (National Library of Medicine)",
    "Google Scholar (Academic search)",
    "Cochrane Library (Systematic reviews)",
    "ClinicalTrials.gov (Clinical trials)",
)
NO_DATABASES = (
    'No medical articles found for "{query}" across any databases. This could be due to no results matching your '
    "query, database API rate limiting, or network connectivity issues."
)
NO_JOURNALS = (
    'No articles found for "{query}" in top medical journals. This could be due to no results matching your query, '
    "journal-specific search limitations, or network connectivity issues."
)
NO_SCHOLAR = (
    'No academic articles found for "{query}". This could be due to no results matching your query, rate limiting, or '
    "network issues."
)


def search_google_scholar(ep: Episode, *, query: str) -> Result:
    """Find nothing, as the real server: what it runs in Scholar's page calls a function that is not there.

    The call fails once for every result, and each is passed over; see FIDELITY.md.
    """
    lookups.look_up(ep, "GoogleScholar", lambda: list[Found](), query=query)
    return NO_SCHOLAR.format(query=query)


def search_medical_journals(ep: Episode, *, query: str) -> Result:
    """Find nothing: the journals are asked for through Google Scholar."""
    _, footer = lookups.look_up(ep, "MedicalJournals", lambda: list[Found](), query=query)
    return NO_JOURNALS.format(query=query) + footer


def search_medical_databases(ep: Episode, *, query: str) -> Result:
    """Return what PubMed, Cochrane and ClinicalTrials.gov have, each article once, at most twenty."""
    found, footer = lookups.look_up(ep, "MedicalDatabases", lambda: _find(ep, query), query=query)
    if not found:
        return NO_DATABASES.format(query=query) + footer
    return list_databases(found, query) + footer


def _find(ep: Episode, query: str) -> list[Found]:
    pubmed = [{**each, "doi": row["doi"]} for row, each in pubmed_items(ep, query)]
    return each_once([*pubmed, *cochrane_items(ep, query), *trial_items(ep, query)])[:_DATABASES_MAX]


def pubmed_items(ep: Episode, query: str) -> list[tuple[Row, Found]]:
    """Return PubMed's first five, each with its record."""
    rows = articles.find_rows(ep, query)[:_PUBMED_MAX]
    return [(row, _of_article(row, row["journal"], row["date"][:4], articles.pubmed_url(row["pmid"]))) for row in rows]


def cochrane_items(ep: Episode, query: str) -> list[Found]:
    """Return systematic reviews as Cochrane's page of results has them: without a year."""
    rows = articles.find_rows(ep, query, "is_cochrane = 1")[:_COCHRANE_MAX]
    page = "https://www.cochranelibrary.com/cdsr/doi/{doi}/full"
    return [_of_article(row, "Cochrane Database", "", page.format(doi=row["doi"])) for row in rows]


def _of_article(row: Row, journal: str, year: str, url: str) -> Found:
    return _item(row["title"], ", ".join(parse_json(row["authors"])), row["abstract"], journal, year, url)


def trial_items(ep: Episode, query: str) -> list[Found]:
    """Return trials. The server looks for sponsor and summary where they are not, so it shows neither."""
    rows = search.find_rows(ep, "trials", ("nct_id", "title", "start", "words"), query)[:_TRIALS_MAX]
    page = "https://clinicaltrials.gov/study/{nct_id}"
    return [
        _item(row["title"], "Clinical Trial", "", "ClinicalTrials.gov", row["start"], page.format(nct_id=row["nct_id"]))
        for row in rows
    ]


def _item(title: str, authors: str, abstract: str, journal: str, year: str, url: str) -> Found:
    return {
        "title": title,
        "authors": authors,
        "abstract": abstract,
        "journal": journal,
        "year": year,
        "citations": "",
        "url": url,
    }


def each_once(found: Iterable[Found]) -> list[Found]:
    """Return each title once, the first time it comes."""
    kept: dict[str, Found] = {}
    for each in found:
        kept.setdefault(re.sub(r"[^\w\s]", "", each["title"].lower()), each)
    return [*kept.values()]


def list_databases(found: Sequence[Found], query: str) -> str:
    """Return what several databases have, with where it is from."""
    text = f'**Comprehensive Medical Database Search: "{query}"**\n\n'
    text += f"Found {len(found)} article(s) across multiple databases\n\n{list_items(found)}"
    origin = "This comprehensive search retrieves information from multiple medical databases dynamically."
    return with_warning(text, origin, DATABASES)


def list_items(found: Sequence[Found]) -> str:
    """Return articles of any source as a list; what is empty is left out."""
    text = ""
    for number, each in enumerate(found, start=1):
        text += f"{number}. **{each['title']}**\n"
        for heading, key in (
            ("Authors", "authors"),
            ("Journal", "journal"),
            ("Year", "year"),
            ("Citations", "citations"),
            ("URL", "url"),
        ):
            if each[key]:
                text += f"   {heading}: {each[key]}\n"
        if each["abstract"]:
            text += f"   Abstract: {cut(each['abstract'], _ABSTRACT_MAX)}\n"
        text += "\n"
    return text
