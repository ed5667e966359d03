"""Moderation, which this server's code gets wrong: it never comes to delete anything."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result

from . import access, arguments, errors
from .arguments import ABSENT


def moderate_message(
    ep: Episode, *, channel_id: Any = ABSENT, message_id: Any = ABSENT, reason: Any = ABSENT
) -> Result:
    """Refuse: the library deletes a message without a reason, and the server gives one. Nobody is timed out either.

    Raises:
        ClientNotReady, KeyMissing, PythonError, InvalidFormBody, UnknownChannel, MissingAccess: as
            ``access.require_channel``.
        NoSuchAttribute, UnknownMessage: as ``access.require_message``.
        PythonError: always, where there is such a message.
    """
    channel = access.require_channel(ep, access.require_bot(ep), channel_id)
    access.require_message(ep, channel, message_id)
    arguments.require("reason", reason)
    raise errors.PythonError("PartialMessage.delete() got an unexpected keyword argument 'reason'")
