"""A stand-in for Google's token endpoint and Gmail's REST API, over the app's own rows.

What Gmail stores and refuses is asked of our kernel; requests, mail in MIME and answers are read and written here, in
the shapes of Google's reference.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Sequence
from email import message_from_bytes
from email.message import Message
from typing import Any, NamedTuple
from urllib.parse import unquote

from farm.appkit.handler_api import Episode, Row, parse_json
from farm.content import kernel_module
from farm.testing import LocalApp
from tests.upstream.real import Asked, Reply

_ERRORS = kernel_module("gmail", "errors")
_FILES, _FILTERS, _LABELS, _MAILBOXES, _MESSAGES, _OUTGOING = (
    kernel_module("gmail", name) for name in ("files", "filters", "labels", "mailboxes", "messages", "outgoing")
)
_BASE = "/gmail/v1/users/me"
_REASONS = {400: "invalidArgument", 403: "insufficientPermissions", 404: "notFound", 409: "duplicate"}
# Where the message of the whole is another than that of its first error.
_WHOLE = {403: "Request had insufficient authentication scopes."}


class Moment(NamedTuple):
    """A time, and how many calls had written before."""

    now_ms: int
    writes: int


def things(ep: Episode) -> int:
    """Return how many mails, labels and filters a mailbox has."""
    return int(
        ep.db.scalar(
            "SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM labels) + (SELECT count(*) FROM filters)"
        )
    )


class Gmail:
    """One account's Gmail; requests are answered one after the other."""

    def __init__(self, app: LocalApp, now_ms: int, moments: Sequence[Moment]) -> None:
        """Stand in for the mailbox of an app's episode.

        Args:
            moments: when our app made its mails, labels and filters: ids depend on it, and one tool may ask for much.
        """
        self._ep = app.episode
        self._now = Moment(now_ms, 0)
        self._moments = [*moments]
        self._lock = threading.Lock()

    def answer(self, asked: Asked) -> Reply:
        """Answer a request."""
        if asked.path == "/token":
            return _reply({"access_token": "ya29.a", "expires_in": 3599, "token_type": "Bearer"})
        method, path = asked.method, [unquote(each) for each in asked.path.removeprefix(_BASE).strip("/").split("/")]
        body = json.loads(asked.body) if asked.body else {}
        with self._lock:
            next_made = self._moments[0] if self._moments else self._now
            self._ep.start_call(*(next_made if asked.method == "POST" else self._now))
            before = things(self._ep)
            try:
                said = self._route(method, path, asked, body)
                if things(self._ep) > before:
                    self._now = next_made
                    del self._moments[:1]
                return _reply(said)
            except _ERRORS.ApiError as refused:
                reason = _REASONS[refused.http_status]
                about = {"message": refused.message, "domain": "global", "reason": reason}
                whole = _WHOLE.get(refused.http_status, refused.message)
                error = {"code": refused.http_status, "message": whole, "errors": [about]}
                return _reply({"error": {**error, "status": refused.code}}, refused.http_status)

    def _route(self, method: str, path: list[str], asked: Asked, body: Any) -> Any:
        match method, path:
            case "GET", ["messages"]:
                return self._list(asked.query)
            case "GET", ["messages", message_id]:
                return self._get(message_id, asked.query["format"])
            case "POST", ["messages", "send"]:
                message_id = _OUTGOING.keep_sent(self._ep, *_read(body))
                return self._get(message_id, "minimal")
            case "POST", ["drafts"]:
                return {"id": _OUTGOING.keep_draft(self._ep, *_read(body["message"])), "message": {}}
            case "POST", ["messages", message_id, "modify"]:
                _MESSAGES.modify(self._ep, message_id, body.get("addLabelIds"), body.get("removeLabelIds"))
                return self._get(message_id, "minimal")
            case "DELETE", ["messages", message_id]:
                return _MESSAGES.delete(self._ep, message_id)
            case "GET", ["messages", message_id, "attachments", attachment_id]:
                size = _FILES.require_attachment(self._ep, message_id, attachment_id)["size_bytes"]
                return {"size": size, "data": base64.urlsafe_b64encode(bytes(size)).decode()}
            case "GET", ["labels"]:
                every = _LABELS.system_and_own(self._ep)
                return {"labels": [{**_label(each), "type": each["type"]} for each in every]}
            case "POST", ["labels"]:
                visible = body["messageListVisibility"], body["labelListVisibility"]
                return _label(_LABELS.create(self._ep, body["name"], *visible))
            case "GET", ["labels", label_id]:
                found = _LABELS.require_label(self._ep, label_id)
                return {**_label(found), "type": found["type"], "messagesTotal": 0, "messagesUnread": 0}
            case "PUT", ["labels", label_id]:
                visible = body.get("messageListVisibility"), body.get("labelListVisibility")
                changed = _LABELS.update(self._ep, label_id, body.get("name", ""), *visible)
                return {**_label(changed), "type": changed["type"]}
            case "DELETE", ["labels", label_id]:
                return _LABELS.delete(self._ep, label_id)
            case "POST", ["settings", "filters"]:
                return self._filter(_FILTERS.create(self._ep, body["criteria"], body["action"]))
            case "GET", ["settings", "filters"]:
                rows = self._ep.db.all("SELECT filter_id FROM filters ORDER BY filter_id")
                return {"filter": [self._filter(row["filter_id"]) for row in rows]}
            case "GET", ["settings", "filters", filter_id]:
                return self._filter(filter_id)
            case "DELETE", ["settings", "filters", filter_id]:
                return _FILTERS.delete(self._ep, filter_id)
        raise AssertionError(f"the server asks for what nobody knows: {method} {asked.path}")

    def _filter(self, filter_id: str) -> dict[str, Any]:
        row = _FILTERS.require_filter(self._ep, filter_id)
        return {"id": filter_id, "criteria": parse_json(row["criteria"]), "action": parse_json(row["action"])}

    def _list(self, query: Any) -> dict[str, Any]:
        _MESSAGES.require_max_results(json.loads(query["maxResults"]))
        rows = _MAILBOXES.search(self._ep, query["q"], min(int(query["maxResults"]), 500))
        if not rows:
            return {"resultSizeEstimate": 0}
        listed = [{"id": row["message_id"], "threadId": row["thread_id"]} for row in rows]
        return {"messages": listed, "resultSizeEstimate": len(rows)}

    def _get(self, message_id: str, form: str) -> dict[str, Any]:
        row = _MAILBOXES.require_message(self._ep, message_id)
        about = {"id": row["message_id"], "threadId": row["thread_id"], "snippet": (row["body_text"] or "")[:100]}
        about |= {"sizeEstimate": row["size_bytes"], "historyId": "14430046", "internalDate": str(row["internal_ms"])}
        if form == "minimal":
            return about
        names = {"From": "sender", "To": "recipients", "Cc": "cc", "Bcc": "bcc", "Subject": "subject"}
        headers = [{"name": name, "value": row[column]} for name, column in names.items() if row[column]]
        headers.append({"name": "Date", "value": _MAILBOXES.date_header(row)})
        if form == "metadata":
            return {**about, "payload": {"mimeType": "text/plain", "headers": headers}}
        return {**about, "payload": {**self._payload(row), "headers": headers}}

    def _payload(self, row: Row) -> dict[str, Any]:
        """Return the tree of a message's parts, as Gmail takes MIME apart."""
        texts = [("text/plain", row["body_text"]), ("text/html", row["body_html"])]
        parts = [_part(kind, text) for kind, text in texts if text is not None]
        text = (
            parts[0] if len(parts) == 1 else {"mimeType": "multipart/alternative", "body": {"size": 0}, "parts": parts}
        )
        sql = "SELECT * FROM attachments WHERE message_id = ? ORDER BY position"
        attached = [_attached(each) for each in self._ep.db.all(sql, row["message_id"])]
        if not attached:
            return text
        return {"mimeType": "multipart/mixed", "filename": "", "body": {"size": 0}, "parts": [text, *attached]}


