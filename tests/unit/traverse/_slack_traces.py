"""Traces of our Slack in the world `mini`, whose start is known, as pools."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from farm.testing import LocalApp

Line = dict[str, Any]
_REACTIONS = ("tada", "eyes", "heart", "wave")


def record(folder: Path, script: Callable[[Callable[..., Any]], None], trace: int = 0) -> list[Line]:
    """Return the calls that a script makes of Slack in `mini`, as lines of a pool."""
    lines: list[Line] = []
    with LocalApp("slack", folder, world="mini") as slack:

        def call(tool: str, **arguments: Any) -> Any:
            result = slack.result(tool, **arguments)
            body = json.loads(result["content"][0]["text"])
            # Slack says no in an ordinary answer.
            verdict = "success" if body.get("ok") else "refused"
            line = {"trace": trace, "step": len(lines), "tool": tool, "arguments": arguments, "result": result}
            lines.append({**line, "verdict": verdict, "error_class": "success"})
            return body

        script(call)
    return lines


def look_round(call: Callable[..., Any]) -> None:
    """Read all that can be read, then write, then read again."""
    channels = [each["id"] for each in call("slack_list_channels")["channels"]]
    people = [each["id"] for each in call("slack_get_users")["members"]]
    for person in people[1:5]:
        call("slack_get_user_profile", user_id=person)
    first = ""
    for channel in channels:
        for message in call("slack_get_channel_history", channel_id=channel, limit=50)["messages"]:
            first = first or message["ts"]
            if message.get("reply_count"):
                call("slack_get_thread_replies", channel_id=channel, thread_ts=message["ts"])
    posted = call("slack_post_message", channel_id=channels[0], text="Cake at four.")["ts"]
    call("slack_add_reaction", channel_id=channels[0], timestamp=posted, reaction="tada")
    call("slack_reply_to_thread", channel_id=channels[0], thread_ts=posted, text="Which one?")
    call("slack_get_thread_replies", channel_id=channels[0], thread_ts=posted)
    call("slack_add_reaction", channel_id=channels[0], timestamp=first, reaction="eyes")
    call("slack_get_channel_history", channel_id=channels[0], limit=50)
    call("slack_get_users", limit=3)


def wander(seed: int, calls: int = 25) -> Callable[[Callable[..., Any]], None]:
    """Return a script that calls at random, with ids that it has seen, writes and reads mixed."""

    def script(call: Callable[..., Any]) -> None:
        draw = random.Random(seed)
        channels = [each["id"] for each in call("slack_list_channels")["channels"]]
        people: list[str] = []
        messages: list[tuple[str, str]] = []
        for _ in range(calls):
            kind = draw.choice(("history", "history", "users", "profile", "replies", "post", "reply", "react"))
            channel = draw.choice(channels)
            if kind == "history":
                body = call("slack_get_channel_history", channel_id=channel, limit=draw.choice((1, 3, 50)))
                messages += [(channel, each["ts"]) for each in body["messages"]]
            elif kind == "users":
                body = call("slack_get_users", limit=draw.choice((2, 100)))
                people += [each["id"] for each in body["members"]]
            elif kind == "profile" and people:
                call("slack_get_user_profile", user_id=draw.choice(people))
            elif kind == "post":
                messages.append((channel, call("slack_post_message", channel_id=channel, text="Soup is ready.")["ts"]))
            elif messages:
                where, ts = draw.choice(messages)
                if kind == "replies":
                    call("slack_get_thread_replies", channel_id=where, thread_ts=ts)
                elif kind == "reply":
                    call("slack_reply_to_thread", channel_id=where, thread_ts=ts, text="Coming.")
                elif kind == "react":
                    reaction = draw.choice(_REACTIONS)
                    call("slack_add_reaction", channel_id=where, timestamp=ts, reaction=reaction)

    return script


def write_pool(folder: Path, lines: list[Line]) -> Path:
    """Write lines as a pool; return its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pool.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines), "utf-8")
    return folder
