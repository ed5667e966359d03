"""One scene: two episodes that are played side by side, a third that nobody may reach, and what must have come of it.

A scene follows from the run's seed and its own number: a farm answers the same calls alike, and what is asked next
depends on answers only. So one scene can be played again alone.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar

import orjson

from farm._util.json_io import dumps
from farm.client import FarmClient, mcp_tools
from farm.errors import FarmError
from tests.stress.findings import Finding, Place, is_timeout, unhandled
from tests.stress.mutants import Mutant, Mutants
from tests.stress.values import Known, Values
from tests.stress.wire import (
    ERAS,
    MODERN,
    PLAIN,
    Answer,
    Link,
    Links,
    Unreadable,
    http_bytes,
    new_id,
    port_and_path,
    rpc_body,
    rpc_headers,
)

CALLS, REQUESTS = 400, 40
FROZEN_S = 2.0
_SLOW_MAX, _TRIES = 5, 3
_MORE_KEYS = ("count", "snapshot", "name", "advance_s", "to", "x")
_MARKER = re.compile(rb"mk[0-9a-f]{10}q", re.IGNORECASE)
_LEARN_BYTES_MAX = 1 << 16
_QUIET_S = 0.05
_PROFILES = ("latest", "latest", "latest", "paper-2025")
_Tools = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Where:
    """A running farm, as another process can be told of it."""

    operators_url: str
    token: str
    world: str | None
    apps: tuple[str, ...]
    profiles: tuple[str, ...]


@dataclass
class Tally:
    """What was sent and what came of it."""

    calls: int = 0
    requests: int = 0
    scenes: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    tools: Counter[str] = field(default_factory=Counter)
    longest_s: float = 0.0

    def add(self, other: Tally) -> None:
        """Add another's."""
        self.calls += other.calls
        self.requests += other.requests
        self.scenes += other.scenes
        self.kinds.update(other.kinds)
        self.tools.update(other.tools)
        self.longest_s = max(self.longest_s, other.longest_s)


class Found(Exception):
    """Something that must not be; ends the scene."""

    def __init__(self, kind: str, detail: str, place: Place | None = None, request: bytes = b"") -> None:
        super().__init__(detail)
        self.kind, self.detail, self.place, self.request = kind, detail, place, request


@dataclass
class Made:
    """A call that was answered, and the form it was sent in."""

    app: str
    tool: str
    arguments: Any
    answer: dict[str, Any]
    form: tuple[str | None, bool]


class Played:
    """An episode that is played."""

    def __init__(self, made: dict[str, Any], tools: _Tools, rng: random.Random, marker: str) -> None:
        self.id, self.token, self.urls = made["id"], made["token"], made
        self.wishes: dict[str, Any] = {}
        self.tools = [(app, tool) for app, listed in tools.items() for tool in listed]
        self.marker = marker
        self.known = Known()
        self.values = Values(rng, self.known, marker)
        self.calls: list[Made] = []
        self.snapshots: dict[str, list[Made]] = {}
        self.is_repeatable = True

    def url(self, door: str, app: str) -> str:
        """Return the address of an app of one kind: ``app``, ``gateway`` or ``joint``."""
        if door == "joint":
            return str(self.urls["mcp_all"])
        return str(self.urls["direct" if door == "app" else "mcp"][app])


