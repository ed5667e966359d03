"""A vault of a few notes, at nine in the morning of Monday, 9 March 2026."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp

NOW = "2026-03-09T09:00:00+00:00"
NOW_MS = 1773046800000

MakeVault = Callable[..., LocalApp]


def vault_rows(files: Mapping[str, str], periods: Mapping[str, tuple[str, str]]) -> list[dict[str, Any]]:
    """Return the rows of a vault: path → text, period → folder and format. Each file is a day older than the next."""
    rows: list[dict[str, Any]] = [{"table": "vaults", "vault_id": "v", "person": "me", "name": "Vault"}]
    for period, (folder, pattern) in periods.items():
        rows.append({"table": "periods", "vault_id": "v", "period": period, "folder": folder, "format": pattern})
    for seq, (path, content) in enumerate(files.items(), start=1):
        at = NOW_MS - (len(files) - seq + 1) * 86_400_000
        own = {"path": path, "content": content, "seq": seq, "made_ms": at, "changed_ms": at}
        rows.append({"table": "files", "vault_id": "v", **own})
    return rows


@pytest.fixture
def vault(start: Callable[..., LocalApp]) -> MakeVault:
    """Open a vault of these files: ``vault({"Home.md": "# Home"})``."""

    def make(files: Mapping[str, str], periods: Mapping[str, tuple[str, str]] | None = None) -> LocalApp:
        return start("obsidian", rows=vault_rows(files, periods or {}), me="me", now=NOW)

    return make


def refusal(app: LocalApp, tool: str, **arguments: Any) -> str:
    """Make a call that must be refused and change nothing; return what the agent reads of it."""
    before = app.episode.db.all("SELECT * FROM files ORDER BY path")
    with pytest.raises(VendorError) as refused:
        app.call(tool, **arguments)
    assert app.episode.db.all("SELECT * FROM files ORDER BY path") == before
    return refused.value.message


def text(app: LocalApp, path: str) -> str:
    """Return what a file holds."""
    return str(app.episode.db.scalar("SELECT content FROM files WHERE path = ?", path))


def patch(app: LocalApp, path: str, operation: str, kind: str, target: str, content: str) -> str:
    """Patch a note and return what it is then."""
    arguments = {"operation": operation, "target_type": kind, "target": target, "content": content}
    app.call("obsidian_patch_content", filepath=path, **arguments)
    return text(app, path)
