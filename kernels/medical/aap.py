"""Guidelines for children: pages of Bright Futures and policy statements of the American Academy of Pediatrics."""

from __future__ import annotations

import re
from typing import Any

from farm.appkit import Episode, Result

from . import lookups, search
from .notes import with_warning

Page = dict[str, Any]

_DESCRIPTION_MAX = 300
_AGE = re.compile(
    r"\d+\s*(?:-|\s*to\s*)\s*\d+\s*(?:months?|years?|days?)|infant|toddler|preschool|school-age|adolescent",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")


def search_pediatric_guidelines(ep: Episode, *, query: str, source: str = "all") -> Result:
    """Return guidelines for children of one source or of both.

    Source: the pages' own search at https://brightfutures.aap.org and https://publications.aap.org/pediatrics
    """
    if source == "bright-futures":
        return _search_bright_futures(ep, query)
    if source == "aap-policy":
        return _search_policy_statements(ep, query)
    return search_aap_guidelines(ep, query=query)


def _search_bright_futures(ep: Episode, query: str) -> Result:
    found, footer = lookups.look_up(ep, "BrightFutures", lambda: _find(ep, "bright-futures", query), query=query)
    if not found:
        return f'No Bright Futures guidelines found for "{query}". Try a different search term.{footer}'
    text = f'**Bright Futures Guidelines: "{query}"**\n\nFound {len(found)} guideline(s)\n\n{_list(found)}'
    return with_warning(text, "Bright Futures guidelines are retrieved dynamically from the AAP website.") + footer


def _search_policy_statements(ep: Episode, query: str) -> Result:
    found, footer = lookups.look_up(ep, "AAPPolicy", lambda: _find(ep, "aap-policy", query), query=query)
    if not found:
        return f'No AAP policy statements found for "{query}". Try a different search term.{footer}'
    text = f'**AAP Policy Statements: "{query}"**\n\nFound {len(found)} policy statement(s)\n\n{_list(found)}'
    origin = "AAP policy statements are retrieved dynamically from the AAP publications website."
    return with_warning(text, origin) + footer


def search_aap_guidelines(ep: Episode, *, query: str) -> Result:
    """Return guidelines for children of both sources, told apart."""
    found, footer = lookups.look_up(
        ep,
        "AAPGuidelines",
        lambda: [*_find(ep, "bright-futures", query), *_find(ep, "aap-policy", query)],
        query=query,
    )
    if not found:
        return f'No AAP guidelines found for "{query}". Try a different search term.{footer}'
    text = f'**AAP Guidelines Search: "{query}"**\n\nFound {len(found)} guideline(s) total\n'
    for source, name in (("bright-futures", "Bright Futures"), ("aap-policy", "AAP Policy Statements")):
        if count := sum(each["source"] == source for each in found):
            text += f"- {count} from {name}\n"
    text += f"\n{_list(found, is_distinguished=True)}"
    origin = "AAP guidelines are retrieved dynamically from Bright Futures and AAP publications websites."
    return with_warning(text, origin) + footer


def _list(found: list[Page], *, is_distinguished: bool = False) -> str:
    text = ""
    for number, each in enumerate(found, start=1):
        text += f"{number}. **{each['title']}**\n"
        if is_distinguished:
            name = "Bright Futures" if each["source"] == "bright-futures" else "AAP Policy Statement"
            text += f"   Source: {name}\n"
        text += f"   Organization: {each['organization']}\n"
        for heading, key in (("Year", "year"), ("Age Group", "age_group"), ("Category", "category")):
            if each.get(key):
                text += f"   {heading}: {each[key]}\n"
        text += f"   Description: {each['description']}\n   URL: {each['url']}\n\n"
    return text


def _find(ep: Episode, source: str, query: str) -> list[Page]:
    columns = ("place", "title", "url", "description", "words")
    rows = search.find_rows(ep, "guideline_pages", columns, query, f"source = '{source}'")
    found = []
    for row in rows:
        page = {
            "title": row["title"],
            "organization": "American Academy of Pediatrics",
            "url": row["url"],
            "description": row["description"][:_DESCRIPTION_MAX],
            "source": source,
        }
        if source == "bright-futures":
            age = _AGE.search(row["title"])
            found.append({**page, "age_group": age[0] if age else "", "category": "Preventive Care"})
        else:
            year = _YEAR.search(row["title"])
            found.append({**page, "year": year[0] if year else "", "category": "Policy Statement"})
    return found
