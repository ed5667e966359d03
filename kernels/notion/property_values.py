"""The values of properties: what a request may write, and how a page shows what it holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from farm.appkit import Episode, Row

from . import errors
from .access import Access
from .formula_values import Page
from .formulas import LAYERS_MAX, NESTING_MAX, NOTHING, Formula, evaluate, read_formula
from .json_columns import dump, load
from .property_types import find_property, list_properties, option_by, option_name, public_id
from .request_validation import COLORS, RequestField, fault, refuse
from .rich_texts import read_rich_text
from .rollups import roll_up
from .times import date_value, minute
from .users import user_of

Value = dict[str, Any]

_URL_MAX, _MAIL_MAX, _MANY_MAX, _RELATED_SHOWN = 2000, 200, 100, 25
# In the order in which the API tells which of them it wanted.
_WRITABLE = (
    *("title", "rich_text", "number", "url", "select", "multi_select", "people", "email", "phone_number", "date"),
    *("checkbox", "relation", "files", "status"),
)
# What may ask for another page in turn.
_ASKING = ("formula", "rollup")
_EMPTY: Mapping[str, Any] = {
    **{kind: [] for kind in ("title", "rich_text", "multi_select", "people", "files", "relation")},
    "checkbox": False,
}


# -- writing ----------------------------------------------------------------------------------------------------------


def match_properties(sent: RequestField, properties: list[Row]) -> list[tuple[Row, RequestField]]:
    """Return the properties that a request writes, with what it writes there.

    Raises:
        Invalid: a property does not exist, is of another type, or what is written has no type.
    """
    found: list[tuple[Row, RequestField]] = []
    faults: list[str] = []
    for name in sent.a("object").value:
        place = sent.at(name)
        row = find_property(properties, name)
        kind = _kind(place, row)
        if row is None:
            faults.append(f"{name} is not a property that exists.")
        elif kind != row["type"]:
            faults.append(f"{row['name']} is expected to be {row['type']}.")
        else:
            value = place.at(kind) if _is_whole(place, kind) else place
            found.append((row, value))
    if faults:
        raise errors.Invalid(" ".join(faults))
    return found


def _is_whole(place: RequestField, kind: str) -> bool:
    return type(place.value) is dict and kind in place.value


def _kind(place: RequestField, row: Row | None) -> str:
    """Return the type of what is written: the one it names, or where it is a bare value the property's."""
    if type(place.value) is dict:
        named = next((each for each in _WRITABLE if each in place.value), None)
        if named is not None:
            if "type" in place.value:
                place.at("type").one_of((named,))
            place.only("id", "name", "type", named)
            _require_shape(place, named)
            return named
        if not {"id", "name", "start"} & place.value.keys() or "type" in place.value:
            raise refuse(*(fault(f"{place.path}.{each}", "defined") for each in _WRITABLE))
    if row is None or row["type"] not in _WRITABLE:
        raise refuse(*(fault(f"{place.path}.{each}", "defined") for each in _WRITABLE))
    return str(row["type"])


def _require_shape(place: RequestField, kind: str) -> None:
    """Refuse a value that is not even of the form of its type; what the other types want is told then, too."""
    value = place.value[kind]
    expected, fits = _SHAPES[kind]
    if fits(value):
        return
    if value == "":
        expected = "populated or `null`"
    raise refuse(
        *(
            fault(f"{place.path}.{each}", expected, value) if each == kind else fault(f"{place.path}.{each}", "defined")
            for each in _WRITABLE
        )
    )


def _is_number(value: Any) -> bool:
    return value is None or type(value) in (int, float)


def _is_filled(value: Any) -> bool:
    return value is None or (type(value) is str and value != "")


def _is_object(value: Any) -> bool:
    return value is None or type(value) is dict


_SHAPES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(
        ("title", "rich_text", "multi_select", "people", "relation", "files"),
        ("an array", lambda value: type(value) is list),
    ),
    **dict.fromkeys(("url", "email", "phone_number"), ("a string or `null`", _is_filled)),
    **dict.fromkeys(("select", "status", "date"), ("an object or `null`", _is_object)),
    "number": ("a number or `null`", _is_number),
    "checkbox": ("a boolean", lambda value: type(value) is bool),
}


