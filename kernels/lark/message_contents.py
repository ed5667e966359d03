"""What a message says: the JSON text a request gives, checked, and turned into the form it is read in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from farm.appkit import Episode, Row

from . import cards, errors, post_markdown, users
from .post_markdown import AT

TEXT_BYTES_MOST = 150 * 1024
RICH_BYTES_MOST = 30 * 1024
# Tag of a post → what it cannot do without, in the order it is missed.
_POST_TAGS: dict[str, tuple[str, ...]] = {
    "text": ("text",),
    "a": ("href", "text"),
    "at": ("user_id",),
    "img": ("image_key",),
    "media": ("file_key",),
    "emotion": ("emoji_type",),
    "hr": (),
    "code_block": ("text",),
    "md": ("text",),
}
_CARD_PARTS = {"elements", "body", "i18n_elements", "header", "i18n_header"}
# The languages a post may come in, the preferred first.
LANGUAGES = (
    *("zh_cn", "en_us", "ja_jp", "zh_hk", "zh_tw", "ko_kr", "fr_fr", "de_de"),
    *("es_es", "it_it", "pt_br", "ru_ru", "id_id", "ms_my", "th_th", "vi_vn"),
)
# Signs of style in a text: bold, italic, underlined, struck out.
_STYLE = re.compile(r"\*\*|</?[ius]>")
# Kinds of messages around one uploaded file, and the name of its key.
_RESOURCES = {"image": "image_key", "file": "file_key", "audio": "file_key", "media": "file_key", "sticker": "file_key"}


@dataclass(slots=True)
class Content:
    """A message's content as it is read, with whom it mentions in order."""

    body: dict[str, Any]
    mentions: list[dict[str, str]] = field(default_factory=list)
    mentions_all: bool = False

    @property
    def text(self) -> str:
        """The body as JSON, the way the platform prints it."""
        return json.dumps(self.body, ensure_ascii=False, separators=(",", ":"))


def read(ep: Episode, msg_type: str, content: str) -> Content:
    """Return what a request's content says.

    Raises:
        InvalidMessageParameter, InvalidMessageContent: no such type, or content that does not fit it.
        ContentTooLong: over 150 KB, or 30 KB for posts and cards.
        NotOwnerOfResource: a file the caller never uploaded.
        ChatCannotBeShared: the card of a chat of two.
        CardContentFailed: no card.
    """
    if msg_type == "system":
        # Only an app may, and every call here is a person's.
        raise errors.InvalidMessageParameter("sending system messages as a user is not supported")
    reader = _READERS.get(msg_type)
    if reader is None:
        raise errors.InvalidMessageParameter("invalid msg_type")
    try:
        given: Any = json.loads(content)
    except (ValueError, RecursionError):
        given = None
    if given is None:
        raise errors.InvalidMessageParameter("content is not a string in json format")
    if not isinstance(given, dict):
        raise _wrong_format(msg_type)
    most = RICH_BYTES_MOST if msg_type in ("post", "interactive") else TEXT_BYTES_MOST
    if len(content.encode("utf-8", "replace")) > most:
        raise errors.ContentTooLong
    return reader(ep, given, msg_type)


def _wrong_format(msg_type: str) -> errors.InvalidMessageContent:
    return errors.InvalidMessageContent(f"content format of the {msg_type} type is incorrect")


def _text(ep: Episode, given: dict[str, Any], msg_type: str) -> Content:
    text = given.get("text")
    if not isinstance(text, str):
        raise _wrong_format(msg_type)
    if not text.strip():
        raise errors.InvalidMessageContent
    found = Content({"text": text})
    people = _people(ep, [match[1] for match in AT.finditer(text)])

    def mention_text(match: re.Match[str]) -> str:
        return _mention(found, people, match[1]) or f"@{match[2]}"

    found.body["text"] = _strip_styles(AT.sub(mention_text, text))
    return found


