"""Texts of libraries, gateways, vendors and tools, by family, each in every form in which a server may pass it on."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from farm.traverse.discriminate import Discriminator

TEXTS = Path(__file__).with_name("texts")


def texts(name: str) -> list[Any]:
    families = tomllib.loads((TEXTS / f"{name}.toml").read_text("utf-8"))
    return [
        pytest.param(text, id=f"{family}-{number}")
        for family, held in families.items()
        for number, text in enumerate(held["texts"])
    ]


def kind_of(result: dict[str, Any], **more: Any) -> str:
    return Discriminator().judge({"tool": "act", "arguments": {}, "result": result, **more}).kind


def said(text: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], **more}


def failed(text: str) -> dict[str, Any]:
    return {"error": {"code": -32603, "message": text}}


@pytest.mark.parametrize("text", texts("broken"))
def test_what_broke_behind_a_tool_is_infrastructure(text: str) -> None:
    assert kind_of(said(text, isError=True)) == "infrastructure"
    assert kind_of(failed(text)) == "infrastructure"


@pytest.mark.parametrize("text", texts("rules"))
def test_a_rule_in_the_words_of_a_failure_is_a_refusal_in_every_form(text: str) -> None:
    assert kind_of(said(text, isError=True)) == "refused"
    assert kind_of(failed(text)) == "refused"
    assert kind_of(said(text)) == "refused"


@pytest.mark.parametrize("text", texts("data"))
def test_data_that_speaks_of_failures_is_a_success(text: str) -> None:
    assert kind_of(said(text)) == "success"


BODIES = [
    ('{"message":"Endpoint request timed out"}', "infrastructure"),
    ('{"message":"Too Many Requests"}', "infrastructure"),
    ('{"status":"0","info":"INVALID_USER_KEY","infocode":"10001"}', "infrastructure"),
    ('{"code": 50001, "msg": "upstream service timeout", "data": null}', "infrastructure"),
    ('{"message":"Not Found"}', "refused"),
    ('{"data":null,"errors":[{"message":"Field x is missing"}]}', "refused"),
    ('{"code":40001,"message":"bad id","data":null}', "refused"),
    ('{"found":false,"count":0,"error":"no such row"}', "refused"),
    ('{"result":"Error: no such row"}', "refused"),
    ('{"results":[{"error":"not found"},{"error":"not found"}]}', "refused"),
    ('{"total":3,"succeeded":0,"failed":3}', "refused"),
    ('{"errno":-6,"errmsg":"no file"}', "refused"),
    ('{"success":"false","msg":"no"}', "refused"),
    ("<error>no such thing</error>", "refused"),
    ("[error] no such thing", "refused"),
    ("a.txt: Error - ENOENT: no such file\n---\nb.txt: Error - ENOENT: no such file", "refused"),
    ("Task 9 not found. Have:\n1\n2\n3\n4\n5", "refused"),
    ('{"message":"Deleted"}', "success"),
    ('{"message":"Hello there"}', "success"),
    ('{"code":0,"msg":"success","data":{}}', "success"),
    ('{"result":"fine"}', "success"),
    ('{"results":[{"error":"not found"},{"id":3}]}', "success"),
    ('{"total":3,"succeeded":2,"failed":1}', "success"),
    ('{"passed":0,"failed":3}', "success"),
    ('{"id":7,"title":"Error: x","status":"open"}', "success"),
    ('{"contains":false}', "success"),
    ('{"status":"ok","message":"queued"}', "success"),
    ('{"status":"unhealthy","reason":"db timeout"}', "success"),
    ("429", "success"),
    ("Sum: 401", "success"),
    ("error-429.txt\nfailed.md", "success"),
]


@pytest.mark.parametrize(("text", "kind"), BODIES)
def test_bodies_reports_and_bare_values(text: str, kind: str) -> None:
    assert kind_of(said(text)) == kind


def test_a_page_in_the_place_of_json_is_the_vendors_where_the_client_named_no_page() -> None:
    unreadable = said("Unexpected token '<', \"<html><bod\"... is not valid JSON", isError=True)

    assert kind_of(unreadable) == "infrastructure"
    assert kind_of(unreadable, arguments={"url": "https://x.example/a"}) == "refused"
    assert kind_of(unreadable, arguments={"text": "<html>"}, error_class="boundary") == "refused"
    assert kind_of(unreadable, arguments={"url": "https://x.example/a"}, error_class="success") == "infrastructure"


def test_a_seed_refused_without_a_reason_is_no_rule_of_the_server() -> None:
    stumbled = said("Error: Cannot read properties of undefined (reading 'city')", isError=True)

    assert kind_of(stumbled, error_class="semantic_conflict") == "refused"
    assert kind_of(stumbled, error_class="success") == "infrastructure"
    assert kind_of(said("Search failed", isError=True), error_class="success") == "infrastructure"
    assert kind_of(said("Search failed: no such index", isError=True), error_class="success") == "refused"


@pytest.mark.parametrize("unit", ["a", "a.", "Error: x ", "<h1>x</h1>", "a: error\n---\n", "1 ", "http error status "])
def test_a_huge_answer_is_judged_as_quickly_as_it_is_read(unit: str) -> None:
    # Somebody's longest value must not decide how long a pool takes; one pattern once needed minutes for such a text.
    long = unit * (300_000 // len(unit))
    began = time.process_time()
    for result in (said(long), said(long, isError=True), failed(long), said(f'{{"error": "{long}"}}')):
        kind_of(result, error_class="success")

    assert time.process_time() - began < 10
