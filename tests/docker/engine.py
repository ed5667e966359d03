"""The engine that `make docker-test` uses, by its command line; and what a test leaves there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).resolve().parents[2]
COMMAND_S_MAX = 900.0
BUILD = "docker-test"
IMAGE, FRONT_IMAGE = "mcp-farm:docker-test", "mcp-farm-front:docker-test"


class Failed(Exception):
    """What was to be shown is not so."""


def say(text: str) -> None:
    """Print one line at once."""
    sys.stdout.write(f"docker-test: {text}\n")
    sys.stdout.flush()


def expect(holds: bool, what: str) -> None:
    """Raise Failed unless something holds."""
    if not holds:
        raise Failed(what)


def until(happens: Callable[[], bool], what: str, seconds: float = 300.0) -> None:
    """Wait for something, with a bound."""
    ends_at = time.monotonic() + seconds
    while not happens():
        expect(time.monotonic() < ends_at, f"not in {seconds:.0f} s: {what}")
        time.sleep(0.1)


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """Run a command to its end and return what it printed."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=COMMAND_S_MAX,
        check=False,
    )
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)} ended with {done.returncode}: {(done.stderr or done.stdout)[-2000:]}")
    return done.stdout


def docker(*arguments: str) -> str:
    """Run a docker command."""
    return run(["docker", *arguments]).strip()


def has_engine() -> bool:
    """Say whether an engine answers."""
    if shutil.which("docker") is None:
        return False
    return subprocess.run(["docker", "version"], capture_output=True, timeout=30, check=False).returncode == 0


def compose_command() -> list[str]:
    """Return Compose as it is here: the plugin, or docker-compose."""
    plugin = subprocess.run(["docker", "compose", "version"], capture_output=True, timeout=30, check=False)
    if plugin.returncode == 0:
        return ["docker", "compose"]
    expect(shutil.which("docker-compose") is not None, "neither 'docker compose' nor docker-compose is there")
    return ["docker-compose"]


def build(targets: Mapping[str, str] = MappingProxyType({"farm": IMAGE, "front": FRONT_IMAGE})) -> None:
    """Build images: target → name."""
    base = os.environ.get("FARM_BASE_IMAGE", "python:3.12-slim")
    # Without BuildKit where its plugin is missing, as with Debian's packages.
    plugin = subprocess.run(["docker", "buildx", "version"], capture_output=True, timeout=30, check=False)
    environment = {"DOCKER_BUILDKIT": "1" if plugin.returncode == 0 else "0"}
    for target, image in targets.items():
        began = time.monotonic()
        arguments = ["--build-arg", f"BASE_IMAGE={base}", "--build-arg", f"BUILD={BUILD}"]
        arguments += ["--target", target, "--tag", image]
        run(["docker", "build", "--quiet", "--network", "host", *arguments, "."], environment)
        over_mb = (size_bytes(image) - size_bytes(base)) / 1e6
        say(f"built {target} in {time.monotonic() - began:.0f} s, {over_mb:.0f} MB over its base")
        expect(over_mb <= 250, f"the image {target} is {over_mb:.0f} MB over its base")


def size_bytes(image: str) -> int:
    """Return an image's size."""
    return int(docker("image", "inspect", "--format", "{{.Size}}", image))


def remove_images() -> None:
    """Remove what ``build`` made, the stage without a name, too."""
    subprocess.run(["docker", "image", "rm", IMAGE, FRONT_IMAGE], capture_output=True, check=False)
    stage = ["--force", "--filter", f"label=mcp-farm.build={BUILD}"]
    subprocess.run(["docker", "image", "prune", *stage], capture_output=True, check=False)


def left(label: str) -> list[str]:
    """Return the containers, volumes and networks that carry a label."""
    asked = (("ps", "--all"), ("volume", "ls"), ("network", "ls"))
    return [f"{each[0]} {name}" for each in asked for name in docker(*each, "-q", "--filter", f"label={label}").split()]


def kill_inside(container: str) -> None:
    """Kill what runs in a container as a crash would: its init sees it, and Docker takes it for a failure."""
    script = "import os; os.kill(-1, 9)"
    subprocess.run(["docker", "exec", container, "python3", "-c", script], capture_output=True, timeout=60, check=False)
