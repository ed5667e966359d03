"""A file cache of the facts derived from an app's schema, so that an app process loads neither schema nor SQLAlchemy.

Loading them takes a third of a process's start and most of its unshared memory. The cache file lists every source file
it was derived from; if one has changed, the cache is rebuilt.
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

from farm.appkit.table_info import SearchedTable, TableShape

if TYPE_CHECKING:
    from farm.appkit.schema import Schema

_HERE = Path(__file__).parent


class CachedSchema:
    """The cached facts of a schema that running an app needs.

    Access to any other attribute loads the schema itself.
    """

    def __init__(self, cached: dict[str, Any], derive: Callable[[], Schema]) -> None:
        self.shapes = {
            name: TableShape(name, tuple(columns), tuple(key)) for name, (columns, key) in cached["shapes"].items()
        }
        self.times: dict[str, dict[str, str]] = cached["times"]
        self.due: dict[str, list[str]] = cached["due"]
        self.server_managed: dict[str, list[str]] = cached["server_managed"]
        self.read_marks: dict[str, dict[str, bool | str]] = cached["read_marks"]
        self.deleted_value: dict[str, tuple[str, int | str]] = {
            name: tuple(mark) for name, mark in cached["deleted_value"].items()
        }
        self.visible_keys: dict[str, dict[str, list[str]]] = cached["visible_keys"]
        self.roles: dict[str, dict[str, str]] = cached["roles"]
        self.formats: dict[str, dict[str, str]] = cached["formats"]
        self.usual: dict[str, dict[str, Any]] = cached["usual"]
        self.open_keys: dict[str, list[str]] = cached["open_keys"]
        self.notifies: list[str] = cached["notifies"]
        self.internal: list[str] = cached["internal"]
        self.account: tuple[str, str] | None = tuple(cached["account"]) if cached["account"] else None
        self.searched = {
            name: SearchedTable(name, key, {column: (at, is_json) for column, (at, is_json) in columns.items()})
            for name, (key, columns) in cached["searched"].items()
        }
        self.follows: dict[str, list[str]] = cached["follows"]
        self._ddl: str = cached["ddl"]
        self._derive = derive

    def ddl(self) -> str:
        """Return the script that creates every table and index of the context."""
        return self._ddl

    @cached_property
    def _schema(self) -> Schema:
        return self._derive()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._schema, name)


def cache_path(folder: Path, app: str) -> Path:
    """Return the path of an app's cache file."""
    return folder / f"{app}.schema.json"


def is_cached(folder: Path, app: str) -> bool:
    """Return whether a folder has an app's cache file, derived from the present sources."""
    try:
        made_from = orjson.loads(cache_path(folder, app).read_bytes())["made_from"]
        return bool(made_from == _stamps(made_from))
    except (OSError, AttributeError, KeyError, TypeError, ValueError):
        return False


def load_cached(path: Path, derive: Callable[[], Schema]) -> CachedSchema | None:
    """Return the cached schema of a file, or None if the file is missing or was derived from other sources."""
    try:
        cached = orjson.loads(path.read_bytes())
        return CachedSchema(cached["schema"], derive) if cached["made_from"] == _stamps(cached["made_from"]) else None
    except (OSError, AttributeError, KeyError, TypeError, ValueError):
        return None


def write_cache(path: Path, schema: Schema, package: str) -> None:
    """Write a schema's cache file. If writing fails, every start derives the facts again.

    Args:
        path: the file.
        schema: the schema, whose module was imported.
        package: the package that contains it and all content modules that it imports.
    """
    found = {
        "shapes": {name: (shape.columns, shape.key) for name, shape in schema.shapes.items()},
        "times": {str(name): {str(c): form for c, form in columns.items()} for name, columns in schema.times.items()},
        "due": schema.due,
        "server_managed": schema.server_managed,
        "read_marks": schema.read_marks,
        "deleted_value": schema.deleted_value,
        "visible_keys": schema.visible_keys,
        "roles": schema.roles,
        "formats": schema.formats,
        "usual": schema.usual,
        "open_keys": schema.open_keys,
        "notifies": schema.notifies,
        "internal": schema.internal,
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
    """Return the files of every imported module below a package except kernels: no schema depends on one."""
    below = [module for name, module in sys.modules.items() if name.startswith(f"{package}.")]
    files = [getattr(each, "__file__", None) for each in below if ".kernels." not in f"{each.__name__}."]
    return sorted(file for file in files if file)


def _stamps(names: Iterable[str]) -> dict[str, str]:
    """Return a hash of each file, and the version of SQLAlchemy."""
    return {
        name: version(name) if name == "sqlalchemy" else hashlib.blake2b(Path(name).read_bytes()).hexdigest()[:24]
        for name in names
    }
