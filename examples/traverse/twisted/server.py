"""A server that nobody knows by heart: the memory server behind a proxy that renames it and changes its rules.

    python server.py node_modules/.bin/mcp-server-memory

Tools, arguments, members of answers and texts have other names here, and these rules are the proxy's own: labels are
stored in lower case and without spaces around them; a label has at most 24 characters; a tie needs both of its ends; a
node with ties cannot be dropped; a node has at most four remarks; a search looks at the beginnings of labels only.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

TOOLS = {
    "plant_nodes": "create_entities",
    "tie_nodes": "create_relations",
    "jot_remarks": "add_observations",
    "drop_nodes": "delete_entities",
    "strike_remarks": "delete_observations",
    "untie_nodes": "delete_relations",
    "whole_garden": "read_graph",
    "find_nodes": "search_nodes",
    "show_nodes": "open_nodes",
}
# Ours → the real server's, of arguments, members of answers and words in texts.
NAMES = {
    "nodeLabels": "entityNames",
    "nodeLabel": "entityName",
    "nodes": "entities",
    "node": "entity",
    "ties": "relations",
    "bond": "relationType",
    "addedRemarks": "addedObservations",
    "remarks": "observations",
    "jottings": "contents",
    "strikes": "deletions",
    "kind": "entityType",
    "label": "name",
    "labels": "names",
    "source": "from",
    "target": "to",
    "start": "query",
}
THEIRS = {theirs: ours for ours, theirs in NAMES.items()}
LABEL_MAX, REMARKS_MAX = 24, 4
# Members that hold a label, and lists of labels.
LABELS = frozenset({"name", "entityName", "from", "to"})
LISTS = frozenset({"entityNames", "names"})
_WORDS = re.compile("|".join(sorted((rf"\b{re.escape(each)}\b" for each in THEIRS), key=len, reverse=True)))
_SENTENCES = {
    "Entity with name (.*) not found": r"No node is called \1",
    "Entities deleted successfully": "Dropped",
    "Observations deleted successfully": "Struck",
    "Relations deleted successfully": "Untied",
}


class Refused(Exception):
    """The proxy's own rules refuse a call."""


class Real:
    """The real server."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Pass on a message; return the answer to a request."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        while "id" in message:
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
            if answer.get("id") == message["id"]:
                return answer
        return None

    def graph(self) -> dict[str, Any]:
        """Return the whole graph."""
        message = {"jsonrpc": "2.0", "id": "graph", "method": "tools/call"}
        answer = self.ask({**message, "params": {"name": "read_graph", "arguments": {}}})
        assert answer is not None
        found: dict[str, Any] = answer["result"]["structuredContent"]
        return found


def renamed(value: Any, names: dict[str, str]) -> Any:
    """Return a value with other names of members."""
    match value:
        case dict():
            return {names.get(key, key): renamed(each, names) for key, each in value.items()}
        case list():
            return [renamed(each, names) for each in value]
    return value


def tool_list(tools: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the real tools under our names and without the real descriptions."""
    names = {theirs: ours for ours, theirs in TOOLS.items()}

    def schema(value: Any) -> Any:
        match value:
            case dict():
                kept = {key: each for key, each in value.items() if key != "description" or isinstance(each, dict)}
                return {THEIRS.get(key, key): schema(each) for key, each in kept.items()}
            case list():
                return [schema(each) if not isinstance(each, str) else THEIRS.get(each, each) for each in value]
        return value

    def entry(tool: dict[str, Any]) -> dict[str, Any]:
        name = names[tool["name"]]
        own = {**tool, "name": name, "title": name.replace("_", " ").title(), "description": name.replace("_", " ")}
        return {key: schema(value) if key.endswith("Schema") else value for key, value in own.items()}

    return [entry(tool) for tool in tools]


def changed(real: Real, tool: str, arguments: Any) -> Any:
    """Return a call's arguments as the proxy's rules change them.

    Raises:
        Refused: a rule refuses the call. Arguments of wrong types are left to the real server.
    """
    if not isinstance(arguments, dict):
        return arguments
    arguments = _lowered(renamed(arguments, NAMES))
    if not _is_well_formed(tool, arguments):
        return arguments
    graph = real.graph()
    known = {each["name"] for each in graph["entities"]}
    if tool == "create_entities":
        for each in arguments["entities"]:
            if len(each["name"]) > LABEL_MAX:
                raise Refused(f"A label has at most {LABEL_MAX} characters, this one has {len(each['name'])}")
            each["observations"] = each["observations"][:REMARKS_MAX]
    if tool == "create_relations":
        for each in arguments["relations"]:
            missing = [end for end in (each["from"], each["to"]) if end not in known]
            if missing:
                raise Refused(f"Cannot tie: no node is called {' or '.join(missing)}")
    if tool == "delete_entities":
        for name in arguments["entityNames"]:
            ties = sum(name in (each["from"], each["to"]) for each in graph["relations"])
            if ties:
                raise Refused(f"{name} still has {ties} tie{'s' if ties > 1 else ''}")
    if tool == "add_observations":
        has = {each["name"]: len(each["observations"]) for each in graph["entities"]}
        for each in arguments["observations"]:
            room = REMARKS_MAX - has.get(each["entityName"], 0)
            if each["entityName"] in has and len(each["contents"]) > room:
                raise Refused(f"{each['entityName']} has room for {max(room, 0)} more")
    return arguments


