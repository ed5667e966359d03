"""Documents: create, read as plain text, import from Markdown, and the search over everything in cloud space."""

from __future__ import annotations

import json
from typing import Any

from farm.appkit import Episode, Result, Row

from . import access, errors, markdown
from .envelope import NOTHING, Arguments, endpoint, integer_parameter, require_length
from .users import find_users

TITLE_MOST = 800
IMPORT_BYTES_MOST = 20 * 1024 * 1024
SEARCH_COUNT_MOST = 50
SEARCH_COUNT_DEFAULT = 10
SEARCH_REACH = 200
WORD_MOST = 5000
WORDS_ASKED_MOST = 20
DOCUMENT_ID_LENGTH = 27
# The documented name of a type → the types it finds.
SEARCHED_TYPES = {"doc": ("doc", "docx")}


@endpoint
def create_document(ep: Episode, *, data: Arguments = NOTHING) -> Result:
    """Create an empty document and return it.

    Args:
        data: ``title``, plain text of up to 800 characters; ``folder_token``, empty for the root.

    Raises:
        FieldValidationFailed: the title is too long.
        FolderNotFound: no such folder.
        NoFolderPermission: the person may not add to it.

    Source: https://open.feishu.cn/document/server-docs/docs/docs/docx-v1/document/create
    """
    title, folder_token = data.get("title", ""), data.get("folder_token") or None
    require_length("title", title, TITLE_MOST)
    if folder_token is not None:
        folder = access.find_file(ep, folder_token, "folder")
        if folder is None or folder["is_deleted"]:
            raise errors.FolderNotFound
        if access.level(ep, folder_token) < access.EDIT:
            raise errors.NoFolderPermission
    document_id = _add(ep, title, "", folder_token)
    return {"document": {"document_id": document_id, "revision_id": 1, "title": title}}


@endpoint
def read_document(ep: Episode, *, path: Arguments, params: Arguments = NOTHING) -> Result:
    """Return a document's title and text, a line for each block.

    Args:
        params: ``lang``: 1 shows people who are mentioned under their English names.

    Raises:
        FieldValidationFailed: the id is not 27 characters long, or no such language.
        DocumentNotFound: no such document.
        DocumentDeleted: it is in the bin.
        DocumentForbidden: the person may not read it.

    Source: https://open.feishu.cn/document/server-docs/docs/docs/docx-v1/document/raw_content
    """
    document_id = path["document_id"]
    require_length("document_id", document_id, DOCUMENT_ID_LENGTH, DOCUMENT_ID_LENGTH)
    if integer_parameter(params, "lang", 0) not in (0, 1, 2):
        raise errors.FieldValidationFailed("lang", "options: [0,1,2]", value=str(int(params["lang"])))
    file = access.find_file(ep, document_id, "docx")
    if file is None:
        raise errors.DocumentNotFound
    if file["is_deleted"]:
        raise errors.DocumentDeleted
    if access.level(ep, document_id) < access.VIEW:
        raise errors.DocumentForbidden
    source = ep.db.scalar("SELECT markdown FROM documents WHERE document_id = ?", document_id) or ""
    names = markdown.written_name if params.get("lang") != 1 else _english_names(ep, source)
    return {"content": markdown.plain_text(file["title"], source, names)}


@endpoint
def import_document(ep: Episode, *, data: Arguments) -> Result:
    """Make a document of a Markdown text and return the finished import task.

    Args:
        data: ``markdown``, at most 20 MB; ``file_name``, the title.

    Raises:
        ImportFailed: the text is empty or too large.

    Not simulated: pictures, and an import that is still running after five seconds.

    Source: https://open.feishu.cn/document/server-docs/docs/drive-v1/import_task/get
    """
    source = data["markdown"]
    if not 0 < len(source.encode()) <= IMPORT_BYTES_MOST:
        raise errors.ImportFailed
    # The MCP server uploads the text as docx.md, whose stem names the document when nothing else does.
    token = _add(ep, data.get("file_name") or "docx", source, None)
    result = {
        "ticket": ep.new_id("ticket"),
        "type": "docx",
        "job_status": 0,
        "job_error_msg": "success",
        "token": token,
        "url": access.url(ep, "docx", token),
    }
    notices = list(markdown.read(source).notices)
    return {"result": {**result, "extra": notices} if notices else result}


