"""A captured mailbox as rows: ``python -m tests.apps.email163.captured STATE.json > rows.jsonl``.

Further files are captured again later, or mailboxes of other people: ``… STATE.json LATER.json OTHER.json``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def rows(state: Mapping[str, Any], *others: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the rows of a service with one mailbox as it was captured, and with the others that there were.

    Args:
        state: a captured mailbox with what its file says of the service: who else has one, and the passwords.
        others: other people's mailboxes, and the same one later, which then counts; others that there are are empty.
    """
    passwords = state["loopback_credentials"]
    for address in [state["account"], *state["other_mailboxes"]]:
        person = address.partition("@")[0]
        account = {"address": address, "person": person, "password": passwords.get(address, "")}
        began = {"server_zone": state["server_tz"]}
        if address == state["account"]:
            environment = state["start_env"]
            began |= {"server_user": environment["EMAIL_USER"], "server_type": environment.get("EMAIL_TYPE")}
        yield {"table": "accounts", **account, **began}
    known = {state["account"], *state["other_mailboxes"]}
    for login in passwords:
        owner = next((each for each in known if each.partition("@")[0] == login.partition("@")[0]), None)
        if login not in known and owner:
            yield {"table": "aliases", "login": login, "address": owner}
    for mailbox in {each["account"]: each for each in (state, *others)}.values():
        (inbox,) = (each for each in mailbox["folders"] if each["name"] == "INBOX")
        for number, message in enumerate(inbox["messages"], start=1):
            key = f"{mailbox['account']}:{message['uid']}"
            yield {"table": "messages", "message_key": key, "source": message["raw"]}
            place = {"address": mailbox["account"], "uid": message["uid"]}
            yield {"table": "deliveries", **place, "message_key": key, "number": number}


def main() -> None:
    """Print the rows of a captured state; further files are captured later, or of others."""
    first, *others = (json.loads(Path(each).read_text("utf-8")) for each in sys.argv[1:])
    for row in rows(first, *others):
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
