"""People: by address, by id, and how other resources name them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from farm.appkit import Episode, Result, Row

from . import errors
from .envelope import NOTHING, Arguments, endpoint, require_length

BATCH_MOST = 50
ID_TYPES = ("open_id", "union_id", "user_id")
_PICTURE = "https://s1-imfile.feishucdn.com/static-resource/v1/{key}~?image_size={size}&cut_type=&quality=&format=image"
# What other resources show or ask of a person: a third of the columns.
_CARD = "open_id, union_id, user_id, tenant_key, name, en_name, email, avatar, is_resigned"
_COLUMN = {id_type: f"SELECT {_CARD} FROM users WHERE {id_type} = ?" for id_type in ID_TYPES}
_ALL_COLUMNS = {id_type: f"SELECT * FROM users WHERE {id_type} = ?" for id_type in ID_TYPES}
_COLUMN_AMONG = {
    id_type: f"SELECT {_CARD} FROM users WHERE {id_type} IN (SELECT value FROM json_each(?)) ORDER BY open_id"
    for id_type in ID_TYPES
}
_MINE = "tenant_key = (SELECT tenant_key FROM users WHERE open_id = ?)"


def find_user(ep: Episode, key: str, id_type: str = "open_id") -> Row | None:
    """Return the card of the user with this id of this type, of any company, or None."""
    return ep.db.one(_COLUMN[id_type], key)


def find_users(ep: Episode, keys: Iterable[str], id_type: str = "open_id") -> dict[str, Row]:
    """Return the users that exist among these ids, by the id they were asked for with."""
    wanted = list(dict.fromkeys(keys))
    if not wanted:
        return {}
    return {row[id_type]: row for row in ep.db.all(_COLUMN_AMONG[id_type], json.dumps(wanted))}


def require_user(ep: Episode, open_id: str) -> Row:
    """Return the user with this open_id.

    Raises:
        IdNotExist: nobody has it.
    """
    user = find_user(ep, open_id, "open_id")
    if user is None:
        raise missing_user("open_id", open_id)
    return user


def missing_user(id_type: str, *keys: str) -> errors.LarkError:
    """Return what the platform says of ids that nobody has, before an endpoint sees them."""
    if id_type == "open_id":
        return errors.IdNotExist(*keys)
    return errors.UnionIdNotExist() if id_type == "union_id" else errors.UserIdNotExist()


def id_type_of(params: Arguments) -> str:
    """Return the flavour of user ids a request uses."""
    return str(params.get("user_id_type", "open_id"))


def picture(key: str, size: str = "72x72") -> str:
    """Return the address of an avatar."""
    return _PICTURE.format(key=key, size=size) if key else ""


def status(user: Row) -> dict[str, bool]:
    """Return a user's status as the contact endpoints show it."""
    return {name: bool(user[name]) for name in ("is_frozen", "is_resigned", "is_activated", "is_exited", "is_unjoin")}


@endpoint
def batch_get_id(ep: Episode, *, data: Arguments = NOTHING, params: Arguments = NOTHING) -> Result:
    """Return one entry for each address and then each number, without ``user_id`` where nobody has it.

    Args:
        data: ``emails`` and ``mobiles``, 50 of each; ``include_resigned``.

    Raises:
        FieldValidationFailed: more than 50.

    Source: https://open.feishu.cn/document/server-docs/contact-v3/user/batch_get_id
    """
    emails, mobiles = data.get("emails", ()), data.get("mobiles", ())
    for name, given in (("emails", emails), ("mobiles", mobiles)):
        require_length(name, given, BATCH_MOST)
    resigned, id_type = data.get("include_resigned", False), id_type_of(params)
    by_email = _holders(ep, "email", [each.lower() for each in emails], resigned)
    by_mobile = _holders(ep, "mobile", [_international(each) for each in mobiles], resigned)
    found = [("email", each, by_email.get(each.lower())) for each in emails]
    found += [("mobile", each, by_mobile.get(_international(each))) for each in mobiles]
    return {
        "user_list": [
            {name: each} if user is None else {"user_id": user[id_type], name: each, "status": status(user)}
            for name, each, user in found
        ]
    }


