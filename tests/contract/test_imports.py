"""Which code may import which libraries, and what the repository promises of itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Agent frameworks pin other versions of these: whoever writes tasks or drives a farm must not need them.
FREE_OF_MCP = (
    "farm.task",
    "farm.score.grade",
    "farm.score.metrics",
    "farm.runner.audit",
    "farm.world",
    "farm.client",
    "farm.content",
    "farm.context.store",
    "farm.testing",
)


@pytest.mark.parametrize("module", FREE_OF_MCP)
def test_task_world_and_client_code_imports_no_mcp_library(module: str) -> None:
    code = (
        f"import sys, {module}; print([m for m in sys.modules if m.split('.')[0] in ('mcp', 'mcp_types', 'fastmcp')])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_the_command_line_starts_without_the_heavy_libraries() -> None:
    code = "import sys, farm.cli; print([m for m in ('mcp', 'fastmcp', 'sqlalchemy', 'aiohttp') if m in sys.modules])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
