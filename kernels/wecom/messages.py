"""Messages: what the robot says in its group chat, in four forms, and a fifth that never gets out."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Sequence

from farm.appkit import Episode, Result

from . import errors, webhook

_TEXT_BYTES_MAX = 2048
_MARKDOWN_BYTES_MAX = 4096
_TITLE_BYTES_MAX = 128
_DESCRIPTION_BYTES_MAX = 512
_IMAGE_BYTES_MAX = 2 * 1024 * 1024
_IMAGE_HEADS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")
_MENTION = re.compile(r"<@([^<>\s]+)>")


def send_text(
    ep: Episode, *, content: str = "", mentioned_list: str | None = None, mentioned_mobile_list: str | None = None
) -> Result:
    """Send a text. It goes wherever the server was last turned to: into the group, or astray behind an upload.

    Args:
        content: up to 2048 bytes; ``<@userid>`` in it mentions.
        mentioned_list: user ids between commas, taken as they stand; ``@all`` is everybody.
        mentioned_mobile_list: mobile numbers likewise. Both lists count, or neither: one without the other is a
            panic, one beside an empty one is dropped.

    Raises:
        EmptyContent, InvalidRequestParameter: nothing to say, or too much.
        InvalidWebhookUrl, InvalidMediaType, ApiFreqOutOfLimit: as ``webhook.require_sender``.

    Source: https://developer.work.weixin.qq.com/document/path/99110
    """
    lists = (mentioned_list, mentioned_mobile_list)
    userids, mobiles = (each.split(",") if all(lists) and each else [] for each in lists)
    key = webhook.require_sender(ep)
    _require_content(ep, "text.content", content, _TEXT_BYTES_MAX)
    webhook.deliver(ep, key, "text", content=content, **_mentioned(content, userids, mobiles))
    return "Text message sent successfully"


def send_markdown(ep: Episode, *, content: str = "") -> Result:
    """Send Markdown of up to 4096 bytes; ``<@userid>`` in it mentions.

    Raises:
        EmptyContent, InvalidRequestParameter: nothing to say, or too much.
        InvalidWebhookUrl, ApiFreqOutOfLimit: as ``webhook.require_sender``.

    Source: https://developer.work.weixin.qq.com/document/path/99110
    """
    webhook.turn_to(ep, webhook.SEND)
    key = webhook.require_sender(ep)
    _require_content(ep, "markdown.content", content, _MARKDOWN_BYTES_MAX)
    webhook.deliver(ep, key, "markdown", content=content, **_mentioned(content))
    return "Markdown message sent successfully"


def send_image(ep: Episode, *, base64_data: str = "", md5: str = "") -> Result:
    """Send a JPG or PNG of up to 2 MB.

    Args:
        base64_data: the picture, without a ``data:`` prefix.
        md5: of the picture itself, not of its base64; lower-case hexadecimal.

    Raises:
        InvalidRequestParameter: one of the two is empty, or the data no base64.
        InvalidImageSize, MediaFileMd5DoesNotMatch, InvalidMediaType: the picture is too large, another one, or none.
        InvalidWebhookUrl, ApiFreqOutOfLimit: as ``webhook.require_sender``.

    Source: https://developer.work.weixin.qq.com/document/path/99110
    """
    webhook.turn_to(ep, webhook.SEND)
    key = webhook.require_sender(ep)
    _require_filled(ep, "image.base64", base64_data)
    _require_filled(ep, "image.md5", md5)
    try:
        image = base64.b64decode(base64_data, validate=True)
    except (binascii.Error, ValueError):
        raise errors.InvalidRequestParameter(ep, problem="image.base64 is not base64") from None
    if len(image) > _IMAGE_BYTES_MAX:
        raise errors.InvalidImageSize(ep)
    if hashlib.md5(image, usedforsecurity=False).hexdigest() != md5:
        raise errors.MediaFileMd5DoesNotMatch(ep)
    if not image.startswith(_IMAGE_HEADS):
        raise errors.InvalidMediaType(ep)
    webhook.deliver(ep, key, "image", md5=md5, size_bytes=len(image))
    return "Image message sent successfully"


def send_news(ep: Episode, *, title: str = "", description: str = "", url: str = "", picurl: str = "") -> Result:
    """Send a card with a link.

    Args:
        title: cut after 128 bytes.
        description: cut after 512 bytes.
        url: where the card leads.
        picurl: its picture, or an empty text.

    Raises:
        InvalidRequestParameter: without a title or a link.
        InvalidWebhookUrl, ApiFreqOutOfLimit: as ``webhook.require_sender``.

    Source: https://developer.work.weixin.qq.com/document/path/99110
    """
    webhook.turn_to(ep, webhook.SEND)
    key = webhook.require_sender(ep)
    _require_filled(ep, "news.articles.title", title)
    _require_filled(ep, "news.articles.url", url)
    shown = {"title": _truncate(title, _TITLE_BYTES_MAX), "description": _truncate(description, _DESCRIPTION_BYTES_MAX)}
    webhook.deliver(ep, key, "news", **shown, url=url, picurl=picurl)
    return "News message sent successfully"


def send_template_card(ep: Episode) -> Result:
    """Never run: a call panics at what the app's dialect asserts.

    Not simulated: template cards, which nobody has ever sent with this server.
    """
    raise AssertionError("a JSON value was taken for a Go int")


def _require_content(ep: Episode, field: str, content: str, bytes_max: int) -> None:
    if not content:
        raise errors.EmptyContent(ep)
    if len(content.encode()) > bytes_max:
        raise errors.InvalidRequestParameter(ep, problem=f"{field} exceed max length {bytes_max}")


def _require_filled(ep: Episode, field: str, value: str) -> None:
    if not value:
        raise errors.InvalidRequestParameter(ep, problem=f"{field} exceed min length 1")


def _mentioned(content: str, userids: Sequence[str] = (), mobiles: Sequence[str] = ()) -> dict[str, str]:
    """Return whom a message mentions, in its list and in its text, as columns; whether they are there is not asked."""
    named = dict.fromkeys([*userids, *_MENTION.findall(content)])
    return {
        "mentioned_userids": json.dumps(list(named), ensure_ascii=False),
        "mentioned_mobiles": json.dumps(mobiles, ensure_ascii=False),
    }


def _truncate(text: str, bytes_max: int) -> str:
    """Return the beginning of a text that fits, without half a character at its end."""
    return text.encode()[:bytes_max].decode(errors="ignore")
