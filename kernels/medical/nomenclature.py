"""RxNorm: the standard names of drugs."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, parse_json

from . import lookups


def search_drug_nomenclature(ep: Episode, *, query: str) -> Result:
    """Return the drugs that have this ingredient or brand, or this very name.

    Source: https://lhncbc.nlm.nih.gov/RxNav/APIs/api-RxNorm.getDrugs.html
    """
    found, footer = lookups.look_up(ep, "RxNorm", lambda: find_concepts(ep, query), query=query)
    return list_concepts(found, query) + (footer if found else "")


def list_concepts(found: list[dict[str, Any]], query: str) -> str:
    """Return concepts as a list."""
    if not found:
        return f'No drugs found in RxNorm database for "{query}". Try a different search term.'
    text = f'**RxNorm Drug Search: "{query}"**\n\nFound {len(found)} drug(s)\n\n'
    for number, concept in enumerate(found, start=1):
        text += f"{number}. **{concept['name']}**\n   RxCUI: {concept['rxcui']}\n"
        text += f"   Term Type: {concept['tty']}\n   Language: {concept['language']}\n"
        if concept["synonym"]:
            text += f"   Synonyms: {concept['synonym'][0]}\n"
        text += "\n"
    return text


def find_concepts(ep: Episode, query: str) -> list[dict[str, Any]]:
    """Return concepts, those with a brand first."""
    name = " ".join(query.lower().split())
    rows = ep.reference.all("SELECT * FROM concepts ORDER BY place")
    return [
        {
            "rxcui": row["rxcui"],
            "name": row["name"],
            "synonym": [row["synonym"]] if row["synonym"] else [],
            "tty": row["tty"],
            "language": "ENG",
            "suppress": "N",
            "umlscui": [],
        }
        for row in rows
        if name in (*parse_json(row["names"]), row["name"].lower(), row["synonym"].lower() or None)
    ]
