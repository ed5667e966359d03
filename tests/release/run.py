"""``make release``: everything that a release needs, in build/release, checked in clean environments.

Wheels of the farm, the pytest plugin and the client library, an sdist, two images (where a Docker engine is reachable),
a bill of materials (CycloneDX) and notes from the changelog. Wants a package index. Nothing is published.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import uuid
from pathlib import Path
from typing import Any

from farm import __version__
from tests.ports import free_ports

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "release"
PARTS = {
    "mcp-farm": ROOT,
    "pytest-mcp-farm": ROOT / "plugins" / "pytest",
    "mcp-farm-client": ROOT / "plugins" / "client",
}
# The Dockerfile's stage → the name of its image.
IMAGES = {"farm": "mcp-farm", "front": "mcp-farm-front"}
IN_IMAGE = """
farm up --detach --apps slack >/dev/null &&
farm call slack slack_post_message '{"channel_id": "#general", "text": "hello"}' >/dev/null &&
farm episode diff default && farm open --save /tmp/page.html && farm down >/dev/null
"""
TEST = """
def test_a_post_is_the_only_change(mcp_farm):
    world = mcp_farm.world("mini", apps=["slack"])
    world.call("slack", "slack_post_message", channel_id="#opening", text="24 chairs.")
    world.assert_changed("slack.messages", where={"text": "24 chairs."})
    world.assert_only("slack.messages")
"""


def run(*command: str | Path, cwd: Path | None = None, **more: str) -> str:
    """Run a command without this checkout's environment, and return what it prints.

    Raises:
        SystemExit: it fails.
    """
    own = {name: value for name, value in os.environ.items() if not name.startswith(("FARM_", "PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(command, cwd=cwd or OUT, env={**own, **more}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def require_one_version() -> None:
    """Raise SystemExit unless every part has this version and the changelog tells of it."""
    for name, folder in PARTS.items():
        found = tomllib.loads((folder / "pyproject.toml").read_text())["project"]["version"]
        if found != __version__:
            raise SystemExit(f"{name} has version {found}, the farm {__version__}")
    notes()


def notes() -> str:
    """Return the changelog's section of this version.

    Raises:
        SystemExit: there is none.
    """
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    found = re.search(rf"^## {re.escape(__version__)}\b[^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise SystemExit(f"CHANGELOG.md has no section '## {__version__}'")
    return f"# mcp-farm {__version__}\n\n{found[1].strip()}\n"


def build() -> list[Path]:
    """Return the wheels, and the farm's sdist."""
    for folder in PARTS.values():
        kinds = ["--wheel", "--sdist"] if folder == ROOT else ["--wheel"]
        run(sys.executable, "-m", "build", *kinds, "--outdir", OUT, folder, cwd=folder)
    return sorted([*OUT.glob("*.whl"), *OUT.glob("*.tar.gz")])


def environment(folder: Path, *packages: Path) -> Path:
    """Return the programs' folder of a new environment with these packages and what they need."""
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", *packages)
    return folder / "bin"


def check_farm(programs: Path, scratch: Path) -> str:
    """Start the installed farm, call a tool, save the page, end it; return what was done."""
    agents, operators = map(str, free_ports(2))
    scratch.mkdir()
    data = {
        "FARM_DATA": str(scratch / "data"),
        "FARM_PORT": agents,
        "FARM_OPERATOR_PORT": operators,
        "HOME": str(scratch),
    }
    farm = programs / "farm"
    if run(farm, "--version", cwd=scratch, **data).split()[-1] != __version__:
        raise SystemExit(f"{farm} has another version than {__version__}")
    run(farm, "up", "--detach", "--apps", "slack,lark", cwd=scratch, **data)
    try:
        run(
            farm,
            "call",
            "slack",
            "slack_post_message",
            '{"channel_id": "#general", "text": "hello"}',
            cwd=scratch,
            **data,
        )
        told = run(farm, "episode", "diff", "default", cwd=scratch, **data)
        run(farm, "open", "--save", "page.html", cwd=scratch, **data)
    finally:
        run(farm, "down", cwd=scratch, **data)
    if '"hello"' not in told or b"hello" not in (scratch / "page.html").read_bytes():
        raise SystemExit(f"the installed farm does not show the change:\n{told}")
    return f"{len(run(farm, 'apps', '--json', cwd=scratch, **data))} bytes of apps; call, diff and page work"


def check_tests(programs: Path, scratch: Path) -> None:
    """Run a test of an agent with the installed plugin."""
    scratch.mkdir()
    (scratch / "test_agent.py").write_text(TEST)
    run(programs / "pip", "install", "--quiet", "--disable-pip-version-check", "pytest")
    run(programs / "pytest", "-q", "-p", "no:cacheprovider", "test_agent.py", cwd=scratch, HOME=str(scratch))


