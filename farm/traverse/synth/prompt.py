"""Fill the prompts: what a writer sees of a pool, compact enough to be read whole."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import groupby
from string import Template
from typing import Any

from farm.errors import FarmError
from farm.traverse.reconstruct import reconstruct
from farm.traverse.recordings.calls import Recorded, text_of
from farm.traverse.synth.answer import Written
from farm.traverse.synth.answer_form import OWN
from farm.traverse.synth.app_files import Plan
from farm.traverse.synth.evidence import SUCCESS
from farm.traverse.synth.recognise import UNKNOWN, FoundDialect, refusal_of
from farm.traverse.tree.draft import draft_schema
from farm.traverse.tree.model import Tree
from farm.traverse.tree.pool_calls import PoolCalls, read_pool_calls
from farm.traverse.tree.propose import propose

WRITE, REPAIR, CRASH, VANILLA = "write-1", "repair-1", "crash-1", "vanilla-2"
PAPER_CONTEXT, PAPER_KERNEL = "paper-context-1", "paper-kernel-1"
_API, _EXAMPLE = "kernel-api-1", "example-1"
LETTERS_A_TOKEN = 3.6

_LONG = 1_400
_HEAD, _TAIL = 1_000, 250
_RUN = re.compile(r"(.)\1{59,}", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_ITEMS_SHOWN = 4
_DOCUMENTS_MAX = 24_000
_ROWS_MAX = 120


def fill(name: str, **parts: str) -> str:
    """Return a prompt: its file with the parts put in."""
    return Template(_read(name)).substitute(parts)


def _read(name: str) -> str:
    return files("farm.traverse.synth").joinpath("prompts", f"{name}.md").read_text("utf-8")


def write_prompt(plan: Plan, dialect: FoundDialect, documents: str) -> str:
    """Return the prompt for a whole kernel from the train calls."""
    evidence = plan.evidence
    return fill(
        WRITE,
        server=named(plan),
        api=_read(_API),
        example=_read(_EXAMPLE),
        declared=declared(plan),
        tools=tools(evidence.tools),
        documents=_documents(documents),
        decided=decided(plan),
        schema=draft(plan),
        began=began(plan),
        calls=calls(evidence.train, plan, dialect),
        handlers=plan.signatures(),
    )


def vanilla_prompt(plan: Plan, documents: str) -> str:
    """Return the prompt for a kernel from documentation alone."""
    return fill(
        VANILLA,
        server=named(plan),
        api=_read(_API),
        example=_read(_EXAMPLE),
        declared=declared(plan),
        tools=tools(plan.evidence.tools),
        documents=_documents(documents),
        documented=documented(plan),
        handlers=plan.signatures(),
    )


def context_prompt(plan: Plan, dialect: FoundDialect) -> str:
    """Return the paper's first prompt: the context handler."""
    return fill(
        PAPER_CONTEXT,
        server=named(plan),
        api=_read(_API),
        example=_read(_EXAMPLE),
        tools=tools(plan.evidence.tools),
        calls=calls(plan.evidence.train, plan, dialect),
    )


def kernel_prompt(plan: Plan, dialect: FoundDialect, tool: str, context: Written, module: str) -> str:
    """Return the paper's second prompt: the kernel of one tool."""
    own = [each for each in plan.evidence.train if each.tool == tool]
    return fill(
        PAPER_KERNEL,
        tool=tool,
        api=_read(_API),
        files=code(context.files),
        tools=tools([each for each in plan.evidence.tools if each["name"] == tool]),
        decided=decided(plan),
        calls=calls(own, plan, dialect),
        module=module,
        handlers=plan.signatures(tool),
    )


def repair_prompt(plan: Plan, written: Written, *, figures: str, problem: str, differences: str) -> str:
    """Return the prompt that hands disagreements back."""
    return fill(
        REPAIR,
        server=named(plan),
        figures=figures,
        problem=f"{problem}\n" if problem else "",
        files=code(written.files),
        differences=differences or "Nothing: only the problem above is to be mended.",
        decided=decided(plan),
    )


def crash_prompt(plan: Plan, written: Written, crashes: str, *, is_documented: bool) -> str:
    """Return the prompt that hands crashes back, to a writer who sees no answer of the real server."""
    form = documented(plan) if is_documented else decided(plan)
    return fill(CRASH, server=named(plan), files=code(written.files), crashes=crashes, decided=form)


def tokens(text: str) -> int:
    """Return about how many tokens a text has."""
    return round(len(text) / LETTERS_A_TOKEN)


def named(plan: Plan) -> str:
    """Return the server's name and version."""
    server = plan.evidence.server
    return f"{server.get('name')} {server.get('version')}"


