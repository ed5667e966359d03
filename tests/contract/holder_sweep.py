"""A sweep as one account holder: every private row gets words of its own, and every reading tool is asked for them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Any

from farm import content
from farm.testing import LocalApp
from tests.contract.private_rows import known_of, rules_of
from tests.contract.private_rows.rules import Rule

READS = re.compile(r"list|get|read|search|find|check|retrieve|query|inspect|open_|profile|history|message_list", re.I)
WRITES = re.compile(
    r"create|update|delete|send|post_|publish|import|export|append|patch|put_|add_|remove|set_|edit", re.I
)
ID = re.compile(r"(id|ids|key|token|guid|ts|path|uid|username|name|number|email|address|filepath|to|dir|target)$", re.I)
PAGING = re.compile(r"page|sync|cursor|offset|uuid|_type|user_id_type|zone|version", re.I)
QUERY = re.compile(r"query|keyword|search|filter|q$|tag", re.I)
# The first word is what a search asks for; only the second counts as seen, for tools echo what they were asked.
MARKER = re.compile(r"zqb(\d+)x")
TIMES = {"time_min": "2026-03-01T00:00:00+08:00", "time_max": "2026-04-10T00:00:00+08:00"}
TEXT_KEYS = ("plain_text", "text", "content", "title", "name", "from", "subject")
# Behind them nobody is logged in any more, and everything is refused.
LOGS_OUT = ("delete_cookies", "setup_email_account", "configure_email_server")


@dataclass
class Planted:
    """What the private rows of one context say after planting.

    Attributes:
        readers: number of a row → the accounts that may read it.
        places: number of a row → its table and column.
        keys: number of a row → its table and its key.
        contexts: per private row, name of a column → value, of what may be an id, and ``zq`` → the word to search for.
    """

    readers: dict[int, set[str]] = field(default_factory=dict)
    places: dict[int, str] = field(default_factory=dict)
    keys: dict[int, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    contexts: list[dict[str, Any]] = field(default_factory=list)


def plant(app: LocalApp, name: str, most: int) -> Planted:
    """Put two words of its own into the text of up to ``most`` private rows of each rule, spread over the table."""
    planted = Planted()
    for rule in rules_of(name):
        rows = [row for row in _private_rows(app, rule) if _with_words(row[rule.column], "")]
        for row in rows[:: max(1, len(rows) // most)]:
            number = len(planted.readers) + 1
            text = _with_words(row[rule.column], f" zqa{number}x zqb{number}x")
            if text is None:
                continue
            readers = {str(each) for each in json.loads(row.pop("zq readers"))}
            key = {each: row[each] for each in _keys(app, rule.table)}
            app.episode.db.update(rule.table, key, **{rule.column: text})
            planted.readers[number], planted.places[number] = readers, f"{rule.table}.{rule.column} of {key}"
            ids = {each: value for each, value in row.items() if ID.search(each) and _is_asked_for(value)}
            planted.contexts.append({**known_of(name, app.episode, row), **ids, "zq": f"zqa{number}x"})
            planted.keys[number] = (rule.table, key)
    return planted


def _is_asked_for(value: Any) -> bool:
    """Whether an argument may have a value: one with planted words in it would be seen in every tool that echoes it."""
    return isinstance(value, str | int) and value != "" and "zq" not in str(value)


def _keys(app: LocalApp, table: str) -> list[str]:
    """Return the columns of a table's key."""
    return [str(row["name"]) for row in app.episode.db.all(f"SELECT name FROM pragma_table_info('{table}') WHERE pk")]


def _private_rows(app: LocalApp, rule: Rule) -> list[dict[str, Any]]:
    keys = ", ".join(_keys(app, rule.table))
    listed = f"SELECT NULL AS reader WHERE 0 UNION {rule.readers}"
    readers = f"(SELECT json_group_array(reader) FROM ({listed}))"
    sql = f'SELECT r.*, {readers} AS "zq readers" FROM {rule.table} r WHERE {rule.where} ORDER BY {keys}'
    return [dict(row) for row in app.episode.db.all(sql)]


