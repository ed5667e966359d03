"""Ctrl-C while the farm command is being imported."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

# Where a class is made, Python makes a RuntimeError of what is raised, KeyboardInterrupt included.
INTERRUPTED = """
import importlib.metadata, signal, sys

class Told:
    def __set_name__(self, *_):
        signal.raise_signal(signal.SIGINT)

class Interrupting:
    def find_spec(self, name, *_):
        if name == {module!r}:
            type("Made", (), {{"told": Told()}})

signal.signal(signal.SIGINT, signal.{handler})
sys.meta_path.insert(0, Interrupting())
sys.argv = ["farm", "apps"]
importlib.metadata.EntryPoint("farm", {script!r}, "console_scripts").load()()
"""


def interrupted_at_import(module: str, *, handler: str = "default_int_handler") -> tuple[int, str]:
    """Return with which status, and what on stderr, the farm command ends if SIGINT comes as it imports a module."""
    script = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]["farm"]
    code = INTERRUPTED.format(module=module, script=script, handler=handler)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "module",
    [
        *("farm.cli", "typer", "farm.errors", "farm.cli.inspect"),
        # Imported by the command as it runs; what a kernel raises is told in other words.
        *("farm.appkit.dialects", "farm._content.kernels.slack", "farm._content.kernels.slack.errors"),
    ],
)
def test_an_interrupt_while_the_command_is_imported_ends_it_quietly(module: str) -> None:
    assert interrupted_at_import(module) == (130, "")


@pytest.mark.parametrize("module", ["typer", "farm.cli.inspect"])
def test_where_interrupts_are_ignored_they_stay_so(module: str) -> None:
    assert interrupted_at_import(module, handler="SIG_IGN") == (0, "")


def test_before_it_listens_the_command_has_imported_nothing_heavy() -> None:
    heavy = "typing", "threading", "typer", "farm.cli"
    code = f"import sys, farm.__main__; print(*(each for each in {heavy} if each in sys.modules))"

    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)

    assert done.stdout.strip() == ""
