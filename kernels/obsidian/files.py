"""Files: folders' lists, texts, writing and deleting."""

from __future__ import annotations

import json

from farm.appkit import Episode, Json, Result, VendorError

from . import errors
from .urls import request_target
from .vaults import body_of, connect, connect_to, require_file_path, text_of

_STATUS_PAGE = "/"
# What the plugin says of itself at its root; versions and validity of what it runs in are (inferred).
_STATUS = {
    "status": "OK",
    "manifest": {
        "id": "obsidian-local-rest-api",
        "name": "Local REST API",
        "version": "3.2.0",
        "minAppVersion": "0.12.0",
        "description": "Get, change or otherwise interact with your notes in Obsidian via a REST API.",
        "author": "Adam Coddington",
        "authorUrl": "https://coddingtonbear.net/",
        "isDesktopOnly": True,
    },
    "versions": {"obsidian": "1.8.10", "self": "3.2.0"},
    "service": "Obsidian Local REST API",
    "authenticated": True,
    "certificateInfo": {"validityDays": 330, "regenerateRecommended": False},
    "apiExtensions": [],
}
_JSON = Json(indented=True)


def list_files_in_vault(ep: Episode) -> Result:
    """Return the names at the top of the vault, folders with a slash behind them.

    Raises:
        NotFound: the vault is empty.

    Source: the plugin's requestHandler.ts, 3.2.0
    """
    return connect(ep, "/vault/").list_folder("")


def list_files_in_dir(ep: Episode, *, dirpath: str) -> Result:
    """Return the names in a folder.

    Args:
        dirpath: without a slash at its end: the server adds one, and ``Projects//`` is no folder.

    Raises:
        NotFound: no file is in it or below it.
    """
    if is_status_page(f"{dirpath}/"):
        connect(ep, _STATUS_PAGE)
        # The page says how the plugin is, and has no such member.
        raise errors.ServerError("'files'")
    vault, path = connect_to(ep, f"{dirpath}/")
    return vault.list_folder(path)


def get_file_contents(ep: Episode, *, filepath: str) -> Result:
    """Return a file's text as a JSON string; of a path with a slash at its end, the folder's list.

    Raises:
        NotFound: no such file, or it is a folder.
    """
    return json.dumps(read_text(ep, filepath))


def batch_get_file_contents(ep: Episode, *, filepaths: list[str]) -> Result:
    """Return the texts of several files, each below its path; what cannot be read says so in its place."""
    return "".join(f"# {filepath}\n\n{_read_or_say(ep, filepath)}\n\n---\n\n" for filepath in filepaths)


def append_content(ep: Episode, *, filepath: str, content: str) -> Result:
    """Add a text at the end of a file, on a new line; the file is made if there is none.

    A file that Obsidian does not show is replaced, as is one whose path has doubled slashes.

    Raises:
        RequestMethodValidOnlyForFiles: the path is a folder's.
        ReadTimedOut: it names a folder, or leads through a file.
    """
    added = body_of(content)
    vault, path = connect_to(ep, filepath)
    require_file_path(path)
    file = vault.find_indexed(path)
    before = "" if file is None else text_of(file)
    if file is not None and not before.endswith("\n"):
        before += "\n"
    vault.write(path, before + added)
    return f"Successfully appended content to {filepath}"


def put_content(ep: Episode, *, filepath: str, content: str) -> Result:
    """Make a file, or replace all of it.

    Raises:
        RequestMethodValidOnlyForFiles: the path is a folder's.
        ReadTimedOut: it names a folder, or leads through a file.
    """
    body = body_of(content)
    vault, path = connect_to(ep, filepath)
    require_file_path(path)
    vault.write(path, body)
    return f"Successfully uploaded content to {filepath}"


def delete_file(ep: Episode, *, filepath: str, confirm: bool) -> Result:
    """Delete a file.

    Raises:
        ServerError: not confirmed.
        RequestMethodValidOnlyForFiles: the path ends in a slash.
        NotFound: nothing is there.
        ReadTimedOut: it is a folder.
    """
    if not confirm:
        raise errors.ServerError("confirm must be set to true to delete a file")
    vault, path = connect_to(ep, filepath)
    require_file_path(path)
    file = vault.find_file(path)
    if file is None:
        raise errors.ReadTimedOut if vault.is_folder(path) else errors.NotFound
    vault.delete(file["path"])
    return f"Successfully deleted {filepath}"


def read_text(ep: Episode, filepath: str) -> str:
    """Return what a request for a path is answered with: a file's text, or a folder's list as JSON."""
    if is_status_page(filepath):
        connect(ep, _STATUS_PAGE)
        return _JSON.text(_STATUS)
    vault, path = connect_to(ep, filepath)
    if not path or path.endswith("/"):
        return _JSON.text({"files": vault.list_folder(path)})
    file = vault.find_file(path)
    if file is None:
        raise errors.NotFound
    return text_of(file)


def is_status_page(path: str) -> bool:
    """Return whether dots lead from the vault to the plugin's root."""
    return request_target(f"/vault/{path}") == _STATUS_PAGE


def _read_or_say(ep: Episode, filepath: str) -> str:
    try:
        return read_text(ep, filepath)
    except VendorError as error:
        return f"Error reading file: {error.message}"
