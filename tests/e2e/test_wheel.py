"""What is in the wheel is what is in the repository, and it serves without a checkout."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from farm import content
from farm.client import mcp_call

ROOT = Path(__file__).resolve().parents[2]
CONTENT_FOLDERS = ("contexts", "gateway", "kernels", "papers", "tasks", "web")
OUTSIDE = ROOT / "tests" / "protocol" / "content"
BUILD_S_MAX = 300

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("git"), reason="compares with git"),
    pytest.mark.xdist_group("wheel"),
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel; without an environment of its own where the build backend is at hand."""
    folder = tmp_path_factory.mktemp("dist")
    options = ["--no-isolation"] if importlib.util.find_spec("hatchling") else []
    command = [sys.executable, "-m", "build", "--wheel", *options, "--outdir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_S_MAX, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (found,) = folder.glob("*.whl")
    return found


@dataclass(frozen=True)
class Installed:
    """An environment that has mcp-farm from the wheel, and its dependencies from this one."""

    folder: Path

    @property
    def python(self) -> str:
        """Its interpreter."""
        return str(self.folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))

    def environment(self, **more: str) -> dict[str, str]:
        """Variables of a shell that knows nothing of this checkout."""
        own = {name: value for name, value in os.environ.items() if not name.startswith(("FARM_", "PYTHON"))}
        return {**own, **more}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True, timeout=BUILD_S_MAX)
    made = Installed(folder)
    install = [sys.executable, "-m", "pip", "--python", made.python, "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*install, "--disable-pip-version-check", str(wheel)], check=True, timeout=BUILD_S_MAX)
    # A path named in a .pth file is searched last, and .pth files there, such as a checkout's own, are not read.
    site = subprocess.run(
        [made.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    (Path(site.stdout.strip()) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return made


def in_repository() -> set[str]:
    """Return the files git has or would take, of what belongs into the wheel, by their place in it."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "farm", *CONTENT_FOLDERS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}
    return {name if name.startswith("farm/") else f"farm/_content/{name}" for name in names}


def test_the_wheel_holds_what_the_repository_holds(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}

    assert names == in_repository()


def test_the_wheel_installs_one_name(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        top = {name.split("/")[0] for name in archive.namelist()}

    assert {name for name in top if not name.endswith(".dist-info")} == {"farm"}


@contextmanager
def served(installed: Installed, app: str, data: Path, **environment: str) -> Iterator[str]:
    """Serve an app from the installed wheel and give its address."""
    process = subprocess.Popen(
        [installed.python, "-m", "farm", "serve", app, "--port=0", "--data", str(data)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=data,
        env=installed.environment(**environment),
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith(f"ready: {app} at "), line
        yield line.split(" at ")[1].strip()
    finally:
        process.terminate()
        process.communicate(timeout=120)


def test_the_code_and_content_served_are_the_wheels(installed: Installed, tmp_path: Path) -> None:
    code = (
        "import farm, json; from farm import content; "
        "print(json.dumps([farm.__file__, str(content.roots()[0].folder), content.app_names(), content.world_names()]))"
    )

    shown = subprocess.run(
        [installed.python, "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=installed.environment(),
        check=True,
    )

    code_file, content_folder, apps, worlds = json.loads(shown.stdout)
    assert Path(code_file).is_relative_to(installed.folder)
    assert Path(content_folder).is_relative_to(installed.folder)
    assert set(content.app_names()) <= set(apps)
    assert set(content.world_names()) <= set(worlds)


def test_an_app_is_served_from_the_wheel(installed: Installed, tmp_path: Path) -> None:
    with served(installed, "slack", tmp_path) as url:
        answer = mcp_call(url, "slack_list_channels", {"limit": 1})

    assert json.loads(answer["content"][0]["text"])["channels"]


def test_an_app_is_served_from_a_folder_named_in_farm_content(installed: Installed, tmp_path: Path) -> None:
    copy = tmp_path / "content"
    shutil.copytree(OUTSIDE, copy)

    with served(installed, "toy", tmp_path, FARM_CONTENT=str(copy)) as url:
        mcp_call(url, "note_add", {"text": "from outside"})
        answer = mcp_call(url, "note_show", {})

    assert json.loads(answer["content"][0]["text"])["notes"] == ["from outside"]
