"""The server as it was in October 2025 (commit cbc0530): no cache, plainer answers, Google Scholar's results.

Each handler differs from the one of the same name in its file; what they share, they share.
"""

from __future__ import annotations

import re
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json
from farm.appkit.formats.javascript import js_number_text
from farm.appkit.formats.times import js_iso

from . import articles, databases, drugs, errors, guidelines, nomenclature, search, statistics
from .notes import cut, with_warning

_SECTIONS = {"purpose": "Purpose/Uses", "warnings": "Warnings", "drug_interactions": "Drug Interactions"}
_SECTION_MAX = 300

# -- drugs ------------------------------------------------------------------------------------------------------------


def search_drugs(ep: Episode, *, query: str, limit: int = 10) -> Result:
    """Return drugs by brand.

    Raises:
        NotFound: openFDA has none, which it says with a status that the server takes for a failure.
    """
    found = drugs.find_by_brand(ep, query, limit)
    if not found:
        raise errors.NotFound
    return drugs.list_drugs(found, query)


def get_drug_details(ep: Episode, *, ndc: str) -> Result:
    """Return one drug with three sections of its label."""
    label = drugs.find_drug(ep, ndc)
    if label is None:
        return f"No drug found with NDC: {ndc}"
    text = f"**Drug Details for NDC: {ndc}**\n\n{drugs.basics(label)}- Last Updated: {label['effective_time']}\n\n"
    for key, heading in _SECTIONS.items():
        if key in label:
            parts = label[key] if key == "purpose" else [cut(part, _SECTION_MAX) for part in label[key]]
            text += f"**{heading}:**\n" + "".join(f"{n}. {part}\n" for n, part in enumerate(parts, start=1)) + "\n"
    return text


def search_drug_nomenclature(ep: Episode, *, query: str) -> Result:
    """Return the drugs that have this ingredient or brand."""
    return nomenclature.list_concepts(nomenclature.find_concepts(ep, query), query)


# -- statistics -------------------------------------------------------------------------------------------------------

_UNITS = (
    ("life expectancy", "years", " years"),
    ("mortality", "per 1000 population", " per 1000"),
    ("prevalence", "%", "%"),
    ("incidence", "per 100,000 population", " per 100,000"),
)


def get_health_statistics(ep: Episode, *, indicator: str, country: str | None = None, limit: int = 10) -> Result:
    """Return the newest figure of each country, with a unit that is guessed from the indicator's name."""
    found: list[str] = []
    for each in statistics.find_indicators(ep, indicator):
        if country and "'" in country:
            found.append(_render_observation(country, "Unknown", "0", "Data not available", "0", js_iso(ep.now_ms)))
            continue
        newest: dict[str, Row] = {}
        for row in statistics.observations(ep, each["code"], country, 50):
            if row["country"] not in newest or row["year"] > newest[row["country"]]["year"]:
                newest[row["country"]] = row
        name = each["name"].lower()
        unit, after = next(((unit, after) for word, unit, after in _UNITS if word in name), ("Unknown", ""))
        for row in newest.values():
            value = js_number_text(row["number"])
            comments = f"Unit: {unit} | Year: {row['year']}"
            found.append(
                _render_observation(row["country"], row["year"], value + after, comments, value, js_iso(ep.now_ms))
            )
    if not found:
        return statistics.none_found(indicator, country)
    text = f"**Health Statistics: {indicator}**\n\n" + (f"Country: {country}\n" if country else "")
    text += f"Found {len(found)} data points\n\n"
    return text + "".join(f"{number}. {each}" for number, each in enumerate(found[:limit], start=1))


def _render_observation(country: str, year: object, value: str, comments: str, number: str, dated: str) -> str:
    return f"**{country}** ({year})\n   Value: {value} {comments}\n   Numeric Value: {number}\n   Date: {dated}\n\n"


# -- articles ---------------------------------------------------------------------------------------------------------


def search_medical_literature(ep: Episode, *, query: str, max_results: int = 10) -> Result:
    """Return articles of PubMed, without their texts."""
    found = articles.find_articles(ep, query, max_results)
    if not found:
        return articles.none_found(query)
    text = f'**Medical Literature Search: "{query}"**\n\nFound {len(found)} article(s)\n\n'
    for number, article in enumerate(found, start=1):
        text += f"{number}. **{article['title']}**\n   Authors: {', '.join(article['authors'])}\n"
        text += f"   Journal: {article['journal']}\n   Publication Date: {article['publication_date']}\n"
        text += f"   PMID: {article['pmid']}\n   Abstract: {cut(article['abstract'], 300)}\n"
        text += f"   URL: {articles.pubmed_url(article['pmid'])}\n\n"
    return text


