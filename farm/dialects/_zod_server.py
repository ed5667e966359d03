"""A server that checks arguments with zod: what the dialects of its two major versions share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from farm.dialects._base import ISSUES_MAX, TOO_DEEP, ArgumentsRefused, Check, Dialect, Wording
from farm.dialects._javascript import js_json, mcp_server, no_tool, not_an_object
from farm.dialects._values import ABSENT
from farm.dialects._zod import Shape, compile_shape
from farm.dialects._zod_words import Issue, Path, Words

Rule = Callable[[Mapping[str, Any]], Iterable[tuple[Path, str]]]
"""A tool's arguments → what is wrong with them together, as (path, message); an empty path for the whole."""


@dataclass(frozen=True)
class ZodServer(Dialect):
    """A server on zod.

    Attributes:
        sdk: version of the TypeScript SDK. It decides how a refusal goes out, and whether arguments may be left out.
        invalid: for servers that parse by themselves, without ``McpServer``: how they word a thrown ZodError.
        unknown: how such servers word a name that is no tool's.
        rules: tool → what its schema asks of several arguments together, which no JSON Schema shows.
        aliases: tool → argument → other names that it is taken by, the first one given, where it is not given itself.
    """

    sdk: str
    invalid: Wording | None = None
    unknown: Wording | None = None
    rules: Mapping[str, Rule] = field(default_factory=dict, hash=False)
    aliases: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict, hash=False)

    @property
    def _words(self) -> Words:
        """The texts of this version of zod."""
        raise NotImplementedError

    @property
    def drops_undeclared(self) -> bool:
        """Whether nothing that a closed schema does not declare reaches the handler."""
        return True

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool.

        A tool registered without a schema is published with a bare object, and then takes whatever comes.
        """
        shape, rule = compile_shape(input_schema, self._words), self.rules.get(tool)
        aliases = self.aliases.get(tool, {})
        takes_nothing = not input_schema.get("properties") and "$schema" not in input_schema
        needs_arguments = self.invalid is not None or mcp_server(self.sdk).needs_arguments
        absent: Any = ABSENT if needs_arguments and not takes_nothing else {}

        def check(arguments: Any) -> dict[str, Any]:
            given = absent if arguments is None else arguments
            if aliases and type(given) is dict:
                given = _by_own_names(given, aliases)
            try:
                cleaned = shape.accept(given)
                if type(cleaned) is dict and (rule is None or not any(True for _ in rule(given))):
                    return cleaned
                refused = self._refusal(tool, given, _issues(shape, rule, given, self._words))
            except RecursionError:
                refused = ArgumentsRefused(TOO_DEEP)
            raise refused

        return check

    def _refusal(self, tool: str, given: Any, issues: Sequence[Issue]) -> ArgumentsRefused:
        if given is not ABSENT and type(given) is not dict:
            return not_an_object(self.sdk, given)
        if self.invalid is not None:
            return self.invalid.refusal(tool=tool, issues=_FORMS["json"](issues))
        server = mcp_server(self.sdk)
        return server.invalid.refusal(tool=tool, issues=_FORMS[server.form](issues))

    @property
    def words_no_object(self) -> bool:
        """The SDK has words of its own."""
        return True

    def null_arguments(self) -> ArgumentsRefused:
        """The answer to a call whose ``arguments`` are null: they may be left out, but not be anything else."""
        return not_an_object(self.sdk, None)

    def unknown_tool(self, tool: str, arguments: Any = None) -> ArgumentsRefused:
        """The answer to a call of a tool that does not exist; arguments that are no object are told before that."""
        if arguments is not None and type(arguments) is not dict:
            return not_an_object(self.sdk, arguments)
        return (self.unknown or mcp_server(self.sdk).unknown).refusal(tool=tool, fault=no_tool(tool))


def _by_own_names(arguments: Mapping[str, Any], aliases: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return arguments by the names that the schema has for them."""
    named = dict(arguments)
    for name, others in aliases.items():
        if name not in named and (given := next((each for each in others if each in named), None)) is not None:
            named[name] = named.pop(given)
    return named


def _issues(shape: Shape, rule: Rule | None, given: Any, words: Words) -> list[Issue]:
    issues = shape.explain(given, ())
    # zod looks at an object as a whole only when each of its parts could be read.
    if rule is not None and type(given) is dict and not any(issue.fatal for issue in issues):
        issues = [*issues, *(words.custom(path, message) for path, message in rule(given))]
    return sorted(issues, key=lambda issue: issue.late)[:ISSUES_MAX]


def _dotted(path: Path) -> str:
    return "".join(f"[{step}]" if n and type(step) is int else f".{step}" for n, step in enumerate(path))[1:]


def _line(issue: Issue) -> str:
    return f"{issue.message} at {_dotted(issue.path)}" if issue.path else issue.message


def _place(issue: Issue) -> str:
    return f"{'.'.join(map(str, issue.path))}: {issue.message}" if issue.path else issue.message


_FORMS: dict[str, Callable[[Sequence[Issue]], str]] = {
    "json": lambda issues: js_json([issue.body for issue in issues]),
    "lines": lambda issues: "\n".join(map(_line, issues)),
    "places": lambda issues: ", ".join(map(_place, issues)),
}
