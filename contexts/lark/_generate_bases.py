"""Bases of a world's Lark: tables, fields, views and records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from farm.appkit import Row
from farm.appkit.world_spec import AppSpec, WorldError, as_json, require

from ._generate_people import Company

# What bases.toml calls a type → the vendor's number and the name of its look.
TYPES = {
    "text": (1, "Text"),
    "number": (2, "Number"),
    "currency": (2, "Currency"),
    "progress": (2, "Progress"),
    "select": (3, "SingleSelect"),
    "multi": (4, "MultiSelect"),
    "date": (5, "DateTime"),
    "checkbox": (7, "Checkbox"),
    "person": (11, "User"),
    "phone": (13, "Phone"),
    "url": (15, "Url"),
}
_POINT = re.compile(r'"(\{\{ms:[^{}]*\}\})"')
_FORMATS: dict[str, dict[str, Any]] = {
    "number": {"formatter": "0.##"},
    "currency": {"formatter": "0.00", "currency_code": "CNY"},
    "progress": {"formatter": "0%", "range_customize": False},
    "date": {"auto_fill": False, "date_formatter": "yyyy/MM/dd"},
    "person": {"multiple": True},
}


def base(spec: AppSpec, company: Company, said: dict[str, Any]) -> Iterator[Row]:
    """Yield a base with everything in it but the file row."""
    token = company.token(said["key"])
    yield {"table": "bases", "app_token": token, "time_zone": str(spec.world.zone)}
    for position, table in enumerate(said["tables"]):
        yield from _Table(spec, company, said["key"], table).rows(token, position)


class _Table:
    """One table of a base while its rows are made."""

    def __init__(self, spec: AppSpec, company: Company, base_key: str, said: dict[str, Any]) -> None:
        self.spec, self.company, self.said = spec, company, said
        self.identity = (base_key, said["name"])
        self.where = f"lark/bases.toml: table '{said['name']}'"
        self.id = company.id("tbl{alnum:13}", "table", *self.identity)
        self.fields = {each["name"]: each for each in said["fields"]}

    def field_id(self, name: str) -> str:
        require("field", name, self.fields, self.where)
        return self.company.id("fld{alnum:7}", "field", *self.identity, name)

    def rows(self, token: str, position: int) -> Iterator[Row]:
        yield {
            "table": "base_tables",
            "table_id": self.id,
            "app_token": token,
            "name": self.said["name"],
            "position": position,
            "revision": self.spec.number(20, 300, "table", *self.identity),
            "last_number": len(self.said["records"]),
        }
        for each, view in enumerate(self.said["views"]):
            yield self._view(view, each)
        for each, field in enumerate(self.said["fields"]):
            yield self._field(field, each)
        made = self._made_ms()
        for number, record in enumerate(self.said["records"], start=1):
            yield self._record(record, number, made[number - 1])

    def _made_ms(self) -> list[int]:
        """Return when each record was made: over the time since the first, and not before a past date in it."""
        first = self.spec.second_ms(self.said["at"], self.where, *self.identity)
        now = int(self.spec.world.starts_at.timestamp()) * 1000
        records, dates = self.said["records"], [name for name, each in self.fields.items() if each["type"] == "date"]
        slot, made = (now - first) // (len(records) + 1), list[int]()
        for number, record in enumerate(records):
            cells = dict(zip(self.fields, record, strict=False))
            told = [self.spec.ms(cells[name], self.where) for name in dates if cells.get(name)]
            later = self.spec.number(0, max(1, slot // 2000), "later", *self.identity, number) if number else 0
            filed = self.spec.number(1_200, 24_000, "filed", *self.identity, number) * 1000
            earliest = [first + number * slot + later * 1000, *(each + filed for each in told if each < now)]
            at = self._at_work(max(earliest), number) if number else first
            pause = self.spec.number(140, 2_700, "pause", *self.identity, number) * 1000
            at = max(at, made[-1] + pause) if made else at
            made.append(min(at, now - (len(records) - number) * 431_000))
        return made

    def _at_work(self, at_ms: int, number: int) -> int:
        """Return a time of the same day at which people work: nobody fills in a base at night."""
        at = datetime.fromtimestamp(at_ms // 1000, self.spec.world.zone)
        if 9 <= at.hour < 19:
            return at_ms
        minute = self.spec.number(2, 51, "at work", *self.identity, number)
        moved = at.replace(hour=9 if at.hour < 9 else 18, minute=minute)
        return int(moved.timestamp()) * 1000

    def _field(self, field: dict[str, Any], position: int) -> Row:
        number, look = require("field type", field["type"], TYPES, self.where)
        options = [
            {"id": self.company.id("opt{alnum:7}", "option", *self.identity, field["name"], name), "name": name}
            for name in field.get("options", [])
        ]
        shown = {"options": [{**each, "color": color} for color, each in enumerate(options)]} if options else None
        made = shown or _FORMATS.get(field["type"])
        return {
            "table": "base_fields",
            "field_id": self.field_id(field["name"]),
            "table_id": self.id,
            "field_name": field["name"],
            "type": number,
            "ui_type": look,
            "is_primary": int(position == 0),
            "position": position,
            "property": as_json(made) if made else None,
        }

    def _view(self, view: dict[str, Any], position: int) -> Row:
        made: dict[str, Any] = {}
        if "where" in view:
            name, operator, value = view["where"]
            condition = {"field_id": self.field_id(name), "operator": operator, "value": [value]}
            made["filter"] = {"conjunction": "and", "conditions": [condition]}
        if "sort" in view:
            made["sort"] = [{"field_id": self.field_id(view["sort"]), "desc": False}]
        return {
            "table": "base_views",
            "view_id": self.company.id("vew{alnum:7}", "view", *self.identity, view["name"]),
            "table_id": self.id,
            "view_name": view["name"],
            "view_type": view.get("type", "grid"),
            "position": position,
            "property": as_json(made) if made else None,
        }

    def _record(self, record: list[Any], number: int, created: int) -> Row:
        where = f"{self.where}: record {number}"
        if len(record) != len(self.fields):
            raise WorldError(f"{where} has {len(record)} cells, and the table {len(self.fields)} fields")
        cells = zip(self.fields.values(), record, strict=True)
        filled = {self.field_id(field["name"]): self._cell(field, cell, where) for field, cell in cells if cell != ""}
        maker = self.company.open_id(self.said["by"], where)
        return {
            "table": "base_records",
            "record_id": self.company.id("rec{alnum:10}", "record", *self.identity, number),
            "table_id": self.id,
            "fields": _POINT.sub(r"\1", as_json(filled)),
            "number": number,
            "created_by": maker,
            "modified_by": maker,
            "created_at": created,
            "modified_at": created,
        }

    def _cell(self, field: dict[str, Any], cell: Any, where: str) -> Any:
        """Return a cell as the context stores it; a date is a placeholder, so that it moves with the world.

        The build puts a number in its place, which is why ``_record`` takes the quotes off.
        """
        kind = field["type"]
        named = [cell] if kind == "select" else str(cell).split() if kind == "multi" else []
        for name in named:
            require("option", name, dict.fromkeys(field["options"]), f"{where}, {field['name']}")
        if kind == "multi":
            return named
        if kind == "date":
            self.spec.at(cell, where)
            return f"{{{{ms:{cell}}}}}"
        if kind == "person":
            return [{"id": self.company.open_id(key, where)} for key in cell.split()]
        if kind == "text":
            return self.company.show(cell, where)
        return cell
