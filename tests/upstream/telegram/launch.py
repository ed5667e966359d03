"""Runs the real server, named as the argument, with Telethon's network replaced by the rows in STAND_IN, if any.

The server's own code stays as it is, and all of Telethon but what sends: requests are resolved and serialised as ever,
answered by ``backend.py``, and the answers are read back from bytes. Without rows the library is never connected.
"""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path
from typing import Any

from telethon import TelegramClient, errors, utils  # type: ignore[import-not-found] # in the real server's own Python
from telethon.extensions import BinaryReader  # type: ignore[import-not-found]
from telethon.tl import TLObject, types  # type: ignore[import-not-found]

sys.path.insert(0, str(Path(__file__).parent))
from backend import Backend, Refusal  # type: ignore[import-not-found]

ROWS = os.environ.get("STAND_IN")
BACKEND = Backend(Path(ROWS)) if ROWS else None


def _from_wire(made: Any) -> Any:
    if isinstance(made, TLObject):
        return BinaryReader(bytes(made)).tgread_object()
    return [_from_wire(each) for each in made] if isinstance(made, list) else made


async def _call(client: TelegramClient, request: Any, *_: Any, **__: Any) -> Any:
    assert BACKEND
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


async def _start(client: TelegramClient) -> TelegramClient:
    if BACKEND is None:
        return client
    known = _from_wire(BACKEND.known())
    client._mb_entity_cache.extend([each for each in known if isinstance(each, types.User)],
                                   [each for each in known if not isinstance(each, types.User)])  # fmt: skip
    client.session.process_entities(known)
    return client


async def _upload(client: TelegramClient, file: str, **_: Any) -> Any:
    name = Path(file).name
    Path(file).read_bytes()
    return types.InputFile(1, 1, name, "")


async def _download(client: TelegramClient, location: Any, file: str, **_: Any) -> None:
    Path(file).write_bytes(b"as it was")


TelegramClient.start = _start
if BACKEND:
    TelegramClient.__call__ = _call
    TelegramClient.upload_file = _upload
    TelegramClient.download_file = TelegramClient._download_file = _download
runpy.run_path(sys.argv[1], run_name="__main__")
