"""The types of properties: what a request may say of each in a schema, and how the schema is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from farm.appkit import Episode, Row

from . import errors
from .access import Access
from .json_columns import dump, load
from .request_validation import COLORS, RequestField, fault, refuse

Config = dict[str, Any]

_NAME_MAX, _OPTIONS_MAX = 100, 100
_PLAIN = (
    *("title", "rich_text", "url", "people", "files", "email", "phone_number", "date", "checkbox", "created_by"),
    *("created_time", "last_edited_by", "last_edited_time", "button", "place"),
)
# In the order in which the API tells which of them it wanted.
_TYPES = ("number", "formula", "select", "multi_select", "status", "relation", "rollup", "unique_id", *_PLAIN)
_WITH_OPTIONS = ("select", "multi_select", "status")
_NUMBER_FORMATS = (
    *("number", "number_with_commas", "percent", "dollar", "canadian_dollar", "euro", "pound", "yen", "ruble", "rupee"),
    *("won", "yuan", "real", "lira", "rupiah", "franc", "hong_kong_dollar", "new_zealand_dollar", "krona"),
    *("norwegian_krone", "mexican_peso", "rand", "new_taiwan_dollar", "danish_krone", "zloty", "baht", "forint"),
    *("koruna", "shekel", "chilean_peso", "philippine_peso", "dirham", "colombian_peso", "riyal", "ringgit", "leu"),
    *("argentine_peso", "uruguayan_peso", "singapore_dollar"),
)
FUNCTIONS = (
    *("count", "count_values", "empty", "not_empty", "unique", "show_unique", "percent_empty", "percent_not_empty"),
    *("sum", "average", "median", "min", "max", "range", "earliest_date", "latest_date", "date_range", "checked"),
    *("unchecked", "percent_checked", "percent_unchecked", "count_per_group", "percent_per_group", "show_original"),
)
_STATUSES = (("Not started", "default", "To-do"), ("In progress", "blue", "In progress"), ("Done", "green", "Complete"))
_GROUP_COLORS = {"To-do": "gray", "In progress": "blue", "Complete": "green"}


def list_properties(ep: Episode, source_id: str) -> list[Row]:
    """Return a data source's properties in the order in which the API shows them: by id."""
    rows = ep.db.all("SELECT * FROM properties WHERE data_source_id = ? ORDER BY id", source_id)
    return [{**row, "config": load(row["config"])} for row in rows]


def find_property(properties: list[Row], name: str) -> Row | None:
    """Return the property that goes by a name, or by an id, encoded or not."""
    named = (each for each in properties if each["name"] == name)
    by_id = (each for each in properties if name in (each["id"], quote(each["id"], safe="~")))
    return next(named, None) or next(by_id, None)


def public_id(row: Row) -> str:
    """Return a property's id as the API shows it."""
    return quote(row["id"], safe="~!*'()-._")


def schema_view(row: Row, *, is_old: bool = False) -> Config:
    """Return a property of a schema; the API of 2022 has no description, and names databases alone."""
    config = row["config"]
    if row["type"] == "relation" and is_old:
        config = {key: value for key, value in config.items() if key != "data_source_id"}
    head = {"id": public_id(row), "name": row["name"]}
    described = {} if is_old else {"description": row["description"]}
    if is_old and row["type"] in _WITH_OPTIONS:
        options = [{key: each[key] for key in ("id", "name", "color")} for each in config["options"]]
        config = {**config, "options": options}
    return {**head, **described, "type": row["type"], row["type"]: config}


