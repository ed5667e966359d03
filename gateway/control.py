"""The control API: every operation for operators, under ``/v1`` on its own port, always with the operator token."""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from hmac import compare_digest
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from farm import __version__
from farm._util.json_io import dumps
from farm.context.corrupt_file import CorruptFileError
from farm.context.episode_request import KEYS as EPISODE_KEYS
from farm.context.fault_rules import KEYS as FAULT_KEYS
from farm.context.person_rules import KEYS as PERSON_RULE_KEYS
from farm.errors import FarmError, InternalError, MethodNotAllowedError, NotFoundError, UnauthorizedError
from farm.server.http.answer import error_answer
from farm.server.http.asgi import ClientDisconnectedError, read_body
from farm.server.http.asgi import header as header_of
from farm.server.http.request_guard import AllowedHosts

from .addresses import Addresses
from .audit_log import OPERATOR, AuditLog, Logged
from .episodes import Episodes
from .page import files as page_files
from .page.events import Follower
from .page.saved import saved_page, story, whole_episode
from .page.sessions import CODE_S_MAX, WANTED, Sessions, require_own_page, set_cookie, without_bearers

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LIMIT_MAX = 10_000
_LISTED_AT_ONCE = 50
_logger = logging.getLogger("gateway")

StatusAndBody = tuple[int, Any]
Handler = Callable[[Request, dict[str, Any]], Awaitable[StatusAndBody]]
Plain = Callable[[Request], Awaitable[Response]]
PAGE = "farm.page"  # in the scope of a request of a signed-in browser: its session
# Everybody may load the page and try to sign in; Host and Origin are checked all the same.
_OPEN_PATHS = re.compile(r"/|/web/[a-z0-9_./-]*|/v1/page/session")


def json_response(status: int, body: Any) -> Response:
    """Return a JSON response."""
    return Response(dumps(body), status, media_type="application/json")


def error_response(error: FarmError) -> Response:
    """Return an error in the form that every part of the farm uses."""
    response = json_response(error.status, error.as_json())
    response.raw_headers.extend(error.headers)
    return response


@dataclass(frozen=True)
class Operation:
    """One operation of the control API: its path, input and output. The OpenAPI document is built from these."""

    method: str
    path: str
    summary: str
    body: tuple[str, ...] = ()
    query: tuple[str, ...] = ()
    status: int = 200


