"""The gateway's process: forked with its configuration, or started by ``python -m`` with it on standard input."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import shutil
import socket
import sqlite3
import sys
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import orjson

from farm._util.bounded_log import log_to_stderr
from farm.errors import FarmError, UnavailableError
from farm.server.limits.connection_limits import allow_descriptors
from farm.server.limits.malloc_trim import limit_arenas
from farm.server.listener import http_server, loop_factory, on_signals

from .addresses import Addresses
from .aggregate import Aggregate
from .app_client import HEALTH_S_MAX, AppClient
from .audit_log import AuditLog
from .companions import Companions
from .config import GatewayConfig
from .control import control_app
from .episodes import Episodes
from .mcp_endpoint import McpEndpoint
from .registry import Registry
from .relay import Relay

_APPS_S_MAX = 20.0
_RECHECK_S = 1.0
_FINISH_S_MAX = 1
_KEEP_UP_S = 1.0
_logger = logging.getLogger("gateway")


class _Readiness:
    """Cache for one second whether every app answers; a quick failure is not cached."""

    def __init__(self, apps: AppClient) -> None:
        self._apps = apps
        self._holds_until = 0.0
        self._ready = False
        self._asking: asyncio.Task[bool] | None = None
        self.is_open = False

    async def ask(self) -> bool:
        """Ask every app now."""
        began = time.monotonic()
        self._ready = await self._apps.are_ready()
        ended = time.monotonic()
        # Each request to a stopped process stays queued there until the process continues: requests must not pile up.
        is_slow = ended - began >= HEALTH_S_MAX
        self._holds_until = ended + (_RECHECK_S if self._ready or is_slow else 0)
        return self._ready

    async def __call__(self) -> bool:
        if not self.is_open:
            return False
        if time.monotonic() >= self._holds_until:
            # Concurrent callers share one request, which continues even if the first caller leaves.
            if self._asking is None or self._asking.done():
                self._asking = asyncio.create_task(self.ask())
            await asyncio.shield(self._asking)
        return self._ready


async def _metrics(
    config: GatewayConfig, apps: AppClient, registry: Registry, agents: McpEndpoint, started_at: float
) -> str:
    """Return the counters in Prometheus' text format; an app that does not answer only counts as down."""
    found = await apps.health()
    up = {app: [each for each in workers if each] for app, workers in found.items()}
    lines = [
        "# TYPE farm_episodes gauge",
        f"farm_episodes {len(registry.apps)}",
        "# TYPE farm_data_free_bytes gauge",
        f"farm_data_free_bytes {shutil.disk_usage(config.data).free}",
        *_limit("farm_episodes_max", config.episodes_max),
        *_limit("farm_data_max_bytes", config.disk_max),
        "# TYPE farm_gateway_requests_total counter",
        f"farm_gateway_requests_total {agents.requests}",
        "# TYPE farm_gateway_start_time_seconds gauge",
        f"farm_gateway_start_time_seconds {started_at:.3f}",
        "# TYPE farm_app_up gauge",
        *(f'farm_app_up{{app="{app}"}} {len(workers)}' for app, workers in up.items()),
        "# TYPE farm_app_calls_total counter",
        *(f'farm_app_calls_total{{app="{app}"}} {sum(e["calls"] for e in each)}' for app, each in up.items() if each),
        "# TYPE farm_app_episodes_open gauge",
        *(
            f'farm_app_episodes_open{{app="{app}"}} {sum(e["episodes_open"] for e in each)}'
            for app, each in up.items()
            if each
        ),
    ]
    return "\n".join(lines) + "\n"


def _limit(name: str, limit: int | None) -> tuple[str, ...]:
    return () if limit is None else (f"# TYPE {name} gauge", f"{name} {limit}")


