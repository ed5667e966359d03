"""The server of today, and as it was in October 2025."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from farm import content
from farm.appkit.schema import Schema
from farm.context.shared_start import SharedStart
from farm.context.template import build
from farm.testing import LocalApp

FRESH = "\n\n*🔄 Fresh API response*"
Ask = Callable[..., str]


@pytest.fixture
def medical(start: Callable[..., LocalApp]) -> LocalApp:
    return start("medical")


@pytest.fixture
def ask(medical: LocalApp) -> Ask:
    """Ask for something for the first time and return the answer without the line that says so."""

    def fresh(tool: str, **arguments: object) -> str:
        text = medical.text(tool, **arguments)
        assert text.endswith(FRESH)
        return text.removesuffix(FRESH)

    return fresh


@pytest.fixture
def autumn(start: Callable[..., LocalApp]) -> LocalApp:
    return start("medical", profile="paper-2025")


Known = Callable[..., LocalApp]


@pytest.fixture
def known(start: Callable[..., LocalApp], monkeypatch: pytest.MonkeyPatch) -> Known:
    """Start the server before databases that have these rows and nothing else."""

    def make(rows: Iterable[Mapping[str, Any]], **options: Any) -> LocalApp:
        schema = Schema(content.reference_metadata("medicine"))
        only = SharedStart(build(schema, rows), schema.searched)
        monkeypatch.setattr("farm.context.context.load_reference", lambda name: only)
        return start("medical", **options)

    return make


def drug(ndc: str, brand: str, generic: str, substances: Iterable[str] = (), **sections: Any) -> dict[str, Any]:
    row = {"table": "drugs", "ndc": ndc, "brand": brand, "generic": generic, "manufacturer": "Acme Pharma"}
    row |= {"route": "ORAL", "form": "TABLET", "effective": "20250102", "sections": json.dumps(sections)}
    return {**row, "substances": json.dumps([*substances] or [generic.upper()])}


def concept(place: int, name: str, tty: str, synonym: str, *names: str) -> dict[str, Any]:
    row = {"table": "concepts", "place": place, "rxcui": f"70{place}", "name": name, "tty": tty, "synonym": synonym}
    return {**row, "names": json.dumps(names)}


def article(pmid: str, title: str, abstract: str = "About lamps.", **more: Any) -> dict[str, Any]:
    row: dict[str, Any] = {
        "table": "articles",
        "pmid": pmid,
        "title": title,
        "abstract": abstract,
        "journal": "Lamp views",
    }
    row |= {"authors": json.dumps(["Ada Lovegood", "Bo Li"]), "abbreviation": "Lamp V", "date": "2024-05-06"}
    row |= {"doi": f"10.5555/l.{pmid}", "words": "", "is_guideline": 0, "is_cochrane": 0, "cited": 0}
    return {**row, "host": "lampviews.example", **more}


def trial(nct_id: str, title: str, start: str = "2023-04", words: str = "") -> dict[str, Any]:
    return {"table": "trials", "nct_id": nct_id, "title": title, "start": start, "words": words}


def page(place: int, source: str, title: str, description: str = "About lamps.") -> dict[str, Any]:
    row = {"table": "guideline_pages", "place": place, "source": source, "title": title, "words": ""}
    return {**row, "description": description, "url": f"https://aap.example/{place}"}


def indicator(place: int, code: str, name: str) -> dict[str, Any]:
    return {"table": "indicators", "place": place, "code": code, "name": name}


def figure(value_id: int, code: str, country: str, year: int, number: float, *range_: float) -> dict[str, Any]:
    row = {"table": "observations", "value_id": value_id, "code": code, "country": country, "year": year}
    return {**row, "number": number, **dict(zip(("low", "high"), range_, strict=False))}