class SchemaWriter:
    """Makes and changes the properties of one data source."""

    def __init__(self, ep: Episode, reach: Access, source_id: str, *, is_old: bool = False) -> None:
        self.ep, self.reach, self.source_id, self.is_old = ep, reach, source_id, is_old

    def check(self, schema: RequestField) -> str:
        """Return the type that a request wants a new property to have."""
        kinds = [kind for kind in _TYPES if kind in schema.a("object").value]
        if not kinds:
            raise refuse(*(fault(f"{schema.path}.{kind}", "defined") for kind in _TYPES))
        if "type" in schema.value:
            schema.at("type").one_of((kinds[0],))
        schema.only("type", "name", "description", kinds[0])
        schema.at(kinds[0]).a("object")
        return kinds[0]

    def create(self, name: str, schema: RequestField) -> Row:
        """Store a new property."""
        kind = self.check(schema)
        property_id = "title" if kind == "title" else self.ep.new_id("property")
        described = schema.at("description")
        self.ep.db.insert(
            "properties",
            data_source_id=self.source_id,
            id=property_id,
            name=name,
            type=kind,
            config="{}",
            description=described.value if described.is_there else None,
        )
        # A relation to the same data source, or a rollup over it, finds the property itself.
        config = self.read(kind, schema.at(kind), name, property_id)
        key = {"data_source_id": self.source_id, "id": property_id}
        self.ep.db.update("properties", key, config=dump(config))
        return {**key, "name": name, "type": kind, "config": config, "description": None}

    def read(self, kind: str, config: RequestField, name: str, property_id: str, old: Config | None = None) -> Config:
        """Return what is kept of a property's configuration."""
        if kind in ("select", "multi_select"):
            return {"options": self._options(kind, config, (old or {}).get("options", []))}
        if kind == "status":
            return (old or self._statuses()) if self.is_old else self._status(config, old)
        if kind == "number":
            form = config.at("format")
            return {"format": form.one_of(_NUMBER_FORMATS).value if form.is_there else "number"}
        if kind == "formula":
            return {"expression": config.at("expression").a("string").value}
        if kind == "unique_id":
            prefix = config.at("prefix")
            return {"prefix": prefix.value if prefix.is_there else None}
        if kind == "relation":
            return self._relation(config, name, property_id)
        if kind == "rollup":
            return self._rollup(config)
        return {}

    def _options(self, kind: str, config: RequestField, old: list[Config]) -> list[Config]:
        """Return the options that a request wants a property to have.

        The list it sends stands for the whole: what it leaves out is gone. Of options that are there it can change
        neither the color, which is refused, nor the name, which goes unheard.
        """
        options = config.at("options")
        if not options.is_there:
            return old
        made: list[Config] = []
        for each in options.a("array").most(_OPTIONS_MAX).items():
            each.a("object").only("id", "name", "color", "description")
            known = next((option for option in old if self._is_same(each, option)), None)
            name = each.at("name")
            if known is None or name.is_there:
                option_name(name, kind)
            color = each.at("color").one_of(COLORS).value if "color" in each.value else None
            if known is not None and color not in (None, known["color"]):
                by = "id" if "id" in each.value else "name"
                raise errors.Invalid(f"Cannot update color of select with {by}: {each.value[by]}")
            option = known or {
                "id": self.ep.new_id("option"),
                "name": name.value,
                "color": color or self._color(name.value),
                "description": None,
            }
            if any(option["name"].lower() == other["name"].lower() for other in made):
                raise errors.Invalid(f"{each.path}: Select option names must be unique.")
            made.append(option)
        return made

    @staticmethod
    def _is_same(sent: RequestField, option: Config) -> bool:
        if "id" in sent.value:
            return bool(sent.value["id"] == option["id"])
        return bool(sent.value.get("name") == option["name"])

    def _color(self, name: Any) -> str:
        return COLORS[self.ep.hash("color", self.source_id, name) % len(COLORS)]

    def _status(self, config: RequestField, old: Config | None) -> Config:
        """Return the options of a status and their groups, which no request can change: new ones are to do."""
        if not config.at("options").is_there:
            return old or self._statuses()
        groups = (old or self._statuses())["groups"]
        options = self._options("status", config, (old or {}).get("options", []))
        ids = [each["id"] for each in options]
        placed = {each for group in groups for each in group["option_ids"]}
        return {
            "options": options,
            "groups": [
                {
                    **group,
                    "option_ids": [
                        each for each in ids if each in group["option_ids"] or (number == 0 and each not in placed)
                    ],
                }
                for number, group in enumerate(groups)
            ],
        }

    def _statuses(self) -> Config:
        options = [
            {"id": self.ep.new_id("option"), "name": name, "color": color, "description": None}
            for name, color, _ in _STATUSES
        ]
        groups = [
            {"id": self.ep.new_id("option"), "name": group, "color": _GROUP_COLORS[group], "option_ids": [each["id"]]}
            for each, (_, _, group) in zip(options, _STATUSES, strict=True)
        ]
        return {"options": options, "groups": groups}

    def _relation(self, config: RequestField, name: str, property_id: str) -> Config:
        source = self._related(config)
        ids = {"database_id": source["database_id"], "data_source_id": source["id"]}
        if "dual_property" not in config.value:
            if "single_property" not in config.value and "type" not in config.value:
                raise refuse(
                    fault(f"{config.path}.single_property", "defined"), fault(f"{config.path}.dual_property", "defined")
                )
            return {**ids, "type": "single_property", "single_property": {}}
        other = self.ep.new_id("property")
        own = self.ep.db.one("SELECT title FROM data_sources WHERE id = ?", self.source_id)
        title = "".join(each["plain_text"] for each in load(own["title"])) if own else ""
        synced = f"Related to {title} ({name})"
        back = {"synced_property_name": name, "synced_property_id": property_id}
        here = self.ep.db.one("SELECT database_id FROM data_sources WHERE id = ?", self.source_id)
        self.ep.db.insert(
            "properties",
            data_source_id=source["id"],
            id=other,
            name=synced,
            type="relation",
            config=dump(
                {
                    "database_id": here["database_id"] if here else None,
                    "data_source_id": self.source_id,
                    "type": "dual_property",
                    "dual_property": back,
                }
            ),
        )
        dual = {"synced_property_name": synced, "synced_property_id": other}
        return {**ids, "type": "dual_property", "dual_property": dual}

    def _related(self, config: RequestField) -> Row:
        key = "database_id" if self.is_old else "data_source_id"
        wanted = config.at(key).uuid()
        if self.is_old:
            found = self.reach.find("databases", wanted)
            sql = "SELECT * FROM data_sources WHERE database_id = ? ORDER BY position LIMIT 1"
            row = self.ep.db.one(sql, wanted) if found else None
        else:
            row = self.reach.find("data_sources", wanted)
        if row is None:
            raise self.reach.missing(key.removesuffix("_id"), wanted)
        return row

    def _rollup(self, config: RequestField) -> Config:
        function = config.at("function").one_of(FUNCTIONS).value
        own = list_properties(self.ep, self.source_id)
        relation = self._named(config, "relation_property", own)
        if relation["type"] != "relation":
            raise errors.Invalid(f"{relation['name']} is expected to be relation.")
        target = list_properties(self.ep, relation["config"]["data_source_id"])
        rolled = self._named(config, "rollup_property", target)
        return {
            "rollup_property_name": rolled["name"],
            "relation_property_name": relation["name"],
            "rollup_property_id": rolled["id"],
            "relation_property_id": relation["id"],
            "function": function,
        }

    @staticmethod
    def _named(config: RequestField, what: str, among: list[Row]) -> Row:
        keys = [key for key in (f"{what}_name", f"{what}_id") if key in config.value]
        if not keys:
            raise refuse(*(fault(f"{config.path}.{what}_{each}", "defined") for each in ("name", "id")))
        wanted = config.at(keys[0]).a("string").value
        found = find_property(among, wanted)
        if found is None:
            raise errors.Invalid(f"Could not find property with name or id: {wanted}")
        return found


def option_name(name: RequestField, kind: str = "select") -> str:
    """Return the name of an option of a type, or refuse what cannot be one."""
    text = str(name.a("string").most(_NAME_MAX).value)
    if "," in text:
        raise errors.Invalid(f"Invalid {kind} option, commas not allowed: {text}")
    if not text:
        raise name.fault("populated")
    return text


def option_by(options: list[Config], wanted: Mapping[str, Any]) -> Config | None:
    """Return the option that a value names, by id before name."""
    if "id" in wanted:
        return next((each for each in options if each["id"] == wanted["id"]), None)
    return next((each for each in options if each["name"] == wanted.get("name")), None)
