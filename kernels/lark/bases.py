"""Bases and their tables: create one, add a table, list tables."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from farm.appkit import Episode, Result

from . import access, errors, fields
from . import base_validation as checks
from .envelope import NOTHING, Arguments, endpoint, require_length

NAME_MOST = 255
TABLE_NAME_MOST = 100
TABLES_MOST = 100
PAGE_DEFAULT, PAGE_MOST = 20, 100
DEFAULT_NAME, DEFAULT_TABLE, DEFAULT_VIEW, DEFAULT_FIELD = "未命名多维表格", "数据表", "表格", "文本"
# The columns a new base's table has in a Chinese tenant, and how many empty rows.
DEFAULT_FIELDS = ((DEFAULT_FIELD, 1), ("单选", 3), ("日期", 5), ("附件", 17))
EMPTY_ROWS = 10
_NOT_IN_TABLE_NAME = re.compile(r"[/\\?*:\[\]]")
_ZONE = re.compile(r"[A-Za-z_]+(/[A-Za-z_+\-0-9]+){0,2}")


@endpoint
def create_base(ep: Episode, *, data: Arguments = NOTHING) -> Result:
    """Create a base with one table of ten empty rows and return it.

    Args:
        data: ``name`` of up to 255 characters, ``folder_token`` (empty: the root), ``time_zone``.

    Raises:
        InvalidAppName: the name is too long.
        InvalidBaseParameter: no such time zone.
        DriveNodeNotExist: no such folder.
        DriveNodeForbidden: the person may not add to it.

    Source: https://open.feishu.cn/document/server-docs/docs/bitable-v1/app/create
    """
    name = data.get("name") or DEFAULT_NAME
    folder_token, time_zone = data.get("folder_token") or None, data.get("time_zone") or "Asia/Shanghai"
    if len(name) > NAME_MOST:
        raise errors.InvalidAppName
    _require_zone(time_zone)
    if folder_token is not None:
        folder = access.find_file(ep, folder_token, "folder")
        if folder is None or folder["is_deleted"]:
            raise errors.DriveNodeNotExist
        if access.level(ep, folder_token) < access.EDIT:
            raise errors.DriveNodeForbidden
    app_token = ep.new_id("file")
    access.add_file(ep, app_token, kind="bitable", title=name, folder_token=folder_token)
    ep.db.insert("bases", app_token=app_token, time_zone=time_zone)
    wanted = [{"field_name": field_name, "type": kind} for field_name, kind in DEFAULT_FIELDS]
    columns = fields.require_definitions(ep, app_token, wanted)
    table_id, _view_id = _add_table(ep, app_token, DEFAULT_TABLE, DEFAULT_VIEW, columns)
    _add_empty_rows(ep, table_id)
    return {
        "app": {
            "app_token": app_token,
            "default_table_id": table_id,
            "folder_token": folder_token or "",
            "name": name,
            "time_zone": time_zone,
            "url": access.url(ep, "base", app_token),
        }
    }


def _require_zone(name: str) -> None:
    try:
        # The form is checked first: ZoneInfo takes keys for paths.
        if _ZONE.fullmatch(name) and ZoneInfo(name):
            return
    except (KeyError, ValueError, OSError):
        pass
    raise errors.InvalidBaseParameter("time_zone is invalid")


@endpoint
def create_table(ep: Episode, *, path: Arguments, data: Arguments = NOTHING) -> Result:
    """Add a table to a base and return its id, and those of its view and fields where the request named them.

    Args:
        data: ``table`` with ``name``, ``default_view_name`` and ``fields``, the first of which is the primary one.

    Raises:
        FieldValidationFailed: the name has no character or over 100, or no field is listed or over 300.
        WrongRequestBody: no table, no or a bad name, or a view name without fields.
        TableNameDuplicated: the base has a table of this name.
        TableExceedLimit: the base has 100 tables.
        EmptyViewName, InvalidViewName: the view's name.
        Also what ``base_validation.require_base`` and ``fields.require_definitions`` refuse.

    Source: https://open.feishu.cn/document/server-docs/docs/bitable-v1/app-table/create
    """
    table = data.get("table")
    for part, most in (("name", TABLE_NAME_MOST), ("fields", fields.FIELDS_MOST)):
        if table is not None and part in table:
            require_length(f"table.{part}", table[part], most, least=1)
    app_token = checks.require_base(ep, path["app_token"], access.EDIT)["app_token"]
    if table is None:
        raise errors.WrongRequestBody("table is required")
    name, view_name = table.get("name", "").strip(), table.get("default_view_name")
    _require_names(name, view_name, has_fields="fields" in table)
    if ep.db.one("SELECT 1 FROM base_tables WHERE app_token = ? AND name = ?", app_token, name) is not None:
        raise errors.TableNameDuplicated
    if ep.db.scalar("SELECT count(*) FROM base_tables WHERE app_token = ?", app_token) >= TABLES_MOST:
        raise errors.TableExceedLimit
    wanted = table.get("fields") or [{"field_name": DEFAULT_FIELD, "type": 1}]
    columns = fields.require_definitions(ep, app_token, wanted)
    table_id, view_id = _add_table(ep, app_token, name, (view_name or DEFAULT_VIEW).strip(), columns)
    access.touch(ep, app_token)
    answer: dict[str, Any] = {"table_id": table_id}
    if view_name is not None or table.get("fields"):
        answer["default_view_id"] = view_id
    if table.get("fields"):
        answer["field_id_list"] = [field.field_id for field in columns]
    return answer


def _require_names(name: str, view_name: str | None, *, has_fields: bool) -> None:
    if not name:
        raise errors.WrongRequestBody("table.name is required")
    if _NOT_IN_TABLE_NAME.search(name):
        raise errors.WrongRequestBody("table.name is invalid")
    if view_name is None:
        return
    if not has_fields:
        raise errors.WrongRequestBody("table.fields is required with default_view_name")
    if not view_name.strip():
        raise errors.EmptyViewName
    if "[" in view_name or "]" in view_name:
        raise errors.InvalidViewName


def _add_table(ep: Episode, app_token: str, name: str, view_name: str, columns: list[fields.Field]) -> tuple[str, str]:
    table_id, view_id = ep.new_id("table"), ep.new_id("view")
    position = ep.db.scalar("SELECT coalesce(max(position), -1) + 1 FROM base_tables WHERE app_token = ?", app_token)
    ep.db.insert("base_tables", table_id=table_id, app_token=app_token, name=name, position=position)
    ep.db.insert("base_views", view_id=view_id, table_id=table_id, view_name=view_name, view_type="grid", position=0)
    for index, field in enumerate(columns):
        fields.store(ep, table_id, _with_back_field(ep, table_id, name, field), index)
    return table_id, view_id


def _add_empty_rows(ep: Episode, table_id: str) -> None:
    for number in range(1, EMPTY_ROWS + 1):
        ep.db.insert(
            "base_records",
            record_id=ep.new_id("record"),
            table_id=table_id,
            fields="{}",
            number=number,
            created_by=ep.me,
            modified_by=ep.me,
            created_at=ep.now_ms,
            modified_at=ep.now_ms,
        )
    ep.db.update("base_tables", {"table_id": table_id}, last_number=EMPTY_ROWS)


def _with_back_field(ep: Episode, table_id: str, table_name: str, field: fields.Field) -> fields.Field:
    """Return the field; a two-way link first gets its counterpart in the other table."""
    if field.kind != fields.Kind.DUPLEX_LINK:
        return field
    other = field.properties["table_id"]
    taken = {each.name for each in fields.fields_of_table(ep, other)}
    name = field.properties["back_field_name"] or f"{table_name}-{field.name}"
    while name in taken:
        name = f"{name} (1)"
    back = fields.Field(
        ep.new_id("field"),
        name,
        field.kind,
        field.ui_type,
        False,
        {
            "back_field_id": field.field_id,
            "back_field_name": field.name,
            "multiple": True,
            "table_id": table_id,
            "table_name": table_name,
        },
        None,
    )
    fields.store(ep, other, back, len(taken))
    checks.bump(ep, other)
    return replace(field, properties=field.properties | {"back_field_id": back.field_id, "back_field_name": name})


@endpoint
def list_tables(ep: Episode, *, path: Arguments, params: Arguments = NOTHING) -> Result:
    """Return a page of a base's tables.

    Raises:
        WrongBaseToken, BaseTokenNotFound, BaseForbidden: the base.
        PageSizeTooSmall, FieldValidationFailed: the page's size.
        BaseCallFailed: the page token is no table of the base.

    Source: https://open.feishu.cn/document/server-docs/docs/bitable-v1/app-table/list
    """
    base = checks.require_base(ep, path["app_token"])
    size = checks.page_size(params, default=PAGE_DEFAULT, most=PAGE_MOST)
    tables = ep.db.all(
        "SELECT table_id, revision, name FROM base_tables WHERE app_token = ? ORDER BY position, table_id",
        base["app_token"],
    )
    start = checks.position_after([table["table_id"] for table in tables], params.get("page_token"))
    page = tables[start : start + size]
    answer: dict[str, Any] = {"has_more": start + len(page) < len(tables)}
    if page:
        answer["page_token"] = page[-1]["table_id"]
    return {**answer, "total": len(tables), "items": page}
