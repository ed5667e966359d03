"""Files that a test gives to its world, in the form of the control API."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from pytest_mcp_farm.errors import McpFarmError

Content = str | bytes | os.PathLike[str]
# App → path in it → a text, bytes or a file on this disk; or files on this disk, for every app that reads such files.
GivenFiles = Mapping[str, Mapping[str, Content]] | Sequence[str | os.PathLike[str]]

__tracebackhide__ = True  # pytest shows a problem at the test's own line


def to_request(files: GivenFiles) -> dict[str, dict[str, dict[str, str]]]:
    """Return files as the control API's ``files``.

    Raises:
        McpFarmError: a file cannot be read, or a value has the wrong form.
    """
    if isinstance(files, Mapping):
        return {app: {path: _body(path, each) for path, each in _listed(app, given)} for app, given in files.items()}
    if isinstance(files, str | bytes) or not isinstance(files, Sequence):
        raise McpFarmError("files is a list of paths, or a dict of app → path → content, not " + repr(files))
    paths = [Path(each).absolute() for each in files]
    return {"*": {str(path): _read(path) for path in paths}}


def _listed(app: str, given: Mapping[str, Content]) -> list[tuple[str, Content]]:
    if not isinstance(given, Mapping):
        raise McpFarmError(f"the files of {app} are a dict of path → text, bytes or pathlib.Path, not {given!r}")
    return list(given.items())


def _body(path: str, content: Content) -> dict[str, str]:
    match content:
        case str():
            return {"text": content}
        case bytes():
            return {"base64": base64.b64encode(content).decode()}
        case os.PathLike():
            return _read(Path(content))
    raise McpFarmError(f"the file '{path}' is a text, bytes or a pathlib.Path, not {content!r}")


def _read(path: Path) -> dict[str, str]:
    try:
        return {"base64": base64.b64encode(path.read_bytes()).decode()}
    except OSError as problem:
        raise McpFarmError(f"the file {path} cannot be read: {problem.strerror}") from None
