"""The pytest plugin's distributions contain the client as files, wherever they are built."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

PLUGINS = Path(__file__).resolve().parents[2] / "plugins"
BUILD_S_MAX = 300


@pytest.mark.slow
@pytest.mark.xdist_group("wheel")
def test_the_plugins_distributions_contain_the_client(tmp_path: Path) -> None:
    options = ["--no-isolation"] if importlib.util.find_spec("hatchling") else []
    # Without further options the wheel is built from the sdist, which is all that somebody else may have.
    command = [sys.executable, "-m", "build", *options, "--outdir", str(tmp_path), str(PLUGINS / "pytest")]

    built = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_S_MAX, check=False)

    assert built.returncode == 0, built.stdout + built.stderr
    client = {path.name: path.read_bytes() for path in (PLUGINS / "client" / "mcp_farm_client").glob("*.py")}
    (wheel,), (sdist,) = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        assert {name: archive.read(f"pytest_mcp_farm/_client/{name}") for name in client} == client
    with tarfile.open(sdist) as archive:
        inside = [each for each in archive.getmembers() if "/_client/" in each.name]
    assert {Path(each.name).name for each in inside if each.isfile()} >= client.keys()
