"""Collaborators of files: who else may see or edit one."""

from __future__ import annotations

from dataclasses import dataclass

from farm.appkit import Episode, Result, Row

from . import access, errors
from .envelope import Arguments, endpoint

# How a request may name a person → the column that holds it.
PERSON_IDS = {"openid": "open_id", "unionid": "union_id", "userid": "user_id", "email": "email"}
# Kind of member → the ``type`` a request may say beside it.
TYPES = {
    "openid": ("user",),
    "unionid": ("user",),
    "userid": ("user",),
    "email": ("user",),
    "openchat": ("chat",),
    "opendepartmentid": ("department",),
    "groupid": ("group",),
    "wikispaceid": ("wiki_space_member", "wiki_space_viewer", "wiki_space_editor"),
}


@dataclass(frozen=True, slots=True)
class Member:
    """A collaborator as stored: people always by open id."""

    member_type: str
    member_id: str


@endpoint
def add_member(ep: Episode, *, data: Arguments, params: Arguments, path: Arguments) -> Result:
    """Give somebody a role on a file and return it as asked for.

    Args:
        data: ``member_type``, ``member_id``, ``perm``; ``perm_type`` counts for wiki pages only.
        params: ``type`` of the file, which must be that of the token.

    Raises:
        InvalidPermissionParameter: no such file, member or combination.
        ResourceIsDeleted: the file is in the bin.
        PermissionDenied: the person has no access, or gives more than they have.
        NoSharePermission: the person may only read.
        InvalidPermissionOperation: the member owns the file, may do more already, or is out of the person's sight.

    Not simulated: the notification, groups of users, the wiki's split into viewers and editors.

    Source: https://open.feishu.cn/document/server-docs/docs/permission/permission-member/create
    """
    file, is_page = _require_file(ep, path["token"], params["type"])
    kind = data.get("type") or TYPES[data["member_type"]][0]
    if kind not in TYPES[data["member_type"]] or (data["member_type"] == "wikispaceid" and not data.get("type")):
        raise errors.InvalidPermissionParameter
    mine, wanted = access.level(ep, file["token"]), access.LEVELS[data["perm"]]
    if mine == access.NOBODY:
        raise errors.PermissionDenied
    if mine == access.VIEW:
        raise errors.NoSharePermission
    if wanted > mine:
        raise errors.PermissionDenied
    member = _require_member(ep, data, file, is_page)
    _require_grantable(ep, file, member, wanted)
    # A single page is a thing of wikis; elsewhere the vendor takes the word and means the whole file.
    perm_type = data.get("perm_type", "container") if is_page else "container"
    _store(ep, file["token"], member, perm=data["perm"], perm_type=perm_type, kind=kind)
    return {
        "member": {
            "member_type": data["member_type"],
            "member_id": data["member_id"],
            "perm": data["perm"],
            "perm_type": perm_type,
            "type": kind,
        }
    }


def _require_file(ep: Episode, token: str, kind: str) -> tuple[Row, bool]:
    """Return the file, and whether it was named by its wiki page."""
    if kind == "wiki":
        token = ep.db.scalar("SELECT obj_token FROM wiki_nodes WHERE node_token = ?", token) or ""
    row = ep.db.one("SELECT * FROM files WHERE token = ?", token)
    if row is None or (kind != "wiki" and row["type"] != kind):
        raise errors.InvalidPermissionParameter
    if row["is_deleted"]:
        raise errors.ResourceIsDeleted
    return row, kind == "wiki"


def _require_member(ep: Episode, data: Arguments, file: Row, is_page: bool) -> Member:
    member_type, member_id = data["member_type"], data["member_id"]
    match member_type:
        case "openchat":
            if ep.db.one("SELECT 1 FROM chats WHERE chat_id = ? AND chat_status = 'normal'", member_id) is None:
                raise errors.InvalidPermissionParameter
            if ep.db.one("SELECT 1 FROM chat_members WHERE chat_id = ? AND open_id = ?", member_id, ep.me) is None:
                raise errors.InvalidPermissionOperation
        case "opendepartmentid":
            if ep.db.one("SELECT 1 FROM departments WHERE department_id = ?", member_id) is None:
                raise errors.InvalidPermissionParameter
        case "groupid":
            # No world has groups of users, so none of them exists.
            raise errors.InvalidPermissionParameter
        case "wikispaceid":
            space = ep.db.scalar("SELECT space_id FROM wiki_nodes WHERE obj_token = ?", file["token"])
            if not is_page or space != member_id:
                raise errors.InvalidPermissionParameter
            if data["type"] != "wiki_space_member":
                # The spaces here have one group of members, not viewers and editors.
                raise errors.InvalidPermissionOperation
        case _:
            return Member("openid", _require_person(ep, PERSON_IDS[member_type], member_id))
    return Member(member_type, member_id)


def _require_person(ep: Episode, column: str, member_id: str) -> str:
    if column == "email":
        member_id = member_id.lower()
    person = ep.db.one(
        f"SELECT open_id, is_resigned FROM users WHERE {column} = ? AND {column} != ''",
        member_id,
    )
    if person is None:
        raise errors.InvalidPermissionParameter
    if person["is_resigned"]:
        raise errors.InvalidPermissionOperation
    return str(person["open_id"])


def _require_grantable(ep: Episode, file: Row, member: Member, wanted: int) -> None:
    if member.member_type == "openid" and member.member_id == file["owner_id"]:
        raise errors.InvalidPermissionOperation
    perm = ep.db.scalar(
        "SELECT perm FROM collaborators WHERE token = ? AND member_type = ? AND member_id = ?",
        file["token"],
        member.member_type,
        member.member_id,
    )
    if perm is not None and access.LEVELS[perm] > wanted:
        raise errors.InvalidPermissionOperation


def _store(ep: Episode, token: str, member: Member, *, perm: str, perm_type: str, kind: str) -> None:
    key = {"token": token, "member_type": member.member_type, "member_id": member.member_id}
    if not ep.db.update("collaborators", key, perm=perm, perm_type=perm_type, type=kind):
        ep.db.insert("collaborators", **key, perm=perm, perm_type=perm_type, type=kind, created_at=ep.now_ms)
