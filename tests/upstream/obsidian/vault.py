"""The vault that the calls are about, as rows of the app."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from tests.upstream.obsidian.calls import DAILY, NOTES

_DAY = timedelta(days=1)


def rows(now: datetime) -> list[dict[str, Any]]:
    """Return the rows of the vault; each file is a day older than the one before it."""
    made: list[dict[str, Any]] = [{"table": "vaults", "vault_id": "v", "person": "me", "name": "Vault"}]
    made += [{"table": "periods", "vault_id": "v", "period": each, "folder": "Daily"} for each in ("daily", "weekly")]
    daily = {f"Daily/{(now - days * _DAY):%Y-%m-%d}.md": content for days, content in enumerate(DAILY)}
    for seq, (path, content) in enumerate({**daily, **NOTES}.items(), start=1):
        at = int((now - seq * _DAY).timestamp() * 1000)
        own = {"path": path, "seq": seq, "content": content, "made_ms": at, "changed_ms": at}
        made.append({"table": "files", "vault_id": "v", **own})
    return made
