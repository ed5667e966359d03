"""Ten rules over five apps of mini, by which people answer: for farms whose apps are processes or containers."""

from __future__ import annotations

from typing import Any

from farm.client import FarmClient, mcp_call

APPS = ("discord", "lark", "slack", "telegram", "wecom")
YES = {"text": "Yes."}
SAYS_THURSDAY = {"claims": [{"date": "+3", "of": ["tasting"]}]}


def rule(id: str, who: str, table: str, then: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """Return a rule about new rows of a table, which is named with its app."""
    app, _, name = table.partition(".")
    where = more.pop("where", {})
    return {"id": id, "who": who, "when": {"app": app, "table": name, "where": where}, "then": then, **more}


# What is asked in one is answered in another, and that is answered in a third.
RULES = [
    rule(
        "slack-here", "ben", "slack.messages", [{"do": "reply", "after": "2m-9m", **YES}], where={"text": SAYS_THURSDAY}
    ),
    rule("slack-eyes", "cleo", "slack.messages", [{"do": "react", "emoji": "eyes"}], times=0),
    rule("slack-to-lark", "ben", "slack.messages", [{"do": "message", "app": "lark", "to": "@ada", **YES}]),
    rule("lark-to-telegram", "ben", "lark.messages", [{"do": "post", "app": "telegram", "chat": "@ada", **YES}]),
    rule("lark-heard", "gus", "lark.messages", [{"do": "message", "to": "@ben", "text": "Good."}], by="anyone"),
    rule("telegram-here", "ben", "telegram.messages", [{"do": "reply", **YES}, {"do": "react", "emoji": "👍"}]),
    rule(
        "telegram-to-wecom", "ben", "telegram.messages", [{"do": "post", "app": "wecom", "chat": "Deliveries", **YES}]
    ),
    rule("wecom-here", "ben", "wecom.messages", [{"do": "reply", "text": "收到"}], times=0),
    rule("discord-here", "kim", "discord.messages", [{"do": "reply", "text": ["Hm.", "Yes.", "No."]}]),
    rule("discord-to-slack", "ben", "discord.messages", [{"do": "post", "app": "slack", "channel": "@ada", **YES}]),
]


def ask(client: FarmClient, made: dict[str, Any]) -> None:
    """Let the agent say something in each app."""
    people = client.request("GET", f"/v1/episodes/{made['id']}/people")["people"]
    ben = next(each for each in people if each["person"] == "ben")["accounts"]
    counter = next(row for row in client.rows(made["id"], "discord", "channels")["rows"] if row["name"] == "counter")
    data = {"receive_id": ben["lark"], "msg_type": "text", "content": '{"text":"Ben?"}'}
    params = {"receive_id_type": "open_id"}
    calls: list[tuple[str, str, dict[str, Any]]] = [
        (
            "slack",
            "slack_post_message",
            {"channel_id": "#opening", "text": "Ben, the tasting is moved to Thursday."},
        ),
        ("discord", "send_message", {"channel_id": counter["channel_id"], "content": "Kim?"}),
        ("lark", "im_v1_message_create", {"data": data, "params": params}),
        ("telegram", "send_message", {"chat_id": int(ben["telegram"]), "message": "Ben?"}),
        ("wecom", "send_text", {"content": "Ben?"}),
    ]
    for app, tool, arguments in calls:
        answer = mcp_call(made["mcp"][app], tool, arguments, made["token"])
        assert not answer.get("isError"), answer


def state(client: FarmClient, made: dict[str, Any]) -> dict[str, Any]:
    """Return every row that people write, in JSON's words."""
    tables = {
        "slack": ("messages", "reactions"),
        "lark": ("messages",),
        "telegram": ("messages", "reactions"),
        "wecom": ("messages", "member_messages"),
        "discord": ("messages",),
    }
    return {
        f"{app}.{table}": client.rows(made["id"], app, table, limit=1000)["rows"]
        for app, names in tables.items()
        for table in names
    }
