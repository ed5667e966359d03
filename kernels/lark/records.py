"""Records of a base's tables: search them, add them, change them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from farm.appkit import Episode, Result, Row, parse_json
from farm.appkit.formats.cursors import encode_cursor

from . import access, cell_json, cells, errors, fields, filters
from . import base_validation as checks
from .envelope import NOTHING, Arguments, decode_token, endpoint, require_length
from .fields import Field, Kind
from .users import id_type_of

PAGE_DEFAULT, PAGE_MOST = 20, 500
BATCH_MOST = 1000
RECORDS_MOST = 20_000
FIELD_NAMES_MOST, VIEW_ID_MOST = 200, 50
_UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.IGNORECASE)
_COLUMNS = "record_id, fields, number, created_by, modified_by, created_at, modified_at"

Found = tuple[Row, dict[str, Any]]


@endpoint
def search_records(ep: Episode, *, path: Arguments, params: Arguments = NOTHING, data: Arguments = NOTHING) -> Result:
    """Return a page of the records a filter lets through, in the order asked for.

    Args:
        data: ``filter``, ``sort``, ``field_names`` to show; ``automatic_fields`` adds who made and changed a record
            and when; ``view_id`` lends its filter and sort to a search that has neither.

    Raises:
        WrongBaseToken, BaseTokenNotFound, BaseForbidden, WrongTableId, TableIdNotFound: where to search.
        WrongViewId, ViewIdNotFound: the view.
        InvalidFieldNames, InvalidSort, InvalidFilter, FieldValidationFailed: what to search.
        PageSizeTooSmall, BaseCallFailed: the page.

    Not simulated: formulas are shown as the world says, not computed, and cannot be searched by (nor at the vendor's).

    Source: https://open.feishu.cn/document/docs/bitable-v1/app-table-record/search
    """
    require_length("field_names", data.get("field_names") or (), FIELD_NAMES_MOST)
    require_length("view_id", data.get("view_id") or "", VIEW_ID_MOST)
    filters.require_form(data.get("filter") or NOTHING, data.get("sort") or ())
    table = checks.require_table(ep, path)
    size = checks.page_size(params, default=PAGE_DEFAULT, most=PAGE_MOST)
    view = checks.find_view(ep, table["table_id"], data.get("view_id"))
    columns = fields.fields_of_table(ep, table["table_id"])
    chosen = _chosen(columns, data.get("field_names"))
    id_type = id_type_of(params)
    view_context = filters.ViewContext({f.name: f for f in columns}, ZoneInfo(table["time_zone"]), ep.now, id_type)
    wanted, order = _wanted(data, view, columns)
    test, keys = filters.require_filter(ep, wanted, view_context), filters.require_order(order, view_context)
    after = decode_token("records", params.get("page_token"), errors.BaseCallFailed("page_token is invalid"), (int,))
    start = max(after[0], 0) if after else 0
    page, total = _page(ep, table["table_id"], start, size, test, keys)
    automatic = data.get("automatic_fields", False)
    names = cell_json.look_up(ep, table, chosen, [row for row, _ in page], id_type)
    answer: dict[str, Any] = {
        "has_more": start + len(page) < total,
        "items": [_record_to_json(chosen, row, held, names, automatic=automatic) for row, held in page],
    }
    if answer["has_more"]:
        answer["page_token"] = encode_cursor("records", start + len(page))
    return {**answer, "total": total}


def _chosen(columns: list[Field], names: list[str] | None) -> list[Field]:
    if not names:
        return columns
    known = {field.name: field for field in columns}
    if unknown := [name for name in names if name not in known]:
        raise errors.InvalidFieldNames(f"field_name {unknown[0]} not found")
    return [known[name] for name in dict.fromkeys(names)]


def _wanted(data: Arguments, view: Row | None, columns: list[Field]) -> tuple[Mapping[str, Any], list[Any]]:
    """Return the filter and sort to use: the request's, or else those of the view."""
    wanted, order = data.get("filter") or NOTHING, data.get("sort") or []
    if view is None or wanted.get("conditions") or order:
        return wanted, order
    settings, names = checks.view_settings(view), {field.field_id: field.name for field in columns}
    kept = settings.get("filter") or {}
    conditions = [
        {"field_name": names[each["field_id"]], "operator": each["operator"], "value": each.get("value") or []}
        for each in kept.get("conditions", ())
        if each["field_id"] in names
    ]
    kept_order = [
        {"field_name": names[each["field_id"]], "desc": each.get("desc", False)}
        for each in settings.get("sort") or ()
        if each["field_id"] in names
    ]
    return {"conjunction": kept.get("conjunction", "and"), "conditions": conditions}, kept_order


def _page(
    ep: Episode, table_id: str, start: int, size: int, test: filters.Test | None, keys: list[tuple[filters.Key, bool]]
) -> tuple[list[Found], int]:
    """Reads all base_records: the answer has their number, and filters and orders are over all of a table."""
    if test is None and not keys:
        total = ep.db.scalar("SELECT count(*) FROM base_records WHERE table_id = ?", table_id)
        rows = ep.db.all(
            f"SELECT {_COLUMNS} FROM base_records WHERE table_id = ? ORDER BY number LIMIT ? OFFSET ?",
            table_id,
            size,
            start,
        )
        return [(row, parse_json(row["fields"])) for row in rows], total
    rows = ep.db.all(f"SELECT {_COLUMNS} FROM base_records WHERE table_id = ? ORDER BY number", table_id)
    # One parse of all cells takes a third of the time of twenty thousand.
    found = list(zip(rows, parse_json(f"[{','.join(row['fields'] for row in rows)}]"), strict=True))
    if test is not None:
        found = [record for record in found if test(*record)]
    filters.in_order(found, keys)
    return found[start : start + size], len(found)


def _record_to_json(
    columns: list[Field], row: Row, held: Mapping[str, Any], names: cell_json.Names, *, automatic: bool
) -> dict[str, Any]:
    values = {field.name: cell_json.cell_to_json(field, row, held, names) for field in columns}
    shown: dict[str, Any] = {"fields": _filled(values), "record_id": row["record_id"]}
    if not automatic:
        return shown
    people, id_type = names.people, names.id_type
    return {
        "created_by": cell_json.person(people[row["created_by"]], id_type),
        "created_time": row["created_at"],
        "fields": shown["fields"],
        "last_modified_by": cell_json.person(people[row["modified_by"]], id_type),
        "last_modified_time": row["modified_at"],
        "record_id": row["record_id"],
    }


def _filled(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cells that are not empty: the vendor's answers leave out the others."""
    return {name: cell_json.plain_number(cell) for name, cell in values.items() if cell is not None}


@endpoint
def create_record(ep: Episode, *, path: Arguments, data: Arguments, params: Arguments = NOTHING) -> Result:
    """Add a record and return it with its cells as they were written.

    Raises:
        What ``create_records`` refuses.

    Source: https://open.feishu.cn/document/server-docs/docs/bitable-v1/app-table-record/create
    """
    return {"record": _create(ep, path, params, [data["fields"]])[0]}


@endpoint
def create_records(ep: Episode, *, path: Arguments, data: Arguments, params: Arguments = NOTHING) -> Result:
    """Add records, all or none, and return them with their cells as they were written.

    Args:
        data: ``records``, each with its ``fields``.
        params: ``client_token``: a second request with it returns the records of the first.

    Raises:
        WrongBaseToken, BaseTokenNotFound, BaseForbidden, BasePermissionDenied: the base.
        WrongTableId, TableIdNotFound: the table.
        InvalidClientToken: the token is no UUID of version 4.
        WrongRequestBody, RecordAddOnceExceedLimit, RecordExceedLimit: no records, or too many.
        FieldNameNotFound, ...ConvFail: what ``cells.convert`` and ``cells.resolve`` refuse.

    Source: https://open.feishu.cn/document/server-docs/docs/bitable-v1/app-table-record/batch_create
    """
    return {"records": _create(ep, path, params, _require_batch(data["records"]))}


def _require_batch(records: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    if not records:
        raise errors.WrongRequestBody("records is empty")
    if len(records) > BATCH_MOST:
        raise errors.RecordAddOnceExceedLimit
    return [each["fields"] for each in records]


def _create(ep: Episode, path: Arguments, params: Arguments, written: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Reads all base_records: their keys are counted, for a table takes so many."""
    table = checks.require_table(ep, path, access.EDIT)
    table_id, client_token = table["table_id"], params.get("client_token") or None
    if client_token is not None and not _UUID4.fullmatch(client_token):
        raise errors.InvalidClientToken
    if client_token is not None and (earlier := _earlier(ep, table_id, client_token)):
        return [_echo(record_id, fields_) for record_id, fields_ in zip(earlier, written, strict=False)]
    columns = fields.fields_of_table(ep, table_id)
    batch = _converted(ep, columns, table["app_token"], written, id_type_of(params))
    (there,) = ep.db.all(
        "SELECT coalesce(max(number), 0) AS last, count(*) AS count FROM base_records WHERE table_id = ?", table_id
    )
    if there["count"] + len(batch) > RECORDS_MOST:
        raise errors.RecordExceedLimit
    made = {field.field_id: ep.now_ms for field in columns if field.properties.get("auto_fill")}
    last = max(there["last"], table["last_number"])
    ids = []
    for number, held in enumerate(batch, last + 1):
        ids.append(ep.new_id("record"))
        ep.db.insert(
            "base_records",
            record_id=ids[-1],
            table_id=table_id,
            fields=_stored({**made, **held}),
            number=number,
            created_by=ep.me,
            modified_by=ep.me,
            created_at=ep.now_ms,
            modified_at=ep.now_ms,
            client_token=client_token,
        )
    ep.db.update("base_tables", {"table_id": table_id}, last_number=last + len(batch))
    _finish(ep, table, columns, batch)
    for record_id, held in zip(ids, batch, strict=True):
        _link_back(ep, columns, record_id, {}, held)
    return [_echo(record_id, fields_) for record_id, fields_ in zip(ids, written, strict=True)]


def _earlier(ep: Episode, table_id: str, client_token: str) -> list[str]:
    rows = ep.db.all(
        "SELECT record_id FROM base_records WHERE table_id = ? AND client_token = ? ORDER BY +number",
        table_id,
        client_token,
    )
    return [row["record_id"] for row in rows]


def _converted(
    ep: Episode, columns: list[Field], app_token: str, written: Iterable[Mapping[str, Any]], id_type: str
) -> list[cells.Cells]:
    by_name = {field.name: field for field in columns}
    batch = [cells.convert(by_name, each) for each in written]
    return cells.resolve(ep, columns, app_token, batch, id_type)


def _stored(held: Mapping[str, Any]) -> str:
    return json.dumps({key: cell for key, cell in held.items() if cell is not None}, ensure_ascii=False)


def _echo(record_id: str, written: Mapping[str, Any]) -> dict[str, Any]:
    return {"fields": _filled(written), "id": record_id, "record_id": record_id}


def _finish(ep: Episode, table: Row, columns: list[Field], batch: list[cells.Cells]) -> None:
    """Add the options that cells name for the first time, and count the change."""
    for field in cells.with_new_options(ep, columns, batch):
        properties = json.dumps(field.properties, ensure_ascii=False)
        ep.db.update("base_fields", {"field_id": field.field_id}, property=properties)
    checks.bump(ep, table["table_id"])
    access.touch(ep, table["app_token"])


def _link_back(
    ep: Episode, columns: list[Field], record_id: str, before: Mapping[str, Any], after: Mapping[str, Any]
) -> None:
    """Let the other ends of two-way links follow what a record links to now."""
    for field in columns:
        if field.kind != Kind.DUPLEX_LINK or field.field_id not in after:
            continue
        back = field.properties.get("back_field_id", "")
        old, new = set(before.get(field.field_id) or ()), set(after[field.field_id] or ())
        for other in sorted(old ^ new):
            row = ep.db.one("SELECT fields FROM base_records WHERE record_id = ?", other)
            if row is None:
                continue
            held = parse_json(row["fields"])
            links = [each for each in held.get(back) or () if each != record_id]
            held[back] = [*links, record_id] if other in new else links or None
            ep.db.update("base_records", {"record_id": other}, fields=_stored(held))


@endpoint
def update_record(ep: Episode, *, path: Arguments, data: Arguments, params: Arguments = NOTHING) -> Result:
    """Change the cells named in a record and return them as they were written.

    Raises:
        What ``update_records`` refuses.

    Source: https://open.feishu.cn/document/server-docs/docs/bitable-v1/app-table-record/update
    """
    return {"record": _update(ep, path, params, [(path["record_id"], data["fields"])])[0]}


@endpoint
def update_records(ep: Episode, *, path: Arguments, data: Arguments, params: Arguments = NOTHING) -> Result:
    """Change the cells named in several records, all or none, and return them as they were written.

    Args:
        data: ``records``, each with ``record_id`` and ``fields``; null empties a cell.

    Raises:
        WrongBaseToken, BaseTokenNotFound, BaseForbidden, BasePermissionDenied: the base.
        WrongTableId, TableIdNotFound: the table.
        WrongRequestBody, RecordAddOnceExceedLimit: no records, or too many.
        WrongRecordId, RecordIdNotFound: a record.
        FieldNameNotFound, ...ConvFail: what ``cells.convert`` and ``cells.resolve`` refuse.

    Source: https://open.feishu.cn/document/server-docs/docs/bitable-v1/app-table-record/batch_update
    """
    written = _require_batch(data["records"])
    ids = [each.get("record_id", "") for each in data["records"]]
    return {"records": _update(ep, path, params, list(zip(ids, written, strict=True)))}


def _update(
    ep: Episode, path: Arguments, params: Arguments, written: list[tuple[str, Mapping[str, Any]]]
) -> list[dict[str, Any]]:
    table = checks.require_table(ep, path, access.EDIT)
    _require_records(ep, table["table_id"], [record_id for record_id, _ in written])
    columns = fields.fields_of_table(ep, table["table_id"])
    values = [fields_ for _, fields_ in written]
    batch = _converted(ep, columns, table["app_token"], values, id_type_of(params))
    for (record_id, _), changed in zip(written, batch, strict=True):
        # Read only now: an earlier record of the batch may have linked back to this one.
        before = parse_json(ep.db.scalar("SELECT fields FROM base_records WHERE record_id = ?", record_id))
        ep.db.update(
            "base_records",
            {"record_id": record_id},
            fields=_stored({**before, **changed}),
            modified_by=ep.me,
            modified_at=ep.now_ms,
        )
        _link_back(ep, columns, record_id, before, changed)
    _finish(ep, table, columns, batch)
    return [_echo(record_id, fields_) for record_id, fields_ in written]


def _require_records(ep: Episode, table_id: str, ids: list[str]) -> None:
    if not all(checks.is_id("rec", each) for each in ids):
        raise errors.WrongRecordId
    rows = ep.db.all(
        "SELECT r.record_id FROM json_each(?) j CROSS JOIN base_records r ON r.record_id = j.value "
        "WHERE r.table_id = ? ORDER BY r.number",
        json.dumps(ids),
        table_id,
    )
    found = {row["record_id"] for row in rows}
    if missing := [each for each in ids if each not in found]:
        raise errors.RecordIdNotFound(f"record_id {missing[0]} not found")
