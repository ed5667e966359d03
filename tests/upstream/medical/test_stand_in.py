"""The stand-ins for what the medical server asks, asked without it: they read our reference, which changes unseen."""

from __future__ import annotations

from farm.context.reference import load_reference
from tests.upstream.medical.backend import backend
from tests.upstream.real import by_hand


def test_they_answer_with_rows_of_the_reference() -> None:
    db = load_reference("medicine")
    drug, article = db.one("SELECT * FROM drugs ORDER BY ndc"), db.one("SELECT * FROM articles ORDER BY pmid")
    assert drug is not None
    assert article is not None

    labels = by_hand(
        backend, "GET /api.fda.gov/drug/label.json", {"search": f"openfda.product_ndc:{drug['ndc']}", "limit": "1"}
    )[1]["results"]
    eutils = "GET /eutils.ncbi.nlm.nih.gov/entrez/eutils"
    listed = by_hand(backend, f"{eutils}/esearch.fcgi", {"term": article["title"], "retmax": "20"})[1]
    record = by_hand(backend, f"{eutils}/efetch.fcgi", {"id": article["pmid"]})[1]

    assert [each["openfda"]["brand_name"] for each in labels] == [[drug["brand"]]]
    assert article["pmid"] in listed["esearchresult"]["idlist"]
    assert f">{article['pmid']}</PMID>" in record
    assert (
        by_hand(backend, "GET /api.fda.gov/drug/label.json", {"search": "openfda.product_ndc:0", "limit": "1"})[0]
        == 404
    )
