"""Writes docs/clients.md from what the runs found: one ``outcome.json`` for each program."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.clients.environments import Program

_HEAD = """\
# Clients and frameworks

`make clients-test` wrote this page on {day}. Each program below was run for real, in an environment of its own with the pinned packages of `tests/clients/lock`. It
did the same small job in the simulated Lark of the world `mini`: look up a colleague, make an appointment, invite him and tell him. A [mock model](testing-agents.md)
played the model by the vendors' APIs, so that no key is needed. The farm judged the result by checkpoints and by the changed rows, as it judges a task.
Nothing was tried with a real model.

## What works

{green} of {count} programs did the job, with nothing changed besides.

| program | version | job | Lark's tools seen | calls | remark |
| --- | --- | --- | --- | --- | --- |
{rows}

`tools seen` counts what reached the model, of the 22 in Lark's menu. Clients were configured by `farm connect CLIENT --write` alone, plus what names the mock model.
Programs without an agent made the calls one by one.

## What a client must be told

{advice}
"""
_ADVICE = """\
`farm connect CLIENT --me yu.han` connects a client as another person of the world (`farm people` lists them), in an episode of that person's; with `--episode`, the person joins
that episode with a token of their own. The card then is about that person.

`farm connect` prints these lines with the configuration:

| client | before it calls unasked |
| --- | --- |
| Claude Code | `claude -p "PROMPT" --allowed-tools mcp__lark,…`; with `ENABLE_TOOL_SEARCH=false` the model sees all tools at once instead of a search |
| Codex | `default_tools_approval_mode = "approve"` in each server's table; without it, `codex exec` refuses every call |
| Gemini CLI | `"trust": true` in each server's entry, and `gemini --skip-trust` in a folder that it does not trust; otherwise it shows the model no tool |
| OpenClaw | `openclaw config set tools.toolSearch false`; otherwise the tools hide behind a search |
| fast-agent | nothing: it appends `/mcp` to addresses, and the farm ignores that |
| CrewAI | its own `MCPServerHTTP` makes tools' names of the address; the short one, `http://127.0.0.1:8700/mcp/lark` with the bearer as a header, leaves more of them (not tried here) |
"""
_TAIL = """\
## Not run here

- **Claude Desktop** is a desktop application for macOS and Windows. Its bundle (`farm connect claude-desktop --mcpb FILE`) passes the check of the official packer, and
  the server in it was spoken to over stdio (`mcpb` above). The application itself was not run.
- **Cursor, VS Code, Windsurf, Zed, Cline, LM Studio** have windows, and no package that is plainly **goose** could be installed. Their files are written as the vendors'
  documentation had it in November 2026; `farm connect NAME --check` asks the servers in them as the client would.
"""


_REMARK_MAX = 120
_LINE_MAX = 120


def write_page(page: Path, out: Path, known: Sequence[Program]) -> None:
    """Write the page; programs that were never run are left out."""
    outcomes = {program.name: found for program in known if (found := _outcome(out / program.name)) is not None}
    text = _HEAD.format(
        day=f"{datetime.now(UTC):%-d %B %Y}",
        green=sum(map(_is_green, outcomes.values())),
        count=len(outcomes),
        rows="\n".join(_row(program, outcomes[program.name]) for program in known if program.name in outcomes),
        advice=_ADVICE.rstrip(),
    )
    page.write_text("\n".join([text, *_schemas(known, outcomes), _TAIL]), "utf-8")


def _outcome(folder: Path) -> dict[str, Any] | None:
    file = folder / "outcome.json"
    return json.loads(file.read_bytes()) if file.is_file() else None


def _is_green(outcome: Mapping[str, Any]) -> bool:
    return outcome["score"] == 1 and not outcome["damage"] and outcome["problem"] is None


def _row(program: Program, outcome: Mapping[str, Any]) -> str:
    told = [] if outcome["problem"] is None else [_short(outcome["problem"])]
    told += ["sends `null` for what is left out"] if outcome["nulls"] and not program.not_done else []
    told += ["needs `mcp` below 2, so the farm goes elsewhere"] if "mcp<2" in program.more else []
    job = "done" if _is_green(outcome) else f"**not done** ({outcome['score']:.2g})"
    seen = "–" if outcome["tools"] is None else outcome["tools"]
    remark = "; ".join([*_NOTES.get(program.name, ()), *filter(None, [program.not_done]), *told])
    return (
        f"| {program.title} | {program.package} {outcome['version']} | {job} | {seen} | {outcome['calls']} | {remark} |"
    )


_NOTES: Mapping[str, Sequence[str]] = {
    "smolagents": ("takes no argument for optional; the script gives every one",),
}


def _short(text: str) -> str:
    flat = " ".join(text.split()).replace("|", "\\|")
    return flat if len(flat) < _REMARK_MAX else f"{flat[:_REMARK_MAX]}…"


def _schemas(known: Sequence[Program], outcomes: Mapping[str, Mapping[str, Any]]) -> list[str]:
    rows, names = [], set()
    for program in known:
        losses = outcomes.get(program.name, {}).get("losses")
        if losses:
            refused = losses["refused"]
            names |= set(refused)
            lost = " | ".join(str(losses[key] or "–") for key in ("arguments", "enums", "required"))
            rows.append(f"| {program.title} | {losses['sent']} of {losses['total']} | {lost} | {len(refused) or '–'} |")
    if not rows:
        return []
    left = [each.title for each in known if each.kind == "python" and not outcomes.get(each.name, {}).get("losses")]
    table = [
        "## All tools of all apps",
        "",
        "What each framework sends to the model of every app's tools, compared with what the servers list. The vendors' own schemas are unusual in",
        "places, and the farm lists them unchanged.",
        "",
        "| framework | tools sent | lose arguments | lose enums | lose required | fails with |",
        "| --- | --- | --- | --- | --- | --- |",
        *rows,
        "",
        *([f"Not compared in this run: {', '.join(left)}.", ""] if left else []),
    ]
    if names:
        listed = sorted(names)
        table += [
            f"These {len(listed)} tools make some framework fail: {', '.join(f'`{each}`' for each in listed)}.",
            "A menu without them, for `mcp_farm.world(menu=…)` or `farm episode create --menu`, names the other tools of their apps:",
            "",
            "```python",
            "from farm.content import load_app",
            "",
            "REFUSED = {",
            *_grouped(listed),
            "}",
            "MENU = {",
            '    app: [each["name"] for each in load_app(app).tool_schemas if each["name"] not in bad]',
            "    for app, bad in REFUSED.items()",
            "}",
            "```",
            "",
        ]
    return table


def _grouped(names: Sequence[str]) -> list[str]:
    apps: dict[str, list[str]] = {}
    for each in names:
        app, _, tool = each.partition(": ")
        apps.setdefault(app, []).append(tool)
    return [line for app, tools in apps.items() for line in _listed(app, tools)]


def _listed(app: str, tools: Sequence[str]) -> list[str]:
    """Return one entry as the formatter writes it: on one line if it fits."""
    line = f'    "{app}": {json.dumps(tools)},'
    return (
        [line] if len(line) <= _LINE_MAX else [f'    "{app}": [', *(f'        "{each}",' for each in tools), "    ],"]
    )