class ValueWriter:
    """Writes what a request says of one page's properties."""

    def __init__(self, ep: Episode, reach: Access, page: Row) -> None:
        self.ep, self.reach, self.page = ep, reach, page

    def write(self, row: Row, value: RequestField) -> None:
        """Store one value."""
        read = read_value(self.ep, self.reach, row, value)
        if row["type"] == "title":
            self.ep.db.update("pages", {"id": self.page["id"]}, title=dump(read))
            return
        if row["type"] == "relation":
            self._relate(row, read)
        self._store(self.page["id"], row["id"], read, row["type"])

    def _store(self, page_id: str, property_id: str, value: Any, kind: str) -> None:
        key = {"page_id": page_id, "property_id": property_id}
        if value is None or value == _EMPTY.get(kind, None):
            self.ep.db.delete("cells", **key)
        elif not self.ep.db.update("cells", key, value=dump(value)):
            self.ep.db.insert("cells", **key, value=dump(value))

    def _relate(self, row: Row, value: list[Value]) -> None:
        """Keep the other side of a relation that has one."""
        dual = row["config"].get("dual_property")
        if not dual:
            return
        other, own = dual["synced_property_id"], self.page["id"]
        sql = "SELECT value FROM cells WHERE page_id = ? AND property_id = ?"
        before = {each["id"] for each in load(self.ep.db.scalar(sql, own, row["id"])) or []}
        after = {each["id"] for each in value}
        for page_id in sorted(before ^ after):
            held = [each for each in load(self.ep.db.scalar(sql, page_id, other)) or [] if each["id"] != own]
            self._store(page_id, other, [*held, {"id": own}] if page_id in after else held, "relation")


def read_value(ep: Episode, reach: Access, row: Row, value: RequestField) -> Any:
    """Return what is kept of a written value; None and what stands for nothing empty it.

    Raises:
        Invalid: it is none of the type.
    """
    return _READERS[row["type"]](ep, reach, row, value)


def _text(ep: Episode, reach: Access, row: Row, value: RequestField) -> Any:
    return read_rich_text(ep, value)


def _number(ep: Episode, reach: Access, row: Row, value: RequestField) -> Any:
    if value.value is None:
        return None
    number = value.a("number").value
    return int(number) if abs(number) < 2**53 and number == int(number) else number


def _checkbox(ep: Episode, reach: Access, row: Row, value: RequestField) -> Any:
    return value.a("boolean").value


def _link(most: int) -> Callable[[Episode, Access, Row, RequestField], Any]:
    def read(ep: Episode, reach: Access, row: Row, value: RequestField) -> Any:
        if value.value is None:
            return None
        text = value.a("string").most(most).value
        if not text:
            raise value.fault("populated", "`null`")
        return text

    return read


def _select(ep: Episode, reach: Access, row: Row, value: RequestField) -> Any:
    return None if value.value is None else _option(ep, row, value)


def _multi_select(ep: Episode, reach: Access, row: Row, value: RequestField) -> Any:
    chosen = [_option(ep, row, each) for each in value.a("array").most(_MANY_MAX).items()]
    return list({each["id"]: each for each in chosen}.values())


def _option(ep: Episode, row: Row, value: RequestField) -> Value:
    """Return the option that is chosen; one that was not there is made, but for a status."""
    value.a("object").only("id", "name", "color", "description")
    if "id" not in value.value and "name" not in value.value:
        raise refuse(fault(f"{value.path}.id", "defined"), fault(f"{value.path}.name", "defined"))
    if "id" not in value.value and value.value["name"] == "":
        raise refuse(fault(f"{value.path}.id", "defined"), fault(f"{value.path}.name", "populated", ""))
    options = row["config"]["options"]
    found = option_by(options, value.value)
    if found is None and "id" in value.value:
        raise errors.Invalid(f'Select option with id "{value.value["id"]}" does not exist.')
    if found is None:
        if row["type"] == "status":
            name = value.at("name").a("string").value
            raise errors.Invalid(f'Invalid status option. Status option "{name}" does not exist".')
        name = option_name(value.at("name"), row["type"])
        color = value.value.get("color") or COLORS[ep.hash("color", row["data_source_id"], name) % len(COLORS)]
        found = {"id": ep.new_id("option"), "name": name, "color": color, "description": None}
        options.append(found)
        key = {"data_source_id": row["data_source_id"], "id": row["id"]}
        ep.db.update("properties", key, config=dump(row["config"]))
    return {"id": found["id"], "name": found["name"]}


