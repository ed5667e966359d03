"""Recognise the form of a server's answers: how bodies are printed, what stands beside them, how refusals are sent."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from farm.appkit.envelope import (
    JavaScriptJson,
    Json,
    Printer,
    PythonJson,
    Structured,
    by_output_schema,
    object_or_value,
)
from farm.traverse.recordings.calls import Recorded, text_of
from farm.traverse.synth.evidence import SUCCESS, Evidence
from farm.traverse.synth.recognise import FoundDialect, refusal_of

_EXECUTING = "Error executing tool {tool}: "
_PRINTERS: Mapping[str, Printer] = {
    "JavaScriptJson(indented=True)": JavaScriptJson(indented=True),
    "JavaScriptJson()": JavaScriptJson(),
    "Json(indented=True)": Json(indented=True),
    "Json()": Json(),
    "PythonJson()": PythonJson(),
    "PythonJson(indent=2)": PythonJson(indent=2),
    "PythonJson(ensure_ascii=False)": PythonJson(ensure_ascii=False),
    "PythonJson(indent=2, ensure_ascii=False)": PythonJson(indent=2, ensure_ascii=False),
    "PythonJson(indent=4)": PythonJson(indent=4),
}
_RULES: Mapping[str, Structured] = {"by_output_schema": by_output_schema, "object_or_value": object_or_value}
# A tool whose structured content no rule explains.
OWN = "own"
# Documentation that tells how to install a Python package.
_PYTHON = re.compile(r"\b(?:Python|pip|uvx?|pypi)\b")


@dataclass(frozen=True)
class AnswerForm:
    """How a server's answers look.

    Attributes:
        printer: the printer of bodies, as Python source.
        is_error: ``isError`` of successes; None if it is absent.
        structured: the envelope's rule for structured content, as Python source; None if there is none.
        beside: tool → its own ``structured=``, as Python source; ``OWN`` if its handler must give it.
        text_beside: the tools whose structured content holds the printed text, so that their handlers return texts.
        words: the template of a refusal.
        refused_is_error: ``isError`` of a refusal; None if it is absent.
        has_protocol_errors: whether the server's own code also answers with JSON-RPC errors.
        media: the tools that answer with more or other content than one text.
    """

    printer: str
    is_error: bool | None
    structured: str | None
    beside: Mapping[str, str] = field(default_factory=dict)
    text_beside: frozenset[str] = frozenset()
    words: str = "{message}"
    refused_is_error: bool | None = True
    has_protocol_errors: bool = False
    media: frozenset[str] = frozenset()

    @property
    def source(self) -> str:
        """The envelope as Python source."""
        given = [f"json={self.printer}"]
        if self.is_error is not None:
            given.append(f"is_error={self.is_error}")
        if self.structured is not None:
            given.append(f"structured={self.structured}")
        if self.words != "{message}" or self.refused_is_error is not True:
            flag = "" if self.refused_is_error is True else f", is_error={self.refused_is_error}"
            given.append(f"refusal=Worded({json.dumps(self.words)}{flag})")
        return f"Envelope({', '.join(given)})"

    def print(self, body: Any) -> str | None:
        """Return a body as the server prints it, or None if it cannot be printed."""
        return _prints(_PRINTERS.get(self.printer, Json()), body)

    @property
    def imports(self) -> tuple[str, ...]:
        """The names of ``farm.appkit`` that the source needs."""
        names = {"Envelope", self.printer.partition("(")[0]}
        names |= {self.structured} if self.structured else set()
        names |= {"Worded"} if "Worded(" in self.source else set()
        return tuple(sorted(names))


def documented_form(evidence: Evidence, documents: str) -> AnswerForm:
    """Return the form of answers that the tool list, documentation and MCP's specification lead one to expect.

    A tool with an output schema also sends structured content. Python's SDK always sends ``isError``, others only
    where it is true.
    """
    package = evidence.wire.get("package") or {}
    is_python = package.get("registry") == "pypi" or _PYTHON.search(documents) is not None
    has_output = any(tool.get("outputSchema") for tool in evidence.tools)
    return AnswerForm("Json()", False if is_python else None, "by_output_schema" if has_output else None)


def recognise_form(evidence: Evidence, dialect: FoundDialect) -> AnswerForm:
    """Return the form of a server's answers, as far as its open calls show it."""
    answered = [each for each in evidence.seen if "content" in each.result]
    successes = [each for each in answered if each.verdict == SUCCESS]
    single = [each for each in successes if _is_one_text(each.result)]
    printer = _printer([text_of(each.result) for each in single], is_javascript="mcp" not in evidence.libraries)
    structured, beside, of_text = _structured(evidence, single, _PRINTERS[printer])
    refused = _refused_by_handlers(evidence, dialect)
    words, flag = _refusals(refused)
    return AnswerForm(
        printer,
        _most(each.result.get("isError") for each in successes),
        structured,
        beside,
        of_text,
        words,
        flag,
        any("error" in each.result for each in refused),
        frozenset(each.tool for each in successes if not _is_one_text(each.result)),
    )


