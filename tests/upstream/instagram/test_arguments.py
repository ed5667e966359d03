"""Composio's published check of arguments beside ours; the toolkit itself is hosted and can be started nowhere else."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from farm.content import load_app
from farm.testing import LocalApp
from tests.upstream.real import python_with

_PINS = ("pydantic==2.11.7", "pydantic-core==2.33.2", "annotated-types==0.7.0", "typing-extensions==4.14.1")
_NEEDS = ("--no-deps", "composio-core==0.7.22", *_PINS, "typing-inspection==0.4.1")
_WORDED = "composio/utils/pydantic.py"
# What stands in a text's, a number's, a truth value's and a list's place, fitting or not.
_ODD: dict[str, tuple[Any, ...]] = {
    "string": ("", "me", 17, 1.5, True, None, [], ["a"], {}, {"id": "1"}),
    "integer": (3, "3", " 3 ", "+3", "3.0", "ten", "", 2.0, 2.5, 1e400, 2**70, True, None, [5], {}),
    "boolean": (True, 0, 1, 2, "true", "YES", "maybe", "", 1.0, 0.5, None, [], {}),
    "array": ([], ["a", "b"], [1, 2], ["a", None, {}], [["a"]], "reach", "", {"0": "a"}, {}, 5, True, None),
}


def calls() -> list[tuple[str, dict[str, Any]]]:
    """Return each odd value once for each kind of argument, what is missing of each tool, and several at once."""
    tools = {entry["name"]: entry["inputSchema"] for entry in load_app("instagram").tool_schemas}
    made: list[tuple[str, dict[str, Any]]] = []
    asked = set[tuple[str, bool]]()
    for tool, schema in tools.items():
        required = schema.get("required", [])
        fitting = {name: ["a", "b"] if name == "children" else "1" for name in required}
        made += [(tool, {}), (tool, fitting), (tool, {**fitting, "unknown": 1}), (tool, dict.fromkeys(required))]
        made += [(tool, {name: fitting[name]}) for name in required]
        for name, said in schema["properties"].items():
            if (said["type"], name in required) not in asked:
                asked.add((said["type"], name in required))
                made += [(tool, {**fitting, name: value}) for value in _ODD[said["type"]]]
    everything = {"ig_user_id": 1, "is_carousel_item": "maybe", "caption": None, "image_url": [], "media_type": {}}
    return [*made, ("INSTAGRAM_CREATE_MEDIA_CONTAINER", everything), ("INSTAGRAM_SEND_TEXT_MESSAGE", {"text": 5})]


def test_arguments_are_refused_in_the_words_of_the_published_check(start: Callable[..., LocalApp]) -> None:
    python, asked = python_with(*_NEEDS), calls()
    (worded,) = python.parents[1].glob(f"lib/python*/site-packages/{_WORDED}")
    contract = load_app("instagram").folder / "tools.json"
    told = subprocess.run(
        [str(python), str(Path(__file__).with_name("checker.py")), str(worded), str(contract)],
        input="".join(f"{json.dumps(call)}\n" for call in asked),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    theirs = [json.loads(line) for line in told.stdout.splitlines()]

    app = start("instagram", rows=[{"table": "users", "user_id": "1", "username": "me", "person": "me"}], me="me")
    ours = [_refused(app, tool, arguments) for tool, arguments in asked]

    differing = [
        (call, real, said) for call, real, said in zip(asked, theirs, ours, strict=True) if _lines(real) != _lines(said)
    ]
    assert differing == []
    assert len(asked) > 120
    assert 40 < sum(said is None for said in theirs) < len(asked) - 60


def _refused(app: LocalApp, tool: str, arguments: dict[str, Any]) -> str | None:
    body = json.loads(app.result(tool, **arguments)["content"][0]["text"])
    error = str(body["error"])
    return error if error.startswith("Invalid request data provided") else None


def _lines(text: str | None) -> list[str] | None:
    """Return the lines of a refusal; the names that a Python set prints come in any order."""
    if text is None:
        return None
    return ["".join(sorted(line)) if line.startswith("- Following fields") else line for line in text.split("\n")]
