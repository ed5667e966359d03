"""Environments of Python beside this checkout, with wheels of it, and commands that run there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
_COMMAND_S_MAX = 900.0
_SHOWN_LETTERS = 20_000


class Failed(Exception):
    """What was to be shown is not so; one line."""


def run(command: Sequence[str], what: str, folder: Path, **more: str) -> str:
    """Run a command in a shell that knows nothing of this checkout, and return what it printed.

    Args:
        what: names the command in messages.
        folder: the working folder.
        more: further variables.

    Raises:
        Failed: it takes too long, or its status is not 0; then its output is shown.
    """
    own = {key: value for key, value in os.environ.items() if not key.startswith(("FARM_", "MCP_FARM_", "PYTHON"))}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**own, **more},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_COMMAND_S_MAX,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"{what}: not over in {_COMMAND_S_MAX:.0f} s") from None
    if done.returncode != 0:
        sys.stderr.write(f"{done.stdout[-_SHOWN_LETTERS:]}\n{done.stderr[-_SHOWN_LETTERS:]}\n")
        raise Failed(f"{what}: {command[0]} ended with {done.returncode}, its output is above")
    return done.stdout


def build_wheel(project: str, out: Path) -> Path:
    """Build the wheel of a folder of this repository, into a folder without wheels, and return it."""
    out.mkdir(parents=True, exist_ok=True)
    run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", str(out), str(ROOT / project)],
        f"building a wheel of {project}",
        out,
    )
    (wheel,) = out.glob("*.whl")
    return wheel


def make_environment(folder: Path, wanted: Sequence[str]) -> Path:
    """Make an environment, install what is wanted there, and return its folder of commands."""
    run([sys.executable, "-m", "venv", "--without-pip", str(folder)], f"making {folder.name}", folder.parent)
    commands = folder / "bin"
    # Compiling everything beforehand takes a third of the time; what is imported is compiled then.
    install = [*_PIP, "--python", str(commands / "python"), "install", "--quiet", "--no-compile"]
    run([*install, *wanted], f"installing {folder.name}", folder.parent)
    return commands
