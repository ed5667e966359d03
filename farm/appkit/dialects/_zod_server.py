"""A server that validates arguments with zod: shared code of the dialects of its two major versions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from farm.appkit.dialects._base import (
    ISSUES_MAX,
    TOO_DEEP,
    Check,
    Dialect,
    InvalidArgumentsError,
    RequestWording,
    Wording,
    version,
)
from farm.appkit.dialects._javascript import js_json, mcp_server, no_tool, not_an_object
from farm.appkit.dialects._requests import TypescriptRequests
from farm.appkit.dialects._values import ABSENT
from farm.appkit.dialects._zod import Shape, compile_shape
from farm.appkit.dialects._zod_messages import Issue, Path, Words

Rule = Callable[[Mapping[str, Any]], Iterable[tuple[Path, str]]]
"""A tool's arguments → what is wrong with them together, as (path, message); an empty path for the whole."""
PartRule = Callable[[Any], Iterable[tuple[Path, str]]]
"""An argument, or an item where it is a list → what is wrong with it, as (path from there, message)."""


@dataclass(frozen=True)
class ZodServer(Dialect):
    """A server on zod.

    Attributes:
        sdk: version of the TypeScript SDK. It decides the form of a refusal, and whether arguments may be left out.
        invalid: the wording of a thrown ZodError, for servers that parse by themselves, without ``McpServer``.
        unknown: such servers' wording for an unknown tool name.
        rules: tool → a rule about several arguments together, which JSON Schema cannot express.
        unread: tools that never read their arguments, so that no argument is invalid.
        part_rules: tool → argument → a rule beyond JSON Schema. It is applied even if other arguments are invalid.
        aliases: tool → argument → its other names. If the argument itself is missing, the first given alias is used.
    """

    sdk: str
    invalid: Wording | None = None
    unknown: Wording | None = None
    rules: Mapping[str, Rule] = field(default_factory=dict, hash=False)
    unread: Collection[str] = ()
    part_rules: Mapping[str, Mapping[str, PartRule]] = field(default_factory=dict, hash=False)
    aliases: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict, hash=False)

    @property
    @abstractmethod
    def _words(self) -> Words:
        """The wording of this version of zod."""

    @property
    def drops_undeclared(self) -> bool:
        """Whether arguments that a closed schema does not declare are kept from the handler."""
        return True

    @property
    def requests(self) -> RequestWording:
        """The refusals of requests other than tool calls."""
        return TypescriptRequests(version(self.sdk))

    def compile(self, tool: str, input_schema: Mapping[str, Any]) -> Check:
        """Build the check of one tool.

        A tool registered without a schema is published with a bare object and accepts any arguments.
        """
        shape, rule = compile_shape(input_schema, self._words), self.rules.get(tool)
        parts, order = self.part_rules.get(tool, {}), tuple(input_schema.get("properties", ()))
        aliases = self.aliases.get(tool, {})
        takes_nothing = tool in self.unread or (not input_schema.get("properties") and "$schema" not in input_schema)
        needs_arguments = self.invalid is not None or mcp_server(self.sdk).needs_arguments
        absent: Any = ABSENT if needs_arguments and not takes_nothing else {}
        has_rules = bool(parts) or rule is not None

        def check(arguments: Any) -> dict[str, Any]:
            given = absent if arguments is None else arguments
            if aliases and type(given) is dict:
                given = _by_own_names(given, aliases)
            try:
                cleaned = shape.accept(given)
                if type(cleaned) is dict and not (has_rules and _is_against(rule, parts, given)):
                    return cleaned
                refused = self._refusal(tool, given, _issues(shape, order, rule, parts, given, self._words))
            except RecursionError:
                refused = InvalidArgumentsError(TOO_DEEP)
            raise refused

        return check

    def _refusal(self, tool: str, given: Any, issues: Sequence[Issue]) -> InvalidArgumentsError:
        if given is not ABSENT and type(given) is not dict:
            return not_an_object(self.sdk, given)
        if self.invalid is not None:
            return self.invalid.refusal(tool=tool, issues=_FORMS["json"](issues))
        server = mcp_server(self.sdk)
        return server.invalid.refusal(tool=tool, issues=_FORMS[server.form](issues))

    @property
    def words_no_object(self) -> bool:
        """Return True: the SDK has its own wording."""
        return True

    def null_arguments(self) -> InvalidArgumentsError:
        """The refusal of a call whose ``arguments`` are null: they may be absent, but nothing else than an object."""
        return not_an_object(self.sdk, None)

    def unknown_tool(self, tool: str, arguments: Any = None) -> InvalidArgumentsError:
        """Return the refusal of a nonexistent tool, or first of arguments that are not an object."""
        if arguments is not None and type(arguments) is not dict:
            return not_an_object(self.sdk, arguments)
        return (self.unknown or mcp_server(self.sdk).unknown).refusal(tool=tool, fault=no_tool(tool))


def _by_own_names(arguments: Mapping[str, Any], aliases: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Rename arguments from aliases to the schema's names."""
    named = dict(arguments)
    for name, others in aliases.items():
        if name not in named and (given := next((each for each in others if each in named), None)) is not None:
            named[name] = named.pop(given)
    return named


def _is_against(rule: Rule | None, parts: Mapping[str, PartRule], given: Mapping[str, Any]) -> bool:
    if any(True for name in parts if name in given for _ in _of_part(name, parts[name], given[name], ())):
        return True
    return rule is not None and any(True for _ in rule(given))


def _of_part(name: str, rule: PartRule, value: Any, wrong: Container[Path]) -> Iterator[tuple[Path, str]]:
    """Yield a rule's findings about an argument, or about each of its items that parsed."""
    units = [((name, at), item) for at, item in enumerate(value)] if type(value) is list else [((name,), value)]
    for path, unit in units:
        if path not in wrong:
            yield from (((*path, *below), message) for below, message in rule(unit))


def _issues(
    shape: Shape, order: Sequence[str], rule: Rule | None, parts: Mapping[str, PartRule], given: Any, words: Words
) -> list[Issue]:
    issues = shape.explain(given, ())
    # If there are too many issues, not every item has been parsed, and the rules take only parsed values.
    if parts and type(given) is dict and len(issues) < ISSUES_MAX:
        issues = _with_parts(issues, order, parts, given, words)
    # zod checks an object as a whole only if each of its parts parsed.
    if rule is not None and type(given) is dict and not any(issue.fatal for issue in issues):
        issues = [*issues, *(words.custom(path, message) for path, message in rule(given))]
    return sorted(issues, key=lambda issue: issue.late)[:ISSUES_MAX]


def _with_parts(
    issues: Sequence[Issue], order: Sequence[str], parts: Mapping[str, PartRule], given: Mapping[str, Any], words: Words
) -> list[Issue]:
    """Return the issues together with those of ``part_rules``, in the order in which zod finds them."""
    fatal = [issue.path for issue in issues if issue.fatal]
    found = list(issues)
    for name, rule in parts.items():
        # zod applies such a rule to an argument, or to an item of a list, only if that parsed.
        wrong = {path[:2] if type(given.get(name)) is list else path[:1] for path in fatal}
        if name in given and (name,) not in wrong:
            said = _of_part(name, rule, given[name], wrong)
            found += [words.custom(path, message) for path, message in said]

    def place(issue: Issue) -> tuple[int, int]:
        name, at = (*issue.path, -1, -1)[:2]
        return _index(order, name), at if name in parts and isinstance(at, int) else -1

    return sorted(found, key=place)


def _index(order: Sequence[str], name: str | int) -> int:
    return order.index(name) if isinstance(name, str) and name in order else len(order)


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