def _is_one_text(result: Mapping[str, Any]) -> bool:
    return len(result["content"]) == 1 and result["content"][0].get("type") == "text"


def _printer(texts: Iterable[str], *, is_javascript: bool) -> str:
    """Return the printer that prints most of the JSON texts as they were sent."""
    bodies = [(text, body) for text in texts if (body := _parsed(text)) is not None]
    order = _PRINTERS if is_javascript else {**{n: p for n, p in _PRINTERS.items() if "Java" not in n}, **_PRINTERS}
    hits = {name: sum(_prints(printer, body) == text for text, body in bodies) for name, printer in order.items()}
    return max(hits, key=hits.__getitem__)


def _prints(printer: Printer, body: Any) -> str | None:
    try:
        return printer.text(body)
    except (TypeError, ValueError):
        return None


def _parsed(text: str) -> Any:
    """Return the object or list that a text is the JSON of, or None."""
    if text[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def _structured(
    evidence: Evidence, successes: Sequence[Recorded], printer: Printer
) -> tuple[str | None, dict[str, str], frozenset[str]]:
    """Return the envelope's rule, the tools' own rules, and the tools whose structured content holds the text."""
    own: defaultdict[str, list[tuple[Any, str, Any]]] = defaultdict(list)
    for each in successes:
        text = text_of(each.result)
        parsed = _parsed(text)
        body = parsed if parsed is not None and _prints(printer, parsed) == text else text
        own[each.tool].append((body, text, each.result.get("structuredContent")))
    output = {str(tool["name"]): tool.get("outputSchema") for tool in evidence.tools}
    shown = [tool for tool, all_of in own.items() if any(beside is not None for _, _, beside in all_of)]
    if not shown:
        return None, {}, frozenset()
    hits = {name: sum(_holds(rule(output[tool]), own[tool]) for tool in own) for name, rule in _RULES.items()}
    name = max(hits, key=hits.__getitem__)
    rest = [tool for tool in own if not _holds(_RULES[name](output[tool]), own[tool])]
    found = {tool: _beside(own[tool]) for tool in rest}
    of_text = frozenset(tool for tool, (_, is_text) in found.items() if is_text)
    return name, {tool: source for tool, (source, _) in found.items()}, of_text


def _holds(structure: Callable[[Any], Any] | None, answers: Sequence[tuple[Any, str, Any]]) -> bool:
    return all((structure(body) if structure else None) == beside for body, _, beside in answers)


def _beside(answers: Sequence[tuple[Any, str, Any]]) -> tuple[str, bool]:
    """Return a tool's own rule as Python source, and whether the member holds the text."""
    first = answers[0][2]
    if not isinstance(first, dict) or any(
        not isinstance(each, dict) or set(each) != set(first) for *_, each in answers
    ):
        return OWN, False
    for name in first:
        others = {key: value for key, value in first.items() if key != name}
        if any({k: v for k, v in beside.items() if k != name} != others for *_, beside in answers):
            continue
        more = f", {others!r}" if others else ""
        if all(beside[name] == body for body, _, beside in answers):
            return f"Beside({json.dumps(name)}{more})", False
        if all(beside[name] == text for _, text, beside in answers):
            return f"Beside({json.dumps(name)}{more})", True
    return OWN, False


def _refused_by_handlers(evidence: Evidence, dialect: FoundDialect) -> list[Recorded]:
    checks = {tool: dialect.dialect.compile(tool, schema) for tool, schema in evidence.schemas.items()}
    return [
        each
        for each in evidence.seen
        if each.verdict == "refused"
        and "silence" not in each.result
        and refusal_of(dialect.dialect, checks.get(each.tool), each) is None
    ]


def _refusals(refused: Sequence[Recorded]) -> tuple[str, bool | None]:
    answers = [each for each in refused if "content" in each.result]
    if not answers:
        return "{message}", True
    is_told = all(text_of(each.result).startswith(_EXECUTING.format(tool=each.tool)) for each in answers)
    flag = _most(each.result.get("isError") for each in answers)
    return (f"{_EXECUTING}{{message}}" if is_told else "{message}"), flag


def _most(flags: Iterable[Any]) -> bool | None:
    counts = Counter(flags)
    return max(counts, key=counts.__getitem__) if counts else None
