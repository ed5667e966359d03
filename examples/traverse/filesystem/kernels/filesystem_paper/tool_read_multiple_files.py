"""Reading several files."""

from typing import Any

from farm.appkit import Episode, Result

from . import context


def read_multiple_files(ep: Episode, *, paths: list[Any]) -> Result:
    """Return the texts of files; a refusal stands in the place of its file."""
    results = []
    for path in paths:
        valid, refusal = context.checked(ep, path)
        text = ""
        if not refusal:
            text, refusal = context.read_whole(ep, valid)
        results.append(f"{path}: Error - {refusal}" if refusal else f"{path}:\n{text}\n")
    return "\n---\n".join(results)
