"""What there is to choose from."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, parse_json

from . import errors


def list_image_models(ep: Episode, /, **_: Any) -> Result:
    """Return the names of the models that make pictures, as the service lists them."""
    return _names(ep, "image_models")


def list_text_models(ep: Episode, /, **_: Any) -> Result:
    """Return the models that write texts, as the service lists them."""
    _names(ep, "text_models")
    rows = ep.reference.all("SELECT * FROM text_models ORDER BY position")
    shown = ("name", "description", "provider", "tier")
    return {
        "models": [
            {
                **{column: row[column] for column in shown},
                "input_modalities": parse_json(row["input_modalities"]),
                "output_modalities": parse_json(row["output_modalities"]),
                "tools": bool(row["tools"]),
            }
            for row in rows
        ]
    }


def list_audio_voices(ep: Episode, /, **_: Any) -> Result:
    """Return the voices that the server knows by heart."""
    return {"voices": _names(ep, "voices")}


def is_known(ep: Episode, table: str, name: str) -> bool:
    """Tell whether the service has a model, or a voice, of this name as it stands in a request."""
    return name in _names(ep, table)


def _names(ep: Episode, table: str) -> list[str]:
    """Return all names.

    Raises:
        FetchFailed: there is no service where there is nothing to choose.
    """
    names = [row["name"] for row in ep.reference.all(f"SELECT name FROM {table} ORDER BY position")]
    if not names:
        raise errors.FetchFailed
    return names