EPISODE = "/v1/episodes/{id}"
OPERATIONS = {
    "status": Operation("GET", "/v1/farm", "Each app, whether it answers, and how many episodes there are."),
    "create": Operation(
        "POST",
        "/v1/episodes",
        "Create an episode and learn how to reach it.",
        EPISODE_KEYS,
        status=201,
    ),
    "import_episode": Operation(
        "POST",
        "/v1/imports",
        "Make an episode of verified files in the data folder.",
        ("folder", "episode", "shift_days"),
        status=201,
    ),
    "import_capacity": Operation(
        "GET", "/v1/imports", "Whether the data folder takes so many bytes more.", query=("size_bytes",)
    ),
    "list": Operation("GET", "/v1/episodes", "List every episode, oldest first."),
    "get": Operation("GET", EPISODE, "One episode with its URLs, token, clock and count of calls."),
    "drop": Operation("DELETE", EPISODE, "Remove an episode with all it has."),
    "reset": Operation("POST", EPISODE + "/reset", "Bring an episode back to its world's start."),
    "add_holder": Operation(
        "POST", EPISODE + "/holders", "Let a further person act in an episode, and learn their token.", ("me",)
    ),
    "renew_token": Operation("POST", EPISODE + "/token", "Issue a new token in place of the episode's."),
    "snapshot": Operation(
        "POST", EPISODE + "/snapshots", "Save one consistent snapshot over all apps.", ("name",), status=201
    ),
    "snapshots": Operation("GET", EPISODE + "/snapshots", "List an episode's snapshots, oldest first."),
    "restore": Operation("POST", EPISODE + "/restore", "Bring an episode back to a snapshot.", ("snapshot",)),
    "fork": Operation(
        "POST", EPISODE + "/fork", "Copy an episode, now or at a snapshot.", ("snapshot", "count"), status=201
    ),
    "export": Operation(
        "POST", EPISODE + "/export", "Copy an episode's files into a folder of the data folder.", ("folder", "snapshot")
    ),
    "diff": Operation(
        "GET", EPISODE + "/diff", "What changed since the start or a snapshot.", query=("since", "reverted")
    ),
    "calls": Operation(
        "GET", EPISODE + "/calls", "The trace over all apps, or one.", query=("app", "after", "limit", "results")
    ),
    "clock": Operation("GET", EPISODE + "/clock", "The simulated time."),
    "set_clock": Operation(
        "POST", EPISODE + "/clock", "Move the simulated time forward.", ("advance_s", "to", "next", "quiet", "rate")
    ),
    "faults": Operation("GET", EPISODE + "/faults", "Every planned fault, with its counts."),
    "add_fault": Operation(
        "POST",
        EPISODE + "/faults",
        "Plan calls that fail in the vendor's words.",
        ("app", "kind", *(key for key in FAULT_KEYS if key not in ("app", "kind"))),
        status=201,
    ),
    "heal_fault": Operation("DELETE", EPISODE + "/faults/{app}/{fault}", "End a planned fault."),
    "state": Operation("GET", EPISODE + "/state/{app}/{table}", "Rows of one table.", query=("at", "after", "limit")),
    "people": Operation("GET", EPISODE + "/people", "Everybody of an episode's world, with the ids of their accounts."),
    "person_rules": Operation(
        "GET", EPISODE + "/people/rules", "The rules by which people answer, what waits, and what they have done."
    ),
    "add_person_rule": Operation(
        "POST", EPISODE + "/people/rules", "Let a person answer by a rule.", PERSON_RULE_KEYS, status=201
    ),
    "check": Operation(
        "POST",
        EPISODE + "/check",
        "Judge what came of an episode by checkpoints, or by a task's.",
        (
            *("checkpoints", "allow", "lookups", "reverted", "instruction", "task", "answer", "since", "calls_after"),
            *("answers", "ended", "turns", "usage", "evidence"),
        ),
    ),
    "suites": Operation("GET", "/v1/tasks", "List every suite of tasks."),
    "tasks": Operation(
        "GET",
        "/v1/tasks/{suite}",
        "What each task of a suite asks, and the episode that it wants.",
        query=("answers", "prompt", "profile"),
    ),
    "task": Operation(
        "GET",
        "/v1/tasks/{suite}/{task}",
        "What a task asks, and the episode that it wants.",
        query=("answers", "prompt", "profile", "menu", "menu_seed", "calls_max", "time_s_max"),
    ),
    "watch": Operation("GET", EPISODE + "/watch/{app}", "Wait for the next calls of one app.", query=("after",)),
    "views": Operation("GET", EPISODE + "/views", "How a page shows each app, and whose accounts the agent uses."),
    "story": Operation("GET", EPISODE + "/story", "Every call in order, with its changes and a sentence."),
    "rewind": Operation(
        "POST", EPISODE + "/rewind", "Undo every call after one, or do so in a copy.", ("calls", "fork")
    ),
    "make_code": Operation(
        "POST", "/v1/page/codes", "Make a code that signs in one browser.", ("read_only",), status=201
    ),
}