def _holders(ep: Episode, column: str, values: list[str], resigned: bool) -> dict[str, Row]:
    if not any(values):
        return {}
    rows = ep.db.all(
        f"SELECT * FROM users WHERE {column} IN (SELECT value FROM json_each(?)) AND {column} != '' AND +{_MINE} "
        "AND (? OR NOT is_resigned) ORDER BY open_id DESC",
        json.dumps(values),
        ep.me,
        int(resigned),
    )
    return {row[column]: row for row in rows}


def _international(mobile: str) -> str:
    """Mainland numbers may come without country code; spaces and hyphens don't count."""
    bare = re.sub(r"[\s()-]", "", mobile)
    return bare if bare.startswith("+") or not bare else f"+86{bare}"


@endpoint
def get_user(ep: Episode, *, path: Arguments, params: Arguments = NOTHING) -> Result:
    """Return one person of the caller's company.

    Raises:
        IdNotExist: an open id nobody has, whatever its form.
        UserIdInvalid: another id nobody has.
        NoUserAuthority: the person works for another company.

    Source: https://open.feishu.cn/document/server-docs/contact-v3/user/get
    """
    id_type = id_type_of(params)
    user = ep.db.one(_ALL_COLUMNS[id_type], path["user_id"])
    if user is None:
        raise errors.IdNotExist(path["user_id"]) if id_type == "open_id" else errors.UserIdInvalid()
    me = find_user(ep, ep.me)
    if me is None or me["tenant_key"] != user["tenant_key"]:
        raise errors.NoUserAuthority
    departments = ep.db.all(
        "SELECT d.* FROM json_each(?) j JOIN departments d ON d.department_id = j.value ORDER BY j.key",
        user["department_ids"],
    )
    return {"user": _user(ep, user, departments, id_type, params.get("department_id_type", "open_department_id"))}


def _user(ep: Episode, user: Row, departments: list[Row], id_type: str, department_type: str) -> dict[str, Any]:
    def department_id(open_department_id: str) -> str:
        # The short ids of departments are never taken in by a tool, so they need not be stored.
        custom = department_type == "department_id"
        return f"{ep.hash('department', open_department_id):016x}" if custom else open_department_id

    leader = find_user(ep, user["leader_user_id"]) if user["leader_user_id"] else None
    key = user["avatar"]
    card = {name: user[name] for name in ("union_id", "user_id", "open_id", "name", "en_name", "nickname", "email")}
    if user["mobile_visible"] or user["open_id"] == ep.me:
        card["mobile"] = user["mobile"]
    return card | {
        "mobile_visible": bool(user["mobile_visible"]),
        "gender": user["gender"],
        "avatar": {
            "avatar_72": picture(key),
            "avatar_240": picture(key, "240x240"),
            "avatar_640": picture(key, "640x640"),
            "avatar_origin": picture(key, "noop"),
        },
        "status": status(user),
        "department_ids": [department_id(each["department_id"]) for each in departments],
        "leader_user_id": leader[id_type] if leader else "",
        "city": user["city"],
        "country": user["country"],
        "work_station": user["work_station"],
        "join_time": user["join_time"] or 0,
        "is_tenant_manager": bool(user["is_tenant_manager"]),
        "employee_no": user["employee_no"],
        "employee_type": user["employee_type"],
        "orders": [
            {"department_id": department_id(each["department_id"]), "user_order": 0, "department_order": 0}
            | {"is_primary_dept": index == 0}
            for index, each in enumerate(departments)
        ],
        "job_title": user["job_title"],
        "department_path": [_department_path(each, department_id(each["department_id"])) for each in departments],
    }


def _department_path(department: Row, department_id: str) -> dict[str, Any]:
    name = {
        "name": department["name"],
        "i18n_name": {"zh_cn": department["name"], "ja_jp": "", "en_us": department["en_name"]},
    }
    return {
        "department_id": department_id,
        "department_name": name,
        "department_path": {"department_ids": [department_id], "department_path_name": name},
    }
