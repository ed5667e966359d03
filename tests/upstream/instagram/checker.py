"""Checks arguments as Composio does: a model of each documented tool, and the published wording of what is wrong.

Arguments: the file of composio-core that words it, a tools.json. On stdin a JSON line a call, ``[tool, arguments]``; on
stdout the wording for each, or null where nothing is wrong. It runs in an environment of its own.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from typing import Any

from pydantic import BaseModel, Field, ValidationError, create_model

_TYPES: dict[str, Any] = {"string": str, "integer": int, "boolean": bool, "array": list[str]}


def model_of(tool: dict[str, Any]) -> type[BaseModel]:
    """Return the model of a tool; what need not be given and has no default is None as long as it is not given."""
    schema = tool["inputSchema"]
    fields: dict[str, Any] = {}
    for name, said in schema["properties"].items():
        default = ... if name in schema.get("required", ()) else said.get("default")
        fields[name] = (_TYPES[said["type"]], Field(default))
    return create_model(schema["title"], **fields)


def main() -> None:
    """Answer the calls."""
    worded, tools = sys.argv[1:]
    spec = importlib.util.spec_from_file_location("worded", worded)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with open(tools, encoding="utf-8") as file:
        models = {tool["name"]: model_of(tool) for tool in json.load(file)["tools"]}
    for line in sys.stdin:
        tool, arguments = json.loads(line)
        said = None
        try:
            models[tool].model_validate(arguments)
        except ValidationError as problem:
            said = module.parse_pydantic_error(problem)
        sys.stdout.write(f"{json.dumps(said)}\n")


if __name__ == "__main__":
    main()