@endpoint
def search_files(ep: Episode, *, data: Arguments) -> Result:
    """Return the files the person may see whose title or content holds every word of the key, titles first.

    A document's content is its text, that of a base the names of its tables and fields and what its records say.

    Args:
        data: ``search_key``; ``count`` up to 50 and ``offset``, together below 200; ``owner_ids``, ``chat_ids`` and
            ``docs_types`` narrow it.

    Raises:
        FieldValidationFailed: count or offset out of range.

    Source: https://open.feishu.cn/document/server-docs/docs/drive-v1/search/document-search
    """
    count, offset = _window(data)
    words = data["search_key"].split()
    # SQLite takes no patterns beyond 50 000 bytes, and nobody's text has words so long.
    if not words or max(map(len, words)) > WORD_MOST:
        return {"docs_entities": [], "has_more": False, "total": 0}
    page, total = _search(ep, words, data, count, offset)
    return {
        "docs_entities": [
            {"docs_token": row["token"], "docs_type": row["type"], "owner_id": row["owner_id"], "title": row["title"]}
            for row in page
        ],
        "has_more": offset + len(page) < total,
        "total": total,
    }


def _window(data: Arguments) -> tuple[int, int]:
    count = integer_parameter(data, "count", SEARCH_COUNT_DEFAULT)
    offset = integer_parameter(data, "offset", 0)
    for name, value in (("count", count), ("offset", offset)):
        if value < 0:
            raise errors.FieldValidationFailed(name, "the min value is 0", value=str(value))
    if count > SEARCH_COUNT_MOST:
        raise errors.FieldValidationFailed("count", f"the max value is {SEARCH_COUNT_MOST}", value=str(count))
    if count + offset >= SEARCH_REACH:
        most = SEARCH_REACH - count - 1
        raise errors.FieldValidationFailed("offset", f"the max value is {most}", value=str(offset))
    return count, offset


# Every word must stand in the title or the content; LIKE ignores case for ASCII, instr would not. Of a record only what
# people read counts: ids of people, files and linked records are passed over.
HOLDS_EVERY_WORD = """
NOT EXISTS (
  SELECT 1 FROM json_each(:words) w
  WHERE f.title || char(10) || coalesce(d.markdown, '') NOT LIKE w.value ESCAPE '\\'
    AND NOT (f.type = 'bitable' AND EXISTS (
      SELECT 1 FROM base_tables t WHERE t.app_token = f.token AND (
        t.name LIKE w.value ESCAPE '\\'
        OR EXISTS (SELECT 1 FROM base_fields c WHERE c.table_id = t.table_id AND c.field_name LIKE w.value ESCAPE '\\')
        OR EXISTS (SELECT 1 FROM base_records r, json_tree(r.fields) cell WHERE r.table_id = t.table_id
                   AND cell.type = 'text' AND cell.value LIKE w.value ESCAPE '\\'
                   AND coalesce(cell.key, '') NOT IN ('id', 'file_token')
                   AND NOT EXISTS (SELECT 1 FROM base_records linked WHERE linked.record_id = cell.value))))))
"""
_MATCHES = f"""
SELECT f.token, f.type, f.owner_id, f.title, f.edited_at,
       NOT EXISTS (SELECT 1 FROM json_each(:words) w WHERE f.title NOT LIKE w.value ESCAPE '\\') AS in_title
FROM files f LEFT JOIN documents d ON d.document_id = f.token
WHERE NOT f.is_deleted AND f.type != 'folder'
  AND {HOLDS_EVERY_WORD}
  AND (:types IS NULL OR f.type IN (SELECT value FROM json_each(:types)))
  AND (:owners IS NULL OR f.owner_id IN (SELECT value FROM json_each(:owners)))
  AND (:chats IS NULL OR f.chat_id IN (SELECT value FROM json_each(:chats))
       OR EXISTS (SELECT 1 FROM collaborators c JOIN json_each(:chats) chat ON chat.value = c.member_id
                  WHERE c.token = f.token AND c.member_type = 'openchat'))
"""
# Part of a base → the bases that have these.
_OF_BASES = {
    table: f"SELECT DISTINCT t.app_token FROM base_tables t {joined} IN (SELECT value FROM json_each(?)) ORDER BY 1"
    for table, joined in {
        "base_tables": "WHERE t.table_id",
        "base_fields": "JOIN base_fields c USING (table_id) WHERE c.field_id",
        "base_records": "JOIN base_records r USING (table_id) WHERE r.record_id",
    }.items()
}
AMONG = " AND f.token IN (SELECT value FROM json_each(:among)) "
# Those of the matches that the person may see.
_SEEN = f"""
WITH RECURSIVE matches AS MATERIALIZED ({{matches}}), asked(token) AS (SELECT token FROM matches), {access.GRANTS},
seen AS (SELECT * FROM matches WHERE token IN (SELECT start FROM grants WHERE level > {access.NOBODY}))
"""
_PAGE = (
    _SEEN
    + """
SELECT token, type, owner_id, title, count(*) OVER () AS total FROM seen
ORDER BY in_title DESC, edited_at DESC, token LIMIT :count OFFSET :offset
"""
)
_TOTAL = _SEEN + "SELECT count(*) FROM seen"


