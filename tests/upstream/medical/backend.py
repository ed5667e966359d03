"""Stand-ins for what the real server asks: openFDA, PubMed, PMC, RxNav, WHO's observatory, four sites and a registry.

They serve the rows of our reference in the shape of the real answers. Which articles are nearest to words is nobody's
to compare, so those they find as our app does; everything that is shown of them comes from the rows.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterable
from html import escape
from types import SimpleNamespace
from typing import Any

from farm.appkit.handler_api import Row, parse_json
from farm.content import kernel_module
from farm.context.reference import load_reference
from tests.upstream.real import Asked, Reply

_READ = load_reference("medicine")
_ONE_AT_A_TIME = threading.Lock()  # the real server asks several at once, and the reference has one cursor
_SEARCH = kernel_module("medical", "search")
_ARTICLE_COLUMNS = ("pmid", "title", "date", "abstract", "words", "journal")
_TRIAL_COLUMNS = ("nct_id", "title", "start", "words")
_PAGE_COLUMNS = ("place", "title", "url", "description", "words")


def _find(table: str, columns: tuple[str, ...], query: str, where: str = "1") -> list[Row]:
    found: list[Row] = _SEARCH.find_rows(SimpleNamespace(reference=_READ), table, columns, query, where)
    return found


def backend(asked: Asked) -> Reply:
    """Answer a request; its path begins with the host that it was meant for."""
    _, host, path = asked.path.split("/", 2)
    with _ONE_AT_A_TIME:
        return _HOSTS[host](path, asked)


def _json(body: Any, status: int = 200) -> Reply:
    return Reply(json.dumps(body).encode(), status)


def _xml(text: str) -> Reply:
    return Reply(f'<?xml version="1.0" ?>\n{text}'.encode(), content_type="text/xml; charset=UTF-8")


def _page(parts: Iterable[str]) -> Reply:
    return Reply(
        f"<!DOCTYPE html><html><body>{''.join(parts)}</body></html>".encode(), content_type="text/html; charset=UTF-8"
    )


# -- openFDA ----------------------------------------------------------------------------------------------------------


def _fda(_: str, asked: Asked) -> Reply:
    name, _, wanted = asked.query["search"].removeprefix("openfda.").partition(":")
    words = re.findall("[a-z0-9]+", wanted.lower())
    labels = [_label(row) for row in _READ.all("SELECT * FROM drugs ORDER BY ndc")]
    if name == "product_ndc":
        found = [each for each in labels if wanted in each["openfda"]["product_ndc"]]
    elif wanted.startswith('"'):
        found = [each for each in labels if any(_has(text, words) for text in each["openfda"][name])]
    else:
        # Only the first word belongs to the field, and any one will do.
        found = [each for each in labels if _is_meant(each, name, words)]
    if not found:
        return _json({"error": {"code": "NOT_FOUND", "message": "No matches found!"}}, 404)
    limit = int(asked.query["limit"])
    return _json({"meta": {"results": {"skip": 0, "limit": limit, "total": len(found)}}, "results": found[:limit]})


def _label(row: Row) -> dict[str, Any]:
    openfda = {"brand_name": row["brand"], "generic_name": row["generic"], "manufacturer_name": row["manufacturer"]}
    openfda |= {"product_ndc": row["ndc"], "route": row["route"], "dosage_form": row["form"]}
    shown = {**{key: [value] for key, value in openfda.items()}, "substance_name": parse_json(row["substances"])}
    return {**parse_json(row["sections"]), "effective_time": row["effective"], "openfda": shown}


def _is_meant(label: dict[str, Any], name: str, words: list[str]) -> bool:
    sections = json.dumps({key: value for key, value in label.items() if key not in ("openfda", "effective_time")})
    every = f"{label['openfda']['brand_name'][0]} {label['openfda']['generic_name'][0]} {sections}"
    first, others = words[:1], words[1:]
    return _has(label["openfda"][name][0], first) or any(_has(every, [word]) for word in others)


def _has(text: str, words: list[str]) -> bool:
    there = re.findall("[a-z0-9]+", text.lower())
    return bool(words) and any(there[n : n + len(words)] == words for n in range(len(there)))


# -- PubMed and PMC ---------------------------------------------------------------------------------------------------


def _eutils(path: str, asked: Asked) -> Reply:
    if path.endswith("esearch.fcgi"):
        found = [row["pmid"] for row in _articles(asked.query["term"])][: int(asked.query["retmax"])]
        return _json({"header": {"type": "esearch"}, "esearchresult": {"count": str(len(found)), "idlist": found}})
    records = ""
    for pmid in asked.query["id"].split(","):
        row = _READ.one("SELECT * FROM articles WHERE pmid = ?", pmid.strip())
        records += _record(row) if row else ""
    return _xml(f"<PubmedArticleSet>{records}</PubmedArticleSet>")


def _articles(term: str) -> list[Row]:
    both = re.fullmatch(r"\((.*)\) AND \((.*)\)", term, re.DOTALL)
    if both is None:
        return _find("articles", _ARTICLE_COLUMNS, term)
    query, limits = both.groups()
    if "[pt]" in limits:
        return _find("articles", _ARTICLE_COLUMNS, query, "is_guideline = 1")
    names = [part.strip().strip('"') for part in re.sub(r"\[\w+\]", "", limits).split(" OR ")]
    found = _find("articles", _ARTICLE_COLUMNS, query)
    if "[Journal]" in limits:
        return [row for row in found if row["journal"].lower() in [name.strip('"').lower() for name in names]]
    texts = [(row, f"{row['title']} {row['abstract']}".lower()) for row in found]
    return [row for row, text in texts if any(re.search(rf"\b{re.escape(name)}\b", text) for name in names)]


def _record(row: Row) -> str:
    year, month, day = row["date"].split("-")
    authors = ""
    for name in parse_json(row["authors"]):
        fore, _, last = name.rpartition(" ")
        authors += f"<Author><LastName>{last}</LastName><ForeName>{fore}</ForeName></Author>"
    pmc = f'<ArticleId IdType="pmc">PMC{row["pmc_id"]}</ArticleId>' if row["pmc_id"] else ""
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">{row["pmid"]}</PMID>'
        f"<DateRevised><Year>{year}</Year><Month>{month}</Month><Day>{day}</Day></DateRevised>"
        f'<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Internet"></JournalIssue>'
        f"<Title>{row['journal']}</Title></Journal><ArticleTitle>{row['title']}</ArticleTitle>"
        f'<ELocationID EIdType="doi" ValidYN="Y">{row["doi"]}</ELocationID>'
        f"<Abstract><AbstractText>{row['abstract']}</AbstractText></Abstract>"
        f'<AuthorList CompleteYN="Y">{authors}</AuthorList></Article></MedlineCitation>'
        f'<PubmedData><ArticleIdList><ArticleId IdType="pubmed">{row["pmid"]}</ArticleId>{pmc}</ArticleIdList>'
        "</PubmedData></PubmedArticle>"
    )


def _pmc(_: str, asked: Asked) -> Reply:
    number = asked.query["identifier"].rpartition(":")[2]
    text = _READ.scalar("SELECT body FROM articles WHERE pmc_id = ?", number)
    return _xml(f"<record><metadata><article><body>\n<sec><p>{text}</p></sec>\n</body></article></metadata></record>")


# -- RxNav and the observatory ----------------------------------------------------------------------------------------


def _rxnav(_: str, asked: Asked) -> Reply:
    name = " ".join(asked.query["name"].lower().split())
    groups: dict[str, list[dict[str, str]]] = {}
    for row in _READ.all("SELECT * FROM concepts ORDER BY place"):
        if name in (*parse_json(row["names"]), row["name"].lower(), row["synonym"].lower() or None):
            shown = {key: row[key] for key in ("rxcui", "name", "synonym", "tty")}
            shown |= {"language": "ENG", "suppress": "N", "umlscui": ""}
            groups.setdefault(row["tty"], []).append(shown)
    if not groups:
        return _json({"drugGroup": {"name": None}})
    listed = [{"tty": "BPCK"}, *({"tty": tty, "conceptProperties": found} for tty, found in groups.items())]
    return _json({"drugGroup": {"name": None, "conceptGroup": listed}})


def _observatory(path: str, asked: Asked) -> Reply:
    wanted = asked.query.get("$filter", "")
    if path == "api/Indicator":
        named = re.fullmatch(r"contains\(IndicatorName, '((?:[^']|'')*)'\)", wanted)
        coded = re.fullmatch(r"IndicatorCode eq '(\w*)'", wanted)
        if named is None and coded is None:
            return _json({"error": {"code": "", "message": "The query specified in the URI is not valid."}}, 400)
        rows = _READ.all("SELECT code, name FROM indicators ORDER BY place")
        if named:
            part = named[1].replace("''", "'").lower()
            rows = [row for row in rows if part in row["name"].lower()]
        elif coded:
            rows = [row for row in rows if row["code"] == coded[1]]
        shown = [{"IndicatorCode": row["code"], "IndicatorName": row["name"], "Language": "EN"} for row in rows]
        return _json({"value": shown})
    country = re.fullmatch(r"SpatialDim eq '([^']*)'", wanted)
    if wanted and country is None:
        return _json({"error": {"code": "", "message": "The query specified in the URI is not valid."}}, 400)
    sql = "SELECT * FROM observations WHERE code = ? ORDER BY value_id"
    rows = _READ.all(sql, path.removeprefix("api/"))
    found = [row for row in rows if country is None or row["country"] == country[1]]
    return _json({"value": [_figure(row) for row in found[: int(asked.query["$top"])]]})


def _figure(row: Row) -> dict[str, Any]:
    value = f"{row['number']:g}" if row["number"] < 100_000 else str(int(row["number"]))
    if row["low"] is not None:
        low, high = (f"{each:g}" if each < 100_000 else str(int(each)) for each in (row["low"], row["high"]))
        value += f" [{low}-{high}]"
    return {
        "Id": row["value_id"],
        "IndicatorCode": row["code"],
        "SpatialDimType": "COUNTRY",
        "SpatialDim": row["country"],
        "TimeDimType": "YEAR",
        "TimeDim": row["year"],
        "Value": value,
        "NumericValue": row["number"],
        "Low": row["low"],
        "High": row["high"],
        "Comments": None,
        "Date": "2024-08-02T10:00:00+02:00",
    }


# -- pages and the registry -------------------------------------------------------------------------------------------


def _scholar(_: str, asked: Asked) -> Reply:
    assert asked.query["as_ylo"] == "2020"
    rows = _find("articles", (*_ARTICLE_COLUMNS, "abbreviation"), asked.query["q"], "date >= '2020'")
    return _page(map(_result, rows[:10]))


def _result(row: Row) -> str:
    names = [name.split() for name in parse_json(row["authors"])]
    authors = ", ".join(f"{name[0][0]} {name[-1]}" for name in names)
    by = f"{authors}\u00a0- {row['abbreviation']}, {row['date'][:4]}\u00a0- {row['host']}"
    cited = f'<a href="/scholar?cites=1">Cited by {row["cited"]}</a> ' if row["cited"] else ""
    return (
        '<div class="gs_r gs_or gs_scl"><div class="gs_ri">'
        f'<h3 class="gs_rt"><a href="https://doi.org/{row["doi"]}">{escape(row["title"])}</a></h3>'
        f'<div class="gs_a">{escape(by)}</div><div class="gs_rs">{escape(row["abstract"][:180])}…</div>'
        f'<div class="gs_fl"><a><span>Save</span></a> <a><span>Cite</span></a> {cited}<a>Related articles</a> '
        f"<a>All {2 + row['cited'] % 5} versions</a></div></div></div>"
    )


def _cochrane(_: str, asked: Asked) -> Reply:
    rows = _find("articles", _ARTICLE_COLUMNS, asked.query["q"], "is_cochrane = 1")[:25]
    return _page(
        f'<div class="search-result-item"><h3><a href="https://www.cochranelibrary.com/cdsr/doi/{row["doi"]}/full">'
        f"{escape(row['title'])}</a></h3>"
        f'<div class="authors">{", ".join(parse_json(row["authors"]))}</div>'
        f'<div class="abstract">{escape(row["abstract"])}</div></div>'
        for row in rows
    )


def _academy(source: str) -> Callable[[str, Asked], Reply]:
    def answer(_: str, asked: Asked) -> Reply:
        rows = _find("guideline_pages", _PAGE_COLUMNS, asked.query["q"], f"source = '{source}'")
        return _page(
            f'<div class="search-result"><h3><a href="{row["url"]}">{escape(row["title"])}</a></h3>'
            f"<p>{escape(row['description'])}</p></div>"
            for row in rows
        )

    return answer


def _trials(_: str, asked: Asked) -> Reply:
    rows = _find("trials", _TRIAL_COLUMNS, asked.query["query"])[: int(asked.query["limit"])]
    return _json({"studies": [_study(row) for row in rows]})


def _study(row: Row) -> dict[str, Any]:
    sponsor = {"leadSponsor": {"name": "A sponsor", "class": "OTHER"}}
    return {
        "protocolSection": {
            "identificationModule": {"nctId": row["nct_id"], "briefTitle": row["title"]},
            "statusModule": {"startDateStruct": {"date": row["start"], "type": "ACTUAL"}},
            "sponsorCollaboratorsModule": sponsor,
            "descriptionModule": {"briefSummary": "A summary."},
        }
    }


_HOSTS: dict[str, Callable[[str, Asked], Reply]] = {
    "api.fda.gov": _fda,
    "eutils.ncbi.nlm.nih.gov": _eutils,
    "www.ncbi.nlm.nih.gov": _pmc,
    "rxnav.nlm.nih.gov": _rxnav,
    "ghoapi.azureedge.net": _observatory,
    "scholar.google.com": _scholar,
    "www.cochranelibrary.com": _cochrane,
    "brightfutures.aap.org": _academy("bright-futures"),
    "publications.aap.org": _academy("aap-policy"),
    "clinicaltrials.gov": _trials,
}
