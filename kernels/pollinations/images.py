"""Pictures: their addresses, and the pictures themselves, which are saved beside being shown."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Mapping
from typing import Any

from farm.appkit import Content, Episode, Image, JavaScriptJson, Result, compact_json
from farm.appkit.formats.javascript import js_is_true, js_number, js_string, js_well_formed
from farm.appkit.formats.untrusted_regex import split_sent

from . import errors, files, pictures, urls
from .models import is_known

_INDENTED = JavaScriptJson(indented=True)
_SEEDS = 1_000_000
# A host that is nobody's (RFC 6761): there the service finds nothing.
_NOWHERE = ".invalid"


def generate_image_url(ep: Episode, /, **args: Any) -> Result:
    """Return the address that a picture would be fetched from; nothing is asked.

    Args:
        prompt: what is to be seen.
        model, seed, width, height, enhance, safe: go into the address as they came; a seed left out is drawn.

    Raises:
        PromptRequired, MalformedUri, NotReadable: no prompt, half a character in it, or ``safe`` is null.
    """
    metadata = _request_metadata(ep, args, model="flux")
    return {"imageUrl": _address(metadata), **metadata}


def generate_image(ep: Episode, /, **args: Any) -> Result:
    """Make a picture, save it, and return both.

    Args:
        outputPath, fileName, format: where it is saved; the bytes are JPEG whatever its name says.

    Raises:
        ServiceFailed: no such model (inferred).
        InvalidPath, FileFailed, PathWithNull: it cannot be saved.
    """
    metadata = _request_metadata(ep, args, model="flux")
    _address(metadata)
    data = _make(ep, metadata, [], act="generate image")
    path = files.save_generated(ep, args, _row(metadata, "generateImage", []), data)
    return _answer(data, f'Generated image from prompt: "{metadata["prompt"]}"', metadata, path)


def edit_image(ep: Episode, /, **args: Any) -> Result:
    """Make a picture of others as a prompt says, save it, and return both.

    Args:
        imageUrl: one address, several between commas, or a list.

    Raises:
        ImageRequired: neither.
        ServiceFailed: no such model, or an address where there is no picture (inferred).
    """
    said = 'Edited image from prompt: "{prompt}"\nInput image: {image}'
    return _of_others(ep, args, "editImage", "Image", "edit image", "inputImageUrl", "edited", said)


def generate_image_from_reference(ep: Episode, /, **args: Any) -> Result:
    """Make a picture after others, save it, and return both; all else as ``edit_image``."""
    tool, act = "generateImageFromReference", "generate image from reference"
    said = 'Generated image from reference: "{prompt}"\nReference image: {image}'
    return _of_others(ep, args, tool, "Reference image", act, "referenceImageUrl", "reference", said)


def _of_others(
    ep: Episode, args: dict[str, Any], tool: str, kind: str, act: str, key: str, prefix: str, said: str
) -> Result:
    urls.require_prompt(args)
    image = args.get("imageUrl")
    if not isinstance(image, str | list) or image == "":
        raise errors.ImageRequired(kind=kind)
    metadata = _request_metadata(ep, args, model="kontext")
    urls.quote_component(metadata["prompt"])
    if metadata["safe"] is None:
        raise errors.NotReadable(member="toString")
    images = _addresses(image)
    data = _make(ep, metadata, images, act=act)
    metadata = {"prompt": metadata.pop("prompt"), key: image, **metadata}
    row = _row(metadata, tool, images)
    path = files.save_edited(ep, args, row, data, prefix=prefix)
    return _answer(data, said.format(prompt=metadata["prompt"], image=js_string(image)), metadata, path)


def _request_metadata(ep: Episode, args: Mapping[str, Any], *, model: str) -> dict[str, Any]:
    """Return what is told back of a request, in the server's order."""
    prompt = urls.require_prompt(dict(args))
    drawn = ep.hash("seed", js_well_formed(prompt), ep.now_ms, ep.writes) % _SEEDS
    return {
        "prompt": prompt,
        "width": args.get("width", pictures.SIDE_DEFAULT),
        "height": args.get("height", pictures.SIDE_DEFAULT),
        "model": args.get("model", model),
        "seed": args.get("seed", drawn),
        "enhance": args.get("enhance", True),
        "private": True,
        "nologo": True,
        "safe": args.get("safe", False),
    }


def _address(metadata: Mapping[str, Any]) -> str:
    asked = [("model", metadata["model"]), ("seed", metadata["seed"])]
    asked += [(side, metadata[side]) for side in ("width", "height") if js_is_true(metadata[side])]
    if js_is_true(metadata["enhance"]):
        asked.append(("enhance", "true"))
    asked += [("nologo", "true"), ("private", "true")]
    if metadata["safe"] is None:
        raise errors.NotReadable(member="toString")
    if isinstance(metadata["safe"], dict) and "toString" in metadata["safe"]:
        raise errors.NotAFunction(name="safe.toString")
    asked.append(("safe", metadata["safe"]))
    return f"https://image.pollinations.ai/prompt/{urls.quote_component(metadata['prompt'])}?{urls.query(asked)}"


def _addresses(image: str | list[Any]) -> list[str]:
    if isinstance(image, list):
        return [js_string(each) for each in image if js_is_true(each)]
    return [each for part in image.split(",") if (each := part.strip())] if "," in image else [image]


def _make(ep: Episode, metadata: Mapping[str, Any], images: list[str], *, act: str) -> bytes:
    """Return the picture; the same model, prompt, seed, size and originals make the same one."""
    model = js_string(metadata["model"])
    if not is_known(ep, "image_models", model) or not all(map(_is_picture, images)):
        raise errors.ServiceFailed(act=act, status="Bad Request")
    width, height = pictures.size(*(_side(metadata[side]) for side in ("width", "height")))
    prompt = js_well_formed(metadata["prompt"]).lower()
    words = ep.reference.all("SELECT * FROM colours WHERE instr(?, word) ORDER BY instr(?, word), word", prompt, prompt)
    colours = tuple((word["red"], word["green"], word["blue"]) for word in words)
    made_of = (model, prompt, js_string(metadata["seed"]), *images)
    return pictures.picture(width, height, urls.number(*made_of), colours)


def _is_picture(address: str) -> bool:
    try:
        parts = split_sent(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(host) and not host.endswith(_NOWHERE)


def _side(value: Any) -> int:
    """Return a side as the service reads it; what is no positive number is its default (inferred)."""
    number = js_number(js_string(value))
    return int(number) if math.isfinite(number) and number >= 1 else pictures.SIDE_DEFAULT


def _row(metadata: Mapping[str, Any], tool: str, images: list[str]) -> dict[str, Any]:
    drawn = {name: compact_json(metadata[name]) for name in ("model", "seed")}
    return {
        "tool": tool,
        "prompt": js_well_formed(metadata["prompt"]),
        **drawn,
        "images": js_well_formed(compact_json(images)),
    }


def _answer(data: bytes, said: str, metadata: Mapping[str, Any], path: str) -> Content:
    text = f"{said}\n\nImage metadata: {_INDENTED.text(metadata)}\n\nImage saved to: {path}"
    return Content((Image(b64encode(data).decode(), "image/jpeg"), text))