def _part(kind: str, text: str) -> dict[str, Any]:
    data = text.replace("\n", "\r\n").encode()
    body = {"size": len(data), "data": base64.urlsafe_b64encode(data).decode()}
    return {"partId": "0", "mimeType": kind, "filename": "", "headers": [], "body": body}


def _attached(row: Row) -> dict[str, Any]:
    body = {"attachmentId": row["attachment_id"], "size": row["size_bytes"]}
    return {"partId": "1", "mimeType": row["mime_type"], "filename": row["filename"], "headers": [], "body": body}


def _label(row: Row) -> dict[str, Any]:
    """Return a label as it is made: without its type."""
    columns = {"messageListVisibility": "message_list_visibility", "labelListVisibility": "label_list_visibility"}
    visible = {name: row[column] for name, column in columns.items() if column in row}
    return {"id": row["label_id"], "name": row["name"], **visible}


def _read(body: Any) -> tuple[Any, str | None]:
    """Return what a request wants to send, and the thread it names."""
    raw = base64.urlsafe_b64decode(body["raw"] + "==")
    read: Message = message_from_bytes(raw)
    attached = [
        {"filename": part.get_filename(), "mime_type": part.get_content_type(), "size_bytes": len(_decoded(part))}
        for part in read.walk()
        if part.get_filename()
    ]
    pacific = -420  # the eighth of March was the first day of summer time there
    written = _OUTGOING.Outgoing(raw.decode(), attached, 0 if read["Date"] else pacific)
    return written, body.get("threadId")


def _decoded(part: Message) -> bytes:
    decode: Callable[..., Any] = part.get_payload
    return bytes(decode(decode=True))


def _reply(body: Any, status: int = 200) -> Reply:
    return Reply(b"", 204) if body is None else Reply(json.dumps(body).encode(), status)