def _with_words(text: Any, words: str) -> str | None:
    """Return a text, or the first text that people read inside of JSON, with more words; None if there is none."""
    if text is None:
        return None
    if not str(text).startswith(("{", "[")):
        return f"{text}{words}"
    try:
        value = json.loads(text)
    except ValueError:
        return f"{text}{words}"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if _plant_in(value, words) else None


def _plant_in(value: Any, words: str) -> bool:
    if isinstance(value, dict):
        own = [key for key in TEXT_KEYS if isinstance(value.get(key), str)]
        for key in own:
            value[key] += words
        if own:
            nested = value.get("text")
            if isinstance(nested, dict) and isinstance(nested.get("content"), str):
                nested["content"] += words
            return True
        for key, each in value.items():
            if isinstance(each, str) and key.startswith("fld"):
                value[key] = each + words
                return True
        return any(_plant_in(each, words) for each in value.values())
    return isinstance(value, list) and any(_plant_in(each, words) for each in value)


def reading_tools(name: str) -> list[dict[str, Any]]:
    """Return the schemas of the tools that show something, also if a look changes a mark."""
    loaded = content.load_app(name)
    without_writes = {tool.name for tool in loaded.app.tools if not tool.writes}
    return [
        tool
        for tool in loaded.tool_schemas
        if tool["name"] in without_writes or (READS.search(tool["name"]) and not WRITES.search(tool["name"]))
    ]


def _leaves(
    schema: Mapping[str, Any], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], dict[str, Any], bool]]:
    """Yield path, schema and whether it is required, of every argument that holds no others."""
    for key, each in schema.get("properties", {}).items():
        is_required = key in schema.get("required", ())
        if each.get("properties"):
            yield from ((inner, leaf, must) for inner, leaf, must in _leaves(each, (*path, key)))
        else:
            yield (*path, key), each, is_required


def _plain(name: str) -> str:
    return name.replace("_", "").casefold()


def _choices(name: str, schema: Mapping[str, Any], context: Mapping[str, Any]) -> list[Any]:
    """Return what an argument may be for a row: the column of its name, or else any of its ids."""
    kind = next((each.get("type") for each in (schema, *schema.get("anyOf", ())) if each.get("type")), "string")
    kind = kind[0] if isinstance(kind, list) else kind
    if schema.get("enum"):
        return list(schema["enum"])[:2]
    if kind == "boolean":
        return [True]
    if name in TIMES:
        return [TIMES[name]]
    if QUERY.search(name) and kind == "string":
        return [context.get("zq", "zq")]
    if kind in ("integer", "number") and not ID.search(name):
        return [20]
    if kind == "object":
        return [{}]
    same = [value for key, value in context.items() if _plain(key) == _plain(name)]
    others = [value for key, value in context.items() if key != "zq"]
    # An author's name comes before any id of a person.
    found = list(dict.fromkeys(same or others))[:6]
    if kind in ("integer", "number"):
        found = [value for value in found if isinstance(value, int) or str(value).lstrip("-").isdigit()]
        return [int(value) for value in found] or [1]
    if kind == "array":
        return [[str(value)] for value in found]
    return [str(value) for value in found]


