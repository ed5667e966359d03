"""Libraries: which there are of a name, the likeliest first."""

from __future__ import annotations

import re

from farm.appkit import Episode, Result, Row, VendorError
from farm.appkit.formats.javascript import js_length, js_number_text

from . import errors
from .words import normalize, words

_RESULTS_MAX = 10
_EXACT, _PREFIX, _PART, _WORD = 100, 60, 30, 5
_LENGTH_MAX = 500
_ID = re.compile(r"(?P<library_id>/[^/]+/[^/]+?)([/@][^/]+)?")
_RULE = "\n----------\n"
# (least trust score, label); below none and unknown the label is Unknown.
_REPUTATIONS = ((7, "High"), (4, "Medium"), (0, "Low"))

_EXPLAINED = """Available Libraries:

Each result includes:
- Library ID: Context7-compatible identifier (format: /org/project)
- Name: Library or package name
- Description: Short summary
- Code Snippets: Number of available code examples
- Source Reputation: Authority indicator (High, Medium, Low, or Unknown)
- Benchmark Score: Quality indicator (100 is the highest score)
- Versions: List of versions if available. Use one of those versions if the user provides a version in their query. \
The format of the version is /org/project/version.

For best results, select libraries based on name match, source reputation, snippet coverage, benchmark score, and \
relevance to your use case.

----------

"""


def resolve_library_id(ep: Episode, *, query: str, libraryName: str) -> Result:
    """List up to ten libraries of a name.

    Args:
        query: what it is needed for; it only puts libraries whose description speaks of that further up.
        libraryName: the name; case and punctuation do not count.

    Raises:
        Missing, TooLong: the name or the query, of 500 characters at most.
        NoLibrariesFound: there is none.
        RateLimited, RequestFailed …: as ``require_allowed``.

    Source: the server's code, 4.1.1, and the API's OpenAPI document; the order is ours.
    """
    require_length("Library name", libraryName)
    require_length("Query", query)
    found = _find(ep, libraryName, query)
    if not found:
        raise errors.NoLibrariesFound(name=libraryName)
    return "Available Libraries:\n\n" + _RULE.join(_render_library(each, with_source=True) for each in found)


def resolve_library_name(ep: Episode, *, libraryName: str) -> Result:
    """List up to ten libraries of a name, as versions up to 1.0.33 do: behind a page on how to choose.

    Raises:
        RateLimited, RequestFailed …: as ``require_allowed``.

    Source: the server's code, 1.0.33.
    """
    found = _find(ep, libraryName, "")
    if not found:
        return "Failed to retrieve library documentation data from Context7"
    return _EXPLAINED + _RULE.join(_render_library(each, with_source=False) for each in found)


def require_allowed(ep: Episode, asked: str) -> None:
    """Ask whether the API answers to a name or an id.

    Raises:
        InvalidApiKey, NotFound, RateLimited, RequestFailed: it answers with a status instead.
    """
    refused = ep.reference.one("SELECT status, message FROM refusals WHERE asked = ?", asked)
    if refused is not None:
        raise errors.error_for_status(refused["status"], refused["message"])


def require_length(what: str, text: str) -> None:
    """Refuse an argument that the API does not take.

    Raises:
        Missing: it is empty.
        TooLong: it has more than 500 characters.
    """
    if not text:
        raise errors.Missing(what=what)
    if js_length(text) > _LENGTH_MAX:
        raise errors.TooLong(what=what, length_max=_LENGTH_MAX)


def require_library(ep: Episode, library_id: str) -> Row:
    """Return ``library_id`` and ``tag``, the version, of an id such as ``/org/project``, ``…/v2.0`` or ``…@v2.0``.

    Raises:
        WrongLibraryId: it has another form.
        LibraryNotFound: there is no such library.
        TagNotFound: it has no such version.
        InvalidApiKey, NotFound, RateLimited, RequestFailed: as ``require_allowed``.
    """
    require_allowed(ep, library_id)
    if ep.reference.one("SELECT 1 AS one FROM libraries WHERE library_id = ?", library_id):
        newest = "SELECT tag FROM versions WHERE library_id = ? ORDER BY position LIMIT 1"
        return {"library_id": library_id, "tag": ep.reference.scalar(newest, library_id)}
    for between in ("@", "/"):
        name, _, tag = library_id.rpartition(between)
        version = ep.reference.one("SELECT library_id, tag FROM versions WHERE library_id = ? AND tag = ?", name, tag)
        if version is not None:
            require_allowed(ep, name)
            return version
    raise _unknown(ep, library_id)


def _unknown(ep: Episode, asked: str) -> VendorError:
    """Return what an id is refused with that names nothing."""
    read = _ID.fullmatch(asked)
    if read is None:
        return errors.WrongLibraryId()
    library_id = read["library_id"]
    if not ep.reference.one("SELECT 1 AS one FROM libraries WHERE library_id = ?", library_id):
        return errors.LibraryNotFound(library_id=library_id)
    tags = ", ".join(_tags(ep, library_id))
    return errors.TagNotFound(tag=asked[len(library_id) + 1 :], library_id=library_id, tags=tags)


def _find(ep: Episode, name: str, query: str) -> list[Row]:
    require_allowed(ep, name)
    asked, asked_words, about = normalize(name), words(name), words(query)
    scored = []
    for row in ep.reference.all("SELECT * FROM libraries ORDER BY library_id"):
        described = words(f"{row['title']} {row['description']}")
        if nearness := _nearness(asked, row) or _WORD * len(asked_words & described):
            scored.append((nearness + _WORD * len(about & described), row))
    scored.sort(key=lambda each: (-each[0], -(each[1]["trust_score"] or 0), -(each[1]["code_snippets"] or 0)))
    found = [row for _, row in scored[:_RESULTS_MAX]]
    for row in found:
        row["versions"] = _tags(ep, row["library_id"])
    return found


def _tags(ep: Episode, library_id: str) -> list[str]:
    rows = ep.reference.all("SELECT tag FROM versions WHERE library_id = ? ORDER BY position", library_id)
    return [each["tag"] for each in rows]


def _nearness(asked: str, library: Row) -> int:
    """Say how near a plain name is to a library's title or id; 0: it is another one's."""
    names = {
        normalize(library["title"]),
        normalize(library["library_id"].rpartition("/")[2]),
        normalize(library["library_id"]),
    }
    if not asked:
        return 0
    if asked in names:
        return _EXACT
    if any(each.startswith(asked) for each in names) or asked in map(normalize, library["also_called"].split(",")):
        return _PREFIX
    return _PART if any(asked in each or (len(each) > 2 and each in asked) for each in names) else 0


def _render_library(library: Row, *, with_source: bool) -> str:
    lines = [
        f"- Title: {library['title']}",
        f"- Context7-compatible library ID: {library['library_id']}",
        f"- Description: {library['description']}",
    ]
    if library["code_snippets"] is not None:
        lines.append(f"- Code Snippets: {library['code_snippets']}")
    lines.append(f"- Source Reputation: {_reputation(library['trust_score'])}")
    if library["benchmark_score"]:
        lines.append(f"- Benchmark Score: {js_number_text(library['benchmark_score'])}")
    if library["versions"]:
        lines.append(f"- Versions: {', '.join(library['versions'])}")
    if with_source and library["source"]:
        lines.append(f"- Source: {library['source']}")
    return "\n".join(lines)


def _reputation(trust_score: float | None) -> str:
    if trust_score is None:
        return "Unknown"
    return next((label for least, label in _REPUTATIONS if trust_score >= least), "Unknown")
