"""Filters: what is done with mail that comes in."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json
from farm.appkit.formats.javascript import js_string

from . import errors, labels, mailboxes

_FILTERS_MAX = 1000
_CRITERIA_MAX = 1500
_SIZE_END = 2**31
_OWN = "SELECT * FROM filters WHERE account_id = ? ORDER BY created_ms, filter_id"
# In the order of Google's definition, which is that of its answers.
_CRITERIA = (
    "from",
    "to",
    "subject",
    "query",
    "negatedQuery",
    "hasAttachment",
    "excludeChats",
    "size",
    "sizeComparison",
)
_ACTION = ("addLabelIds", "removeLabelIds", "forward")


def create_filter(ep: Episode, *, criteria: dict[str, Any], action: dict[str, Any]) -> Result:
    """Make a filter and say it back as it was given. It is for mail that comes afterwards.

    Raises:
        ServerError: criteria or action say nothing, name a label there is not, forward to an address that has not
            agreed, are too long, or are those of another filter.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.settings.filters/create
    """
    filter_id = _create(ep, criteria, action)
    return f"Filter created successfully:\nID: {filter_id}\n{_described(criteria, action)}"


def create_filter_from_template(ep: Episode, *, template: str, parameters: dict[str, Any]) -> Result:
    """Make one of six common filters.

    Raises:
        ServerError: the template lacks what it is about; otherwise as ``create_filter``.

    Source: the server's own templates, @gongrzhe/server-gmail-autoauth-mcp 1.1.11
    """
    criteria, action = _templated(template, parameters)
    filter_id = _create(ep, criteria, action)
    return f"Filter created from template '{template}':\nID: {filter_id}\nTemplate used: {template}"


def _templated(template: str, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the criteria and action of a template.

    Raises:
        ServerError: what it is about is missing, or as good as.
    """
    add = given.get("labelIds", [])
    match template:
        case "fromSender":
            criteria: dict[str, Any] = {"from": _required(given, "senderEmail", template)}
            remove = ["INBOX"] if given.get("archive") else []
        case "withSubject":
            criteria = {"subject": _required(given, "subjectText", template)}
            remove = ["UNREAD"] if given.get("markAsRead") else []
        case "withAttachments":
            criteria, remove = {"hasAttachment": True}, []
        case "largeEmails":
            criteria = {"size": _required(given, "sizeInBytes", template), "sizeComparison": "larger"}
            remove = []
        case "containingText":
            criteria, remove = {"query": f'"{_required(given, "searchText", template)}"'}, []
            add = [*add, "IMPORTANT"] if given.get("markImportant") else add
        case _:
            listed = _required(given, "listIdentifier", template)
            criteria = {"query": f"list:{listed} OR subject:[{listed}]"}
            remove = ["INBOX"] if given.get("archive", True) else []
    return criteria, {"addLabelIds": add, "removeLabelIds": remove}


def _required(given: Mapping[str, Any], name: str, template: str) -> Any:
    if not given.get(name):
        raise errors.ServerError(f"{name} is required for {template} template")
    return given[name]


def list_filters(ep: Episode) -> Result:
    """Say that there are none, whatever there is: the server looks for them under another key than Gmail's answer has.

    Raises:
        ServerError: the server was never let in.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.settings.filters/list (the key is
    ``filter``, the server reads ``filters``); issue 71 of the server's repository
    """
    with errors.worded("Failed to list filters"):
        mailboxes.account(ep)
    return "No filters found."


def get_filter(ep: Episode, *, filterId: str) -> Result:
    """Describe a filter.

    Raises:
        ServerError: there is none of this id.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.settings.filters/get
    """
    with errors.worded("Failed to get filter", status_404=f'Filter with ID "{filterId}" not found.'):
        found = require_filter(ep, filterId)
    described = _described(parse_json(found["criteria"]), parse_json(found["action"]))
    return f"Filter details:\nID: {filterId}\n{described}"


def delete_filter(ep: Episode, *, filterId: str) -> Result:
    """Delete a filter. What it did stays done.

    Raises:
        ServerError: there is none of this id.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.settings.filters/delete
    """
    with errors.worded("Failed to delete filter", status_404=f'Filter with ID "{filterId}" not found.'):
        delete(ep, filterId)
    return f'Filter "{filterId}" deleted successfully.'


def labels_of_arrival(ep: Episode, receiver: Row, row: Row, filenames: Sequence[str]) -> list[str]:
    """Return the labels that a message bears as it comes in to an account, after the account's filters."""
    arrived, names = {"INBOX", "UNREAD"}, list(filenames)
    bears = arrived
    for each in ep.db.all(_OWN, receiver["account_id"]):
        if mailboxes.finds(ep, receiver, _query(parse_json(each["criteria"])), row, arrived, names):
            action = parse_json(each["action"])
            bears = bears - {*action.get("removeLabelIds", ())} | {*action.get("addLabelIds", ())}
    return sorted(bears)