class Scene:
    """Plays one scene against a farm."""

    _listed: ClassVar[dict[tuple[str, str], list[dict[str, Any]]]] = {}

    def __init__(self, where: Where, seed: int, number: int) -> None:
        self._where, self._seed, self._number = where, seed, number
        self._rng = random.Random(f"{seed}/{number}")
        self._client = FarmClient(where.operators_url, where.token)
        self._links = Links()
        self._dropped: list[str] = []
        self._pair: list[Played] = []
        self._slow: list[tuple[Place, bytes, Played]] = []
        self.tally = Tally(scenes=1)

    def play(self) -> Finding | None:
        """Make generated calls, send mutated requests, look at what came of it; return what was found."""
        try:
            self._play()
        except Found as found:
            request = self._anonymous(found.request)
            return Finding(found.kind, found.detail, self._seed, self._number, found.place, request)
        except (FarmError, OSError, Unreadable) as problem:
            detail = f"{type(problem).__name__}: {problem}"
            return Finding("unhandled", detail, self._seed, self._number)
        finally:
            self._links.close()
            for each in self._dropped:
                with suppress(FarmError):
                    self._client.drop(each)
            self._client.close()
        return None

    def _play(self) -> None:
        self._pair = [self._create(), self._create()]
        self._quiet = self._create()
        while self.tally.calls < CALLS:
            self._step()
        logged, _ = [self._require_trace(each) for each in self._pair]
        if self._rng.random() < 0.25:
            self._require_twin(self._pair[0], logged)
        self._send_mutants(REQUESTS)
        self._require_trace(self._pair[1])
        self._require_quiet()
        self._try_slow_again()

    # -- episodes

    def _create(self, **wishes: Any) -> Played:
        rng = self._rng
        if not wishes:
            apps = list(self._where.apps)
            if rng.random() < 0.2:
                apps = sorted(rng.sample(apps, rng.randint(1, len(apps))))
            profiles = [each for each in _PROFILES if each in self._where.profiles]
            wishes = {"apps": apps, "seed": rng.randrange(1 << 31), "profile": rng.choice(profiles or ["latest"])}
            wishes["world"] = self._where.world
            if self._where.world is None or rng.random() < 0.1:
                wishes.update(world=None, now="2026-03-09T09:00:00+08:00")
        try:
            made = self._client.create(**wishes)
        except FarmError as refused:
            if "profile" not in str(refused):
                raise
            wishes["profile"] = "latest"  # no app of these knows it
            made = self._client.create(**wishes)
        self._dropped.append(made["id"])
        tools = {app: self._tools(made, app) for app in made["apps"]}
        played = Played(made, tools, rng, f"mk{rng.randrange(1 << 40):010x}q")
        played.wishes = wishes
        return played

    def _tools(self, made: Mapping[str, Any], app: str) -> list[dict[str, Any]]:
        key = (app, made["profiles"][app])
        if key not in self._listed:
            self._listed[key] = mcp_tools(made["direct"][app], made["token"])
        return self._listed[key]

    def _anonymous(self, data: bytes) -> str:
        for each in self._pair:
            data = data.replace(each.id.encode(), b"{EPISODE}").replace(each.token.encode(), b"{TOKEN}")
        return data.decode("latin-1")

    # -- generated calls

    def _step(self) -> None:
        rng = self._rng
        played = rng.choice(self._pair)
        chance = rng.random()
        if chance < 0.01:
            self._knock(played)
        elif chance < 0.03:
            self._control(self._pair[1])
        elif chance < 0.05:
            self._ask(played)
        elif chance < 0.13:
            self._call(played, rng.randint(2, 5))
        else:
            self._call(played, 1)

    def _call(self, played: Played, count: int) -> None:
        """Call tools of one app by one door, several of them without waiting for answers."""
        rng = self._rng
        door = rng.choice(("app", "app", "gateway", "gateway", "joint"))
        app = rng.choice(played.tools)[0]
        port, _ = port_and_path(played.url(door, app))
        sent: list[tuple[int, str, Any, tuple[str | None, bool], bytes]] = []
        for _ in range(count):
            of, tool = rng.choice(played.tools)
            while of != app:
                of, tool = rng.choice(played.tools)
            arguments = played.values.arguments(tool["inputSchema"])
            if arguments == {} and rng.random() < 0.5:
                arguments = None  # left out
            form = rng.choice(ERAS), rng.random() < 0.6
            request_id, data = self._tool_call(played, door, app, tool["name"], arguments, form)
            sent.append((request_id, tool["name"], arguments, form, data))
            self.tally.calls += 1
            self.tally.tools[f"{app}/{tool['name']}"] += 1
        place = Place("app" if door == "app" else "gateway", app)
        started = time.monotonic()
        link = self._links.to(port)
        link.send(b"".join(data for *_, data in sent))
        for request_id, tool_name, arguments, form, data in sent:
            answer = self._answer(link, place, data, played, request_id)
            if self._take(played, app, tool_name, arguments, form, answer):
                self._slow.append((place, data, played))
        self._timed(time.monotonic() - started, place, sent[0][-1], played)

    def _tool_call(
        self, played: Played, door: str, app: str, tool: str, arguments: Any, form: tuple[str | None, bool]
    ) -> tuple[int, bytes]:
        """Return a call's id and bytes; the form says of which era it is, and whether other characters are escaped."""
        era, is_ascii = form
        port, path = port_and_path(played.url(door, app))
        name = f"{app}__{tool}" if door == "joint" else tool
        request_id = new_id()
        params: dict[str, Any] = {"name": name}
        if arguments is not None:
            params["arguments"] = arguments
        fields = rpc_headers(port, "tools/call", _in_header(name), era, played.token)
        if era != MODERN and self._rng.random() < 0.1:
            fields.append(("mcp-session-id", f"{self._rng.randrange(1 << 64):016x}"))
        text = json.dumps(rpc_body("tools/call", params, era, request_id), ensure_ascii=is_ascii)
        return request_id, http_bytes("POST", path, fields, text.encode("utf-8", "surrogatepass"))

    def _answer(self, link: Link, place: Place, data: bytes, played: Played, request_id: Any) -> Answer:
        answer = link.answer()
        if answer is None:
            raise Found("unhandled", "no answer", place, data)
        self._require_own(answer.body, played, place, data)
        if (what := unhandled(answer)) is not None:
            raise Found("unhandled", what, place, data)
        body = answer.json
        if isinstance(body, dict) and body.get("id") not in (request_id, None):
            raise Found("crossed", f"the answer is that to request {body.get('id')}, not {request_id}", place, data)
        return answer

    def _require_own(self, body: bytes, played: Played, place: Place | None, data: bytes) -> None:
        own = played.marker.encode()
        for found in _MARKER.findall(body):
            if found.lower() != own:
                raise Found("crossed", f"{found!r} is not of this episode: {body[:300]!r}", place, data)

    def _take(
        self, played: Played, app: str, tool: str, arguments: Any, form: tuple[str | None, bool], answer: Answer
    ) -> bool:
        """Keep what a call came to, and say whether it was cut."""
        body = answer.json
        if not isinstance(body, dict):
            self.tally.kinds[f"status {answer.status}"] += 1
            return False
        if "result" in body:
            kind = "refused by the app" if body["result"].get("isError") else "done"
            if len(answer.body) < _LEARN_BYTES_MAX and self._rng.random() < 0.5:
                _learn(played, body["result"])
        else:
            kind = "cut" if is_timeout(body.get("error")) else "protocol error"
            played.is_repeatable &= kind != "cut"
        self.tally.kinds[kind] += 1
        played.calls.append(Made(app, tool, arguments, body, form))
        return kind == "cut"

    def _timed(self, seconds: float, place: Place, data: bytes, played: Played) -> None:
        self.tally.longest_s = max(self.tally.longest_s, seconds)
        if seconds > FROZEN_S:
            self._slow.append((place, data, played))

    def _try_slow_again(self) -> None:
        """Send again what was slow or cut: what is so each time is not the machine's fault."""
        for place, data, played in self._slow[:_SLOW_MAX]:
            seen = []
            for _ in range(_TRIES):
                started = time.monotonic()
                answers = send_once(self._where, place, played.urls, data)
                cut = any(isinstance(each.json, dict) and is_timeout(each.json.get("error")) for each in answers)
                seen.append(cut or time.monotonic() - started > FROZEN_S)
            if all(seen):
                raise Found("frozen", "cut, or slow, each time", place, data)
            self.tally.kinds["slow or cut once"] += 1

    def _ask(self, played: Played) -> None:
        """Ask for something else than a call, as clients of every era do."""
        rng = self._rng
        era = rng.choice(ERAS)
        door = rng.choice(("app", "gateway", "joint"))
        app = rng.choice(played.tools)[0]
        port, path = port_and_path(played.url(door, app))
        hello = {"protocolVersion": era or PLAIN, "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "1"}}
        method, params = rng.choice(
            (
                ("initialize", hello),
                ("ping", None),
                ("tools/list", {}),
                ("tools/list", {"cursor": played.values.text()}),
                ("server/discover", {}),
                ("prompts/list", {}),
                ("resources/read", {"uri": played.values.text()}),
                ("logging/setLevel", {"level": "debug"}),
                ("tools/call", {"name": played.values.text(), "arguments": {}}),
                (played.values.text(), {"x": played.values.anything()}),
            )
        )
        request_id = new_id()
        name = params.get("name") if method == "tools/call" and params else None
        fields = rpc_headers(
            port, _in_header(method), _in_header(str(name)) if name is not None else None, era, played.token
        )
        text = json.dumps(rpc_body(method, params, era, request_id))
        data = http_bytes("POST", path, fields, text.encode())
        link, place = self._links.to(port), Place("app" if door == "app" else "gateway", app)
        link.send(data)
        answer = self._answer(link, place, data, played, request_id)
        self.tally.kinds["other methods"] += 1
        body = answer.json
        if name is not None and isinstance(body, dict):
            played.calls.append(Made(app, str(name), {}, body, (era, True)))  # an app logs names it does not know, too
        if rng.random() < 0.3:
            note = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode()
            data = http_bytes("POST", path, rpc_headers(port, "", None, PLAIN, played.token), note)
            link.send(data)
            self._answer(link, place, data, played, None)

    def _knock(self, played: Played) -> None:
        """Try to get into the quiet episode, and into the other of the pair, with this one's bearer."""
        other = self._rng.choice([each for each in (*self._pair, self._quiet) if each is not played])
        app, tool = self._rng.choice(other.tools)
        door = self._rng.choice(("app", "gateway", "joint"))
        port, path = port_and_path(other.url(door, app))
        name = f"{app}__{tool['name']}" if door == "joint" else tool["name"]
        token = self._rng.choice((played.token, None, "", played.token[:-1]))
        request_id = new_id()
        body = rpc_body("tools/call", {"name": name, "arguments": {}}, PLAIN, request_id)
        fields = rpc_headers(port, "tools/call", name, PLAIN, token)
        data = http_bytes("POST", path, fields, json.dumps(body).encode())
        link, place = self._links.to(port), Place("app" if door == "app" else "gateway", app)
        link.send(data)
        answer = self._answer(link, place, data, played, request_id)
        self.tally.kinds["foreign bearers"] += 1
        if answer.status != 401 or b'"result"' in answer.body:
            raise Found("crossed", f"a foreign bearer is answered {answer.status}: {answer.body[:200]!r}", place, data)

    # -- what an operator does meanwhile

    def _control(self, played: Played) -> None:
        played.is_repeatable = False
        name = self._rng.choice(("snapshot", "restore", "reset", "fork", "clock", "wish"))
        self.tally.kinds["changes by the operator"] += 1
        if name == "snapshot":
            played.snapshots[self._client.snapshot(played.id)] = list(played.calls)
        elif name == "restore" and played.snapshots:
            snapshot = self._rng.choice(list(played.snapshots))
            self._client.restore(played.id, snapshot)
            played.calls = list(played.snapshots[snapshot])
        elif name == "reset":
            self._client.reset(played.id)
            played.calls = []
        elif name == "fork":
            (copy,) = self._client.fork(played.id)
            self._dropped.append(copy["id"])
            if self._client.diff(copy["id"]) != self._client.diff(played.id):
                raise Found("lost", "a fork differs from its original")
            self._client.drop(copy["id"])
            self._dropped.remove(copy["id"])
        elif name == "clock":
            self._client.set_clock(played.id, advance_s=self._rng.randrange(10**6))
        else:
            self._wish(played)

    def _wish(self, played: Played) -> None:
        """Send the control API what no operator would."""
        rng = self._rng
        port, _ = port_and_path(self._where.operators_url)
        keys = (
            "world",
            "apps",
            "seed",
            "now",
            "me",
            "menu",
            "profile",
            "label",
            "expires_at",
            "calls_max",
            *_MORE_KEYS,
        )
        body = {rng.choice(keys): played.values.anything() for _ in range(rng.randint(1, 4))}
        ends = ("", f"/{played.id}/snapshots", f"/{played.id}/restore", f"/{played.id}/clock")
        target = "/v1/episodes" + rng.choice(ends)
        fields = [("host", f"127.0.0.1:{port}"), ("authorization", f"Bearer {self._where.token}")]
        text = json.dumps(body).encode("utf-8", "surrogatepass")
        data = http_bytes("POST", target, [*fields, ("content-type", "application/json")], text)
        link = self._links.to(port)
        link.send(data)
        answer, place = link.answer(), Place("operators")
        if answer is None or answer.status >= 500 or b"Traceback" in answer.body:
            raise Found("unhandled", f"the control API: {answer}", place, data)
        made = answer.json
        if answer.status < 300 and target == "/v1/episodes":
            self._dropped.append(made["id"])
        elif answer.status < 300 and target.endswith("/snapshots"):
            played.snapshots[made["snapshot"]] = list(played.calls)
        elif answer.status < 300 and target.endswith("/restore"):
            played.calls = list(played.snapshots[body["snapshot"]])

    # -- what must have come of it

    def _require_trace(self, played: Played) -> list[Made]:
        """Every acknowledged call stands in the trace, once, with its answer, in its place, and nothing else does.

        Returns the calls that do; what was refused before it was one, in words of the protocol, does not.
        """
        logged_calls = []
        trace = self._client.calls(played.id)
        self._require_own(dumps(trace), played, None, b"")
        at = 0
        for made in played.calls:
            if at < len(trace) and _is_same(made, trace[at]):
                at += 1
                logged_calls.append(made)
            elif "result" in made.answer:
                logged = trace[at] if at < len(trace) else None
                raise Found(
                    "lost", f"acknowledged but not logged: {made}; call {at + 1} of the trace is {logged}"[:2000]
                )
        if at != len(trace):
            raise Found("lost", f"logged but never asked for: {trace[at]}"[:2000])
        counted = self._client.episode(played.id)["calls"]
        if counted != len(trace):
            raise Found("lost", f"{counted} calls are counted, {len(trace)} logged")
        self.tally.kinds["calls found in traces"] += len(trace)
        return logged_calls

    def _require_twin(self, played: Played, logged: list[Made]) -> None:
        """Another episode to which the same was sent has come to the same: what was acknowledged is in the state."""
        if not played.is_repeatable:
            return
        twin = self._create(**played.wishes)
        twin.marker = played.marker
        for made in logged:
            request_id, data = self._tool_call(twin, "app", made.app, made.tool, made.arguments, made.form)
            place = Place("app", made.app)
            link = self._links.to(port_and_path(twin.url("app", made.app))[0])
            link.send(data)
            answer = self._answer(link, place, data, twin, request_id).json
            if is_timeout(answer.get("error")):
                return
            twin.calls.append(made)
        self._require_trace(twin)
        mine, other = (self._client.diff(each.id) for each in (played, twin))
        if mine != other:
            raise Found("lost", f"the same calls came to another state in a second episode: {_difference(mine, other)}")
        self.tally.kinds["calls found in states"] += len(twin.calls)

    def _require_quiet(self) -> None:
        """Nothing has happened in the episode that nobody may reach."""
        name = self._quiet.id
        changed = {app: tables for app, tables in self._client.diff(name).items() if tables}
        if changed or self._client.calls(name) or self._client.episode(name)["calls"]:
            raise Found("crossed", f"the quiet episode has changed: {changed} {self._client.calls(name)}"[:2000])

    # -- mutated requests

    def _send_mutants(self, count: int) -> int:
        """Send mutated requests of the first episode, then look at what they came to; return how many were sent."""
        played, other = self._pair
        mutants = Mutants(self._rng, played.urls, [(m.app, m.tool, m.arguments) for m in played.calls[-200:]], other.id)
        before = self._client.episode(played.id)["calls"]
        asked = acknowledged = 0
        for _ in range(count):
            mutant = mutants.draw(self._where.operators_url)
            place = Place(mutant.door, mutant.app)
            self.tally.requests += 1
            asked += mutant.data.count(b"tools/call") + (1 if mutant.is_bent else 0) * mutant.count
            for answer in self._answers(mutant, place):
                self.tally.kinds[f"mutated: {answer.status}"] += 1
                self._require_own(answer.body, played, place, mutant.data)
                if (what := unhandled(answer)) is not None:
                    raise Found("unhandled", what, place, mutant.data)
                found = answer.json
                acknowledged += isinstance(found, dict) and "content" in (found.get("result") or ())
            if self._rng.random() < 0.2:
                # Over a kept connection, which shares the gateway's own to the app.
                self._call(other, 1)
        made = self._client.episode(played.id)["calls"] - before
        # A connection that was closed too soon has taken its answer along, so there may be more calls than answers.
        if not acknowledged <= made <= asked:
            raise Found("lost", f"{acknowledged} calls acknowledged, {made} made, at most {asked} asked for")
        return count

    def _answers(self, mutant: Mutant, place: Place) -> list[Answer]:
        """Send a mutant over a connection of its own; return what comes until that is all, or nothing more comes."""
        link = Link(mutant.port)
        started = time.monotonic()
        found: list[Answer] = []
        try:
            for piece in mutant.pieces:
                link.send(piece)
            while len(found) < mutant.count and (answer := link.answer(_QUIET_S)) is not None:
                found.append(answer)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused before it was all there
        except Unreadable as odd:
            # The answer to a HEAD names a length and has no body.
            if b"HEAD " not in mutant.data:
                raise Found("unhandled", str(odd), place, mutant.data) from odd
        finally:
            link.close()
        self._timed(time.monotonic() - started, place, mutant.data, self._pair[0])
        return found


def play(where: Where, seed: int, number: int) -> tuple[Tally, Finding | None]:
    """Play one scene; for a process of its own."""
    scene = Scene(where, seed, number)
    found = scene.play()
    return scene.tally, found


def _in_header(text: str) -> str:
    return "".join(each if " " < each < "\x7f" else "x" for each in text)


def _learn(played: Played, result: Mapping[str, Any]) -> None:
    for block in result.get("content", ()):
        text = block.get("text", "")
        if text[:1] in "{[" and text:
            try:
                played.known.learn(orjson.loads(text), played.marker)
            except orjson.JSONDecodeError:
                continue


def _is_same(made: Made, logged: Mapping[str, Any]) -> bool:
    result = logged["result"]
    if made.app != logged["app"]:
        return False
    if "error" in made.answer:
        error = result.get("error")
        return isinstance(error, dict) and all(
            made.answer["error"].get(key) == error.get(key) for key in ("code", "message")
        )
    told = made.answer["result"]
    if made.tool != logged["tool"] or bool(told.get("isError")) != bool(result.get("isError")):
        return False
    return all(told.get(key) == result.get(key) for key in ("content", "structuredContent"))


def _difference(mine: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    apps = [app for app in mine if mine[app] != other.get(app)]
    return str({app: (mine[app], other.get(app)) for app in apps})[:1500]


def request_of(finding: Finding, episode: Mapping[str, Any]) -> bytes:
    """Return a finding's request for another episode."""
    data = finding.request.encode("latin-1")
    return data.replace(b"{EPISODE}", episode["id"].encode()).replace(b"{TOKEN}", episode["token"].encode())


def send_once(
    where: Where, place: Place, episode: Mapping[str, Any], data: bytes, wait_s: float = 10.0
) -> list[Answer]:
    """Send bytes over a connection of their own and return what comes."""
    if place.door == "app":
        port, _ = port_and_path(episode["direct"][place.app])
    else:
        port, _ = port_and_path(episode["mcp_all"] if place.door == "gateway" else where.operators_url)
    link = Link(port)
    found: list[Answer] = []
    try:
        link.send(data)
        while len(found) < max(1, data.count(b" HTTP/1.1\r\n")) and (answer := link.answer(wait_s)) is not None:
            found.append(answer)
    except (BrokenPipeError, ConnectionResetError):
        pass
    finally:
        link.close()
    return found
