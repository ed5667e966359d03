"""The OpenAPI document, from which others make clients."""

from __future__ import annotations

import re

import pytest

from farm import __version__
from gateway.control import OPERATIONS, openapi

REFUSED = {
    "description": "refused",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}
TEXT = {"type": "string"}


def test_the_document_says_what_it_is_and_what_every_call_wants_and_may_be_refused_with() -> None:
    found = openapi()

    assert set(found) == {"openapi", "info", "paths", "components", "security"}
    assert found["openapi"] == "3.1.0"
    assert found["info"] == {"title": "mcp-farm control API", "version": __version__}
    assert found["components"] == {
        "schemas": {
            "Error": {
                "type": "object",
                "properties": {"error": {"type": "object", "properties": {"code": TEXT, "message": TEXT}}},
            }
        },
        "securitySchemes": {"operator": {"type": "http", "scheme": "bearer"}},
    }
    assert found["security"] == [{"operator": []}]


def test_a_call_with_a_body_names_each_key_it_takes_and_takes_no_other() -> None:
    assert openapi()["paths"]["/v1/episodes/{id}/fork"] == {
        "post": {
            "operationId": "fork",
            "summary": "Copy an episode, now or at a snapshot.",
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": TEXT}],
            "responses": {"201": {"description": "done"}, "default": REFUSED},
            "requestBody": {
                "content": {
                    "application/json": {
                        "schema": {
                            "type": "object",
                            "properties": {"snapshot": {}, "count": {}},
                            "additionalProperties": False,
                        }
                    }
                }
            },
        }
    }


def test_a_call_that_reads_names_what_is_in_its_path_and_in_its_query() -> None:
    assert openapi()["paths"]["/v1/episodes/{id}/state/{app}/{table}"] == {
        "get": {
            "operationId": "state",
            "summary": "Rows of one table.",
            "parameters": [
                *({"name": name, "in": "path", "required": True, "schema": TEXT} for name in ("id", "app", "table")),
                *({"name": name, "in": "query", "schema": TEXT} for name in ("at", "after", "limit")),
            ],
            "responses": {"200": {"description": "done"}, "default": REFUSED},
        }
    }


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_call_is_there_under_its_method_with_others_of_its_path(name: str) -> None:
    call, found = OPERATIONS[name], openapi()["paths"]

    assert found[call.path][call.method.lower()]["operationId"] == name
    assert len(found[call.path]) == sum(each.path == call.path for each in OPERATIONS.values())
    assert re.fullmatch(r"/v1/[\w/{}]+", call.path)