def calls_for(tool: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield arguments of a tool for a private row, or for an object of an answer."""
    chosen = [
        (path, _choices(path[-1], schema, context))
        for path, schema, is_required in _leaves(tool["inputSchema"])
        if is_required
        or path[-1] == "useUAT"
        or path[-1] in TIMES
        or (QUERY.search(path[-1]) and not PAGING.search(path[-1]))
        or (ID.search(path[-1]) and not PAGING.search(path[-1]) and len(path) > 1)
        or path[-1] == "container_id_type"
    ]
    for values in islice(product(*(choices for _, choices in chosen)), 24):
        arguments: dict[str, Any] = {}
        for (path, _), value in zip(chosen, values, strict=True):
            inner = arguments
            for key in path[:-1]:
                inner = inner.setdefault(key, {})
            inner[path[-1]] = value
        yield arguments


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the ids of every object of an answer, those of texts that are JSON included."""
    if isinstance(value, str) and value[:1] in "{[":
        try:
            yield from _objects(json.loads(value))
        except ValueError:
            return
    elif isinstance(value, dict):
        ids = {key: each for key, each in value.items() if ID.search(key) and _is_asked_for(each)}
        if ids:
            yield ids
        for each in value.values():
            yield from _objects(each)
    elif isinstance(value, list):
        for each in value:
            yield from _objects(each)


def sweep(app: LocalApp, name: str, planted: Planted, most: int) -> tuple[set[str], int, int]:
    """Ask every reading tool for every private row, and for what the answers show.

    Returns:
        What was seen and must not be, a line each; how many calls were made; how many rows were rightly seen.
    """
    me, tools = str(app.episode.me), reading_tools(name)
    others = [each for number, each in enumerate(planted.contexts, 1) if me not in planted.readers[number]]
    own = [each for number, each in enumerate(planted.contexts, 1) if me in planted.readers[number]]
    queue: list[dict[str, Any]] = [{"zq": "zq"}, *_spread(others, most), *_spread(own, most // 4)]
    asked: set[str] = set()
    leaks: set[str] = set()
    seen: set[int] = set()
    harvested = 0
    for context in queue:
        for tool in tools:
            for arguments in calls_for(tool, context):
                call = json.dumps([tool["name"], arguments], ensure_ascii=False)
                if call in asked:
                    continue
                asked.add(call)
                answer = app.result(tool["name"], **arguments)
                text = json.dumps(answer, ensure_ascii=False)
                for number in {int(each) for each in MARKER.findall(text)}:
                    if me in planted.readers.get(number, {me}):
                        seen.add(number)
                    else:
                        leaks.add(f"{tool['name']} shows {planted.places[number]}: {call[:200]}")
                if harvested < most:
                    found = list(islice(_objects(answer), 6))
                    harvested += len(found)
                    queue += found
    return leaks, len(asked), len(seen)


def sweep_writes(app: LocalApp, name: str, planted: Planted, most: int) -> tuple[set[str], int]:
    """Ask every other tool to do something with what is private to others, then read what came of it.

    Returns:
        What was seen or changed and must not be, a line each; how many calls were made.
    """
    me, reading = str(app.episode.me), {tool["name"] for tool in reading_tools(name)}
    tools = [each for each in content.load_app(name).tool_schemas if each["name"] not in {*reading, *LOGS_OUT}]
    others = [each for number, each in enumerate(planted.contexts, 1) if me not in planted.readers[number]]
    was = _about(app, planted, me)
    found: set[str] = set()
    calls = 0
    for context, tool in product(_spread(others, most), tools):
        for arguments in islice(calls_for(tool, context), 6):
            text = json.dumps(app.result(tool["name"], **arguments), ensure_ascii=False)
            calls += 1
            found |= {
                f"{tool['name']} shows {planted.places[int(number)]}: {arguments}"
                for number in MARKER.findall(text)
                if me not in planted.readers.get(int(number), {me})
            }
    now = _about(app, planted, me)
    changed = {f"changed: {planted.places[number]}" for number, rows in was.items() if now[number] != rows}
    seen_after, more, _ = sweep(app, name, replace(planted, contexts=[]), most)
    return found | changed | seen_after, calls + more


def _about(app: LocalApp, planted: Planted, me: str) -> dict[int, list[str]]:
    """Return what is private to others: number of a row → the row, and those of other tables that hold its key."""
    db = app.episode.db
    tables = [
        str(row["name"]) for row in db.all("SELECT name FROM pragma_table_list WHERE type = 'table' ORDER BY name")
    ]
    columns = {
        table: {str(row["name"]) for row in db.all(f"SELECT name FROM pragma_table_info('{table}')")}
        for table in tables
        if not table.startswith(("_", "sqlite_"))
    }
    about: dict[int, list[str]] = {}
    for number, (own, key) in planted.keys.items():
        if me in planted.readers[number]:
            continue
        where = " AND ".join(f"{each} = ?" for each in key)
        about[number] = sorted(
            json.dumps([table, *row.values()], default=str)
            for table, has in columns.items()
            # Who puts somebody into a chat of his own changes nothing of theirs.
            if table == own or (own != "users" and has.issuperset(key))
            for row in db.all(f"SELECT * FROM {table} WHERE {where}", *key.values())
        )
    return about


def _spread(rows: Sequence[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """Return at most so many, from all over the list."""
    count = min(most, len(rows))
    return [rows[at * len(rows) // count] for at in range(count)]