def declared(plan: Plan) -> str:
    """Return what the server declares besides its tools."""
    wire = plan.evidence.wire
    package = wire.get("package") or {}
    lines = [f"It calls itself {named(plan)}."]
    if package:
        lines.append(f"Package: {package.get('name')} {package.get('version')} ({package.get('registry')}).")
    if plan.evidence.libraries:
        lines.append("Libraries: " + ", ".join(f"{k} {v}" for k, v in plan.evidence.libraries.items()) + ".")
    if wire.get("instructions"):
        lines.append(f"Its instructions to clients:\n\n{wire['instructions']}")
    return "\n".join(lines)


def tools(listed: Iterable[Mapping[str, Any]]) -> str:
    """Return tools as a reader wants them: name, description, schemas."""
    return "\n\n".join(_tool(tool) for tool in listed)


def _tool(tool: Mapping[str, Any]) -> str:
    parts = [
        f"**{tool['name']}**: {tool.get('description') or ''}".rstrip(),
        f"input: {_json(tool.get('inputSchema'))}",
    ]
    if tool.get("outputSchema"):
        parts.append(f"output: {_json(tool['outputSchema'])}")
    if tool.get("annotations"):
        parts.append(f"annotations: {_json(tool['annotations'])}")
    return "\n".join(parts)


def _documents(text: str) -> str:
    return f"### Documentation\n\n{text[:_DOCUMENTS_MAX]}\n\n" if text.strip() else ""


def decided(plan: Plan) -> str:
    """Return what rules decided about refusals of arguments and the form of answers."""
    form = plan.form
    lines = [
        f"- Arguments are validated by `{plan.dialect}`, in the words of the server's own libraries, before a handler "
        "runs.",
        f"- A `dict` or `list` that a handler returns is printed by `{form.printer}`.",
        f"- A refusal is sent as the text `{form.words}`, with isError {_flag(form.refused_is_error)}: raise the "
        "message alone.",
    ]
    if form.has_protocol_errors:
        lines.append("- Some refusals of the server's own code are JSON-RPC errors: raise a `ProtocolError` for those.")
    for tool, source in form.beside.items():
        if source == OWN:
            lines.append(f"- `{tool}`: give its structured content yourself, as `Answer(body, structured={{…}})`.")
        elif tool in form.text_beside:
            lines.append(f"- `{tool}`: return the finished text; `{source}` puts it beside itself.")
    if form.structured is not None:
        lines.append(
            f"- Structured content follows by rule (`{form.structured}`, `Beside`) from what a handler returns: "
            "give none."
        )
    for tool in sorted(form.media):
        lines.append(
            f"- `{tool}` answers with other content than one text, or with several items: return `Content(…)`."
        )
    for mask in plan.evidence.masks:
        lines.append(f"- Not compared: {mask.name} (`{mask.pattern.pattern}`; {mask.reason}).")
    return "\n".join(lines)


def documented(plan: Plan) -> str:
    """Return what documentation and MCP's specification decide about refusals of arguments and the form of answers."""
    is_named = plan.dialect != UNKNOWN
    lines = [
        f"- Arguments are validated by `{plan.dialect}`, "
        + ("as the documentation names its library" if is_named else "in words of our own, as no library is documented")
        + ", before a handler runs.",
        "- A `str` that a handler returns is sent as it is; a `dict` or `list` is printed as JSON without spaces. "
        "Where you expect other JSON, print it yourself and return the text.",
        "- A refusal is sent as one text with isError true: raise the whole text.",
    ]
    if plan.form.structured is not None:
        lines.append(
            "- A tool with an output schema also sends structured content, which conforms to it. Return a `dict` of "
            "that form, or, if the text is another one than this JSON, `Answer(text, structured={…})`. If the schema "
            "has the one member `result` and a title that ends with `Output`, whatever a handler returns is put there "
            "by rule."
        )
    return "\n".join(lines)


def _flag(flag: bool | None) -> str:
    return "absent" if flag is None else str(flag).lower()


def draft(plan: Plan) -> str:
    """Return the schema that the tree of the train calls proposes."""
    try:
        # By the title, so that an app may have another name than the service that its writer sees.
        return draft_schema(_tree(plan)[1], plan.title.lower().replace(" ", "_")).rstrip()
    except FarmError:
        return '"""The calls show no stored things."""'


