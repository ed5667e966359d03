"""The stand-in for Telegram, asked without Telethon: it reads our app's rows, which change unseen by it."""

from __future__ import annotations

import json
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.rows import BO, ME, WITH_BO, rows
from tests.upstream.telegram.test_side_by_side import _exported


class Names(ModuleType):
    """Has a class of any name, whose objects keep what they are made of by name, and modules with more of them."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        known = type(name, (SimpleNamespace,), {"__init__": lambda made, *_, **named: made.__dict__.update(named)})
        self.__dict__[name] = known if name[0].isupper() else Names(name)
        return self.__dict__[name]


def test_it_answers_with_the_rows_of_an_app(
    start: Callable[..., LocalApp], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("telethon.tl", "telethon.utils"):
        monkeypatch.setitem(sys.modules, name, Names(name))
    (tmp_path / "rows.json").write_text(json.dumps(_exported(start("telegram", rows=rows(), me="ada"))))
    stand_in = runpy.run_path(str(Path(__file__).with_name("backend.py")))
    backend, of_bo = stand_in["Backend"](tmp_path / "rows.json"), SimpleNamespace(user_id=BO)
    said = [row for row in rows() if row["table"] == "messages" and row["chat_id"] == WITH_BO]

    (bo,) = backend.GetUsers(SimpleNamespace(id=[of_bo]))
    found = backend.page(backend.said(backend.of(of_bo)[1]), SimpleNamespace(offset_id=0, add_offset=0, limit=2))
    shown = [backend.message(row) for row in found]

    contact = next(
        row for row in rows() if row["table"] == "contacts" and (row["owner_id"], row["user_id"]) == (ME, BO)
    )
    assert (bo.id, bo.first_name) == (BO, contact["first_name"])
    newest = sorted(said, key=lambda row: -row["message_id"])[:2]
    assert [(each.id, getattr(each, "message", None)) for each in shown] == [
        (row["message_id"], row["text"]) for row in newest
    ]
    with pytest.raises(stand_in["Refusal"], match="PEER_ID_INVALID"):
        backend.GetHistory(SimpleNamespace(peer=SimpleNamespace(chat_id=1)))