def _strip_styles(text: str) -> str:
    """Return a text as it is read, without its styles; one whose signs don't pair up stays as it is."""
    opened: list[str] = []
    for sign in _STYLE.findall(text):
        begins = sign.replace("/", "")
        if opened and opened[-1] == begins and (sign == "**" or "/" in sign):
            opened.pop()
        elif begins in opened or "/" in sign:
            return text
        else:
            opened.append(sign)
    return text if opened else _STYLE.sub("", text)


def _people(ep: Episode, keys: Sequence[str]) -> dict[str, Row]:
    known: dict[str, Row] = {}
    for id_type in users.ID_TYPES:
        left = [key for key in keys if key not in known and key != "all"]
        known |= users.find_users(ep, left, id_type)
    return known


def _mention(content: Content, people: dict[str, Row], key: str) -> str | None:
    """Return the mark that stands for a mentioned person in the body; None for nobody."""
    if key == "all":
        content.mentions_all = True
        return "@_all"
    if key not in people:
        return None
    person = people[key]
    for each in content.mentions:
        if each["id"] == person["open_id"]:
            return each["key"]
    mark = f"@_user_{len(content.mentions) + 1}"
    content.mentions.append(
        {
            "key": mark,
            "id": person["open_id"],
            "id_type": "open_id",
            "name": person["name"],
            "tenant_key": person["tenant_key"],
        }
    )
    return mark


def _post(ep: Episode, given: dict[str, Any], msg_type: str) -> Content:
    """A post comes by language and is read in one, Chinese first, and its Markdown as the tags it stands for."""
    texts = {name: text for name, text in given.items() if isinstance(text, dict)}
    if not texts:
        raise _wrong_format(msg_type)
    language = next((name for name in LANGUAGES if name in texts), None)
    if language is None:
        # As when somebody puts it under "post", which only the robots of a group want.
        raise errors.InvalidMessageContent
    post = texts[language]
    title, lines = post.get("title", ""), post.get("content")
    if not isinstance(title, str) or not isinstance(lines, list) or not lines:
        raise _wrong_format(msg_type)
    found = Content({"title": title, "content": []})
    people = _people(ep, [key for each in _elements(lines) for key in _mentioned(each)])
    for line in lines:
        found.body["content"] += _paragraphs(found, people, line)
    return found


def _mentioned(element: dict[str, Any]) -> list[str]:
    match element["tag"]:
        case "at":
            return [element["user_id"]]
        case "md":
            return [found[1] for found in AT.finditer(element["text"])]
        case _:
            return []