def get_article_details(ep: Episode, *, pmid: str) -> Result:
    """Return one article with its abstract."""
    article = articles.find_article(ep, pmid, is_full=False)
    if article is None:
        return f"No article found with PMID: {pmid}"
    return f"{articles.details(article, pmid)}\n**Abstract:**\n{article['abstract']}\n"


# -- several sources --------------------------------------------------------------------------------------------------

_SCHOLAR_PAGE = 10
_SCHOLAR_SINCE = "2020"
_SNIPPET = 180
_JOURNALS = ("NEJM", "JAMA", "Lancet", "BMJ", "Nature Medicine")
_JOURNALS_MAX = 15
_DATABASES_MAX = 20


def search_google_scholar(ep: Episode, *, query: str) -> Result:
    """Return what Google Scholar has since 2020, each result twice: its two frames are both taken for one."""
    found = _scholar(ep, query)
    if not found:
        return databases.NO_SCHOLAR.format(query=query)
    text = f'**Academic Research Search: "{query}"**\n\nFound {len(found)} article(s)\n\n'
    return text + databases.list_items(found)


def search_medical_databases(ep: Episode, *, query: str) -> Result:
    """Return what four sources have, each title once, at most twenty."""
    pubmed = [each for _, each in databases.pubmed_items(ep, query)]
    others = [*databases.cochrane_items(ep, query), *databases.trial_items(ep, query)]
    found = databases.each_once([*pubmed, *_scholar(ep, query), *others])[:_DATABASES_MAX]
    if not found:
        return databases.NO_DATABASES.format(query=query)
    return databases.list_databases(found, query)


def search_medical_journals(ep: Episode, *, query: str) -> Result:
    """Return what Google Scholar has of five journals, at most fifteen, each as often as it is found."""
    every = [each for journal in _JOURNALS for each in _scholar(ep, f'"{journal}" {query}')]
    found = every[:_JOURNALS_MAX]
    if not found:
        return databases.NO_JOURNALS.format(query=query)
    text = f'**Top Medical Journals Search: "{query}"**\n\n'
    text += f"Found {len(found)} article(s) from top medical journals\n\n{databases.list_items(found)}"
    sources = (
        "New England Journal of Medicine (NEJM)",
        "Journal of the American Medical Association (JAMA)",
        "The Lancet",
        "British Medical Journal (BMJ)",
        "Nature Medicine",
    )
    return with_warning(text, "This search retrieves information from top medical journals dynamically.", sources)


def _scholar(ep: Episode, query: str) -> list[dict[str, Any]]:
    columns = (*articles.COLUMNS, "abbreviation")
    rows = search.find_rows(ep, "articles", columns, query, f"date >= '{_SCHOLAR_SINCE}'")[:_SCHOLAR_PAGE]
    return [each for row in rows for each in (scholar_item(row),) * 2]


def scholar_item(row: Row) -> dict[str, Any]:
    """Return an article as Google Scholar's page of results has it."""
    names = [name.split() for name in parse_json(row["authors"])]
    authors = ", ".join(f"{name[0][0]} {name[-1]}" for name in names)
    year = row["date"][:4]
    cited = f"Cited by {row['cited']} " if row["cited"] else ""
    return {
        "title": row["title"],
        "authors": f"{authors}\u00a0- {row['abbreviation']}, {year}\u00a0- {row['host']}",
        "abstract": f"{row['abstract'][:_SNIPPET]}…",
        "journal": row["host"],
        "year": year,
        "citations": f"Save Cite {cited}Related articles All {2 + row['cited'] % 5} versions",
        "url": "",  # the server takes the heading for the link that is in it
    }


# -- guidelines and interactions --------------------------------------------------------------------------------------

_GUIDELINE_TERMS = (
    "guidelines",
    "recommendations",
    "consensus",
    "position statement",
    "evidence-based",
    "best practice",
    "American Heart Association",
    "American College of Cardiology",
    "American Diabetes Association",
    "American College of Physicians",
    "WHO guidelines",
    "CDC guidelines",
)
_ABSTRACT_SIGNS = ("guideline", "recommendation", "consensus", "position statement")
_TITLE_SIGNS = (*_ABSTRACT_SIGNS, "best practice", "evidence-based")
_BODIES = "(?:Society|Association|College|Institute|Foundation|Organization|Committee|Academy)"
_ORGANISATIONS = (
    rf"[A-Z][a-z]+ [A-Z][a-z]+ {_BODIES}",
    rf"American [A-Z][a-z]+ {_BODIES}",
    "World Health Organization|WHO",
    "Centers for Disease Control|CDC",
    "National [A-Z][a-z]+ (?:Institute|Institute of Health|Academy)",
)
_CATEGORIES = (
    ("Cardiology", "cardiology", ("cardiac", "heart")),
    ("Oncology", "oncology", ("cancer", "tumor")),
    ("Endocrinology", "diabetes", ("diabetes",)),
    ("Cardiology", "hypertension", ("hypertension", "blood pressure")),
    ("Infectious Diseases", "infectious", ("infection", "infectious")),
    ("Pediatrics", "pediatric", ("pediatric", "children")),
    ("Psychiatry", "mental", ("mental", "psychiatric")),
)
_EVIDENCE = (
    ("meta-analysis", "Meta-analysis"),
    ("systematic review", "Systematic Review"),
    ("randomized", "Randomized Controlled Trial"),
)


