"""The farm's own failures: one status and one code each, the same on both sides of the wire."""

from __future__ import annotations

import inspect
import json

import pytest

from farm import errors
from farm.appkit.world_spec.toml_reader import WorldError
from farm.errors import FarmError

KINDS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, FarmError)]


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_comes_back_from_the_wire_as_what_it_was(kind: type[FarmError]) -> None:
    sent = json.loads(json.dumps(kind("no app 'fax'; have slack").as_json()))

    back = FarmError.from_json(kind.status, sent)

    assert type(back) is kind
    assert str(back) == "no app 'fax'; have slack"
    assert sent == {"error": {"code": kind.code, "message": "no app 'fax'; have slack"}}


def test_no_two_errors_share_a_status_or_a_code() -> None:
    assert len({kind.status for kind in KINDS}) == len({kind.code for kind in KINDS}) == len(KINDS) > 2


def test_a_kind_of_error_that_the_wire_does_not_know_arrives_as_what_it_is_a_kind_of() -> None:
    back = FarmError.from_json(WorldError.status, WorldError("no file 'x'").as_json())

    assert type(back) is FarmError


def test_an_unknown_code_and_its_status_are_kept() -> None:
    back = FarmError.from_json(418, {"error": {"code": "teapot", "message": "short and stout"}})

    assert (type(back), back.status, back.code, str(back)) == (FarmError, 418, "teapot", "short and stout")
    assert (FarmError.status, FarmError.code) == (400, "bad_request")
