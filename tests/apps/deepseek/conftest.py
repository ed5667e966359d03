"""An account with a full balance, on a Monday at nine in Shanghai; or a service with rows of our own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.context import reference
from farm.testing import LocalApp

Play = Callable[..., LocalApp]


@pytest.fixture
def deepseek(start: Callable[..., LocalApp]) -> LocalApp:
    return start("deepseek", now="2026-03-09T09:00:00+08:00")


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Play]:
    """Start the app with a service of these rows."""
    folder = tmp_path / "service"
    folder.mkdir()
    started: list[LocalApp] = []
    shipped = content.reference_dir("deepseek")

    def make(rows: dict[str, list[dict[str, Any]]], **options: Any) -> LocalApp:
        for file in shipped.glob("*.jsonl"):
            lines = rows.get(file.stem)
            text = file.read_text() if lines is None else "".join(json.dumps(line) + "\n" for line in lines)
            (folder / file.name).write_text(text)
        monkeypatch.setattr(content, "reference_dir", lambda name: folder)
        reference.forget()
        options = {"now": "2026-01-01T00:00:00+00:00", **options}
        started.append(LocalApp("deepseek", tmp_path / f"app{len(started)}", **options))
        return started[-1]

    yield make
    for each in started:
        each.close()
    reference.forget()
