"""What apps look things up in that belongs to nobody's account: places, drugs, shares, the same in every episode.

``contexts/references/<name>/`` has ``schema.py``, with tables as an app's context tree has them, and one file of rows
for each, ``<table>.jsonl``. It is read once a process and then answers from memory, so episodes cost nothing more.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from farm import content
from farm.context.files import with_checksum, without_checksum
from farm.context.schema_cache import keep, kept_path, load_kept
from farm.context.template import FORMAT, build, read_rows
from farm.context.template_reader import SharedStart
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.context.schema import Schema
    from farm.context.schema_cache import KeptSchema

_read: dict[tuple[str, tuple[content.Root, ...]], SharedStart] = {}


def load_reference(name: str, cache: Path | None = None) -> SharedStart:
    """Return what reads a reference; nobody can write to it.

    Args:
        cache: a folder of kept files, with which the next process neither loads SQLAlchemy nor inserts any row.

    Raises:
        NotFound: there is none of this name; the message lists what there is.
        FarmError: a row does not fit its table, or a file belongs to none.
    """
    key = name, content.roots()
    if key not in _read:
        folder = content.reference_dir(name)
        schema = _kept_schema(name, cache) if cache else _schema(name)
        _read[key] = SharedStart(_bytes(name, folder, schema, cache), schema.searched)
    return _read[key]


def forget() -> None:
    """Read every reference anew from here on: for tests that play on rows of their own."""
    _read.clear()


def _schema(name: str) -> Schema:
    from farm.context.schema import Schema

    return Schema(content.reference_metadata(name))


def _kept_schema(name: str, cache: Path) -> Schema | KeptSchema:
    path = kept_path(cache, f"{name}.reference")
    if known := load_kept(path, lambda: _schema(name)):
        return known
    schema = _schema(name)
    keep(path, schema, content.reference_root(name).package)
    return schema


def _bytes(name: str, folder: Path, schema: Schema | KeptSchema, cache: Path | None) -> bytes:
    files = sorted(folder.glob("*.jsonl"))
    made_of = f"{FORMAT}:{sqlite3.sqlite_version}:{schema.ddl()}".encode()
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
