"""Bases of a world's Lark: tables, fields, views and records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from farm.appkit import Row
from farm.appkit.world_spec import AppSpec, WorldError, as_json, require
from farm.appkit.world_spec.facts import plain

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


def base(spec: AppSpec, company: Company, said: dict[str, Any], written: dict[str, Any]) -> Iterator[Row]:
    """Yield a base with everything in it but the file row; ``written`` is its entry with references as they stand."""
    token = company.token(said["key"])
    yield {"table": "bases", "app_token": token, "time_zone": str(spec.world.zone)}
    for position, table in enumerate(said["tables"]):
        as_written = written["tables"][position]["records"] if written else table["records"]
        yield from _Table(spec, company, said["key"], table, as_written).rows(token, position)


def _is_day(field: dict[str, Any], cells: dict[str, Any], name: str) -> bool:
    return field["type"] == "date" and bool(cells.get(name))


class _Table:
    """One table of a base while its rows are made."""

    def __init__(
        self, spec: AppSpec, company: Company, base_key: str, said: dict[str, Any], written: list[list[Any]]
    ) -> None:
        self.spec, self.company, self.said, self.written = spec, company, said, written
        self.identity = (base_key, said["name"])
        self.where = f"lark/bases.toml: table '{said['name']}'"
        self.id = company.id("tbl{alnum:13}", "table", *self.identity)
        self.fields = {each["name"]: each for each in said["fields"]}
        self.now = int(spec.world.starts_at.timestamp()) * 1000

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
        made, edited = self._made_ms(), self._own_ms("edited")
        in_order = sorted(range(len(made)), key=lambda each: made[each])
        for number, each in enumerate(in_order, start=1):
            changed = max(made[each], edited.get(each) or self._told_ms(each))
            yield self._record(self.said["records"][each], each + 1, number, made[each], changed)

    def _own_ms(self, name: str) -> dict[int, int]:
        """Return the times that the table declares for records, by the record's place in it."""
        cells = [{plain(str(cell)) for cell in record} for record in self.said["records"]]
        found = dict[int, int]()
        for cell, at in self.said.get(name, {}).items():
            places = [place for place, each in enumerate(cells) if plain(cell) in each]
            if len(places) != 1:
                raise WorldError(f"{self.where}: {name}: {len(places)} records have a cell '{plain(cell)}'; name one")
            found[places[0]] = self.spec.second_ms(at, self.where, name, *self.identity, plain(cell))
        return found

    def _made_ms(self) -> list[int]:
        """Return when each record was made: on its first day that is past, or else in one sitting with the table."""
        first = self.spec.second_ms(self.said["at"], self.where, *self.identity)
        own, made, sittings = self._own_ms("made"), list[int](), dict[int, int]()
        for place, record in enumerate(self.said["records"]):
            if place in own:
                made.append(own[place])
                continue
            day = min(self._days_ms(record), default=first)
            filed = self.spec.number(1_200, 24_000, "filed", *self.identity, day) * 1000
            sitting = max(first, self._at_work(day + filed)) if day != first else first
            pause = self.spec.number(31, 420, "pause", *self.identity, place) * 1000
            at = sittings[sitting] + pause if sitting in sittings else sitting
            sittings[sitting] = at
            made.append(min(at, self.now - (len(self.said["records"]) - place) * 431_000))
        return made

    def _days_ms(self, record: list[Any]) -> list[int]:
        """Return the past days in a record's cells."""
        cells = dict(zip(self.fields, record, strict=False))
        days = [
            self.spec.ms(cells[name], self.where) for name, each in self.fields.items() if _is_day(each, cells, name)
        ]
        return [each for each in days if each < self.now]

    def _told_ms(self, place: int) -> int:
        """Return when a record was last edited at the earliest: some time after the last thing that it tells."""
        told = [int(each.timestamp()) * 1000 for each in self.spec.told_by(self.written[place])]
        last = max([*told, *self._days_ms(self.said["records"][place])], default=0)
        if not last:
            return 0
        after = self._at_work(last + self.spec.number(900, 9_000, "edited", *self.identity, place) * 1000)
        return min(after, self.now - 97_000 * (len(self.written) - place))

    def _at_work(self, at_ms: int) -> int:
        """Return a time at which people work, as early as possible: nobody fills in a base at night."""
        at = datetime.fromtimestamp(at_ms // 1000, self.spec.world.zone)
        if 9 <= at.hour < 19:
            return at_ms
        minute = self.spec.number(2, 51, "at work", *self.identity, at_ms)
        moved = at.replace(hour=9, minute=minute) + timedelta(days=at.hour >= 19)
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

    def _record(self, record: list[Any], place: int, number: int, created: int, modified: int) -> Row:
        where = f"{self.where}: record {place}"
        if len(record) != len(self.fields):
            raise WorldError(f"{where} has {len(record)} cells, and the table {len(self.fields)} fields")
        cells = zip(self.fields.values(), record, strict=True)
        filled = {self.field_id(field["name"]): self._cell(field, cell, where) for field, cell in cells if cell != ""}
        maker = self.company.open_id(self.said["by"], where)
        return {
            "table": "base_records",
            "record_id": self.company.id("rec{alnum:10}", "record", *self.identity, place),
            "table_id": self.id,
            "fields": _POINT.sub(r"\1", as_json(filled)),
            "number": number,
            "created_by": maker,
            "modified_by": maker,
            "created_at": created,
            "modified_at": modified,
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
