"""Environments of the programs: each of its own, with the packages of its lock file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
LOCK = HERE / "lock"
INSTALL_S_MAX = 1800.0
_FREEZE = """
from importlib.metadata import distributions
tools = {"pip", "setuptools", "wheel", "uv"}
found = {each.metadata["Name"].lower().replace("_", "-"): each.version for each in distributions()}
print("\\n".join(f"{name}=={version}" for name, version in sorted(found.items()) if name not in tools))
"""


class NotHereError(Exception):
    """A program cannot be installed or started here; one line."""


@dataclass(frozen=True)
class Program:
    """One program.

    Attributes:
        name: its name, and that of its lock file.
        kind: ``node`` or ``python``.
        title: its display name.
        package: the package that is it.
        version: its version, for a program of Node.
        more: further packages.
        not_done: why it cannot do the job; empty if it can.
        has_agent: whether an agent of its own asks a model; otherwise the calls are made by hand.
    """

    name: str
    kind: str
    title: str
    package: str
    version: str = ""
    more: tuple[str, ...] = ()
    has_agent: bool = True
    not_done: str = ""

    @property
    def lock(self) -> Path:
        """The file with every package of its environment."""
        return LOCK / (f"{self.name}.json" if self.kind == "node" else f"{self.name}.txt")

    @property
    def distribution(self) -> str:
        """The package's name without extras."""
        return self.package.partition("[")[0]


def programs() -> tuple[list[Program], str]:
    """Return the programs and the version of Node."""
    raw: dict[str, Any] = tomllib.loads((HERE / "programs.toml").read_text("utf-8"))
    return [Program(**{**each, "more": tuple(each.get("more", ()))}) for each in raw["programs"]], raw["node"]


class Environments:
    """The environments below one folder; one that is complete is used again."""

    def __init__(self, folder: Path, node: str) -> None:
        self.folder = folder
        self._node = node

    def node(self) -> Path:
        """Return the folder of Node's program, installed from the package that holds it."""
        # The package's own start script downloads nothing: the program is a package by platform.
        system = {"linux": "linux", "darwin": "darwin", "win32": "win"}[sys.platform]
        machine = {"x86_64": "x64", "AMD64": "x64", "arm64": "arm64", "aarch64": "arm64"}[os.uname().machine]
        folder = self.folder / f"node-{self._node}"
        package = f"node-{system}-{machine}"
        if not (folder / "ready").exists():
            _run(
                ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), f"{package}@{self._node}"],
                folder,
            )
            (folder / "ready").touch()
        return folder / "node_modules" / package / "bin"

    def path_of(self, program: Program) -> Path:
        """Return the folder of a program's commands; install it first if need be."""
        locked = program.lock.read_bytes() if program.lock.exists() else b""
        digest = sha256(locked + repr(program).encode()).hexdigest()[:8]
        folder = self.folder / f"{program.name}-{digest}"
        place = folder / "node_modules" / ".bin" if program.kind == "node" else folder / "bin"
        if not (folder / "ready").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            self._install_node(program, folder) if program.kind == "node" else self._install_python(program, folder)
            (folder / "ready").touch()
        return place

    def _install_node(self, program: Program, folder: Path) -> None:
        (folder / "package.json").write_text(json.dumps({"name": "program", "private": True}), "utf-8")
        environment = {"PATH": f"{self.node()}{os.pathsep}{os.environ['PATH']}"}
        npm = ["npm", "--no-audit", "--no-fund", "--prefix", str(folder)]
        if program.lock.exists():
            (folder / "package.json").write_text(
                json.dumps({"name": "program", "private": True, "dependencies": {program.package: program.version}}),
                "utf-8",
            )
            shutil.copy(program.lock, folder / "package-lock.json")
            # Not `npm ci`: it refuses a lock that leaves out the optional packages of other platforms.
            _run([*npm, "install", "--no-save"], folder, **environment)
        else:
            wanted = f"{program.package}@{program.version}"
            _run([*npm, "install", "--omit-lockfile-registry-resolved", "--save-exact", wanted], folder, **environment)

    def _install_python(self, program: Program, folder: Path) -> None:
        wanted = [program.package, *program.more]
        locked = ["--no-deps", "--requirement", str(program.lock)] if program.lock.exists() else wanted
        uv = shutil.which("uv")
        if uv:
            _run([uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, str(folder)], folder)
            _run([uv, "pip", "install", "--quiet", "--python", str(folder / "bin" / "python"), *locked], folder)
        else:
            _run([sys.executable, "-m", "venv", str(folder)], folder)
            _run([str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", *locked], folder)

    def lock(self, program: Program) -> None:
        """Resolve a program's packages anew and write its lock file."""
        program.lock.unlink(missing_ok=True)
        place = self.path_of(program)
        LOCK.mkdir(exist_ok=True)
        if program.kind == "node":
            raw = json.loads((place.parents[1] / "package-lock.json").read_bytes())
            for each in raw["packages"].values():
                each.pop("resolved", None)
            program.lock.write_text(json.dumps(raw, indent=1) + "\n", "utf-8")
            return
        program.lock.write_text(_run([str(place / "python"), "-c", _FREEZE], place), "utf-8")

    def version_of(self, program: Program) -> str:
        """Return the installed version of a program."""
        if program.kind == "node":
            return program.version
        code = f"import importlib.metadata as m; print(m.version({program.distribution!r}))"
        return _run([str(self.path_of(program) / "python"), "-c", code], self.folder).strip()


def _run(command: Sequence[str], folder: Path, **more: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **more},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=INSTALL_S_MAX,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise NotHereError(f"{Path(command[0]).name}: {problem}") from None
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no output"]
        raise NotHereError(f"{Path(command[0]).name} ended with {done.returncode}: {last[0][:300]}")
    return done.stdout
