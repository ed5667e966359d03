"""Cells of a base as they are written: what each kind of field takes, and what is stored of it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from farm.appkit import Episode

from . import errors
from .fields import READ_ONLY, Field, Kind, option
from .users import find_users

TEXT_MOST = 100_000
PHONE_MOST = 64
# The years 10 to 9 890: a day more or less, or a time zone, never leaves what dates can be.
DATE_LEAST, DATE_MOST = -61_800_000_000_000, 249_900_000_000_000
OPTIONS_MOST, PEOPLE_MOST, ATTACHMENTS_MOST, LINKS_MOST, GROUPS_MOST = 1000, 1000, 100, 500, 10
_PHONE = re.compile(r"\+?\d*")
_PLACE = re.compile(r"\s*-?\d{1,3}(\.\d+)?\s*,\s*-?\d{1,3}(\.\d+)?\s*")

# Field id → what is stored; None empties the cell.
Cells = dict[str, Any]


def convert(columns: Mapping[str, Field], written: Mapping[str, Any]) -> Cells:
    """Return what a record's ``fields`` come to, by field id; references are not looked up yet.

    Args:
        columns: name → field.
        written: name → value, as the agent sent them.

    Raises:
        FieldNameNotFound: the table has no such field.
        FieldTypesDoNotMatch: the field fills itself, or the value is not of its kind and the kind has no code.
        ...ConvFail, TooLargeCell, AttachExceedLimit: the value is not of the field's kind, or too much.
    """
    cells: Cells = {}
    for name, value in written.items():
        field = columns.get(name)
        if field is None:
            raise errors.FieldNameNotFound(_explained(f"fields.{name}", "field_name not found"))
        cells[field.field_id] = None if value is None else _convert(field, value)
    return cells


def _convert(field: Field, value: Any) -> Any:
    if field.kind in READ_ONLY or field.kind not in _WRITERS:
        raise errors.FieldTypesDoNotMatch(_explained(_where(field, value), f"field '{field.name}' is read only"))
    refusal, expected, write = _WRITERS[field.kind]
    stored = write(field, value)
    if stored is _MISFIT:
        raise refusal(_explained(_where(field, value), expected))
    return stored


_MISFIT = object()


def _text(_field: Field, value: Any) -> Any:
    if not isinstance(value, str):
        return _MISFIT
    if len(value) > TEXT_MOST:
        raise errors.TooLargeCell
    return value or None


def _number(_field: Field, value: Any) -> Any:
    return value if _is_number(value) else _MISFIT


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _single_select(_field: Field, value: Any) -> Any:
    return (value or None) if isinstance(value, str) else _MISFIT


def _multi_select(_field: Field, value: Any) -> Any:
    if not _is_list_of(str, value):
        return _MISFIT
    if len(value) > OPTIONS_MOST:
        raise errors.TooLargeCell
    return [name for name in value if name] or None


def _is_list_of(kind: type, value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, kind) for each in value)


def _date(_field: Field, value: Any) -> Any:
    return int(value) if _is_number(value) and DATE_LEAST <= value <= DATE_MOST else _MISFIT


def _checkbox(_field: Field, value: Any) -> Any:
    return value if isinstance(value, bool) else _MISFIT


def _references(most: int) -> Callable[[Field, Any], Any]:
    def write(field: Field, value: Any) -> Any:
        if not _is_list_of(dict, value) or not all(isinstance(each.get("id"), str) for each in value):
            return _MISFIT
        ids = list(dict.fromkeys(each["id"] for each in value))
        if len(ids) > (most if field.properties.get("multiple", True) else 1):
            return _MISFIT
        return [{"id": each} for each in ids] or None

    return write


def _phone(_field: Field, value: Any) -> Any:
    fits = isinstance(value, str) and len(value) <= PHONE_MOST and _PHONE.fullmatch(value)
    return (value or None) if fits else _MISFIT


def _url(_field: Field, value: Any) -> Any:
    if not isinstance(value, dict) or not isinstance(value.get("link"), str):
        return _MISFIT
    text = value.get("text", value["link"])
    return {"link": value["link"], "text": text} if isinstance(text, str) else _MISFIT


def _attachments(_field: Field, value: Any) -> Any:
    if not _is_list_of(dict, value) or not all(isinstance(each.get("file_token"), str) for each in value):
        return _MISFIT
    if len(value) > ATTACHMENTS_MOST:
        raise errors.AttachExceedLimit
    return [{"file_token": each["file_token"]} for each in value] or None


def _links(field: Field, value: Any) -> Any:
    if not _is_list_of(str, value):
        return _MISFIT
    ids = list(dict.fromkeys(value))
    return (ids or None) if len(ids) <= (LINKS_MOST if field.properties.get("multiple", True) else 1) else _MISFIT


def _place(_field: Field, value: Any) -> Any:
    if not isinstance(value, str) or not _PLACE.fullmatch(value):
        return _MISFIT
    place = "".join(value.split())
    # The vendor looks the coordinates up on a map; here nobody knows what is there.
    return {"address": "", "adname": "", "cityname": "", "full_address": "", "location": place, "name": "", "pname": ""}


Writer = tuple[type[errors.BaseError], str, Callable[[Field, Any], Any]]
# Kind → its refusal, what the live service says it wants (where known), and how it is written.
_WRITERS: Mapping[int, Writer] = {
    Kind.TEXT: (errors.TextFieldConvFail, "the value of 'Multiline' must be a string", _text),
    Kind.NUMBER: (errors.NumberFieldConvFail, "the value of 'Number' must be a number", _number),
    Kind.SINGLE_SELECT: (
        errors.SingleSelectFieldConvFail,
        "the value of 'Single Option' must be a string",
        _single_select,
    ),
    Kind.MULTI_SELECT: (
        errors.MultiSelectFieldConvFail,
        "the value of 'Multiple Options' must be an array of strings",
        _multi_select,
    ),
    Kind.DATE: (errors.DatetimeFieldConvFail, "the value of 'Date' must be a unix timestamp", _date),
    Kind.CHECKBOX: (errors.CheckboxFieldConvFail, "the value of 'Checkbox' must be a boolean", _checkbox),
    Kind.USER: (
        errors.UserFieldConvFail,
        "the value of 'Person' must be an array of objects with id",
        _references(PEOPLE_MOST),
    ),
    Kind.PHONE: (errors.PhoneFieldConvFail, "the value of 'Phone' must be a string of digits", _phone),
    Kind.URL: (errors.UrlFieldConvFail, "the value of 'Link' must be an object", _url),
    Kind.ATTACHMENT: (
        errors.AttachFieldConvFail,
        "the value of 'Attachment' must be an array of objects with file_token",
        _attachments,
    ),
    Kind.LINK: (errors.LinkFieldConvFail, "the value of 'Link to another record' must be an array of strings", _links),
    Kind.DUPLEX_LINK: (errors.DuplexLinkFieldConvFail, "the value must be an array of strings", _links),
    Kind.LOCATION: (errors.FieldTypesDoNotMatch, "the value of 'Location' must be longitude,latitude", _place),
    Kind.GROUP: (
        errors.FieldTypesDoNotMatch,
        "the value of 'Group' must be an array of objects with id",
        _references(GROUPS_MOST),
    ),
}


def _where(field: Field, value: Any) -> str:
    return f"fields.{field.name}.fieldValue.{in_go(value)}.fieldName.{field.name}"


def _explained(where: str, expected: str) -> str:
    return f"Invalid request parameter: '{where}'. Correct format : {expected}. Please check and modify accordingly."


def in_go(value: Any) -> str:
    """Return a JSON value as Go prints it with ``%v``, which is how refusals quote it."""
    match value:
        case None:
            return "<nil>"
        case bool():
            return str(value).lower()
        case int() | float():
            return _go_float(float(value)) if abs(value) < 1e300 else str(value)
        case list():
            return f"[{' '.join(map(in_go, value))}]"
        case dict():
            return f"map[{' '.join(f'{key}:{in_go(value[key])}' for key in sorted(value))}]"
        case _:
            return str(value)


def _go_float(value: float) -> str:
    number = Decimal(repr(value)).normalize()
    exponent = number.adjusted()
    if not number or -4 <= exponent < 6:
        return f"{number:f}"
    sign, digits, _ = number.as_tuple()
    mantissa = str(digits[0]) + ("." + "".join(map(str, digits[1:])) if digits[1:] else "")
    return f"{'-' if sign else ''}{mantissa}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


@dataclass(frozen=True, slots=True)
class CellValues:
    """Every id that a batch of cells refers to, by field."""

    ids: Mapping[str, set[str]]

    def ids_in(self, columns: Iterable[Field]) -> set[str]:
        """Return the ids in the cells of these fields."""
        return {each for field in columns for each in self.ids.get(field.field_id, ())}


_ID_KEY = {Kind.USER: "id", Kind.GROUP: "id", Kind.ATTACHMENT: "file_token"}


def resolve(ep: Episode, columns: list[Field], app_token: str, batch: list[Cells], id_type: str) -> list[Cells]:
    """Return the cells with people under their open ids, after looking up everything they refer to.

    Raises:
        UserFieldConvFail: nobody has this id.
        FieldTypesDoNotMatch: no such chat.
        AttachmentNotAllowed: the base has no such attachment.
        LinkFieldConvFail, DuplexLinkFieldConvFail: the linked table has no such record.
    """
    wanted = _wanted(columns, batch)
    by_kind: dict[int, list[Field]] = defaultdict(list)
    for field in columns:
        by_kind[field.kind].append(field)
    people = wanted.ids_in(by_kind[Kind.USER])
    found = find_users(ep, people, id_type)
    if unknown := sorted(people - found.keys()):
        raise errors.UserFieldConvFail(_explained(f"fields.fieldValue.{unknown[0]}", f"the {id_type} is invalid"))
    _require_all(ep, "chats", "chat_id", wanted.ids_in(by_kind[Kind.GROUP]), errors.FieldTypesDoNotMatch)
    _require_attachments(ep, app_token, wanted.ids_in(by_kind[Kind.ATTACHMENT]))
    for field in (*by_kind[Kind.LINK], *by_kind[Kind.DUPLEX_LINK]):
        _require_records(ep, field, wanted.ids.get(field.field_id, set()))
    users = {field.field_id for field in by_kind[Kind.USER]}
    return [
        {
            field_id: [{"id": found[each["id"]]["open_id"]} for each in cell] if cell and field_id in users else cell
            for field_id, cell in cells.items()
        }
        for cells in batch
    ]


def _wanted(columns: list[Field], batch: list[Cells]) -> CellValues:
    keys = {field.field_id: _ID_KEY.get(Kind(field.kind)) for field in columns if field.kind in _REFERRING}
    ids: dict[str, set[str]] = defaultdict(set)
    for cells in batch:
        for field_id, cell in cells.items():
            if cell and field_id in keys:
                key = keys[field_id]
                ids[field_id].update(each[key] if key else each for each in cell)
    return CellValues(ids)


_REFERRING = (Kind.USER, Kind.GROUP, Kind.ATTACHMENT, Kind.LINK, Kind.DUPLEX_LINK)


def _require_all(ep: Episode, table: str, key: str, ids: set[str], refusal: type[errors.BaseError]) -> None:
    if not ids:
        return
    sql = f"SELECT {key} FROM {table} WHERE {key} IN (SELECT value FROM json_each(?)) ORDER BY {key}"
    found = {row[key] for row in ep.db.all(sql, json.dumps(list(ids)))}
    if unknown := sorted(ids - found):
        raise refusal(_explained(f"fields.fieldValue.{unknown[0]}", f"the {key} is invalid"))


def _require_attachments(ep: Episode, app_token: str, tokens: set[str]) -> None:
    if not tokens:
        return
    rows = ep.db.all(
        "SELECT file_token FROM base_attachments WHERE app_token = ? ORDER BY file_token",
        app_token,
    )
    if unknown := sorted(tokens - {row["file_token"] for row in rows}):
        raise errors.AttachmentNotAllowed(f"{unknown[0]} was not uploaded to this base")


def _require_records(ep: Episode, field: Field, ids: set[str]) -> None:
    if not ids:
        return
    rows = ep.db.all(
        "SELECT r.record_id FROM json_each(?) j CROSS JOIN base_records r ON r.record_id = j.value "
        "WHERE r.table_id = ? ORDER BY r.record_id",
        json.dumps(list(ids)),
        field.properties.get("table_id"),
    )
    if unknown := sorted(ids - {row["record_id"] for row in rows}):
        refusal = errors.LinkFieldConvFail if field.kind == Kind.LINK else errors.DuplexLinkFieldConvFail
        raise refusal(_explained(f"fields.{field.name}.fieldValue.{unknown[0]}", "the record is not in the table"))


def with_new_options(ep: Episode, columns: list[Field], batch: list[Cells]) -> list[Field]:
    """Return the select fields that these cells give options they did not have."""
    grown: list[Field] = []
    for field in columns:
        if field.kind not in (Kind.SINGLE_SELECT, Kind.MULTI_SELECT):
            continue
        known, options = set(field.options), list(field.properties.get("options", ()))
        for cells in batch:
            cell = cells.get(field.field_id)
            # The vendor makes as many options as a cell names new ones, equal or not.
            new = [name for name in ([cell] if isinstance(cell, str) else cell or ()) if name not in known]
            options += [option(ep, name, len(options) + index) for index, name in enumerate(new)]
            known.update(new)
        if len(options) > len(field.properties.get("options", ())):
            grown.append(replace(field, properties=field.properties | {"options": options}))
    return grown
