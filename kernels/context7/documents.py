"""Documents: the pieces of a library's documentation that are nearest to a question."""

from __future__ import annotations

from farm.appkit import Episode, Result, Row

from . import errors
from .libraries import require_length, require_library
from .words import words

_SNIPPETS_MAX, _OVERVIEW_MAX, _PAGE = 5, 3, 10
_RULE = "-" * 32
_TITLE_WEIGHT, _TEXT_WEIGHT = 3, 1
_MISSING = (
    "Documentation not found or not finalized for this library. This might have happened because you used an invalid"
    " Context7-compatible library ID. To get a valid Context7-compatible library ID, use the 'resolve-library-id' with"
    " the package name you wish to retrieve documentation for."
)
# Those for every version and those for the version asked for; without one, the newest.
_SNIPPETS = """
SELECT kind, title, source_url, text, language, code, keywords FROM snippets
WHERE library_id = :library_id AND (tag IS NULL OR tag = :tag) ORDER BY position
"""


def query_docs(ep: Episode, *, libraryId: str, query: str) -> Result:
    """Show the five pieces that are nearest to a question, or the library's first three where none is near.

    Raises:
        Missing, TooLong: the id or the query, of 500 characters at most.
        WrongLibraryId, LibraryNotFound, TagNotFound, RateLimited …: as ``libraries.require_library``.

    Source: the server's code, 4.1.1, and the API's OpenAPI document, for what stands around the pieces;
        which they are is ours.
    """
    require_length("Library ID", libraryId)
    require_length("Query", query)
    snippets = ep.reference.all(_SNIPPETS, **require_library(ep, libraryId))
    asked = words(query)
    scored = [(each, _nearness(each, asked)) for each in snippets]
    near = [each for each, score in sorted(scored, key=lambda each: -each[1]) if score]
    return _render_snippets(near[:_SNIPPETS_MAX] or snippets[:_OVERVIEW_MAX]) or _MISSING


def get_library_docs(
    ep: Episode, *, context7CompatibleLibraryID: str, mode: str = "code", topic: str = "", page: int = 1
) -> Result:
    """Show ten pieces a page, those nearest to the topic first, as versions up to 1.0.33 do.

    Args:
        context7CompatibleLibraryID: the slash before it may be left out; what stands behind the version is ignored.
        mode: ``code`` for pieces with code, ``info`` for those without.

    Raises:
        InvalidLibraryId: it has no slash in it.
        WrongLibraryId, LibraryNotFound, TagNotFound, RateLimited …: as ``libraries.require_library``.

    Source: the server's code, 1.0.33.
    """
    parts = context7CompatibleLibraryID.removeprefix("/").split("/")
    if len(parts) < 2:
        raise errors.InvalidLibraryId(library_id=context7CompatibleLibraryID)
    library = require_library(ep, "/" + "/".join(part for part in parts[:3] if part))
    snippets = [each for each in ep.reference.all(_SNIPPETS, **library) if each["kind"] == mode]
    if topic:
        asked = words(topic)
        snippets.sort(key=lambda each: -_nearness(each, asked))
    shown = _render_snippets(snippets[_PAGE * (page - 1) : _PAGE * page])
    if shown:
        return shown
    other = "info' for guides and tutorials" if mode == "code" else "code' for API references and code examples"
    return f"No {mode} documentation available for this library. Try mode='{other}."


def _nearness(snippet: Row, asked: set[str]) -> int:
    first, text = words(f"{snippet['title']} {snippet['keywords']}"), words(f"{snippet['text']} {snippet['code']}")
    return _TITLE_WEIGHT * len(asked & first) + _TEXT_WEIGHT * len(asked & text)


def _render_snippets(snippets: list[Row]) -> str:
    return "\n".join(map(_block, snippets))


def _block(snippet: Row) -> str:
    parts = [f"### {snippet['title']}", f"Source: {snippet['source_url']}", snippet["text"]]
    if snippet["code"] is not None:
        parts.append(f"```{snippet['language'] or ''}\n{snippet['code']}\n```")
    return "\n\n".join([*parts, f"{_RULE}\n"])