class Control:
    """Answers the calls of the control API."""

    def __init__(self, episodes: Episodes, addresses: Addresses, sessions: Sessions | None = None) -> None:
        self._episodes = episodes
        self._addresses = addresses
        self._sessions = sessions or Sessions()

    def _reached(self, request: Request, view: Mapping[str, Any]) -> dict[str, Any]:
        """Return an episode with its URLs as the requesting client sees them."""
        return {**view, **self._addresses.urls(request.scope, view["id"], self._episodes.running(view["id"]))}

    async def status(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        agents_url = self._addresses.seen_by(request.scope).agents
        return 200, {**await self._episodes.status(), "agents_url": agents_url}

    async def create(self, request: Request, body: dict[str, Any]) -> StatusAndBody:
        return 201, self._reached(request, await self._episodes.create(body))

    async def import_episode(self, request: Request, body: dict[str, Any]) -> StatusAndBody:
        folder, episode, shift_days = (body.get(name) for name in ("folder", "episode", "shift_days"))
        if not isinstance(episode, dict):
            raise FarmError("'episode' is missing; it is an object of what the episode was created with")
        if isinstance(shift_days, bool) or not isinstance(shift_days, int) or shift_days % 7:
            raise FarmError(f"'shift_days' must be whole weeks in days, not {shift_days!r}")
        made = await self._episodes.import_episode(_name(folder), episode, shift_days)
        return 201, self._reached(request, made)

    async def import_capacity(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        size_bytes = _count(request, "size_bytes", 0, 24)
        await self._episodes.require_capacity(size_bytes)
        return 200, {"size_bytes": size_bytes}

    async def list(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        found = []
        for each in self._episodes.every():
            found.append(self._reached(request, each))
            if len(found) % _LISTED_AT_ONCE == 0:
                # Yield to agents' calls: ten thousand episodes take half a second.
                await asyncio.sleep(0)
        return 200, {"episodes": found}

    async def get(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        return 200, self._reached(request, await self._episodes.get(request.path_params["id"]))

    async def drop(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        await self._episodes.drop(request.path_params["id"])
        return 200, {"id": request.path_params["id"]}

    async def reset(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        return 200, await self._episodes.reset(request.path_params["id"])

    async def add_holder(self, request: Request, body: dict[str, Any]) -> StatusAndBody:
        if not isinstance(body.get("me"), str):
            raise FarmError("'me' is missing; it is the key of the person who joins")
        return 200, await self._episodes.add_holder(request.path_params["id"], body["me"])

    async def renew_token(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        return 200, await self._episodes.renew_token(request.path_params["id"])

    async def snapshot(self, request: Request, body: dict[str, Any]) -> StatusAndBody:
        name = body.get("name")
        return 201, await self._episodes.snapshot(request.path_params["id"], None if name is None else _name(name))

    async def snapshots(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        return 200, {"snapshots": self._episodes.snapshots(request.path_params["id"])}

    async def restore(self, request: Request, body: dict[str, Any]) -> StatusAndBody:
        if body.get("snapshot") is None:
            raise FarmError("'snapshot' is missing; it names the snapshot to go back to")
        restored = await self._episodes.restore(request.path_params["id"], _name(body["snapshot"]))
        return 200, self._reached(request, restored)

    async def fork(self, request: Request, body: dict[str, Any]) -> StatusAndBody:
        count = body.get("count", 1)
        if isinstance(count, bool) or not isinstance(count, int):
            raise FarmError(f"'count' must be an integer, not {count!r}")
        name = body.get("snapshot")
        copies = await self._episodes.fork(request.path_params["id"], None if name is None else _name(name), count)
        made = [self._reached(request, each) for each in copies]
        return 201, {**made[0], "episodes": made}

    async def export(self, request: Request, body: dict[str, Any]) -> StatusAndBody:
        folder, name = _name(body.get("folder")), body.get("snapshot")
        found = await self._episodes.export(request.path_params["id"], folder, None if name is None else _name(name))
        return 200, found

    async def diff(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        since = request.query_params.get("since", "start")
        reverted = _flag(request, "reverted", "0")
        return 200, await self._episodes.diff(request.path_params["id"], since, reverted=reverted)

    async def calls(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        after, limit = _count(request, "after", 0), _count(request, "limit", 1000)
        results = _flag(request, "results", "1")
        found = await self._episodes.calls(
            request.path_params["id"],
            app=request.query_params.get("app"),
            after=after,
            limit=min(limit, _LIMIT_MAX),
            results=results,
        )
        return 200, found

    async def clock(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        return 200, await self._episodes.clock(request.path_params["id"])

    async def set_clock(self, request: Request, body: dict[str, Any]) -> StatusAndBody:
        return 200, await self._episodes.set_clock(request.path_params["id"], body)

    async def faults(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        return 200, await self._episodes.faults(request.path_params["id"])

    async def add_fault(self, request: Request, body: dict[str, Any]) -> StatusAndBody:
        return 201, await self._episodes.add_fault(request.path_params["id"], body)

    async def heal_fault(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        path = request.path_params
        return 200, await self._episodes.heal_fault(path["id"], path["app"], _name(path["fault"]))

    async def person_rules(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        return 200, await self._episodes.person_rules(request.path_params["id"])

    async def add_person_rule(self, request: Request, body: dict[str, Any]) -> StatusAndBody:
        return 201, await self._episodes.add_person_rule(request.path_params["id"], body)

    async def state(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        path = request.path_params
        return 200, await self._episodes.rows(path["id"], path["app"], path["table"], request.query_params)

    async def people(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        return 200, await self._episodes.people(request.path_params["id"])

    async def check(self, request: Request, body: dict[str, Any]) -> StatusAndBody:
        return 200, await self._episodes.check(request.path_params["id"], body)

    async def suites(self, _: Request, __: dict[str, Any]) -> StatusAndBody:
        return 200, await self._episodes.suites()

    async def tasks(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        return 200, await self._episodes.tasks(request.path_params["suite"], request.query_params)

    async def task(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        path = request.path_params
        return 200, await self._episodes.task(f"{path['suite']}/{path['task']}", request.query_params)

    async def watch(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        path = request.path_params
        return 200, await self._episodes.watch(path["id"], path["app"], request.query_params.get("after"))

    async def views(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        return 200, await self._episodes.views(request.path_params["id"])

    async def story(self, request: Request, _: dict[str, Any]) -> StatusAndBody:
        return 200, {"calls": await story(self._episodes, request.path_params["id"])}

    async def saved_page(self, request: Request) -> Response:
        """Answer with an episode's page as one HTML file; ``task`` names the task whose verdict its bill has."""
        episode_id, task = request.path_params["id"], request.query_params.get("task")
        saved = await whole_episode(self._episodes, episode_id)
        if task is not None:
            body = {"task": task, "answer": request.query_params.get("answer", "")}
            verdict, card = await self._episodes.check(episode_id, body), await self._episodes.task(task, {})
            saved |= {"task": task, "card": card, "verdict": verdict}
        name = f'attachment; filename="{episode_id}.html"'
        headers = {"content-disposition": name, "x-content-type-options": "nosniff", "cache-control": "no-store"}
        return Response(saved_page(saved), 200, headers, "text/html; charset=utf-8")

    async def rewind(self, request: Request, body: dict[str, Any]) -> StatusAndBody:
        calls, forks, episode_id = body.get("calls"), body.get("fork", False), request.path_params["id"]
        if isinstance(calls, bool) or not isinstance(calls, int) or calls < 0:
            raise FarmError(f"'calls' must be the number of calls that stay, not {calls!r}")
        if not isinstance(forks, bool):
            raise FarmError(f"'fork' must be true or false, not {forks!r}")
        done = await (self._episodes.fork_at if forks else self._episodes.rewind)(episode_id, calls)
        return 200, self._reached(request, done)

    async def make_code(self, _: Request, body: dict[str, Any]) -> StatusAndBody:
        is_read_only = body.get("read_only", False)
        if not isinstance(is_read_only, bool):
            raise FarmError(f"'read_only' must be true or false, not {is_read_only!r}")
        return 201, {"code": self._sessions.make_code(is_read_only=is_read_only), "expires_in_s": CODE_S_MAX}

    async def sign_in(self, request: Request) -> Response:
        """Exchange a code for the cookie of a session."""
        require_own_page(request.scope)
        body = orjson.loads(await read_body(request.scope, request.receive) or b"null")
        code = body.get("code") if isinstance(body, dict) else None
        if not isinstance(code, str):
            raise FarmError("'code' is missing; 'farm open' prints it")
        secret, session = self._sessions.exchange(code)
        response = json_response(200, {"read_only": session.is_read_only})
        response.raw_headers.append((b"set-cookie", set_cookie(request.scope, secret)))
        return response

    async def session(self, request: Request) -> Response:
        """Tell a browser whether it may change anything."""
        return json_response(200, {"read_only": request.scope[PAGE].is_read_only if PAGE in request.scope else False})

    async def events(self, request: Request) -> Response:
        """Stream the calls of an episode; ``after`` has an entry ``app:number`` for each app whose calls are known."""
        episode_id, known = request.path_params["id"], _known_calls(request.query_params.get("after", ""))
        after = {app: known.get(app, 0) for app in self._episodes.running(episode_id)}

        async def watch(app: str, number: int) -> Mapping[str, Any]:
            return await self._episodes.watch(episode_id, app, str(number))

        async def summarize(app: str, calls: list[dict[str, Any]]) -> list[str]:
            return await self._episodes.sentences(episode_id, app, calls)

        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(Follower(watch, summarize, after).events(), 200, headers, "text/event-stream")


def _known_calls(text: str) -> dict[str, int]:
    found = re.fullmatch(r"(?:[a-z0-9_]+:[0-9]{1,12}(?:,|\Z))*", text)
    if found is None:
        raise FarmError("'after' must be APP:NUMBER, separated by commas")
    return {app: int(number) for app, number in (each.split(":") for each in text.split(",") if each)}


def _flag(request: Request, name: str, default: str) -> bool:
    given = request.query_params.get(name, default)
    if given not in ("0", "1"):
        raise FarmError(f"{name!r} must be 0 or 1, not {given!r}")
    return given == "1"


def _name(value: Any) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise FarmError(f"{value!r} is no name; use up to 64 letters, digits, '.', '_' and '-'")
    return value


def _count(request: Request, name: str, default: int, digits_max: int = 12) -> int:
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit()) or len(text) > digits_max:
        raise FarmError(f"'{name}' must be a count, not {text!r}")
    return int(text)


def _require_known(call: Operation, where: str, given: Iterable[str], takes: tuple[str, ...]) -> None:
    unknown = sorted(set(given) - set(takes))
    if unknown:
        raise FarmError(f"unknown {where} '{unknown[0]}'; {call.method} {call.path} takes {', '.join(takes) or 'none'}")


async def _body(request: Request, call: Operation) -> dict[str, Any]:
    raw = await read_body(request.scope, request.receive)
    if not raw.strip():
        return {}
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError as problem:
        raise FarmError(f"the body is not JSON: {problem}") from None
    if not isinstance(body, dict):
        raise FarmError("the body must be a JSON object")
    _require_known(call, "key", body, call.body)
    return body


def _endpoint(call: Operation, handler: Handler, episodes: Episodes) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            _require_known(call, "parameter", request.query_params, call.query)
            status, answer = await handler(request, await _body(request, call))
        except CorruptFileError as problem:
            return error_response(await episodes.with_recovery_hint(request.path_params.get("id", ""), problem))
        except FarmError as problem:
            return error_response(problem)
        except ClientDisconnectedError:
            return Response(status_code=400)  # the client has left, nobody reads this
        except (OSError, sqlite3.Error) as problem:
            # For example a full disk; a traceback would add nothing.
            _logger.error("%s %s failed: %s", request.method, request.url.path, problem)
            return error_response(InternalError(f"{type(problem).__name__}: {problem}; see the farm's log"))
        except Exception as problem:
            # A bug. The client understands only this form of answer.
            _logger.exception("%s %s failed", request.method, request.url.path)
            return error_response(InternalError(f"{type(problem).__name__}: {problem}; see the farm's log"))
        if PAGE in request.scope:
            answer = without_bearers(answer)
        if "id" in (answer if isinstance(answer, dict) else ()) and "id" not in request.path_params:
            request.scope["farm.made"] = answer["id"]
        return json_response(status, answer)

    return endpoint


def _plain(handler: Plain) -> Plain:
    """Return an endpoint that turns errors into answers, for what is not an operation of the control API."""

    async def endpoint(request: Request) -> Response:
        try:
            return await handler(request)
        except FarmError as problem:
            return error_response(problem)
        except orjson.JSONDecodeError as problem:
            return error_response(FarmError(f"the body is not JSON: {problem}"))
        except ClientDisconnectedError:
            return Response(status_code=400)

    return endpoint


def openapi() -> dict[str, Any]:
    """Return the OpenAPI document of the control API."""
    paths: dict[str, Any] = {}
    for name, call in OPERATIONS.items():
        fields = {"type": "object", "properties": {key: {} for key in call.body}, "additionalProperties": False}
        parameters = [{"name": n, "in": "path", "required": True} for n in re.findall(r"\{(\w+)\}", call.path)]
        parameters += [{"name": n, "in": "query"} for n in call.query]
        operation: dict[str, Any] = {
            "operationId": name,
            "summary": call.summary,
            "parameters": [{**each, "schema": {"type": "string"}} for each in parameters],
            "responses": {
                str(call.status): {"description": "done"},
                "default": {
                    "description": "refused",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
                },
            },
        }
        if call.body:
            operation["requestBody"] = {"content": {"application/json": {"schema": fields}}}
        paths.setdefault(call.path, {})[call.method.lower()] = operation
    detail = {"type": "object", "properties": {"code": {"type": "string"}, "message": {"type": "string"}}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "mcp-farm control API", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": {"Error": {"type": "object", "properties": {"error": detail}}},
            "securitySchemes": {"operator": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"operator": []}],
    }


def control_app(
    episodes: Episodes,
    token: str,
    is_ready: Callable[[], Awaitable[bool]],
    metrics: Callable[[], Awaitable[str]],
    addresses: Addresses,
    allowed_hosts: tuple[str, ...] = (),
    log: AuditLog | None = None,
) -> ASGIApp:
    """Return the control API as an ASGI application; log its calls to ``log``."""
    sessions = Sessions()
    control = Control(episodes, addresses, sessions)

    async def healthz(_: Request) -> Response:
        ready = await is_ready()
        return json_response(200 if ready else 503, {"ready": ready})

    async def document(_: Request) -> Response:
        return json_response(200, openapi())

    async def show_metrics(_: Request) -> Response:
        return Response(await metrics(), media_type="text/plain; version=0.0.4")

    async def nothing(request: Request, _: Exception) -> Response:
        return error_response(NotFoundError(f"nothing at {request.url.path}; see /v1/openapi.json"))

    async def not_so(request: Request, problem: Exception) -> Response:
        refused = MethodNotAllowedError(f"{request.method} is not for {request.url.path}")
        allowed = getattr(problem, "headers", None) or {}
        refused.headers = tuple((name.lower().encode(), value.encode()) for name, value in allowed.items())
        return error_response(refused)

    routes = [
        Route(c.path, _endpoint(c, getattr(control, n), episodes), methods=[c.method]) for n, c in OPERATIONS.items()
    ]
    routes += [
        Route("/v1/page/session", _plain(control.sign_in), methods=["POST"]),
        Route("/v1/page/session", _plain(control.session), methods=["GET"]),
        Route(EPISODE + "/page.html", _plain(control.saved_page), methods=["GET"]),
        Route(EPISODE + "/events", _plain(control.events), methods=["GET"]),
        Route("/", _plain(page_files.serve), methods=["GET"]),
        Route("/web/{name:path}", _plain(page_files.serve), methods=["GET"]),
    ]
    routes += [Route("/healthz", healthz), Route("/v1/openapi.json", document), Route("/metrics", show_metrics)]
    app = Starlette(routes=_merged(routes), exception_handlers={404: nothing, 405: not_so})
    app.router.redirect_slashes = False
    guarded = _Guard(app, token, allowed_hosts, sessions)
    return guarded if log is None else Logged(guarded, log)


def _merged(routes: list[Route]) -> list[Route]:
    """Merge routes of one path into one, so that a wrong method gets a 405 that names the path."""
    by_path: dict[str, list[Route]] = {}
    for route in routes:
        by_path.setdefault(route.path, []).append(route)
    return [same[0] if len(same) == 1 else _several(path, same) for path, same in by_path.items()]


def _several(path: str, routes: list[Route]) -> Route:
    endpoints = {method: route.endpoint for route in routes for method in route.methods or ()}

    async def endpoint(request: Request) -> Response:
        answer: Response = await endpoints[request.method](request)
        return answer

    return Route(path, endpoint, methods=sorted(endpoints))


class _Guard:
    """Rejects requests without the operator token or a browser's session, and requests of a foreign page."""

    def __init__(self, app: ASGIApp, token: str, allowed_hosts: tuple[str, ...], sessions: Sessions) -> None:
        self._app = app
        self._token = token.encode()
        self._allowed_hosts = AllowedHosts(allowed_hosts)
        self._sessions = sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] != "/healthz":
            try:
                self._allowed_hosts.require_ours(scope)
                if not self._is_open(scope):
                    self._require_operator(scope)
                    scope[OPERATOR] = True
            except FarmError as problem:
                await error_answer(problem).send(send)
                return
        await self._app(scope, receive, send)

    @staticmethod
    def _is_open(scope: Scope) -> bool:
        wanted = ("POST",) if scope["path"] == "/v1/page/session" else ("GET", "HEAD")
        return scope["method"] in wanted and _OPEN_PATHS.fullmatch(scope["path"]) is not None

    def _require_operator(self, scope: Scope) -> None:
        scheme, _, given = (header_of(scope, b"authorization") or b"").partition(b" ")
        if scheme.lower() == b"bearer" and compare_digest(given.strip(), self._token):
            return
        if scheme:
            raise UnauthorizedError(WANTED)
        scope[PAGE] = self._sessions.require(scope)