def like(word: str) -> str:
    """Return the LIKE pattern that finds a word anywhere; the escape character is a backslash."""
    for sign in "\\%_":
        word = word.replace(sign, f"\\{sign}")
    return f"%{word}%"


def candidates(ep: Episode, words: list[str]) -> str | None:
    """Return, as JSON, the tokens of the files worth reading for these words, or None for every file."""
    found: set[str] | None = None
    # Nobody types so many words; the first ones narrow enough.
    for word in words[:WORDS_ASKED_MOST]:
        holding: set[str] | None = set()
        for table in ("files", "documents", *_OF_BASES):
            keys = ep.db.candidates(table, word)
            holding = None if keys is None or holding is None else holding | _files_of(ep, table, keys)
        if holding is not None:
            found = holding if found is None else found & holding
    return None if found is None else json.dumps(list(found))


def _files_of(ep: Episode, table: str, keys: set[str]) -> set[str]:
    if table not in _OF_BASES or not keys:
        return keys
    return {row["app_token"] for row in ep.db.all(_OF_BASES[table], json.dumps(list(keys)))}


def _search(ep: Episode, words: list[str], data: Arguments, count: int, offset: int) -> tuple[list[Row], int]:
    """Return a page of the files that the person may see, and how many there are on all pages.

    Reads all files: words that the index does not know may stand in any title or text.
    """

    def listed(name: str) -> str | None:
        return json.dumps(data[name]) if data.get(name) else None

    types = [kind for name in data.get("docs_types", ()) for kind in SEARCHED_TYPES.get(name, (name,))]
    values: dict[str, Any] = {
        "me": ep.me,
        "words": json.dumps([like(word) for word in words]),
        "types": json.dumps(types) if types else None,
        "owners": listed("owner_ids"),
        "chats": listed("chat_ids"),
    }
    matches, among = _MATCHES, candidates(ep, words)
    if among is not None:
        matches += AMONG
        values["among"] = among
    page = ep.db.all(_PAGE.format(matches=matches), **values, count=count, offset=offset)
    # A page without rows cannot tell.
    return page, page[0]["total"] if page else ep.db.scalar(_TOTAL.format(matches=matches), **values)


def _add(ep: Episode, title: str, source: str, folder_token: str | None) -> str:
    token = ep.new_id("file")
    access.add_file(ep, token, kind="docx", title=title, folder_token=folder_token)
    ep.db.insert("documents", document_id=token, markdown=source)
    return token


def _english_names(ep: Episode, source: str) -> markdown.Names:
    people = find_users(ep, markdown.mentioned(source))

    def name(open_id: str, written: str) -> str:
        person = people.get(open_id)
        return (person["en_name"] or person["name"]) if person is not None else written

    return name
