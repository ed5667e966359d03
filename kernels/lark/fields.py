"""Fields of a base's tables: the columns, their kinds and properties."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json

from . import base_validation as checks
from . import errors
from .envelope import NOTHING, Arguments, endpoint

PAGE_DEFAULT, PAGE_MOST = 20, 100
FIELDS_MOST = 300
COLORS = 55


class Kind(IntEnum):
    """The vendor's numbers for the types of fields."""

    TEXT = 1
    NUMBER = 2
    SINGLE_SELECT = 3
    MULTI_SELECT = 4
    DATE = 5
    CHECKBOX = 7
    USER = 11
    PHONE = 13
    URL = 15
    ATTACHMENT = 17
    LINK = 18
    LOOKUP = 19
    FORMULA = 20
    DUPLEX_LINK = 21
    LOCATION = 22
    GROUP = 23
    CREATED_TIME = 1001
    MODIFIED_TIME = 1002
    CREATED_USER = 1003
    MODIFIED_USER = 1004
    AUTO_NUMBER = 1005


# Kinds that can be made, and how each may look; the first is what it looks like unless told otherwise.
UI_TYPES: Mapping[int, tuple[str, ...]] = {
    Kind.TEXT: ("Text", "Barcode"),
    Kind.NUMBER: ("Number", "Progress", "Currency", "Rating"),
    Kind.SINGLE_SELECT: ("SingleSelect",),
    Kind.MULTI_SELECT: ("MultiSelect",),
    Kind.DATE: ("DateTime",),
    Kind.CHECKBOX: ("Checkbox",),
    Kind.USER: ("User",),
    Kind.PHONE: ("Phone",),
    Kind.URL: ("Url",),
    Kind.ATTACHMENT: ("Attachment",),
    Kind.LINK: ("SingleLink",),
    Kind.FORMULA: ("Formula",),
    Kind.DUPLEX_LINK: ("DuplexLink",),
    Kind.LOCATION: ("Location",),
    Kind.GROUP: ("GroupChat",),
    Kind.CREATED_TIME: ("CreatedTime",),
    Kind.MODIFIED_TIME: ("ModifiedTime",),
    Kind.CREATED_USER: ("CreatedUser",),
    Kind.MODIFIED_USER: ("ModifiedUser",),
    Kind.AUTO_NUMBER: ("AutoNumber",),
}
PRIMARY_KINDS = (Kind.TEXT, Kind.NUMBER, Kind.DATE, Kind.PHONE, Kind.URL, Kind.FORMULA, Kind.LOCATION)
READ_ONLY = (
    Kind.LOOKUP,
    Kind.FORMULA,
    Kind.CREATED_TIME,
    Kind.MODIFIED_TIME,
    Kind.CREATED_USER,
    Kind.MODIFIED_USER,
    Kind.AUTO_NUMBER,
)

_DATE = {"date_formatter": "yyyy/MM/dd"}
# What a field's property is when the request says nothing; what it says for other kinds is dropped.
_DEFAULTS: Mapping[str, dict[str, Any]] = {
    "Barcode": {"allowed_edit_modes": {"manual": True, "scan": True}},
    "Number": {"formatter": "0.0"},
    "Progress": {"formatter": "0%", "max": 1, "min": 0, "range_customize": False},
    "Currency": {"currency_code": "CNY", "formatter": "0.00"},
    "Rating": {"formatter": "0", "max": 5, "min": 1, "rating": {"symbol": "star"}},
    "SingleSelect": {"options": []},
    "MultiSelect": {"options": []},
    "DateTime": {"auto_fill": False, **_DATE},
    "User": {"multiple": True},
    "SingleLink": {"multiple": True, "table_id": "", "table_name": ""},
    "Formula": {"formatter": "", "formula_expression": ""},
    "DuplexLink": {"back_field_id": "", "back_field_name": "", "multiple": True, "table_id": "", "table_name": ""},
    "Location": {"location": {"input_type": "not_limit"}},
    "GroupChat": {"multiple": True},
    "CreatedTime": _DATE,
    "ModifiedTime": _DATE,
    "AutoNumber": {"auto_serial": {"type": "auto_increment_number"}},
}


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a table."""

    field_id: str
    name: str
    kind: int
    ui_type: str
    is_primary: bool
    properties: dict[str, Any]
    description: str | None

    @property
    def options(self) -> list[str]:
        """Names of a select field's options, in their order."""
        return [option["name"] for option in self.properties.get("options", ())]


def fields_of_table(ep: Episode, table_id: str) -> list[Field]:
    """Return a table's fields in their order."""
    rows = ep.db.all("SELECT * FROM base_fields WHERE table_id = ? ORDER BY position, field_id", table_id)
    return [_field(row) for row in rows]


def _field(row: Row) -> Field:
    return Field(
        row["field_id"],
        row["field_name"],
        row["type"],
        row["ui_type"],
        bool(row["is_primary"]),
        parse_json(row["property"] or "null") or {},
        row["description"],
    )


