"""Rows of a recorded vault: ``python -m tests.apps.obsidian.recorded_vaults STATE.json > rows.jsonl``.

Such a state has ``settings`` (which periodic notes are on, whether Dataview is), ``files`` (path → content or
content_base64, mtime, ctime) and ``empty_dirs``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

VAULT = "vault"


def rows_of(state: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a vault, its files in the order of the recording's searches: depth first, by code unit."""
    own = {"name": state["vault"], "time_zone": state["timezone"], "has_dataview": int(state["settings"]["dataview"])}
    yield {"table": "vaults", "vault_id": VAULT, "person": "me", **own}
    for period, setting in state["settings"]["periodic"].items():
        own = {"folder": setting.get("folder", ""), "format": setting.get("format", "")}
        enabled = int(setting["enabled"])
        yield {"table": "periods", "vault_id": VAULT, "period": period, "is_enabled": enabled, **own}
    for seq, path in enumerate(sorted(state["files"], key=_place), start=1):
        file = state["files"][path]
        times = {"made_ms": file.get("ctime", file["mtime"]), "changed_ms": file["mtime"]}
        body = {"content": file.get("content", ""), "base64": file.get("content_base64")}
        yield {"table": "files", "vault_id": VAULT, "path": path, "seq": seq, **body, **times}
    for path in state.get("empty_dirs", ()):
        yield {"table": "folders", "vault_id": VAULT, "path": path}


def _place(path: str) -> list[bytes]:
    return [segment.encode("utf-16-be") for segment in path.split("/")]


def main() -> None:
    """Print the rows of a state, one a line."""
    for row in rows_of(json.loads(Path(sys.argv[1]).read_text())):
        kept = {name: value for name, value in row.items() if value is not None}
        sys.stdout.write(f"{json.dumps(kept, ensure_ascii=False)}\n")


if __name__ == "__main__":
    main()
