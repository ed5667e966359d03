"""Recent actions, as the server of December 2025 printed them."""

from __future__ import annotations

import json

from farm.appkit import Episode, Result

from .. import tl_objects
from ..admin_log import recent
from ..ids import Id, checked


@checked("chat_id")
def get_recent_actions(ep: Episode, *, chat_id: Id) -> Result:
    """Return the last twenty actions of a supergroup's or channel's admins, who alone may see them, as JSON."""
    return json.dumps(tl_objects.to_json_value(recent(ep, chat_id)), indent=2)
