"""What an app's schema comes to, kept in a file, so that an app process loads neither the schema nor SQLAlchemy.

That load is a third of what a process has to do before it answers, and most of the memory it shares with nobody. The
file names every source file it was made from; when one has changed, it is made anew.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from farm.context.journal import Plan
from farm.context.search import SearchedTable
from farm.context.table_info import TableShape

if TYPE_CHECKING:
    from farm.context.schema import Schema

_HERE = Path(__file__).parent


class KeptSchema:
    """All of a schema that running an app needs, as it was kept.

    Anything else that is asked of it is derived from the schema itself, which is loaded for it then.
    """

    def __init__(self, kept: dict[str, Any], derive: Callable[[], Schema]) -> None:
        self.shapes = {
            name: TableShape(name, tuple(columns), tuple(key)) for name, (columns, key) in kept["shapes"].items()
        }
        self.times: dict[str, dict[str, str]] = kept["times"]
        self.automatic: dict[str, list[str]] = kept["automatic"]
        self.gone: dict[str, tuple[str, int | str]] = {name: tuple(mark) for name, mark in kept["gone"].items()}
        self.shown: dict[str, dict[str, list[str]]] = kept["shown"]
        self.defining: dict[str, dict[str, Any]] = kept["defining"]
        self.noticed: list[str] = kept["noticed"]
        self.bookkeeping: list[str] = kept["bookkeeping"]
        self.account: tuple[str, str] | None = tuple(kept["account"]) if kept["account"] else None
        self.searched = {
            name: SearchedTable(name, key, {column: (at, is_json) for column, (at, is_json) in columns.items()})
            for name, (key, columns) in kept["searched"].items()
        }
        self.follows: dict[str, list[str]] = kept["follows"]
        self.journal = Plan(self.shapes, self.follows)
        self._ddl: str = kept["ddl"]
        self._derive = derive

    def ddl(self) -> str:
        """Return the script that creates every table and index of the context."""
        return self._ddl

    @cached_property
    def _whole(self) -> Schema:
        return self._derive()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._whole, name)


def kept_path(folder: Path, app: str) -> Path:
    """Return where the schema of an app is kept."""
    return folder / f"{app}.schema.json"


def load_kept(path: Path, derive: Callable[[], Schema]) -> KeptSchema | None:
    """Return the schema kept in a file, or None when there is none or it was made from other sources."""
    try:
        kept = orjson.loads(path.read_bytes())
        return KeptSchema(kept["schema"], derive) if kept["made_from"] == _stamps(kept["made_from"]) else None
    except (OSError, AttributeError, KeyError, TypeError, ValueError):
        return None


def keep(path: Path, schema: Schema, package: str) -> None:
    """Keep what a schema comes to; where nothing can be written, every start derives it anew.

    Args:
        path: the file.
        schema: the schema, whose module was imported.
        package: the package it and all it imports of its own are below.
    """
    found = {
        "shapes": {name: (shape.columns, shape.key) for name, shape in schema.shapes.items()},
        "times": {str(name): {str(c): form for c, form in columns.items()} for name, columns in schema.times.items()},
        "automatic": schema.automatic,
        "gone": schema.gone,
        "shown": schema.shown,
        "defining": schema.defining,
        "noticed": schema.noticed,
        "bookkeeping": schema.bookkeeping,
        "account": schema.account and tuple(map(str, schema.account)),
        "searched": {name: (str(each.key), dict(each.columns)) for name, each in schema.searched.items()},
        "follows": schema.follows,
        "ddl": schema.ddl(),
    }
    made_from = _stamps([*map(str, sorted(_HERE.glob("*.py"))), *_imported(package), "sqlalchemy"])
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(orjson.dumps({"made_from": made_from, "schema": found}))
        temporary.replace(path)


def _imported(package: str) -> list[str]:
    """Return the files of every imported module below a package, but for kernels: no schema depends on one."""
    below = [module for name, module in sys.modules.items() if name.startswith(f"{package}.")]
    files = [getattr(each, "__file__", None) for each in below if ".kernels." not in f"{each.__name__}."]
    return sorted(file for file in files if file)


def _stamps(names: Iterable[str]) -> dict[str, str]:
    """Return a hash of each file, and the version of SQLAlchemy."""
    return {
        name: version(name) if name == "sqlalchemy" else hashlib.blake2b(Path(name).read_bytes()).hexdigest()[:24]
        for name in names
    }