def bill_of_materials(programs: Path) -> dict[str, Any]:
    """Return what the farm's wheel installs, as CycloneDX 1.6."""
    found = json.loads(run(programs / "pip", "inspect", "--disable-pip-version-check"))
    parts = [each["metadata"] for each in found["installed"] if each["metadata"]["name"] not in ("pip", "setuptools")]
    components = [
        {
            "type": "library",
            "name": each["name"],
            "version": each["version"],
            "purl": f"pkg:pypi/{each['name'].lower().replace('_', '-')}@{each['version']}",
            **({"licenses": [{"license": {"name": name}}]} if (name := _license(each)) else {}),
        }
        for each in sorted(parts, key=lambda each: str(each["name"]).lower())
    ]
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(components, sort_keys=True))
    about = {"component": {"type": "application", "name": "mcp-farm", "version": __version__}}
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{serial}", "version": 1} | {
        "metadata": about,
        "components": components,
    }


def _license(metadata: dict[str, Any]) -> str:
    named = metadata.get("license_expression") or metadata.get("license") or ""
    classified = [each.split(" :: ")[-1] for each in metadata.get("classifier", []) if each.startswith("License ::")]
    return named if 0 < len(named) < 80 else ", ".join(classified)


def has_engine() -> bool:
    """Return whether a Docker engine is reachable."""
    return (
        shutil.which("docker") is not None
        and not subprocess.run(["docker", "info"], capture_output=True, check=False).returncode
    )


def build_images() -> list[str]:
    """Build and save the images of the Dockerfile's last two stages, and return their files' names.

    Each must start as the user and with the version that it is meant to have, and ``farm`` must serve an app.
    """
    base = os.environ.get("FARM_BASE_IMAGE")
    given = ["--build-arg", f"BASE_IMAGE={base}"] if base else []
    files = []
    for target, name in IMAGES.items():
        tag = f"{name}:{__version__}"
        run("docker", "build", "--quiet", "--network", "host", "--target", target, "--tag", tag, *given, ".", cwd=ROOT)
        check_image(tag)
        files.append(f"{name}-{__version__}-image.tar")
        run("docker", "save", "--output", OUT / files[-1], tag)
    return files


def check_image(tag: str) -> None:
    """Run an image: its version, its user, and a call that changes an app of a farm inside it.

    Raises:
        SystemExit: one of them is wrong.
    """
    inside = ["docker", "run", "--rm", "--network", "none"]
    if run(*inside, tag, "farm", "--version").split()[-1] != __version__:
        raise SystemExit(f"{tag} has another version than {__version__}")
    if run(*inside, tag, "id", "-u").strip() == "0":
        raise SystemExit(f"{tag} runs as root")
    said = run(*inside, tag, "sh", "-c", IN_IMAGE)
    if '"hello"' not in said:
        raise SystemExit(f"the farm in {tag} does not show the change:\n{said}")


def main() -> None:
    """Build, check, and list what there is with its hashes."""
    parser = argparse.ArgumentParser(prog="make release", description=__doc__)
    parser.add_argument("--without-image", action="store_true", help="a machine without a Docker engine")
    given = parser.parse_args()
    require_one_version()
    if not given.without_image and not has_engine():
        raise SystemExit("image   no Docker engine is reachable; --without-image leaves it out")
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    (OUT / "NOTES.md").write_text(notes(), "utf-8")
    built = build()
    wheels = {path.name.split("-")[0]: path for path in built if path.suffix == ".whl"}
    (sdist,) = (path for path in built if path.suffix == ".gz")
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        clean = environment(scratch / "wheel", wheels["mcp_farm"])
        (OUT / "sbom.cdx.json").write_text(json.dumps(bill_of_materials(clean), indent=1) + "\n")
        say(f"wheel   {check_farm(clean, scratch / 'of_wheel')}")
        run(clean / "pip", "install", "--quiet", "--disable-pip-version-check", wheels["pytest_mcp_farm"])
        check_tests(clean, scratch / "of_plugin")
        say("plugin  a test of an agent passes")
        say(f"sdist   {check_farm(environment(scratch / 'sdist', sdist), scratch / 'of_sdist')}")
        environment(scratch / "client", wheels["mcp_farm_client"])
        run(scratch / "client" / "bin" / "python", "-c", "import mcp_farm_client")
        say("client  it is imported alone")
    images = [] if given.without_image else build_images()
    say(f"images  {', '.join(images) or 'left out'}")
    files = sorted(path for path in OUT.iterdir() if path.is_file())
    hashes = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in files]
    (OUT / "SHA256SUMS").write_text("\n".join(hashes) + "\n")
    say("\n".join(f"        {path.stat().st_size:>10} {path.name}" for path in files))
    say(f"nothing was published; it is all in {OUT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