def _lowered(value: Any) -> Any:
    match value:
        case dict():
            return {key: _label(each) if key in LABELS else _labels(key, each) for key, each in value.items()}
        case list():
            return [_lowered(each) for each in value]
    return value


def _labels(key: str, value: Any) -> Any:
    return [_label(each) for each in value] if key in LISTS and isinstance(value, list) else _lowered(value)


def _label(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


def _is_well_formed(tool: str, arguments: dict[str, Any]) -> bool:
    members = {
        "create_entities": ("entities", {"name": str, "entityType": str, "observations": list}),
        "create_relations": ("relations", {"from": str, "to": str, "relationType": str}),
        "add_observations": ("observations", {"entityName": str, "contents": list}),
        "delete_entities": ("entityNames", None),
    }
    if tool not in members:
        return False
    name, kinds = members[tool]
    items = arguments.get(name)
    if not isinstance(items, list):
        return False
    if kinds is None:
        return all(isinstance(each, str) for each in items)
    return all(
        isinstance(each, dict)
        and all(isinstance(each.get(key), kind) for key, kind in kinds.items())
        and all(isinstance(text, str) for part in each.values() if isinstance(part, list) for text in part)
        for each in items
    )


def answered(real: Real, message: dict[str, Any]) -> dict[str, Any] | None:
    """Return the answer to one message."""
    method, params = message.get("method"), message.get("params") or {}
    if method != "tools/call" or params.get("name") not in TOOLS:
        answer = real.ask(message)
        if answer is not None and method == "tools/list" and "result" in answer:
            answer["result"]["tools"] = tool_list(answer["result"]["tools"])
        if answer is not None and method == "initialize" and "result" in answer:
            answer["result"]["serverInfo"] = {"name": "garden", "version": "1.0.0"}
        return answer
    tool = TOOLS[params["name"]]
    try:
        given = {"arguments": changed(real, tool, params["arguments"])} if "arguments" in params else {}
    except Refused as refused:
        result = {"content": [{"type": "text", "text": str(refused)}], "isError": True}
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}
    if (
        tool == "search_nodes"
        and isinstance((asked := given.get("arguments")), dict)
        and isinstance(asked.get("query"), str)
    ):
        return _found(real, message["id"], asked["query"].lower())
    answer = real.ask({**message, "params": {**params, "name": tool, **given}})
    assert answer is not None
    return _as_ours(answer)


def _found(real: Real, message_id: Any, start: str) -> dict[str, Any]:
    graph = real.graph()
    found = [each for each in graph["entities"] if each["name"].startswith(start)]
    names = {each["name"] for each in found}
    ties = [each for each in graph["relations"] if each["from"] in names and each["to"] in names]
    body = renamed({"entities": found, "relations": ties}, THEIRS)
    text = json.dumps(body, ensure_ascii=False, indent=2)
    result = {"content": [{"type": "text", "text": text}], "structuredContent": body}
    return {"jsonrpc": "2.0", "id": message_id, "result": result}


def _as_ours(answer: dict[str, Any]) -> dict[str, Any]:
    result = answer.get("result")
    if result is None:
        return answer
    if "structuredContent" in result:
        result["structuredContent"] = _sentences(renamed(result["structuredContent"], THEIRS))
    for item in result["content"]:
        try:
            body = renamed(json.loads(item["text"]), THEIRS)
            item["text"] = json.dumps(body, ensure_ascii=False, indent=2)
        except ValueError:
            item["text"] = _sentence(item["text"], is_error=bool(result.get("isError")))
    return answer


def _sentences(value: Any) -> Any:
    if isinstance(value, dict) and isinstance(value.get("message"), str):
        return {**value, "message": _sentence(value["message"], is_error=False)}
    return value


def _sentence(text: str, *, is_error: bool) -> str:
    for theirs, ours in _SENTENCES.items():
        if re.fullmatch(theirs, text, re.DOTALL):
            return re.sub(theirs, ours, text, flags=re.DOTALL)
    if is_error and "validation error" in text:
        swapped = {theirs: ours for ours, theirs in TOOLS.items()}
        text = _WORDS.sub(lambda word: THEIRS[word[0]], text)
        for theirs, ours in swapped.items():
            text = text.replace(theirs, ours)
    return text


def main(command: list[str]) -> None:
    """Serve over stdio until the client leaves."""
    real = Real(command)
    for line in sys.stdin:
        answer = answered(real, json.loads(line))
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
