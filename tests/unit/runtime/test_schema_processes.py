"""Schemas are derived in processes that end before the apps start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from farm.appkit.schema_cache import cache_path, is_cached
from farm.runtime.supervisor import schema_processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks its apps")
APPS = ("deepseek", "pollinations", "wecom")


def derive(data: Path, *apps: str) -> bool:
    """Derive what is not cached, and return whether there was something to do."""
    pid = schema_processes.begin(data, apps)
    return pid is not None and os.waitpid(pid, 0) == (pid, 0)


def test_what_is_not_cached_is_derived_once(tmp_path: Path) -> None:
    assert derive(tmp_path, *APPS)

    assert all(is_cached(tmp_path / "starts", app) for app in APPS)
    assert (tmp_path / "starts" / "pollinations.schema.json").is_file()
    assert not derive(tmp_path, *APPS)


def test_a_schema_whose_sources_have_changed_is_derived_again(tmp_path: Path) -> None:
    derive(tmp_path, "wecom")
    path = cache_path(tmp_path / "starts", "wecom")
    cached = orjson.loads(path.read_bytes())
    changed = dict.fromkeys(cached["made_from"], "0" * 24)
    path.write_bytes(orjson.dumps(cached | {"made_from": changed}))

    assert not is_cached(tmp_path / "starts", "wecom")
    assert derive(tmp_path, "wecom")
    assert is_cached(tmp_path / "starts", "wecom")


def test_an_app_without_a_usable_schema_does_not_keep_others_from_theirs(tmp_path: Path) -> None:
    assert derive(tmp_path, "no_such_app", "wecom")

    assert is_cached(tmp_path / "starts", "wecom")


def test_a_cache_depends_on_no_schema_of_another_app(tmp_path: Path) -> None:
    # A process of tests has imported schemas of many apps; the farm's has none.
    lines = (
        "import os, pathlib, sys",
        "from farm.runtime.supervisor import schema_processes",
        "os.waitpid(schema_processes.begin(pathlib.Path(sys.argv[1]), sys.argv[2:]), 0)",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines), str(tmp_path), *APPS], check=True)

    sources = orjson.loads(cache_path(tmp_path / "starts", "wecom").read_bytes())["made_from"]
    assert not [name for name in sources if "contexts/deepseek" in name or "contexts/pollinations" in name]
