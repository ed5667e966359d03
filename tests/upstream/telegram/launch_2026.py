"""Runs the real server of August 2026 as ``launch.py`` does that of December 2025; ROOTS are the folders it may use.

It connects by itself, looks at the clock and keeps files, so these are replaced, too.
"""

from __future__ import annotations

import os
import runpy
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from telethon import TelegramClient, errors, utils  # type: ignore[import-not-found] # in the real server's own Python
from telethon.extensions import BinaryReader  # type: ignore[import-not-found]
from telethon.tl import TLObject, types  # type: ignore[import-not-found]

sys.path.insert(0, str(Path(__file__).parent))
from backend import Refusal  # type: ignore[import-not-found]
from backend_2026 import Backend2026  # type: ignore[import-not-found]

ROWS = os.environ.get("STAND_IN")
BACKEND = Backend2026(Path(ROWS)) if ROWS else None
NOW_S = BACKEND.now if BACKEND else int(os.environ["NOW_S"])


class Frozen(datetime):
    """The clock of the app."""

    @classmethod
    def now(cls, tz: Any = None) -> Frozen:
        """Return the time of the app."""
        return cls.fromtimestamp(NOW_S, tz)


def _from_wire(made: Any) -> Any:
    if isinstance(made, TLObject):
        return BinaryReader(bytes(made)).tgread_object()
    return [_from_wire(each) for each in made] if isinstance(made, list) else made


async def _call(client: TelegramClient, request: Any, *_: Any, **__: Any) -> Any:
    if BACKEND is None:
        raise ConnectionError("Cannot send requests while disconnected")
    if utils.is_list_like(request):
        return [await _call(client, each) for each in request]
    await request.resolve(client, utils)
    bytes(request)
    try:
        answer = _from_wire(BACKEND.answer(request))
    except Refusal as refused:
        raise errors.rpc_message_to_error(types.RpcError(400, str(refused)), request) from None
    client.session.process_entities(answer)
    return answer


CONNECTED: list[TelegramClient] = []


async def _connect(client: TelegramClient) -> None:
    if BACKEND is None and CONNECTED:
        # It starts, and then there is no way to Telegram.
        raise ConnectionError("Cannot send requests while disconnected")
    CONNECTED.append(client)
    if BACKEND is not None:
        known = _from_wire(BACKEND.known())
        client._mb_entity_cache.extend([each for each in known if isinstance(each, types.User)],
                                       [each for each in known if not isinstance(each, types.User)])  # fmt: skip
        client.session.process_entities(known)


async def _yes(client: TelegramClient) -> bool:
    return True


async def _nothing(client: TelegramClient) -> None:
    return None


async def _upload(client: TelegramClient, file: str, **_: Any) -> Any:
    Path(file).read_bytes()
    return types.InputFile(1, 1, Path(file).name, "")


async def _download(client: TelegramClient, location: Any, file: str, **_: Any) -> None:
    Path(file).write_bytes(b"as it was")


TelegramClient.connect = _connect
TelegramClient.is_user_authorized = _yes
TelegramClient.is_connected = lambda client: BACKEND is not None
TelegramClient.disconnect = _nothing
TelegramClient.__call__ = _call
TelegramClient.upload_file = _upload
TelegramClient.download_file = TelegramClient._download_file = _download
sys.path.insert(0, str(Path(sys.argv[1]).parent))
import telegram_mcp.runtime  # type: ignore[import-not-found] # noqa: E402
import telegram_mcp.tools.events  # type: ignore[import-not-found] # noqa: E402
import telegram_mcp.tools.messages  # type: ignore[import-not-found] # noqa: E402

telegram_mcp.tools.messages.datetime = Frozen
# Neither aliases nor the feed change anything on the disk.
telegram_mcp.runtime.save_aliases = lambda aliases: None
telegram_mcp.tools.events._touch_feed_file = lambda: None
time.time = lambda: float(NOW_S)
sys.argv = [sys.argv[1], *filter(None, os.environ.get("ROOTS", "").split(os.pathsep))]
runpy.run_path(sys.argv[0], run_name="__main__")
