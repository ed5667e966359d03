"""The smallest Slack a test can post in: one team, one person, one channel."""

from __future__ import annotations

from typing import Any

TEAM, ME, GENERAL = "T0123ABCD", "U0123ABCD", "C0123ABCD"
ROWS: list[dict[str, Any]] = [
    {"table": "teams", "id": TEAM, "name": "Acme", "domain": "acme"},
    {"table": "users", "id": ME, "person": "me", "team_id": TEAM, "name": "me", "real_name": "Me"},
    {"table": "channels", "id": GENERAL, "team_id": TEAM, "name": "general"},
    {"table": "members", "channel_id": GENERAL, "user_id": ME},
]
