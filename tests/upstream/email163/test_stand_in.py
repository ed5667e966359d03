"""The stand-in for a mail service, asked without the real server: it serves our rows, which change unseen by it."""

from __future__ import annotations

import base64
import socket
import threading
from datetime import UTC, datetime

from tests.upstream.email163.mailbox import BO, ME, rows, source
from tests.upstream.email163.service import Imap, Pop3, Service, Smtp, _Talk


def talk(service: Service, kind: type[_Talk], *lines: str) -> str:
    """Return all that is said to a client of these lines, without TLS."""
    ours, theirs = socket.socketpair()

    def serve() -> None:
        with theirs:
            type(kind.__name__, (kind,), {"service": service})(theirs, None, None)

    with ours:
        ours.sendall("".join(f"{line}\r\n" for line in lines).encode())
        ours.shutdown(socket.SHUT_WR)
        threading.Thread(target=serve).start()
        return b"".join(iter(lambda: ours.recv(65536), b"")).decode()


def test_it_has_the_mails_of_the_rows_and_those_that_are_sent() -> None:
    given = rows(datetime(2026, 3, 9, 1, tzinfo=UTC))
    service, first = Service.of(given, source), next(row for row in given if row["table"] == "messages")
    held = sum(row["table"] == "deliveries" and row["address"] == ME for row in given)
    login = base64.b64encode(f"\0{ME}\0CODE".encode()).decode()

    listed = talk(service, Pop3, f"USER {ME}", "PASS CODE", "LIST", "QUIT")
    shown = talk(service, Imap, f'a LOGIN "{ME}" "CODE"', "b UID FETCH 1 (BODY.PEEK[])", "c LOGOUT")
    sent = talk(service, Smtp, f"AUTH PLAIN {login}", f"RCPT TO:<{BO}>", "RCPT TO:<no@163.com>", "DATA", "Hi", ".")

    assert f"+OK {held} messages:" in listed
    assert source(first).decode() in shown
    assert "550 User not found: no@163.com" in sent
    assert [*service.inboxes[BO].values()] == [b"Hi\r\n"]
    assert "-ERR [AUTH]" in talk(service, Pop3, f"USER {ME}", "PASS other", "QUIT")
