"""The file that maps private values to stand-ins: it is outside the pool and readable by its owner only."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from farm.errors import FarmError

_OWNER_ONLY = 0o600
_OTHERS = 0o077


@dataclass
class RedactionMapping:
    """The key of all stand-ins, and the replacements so far.

    Attributes:
        key: with it, values can be guessed until a stand-in matches; like the values, it stays out of the pool.
        replaced: in the form of ``Redactor.mapping``.
    """

    key: bytes
    replaced: dict[str, Any] = field(default_factory=dict)


def read_mapping(path: Path) -> RedactionMapping:
    """Return the mapping of a file, or a new one if there is no file.

    Raises:
        FarmError: the file is not a mapping, or other users may read it.
    """
    try:
        mode = path.stat().st_mode
        said = json.loads(path.read_bytes())
        mapping = RedactionMapping(bytes.fromhex(said["key"]), said["replaced"])
    except FileNotFoundError:
        return RedactionMapping(secrets.token_bytes(32))
    except OSError as problem:
        raise FarmError(f"{path} cannot be read ({problem.strerror})") from None
    except (ValueError, KeyError, TypeError):
        raise FarmError(
            f"{path} is no mapping of a redaction; name a new file, or the one an earlier run wrote"
        ) from None
    if os.name == "posix" and mode & _OTHERS:
        raise FarmError(f"{path} holds what was redacted, and others may read it; run chmod 600 on it first")
    return mapping


def write_mapping(path: Path, mapping: RedactionMapping, *, pool: Path) -> None:
    """Write a mapping atomically.

    Raises:
        FarmError: the file would be inside the pool that it protects, or is not writable.
    """
    if path.resolve().is_relative_to(pool.resolve()):
        raise FarmError(f"{path} is inside the pool {pool}, which is made to be shared; name a file outside of it")
    # In ASCII: a request may hold lone surrogates.
    text = json.dumps({"key": mapping.key.hex(), "replaced": mapping.replaced}, indent=1)
    spare = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        spare.unlink(missing_ok=True)
        with open(os.open(spare, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWNER_ONLY), "wb") as file:
            file.write(text.encode())
        spare.replace(path)
    except OSError as problem:
        spare.unlink(missing_ok=True)
        raise FarmError(f"{path} cannot be written ({problem.strerror})") from None
