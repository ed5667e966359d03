"""Whole answers, the rows that they leave, and where files come to stand."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.context.reference import load_reference
from farm.testing import LocalApp

NOW_MS = 1773018000000
URL = "https://example.org/a.png"
ASKED = {"prompt": "a red fox", "seed": 7, "width": 40, "height": 24}
NO_STRING = 'The "path" argument must be of type string or an instance of Buffer or URL. Received'
EDITS = [
    ("editImage", "inputImageUrl", "edited", "Edited image from prompt", "Input image"),
    (
        "generateImageFromReference",
        "referenceImageUrl",
        "reference",
        "Generated image from reference",
        "Reference image",
    ),
]


def saved(app: LocalApp, tool: str = "generateImage", **arguments: Any) -> str:
    return app.text(tool, **{**ASKED, "imageUrl": URL, **arguments}).rpartition("Image saved to: ")[2]


def refused(app: LocalApp, tool: str = "generateImage", **arguments: Any) -> str:
    with pytest.raises(VendorError) as problem:
        app.call(tool, **{**ASKED, "imageUrl": URL, **arguments})
    return problem.value.message


def metadata(**more: Any) -> dict[str, Any]:
    fixed = {"enhance": True, "private": True, "nologo": True, "safe": False}
    return {**ASKED, "model": "flux", "seed": 7, **fixed, **more}


def in_order(told: dict[str, Any], *first: str) -> dict[str, Any]:
    names = [*first, "width", "height", "model", "seed", "enhance", "private", "nologo", "safe"]
    return {name: told[name] for name in names}


@pytest.mark.fact("url")
def test_an_address_is_told_with_what_it_was_made_of(pollinations: LocalApp) -> None:
    base = "https://image.pollinations.ai/prompt/a%20red%20fox?model=flux&seed=7&width=40&height=24&enhance=true"
    body = {"imageUrl": f"{base}&nologo=true&private=true&safe=false", **in_order(metadata(), "prompt")}

    text = json.dumps(body, indent=2)
    assert pollinations.result("generateImageUrl", **ASKED) == {"content": [{"type": "text", "text": text}]}
    safe = pollinations.call("generateImageUrl", **ASKED, safe=True, model="turbo", enhance="x")
    assert safe["imageUrl"] == base.replace("flux", "turbo") + "&nologo=true&private=true&safe=true"
    assert (safe["safe"], safe["model"], safe["enhance"]) == (True, "turbo", "x")
    usual = pollinations.call("generateImageUrl", prompt="a red fox")
    assert (usual["width"], usual["height"]) == (1024, 1024)


@pytest.mark.fact("url")
def test_a_seed_that_is_left_out_is_drawn_below_a_million(pollinations: LocalApp) -> None:
    seeds = {pollinations.call("generateImageUrl", prompt=f"fox {number}")["seed"] for number in range(40)}

    assert len(seeds) > 35
    assert all(isinstance(seed, int) and 0 <= seed < 1_000_000 for seed in seeds)
    assert max(seeds) > 500_000


@pytest.mark.fact("picture")
def test_a_picture_is_told_and_kept_whole(pollinations: LocalApp) -> None:
    result = pollinations.result("generateImage", **ASKED, fileName="fox", outputPath="/out")

    picture = base64.b64decode(result["content"][0]["data"])
    told = json.dumps(in_order(metadata(), "prompt"), indent=2)
    text = f'Generated image from prompt: "a red fox"\n\nImage metadata: {told}\n\nImage saved to: /out/fox.png'
    assert result == {
        "content": [
            {"type": "image", "data": base64.b64encode(picture).decode(), "mimeType": "image/jpeg"},
            {"type": "text", "text": text},
        ]
    }
    assert pollinations.episode.db.all("SELECT * FROM files") == [
        {
            "path": "/out/fox.png", "tool": "generateImage", "prompt": "a red fox", "model": '"flux"', "seed": "7",
            "images": "[]", "size_bytes": len(picture), "sha256": hashlib.sha256(picture).hexdigest(),
            "saved_ms": NOW_MS,
        }
    ]  # fmt: skip


@pytest.mark.fact("others")
@pytest.mark.parametrize(("tool", "key", "prefix", "said", "kind"), EDITS)
@pytest.mark.parametrize(
    ("image", "shown", "sent"),
    [
        (URL, URL, [URL]),
        (f" {URL} ,, {URL}?b", f" {URL} ,, {URL}?b", [URL, f"{URL}?b"]),
        ([URL, "", None, f"{URL}?b"], f"{URL},,,{URL}?b", [URL, f"{URL}?b"]),
        ([], "", []),
    ],
)
def test_a_picture_of_others_is_told_and_kept_whole(
    pollinations: LocalApp, tool: str, key: str, prefix: str, said: str, kind: str, image: Any, shown: str,
    sent: list[str],
) -> None:  # fmt: skip
    result = pollinations.result(tool, **ASKED, imageUrl=image, fileName="fox.PNG", format="PNG")

    picture = base64.b64decode(result["content"][0]["data"])
    told = json.dumps(in_order({**metadata(model="kontext"), key: image}, "prompt", key), indent=2)
    # A name ends in its format as that is in small letters.
    path = "mcpollinations-output/fox.PNG.png"
    text = f'{said}: "a red fox"\n{kind}: {shown}\n\nImage metadata: {told}\n\nImage saved to: {path}'
    assert [item["type"] for item in result["content"]] == ["image", "text"]
    assert result["content"][1]["text"] == text
    (row,) = pollinations.episode.db.all("SELECT * FROM files")
    assert (row["path"], row["tool"], row["prompt"], row["model"]) == (path, tool, "a red fox", '"kontext"')
    assert json.loads(row["images"]) == sent
    assert (row["size_bytes"], row["sha256"]) == (len(picture), hashlib.sha256(picture).hexdigest())


@pytest.mark.fact("files")
def test_names_that_are_made_end_in_digits(pollinations: LocalApp) -> None:
    made = [saved(pollinations, prompt="A (red) Fox, the third of his name") for _ in range(5)]
    edited = saved(pollinations, "editImage", prompt="A (red) Fox, the third of his name")
    reference = saved(pollinations, "generateImageFromReference", prompt="Ä", format="webp")

    for number, path in enumerate(made):
        assert re.fullmatch(rf"mcpollinations-output/a__red__fox__the_thi_{NOW_MS + number}_\d{{4}}\.png", path)
    assert len({path[-8:] for path in made}) > 1
    assert re.fullmatch(rf"mcpollinations-output/edited_A__red__Fox__the_thi_{NOW_MS + 5}_\d{{1,3}}\.png", edited)
    assert re.fullmatch(rf"mcpollinations-output/reference___{NOW_MS + 6}_\d{{1,3}}\.webp", reference)


@pytest.mark.fact("formats")
@pytest.mark.parametrize(
    ("tool", "name", "format_", "path"),
    [
        ("generateImage", "fox", "jpeg", "fox.jpeg"),
        ("generateImage", "fox", "jpg", "fox.jpg"),
        ("generateImage", "fox", "webp", "fox.webp"),
        ("generateImage", "fox", "PNG", "fox.png"),
        ("generateImage", "fox", "JPEG", "fox.png"),
        ("generateImage", "fox", None, "fox.png"),
        ("generateImage", "fox.png", "png", "fox.png.png"),
        ("generateImage", 5, "png", "5.png"),
        ("generateImage", True, "png", "true.png"),
        ("editImage", "fox", "png", "fox.png"),
        ("editImage", "fox.png", "png", "fox.png"),
        ("editImage", "fox.jpg", "png", "fox.jpg.png"),
        ("editImage", "fox", "Tiff", "fox.tiff"),
        ("editImage", "foxpng", "png", "foxpng.png"),
        ("editImage", "fox", "", "fox."),
    ],
)
def test_a_name_and_a_format_make_a_file(
    pollinations: LocalApp, tool: str, name: object, format_: object, path: str
) -> None:
    assert saved(pollinations, tool, fileName=name, format=format_) == f"mcpollinations-output/{path}"


@pytest.mark.fact("files")
def test_a_number_goes_before_the_format_where_it_stands_first(pollinations: LocalApp) -> None:
    edited = [saved(pollinations, "editImage", fileName="a.png.png", outputPath="o") for _ in range(3)]

    assert edited == ["o/a.png.png", "o/a.png_1.png", "o/a.png_2.png"]
    assert saved(pollinations, fileName="a.png", outputPath="o") == "o/a.png_3.png"


@pytest.mark.fact("folders")
@pytest.mark.parametrize(
    ("folder", "said"),
    [
        (None, f"{NO_STRING} null"),
        (
            True,
            f"{NO_STRING} type boolean (true)",
        ),
        (5, f"{NO_STRING} type number (5)"),
        (1.5, f"{NO_STRING} type number (1.5)"),
        (
            [],
            f"{NO_STRING} an instance of Array",
        ),
        (
            {},
            f"{NO_STRING} an instance of Object",
        ),
        ("a\0b", "The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received 'a\\x00b'"),
        ("", "ENOENT: no such file or directory, mkdir ''"),
    ],
)
@pytest.mark.parametrize("tool", ["generateImage", "editImage"])
def test_what_is_no_folder_is_refused_in_node_s_words(
    pollinations: LocalApp, tool: str, folder: object, said: str
) -> None:
    assert refused(pollinations, tool, outputPath=folder) == said
    assert pollinations.changes() == {}


@pytest.mark.fact("folders")
def test_a_file_is_written_where_its_folder_is_there(pollinations: LocalApp) -> None:
    assert saved(pollinations, fileName="a", outputPath="/") == "/a.png"
    assert saved(pollinations, fileName="a", outputPath="//b") == "/b/a.png"
    assert saved(pollinations, fileName="../a", outputPath="out/deep/down") == "out/deep/a.png"
    assert saved(pollinations, fileName="../../../a", outputPath="out/deep/down") == "a.png"
    assert saved(pollinations, fileName="a", outputPath="xy/z") == "xy/z/a.png"
    assert saved(pollinations, fileName="../xy/b", outputPath="out") == "xy/b.png"
    assert saved(pollinations, fileName="../xy/z/c", outputPath="out") == "xy/z/c.png"
    for absent in ("x", "xy/z/a", "xyz", "x0"):
        assert refused(pollinations, fileName=f"../{absent}/b", outputPath="out") == (
            f"ENOENT: no such file or directory, open '{absent}/b.png'"
        )


@pytest.mark.fact("folders")
def test_a_file_is_no_folder(pollinations: LocalApp) -> None:
    saved(pollinations, fileName="a", outputPath="out")

    assert (
        refused(pollinations, fileName="b", outputPath="out/a.png")
        == "ENOTDIR: not a directory, open 'out/a.png/b.png'"
    )
    assert (
        refused(pollinations, fileName="a.png/b", outputPath="out")
        == "ENOTDIR: not a directory, open 'out/a.png/b.png'"
    )
    assert refused(pollinations, fileName="c", outputPath="out/a.png/deep") == (
        "ENOTDIR: not a directory, mkdir 'out/a.png/deep'"
    )
    assert refused(pollinations, fileName="x" * 252) == (
        f"ENAMETOOLONG: name too long, open 'mcpollinations-output/{'x' * 252}.png'"
    )
    assert saved(pollinations, fileName="x" * 251) == f"mcpollinations-output/{'x' * 251}.png"
    assert refused(pollinations, fileName="a\0b") == (
        "The argument 'path' must be a string, Uint8Array, or URL without null bytes. "
        "Received 'mcpollinations-output/a\\x00b.png'"
    )


@pytest.mark.fact("service")
@pytest.mark.parametrize(
    ("address", "is_taken"),
    [
        ("http://e.org/a", True),
        ("HTTPS://E.ORG", True),
        ("https://u:p@e.org:80/a?b#c", True),
        ("https://a.invalid.org", True),
        ("https://", False),
        ("http:e.org", False),
        ("https://[::1", False),
        ("ftp://e.org/a", False),
        ("e.org/a", False),
        ("https://A.INVALID/b", False),
    ],
)
def test_a_picture_is_fetched_over_the_web_from_a_host_that_can_be_one(
    pollinations: LocalApp, address: str, is_taken: bool
) -> None:
    result = pollinations.result("editImage", **ASKED, imageUrl=address)

    said = "Error editing image: Failed to edit image: Bad Request"
    refusal = {"content": [{"type": "text", "text": said}], "isError": True}
    assert ("isError" not in result) == is_taken
    assert is_taken or result == refusal


@pytest.mark.fact("others")
@pytest.mark.parametrize(("tool", "kind"), [("editImage", "Image"), ("generateImageFromReference", "Reference image")])
def test_what_is_wrong_first_is_told(pollinations: LocalApp, tool: str, kind: str) -> None:
    wanted = f"{kind} URL(s) are required and must be a string or array of strings"

    assert refused(pollinations, tool, imageUrl="", safe=None, prompt="\ud800") == wanted
    assert refused(pollinations, tool, safe=None, prompt="\ud800") == "URI malformed"
    assert refused(pollinations, tool, safe=None, model="none") == "Cannot read properties of null (reading 'toString')"
    assert refused(pollinations, tool, model="none", outputPath=5).startswith("Failed to ")
    assert (
        refused(pollinations, tool, fileName=5, format=None) == "Cannot read properties of null (reading 'toLowerCase')"
    )


# -- texts -------------------------------------------------------------------------------------------------------------


def replies(model: str, words: str, quoted: str) -> set[str]:
    """Return all that can be said to a prompt."""
    rows = load_reference("pollinations").all("SELECT text FROM replies ORDER BY text")
    return {row["text"].format(model=model, words=words, quoted=quoted) for row in rows}


@pytest.mark.fact("text")
@pytest.mark.parametrize(
    ("prompt", "words", "quoted"),
    [
        ("hi", "1 word", "hi"),
        ("hi  you\nthere", "3 words", "hi  you\nthere"),
        (" ", "0 words", " "),
        ("a" * 160, "1 word", "a" * 160),
        ("a" * 161, "1 word", "a" * 160 + "…"),
    ],
)
@pytest.mark.parametrize(
    ("given", "model"), [({}, "openai"), ({"model": "mistral"}, "mistral"), ({"model": ""}, "openai")]
)
def test_a_text_names_the_model_how_many_words_came_and_how_they_begin(
    pollinations: LocalApp, prompt: str, words: str, quoted: str, given: dict[str, str], model: str
) -> None:
    said = {pollinations.text("respondText", prompt=prompt, seed=seed, **given) for seed in range(25)}

    assert said == replies(model, words, quoted)


@pytest.mark.fact("text")
@pytest.mark.parametrize("name", ["seed", "temperature", "top_p", "system"])
def test_which_text_is_said_depends_on_what_goes_into_the_address(pollinations: LocalApp, name: str) -> None:
    fixed = {} if name == "seed" else {"seed": 1}
    values: Callable[[int], object] = str if name == "system" else lambda number: number

    asked = [{**fixed, name: values(number)} for number in range(1, 21)]
    said = [pollinations.text("respondText", prompt="hi", **each) for each in asked]

    assert len({*said}) == 4
    assert [pollinations.text("respondText", prompt="hi", **each) for each in asked] == said
    # None of the other arguments goes there.
    assert [pollinations.text("respondText", prompt="hi", **each, voice="nova", safe=True) for each in asked] == said


@pytest.mark.fact("text")
def test_a_seed_that_is_left_out_is_drawn_for_each_prompt(pollinations: LocalApp) -> None:
    first = [
        pollinations.text("respondText", prompt=f"hi {number}").replace(f"hi {number}", "") for number in range(20)
    ]

    assert len({*first}) == 4


@pytest.mark.fact("audio")
def test_a_sound_is_told_and_kept_whole(pollinations: LocalApp) -> None:
    said = pollinations.result("respondAudio", prompt="Hi", seed=None, voiceInstructions="")
    pollinations.result("respondAudio", prompt="Yes", voice="echo", voiceInstructions=5, model="x", seed=3)

    told = json.dumps(
        {"prompt": "Hi", "voice": "alloy", "model": "openai-audio", "seed": None, "voiceInstructions": ""}, indent=2
    )
    assert said == {"content": [{"type": "text", "text": f"Audio has been played.\n\nAudio metadata: {told}"}]}
    assert pollinations.episode.db.all("SELECT * FROM sounds ORDER BY number") == [
        {"number": 1, "prompt": "Hi", "voice": "alloy", "instructions": "", "played_ms": NOW_MS},
        {"number": 2, "prompt": "Yes", "voice": "echo", "instructions": "5", "played_ms": NOW_MS + 1},
    ]


@pytest.mark.fact("audio")
def test_what_cannot_be_said_is_refused_and_nothing_played(pollinations: LocalApp) -> None:
    assert refused(pollinations, "respondAudio", voiceInstructions="\ud800") == "URI malformed"
    assert refused(pollinations, "respondAudio", prompt="\ud800", voice="none") == "URI malformed"
    assert refused(pollinations, "respondText", prompt="\ud800", model="none") == "URI malformed"
    assert pollinations.result("respondAudio", prompt="x", voice="none") == {
        "content": [{"type": "text", "text": "Error generating audio: Failed to generate audio: Bad Request"}],
        "isError": True,
    }
    assert pollinations.changes() == {}


@pytest.mark.fact("lists")
def test_the_lists_are_those_of_the_service_in_its_order(pollinations: LocalApp) -> None:
    read = load_reference("pollinations").all
    modalities = ("input_modalities", "output_modalities")
    models = [
        {
            **{name: row[name] for name in ("name", "description", "provider", "tier")},
            **{name: json.loads(row[name]) for name in modalities},
            "tools": row["tools"] == 1,
        }
        for row in read("SELECT * FROM text_models ORDER BY position")
    ]

    assert pollinations.text("listTextModels") == json.dumps({"models": models}, indent=2)
    images = ["flux", "kontext", "turbo", "nanobanana", "seedream", "gptimage"]
    assert pollinations.text("listImageModels") == json.dumps(images, indent=2)
    voices = [row["name"] for row in read("SELECT name FROM voices ORDER BY position")]
    assert pollinations.text("listAudioVoices") == json.dumps({"voices": voices}, indent=2)
    assert voices[:3] == ["alloy", "echo", "fable"]


@pytest.mark.fact("url")
def test_what_is_drawn_depends_on_the_time_and_on_what_was_written(start: Callable[..., LocalApp]) -> None:
    def after(seconds: str, writes: int) -> tuple[object, str, str]:
        app = start("pollinations", now=f"2026-03-09T09:00:{seconds}+08:00")
        for _ in range(writes):
            app.result("respondAudio", prompt="Hi")
        seed = app.call("generateImageUrl", prompt="fox")["seed"]
        text = app.text("respondText", prompt="fox")
        names = [saved(app, prompt="fox"), saved(app, "editImage", prompt="fox")]
        app.close()
        return seed, text, "".join(re.sub(r".*_(\d+)\.png", r" \1", name) for name in names)

    # A write takes a millisecond: the first of these pairs is at one time.
    one = [after(seconds, writes) for seconds, writes in (("00.005", 0), ("00.000", 5), ("01.000", 0))]
    assert len({seed for seed, _, _ in one}) == len({digits for _, _, digits in one}) == 3
    assert len({after("00.020", 0)[1], *(after(f"00.{20 - writes:03}", writes)[1] for writes in range(1, 16))}) > 1
    assert len({after(f"{seconds:02}.000", 0)[1] for seconds in range(16)}) > 1
