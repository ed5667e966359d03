"""A stand-in for a mail service: SMTP, IMAP and POP3 over TLS, on mailboxes that hold what our app's rows say."""

from __future__ import annotations

import base64
import re
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]
_STRUCTURE = '("TEXT" "PLAIN" ("CHARSET" "UTF-8") NIL NIL "7BIT" 1 1 NIL NIL NIL NIL)'


@dataclass
class Service:
    """The mailboxes, and who may open them."""

    logins: dict[str, tuple[str, str]] = field(default_factory=dict)  # name → password, address
    inboxes: dict[str, dict[int, bytes]] = field(default_factory=dict)  # address → uid → mail

    @classmethod
    def of(cls, rows: Sequence[Row], source: Callable[[Row, Sequence[Row]], bytes]) -> Service:
        """Return the service that rows of the app describe; ``source`` gives a message as it is transferred."""
        service = cls()
        messages = {row["message_key"]: row for row in rows if row["table"] == "messages"}
        attached: dict[str, list[Row]] = {key: [] for key in messages}
        for row in rows:
            if row["table"] == "attachments":
                attached[row["message_key"]].append(row)
        for row in rows:
            if row["table"] == "accounts":
                service.logins[row["address"]] = (row["password"], row["address"])
                service.inboxes[row["address"]] = {}
        for row in rows:
            if row["table"] == "aliases":
                service.logins[row["login"]] = (service.logins[row["address"]][0], row["address"])
            if row["table"] == "deliveries":
                key = row["message_key"]
                service.inboxes[row["address"]][row["uid"]] = source(messages[key], attached[key])
        return service

    def log_in(self, name: str, password: str) -> str | None:
        """Return whose mailbox a name and a password open."""
        known = self.logins.get(name)
        return known[1] if known and known[0] == password else None

    def refusal(self, address: str) -> str | None:
        """Return what is said to a receiver that is not taken."""
        local, _, domain = address.rpartition("@")
        if not local or not domain:
            return "501 Bad recipient address syntax"
        return f"550 User not found: {address}" if domain == "163.com" and address not in self.inboxes else None

    def deliver(self, receivers: Sequence[str], mail: bytes) -> None:
        """Put a mail into every mailbox there is."""
        for address in receivers:
            if address in self.inboxes:
                inbox = self.inboxes[address]
                inbox[max(inbox, default=0) + 1] = mail


class _Talk(socketserver.StreamRequestHandler):
    """One client's conversation, line by line."""

    service: Service
    address: str | None = None

    def say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())

    def lines(self) -> Iterator[str]:
        while line := self.rfile.readline():
            yield line.decode("utf-8", "surrogateescape").rstrip("\r\n")

    def handle(self) -> None:
        try:
            self.talk()
        except (OSError, ssl.SSLError):
            # The client has hung up, as it may at any time.
            return

    def talk(self) -> None:
        raise NotImplementedError


class Smtp(_Talk):
    def talk(self) -> None:
        self.say("220 stand-in ESMTP")
        receivers: list[str] = []
        for line in self.lines():
            word = line.partition(" ")[0].upper()
            if word == "EHLO":
                self.say("250-stand-in\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 AUTH PLAIN")
            elif word == "AUTH":
                _, name, password = base64.b64decode(line.split(" ")[2]).decode().split("\0")
                self.address = self.service.log_in(name, password)
                self.say("235 ok" if self.address else "535 Error: authentication failed")
            elif word == "MAIL":
                receivers = []
                self.say("250 ok")
            elif word == "RCPT":
                address = line.partition("<")[2].partition(">")[0]
                refusal = self.service.refusal(address)
                if refusal is None:
                    receivers.append(address)
                self.say(refusal or "250 ok")
            elif word == "DATA":
                self.say("354 go on")
                self.service.deliver(receivers, self._mail())
                self.say("250 ok")
            elif word == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 ok")

    def _mail(self) -> bytes:
        found = b""
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                raise OSError("the client left in the middle of a mail")
            found += line.removeprefix(b".")
        return found


class Pop3(_Talk):
    def talk(self) -> None:
        self.say("+OK ready")
        user = ""
        for line in self.lines():
            word, _, given = line.partition(" ")
            if word.upper() == "USER":
                user = given
                self.say("+OK")
            elif word.upper() == "PASS":
                self.address = self.service.log_in(user, given)
                self.say("+OK logged in" if self.address else "-ERR [AUTH] Authentication failed.")
            elif word.upper() == "LIST":
                mails = self._mails()
                listed = "".join(f"{number} {len(each)}\r\n" for number, each in enumerate(mails, start=1))
                self.say(f"+OK {len(mails)} messages:\r\n{listed}.")
            elif word.upper() == "RETR":
                mail = self._mails()[int(given) - 1]
                ended = mail if mail.endswith(b"\r\n") else mail + b"\r\n"
                self.wfile.write(b"+OK\r\n" + re.sub(rb"(?m)^\.", b"..", ended) + b".\r\n")
            elif word.upper() == "QUIT":
                self.say("+OK bye")
                return

    def _mails(self) -> list[bytes]:
        inbox = self.service.inboxes[self.address or ""]
        return [inbox[uid] for uid in sorted(inbox)]