def require_filter(ep: Episode, filter_id: str) -> Row:
    """Return one of the caller's filters.

    Raises:
        NotFound: there is none of this id.
        NoCredentials: as ``mailboxes.account``.
    """
    mailboxes.account(ep)
    found = ep.db.one("SELECT * FROM filters WHERE filter_id = ? AND account_id = ?", filter_id, ep.me)
    if found is None:
        raise errors.NotFound
    return found


def delete(ep: Episode, filter_id: str) -> None:
    """Delete a filter as Gmail does.

    Raises:
        NotFound, NoCredentials: as ``require_filter``.
    """
    ep.db.delete("filters", filter_id=require_filter(ep, filter_id)["filter_id"])


def _described(criteria: Mapping[str, Any], action: Mapping[str, Any]) -> str:
    said = ", ".join(f"{key}: {js_string(value)}" for key, value in criteria.items())
    done = ", ".join(
        f"{key}: {', '.join(value) if isinstance(value, list) else value}"
        for key, value in action.items()
        if value != []
    )
    return f"Criteria: {said}\nActions: {done}"


def _create(ep: Episode, criteria: Mapping[str, Any], action: Mapping[str, Any]) -> str:
    with errors.worded("Failed to create filter", status_400="Invalid filter criteria or action: {message}"):
        return create(ep, criteria, action)


def create(ep: Episode, criteria: Mapping[str, Any], action: Mapping[str, Any]) -> str:
    """Make a filter as Gmail does and return its id. What is as good as nothing is not kept.

    Raises:
        ApiError: as ``create_filter`` says.
    """
    agreed = [str(each).lower() for each in parse_json(mailboxes.account(ep)["forwards_to"])]
    size = criteria.get("size", 0)
    if math.isinf(size):
        criteria, size = {**criteria, "size": None}, 0  # JSON has no such number
    if not -_SIZE_END <= size < _SIZE_END or size != int(size):
        raise errors.InvalidFilterSize(value=js_string(size))
    wanted = {key: criteria[key] for key in _CRITERIA if criteria.get(key) not in (None, "", False, 0, "unspecified")}
    done = {key: action[key] for key in _ACTION if action.get(key)}
    if not wanted or not _query(wanted):
        raise errors.NoCriteria
    if not done:
        raise errors.NoActions
    if len(_query(wanted)) > _CRITERIA_MAX:
        raise errors.FilterTooLong
    known = {each["label_id"] for each in labels.system_and_own(ep)}
    for label in (*done.get("addLabelIds", ()), *done.get("removeLabelIds", ())):
        if label in mailboxes.FIXED_LABELS or label not in known:
            raise errors.InvalidLabel(label=label)
    if "forward" in done and done["forward"].lower() not in agreed:
        raise errors.UnrecognizedForwardingAddress
    kept = ep.db.all(_OWN, ep.me)
    if any((parse_json(each["criteria"]), parse_json(each["action"])) == (wanted, done) for each in kept):
        raise errors.FilterExists
    if len(kept) >= _FILTERS_MAX:
        raise errors.TooManyFilters
    filter_id = _new_id(ep)
    about = {"criteria": _printed(wanted), "action": _printed(done)}
    ep.db.insert("filters", filter_id=filter_id, account_id=ep.me, created_ms=ep.now_ms, **about)
    return filter_id


def _printed(value: Mapping[str, Any]) -> str:
    # Half a character stays half of one, which the call is then made again without.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _new_id(ep: Episode) -> str:
    token = "".join(f"{ep.hash('filter', ep.now_ms, ep.writes, piece):016x}" for piece in range(3))
    return f"ANe1Bm{token[:42]}"


def _query(criteria: Mapping[str, Any]) -> str:
    """Return the search that a filter's criteria are."""
    terms = [f"{key}:({criteria[key]})" for key in ("from", "to", "subject") if criteria.get(key)]
    if criteria.get("query"):
        terms.append(f"({criteria['query']})")
    if criteria.get("negatedQuery"):
        terms.append(f"-({criteria['negatedQuery']})")
    if criteria.get("hasAttachment"):
        terms.append("has:attachment")
    if criteria.get("excludeChats"):
        terms.append("-in:chats")
    if criteria.get("size") and criteria.get("sizeComparison") in ("larger", "smaller"):
        terms.append(f"{criteria['sizeComparison']}:{int(criteria['size'])}")
    return " ".join(terms)
