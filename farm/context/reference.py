"""What apps look things up in that belongs to nobody's account: places, drugs, shares, the same in every episode.

``contexts/references/<name>/`` has ``schema.py``, with tables as an app's context tree has them, and one file of rows
for each, ``<table>.jsonl``. It is read once a process and then answers from memory, so episodes cost nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from farm import content
from farm.context.template import build, read_rows
from farm.context.template_reader import SharedStart
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.context.schema import Schema


def load_reference(name: str) -> SharedStart:
    """Return what reads a reference; nobody can write to it.

    Raises:
        NotFound: there is none of this name; the message lists what there is.
        FarmError: a row does not fit its table, or a file belongs to none.
    """
    return _load(name, content.roots())


@lru_cache(maxsize=32)
def _load(name: str, _: tuple[content.Root, ...]) -> SharedStart:
    # Only here: it brings SQLAlchemy along, which an app without a reference does without.
    from farm.context.schema import Schema

    schema = Schema(content.reference_metadata(name))
    return SharedStart(build(schema, _rows(content.reference_dir(name), schema)), schema.searched)


def _rows(folder: Path, schema: Schema) -> Iterator[dict[str, Any]]:
    files = {path.stem: path for path in sorted(folder.glob("*.jsonl"))}
    tables = [table.name for table in schema.metadata.sorted_tables]
    if odd := sorted(set(files) - set(tables)):
        raise FarmError(f"{files[odd[0]]} is of no table; {folder / 'schema.py'} declares {', '.join(tables)}")
    for table in tables:
        if table in files:
            for row in read_rows(files[table]):
                yield {"table": table, **row}
