"""``python -m tests.clients.living``: in which ways real clients ask, wait and act in a farm with ``clock``.

Each program runs twice with a script of the mock model: as it comes, and with something that answers for its user,
where the release takes it. A relay in between records what the client declares. Prints what docs/living.md has in a
table. Like ``tests.clients.run``, it is no part of the tests: it installs what it runs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from farm.client import FarmClient
from farm.context.trace import Call
from tests.clients.clients import Done, Given, run_driver
from tests.clients.environments import Environments, Program, programs
from tests.clients.run import ENVIRONMENTS, Model, started

NAMES = ("claude-code", "langchain", "openai-agents")
TEXT = "Ask Ben in #opening how many chairs we need, wait for him, ask me for the colour, and order them."
NEXT = "Order them for Tuesday."
BY_SCRIPT, BY_CLIENT = "Red, says the script.", "Blue, says the client."
USER = {"answers": [{"asks": {"contains": "colour"}, "says": BY_SCRIPT}]}
RULE = {
    "who": "ben",
    "when": {"app": "slack", "table": "messages", "where": {"channel": "#opening", "text": {"contains": "how many"}}},
    "then": [{"do": "reply", "after": "5m", "text": "24."}],
}


def _post(text: str) -> dict[str, Any]:
    return {"tool": "slack_post_message", "arguments": {"channel_id": "#opening", "text": text}}


TURNS: list[Any] = [
    _post("<@U000000BEN> how many chairs?"),
    {"tool": "wait", "arguments": {"minutes": 60}},
    {"tool": "ask_user", "arguments": {"question": "Which colour?"}},
    _post("24 chairs."),
    "For which day shall I order them?",
    {"when": "Tuesday", **_post("24 chairs for Tuesday.")},
    "They are ordered.",
]


class Relay:
    """Passes requests on to the farm, and records those to ``clock``."""

    def __init__(self, agents_url: str) -> None:
        self._agents_url = agents_url
        self.seen: list[dict[str, Any]] = []
        self.answered: list[bytes] = []
        self.url = ""

    async def _pass_on(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        is_clock = request.path.endswith("/clock")
        if is_clock and body:
            self.seen.append({"version": request.headers.get("mcp-protocol-version"), **json.loads(body)})
        headers = {
            name: value for name, value in request.headers.items() if name.lower() not in ("host", "content-length")
        }
        async with (
            aiohttp.ClientSession(auto_decompress=False) as session,
            session.request(request.method, self._agents_url + request.path_qs, data=body, headers=headers) as told,
        ):
            kept = {name: value for name, value in told.headers.items() if name.lower() in _KEPT}
            answer = web.StreamResponse(status=told.status, headers=kept)
            await answer.prepare(request)
            async for part in told.content.iter_any():
                if is_clock:
                    self.answered.append(part)
                await answer.write(part)
            await answer.write_eof()
            return answer

    async def serve(self, ready: threading.Event, ending: asyncio.Event) -> None:
        """Serve until the end."""
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._pass_on)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        ready.set()
        await ending.wait()
        await runner.cleanup()


_KEPT = ("content-type", "mcp-session-id", "www-authenticate")


@contextmanager
def relaying(agents_url: str) -> Iterator[Relay]:
    """Run a relay on a thread of its own."""
    relay, ready, loop, ending = Relay(agents_url), threading.Event(), asyncio.new_event_loop(), asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(relay.serve(ready, ending)))
    thread.start()
    ready.wait(30)
    try:
        yield relay
    finally:
        loop.call_soon_threadsafe(ending.set)
        thread.join(30)
        loop.close()


def _claude_code(given: Given, clock: str, answer: str) -> Done:
    headers = {"Authorization": f"Bearer {given.token}"}
    servers = {
        name: {"type": "http", "url": url, "headers": headers} for name, url in (("slack", given.url), ("clock", clock))
    }
    (given.folder / "mcp.json").write_text(json.dumps({"mcpServers": servers}), "utf-8")
    output = {"hookSpecificOutput": {"hookEventName": "Elicitation", "action": "accept", "content": {"answer": answer}}}
    (given.folder / "output.json").write_text(json.dumps(output), "utf-8")
    command = {"type": "command", "command": f"cat {given.folder / 'output.json'}"}
    hooks = {"hooks": {"Elicitation": [{"hooks": [command]}]}} if answer else {}
    (given.folder / "settings.json").write_text(json.dumps(hooks), "utf-8")
    options = ["--mcp-config", str(given.folder / "mcp.json"), "--strict-mcp-config"]
    options += ["--settings", str(given.folder / "settings.json"), "--allowed-tools", "mcp__slack,mcp__clock"]
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1", "IS_SANDBOX": "1"}
    first = given.run("claude", "--print", given.job, *options, ENABLE_TOOL_SEARCH="false", **quiet)
    if first.returncode:
        return first
    return given.run("claude", "--continue", "--print", NEXT, *options, ENABLE_TOOL_SEARCH="false", **quiet)


def play(
    program: Program,
    environments: Environments,
    control: FarmClient,
    model: Model,
    relay: Relay,
    folder: Path,
    answer: str,
) -> dict[str, Any]:
    """Run a program, and return what it declared and did."""
    relay.seen.clear()
    relay.answered.clear()
    folder.mkdir(parents=True, exist_ok=True)
    episode = control.create(world="mini", apps=["slack", "clock"], user=USER, people=[RULE], label=program.name)
    script = model.ask("POST", "/scripts", {"turns": TURNS})
    slack, clock = (relay.url + "/mcp/" + episode["mcp"][app].partition("/mcp/")[2] for app in ("slack", "clock"))
    own = {"CLOCK_URL": clock, "NEXT": NEXT, "ANSWER": answer}
    given = Given(
        folder, environments.path_of(program), environments.node(), slack, episode["token"], TEXT, TURNS,
        script["environment"], (), own,
    )  # fmt: skip
    if program.name == "claude-code":
        done = _claude_code(given, clock, answer)
    else:
        done = run_driver(given, program.name, "living")
    (folder / "output.txt").write_text(f"{done.stdout}\n----\n{done.stderr}", "utf-8")
    told = model.ask("GET", f"/scripts/{script['id']}")
    (folder / "requests.json").write_text(json.dumps([relay.seen, told], indent=1), "utf-8")
    calls = control.calls(episode["id"])
    control.drop(episode["id"])
    return _found(relay, calls, done, told)


def _found(relay: Relay, calls: Sequence[Call], done: Done, told: Mapping[str, Any]) -> dict[str, Any]:
    results = {each["tool"]: json.dumps(each["result"]) for each in calls}
    posted = sum(each["tool"] == "slack_post_message" and not each["refused"] for each in calls)
    declared = [_capabilities(each) for each in relay.seen]
    return {
        "revisions": sorted({each["version"] for each in relay.seen if each["version"]}),
        "declares elicitation": any("elicitation" in each for each in declared),
        "sends a token": any("progressToken" in _meta(each) for each in relay.seen if _tool(each) == "wait"),
        "was sent progress": b"notifications/progress" in b"".join(relay.answered),
        "showed progress": "PROGRESS" in done.stdout,
        "listens": any(each.get("method") == "subscriptions/listen" for each in relay.seen),
        "answered by": next((way for way in (BY_CLIENT, BY_SCRIPT) if way in results.get("ask_user", "")), "nobody"),
        "waited": "24." in results.get("wait", ""),
        "acted": posted,
        "next turn": posted == 3 and told["unfinished"] is None,
        "problem": told["unfinished"] or (done.stderr.strip()[-300:] if done.returncode else None),
    }


def _meta(request: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = (request.get("params") or {}).get("_meta") or {}
    return found


def _tool(request: Mapping[str, Any]) -> str | None:
    return (request.get("params") or {}).get("name") if request.get("method") == "tools/call" else None


def _capabilities(request: Mapping[str, Any]) -> Mapping[str, Any]:
    own = (request.get("params") or {}).get("capabilities") if request.get("method") == "initialize" else None
    found: Mapping[str, Any] = own or _meta(request).get("io.modelcontextprotocol/clientCapabilities") or {}
    return found


def main() -> int:
    """Run the programs, or those that are named, and print what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.clients.living")
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--environments", type=Path, default=ENVIRONMENTS, help="the folder of the environments")
    options = parser.parse_args()
    known, node = programs()
    environments = Environments(options.environments.absolute(), node)
    with started("up", "--ephemeral", "--apps", "slack") as farm, started("model", "--ephemeral") as told:
        control, model = FarmClient(farm["url"], farm["token"]), Model(told["url"])
        agents_url = control.request("GET", "/v1/farm")["agents_url"]
        with relaying(agents_url) as relay:
            for program in (each for each in known if each.name in options.names):
                for kind, answer in (("as it comes", ""), ("with an answer", BY_CLIENT)):
                    folder = options.environments.absolute() / "living" / program.name / kind.replace(" ", "-")
                    found = play(program, environments, control, model, relay, folder, answer)
                    line = {"program": program.name, "version": environments.version_of(program), "run": kind, **found}
                    sys.stdout.write(f"{json.dumps(line)}\n")
                    sys.stdout.flush()
        control.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