def _paragraphs(content: Content, people: dict[str, Row], line: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return a line as it is read; Markdown has paragraphs to itself."""

    def mention(key: str) -> dict[str, Any]:
        if key != "all" and key not in people:
            raise errors.InvalidMessageContent("message_content_md_tag's text field contains invalid user id")
        return _element(content, people, {"tag": "at", "user_id": key})

    read: list[list[dict[str, Any]]] = [[]]
    for each in line:
        if each["tag"] == "md":
            read += [*post_markdown.paragraphs(each["text"], mention), []]
        else:
            read[-1].append(_element(content, people, each))
    return [paragraph for paragraph in read if paragraph] or [[]]


def _elements(lines: list[Any]) -> Iterator[dict[str, Any]]:
    for line in lines:
        if not isinstance(line, list):
            raise _wrong_format("post")
        for each in line:
            if not isinstance(each, dict):
                raise _wrong_format("post")
            tag = each.get("tag")
            if tag not in _POST_TAGS:
                raise errors.InvalidMessageContent(f"message_content has wrong tag:{{{tag}}}")
            for field_ in _POST_TAGS[tag]:
                if not isinstance(each.get(field_), str):
                    raise errors.InvalidMessageContent(f"message_content_{tag}_tag's {field_} field can't be nil")
            yield each


def _element(content: Content, people: dict[str, Row], element: dict[str, Any]) -> dict[str, Any]:
    if element["tag"] != "at":
        return element
    key = element["user_id"]
    mark = _mention(content, people, key)
    if mark is None:
        raise errors.InvalidMessageParameter("invalid user_id")
    name = "" if mark == "@_all" else people[key]["name"]
    return {"tag": "at", "user_id": mark, "user_name": name}


def _resource(ep: Episode, given: dict[str, Any], msg_type: str) -> Content:
    """Files are uploaded elsewhere; what somebody sent exists, and only what the caller sent is known to be theirs."""
    name = _RESOURCES[msg_type]
    key = given.get(name)
    if not isinstance(key, str):
        raise _wrong_format(msg_type)
    sent = ep.db.all(
        "SELECT content, sender_id FROM messages WHERE msg_type = ? "
        "AND msg_type IN ('image', 'file', 'audio', 'media', 'sticker') AND instr(content, ?) "
        "ORDER BY sender_id != ?, created_at, message_id LIMIT 1",
        msg_type,
        json.dumps(key, ensure_ascii=False),
        ep.me,
    )
    if not key or not sent:
        raise errors.InvalidMessageParameter(f"invalid {name}")
    # A sticker may be sent by whoever has seen it.
    if sent[0]["sender_id"] != ep.me and msg_type != "sticker":
        raise errors.NotOwnerOfResource
    return Content(json.loads(sent[0]["content"]))


def _share_chat(ep: Episode, given: dict[str, Any], _type: str) -> Content:
    key = given.get("chat_id")
    chat = None
    if isinstance(key, str):
        chat = ep.db.one(
            "SELECT c.chat_mode FROM chats c JOIN chat_members m ON m.chat_id = c.chat_id AND m.open_id = ? "
            "WHERE c.chat_id = ? AND c.chat_status = 'normal'",
            ep.me,
            key,
        )
    if chat is None:
        raise errors.InvalidMessageParameter("invalid chat_id")
    if chat["chat_mode"] == "p2p":
        raise errors.ChatCannotBeShared
    return Content({"chat_id": key})


def _share_user(ep: Episode, given: dict[str, Any], _type: str) -> Content:
    key = given.get("user_id")
    if not isinstance(key, str) or users.find_user(ep, key) is None:
        raise errors.InvalidMessageParameter("invalid user_id")
    return Content({"user_id": key})


def _card(ep: Episode, given: dict[str, Any], _type: str) -> Content:
    """Cards are kept as they come. Templates live in a card tool that is not simulated, so none of them exists."""
    if given.get("type") == "template":
        template = given["data"].get("template_id", "") if isinstance(given.get("data"), dict) else ""
        reason = "template does not exist, please confirm whether this template has been released"
        raise errors.CardContentFailed(200380, reason, f"templateID: {template}")
    kinds = (("elements", list), ("header", dict), ("body", dict))
    is_card = _CARD_PARTS & given.keys() and all(isinstance(given.get(name, kind()), kind) for name, kind in kinds)
    if not is_card:
        reason = "parse card json err, please check whether the card json is correct"
        raise errors.CardContentFailed(200621, reason, "")
    found = Content(given)
    keys = [match[1] for text in cards.texts(given) for match in AT.finditer(text)]
    people = _people(ep, keys)
    for key in keys:
        if _mention(found, people, key) is None:
            reason = "There is an invalid user resource(at/person) in your card"
            raise errors.CardContentFailed(100290, reason, key)
    return found


def card_as_read(content: str, mentions: list[dict[str, str]]) -> str:
    """Return the content of a card in the form that the platform gives out."""
    marks = {each["id"]: each["key"] for each in mentions} | {"all": "@_all"}

    def mention(key: str) -> dict[str, Any]:
        return {"tag": "at", "user_id": marks.get(key, ""), "user_name": ""}

    return Content(cards.simplified(json.loads(content), mention)).text


_READERS: dict[str, Callable[[Episode, dict[str, Any], str], Content]] = {
    "text": _text,
    "post": _post,
    "interactive": _card,
    "share_chat": _share_chat,
    "share_user": _share_user,
    **dict.fromkeys(_RESOURCES, _resource),
}