def search_clinical_guidelines(ep: Episode, *, query: str, organization: str | None = None) -> Result:
    """Return what twelve searches find that reads like a guideline, in the order found."""
    rows = {row["pmid"]: row for term in _GUIDELINE_TERMS for row in articles.find_rows(ep, f"{term} {query}")[:10]}
    found = []
    for row in rows.values():
        title, abstract = row["title"].lower(), row["abstract"].lower()
        if not any(sign in title for sign in _TITLE_SIGNS) and not any(sign in abstract for sign in _ABSTRACT_SIGNS):
            continue
        named = next((said for pattern in _ORGANISATIONS if (said := re.search(pattern, row["abstract"]))), None)
        issuer = named[0] if named else row["journal"]
        if organization and organization.lower() not in issuer.lower() and organization.lower() not in title:
            continue
        category = guidelines.category_of(title, abstract, _CATEGORIES)
        evidence = next((level for words, level in _EVIDENCE if words in title or words in abstract), None)
        found.append(guidelines.as_guideline(row, issuer, category, evidence or "Systematic Review/Consensus"))
    return guidelines.list_guidelines(found[:15], query, organization)


_NO_INTERACTION = ("no interaction", "safe combination", "no contraindication", "can be used together")
_SEVERITIES = (
    ("Contraindicated", ("contraindicated", "avoid")),
    ("Major", ("severe", "major")),
    ("Minor", ("minor", "mild")),
)
_EFFECTS = (
    r"(?:increased|elevated|higher)\s+(?:risk\s+of\s+)?[^.]{10,100}",
    r"(?:decreased|reduced|lower)\s+(?:risk\s+of\s+)?[^.]{10,100}",
    r"(?:may\s+cause|can\s+cause|leads\s+to)\s+[^.]{10,100}",
    r"(?:result\s+in|results\s+in)\s+[^.]{10,100}",
    r"(?:associated\s+with|linked\s+to)\s+[^.]{10,100}",
)
_ADVICE = tuple(
    rf"(?:{verb})\s+[^.]{{10,100}}"
    for verb in (
        "monitor|monitoring",
        "avoid|avoiding",
        "adjust|adjusting",
        "reduce|reducing",
        "consider|considering",
        "recommend|recommended",
    )
)


def check_drug_interactions(ep: Episode, *, drug1: str, drug2: str) -> Result:
    """Return what the first article says that names both drugs and an interaction."""
    for term in ("interaction", "contraindication", "adverse"):
        for row in articles.find_rows(ep, f'"{drug1}" AND "{drug2}" AND "{term}"')[:3]:
            abstract = row["abstract"].lower()
            if ("interaction" in abstract or "contraindication" in abstract) and not any(
                words in abstract for words in _NO_INTERACTION
            ):
                return _interaction(drug1, drug2, abstract)
    return (
        f"No significant drug interactions found between {drug1} and {drug2}. However, always consult a healthcare "
        "provider before combining medications."
    )


def _interaction(drug1: str, drug2: str, abstract: str) -> str:
    severity = next((name for name, words in _SEVERITIES if any(word in abstract for word in words)), "Moderate")
    effects = _said(_EFFECTS, abstract) or "See referenced literature for clinical effects"
    management = _said(_ADVICE, abstract) or "Consult healthcare provider before combining medications"
    return (
        f"**Drug Interaction Check: {drug1} + {drug2}**\n\nFound 1 interaction(s)\n\n"
        f"1. **{severity} Interaction**\n"
        f"   Description: Interaction between {drug1} and {drug2} - see referenced literature\n"
        f"   Clinical Effects: {effects}\n   Management: {management}\n\n"
    )


def _said(patterns: tuple[str, ...], abstract: str) -> str | None:
    """Return the first piece of a text that reads like what is looked for, if it is of a fair length."""
    for pattern in patterns:
        if said := re.search(pattern, abstract):
            piece = said[0].strip()
            if 15 < len(piece) < 150:
                return piece
    return None