def began(plan: Plan) -> str:
    """Return the rows that the train traces began with, in the drafted tables, if several traces agree on them."""
    pool, tree = _tree(plan)
    counts: Counter[str] = Counter()
    for trace in sorted({each.trace for each in pool.calls}):
        counts.update({_json(row) for row in reconstruct(pool, tree, trace).rows})
    rows = [row for row, count in counts.items() if count > 1]
    if not rows:
        return ""
    listed = "\n".join(shorten(row) for row in sorted(rows)[:_ROWS_MAX])
    return f"""## What was there at the start, as far as the calls show it

Worked out by rule, in the tables of the draft: what several traces show or name before any call could have made it. It
may be wrong, and is never complete. Use it for `start.json`.

```json
{listed}
```

"""


def _tree(plan: Plan) -> tuple[PoolCalls, Tree]:
    pool = read_pool_calls(plan.evidence.folder, sides=("train",))
    return pool, propose(pool)


def calls(recorded: Sequence[Recorded], plan: Plan, dialect: FoundDialect) -> str:
    """Return calls with their answers, traces in order, without those that the dialect refuses."""
    checks = {tool: dialect.dialect.compile(tool, schema) for tool, schema in plan.evidence.schemas.items()}
    shown = [each for each in recorded if refusal_of(dialect.dialect, checks.get(each.tool), each) is None]
    has_clock = _shows_clock(shown)
    parts = []
    for trace, own in groupby(shown, key=lambda each: each.trace):
        parts += [f"#### Trace {trace}", "", *(call(each, plan, has_clock=has_clock) for each in own), ""]
    return "\n".join(parts)


def _shows_clock(recorded: Sequence[Recorded]) -> bool:
    """Return whether answers show the day of the call: then a writer needs its time."""
    dated = [each for each in recorded if each.at is not None and each.verdict == SUCCESS]
    return any(each.at is not None and each.at.date().isoformat() in text_of(each.result) for each in dated) or any(
        each.at is not None and f"{each.at:%b %d %Y}" in text_of(each.result) for each in dated
    )


def call(each: Recorded, plan: Plan, *, has_clock: bool = False) -> str:
    """Return one call with its answer."""
    at = f" at {each.at.isoformat(timespec='milliseconds')}" if has_clock and each.at is not None else ""
    head = f"{each.trace}.{each.step} {each.tool} {compact(each.request.arguments)}{at}"
    return f"{head}\n{_answer(each.result, each.tool, plan, is_refused=each.verdict != SUCCESS)}"


def _answer(result: Mapping[str, Any], tool: str, plan: Plan, *, is_refused: bool) -> str:
    mark = "✗" if is_refused else "→"
    if "error" in result:
        return f"{mark} JSON-RPC error {_json(result['error'])}"
    content = result.get("content", [])
    is_text = len(content) == 1 and content[0].get("type") == "text"
    lines = [f"{mark} {_text(content[0]['text'], tool, plan) if is_text else f'content {shorten(_json(content))}'}"]
    own = plan.form.beside.get(tool) == OWN or tool in plan.form.media
    if own and "structuredContent" in result:
        lines.append(f"  structured {shorten(_json(result['structuredContent']))}")
    return "\n".join(lines)


def _text(text: str, tool: str, plan: Plan) -> str:
    """Return an answer's text; if it is a printed body, the body without its line ends."""
    if text[:1] in ("{", "[") and tool not in plan.form.text_beside:
        try:
            body = json.loads(text)
        except ValueError:
            return shorten(text)
        if plan.form.print(body) == text:
            return f"body {shorten(_json(body))}"
    return shorten(text)


def compact(arguments: Any) -> str:
    """Return arguments as JSON, with long values cut."""
    return shorten(_json(_few(arguments)))


def _few(value: Any) -> Any:
    """Return a value in which lists of one repeated item are cut."""
    match value:
        case dict():
            return {key: _few(each) for key, each in value.items()}
        case list() if len(value) > 2 * _ITEMS_SHOWN and all(each == value[0] for each in value):
            return [*map(_few, value[:2]), f"⟨the same, {len(value)} in all⟩"]
        case list():
            return [_few(each) for each in value]
    return value


def shorten(text: str) -> str:
    """Return a text with control characters spelt out, and long runs of one character and middles of texts cut."""
    text = _CONTROL.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)
    text = _RUN.sub(lambda run: f"⟨{run[1]} × {len(run[0])}⟩", text)
    if len(text) <= _LONG:
        return text
    return f"{text[:_HEAD]}⟨… {len(text) - _HEAD - _TAIL} characters …⟩{text[-_TAIL:]}"


def code(written: Mapping[str, str]) -> str:
    """Return files in the form of an answer."""
    return "\n\n".join(f"### file: {name}\n```python\n{text.rstrip()}\n```" for name, text in written.items())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
