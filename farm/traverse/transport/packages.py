"""Find a running server's package and the libraries that word its answers; serverInfo's version often names neither."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from farm.benchmark.agents.process_group import descendants
from farm.traverse.transport.source import Source

# Libraries whose version affects a server's answers.
_NPM_LIBRARIES = ("@modelcontextprotocol/sdk", "@modelcontextprotocol/server", "fastmcp", "zod", "ajv")
_PYPI_LIBRARIES = ("mcp", "fastmcp", "pydantic", "jsonschema")
_PROCESSES_MAX = 50
_SEPARATORS = re.compile(r"[-_.]+")


def packages_of(source: Source, pid: int | None) -> dict[str, Any]:
    """Return ``package`` and ``libraries``, each only if it is known.

    Args:
        source: the server's address; nothing is known of a server with a URL.
        pid: the started process. Children of a runner such as npx are inspected, too, if /proc shows them.
    """
    for words in (*_command_lines(pid), source.command):
        for word in words:
            if (file := _file(word, source.folder)) is None:
                continue
            if found := _npm(file) or _pypi(file):
                return found
    return {}


def _command_lines(pid: int | None) -> list[tuple[str, ...]]:
    """Return the command lines of a process and its descendants, the latest first."""
    pids = [] if pid is None else [pid, *descendants(pid)]
    found = []
    for each in pids[:_PROCESSES_MAX]:
        with suppress(OSError):  # it ended meanwhile
            raw = Path(f"/proc/{each}/cmdline").read_bytes()
            found.append(tuple(word.decode("utf-8", "replace") for word in raw.split(b"\0") if word))
    return found[::-1]


def _file(word: str, folder: Path | None) -> Path | None:
    if word.startswith("-") or Path(word).name in ("node", "npx", "npm", "uv", "uvx", "sh", "bash"):
        return None
    path = Path(folder or ".") / word
    with suppress(OSError):
        if path.is_file():
            return path.absolute()
        if found := shutil.which(word):
            return Path(found).absolute()
    return None


def _npm(file: Path) -> dict[str, Any]:
    script = file.resolve()  # npm's commands are links into the package
    if script.suffix not in (".js", ".mjs", ".cjs", ".ts"):
        return {}
    for folder in script.parents:
        about = _json(folder / "package.json")
        # Folders of built code may hold a package.json that only declares how to load it.
        if about.get("name") and about.get("version"):
            libraries = {name: _npm_version(name, folder) for name in _NPM_LIBRARIES}
            return _found("npm", about["name"], about["version"], libraries)
    return {}


def _npm_version(name: str, folder: Path) -> str | None:
    for above in (folder, *folder.parents):
        if version := _json(above / "node_modules" / name / "package.json").get("version"):
            return str(version)
    return None


def _json(file: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        said = json.loads(file.read_bytes())
        return said if isinstance(said, dict) else {}
    return {}


def _pypi(script: Path) -> dict[str, Any]:
    """Return the distribution that provides this command in a Python environment."""
    sites = [*script.parent.parent.glob("lib/python3*/site-packages"), *script.parent.parent.glob("Lib/site-packages")]
    for site in sites:
        wanted = re.compile(rf"^{re.escape(script.stem)}\s*=", re.MULTILINE)
        for entry in sorted(site.glob("*.dist-info/entry_points.txt")):
            with suppress(OSError, UnicodeDecodeError):
                if wanted.search(entry.read_text()):
                    versions = dict(_distributions(site))
                    name, version = _name_and_version(entry.parent)
                    libraries = {each: versions.get(each) for each in _PYPI_LIBRARIES}
                    return _found("pypi", name, version, libraries)
    return {}


def _distributions(site: Path) -> Iterator[tuple[str, str]]:
    for folder in site.glob("*.dist-info"):
        name, version = _name_and_version(folder)
        yield _SEPARATORS.sub("-", name).lower(), version


def _name_and_version(folder: Path) -> tuple[str, str]:
    name, _, version = folder.name.removesuffix(".dist-info").rpartition("-")
    return name.replace("_", "-"), version


def _found(registry: str, name: str, version: str, libraries: dict[str, str | None]) -> dict[str, Any]:
    known: Iterable[tuple[str, str | None]] = libraries.items()
    return {
        "package": {"registry": registry, "name": name, "version": version},
        "libraries": {each: number for each, number in known if number},
    }
