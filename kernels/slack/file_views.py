"""Files attached to messages, as histories and threads show them. No tool of this server opens or uploads one."""

from __future__ import annotations

from typing import Any

from farm.appkit import Row, parse_json

_THUMBNAILS = (64, 80, 360, 480, 160)


def file_views(row: Row, team_id: str) -> list[dict[str, Any]]:
    """Return the files of a message.

    Source: https://docs.slack.dev/reference/objects/file-object
    """
    return [_file(each, row, team_id) for each in parse_json(row["files"])]


def _file(file: dict[str, Any], row: Row, team_id: str) -> dict[str, Any]:
    made = int(row["ts"].partition(".")[0])
    stored = f"https://files.slack.example/files-pri/{team_id}-{file['id']}"
    return {
        "id": file["id"],
        "created": made,
        "timestamp": made,
        "name": file["name"],
        "title": file["title"],
        "mimetype": file["mimetype"],
        "filetype": file["filetype"],
        "pretty_type": file["pretty_type"],
        "user": row["user_id"],
        "user_team": team_id,
        "editable": False,
        "size": file["size"],
        "mode": "hosted",
        "is_external": False,
        "external_type": "",
        "is_public": file["is_public"],
        "public_url_shared": False,
        "display_as_bot": False,
        "username": "",
        "url_private": f"{stored}/{file['name']}",
        "url_private_download": f"{stored}/download/{file['name']}",
        # What somebody wrote for who cannot see an image, and what Slack heard in a clip.
        **{name: file[name] for name in ("alt_txt", "transcription") if name in file},
        "media_display_type": "audio" if file["mimetype"].startswith("audio/") else "unknown",
        **_picture(file, team_id),
        "permalink": f"https://files.slack.example/files/{row['user_id']}/{file['id']}/{file['name']}",
        "permalink_public": f"https://slack-files.example/{team_id}-{file['id']}",
        "has_rich_preview": False,
        "file_access": "visible",
    }


def _picture(file: dict[str, Any], team_id: str) -> dict[str, Any]:
    """Return what images have beside: thumbnails no larger than they are, and their size."""
    if "original_w" not in file:
        return {}
    width, height = file["original_w"], file["original_h"]
    stem, _, _ = file["name"].rpartition(".")
    found: dict[str, Any] = {}
    for edge in _THUMBNAILS:
        found[f"thumb_{edge}"] = f"https://files.slack.example/files-tmb/{team_id}-{file['id']}/{stem}_{edge}.png"
        if edge in (360, 480):
            scale = min(1, edge / max(width, height))
            found |= {f"thumb_{edge}_w": int(width * scale), f"thumb_{edge}_h": int(height * scale)}
    return found | {"original_w": width, "original_h": height}
