"""An app in process, for tests: a context of its own, calls without a server, refusals as exceptions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from farm.app import LATEST
from farm.content import load_app
from farm.context.settings import Settings
from farm.context.store import Store
from farm.context.template import build, load_world
from farm.envelope import body_of
from farm.kernel import Episode
from farm.pipeline import Outcome, call

NOW = "2026-03-09T09:00:00+08:00"
EPISODE = "ep"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing a real service does; an app's fidelity tests name the facts they check.

    Attributes:
        source: where it is documented or was recorded.
        behaviour: what it does.
        differs: how we knowingly do not match, or None.
    """

    source: str
    behaviour: str
    differs: str | None = None


class LocalApp:
    """One app in one episode, called in process.

    Attributes:
        store: the state engine, for snapshots, diffs and the call log.
    """

    def __init__(
        self,
        app: str,
        data: Path,
        *,
        world: str | None = None,
        rows: Iterable[Mapping[str, Any]] = (),
        me: str | None = None,
        seed: int = 7,
        now: str | None = None,
        profile: str = LATEST,
    ) -> None:
        """Start an app in a world, or on ``rows`` (each with its ``table``), as person ``me``, in a profile."""
        loaded = load_app(app, profile)
        self.store = Store(loaded, data)
        folder = data / "episodes" / EPISODE
        folder.mkdir(parents=True, exist_ok=True)
        if world is not None:
            known = load_world(world)
            me, now = me or known.protagonist, now or known.starts_at.isoformat()
        Settings(EPISODE, world, (app,), seed=seed, now=now or NOW, me=me, profile=profile).save(folder)
        if world is None:
            self.store.starts.keep(None, 0, build(loaded.schema, rows))
        self.store.create(EPISODE)

    @property
    def episode(self) -> Episode:
        """What handlers see: ``episode.db`` is the context, ``episode.me`` the account."""
        context = self.store.open(EPISODE)
        # Tests write through it, which only a context with its own file open bears.
        assert context.connection
        return context.episode

    def outcome(self, tool: str, arguments: Any) -> Outcome:
        """Run one call as a server would and return everything it came to."""
        return call(self.store.open(EPISODE), tool, arguments)

    def result(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Return the CallToolResult, or ``{"error": {"code", "message"}}`` for a protocol error."""
        outcome = self.outcome(tool, arguments)
        parsed: dict[str, Any] = orjson.loads(outcome.result)
        return {"error": parsed} if outcome.is_protocol_error else parsed

    def _success(self, tool: str, arguments: Any) -> dict[str, Any]:
        outcome = self.outcome(tool, arguments)
        if outcome.error is not None:
            raise outcome.error
        parsed: dict[str, Any] = orjson.loads(outcome.result)
        return parsed

    def text(self, tool: str, /, **arguments: Any) -> str:
        """Return the first text of a success.

        Raises:
            VendorError: the app refused; with its code and message.
            ArgumentsRefused: the arguments did not fit the tool's schema.
        """
        content = self._success(tool, arguments)["content"]
        return next(str(item["text"]) for item in content if item["type"] == "text")

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Return the body of a success: its text's JSON, or its structured content; raises as ``text`` does."""
        return body_of(self._success(tool, arguments))

    def changes(self) -> dict[str, list[dict[str, Any]]]:
        """Return what changed since the start, by table."""
        return self.store.diff(EPISODE)

    def close(self) -> None:
        """Close what is open."""
        self.store.close_all()