@endpoint
def list_fields(ep: Episode, *, path: Arguments, params: Arguments = NOTHING) -> Result:
    """Return a page of a table's fields.

    Args:
        params: ``view_id`` adds which of them the view hides; ``text_field_as_array`` shows descriptions as rich text.

    Raises:
        WrongBaseToken, BaseTokenNotFound, BaseForbidden: the base.
        WrongTableId, TableIdNotFound: the table.
        WrongViewId, ViewIdNotFound: the view.
        PageSizeTooSmall, FieldValidationFailed: the page's size.
        BaseCallFailed: the page token is no field of the table.

    Source: https://open.feishu.cn/document/server-docs/docs/bitable-v1/app-table-field/list
    """
    table = checks.require_table(ep, path)
    size = checks.page_size(params, default=PAGE_DEFAULT, most=PAGE_MOST)
    view = checks.find_view(ep, table["table_id"], params.get("view_id"))
    columns = fields_of_table(ep, table["table_id"])
    start = checks.position_after([each.field_id for each in columns], params.get("page_token"))
    page = columns[start : start + size]
    hidden = parse_json(view["property"] or "{}").get("hidden_fields", []) if view is not None else None
    as_array = params.get("text_field_as_array", False)
    answer: dict[str, Any] = {
        "has_more": start + len(page) < len(columns),
        "items": [_field_to_json(each, hidden, as_array=as_array) for each in page],
    }
    if page:
        answer["page_token"] = page[-1].field_id
    return {**answer, "total": len(columns)}


def _field_to_json(field: Field, hidden: list[str] | None, *, as_array: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    if field.description:
        shown["description"] = [{"text": field.description, "type": "text"}] if as_array else field.description
    shown |= {"field_id": field.field_id, "field_name": field.name}
    if hidden is not None:
        shown["is_hidden"] = field.field_id in hidden
    return shown | {
        "is_primary": field.is_primary,
        "property": in_key_order(field.properties) or None,
        "type": field.kind,
        "ui_type": field.ui_type,
    }


def in_key_order(value: Any) -> Any:
    """Return JSON with the keys of every object in order, as the vendor's maps come out."""
    if isinstance(value, dict):
        return {key: in_key_order(value[key]) for key in sorted(value)}
    return [in_key_order(each) for each in value] if isinstance(value, list) else value


def require_definitions(ep: Episode, app_token: str, wanted: list[Any]) -> list[Field]:
    """Return the fields a request for a new table describes, with ids and the properties the vendor fills in.

    Raises:
        InvalidFieldName, FieldNameDuplicated: a name is empty, or used twice.
        FieldTypeNotSupported: no such type, not for the first field, or not in this guise.
        TableIdNotFound: a link to a table that is not there.
        FieldValidationFailed: a colour out of range.
    """
    names = [each["field_name"].strip() for each in wanted]
    if not all(names):
        raise errors.InvalidFieldName("field_name is empty")
    if len(set(names)) < len(names):
        raise errors.FieldNameDuplicated
    kinds = [each["type"] for each in wanted]
    if kinds[0] not in PRIMARY_KINDS:
        raise errors.FieldTypeNotSupported(f"type {kinds[0]} cannot be the primary field")
    return [_definition(ep, app_token, each, index) for index, each in enumerate(wanted)]


def _definition(ep: Episode, app_token: str, wanted: Mapping[str, Any], index: int) -> Field:
    kind, guises = wanted["type"], UI_TYPES.get(wanted["type"])
    if guises is None:
        raise errors.FieldTypeNotSupported(f"type {kind} is not supported")
    ui_type = wanted.get("ui_type", guises[0])
    if ui_type not in guises:
        raise errors.FieldTypeNotSupported(f"ui_type {ui_type} does not fit type {int(kind)}")
    name, given = wanted["field_name"].strip(), wanted.get("property", {})
    known = _DEFAULTS.get(ui_type, {})
    made = known | {key: value for key, value in given.items() if key in known}
    if "options" in known:
        made["options"] = _options(ep, made["options"], f"table.fields[{index}].property.options")
    if "table_id" in known:
        made |= _linked_table(ep, app_token, given)
    text = wanted.get("description", {}).get("text")
    return Field(ep.new_id("field"), name, int(kind), ui_type, index == 0, made, text or None)


def _options(ep: Episode, wanted: list[Any], where: str) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for index, each in enumerate(wanted):
        color = each.get("color", made[-1]["color"] + 1 if made else 0)
        if "color" in each and not 0 <= color < COLORS:
            bound = "min value is 0" if color < 0 else f"max value is {COLORS - 1}"
            raise errors.FieldValidationFailed(f"{where}[{index}].color", f"the {bound}", value=str(color))
        made.append(option(ep, each.get("name", ""), int(color)))
    return made


def option(ep: Episode, name: str, color: int) -> dict[str, Any]:
    """Return a new option of a select field."""
    return {"color": color % COLORS, "id": ep.new_id("option"), "name": name}


def _linked_table(ep: Episode, app_token: str, given: Mapping[str, Any]) -> dict[str, str]:
    table = ep.db.one(
        "SELECT table_id, name FROM base_tables WHERE app_token = ? AND (table_id = ? OR (? IS NULL AND name = ?))",
        app_token,
        given.get("table_id"),
        given.get("table_id"),
        given.get("table_name"),
    )
    if table is None:
        raise errors.TableIdNotFound(f"the linked table {given.get('table_id') or given.get('table_name')} not found")
    return {"table_id": table["table_id"], "table_name": table["name"]}


def store(ep: Episode, table_id: str, field: Field, position: int) -> None:
    """Put a field into a table."""
    ep.db.insert(
        "base_fields",
        field_id=field.field_id,
        table_id=table_id,
        field_name=field.name,
        type=field.kind,
        ui_type=field.ui_type,
        is_primary=int(field.is_primary),
        position=position,
        property=json.dumps(field.properties, ensure_ascii=False) if field.properties else None,
        description=field.description,
    )