def _date(ep: Episode, reach: Access, row: Row, value: RequestField) -> Any:
    return None if value.value is None else date_value(value)


def _people(ep: Episode, reach: Access, row: Row, value: RequestField) -> Any:
    ids = [each.a("object").at("id").uuid() for each in value.a("array").most(_MANY_MAX).items()]
    for user_id in ids:
        sql = "SELECT 1 FROM users WHERE id = ? AND workspace_id = ?"
        if ep.db.scalar(sql, user_id, reach.bot["workspace_id"]) is None:
            raise errors.UserNotFound(id=user_id)
    return [{"id": user_id} for user_id in dict.fromkeys(ids)]


def _relation(ep: Episode, reach: Access, row: Row, value: RequestField) -> Any:
    ids = [each.a("object").at("id").uuid() for each in value.a("array").most(_MANY_MAX).items()]
    for page_id in ids:
        page = reach.require("page", page_id)
        if page["parent_id"] != row["config"]["data_source_id"]:
            raise errors.Invalid(f"Page with ID {page_id} is not in the data source that {row['name']} relates to.")
    return [{"id": page_id} for page_id in dict.fromkeys(ids)]


def _files(ep: Episode, reach: Access, row: Row, value: RequestField) -> Any:
    files = []
    for each in value.a("array").most(_MANY_MAX).items():
        name = each.a("object").at("name").a("string").most(100).value
        url = each.at("external").a("object").at("url").a("string").most(_URL_MAX).value
        files.append({"name": name, "type": "external", "external": {"url": url}})
    return files


_READERS: Mapping[str, Callable[[Episode, Access, Row, RequestField], Any]] = {
    "title": _text,
    "rich_text": _text,
    "number": _number,
    "checkbox": _checkbox,
    "select": _select,
    "status": _select,
    "multi_select": _multi_select,
    "date": _date,
    "url": _link(_URL_MAX),
    "email": _link(_MAIL_MAX),
    "phone_number": _link(_MAIL_MAX),
    "people": _people,
    "relation": _relation,
    "files": _files,
}


# -- showing ----------------------------------------------------------------------------------------------------------


