"""Judge whole recordings, with each trace's earlier requests and the tools' schemas."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from farm.traverse.discriminate.contents import text_of
from farm.traverse.discriminate.context import Context
from farm.traverse.discriminate.echoes import SentTexts
from farm.traverse.discriminate.phrases import CHECKER
from farm.traverse.discriminate.reasons import find_failure
from farm.traverse.discriminate.rules import discriminate
from farm.traverse.discriminate.schemas import fits_schema
from farm.traverse.discriminate.verdict import Verdict, settle

Line = Mapping[str, Any]
# Called for uncertain verdicts; returns a verdict, or None if it has none.
Opinion = Callable[[Line, Verdict], Verdict | None]

# Prefixes that a wrapper adds to a tool's exceptions; they do not show how the tool itself refuses.
_WRAPPED = ("Error executing tool", "Error calling tool")
_CHANGING = re.compile(r"\b(?=\w*\d)[\w-]+")
# After this many of a tool's own refusals with isError, a refusal without isError is not believed.
_FLAGGED_MIN = 2


class Discriminator:
    """The knowledge about one server besides a single answer: its tools, and their behaviour in a recording."""

    def __init__(self, tools: Iterable[Mapping[str, Any]] = (), opinion: Opinion | None = None) -> None:
        """Configure a server's tools.

        Args:
            tools: as ``tools/list`` has them.
            opinion: called for every uncertain verdict.
        """
        self._tools = {str(each["name"]): each for each in tools}
        self._flagged: Counter[str] = Counter()
        self._valid: dict[str, Callable[[Any], bool]] = {}
        self._fits: dict[str, Callable[[Any], bool]] = {}
        self._opinion = opinion

    def learn(self, lines: Sequence[Line]) -> None:
        """Learn from a recording which tools mark refusals by isError."""
        for line in lines:
            result = line["result"]
            if result.get("isError") and _is_own_words(text_of(result)):
                self._flagged[line["tool"]] += 1

    def judge(self, line: Line, sent: SentTexts | None = None) -> Verdict:
        """Return the verdict on one line's answer.

        Args:
            line: a recording's line; if the call was repeated, ``again`` holds the later answer.
            sent: the client's texts in the trace, including this call; None: this call alone.
        """
        if sent is None:
            sent = SentTexts()
            sent.add(line.get("arguments"))
        context = self._context(line, sent)
        verdict = discriminate(line, context)
        if "again" in line:
            later = line["again"]["result"]
            again = discriminate({**line, "result": later}, context)
            verdict = settle(verdict, again, is_same_answer=_says(line["result"]) == _says(later))
        if verdict.is_sure or self._opinion is None:
            return verdict
        return self._opinion(line, verdict) or verdict

    def _context(self, line: Line, sent: SentTexts) -> Context:
        name = line["tool"]
        return Context(
            sent=sent,
            fits=self._fitting(name),
            choices=self._chosen(name, line.get("arguments")),
            flags=self._flagged[name] >= _FLAGGED_MIN,
            server_flags=self._flagged.total() >= _FLAGGED_MIN,
            breaks_schema=not self._validating(name)(line.get("arguments") or {}),
            is_seed=line.get("error_class") == "success",
        )

    def _fitting(self, name: str) -> Callable[[Any], bool]:
        if name not in self._fits:
            self._fits[name] = _fitting((self._tools.get(name) or {}).get("outputSchema"))
        return self._fits[name]

    def _validating(self, name: str) -> Callable[[Any], bool]:
        if name not in self._valid:
            self._valid[name] = fits_schema((self._tools.get(name) or {}).get("inputSchema") or {})
        return self._valid[name]

    def _chosen(self, name: str, arguments: Any) -> frozenset[str]:
        """Return the values that were sent for arguments with a list of choices."""
        properties = ((self._tools.get(name) or {}).get("inputSchema") or {}).get("properties") or {}
        if not isinstance(arguments, dict):
            return frozenset()
        listed = (arguments[key] for key, schema in properties.items() if key in arguments and "enum" in schema)
        return frozenset(each.lower() for each in listed if isinstance(each, str))


def judge_recording(
    lines: Sequence[Line], tools: Iterable[Mapping[str, Any]] = (), opinion: Opinion | None = None
) -> list[Verdict]:
    """Return the verdict on every line of a recording, in order; each trace has its own client texts."""
    judge = Discriminator(tools, opinion)
    judge.learn(lines)
    return [judge.judge(line, sent) for line, sent in _with_sent(lines)]


def _with_sent(lines: Sequence[Line]) -> Iterable[tuple[Line, SentTexts]]:
    """Yield each line with the client's texts of its trace so far; the same object grows from call to call."""
    traces: defaultdict[Any, SentTexts] = defaultdict(SentTexts)
    for line in lines:
        sent = traces[line.get("trace")]
        sent.add(line.get("arguments"))
        yield line, sent


def _says(result: Mapping[str, Any]) -> str:
    """Return an answer's words without numbers and ids, which change from call to call."""
    error = result.get("error")
    text = str(error.get("message")) if isinstance(error, dict) else text_of(result)
    return _CHANGING.sub("#", text)


def _is_own_words(text: str) -> bool:
    return not CHECKER.search(text) and not text.startswith(_WRAPPED) and find_failure(text) is None


def _fitting(schema: Any) -> Callable[[Any], bool]:
    """Return a function that checks whether a value fits a schema; always false if the schema promises only a text."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict) or not schema.get("required"):
        return lambda _: False
    if len(properties) == 1 and next(iter(properties.values())).get("type", "string") == "string":
        return lambda _: False
    return fits_schema(schema)