async def _recover(episodes: Episodes, ready: _Readiness, begun: asyncio.Event) -> None:
    """Recover the farm as soon as its apps answer; if one app does not come up, serve the others."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_APPS_S_MAX):
            while not await ready.ask():
                await asyncio.sleep(0.02)
    while True:
        try:
            await episodes.recover()
            break
        except UnavailableError as problem:
            _logger.warning("%s", problem)
        begun.set()
        await asyncio.sleep(_RECHECK_S)
    ready.is_open = True
    begun.set()


async def _run_maintenance(episodes: Episodes) -> None:
    while True:
        await asyncio.sleep(_KEEP_UP_S)
        await episodes.run_maintenance()


async def _serve(
    config: GatewayConfig, agents_socket: socket.socket, operators_socket: socket.socket, *, watches_stdin: bool
) -> None:
    companions = Companions(config)
    config = companions.config
    apps, registry, relay = AppClient(config), Registry(config.data / "registry.db"), Relay(config)
    episodes, ready = Episodes(config, registry, apps), _Readiness(apps)
    aggregate = Aggregate(episodes, relay)
    addresses, log = Addresses(config), AuditLog(config.data / "operators.log")
    agents = McpEndpoint(episodes, relay, aggregate, config.allowed_hosts, ready, addresses)
    metrics = partial(_metrics, config, apps, registry, agents, time.time())
    control = control_app(episodes, config.operator_token, ready, metrics, addresses, config.allowed_hosts, log)
    pairs = (
        (http_server(agents, _FINISH_S_MAX), agents_socket),
        (http_server(control, _FINISH_S_MAX, for_operators=True), operators_socket),
        *companions.open(episodes),
    )
    begun, ending = asyncio.Event(), asyncio.Event()

    def end() -> None:
        ending.set()
        begun.set()
        apps.end()
        companions.end_streams()
        for server, _ in pairs:
            server.end()

    on_signals(end)
    if watches_stdin:
        # The supervisor holds the other end; if it closes, the supervisor is gone.
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), end)
    await apps.open()
    try:
        async with aggregate.running(), asyncio.TaskGroup() as group:
            await episodes.load()
            settling = group.create_task(_recover(episodes, ready, begun))
            keeping = group.create_task(_run_maintenance(episodes))
            await begun.wait()
            if not ending.is_set():
                await asyncio.gather(*(server.serve([bound]) for server, bound in pairs))
            settling.cancel()
            keeping.cancel()
    finally:
        log.write_refused()
        relay.close()
        await companions.end()
        await episodes.judging.close()
        await apps.close()
        await registry.close()


def _leaves(group: BaseExceptionGroup[Exception]) -> Iterator[Exception]:
    for each in group.exceptions:
        if isinstance(each, BaseExceptionGroup):
            yield from _leaves(each)
        else:
            yield each


def run(raw: dict[str, Any], *, watches_stdin: bool = False) -> int:
    """Run the gateway with a configuration parsed from JSON; return the exit status."""
    log_to_stderr("%(asctime)s %(name)s %(message)s")
    config = GatewayConfig.load(raw)
    agents_socket, operators_socket = (socket.socket(fileno=raw[name]) for name in ("agents_fd", "operators_fd"))
    limit_arenas()
    allow_descriptors()
    gc.freeze()
    gc.enable()
    status = 0
    try:
        with agents_socket, operators_socket, asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(_serve(config, agents_socket, operators_socket, watches_stdin=watches_stdin))
    except* (FarmError, sqlite3.Error) as problems:
        for problem in _leaves(problems):
            print(f"farm: gateway: {problem}", file=sys.stderr)  # noqa: T201
        status = 1
    return status


def main() -> int:
    """Run the gateway with the configuration on standard input, for systems on which forking is not safe."""
    line = sys.stdin.buffer.readline()
    # No line: the supervisor ended before it sent the configuration.
    return run(orjson.loads(line), watches_stdin=True) if line else 0


if __name__ == "__main__":
    status = main()
    sys.stderr.flush()
    os._exit(status)  # everything is closed; unloading hundreds of modules would only delay the exit