class PageValues:
    """Shows the properties of pages of one data source, and compares them."""

    def __init__(self, ep: Episode, properties: list[Row]) -> None:
        self.ep, self.properties = ep, properties
        self._formulas: dict[str, Formula | None] = {}
        # The formulas that are being reckoned for one page, and what those that they asked for came to.
        self._open: dict[str, int] = {}
        self._reckoned: dict[str, Value] = {}
        self._rolled: dict[str, Row | None] = {}
        # Of related pages, by their data source.
        self._sources: dict[str, PageValues] = {}

    def view(self, page: Row, cells: Mapping[str, str]) -> Value:
        """Return a page's properties by name."""
        shown = {}
        for row in self.properties:
            value, more = self.value(row, page, cells), {}
            if row["type"] == "relation":
                more = {"has_more": len(value) > _RELATED_SHOWN}
                value = value[:_RELATED_SHOWN]
            shown[row["name"]] = {"id": public_id(row), "type": row["type"], row["type"]: value, **more}
        return shown

    def value(self, row: Row, page: Row, cells: Mapping[str, str]) -> Any:
        """Return what a page holds in one property, as the API shows it."""
        kind = row["type"]
        if kind in _COMPUTED:
            return _COMPUTED[kind](self, row, page, cells)
        held = load(cells.get(row["id"]))
        if held is None:
            return _EMPTY.get(kind)
        if kind in ("select", "status"):
            return self._option(row, held)
        if kind == "multi_select":
            return [shown for each in held if (shown := self._option(row, each)) is not None]
        if kind == "people":
            return [user_of(self.ep, each["id"]) for each in held]
        return held

    @staticmethod
    def _option(row: Row, held: Value) -> Value | None:
        found = next((each for each in row["config"]["options"] if each["id"] == held["id"]), None)
        return None if found is None else {key: found[key] for key in ("id", "name", "color")}

    def _formula(self, row: Row, page: Row, cells: Mapping[str, str]) -> Value:
        """Reckon a formula, and each that it asks for but once; what asks for itself comes to nothing."""
        key = row["id"]
        if key not in self._formulas:
            self._formulas[key] = read_formula(row["config"]["expression"])
        formula = self._formulas[key]
        if key in self._reckoned:
            return self._reckoned[key]
        is_deep = len(self._open) >= LAYERS_MAX or (
            formula is not None and sum(self._open.values()) + formula.depth > NESTING_MAX
        )
        if formula is None or key in self._open or is_deep:
            return {**NOTHING}

        self._open[key] = formula.depth
        try:
            shown = evaluate(formula, self._page(page, cells), self._related, self.ep.now.astimezone(self.ep.zone))
        finally:
            del self._open[key]
            if not self._open:
                self._reckoned.clear()
        if self._open:
            self._reckoned[key] = shown
        return shown

    def _page(self, page: Row, cells: Mapping[str, str]) -> Page:
        """Return a page as formulas see one."""

        def look(name: str) -> tuple[str, Any]:
            named = find_property(self.properties, name)
            return ("none", None) if named is None else (named["type"], self.value(named, page, cells))

        return Page(page["id"], "".join(each["plain_text"] for each in load(page["title"]) or ()), look)

    def _related(self, page_id: str) -> Page | None:
        """Return a page of a relation; its own formulas and rollups show nothing, as one could ask for another."""
        page = self.ep.db.one("SELECT * FROM pages WHERE id = ? AND in_trash = 0", page_id)
        if page is None or page["parent_type"] != "data_source_id":
            return None
        if page["parent_id"] not in self._sources:
            kept = [each for each in list_properties(self.ep, page["parent_id"]) if each["type"] not in _ASKING]
            self._sources[page["parent_id"]] = PageValues(self.ep, kept)
        return self._sources[page["parent_id"]]._page(page, cells_of(self.ep, page_id))

    def _rollup(self, row: Row, page: Row, cells: Mapping[str, str]) -> Value:
        config = row["config"]
        related = load(cells.get(config["relation_property_id"])) or []
        rolled = self.rolled(row)
        held = []
        for each in related if rolled is not None else []:
            target = self.ep.db.one("SELECT * FROM pages WHERE id = ? AND in_trash = 0", each["id"])
            if rolled is not None and target is not None and target["parent_id"] == rolled["data_source_id"]:
                value = PageValues(self.ep, [rolled]).value(rolled, target, cells_of(self.ep, target["id"]))
                held.append({"type": rolled["type"], rolled["type"]: value})
        return roll_up(config["function"], held)

    def rolled(self, row: Row) -> Row | None:
        """Return the property of the related pages that a rollup is over, or None where there is none any more.

        What is computed is not computed on, as FIDELITY.md says.
        """
        if row["id"] not in self._rolled:
            config = row["config"]
            relation = next((each for each in self.properties if each["id"] == config["relation_property_id"]), None)
            source_id = None if relation is None else relation["config"].get("data_source_id")
            sql = "SELECT * FROM properties WHERE data_source_id = ? AND id = ?"
            found = self.ep.db.one(sql, source_id, config["rollup_property_id"])
            if found is not None:
                found = None if found["type"] in ("rollup", "formula") else {**found, "config": load(found["config"])}
            self._rolled[row["id"]] = found
        return self._rolled[row["id"]]


_COMPUTED: Mapping[str, Callable[[PageValues, Row, Row, Mapping[str, str]], Any]] = {
    "title": lambda values, row, page, cells: load(page["title"]),
    "created_time": lambda values, row, page, cells: minute(page["created_ms"]),
    "last_edited_time": lambda values, row, page, cells: minute(page["edited_ms"]),
    "created_by": lambda values, row, page, cells: user_of(values.ep, page["created_by"]),
    "last_edited_by": lambda values, row, page, cells: user_of(values.ep, page["edited_by"]),
    "unique_id": lambda values, row, page, cells: {"prefix": row["config"]["prefix"], "number": page["number"]},
    "button": lambda values, row, page, cells: {},
    "formula": lambda values, row, page, cells: values._formula(row, page, cells),
    "rollup": lambda values, row, page, cells: values._rollup(row, page, cells),
}


def cells_of(ep: Episode, page_id: str) -> dict[str, str]:
    """Return what stands in one page's cells, by property."""
    rows = ep.db.all("SELECT property_id, value FROM cells WHERE page_id = ? ORDER BY property_id", page_id)
    return {row["property_id"]: row["value"] for row in rows}
