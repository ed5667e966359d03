"""Articles: PubMed's records, and the whole text of those in PubMed Central."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, Row, parse_json

from . import lookups, search
from .notes import cut, with_warning

Article = dict[str, Any]

COLUMNS = ("pmid", "title", "date", "abstract", "words", "journal")
_ABSTRACT_MAX, _FULL_TEXT_MAX = 300, 1000
_FULL_TEXTS_MAX = 3
_PEDIATRIC_JOURNALS = (
    "pediatrics",
    "jama pediatrics",
    "the journal of pediatrics",
    "pediatric research",
    "archives of disease in childhood",
    "european journal of pediatrics",
    "pediatric clinics of north america",
)


def search_medical_literature(ep: Episode, *, query: str, max_results: int = 10) -> Result:
    """Return articles of PubMed; the first three come with the beginning of their text where it is free.

    Source: https://www.ncbi.nlm.nih.gov/books/NBK25499/
    """
    asked = {"query": query, "max_results": max_results}
    found, footer = lookups.look_up(ep, "PubMed", lambda: find_articles(ep, query, max_results), **asked)
    if not found:
        return none_found(query)
    text = f'**Medical Literature Search: "{query}"**\n\nFound {len(found)} article(s)\n\n'
    for number, article in enumerate(found, start=1):
        text += _head(article, number)
        if "full_text" in article:
            text += "   **Full Text Available**\n"
            text += f"   Full Text (first 1000 chars): {cut(article['full_text'], _FULL_TEXT_MAX)}\n"
            text += "   [Full text truncated for display. Use get-article-details for complete text.]\n"
        text += _links(article)
    return text + footer


def none_found(query: str) -> str:
    """Return what is said when PubMed has nothing."""
    return f'No medical articles found for "{query}". Try different search terms or check the spelling.'


def search_pediatric_literature(ep: Episode, *, query: str, max_results: int = 10) -> Result:
    """Return articles of seven journals of pediatrics."""
    journals = ", ".join(f"'{name}'" for name in _PEDIATRIC_JOURNALS)
    found, footer = lookups.look_up(
        ep,
        "PediatricJournals",
        lambda: find_articles(ep, query, max_results, f"lower(journal) IN ({journals})"),
        query=query,
        maxResults=max_results,
    )
    if not found:
        return f'No pediatric journal articles found for "{query}". Try a different search term.{footer}'
    text = f'**Pediatric Journal Articles: "{query}"**\n\n'
    text += f"Found {len(found)} article(s) from major pediatric journals\n\n"
    text += "".join(_head(article, number) + _links(article) for number, article in enumerate(found, start=1))
    return with_warning(text, "Pediatric journal articles are retrieved dynamically from PubMed.") + footer


def _head(article: Article, number: int) -> str:
    text = f"{number}. **{article['title']}**\n   Authors: {', '.join(article['authors'])}\n"
    text += f"   Journal: {article['journal']}\n   Publication Date: {article['publication_date']}\n"
    text += f"   PMID: {article['pmid']}\n"
    if "pmc_id" in article:
        text += f"   PMC ID: {article['pmc_id']} (Full text available)\n"
    return f"{text}   Abstract: {cut(article['abstract'], _ABSTRACT_MAX)}\n"


def _links(article: Article) -> str:
    text = f"   URL: {pubmed_url(article['pmid'])}\n"
    if "pmc_id" in article:
        text += f"   Full Text: {_pmc_url(article)}\n"
    return f"{text}\n"


def get_article_details(ep: Episode, *, pmid: str) -> Result:
    """Return one article with its abstract, and its whole text where that is free."""
    article, footer = lookups.look_up(ep, "PubMed", lambda: find_article(ep, pmid), pmid=pmid)
    if article is None:
        return f"No article found with PMID: {pmid}{footer}"
    text = details(article, pmid)
    if "pmc_id" in article:
        text += f"**PMC ID:** {article['pmc_id']}\n**Full Text Available:** Yes\n"
        text += f"**Full Text URL:** {_pmc_url(article)}\n\n"
    text += f"\n**Abstract:**\n{article['abstract']}\n\n"
    if "full_text" in article:
        text += f"**Full Text:**\n{article['full_text']}\n\n"
    else:
        text += "**Note:** Full text is not available in PubMed Central. "
        text += "You may need institutional access or subscription to view the complete article.\n\n"
    return text + footer


def details(article: Article, pmid: str) -> str:
    """Return the first lines of an article's details."""
    text = f"**Article Details for PMID: {pmid}**\n\n**Title:** {article['title']}\n\n"
    text += f"**Authors:** {', '.join(article['authors'])}\n\n**Journal:** {article['journal']}\n"
    return f"{text}**Publication Date:** {article['publication_date']}\n**DOI:** {article['doi']}\n"


def find_articles(ep: Episode, query: str, most: int, where: str = "1") -> list[Article]:
    """Return articles as the server holds them, best first; full texts of the first three."""
    rows = find_rows(ep, query, where)[:most]
    return [as_article(row, is_full=n < _FULL_TEXTS_MAX) for n, row in enumerate(rows)]


def find_rows(ep: Episode, query: str, where: str = "1") -> list[Row]:
    """Return PubMed's records, best first."""
    return search.find_rows(ep, "articles", COLUMNS, query, where)


def find_article(ep: Episode, pmid: str, *, is_full: bool = True) -> Article | None:
    """Return an article by its PMID; of several between commas the first that there is."""
    for each in pmid.split(","):
        row = ep.reference.one("SELECT * FROM articles WHERE pmid = ?", each.strip())
        if row is not None:
            return as_article(row, is_full=is_full)
    return None


def as_article(row: Row, *, is_full: bool = False) -> Article:
    """Return an article as the server holds it."""
    article = {
        "pmid": row["pmid"],
        "title": row["title"],
        "abstract": row["abstract"],
        "authors": parse_json(row["authors"]),
        "journal": row["journal"],
        "publication_date": row["date"],
        "doi": row["doi"],
    }
    if row["pmc_id"] is not None:
        article["pmc_id"] = row["pmc_id"]
        if is_full:
            article["full_text"] = row["body"]
    return article


def pubmed_url(pmid: str) -> str:
    """Return the address of an article's page."""
    return f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"


def _pmc_url(article: Article) -> str:
    return f"https://www.ncbi.nlm.nih.gov/pmc/articles/PMC{article['pmc_id']}/"