class Imap(_Talk):
    def talk(self) -> None:
        self.say("* OK ready")
        for line in self.lines():
            tag, _, rest = line.partition(" ")
            command = rest.upper()
            if command.startswith("LOGIN"):
                name, password = re.findall(r'"((?:[^"\\]|\\.)*)"', rest)
                self.address = self.service.log_in(*(re.sub(r"\\(.)", r"\1", each) for each in (name, password)))
                self.say(f"{tag} OK in" if self.address else f"{tag} NO [AUTHENTICATIONFAILED] Authentication failed.")
            elif command.startswith("CAPABILITY"):
                self.say(f"* CAPABILITY IMAP4rev1\r\n{tag} OK")
            elif command.startswith("LIST"):
                self.say(f'* LIST () "." "INBOX"\r\n{tag} OK')
            elif command.startswith(("EXAMINE", "SELECT")):
                count = len(self._inbox())
                self.say(f"* FLAGS ()\r\n* {count} EXISTS\r\n* 0 RECENT\r\n* OK [UIDVALIDITY 1] .")
                self.say(f"* OK [UIDNEXT {max(self._inbox(), default=0) + 1}] .\r\n{tag} OK [READ-ONLY] done")
            elif command.startswith("UID SEARCH"):
                self.say(f"* SEARCH {' '.join(map(str, sorted(self._inbox())))}".rstrip() + f"\r\n{tag} OK done")
            elif command.startswith("UID FETCH"):
                self._fetch(tag, rest.split(" ")[2], rest)
            elif command.startswith("LOGOUT"):
                self.say(f"* BYE\r\n{tag} OK")
                return
            else:
                self.say(f"{tag} OK")

    def _inbox(self) -> dict[int, bytes]:
        return self.service.inboxes[self.address or ""]

    def _fetch(self, tag: str, wanted: str, asked: str) -> None:
        uids = sorted(self._inbox())
        one = r"(?:[1-9]\d{0,8}|\*)"
        if not re.fullmatch(rf"{one}(?::{one})?(?:,{one})*", wanted):
            self.say(f"{tag} BAD Error in IMAP command UID FETCH: Invalid uidset (0.001 + 0.000 secs).")
            return
        what = re.findall(r"BODY(?:\.PEEK)?\[([^\]]*)\]", asked)[0]
        for sequence, uid in enumerate(uids, start=1):
            if not any(_is_within(uid, each, uids) for each in wanted.split(",")):
                continue
            data = self._inbox()[uid]
            if what:
                names = re.findall(r"\((.*)\)", what)[0].lower().split()
                head = re.split(rb"\r\n(?![ \t])", data.partition(b"\r\n\r\n")[0])
                kept = [each for each in head if each.partition(b":")[0].strip().lower().decode("latin-1") in names]
                data = b"".join(each + b"\r\n" for each in kept) + b"\r\n"
            facts = f'UID {uid} FLAGS () INTERNALDATE "01-Mar-2026 00:00:00 +0000" BODYSTRUCTURE {_STRUCTURE}'
            self.wfile.write(f"* {sequence} FETCH ({facts} BODY[{what}] {{{len(data)}}}\r\n".encode() + data + b")\r\n")
        self.say(f"{tag} OK done")


def _is_within(uid: int, wanted: str, uids: list[int]) -> bool:
    ends = [uids[-1] if each == "*" else int(each) for each in wanted.split(":")]
    return min(ends) <= uid <= max(ends)


@contextmanager
def serving(service: Service, certificate: Path, key: Path) -> Iterator[dict[int, int]]:
    """Serve the three protocols on this machine; yields the port each well-known one is at."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        block_on_close = False

        def finish_request(self, request: Any, client_address: Any) -> None:
            # Here, in the client's own thread, so that one who never says a word keeps nobody waiting.
            try:
                secured = context.wrap_socket(request, server_side=True)
            except (OSError, ssl.SSLError):
                return
            with secured:
                super().finish_request(secured, client_address)

    servers = {}
    for port, talk in ((465, Smtp), (993, Imap), (995, Pop3)):
        handler = type(talk.__name__, (talk,), {"service": service})
        servers[port] = Server(("127.0.0.1", 0), handler)
        threading.Thread(target=servers[port].serve_forever, daemon=True).start()
    try:
        yield {port: server.server_address[1] for port, server in servers.items()}
    finally:
        for server in servers.values():
            server.shutdown()
            server.server_close()
