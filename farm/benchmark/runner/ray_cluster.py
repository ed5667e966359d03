"""The Ray cluster of a run: one that exists, or one on this machine that ends with the run."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any

from farm._util import temp_folders
from farm.appkit import vendor_descriptions
from farm.errors import FarmError

# Without these, Ray reports usage to its makers, and writes warnings to the terminal.
_SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
_PASSED_ON = ("FARM_CONTENT", vendor_descriptions.VARIABLE)
# One for a process, as Ray reads it only once; without one, Ray writes one to the home folder.
_TOKEN = os.environ.get("RAY_AUTH_TOKEN") or secrets.token_hex(32)
# The path of a socket has at most 107 letters (103 on macOS), of which Ray and the folder take the others.
_PLACE_MAX = 20
# After a minute without the cluster, Ray ends the process, and no message would say how the run goes on.
_ASK_S, _AWAY_S_MAX = 2.0, 20.0


def require_ray() -> Any:
    """Return the module ``ray``.

    Raises:
        FarmError: it is not installed.
    """
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError:
        raise FarmError("Ray is not installed; install mcp-farm with its extra: pip install 'mcp-farm[ray]'") from None
    return ray


def failure(problem: BaseException) -> FarmError:
    """Return the reason why a worker failed: what the farm raised in it, or that it was lost."""
    cause = getattr(problem, "cause", None)
    return (
        cause
        if isinstance(cause, FarmError)
        else FarmError(f"a worker of the Ray cluster was lost: {_one_line(problem)}")
    )


def _one_line(problem: BaseException) -> str:
    """Return Ray's message in one line: the first line says what happened, and the last one often why."""
    lines = [line for each in str(problem).splitlines() if (line := each.strip(" :;."))] or [repr(problem)]
    return "; ".join(dict.fromkeys((lines[0], lines[-1])))


@contextmanager
def joined(address: str | None, workers: int) -> Iterator[Any]:
    """Join the cluster at an address, such as ``auto``, and yield ``ray``; None starts a cluster for some workers.

    Raises:
        FarmError: Ray is not installed, there is no such cluster, or it does not start.
    """
    ray = require_ray()
    with _own_place(workers) if address is None else nullcontext(_settings(address)) as settings:
        _init(ray, settings)
        try:
            yield ray
        except (KeyboardInterrupt, GeneratorExit):
            raise  # leaving takes Ray seconds; it leaves when the process ends
        except BaseException:
            ray.shutdown()
            raise
        ray.shutdown()


def _settings(address: str) -> dict[str, Any]:
    # A running cluster has another environment.
    variables = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {"address": address, "runtime_env": {"env_vars": variables}}


@contextmanager
def _own_place(workers: int) -> Iterator[dict[str, Any]]:
    # What the cluster's processes write is in the folder: both end with it, or are removed by the next run.
    is_long = len(tempfile.gettempdir()) > _PLACE_MAX
    with (
        temp_folders.scratch("farm-ray-", "/tmp" if is_long else None) as folder,
        temp_folders.marking(folder, TMPDIR=str(folder), RAY_AUTH_TOKEN=_TOKEN),
    ):
        place = {"_temp_dir": str(folder), "_node_ip_address": "127.0.0.1"}
        yield {"address": "local", "num_cpus": workers, "include_dashboard": False, **place}


def _init(ray: Any, settings: Mapping[str, Any]) -> None:
    handler = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(log_to_driver=False, logging_level="CRITICAL", **settings)
    except Exception as problem:
        # Ray raises errors of many kinds here.
        where = "this machine" if settings["address"] == "local" else settings["address"]
        raise FarmError(f"no Ray cluster at {where}: {_one_line(problem)}") from None
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, handler)  # Ray installs its own


def require_cluster(address: str) -> None:
    """Check that something listens at an address, as Ray would try for minutes; ``auto`` and URLs are Ray's to find.

    Raises:
        FarmError: nothing does.
    """
    host, _, port = address.rpartition(":")
    try:
        if host and port.isdecimal() and "/" not in host:
            socket.create_connection((host, int(port)), _ASK_S).close()
    except (OSError, OverflowError) as problem:
        raise FarmError(f"no Ray cluster at {address}: {problem}") from None


class Watch:
    """Notices that a cluster has gone."""

    def __init__(self, ray: Any) -> None:
        self._address: str = ray.get_runtime_context().gcs_address
        self._heard = self._asked = time.monotonic()

    def require(self) -> None:
        """Check every two seconds that the cluster still answers.

        Raises:
            FarmError: it has not answered for 20 seconds.
        """
        now = time.monotonic()
        if now - self._asked < _ASK_S:
            return
        self._asked = now
        try:
            require_cluster(self._address)
            self._heard = now
        except FarmError as problem:
            if now - self._heard > _AWAY_S_MAX:
                raise FarmError(f"the Ray cluster has not answered for {_AWAY_S_MAX:.0f} s: {problem}") from None
