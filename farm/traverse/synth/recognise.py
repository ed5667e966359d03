"""Recognise the dialect of a server: which family's wording repeats its recorded refusals, letter by letter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from farm.appkit import dialects
from farm.appkit.dialects import Dialect, InvalidArgumentsError
from farm.traverse.recordings.calls import Recorded, text_of
from farm.traverse.synth.evidence import SUCCESS, Evidence

# A dialect that refuses what the server accepted is wrong, however many refusals it words right.
_WRONG_COST = 3
# Without a refusal to go by, the family follows from the library that checks.
UNKNOWN = "GenericJsonSchema()"
# How documentation names the library that answers for a server.
_NAMES = {
    "fastmcp": r"(?i:fastmcp)",
    "mcp": r"MCPServer|FastMCP|MCP Python SDK",
    "@modelcontextprotocol/sdk": r"@modelcontextprotocol/sdk|McpServer|MCP TypeScript SDK",
}


@dataclass(frozen=True)
class FoundDialect:
    """A dialect and how well it explains the recorded refusals.

    Attributes:
        source: the dialect as Python source.
        dialect: the dialect itself.
        same: the refusals that it words as the server did.
        refused: the refusals that it makes at all.
        wrong: the successes that it refuses.
    """

    source: str
    dialect: Dialect
    same: int
    refused: int
    wrong: int

    @property
    def score(self) -> int:
        """How well it fits: more is better."""
        return self.same - _WRONG_COST * self.wrong


def recognise_dialect(evidence: Evidence) -> FoundDialect:
    """Return the dialect that explains most of the recorded refusals and contradicts the fewest successes."""
    found = [measure_dialect(source, evidence) for source in candidates(evidence.libraries)]
    # Of equal ones the first: the order of candidates is from the likeliest to the last resort.
    return max(found, key=lambda each: each.score)


def documented_dialect(evidence: Evidence, documents: str) -> FoundDialect:
    """Return the dialect of the libraries that documentation names, or our own words if it names none."""
    libraries = evidence.libraries
    is_named = any(
        library in libraries and re.search(rf"(?<!\w)(?:{names})\b", documents) for library, names in _NAMES.items()
    )
    return measure_dialect(next(candidates(libraries)) if is_named else UNKNOWN, evidence)


def measure_dialect(source: str, evidence: Evidence) -> FoundDialect:
    """Return how well a dialect explains the recorded refusals."""
    calls = [each for each in evidence.seen if "silence" not in each.result]
    return _measure(source, evidence.schemas, calls)


def candidates(libraries: Mapping[str, str]) -> Iterator[str]:
    """Yield dialects as Python source, those of the server's own libraries first."""
    npm, zod = libraries.get("@modelcontextprotocol/sdk"), libraries.get("zod", "")
    python, pydantic = libraries.get("mcp"), _release(libraries.get("pydantic", "2.14"))
    if npm is not None:
        if zod.startswith("4"):
            yield f'Zod4(sdk="{npm}", zod="{zod}")'
        yield f'Zod3(sdk="{npm}")'
    if python is not None:
        if "fastmcp" in libraries:
            yield f'FastMcp(sdk="{python}", pydantic="{pydantic}")'
        yield f'Pydantic(sdk="{python}", pydantic="{pydantic}")'
        yield f'Jsonschema(sdk="{python}")'
        yield f'Unchecked(sdk="python {python}")'
    if npm is not None:
        yield f'Unchecked(sdk="typescript {npm}")'
    yield from ("Zod4()", "Zod3()", "FastMcp()", "Pydantic()", "Jsonschema()", "GoSdk()", "McpGo()", "Composio()")
    yield UNKNOWN


def _release(version: str) -> str:
    return ".".join(version.split(".")[:2])


def build(source: str) -> Dialect:
    """Return the dialect of a Python source that ``candidates`` made."""
    names = {name: getattr(dialects, name) for name in dialects.__all__}
    found: Dialect = eval(source, {"__builtins__": {}}, names)
    return found


def _measure(source: str, schemas: Mapping[str, Mapping[str, Any]], calls: Sequence[Recorded]) -> FoundDialect:
    dialect = build(source)
    checks = {tool: dialect.compile(tool, schema) for tool, schema in schemas.items()}
    same = refused = wrong = 0
    for call in calls:
        said = refusal_of(dialect, checks.get(call.tool), call)
        if said is None:
            continue
        refused += 1
        if call.verdict == SUCCESS:
            wrong += 1
        elif is_same(said, call.result):
            same += 1
    return FoundDialect(source, dialect, same, refused, wrong)


def refusal_of(dialect: Dialect, check: Any, call: Recorded) -> InvalidArgumentsError | None:
    """Return the refusal with which a dialect answers a call's arguments, or None if it lets the call through."""
    request = call.request
    if request.arguments is None and not request.omits_arguments and (refused := dialect.null_arguments()) is not None:
        return refused
    if check is None:
        return dialect.unknown_tool(call.tool, request.arguments)
    try:
        check(None if request.omits_arguments else request.arguments)
    except InvalidArgumentsError as refused:
        return refused
    return None


def is_same(said: InvalidArgumentsError, result: Mapping[str, Any]) -> bool:
    """Return whether a dialect's refusal is the recorded one: the same text, as the same kind of answer."""
    if text_of(result) != said.message:
        return False
    if "error" in result:
        return bool(result["error"]["code"] == said.code)
    return said.code is None and result.get("isError") == said.is_error
