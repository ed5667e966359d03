"""A mailbox of two mails, a second one, and an empty one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp

ME, BO = "me@163.com", "bo@163.com"
Row = dict[str, Any]


def message(key: str, uid: int, *, address: str = ME, **columns: Any) -> list[Row]:
    """Return a mail and its place in a mailbox."""
    given = {"sender": "Bo Li <bo@163.com>", "recipients": ME, "subject": "Hi", "text": "Hello.\n"}
    if "source" in columns:
        given = {}
    return [
        {"table": "messages", "message_key": key, **given, **columns},
        {"table": "deliveries", "address": address, "uid": uid, "message_key": key},
    ]


def rows() -> list[Row]:
    # The tests' clock stands at 2026-03-09T01:00:00Z.
    return [
        {"table": "accounts", "address": ME, "person": "me", "password": "CODE", "server_zone": "UTC"},
        {"table": "accounts", "address": BO, "person": "bo", "password": "BOCODE"},
        {"table": "aliases", "login": "me@corp.example", "address": ME},
        *message("m1", 3, sent_ms=1772930096000, cc="Li, X <x@y.example>", zone_minutes=480),
        *message("m2", 7, sent_ms=1773014400000, subject="New"),
    ]


@pytest.fixture
def mail(start: Callable[..., LocalApp]) -> LocalApp:
    return start("email163", rows=rows(), me="me")


@pytest.fixture
def over_imap(mail: LocalApp) -> LocalApp:
    """The same mailbox by a name whose domain no provider has."""
    mail.call("configure_email_server", user="me@corp.example", imapHost="imap.163.com", imapPort=993)
    return mail


@pytest.fixture
def read(start: Callable[..., LocalApp]) -> Callable[[str], str]:
    """Put a mail into a mailbox as it was transferred, and show it."""

    def show(source: str) -> str:
        account = {"table": "accounts", "address": ME, "person": "me", "password": "CODE", "server_zone": "UTC"}
        app = start("email163", rows=[account, *message("m", 1, source=source.replace("\n", "\r\n"))], me="me")
        return app.text("get_email_content", uid="1")

    return show
