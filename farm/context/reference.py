"""References: read-only data that all episodes share, such as places, drugs and shares.

``contexts/references/<name>/`` has ``schema.py``, which declares tables like an app's Context-Tree, and a file of rows
for each, ``<table>.jsonl``. A process loads it into memory once, so further episodes cost nothing.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from farm import content
from farm.appkit.schema_cache import keep, kept_path, load_kept
from farm.context.ddl import context_ddl
from farm.context.files import with_checksum, without_checksum
from farm.context.shared_start import SharedStart
from farm.context.template import FORMAT, build, read_rows
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.appkit.schema import Schema
    from farm.appkit.schema_cache import KeptSchema

_read: dict[tuple[str, tuple[content.Root, ...]], SharedStart] = {}


def load_reference(name: str, cache: Path | None = None) -> SharedStart:
    """Load a reference for reading.

    Args:
        name: the reference.
        cache: a folder of cached files, with which the next process neither loads SQLAlchemy nor inserts rows.

    Raises:
        NotFoundError: the reference does not exist; the message lists the existing ones.
        FarmError: a row does not fit its table, or a file belongs to no table.
    """
    key = name, content.roots()
    if key not in _read:
        folder = content.reference_dir(name)
        schema = _cached_schema(name, cache) if cache else _schema(name)
        _read[key] = SharedStart(_bytes(name, folder, schema, cache), schema.searched)
    return _read[key]


def forget() -> None:
    """Drop all loaded references, for tests with their own rows."""
    _read.clear()


def _schema(name: str) -> Schema:
    from farm.appkit.schema import Schema

    return Schema(content.reference_metadata(name))


def _cached_schema(name: str, cache: Path) -> Schema | KeptSchema:
    path = kept_path(cache, f"{name}.reference")
    if known := load_kept(path, lambda: _schema(name)):
        return known
    schema = _schema(name)
    keep(path, schema, content.reference_root(name).package)
    return schema


def _bytes(name: str, folder: Path, schema: Schema | KeptSchema, cache: Path | None) -> bytes:
    files = sorted(folder.glob("*.jsonl"))
    made_of = f"{FORMAT}:{sqlite3.sqlite_version}:{context_ddl(schema)}".encode()
    stamp = hashlib.blake2b(b"".join(path.read_bytes() for path in files) + made_of, digest_size=12).hexdigest()
    kept = cache / f"{name}-{stamp}.reference.db" if cache else None
    if kept is not None and kept.is_file() and (known := without_checksum(kept.read_bytes())) is not None:
        return known
    made = build(schema, _rows(files, folder, schema))  # type: ignore[arg-type]  # a kept schema answers all it asks
    if kept is not None:
        temporary = kept.with_suffix(f".{os.getpid()}.tmp")
        kept.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(with_checksum(made))
        temporary.replace(kept)
    return made


def _rows(files: list[Path], folder: Path, schema: Schema | KeptSchema) -> Iterator[dict[str, Any]]:
    """Yield the rows, those of parents first."""
    by_table = {path.stem: path for path in files}
    tables = list(schema.shapes)
    if odd := sorted(set(by_table) - set(tables)):
        raise FarmError(f"{by_table[odd[0]]} is of no table; {folder / 'schema.py'} declares {', '.join(tables)}")
    for table in tables:
        if table in by_table:
            for row in read_rows(by_table[table]):
                yield {"table": table, **row}
