"""What a synthesis reads of a pool: the calls to write from and to repair on, never those that are held back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from farm.errors import ConflictError, FarmError
from farm.traverse import capture
from farm.traverse.fidelity.compare import Mask
from farm.traverse.fidelity.provenance import read_masks
from farm.traverse.pool.pool import MANIFEST, POOL, read_manifest, read_pool, read_wire
from farm.traverse.pool.split import CHECK, TRAIN
from farm.traverse.recordings.calls import Recorded, hash_calls

SUCCESS = "success"


@dataclass(frozen=True)
class Evidence:
    """The open part of a pool.

    Attributes:
        folder: the pool.
        wire: its tools.json: the server, its handshake, its tools.
        train: the calls from which a model writes, in the order of their traces.
        repair: the calls on which its app is repaired.
        masks: values that change from run to run.
        sha256: the hash of the pool's calls.
    """

    folder: Path
    wire: Mapping[str, Any]
    train: tuple[Recorded, ...]
    repair: tuple[Recorded, ...]
    masks: tuple[Mask, ...]
    sha256: str

    @property
    def tools(self) -> Sequence[Mapping[str, Any]]:
        """The server's tools, as it lists them."""
        tools: list[dict[str, Any]] = self.wire["tools"]
        return tools

    @property
    def server(self) -> Mapping[str, Any]:
        """What the server says of itself."""
        found: Mapping[str, Any] = self.wire.get("server") or {"name": "unknown", "version": "0"}
        return found

    @property
    def libraries(self) -> Mapping[str, str]:
        """Library → its version, of those that word the server's errors."""
        found: Mapping[str, str] = self.wire.get("libraries") or {}
        return found

    @property
    def seen(self) -> tuple[Recorded, ...]:
        """All calls that a synthesis may look at."""
        return self.train + self.repair

    @cached_property
    def schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """Tool → input schema."""
        return {str(tool["name"]): tool.get("inputSchema") or {} for tool in self.tools}


def read_evidence(folder: Path) -> Evidence:
    """Return the open part of a pool.

    Raises:
        FarmError: there is no pool, or it has no calls to write from.
        ConflictError: its calls are of another version of the server than its tools.
    """
    calls = read_pool(folder)
    wire = read_wire(folder)
    train, repair = (tuple(each for each in calls if each.side == side) for side in (TRAIN, CHECK))
    if not train:
        raise FarmError(f"{folder} has no call on its train side: an app is written from those; record more traces")
    _require_one_version(folder, calls, wire)
    names = {str(tool["name"]) for tool in wire["tools"]}
    if unknown := sorted({each.tool for each in train} - names):
        raise ConflictError(
            f"{folder}: its calls are of the tool '{unknown[0]}', which its {capture.FILE} does not have"
        )
    return Evidence(folder, wire, train, repair, read_masks(folder), hash_calls(folder / POOL))


def _require_one_version(folder: Path, calls: Sequence[Recorded], wire: Mapping[str, Any]) -> None:
    """Reject a pool whose calls another version of the server answered."""
    listed = str((wire.get("server") or {}).get("version", ""))
    others = sorted({each.version for each in calls if each.version is not None and each.version != listed})
    if others and listed:
        raise ConflictError(
            f"{folder}: its calls are of version {others[0]} of the server, its tools of version {listed}; "
            "record both from one server"
        )
    manifest = read_manifest(folder)
    for key in ("server", "package"):
        if key in manifest and manifest[key] != wire.get(key):
            raise ConflictError(f"{folder}: {MANIFEST} and {capture.FILE} differ in '{key}'; make the pool again")
