"""Cells of a base as a search shows them: people, groups and files in full, text as segments."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from farm.appkit import Episode, Row, parse_json

from .fields import Field, Kind
from .users import find_users, picture

_SERIAL_DATES = {
    "yyyyMMdd": "%Y%m%d",
    "yyyyMM": "%Y%m",
    "yyyy": "%Y",
    "MMdd": "%m%d",
    "MM": "%m",
    "dd": "%d",
}
# What becomes a link by itself when it is written into a text: an address, or a name in one of the common domains.
_ADDRESS = re.compile(
    r"https?://[^\s，。；、（）]+|(?<![\w@.-])(?:[a-z0-9-]+\.)+(?:com|cn|net|org|io)(?![\w.-])(?:/[^\s，。；、（）]*)?",
    re.ASCII | re.IGNORECASE,
)
_DRIVE = "https://open.feishu.cn/open-apis/drive/v1/medias"


@dataclass(frozen=True, slots=True)
class Names:
    """What a page of records needs to know about the things its cells refer to."""

    people: Mapping[str, Row]
    chats: Mapping[str, Row]
    attachments: Mapping[str, Row]
    id_type: str
    zone: ZoneInfo
    table: Row


def person(user: Row, id_type: str) -> dict[str, Any]:
    """Return a person as cells and record heads show one."""
    return {
        "avatar_url": picture(user["avatar"]),
        "email": user["email"],
        "en_name": user["en_name"],
        "id": user[id_type],
        "name": user["name"],
    }


def look_up(ep: Episode, table: Row, columns: list[Field], records: list[Row], id_type: str) -> Names:
    """Return the people, chats and attachments that these records mention."""
    keys: dict[int, set[str]] = {Kind.USER: set(), Kind.GROUP: set(), Kind.ATTACHMENT: set()}
    referring = [field for field in columns if field.kind in keys]
    for record in records:
        keys[Kind.USER].update((record["created_by"], record["modified_by"]))
        cells = parse_json(record["fields"]) if referring else {}
        for field in referring:
            key = "file_token" if field.kind == Kind.ATTACHMENT else "id"
            keys[field.kind].update(each[key] for each in cells.get(field.field_id) or ())
    chats = _rows(ep, "SELECT * FROM chats WHERE chat_id IN (SELECT value FROM json_each(?))", keys[Kind.GROUP])
    files = _rows(
        ep,
        "SELECT * FROM base_attachments WHERE file_token IN (SELECT value FROM json_each(?))",
        keys[Kind.ATTACHMENT],
    )
    return Names(
        find_users(ep, keys[Kind.USER]),
        {row["chat_id"]: row for row in chats},
        {row["file_token"]: row for row in files},
        id_type,
        ZoneInfo(table["time_zone"]),
        table,
    )


def _rows(ep: Episode, sql: str, keys: set[str]) -> list[Row]:
    return ep.db.all(sql, json.dumps(list(keys))) if keys else []


def cell_to_json(field: Field, record: Row, cells: Mapping[str, Any], names: Names) -> Any:
    """Return one cell as shown, or None when it is empty and so left out."""
    cell = cells.get(field.field_id)
    match field.kind:
        case Kind.CREATED_TIME:
            return record["created_at"]
        case Kind.MODIFIED_TIME:
            return record["modified_at"]
        case Kind.CREATED_USER:
            return _people([{"id": record["created_by"]}], names)
        case Kind.MODIFIED_USER:
            return _people([{"id": record["modified_by"]}], names)
        case Kind.AUTO_NUMBER:
            return serial(field, record, names.zone)
        case _:
            return None if cell is None else _stored(field, cell, names)


def _stored(field: Field, cell: Any, names: Names) -> Any:
    match field.kind:
        case Kind.TEXT:
            return _segments(field, cell)
        case Kind.USER:
            return _people(cell, names)
        case Kind.GROUP:
            return [_chat(names.chats[each["id"]]) for each in cell if each["id"] in names.chats]
        case Kind.ATTACHMENT:
            return [_file(each["file_token"], names) for each in cell if each["file_token"] in names.attachments]
        case Kind.LINK | Kind.DUPLEX_LINK:
            return {"link_record_ids": cell}
        case Kind.NUMBER:
            return plain_number(cell)
        case Kind.FORMULA | Kind.LOOKUP:
            return _formula(cell)
        case _:
            return cell


def plain_number(value: Any) -> Any:
    """Return 2 for 2.0: the answers pass through JavaScript, which has one kind of number."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e21 else value


def _segments(field: Field, cell: Any) -> list[dict[str, Any]]:
    if isinstance(cell, list):
        # A world may hold rich text: mentions and links among the words.
        return cell
    if field.ui_type == "Email":
        return [{"link": f"mailto:{cell}", "text": cell, "type": "url"}]
    segments, start = [], 0
    for address in _ADDRESS.finditer(cell):
        if address.start() > start:
            segments.append({"text": cell[start : address.start()], "type": "text"})
        link = address[0] if "://" in address[0] else f"http://{address[0]}"
        segments.append({"link": link, "text": address[0], "type": "url"})
        start = address.end()
    if start < len(cell) or not segments:
        segments.append({"text": cell[start:], "type": "text"})
    return segments


def _people(cell: list[dict[str, str]], names: Names) -> list[dict[str, Any]]:
    return [person(names.people[each["id"]], names.id_type) for each in cell if each["id"] in names.people]


def _chat(chat: Row) -> dict[str, Any]:
    return {"avatar_url": picture(chat["avatar"]), "id": chat["chat_id"], "name": chat["name"]}


def _file(token: str, names: Names) -> dict[str, Any]:
    file, table = names.attachments[token], names.table
    place = {"bitablePerm": {"tableId": table["table_id"], "rev": table["revision"]}}
    extra = quote(json.dumps(place, separators=(",", ":")))
    return {
        "file_token": token,
        "name": file["name"],
        "size": file["size"],
        "tmp_url": f"{_DRIVE}/batch_get_tmp_download_url?file_tokens={token}&extra={extra}",
        "type": file["mime_type"],
        "url": f"{_DRIVE}/{token}/download?extra={extra}",
    }


def _formula(cell: Any) -> Any:
    """A formula is not computed; what the world says it shows is wrapped as the vendor wraps a result."""
    if isinstance(cell, dict) and "type" in cell:
        return cell
    if isinstance(cell, str):
        return {"type": int(Kind.TEXT), "value": [{"text": cell, "type": "text"}]}
    kind = Kind.CHECKBOX if isinstance(cell, bool) else Kind.NUMBER
    return {"type": int(kind), "value": cell if isinstance(cell, list) else [cell]}


def serial(field: Field, record: Row, zone: ZoneInfo) -> str:
    """Return a record's automatic number as the field's rules spell it."""
    rules = field.properties.get("auto_serial", {})
    if rules.get("type") != "custom":
        return str(record["number"])
    made = datetime.fromtimestamp(record["created_at"] / 1000, UTC).astimezone(zone)
    parts = []
    for rule in rules.get("options", ()):
        match rule["type"]:
            case "system_number":
                width = int(rule["value"]) if rule["value"].isdigit() else 1
                parts.append(str(record["number"]).zfill(min(width, 9)))
            case "created_time":
                parts.append(made.strftime(_SERIAL_DATES.get(rule["value"], "%Y%m%d")))
            case _:
                parts.append(rule["value"])
    return "".join(parts)
