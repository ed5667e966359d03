"""Rows about single calls over HTTP: CPU a call, calls a second, how long one client waits, lists and handshakes."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

from farm.content import load_app
from farm.context.template import load_world
from tests.bench.environment import PROTOCOL, Load, Server, SlackFacts, Stage, load, rpc, slack_facts, tool_call
from tests.bench.measure import Measurement, Sizes, compare, take_turns
from tests.bench.measured_apps import APP, LONGEST, PAGE_TOOL, READ_TOOL, WORLD, WRITE_TOOL

FLOOR = "raw ASGI + orjson, canned answer"
FASTMCP = "plain FastMCP, same handlers"
# What the floor costs on the machine for which bounds in microseconds were set: elsewhere they are ratios to it.
FLOOR_US = 22.0
_CPU_TARGETS = {"read": 1.3, "page": 4.0, "write": 3.5, "refused": 3.0}


@dataclass
class Slack:
    """The Slack app and what it is measured against, all serving the same start."""

    farm: Server
    floor: Server
    fastmcp: Server
    bodies: dict[str, list[str]]


def call_bodies(facts: SlackFacts) -> dict[str, list[str]]:
    """Return the requests of every kind of call.

    Every user and every channel takes its turn: no answer repeats soon, and pages are as long as the world's pages are.
    """
    users, channels, text = facts.users, facts.channels, "Release notes are up."
    bodies = {
        "read": [tool_call(READ_TOOL, {"user_id": user}) for user in users],
        "page": [tool_call(PAGE_TOOL, {"channel_id": each, "limit": 10}) for each in channels],
        "write": [tool_call(WRITE_TOOL, {"channel_id": each, "text": text}) for each in channels],
        "refused": [tool_call(PAGE_TOOL, {"channel_id": "C0NOSUCHONE", "limit": 10})],
    }
    # As an agent calls: reads by key, pages, and one post in four.
    kinds = ("read", "page", "read", "write")
    bodies["mixed"] = [bodies[kind][i % len(bodies[kind])] for i in range(60) for kind in kinds]
    return bodies


def start_slack(stage: Stage) -> Slack:
    """Start the app, one episode for each kind of call, and the baselines."""
    data = stage.data("calls")
    context = stage.episode(data, APP, "mixed")
    for kind in _CPU_TARGETS:
        stage.episode(data, APP, kind)
    facts = slack_facts(context, load_world(WORLD).protagonist)
    copy = stage.folder / "fastmcp.db"
    copy.write_bytes(context.read_bytes())
    return Slack(
        stage.app(data, APP),
        stage.baseline("raw"),
        stage.baseline("fastmcp", str(copy), facts.me),
        call_bodies(facts),
    )


def _on(slack: Slack, sizes: Sizes, kind: str, **options: int) -> Callable[[], Load]:
    clients = options.get("clients", sizes.clients)
    return lambda: load(slack.farm, slack.bodies[kind], path=f"/mcp/{kind}", clients=clients, seconds=sizes.seconds)


def cpu_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """CPU a call of every kind, beside the floor."""
    slack = start_slack(stage)
    things = {kind: _on(slack, sizes, kind) for kind in _CPU_TARGETS}
    bare = {"floor": (slack.floor, "/"), "starlette": (stage.baseline("starlette"), "/mcp")}
    for name, (server, path) in bare.items():
        things[name] = lambda server=server, path=path: load(  # type: ignore[misc]
            server, slack.bodies["read"], path=path, clients=sizes.clients, seconds=sizes.seconds
        )
    found = loads_in_turn(sizes, things)
    floors = [each.cpu_us for each in found["floor"]]
    rows = [
        compare(
            f"cpu_{kind}",
            "us/call",
            [each.cpu_us for each in found[kind]],
            floors,
            against=FLOOR,
            target=target,
            calls_per_s=round(max(each.rate for each in found[kind])),
            client_busy=max(each.client_busy for each in found[kind]),
        )
        for kind, target in _CPU_TARGETS.items()
    ]
    plain = [each.cpu_us for each in found["starlette"]]
    return [
        *rows,
        compare("starlette", "us/call", plain, floors, against=f"{FLOOR}; Starlette's JSON, same answer"),
    ]


def loads_in_turn(sizes: Sizes, things: dict[str, Callable[[], Load]]) -> dict[str, list[Load]]:
    """Take turns over loads; the first, unmeasured round fills caches on every side."""
    taken: dict[str, list[Load]] = {name: [] for name in things}

    def record(name: str, work: Callable[[], Load]) -> float:
        taken[name].append(work())
        return 0.0

    turns = {name: (lambda name=name, work=work: record(name, work)) for name, work in things.items()}
    take_turns(sizes.rounds + 1, turns)
    return {name: loads[1:] for name, loads in taken.items()}


def fastmcp_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """Stateful calls a second at 32 clients, and how long a single client waits, beside plain FastMCP."""
    slack = start_slack(stage)

    def plain_fastmcp(clients: int) -> Callable[[], Load]:
        return lambda: load(slack.fastmcp, slack.bodies["mixed"], path="/mcp", clients=clients, seconds=sizes.seconds)

    found = loads_in_turn(
        sizes,
        {
            "many": _on(slack, sizes, "mixed"),
            "many_plain": plain_fastmcp(sizes.clients),
            "one": _on(slack, sizes, "mixed", clients=1),
            "one_plain": plain_fastmcp(1),
        },
    )
    many, many_plain, one, one_plain = found.values()
    return [
        compare(
            "calls_per_s",
            "calls/s",
            [each.rate for each in many],
            [each.rate for each in many_plain],
            against=FASTMCP,
            target=9.0,
            better="higher",
            cpu_us=statistics.median(each.cpu_us for each in many),
            baseline_cpu_us=statistics.median(each.cpu_us for each in many_plain),
            client_busy=max(each.client_busy for each in many),
        ),
        compare(
            "p50_one_client",
            "us",
            [each.p50_us for each in one],
            [each.p50_us for each in one_plain],
            against=FASTMCP,
            target=0.25,
            p95_us=one[0].p95_us,
        ),
    ]


def protocol_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """CPU of the longest tools/list and of the old era's handshake, beside the floor."""
    slack = start_slack(stage)
    data = stage.data("longest")
    stage.episode(data, LONGEST, "ep")
    longest = stage.app(data, LONGEST)
    client = {"name": "bench", "version": "1"}
    initialize = rpc("initialize", {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client})
    listed = rpc("tools/list")
    asked = {
        "initialize": (longest, initialize, "/mcp/ep"),
        "tools_list": (longest, listed, "/mcp/ep"),
        "floor": (slack.floor, listed, "/"),
        "plain initialize": (slack.fastmcp, initialize, "/mcp"),
        "plain tools_list": (slack.fastmcp, listed, "/mcp"),
    }
    things: dict[str, Callable[[], Load]] = {
        name: (
            lambda server=server, body=body, path=path: load(  # type: ignore[misc]
                server, [body], path=path, clients=sizes.clients, seconds=sizes.seconds
            )
        )
        for name, (server, body, path) in asked.items()
    }
    found = loads_in_turn(sizes, things)
    return [
        compare(
            name,
            "us/call",
            [each.cpu_us for each in found[name]],
            [each.cpu_us for each in found["floor"]],
            against=FLOOR,
            target=bound_us / FLOOR_US,
            tools=len(load_app(LONGEST).tool_schemas),
            plain_fastmcp_us=found[f"plain {name}"][0].cpu_us,
        )
        for name, bound_us in (("initialize", 500.0), ("tools_list", 60.0))
    ]
