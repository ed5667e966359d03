"""Command-line agents by name: the script that starts each in a trial, and what it needs."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from farm.errors import FarmError


@dataclass(frozen=True)
class Preset:
    """A command-line agent.

    Attributes:
        program: the program, which must be on the PATH.
        keys: variables with a key, of which one is needed.
        addresses: variables that name another endpoint; passed on if they are set.
    """

    name: str
    program: str
    keys: tuple[str, ...]
    addresses: tuple[str, ...] = ()

    @property
    def script(self) -> Path:
        """The script that starts the program in a trial."""
        return Path(__file__).with_name(f"{self.name.replace('-', '_')}.py")


_EVERY_KEY = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY")
_EVERY_ADDRESS = ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL")
PRESETS = {
    preset.name: preset
    for preset in (
        Preset("claude-code", "claude", ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"), ("ANTHROPIC_BASE_URL",)),
        Preset("codex", "codex", ("CODEX_API_KEY", "OPENAI_API_KEY"), ("OPENAI_BASE_URL",)),
        Preset("gemini-cli", "gemini", ("GEMINI_API_KEY",), ("GOOGLE_GEMINI_BASE_URL",)),
        Preset("openclaw", "openclaw", _EVERY_KEY, _EVERY_ADDRESS),
        Preset("opencode", "opencode", _EVERY_KEY, _EVERY_ADDRESS),
    )
}


def find_preset(line: str) -> Preset | None:
    """Return the preset that a command line begins with; None if it begins with a program of its own."""
    return PRESETS.get(line.split(maxsplit=1)[0]) if line.strip() else None


def preset_command(preset: Preset, line: str, *, is_in_image: bool) -> tuple[str, list[str]]:
    """Return the command line that starts a preset, and the variables that it gets.

    Args:
        line: the preset's name and further arguments, which are passed on.
        is_in_image: whether the program is in a container's image, not on this machine.

    Raises:
        FarmError: the program or a key is missing.
    """
    if not is_in_image and shutil.which(preset.program) is None:
        raise FarmError(f"the agent '{preset.name}' needs the program '{preset.program}' on the PATH")
    keys = [name for name in preset.keys if os.environ.get(name)]
    if not keys and not is_in_image:
        raise FarmError(f"the agent '{preset.name}' needs a key in {_listed(preset.keys)}")
    passed = [*keys, *(name for name in preset.addresses if os.environ.get(name))]
    _, _, arguments = line.strip().partition(" ")
    interpreter = "python3" if is_in_image else sys.executable
    return f"{shlex.join([interpreter, str(preset.script)])} {arguments}".strip(), passed


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
