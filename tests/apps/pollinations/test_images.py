"""Pictures: addresses, the pictures, and the files they are saved in."""

from __future__ import annotations

import base64
import struct
import time

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp

MAKERS = ["generateImage", "editImage", "generateImageFromReference"]
URL = "https://example.org/a.png"
SMALL = {"prompt": "a red fox", "seed": 7, "width": 40, "height": 24, "imageUrl": URL}


def _picture(app: LocalApp, tool: str = "generateImage", **arguments: object) -> bytes:
    item = app.result(tool, **{**SMALL, **arguments})["content"][0]
    assert (item["type"], item["mimeType"]) == ("image", "image/jpeg")
    return base64.b64decode(item["data"])


def _size(jpeg: bytes) -> tuple[int, int]:
    """Read the frame's header as any viewer does, segment by segment."""
    assert (jpeg[:2], jpeg[-2:]) == (b"\xff\xd8", b"\xff\xd9")
    at = 2
    while jpeg[at + 1] != 0xC0:
        at += 2 + struct.unpack(">H", jpeg[at + 2 : at + 4])[0]
    height, width = struct.unpack(">HH", jpeg[at + 5 : at + 9])
    return width, height


def _saved(app: LocalApp, tool: str = "generateImage", **arguments: object) -> str:
    return app.text(tool, **{**SMALL, **arguments}).rpartition("Image saved to: ")[2]


def _refused(app: LocalApp, tool: str, **arguments: object) -> str:
    with pytest.raises(VendorError) as refused:
        app.call(tool, **{**SMALL, **arguments})
    return refused.value.message


@pytest.mark.fact("prompt")
@pytest.mark.parametrize("tool", [*MAKERS, "generateImageUrl", "respondAudio", "respondText"])
@pytest.mark.parametrize("prompt", ["", None, 5, ["a"]])
def test_a_prompt_is_wanted_first(pollinations: LocalApp, tool: str, prompt: object) -> None:
    assert _refused(pollinations, tool, prompt=prompt, imageUrl=None) == "Prompt is required and must be a string"
    assert pollinations.changes() == {}


@pytest.mark.fact("prompt")
def test_arguments_left_out_are_told_apart_from_none(pollinations: LocalApp) -> None:
    said = pollinations.outcome("editImage", None)

    assert b"Error editing image: Cannot destructure property 'prompt' of 'args' as it is undefined." in said.result


@pytest.mark.fact("url")
def test_an_address_holds_what_was_asked_in_order(pollinations: LocalApp) -> None:
    plain = pollinations.call("generateImageUrl", prompt="fox", seed=1)
    bare = pollinations.call("generateImageUrl", prompt="fox", seed=None, width=0, height="", enhance=False, safe="no")

    base = "https://image.pollinations.ai/prompt/fox?model=flux&seed="
    assert plain["imageUrl"] == (f"{base}1&width=1024&height=1024&enhance=true&nologo=true&private=true&safe=false")
    assert bare["imageUrl"] == f"{base}null&nologo=true&private=true&safe=no"
    assert (bare["width"], bare["height"], bare["seed"]) == (0, "", None)


@pytest.mark.fact("url-escapes")
def test_prompt_and_model_are_escaped_each_in_their_way(pollinations: LocalApp) -> None:
    said = pollinations.call("generateImageUrl", prompt="a b~!*'()&红", model="a b~!*'()&红", seed=1)["imageUrl"]

    assert "/prompt/a%20b~!*'()%26%E7%BA%A2?" in said
    assert "?model=a+b%7E%21*%27%28%29%26%E7%BA%A2&" in said
    assert _refused(pollinations, "generateImageUrl", prompt="\ud800") == "URI malformed"


@pytest.mark.fact("safe")
@pytest.mark.parametrize("tool", [*MAKERS, "generateImageUrl"])
def test_safe_may_be_anything_but_null(pollinations: LocalApp, tool: str) -> None:
    assert _refused(pollinations, tool, safe=None) == "Cannot read properties of null (reading 'toString')"


@pytest.mark.fact("size")
@pytest.mark.parametrize(
    ("width", "height", "size"),
    [
        (40, 24, (40, 24)),
        (1, 9, (1, 9)),
        ("50", 12.7, (50, 12)),
        (4096, 1024, (4096, 1024)),
        (8192, 2048, (4096, 1024)),
        (2147483647, 1415, (4096, 1)),
        ("abc", 0, (1024, 1024)),
        (-5, None, (1024, 1024)),
    ],
)
def test_a_picture_has_the_asked_size(
    pollinations: LocalApp, width: object, height: object, size: tuple[int, int]
) -> None:
    assert _size(_picture(pollinations, width=width, height=height)) == size


@pytest.mark.fact("picture")
def test_a_picture_depends_on_what_was_asked_and_on_nothing_else(pollinations: LocalApp) -> None:
    first = _picture(pollinations)

    assert _picture(pollinations) == first
    others = [("prompt", "a blue fox"), ("seed", 8), ("model", "turbo")]
    assert len({first, *(_picture(pollinations, "generateImage", **{name: value}) for name, value in others)}) == 4
    edited = [_picture(pollinations, "editImage", imageUrl=each) for each in (URL, [URL, URL])]
    assert edited[0] != edited[1]
    assert len(_picture(pollinations, width=1024, height=1024)) < 40_000


@pytest.mark.fact("files")
@pytest.mark.parametrize("tool", MAKERS)
def test_a_name_that_is_taken_is_numbered(pollinations: LocalApp, tool: str) -> None:
    paths = [_saved(pollinations, tool, fileName="fox") for _ in range(3)]

    folder = "mcpollinations-output"
    assert paths == [f"{folder}/fox.png", f"{folder}/fox_1.png", f"{folder}/fox_2.png"]
    assert [change["new"]["path"] for change in pollinations.changes()["files"]] == paths


@pytest.mark.fact("files")
def test_a_file_without_a_name_has_the_prompt_s_beginning_and_the_time(pollinations: LocalApp) -> None:
    generated = _saved(pollinations, prompt="Red 🦊 & Snow at Midnight")
    edited = _saved(pollinations, "editImage", prompt="Red 🦊 & Snow at Midnight")

    # A character that JavaScript counts as two becomes two.
    assert generated.startswith("mcpollinations-output/red______snow_at_mid_1773018000000_")
    assert edited.startswith("mcpollinations-output/edited_Red______Snow_at_Mid_1773018000001_")


@pytest.mark.fact("formats")
def test_an_unknown_format_is_png_or_taken_as_it_stands(pollinations: LocalApp) -> None:
    assert _saved(pollinations, fileName="a", format="gif").endswith("/a.png")
    assert _saved(pollinations, fileName="b", format=5).endswith("/b.png")
    assert _saved(pollinations, "editImage", fileName="c", format="GIF").endswith("/c.gif")
    assert _refused(pollinations, "editImage", format=5) == "format.toLowerCase is not a function"
    assert "null (reading 'toLowerCase')" in _refused(pollinations, "editImage", format=None)
    assert _refused(pollinations, "editImage", fileName=5) == "finalFileName.endsWith is not a function"


@pytest.mark.fact("folders")
def test_folders_are_made_where_they_can_be(pollinations: LocalApp) -> None:
    assert _saved(pollinations, fileName="a", outputPath="/pictures/../photos/") == "/photos/a.png"
    assert _saved(pollinations, fileName="b", outputPath="out/deep") == "out/deep/b.png"
    assert _saved(pollinations, fileName="deep/c", outputPath="out") == "out/deep/c.png"

    absent = _refused(pollinations, "generateImage", fileName="no/d", outputPath="out")
    assert absent == "ENOENT: no such file or directory, open 'out/no/d.png'"
    below = _refused(pollinations, "generateImage", fileName="e", outputPath="out/deep/b.png/f")
    assert below == "ENOTDIR: not a directory, mkdir 'out/deep/b.png/f'"
    assert "Received type number (5)" in _refused(pollinations, "generateImage", outputPath=5)
    assert "ENAMETOOLONG" in _refused(pollinations, "generateImage", fileName="x" * 252)
    assert "null bytes" in _refused(pollinations, "generateImage", fileName="a\0b")


@pytest.mark.fact("folders")
@pytest.mark.parametrize("folder", ["f" * 256, "é" * 128, f"out/{'f' * 256}/g", "a/" * 2048])
def test_a_folder_with_too_long_a_name_is_not_made(pollinations: LocalApp, folder: str) -> None:
    for tool in ("generateImage", "editImage"):
        refused = _refused(pollinations, tool, fileName="a", outputPath=folder)
        assert refused == f"ENAMETOOLONG: name too long, mkdir '{folder}'"
    assert _saved(pollinations, fileName="a", outputPath="f" * 255) == f"{'f' * 255}/a.png"
    assert "ENAMETOOLONG: name too long, open" in _refused(
        pollinations, "generateImage", fileName="a", outputPath="a/" * 2046
    )


@pytest.mark.fact("folders")
def test_deep_folders_of_others_cost_nothing(pollinations: LocalApp) -> None:
    for number in range(60):
        _saved(pollinations, fileName="a", outputPath=f"{number}/" + "a/" * 2000)
    started = time.process_time()
    _saved(pollinations, fileName="a", width=1, height=1)

    # Every folder of every file was once made anew for each picture: 120,000 here.
    assert time.process_time() - started < 0.08


@pytest.mark.fact("others")
@pytest.mark.parametrize(("tool", "kind"), [("editImage", "Image"), ("generateImageFromReference", "Reference image")])
def test_an_address_is_wanted_as_a_string_or_a_list(pollinations: LocalApp, tool: str, kind: str) -> None:
    for image in (None, "", 5, {"url": URL}, False):
        said = _refused(pollinations, tool, imageUrl=image)
        assert said == f"{kind} URL(s) are required and must be a string or array of strings"
    several = pollinations.text(tool, **{**SMALL, "imageUrl": [URL, URL]})
    assert f": {URL},{URL}\n\nImage metadata: " in several
    assert pollinations.result(tool, **{**SMALL, "imageUrl": []}).keys() == {"content"}


@pytest.mark.fact("service")
def test_what_the_service_does_not_take_is_its_status(pollinations: LocalApp) -> None:
    acts = {"generateImage": "generate image", "editImage": "edit image"}
    acts["generateImageFromReference"] = "generate image from reference"
    for tool, act in acts.items():
        assert _refused(pollinations, tool, model="no-such-model") == f"Failed to {act}: Bad Request"
    for address in ("/local.png", "data:image/png;base64,AA==", "https://gone.invalid/a.png", f"{URL}, ftp://x/a"):
        assert _refused(pollinations, "editImage", imageUrl=address) == "Failed to edit image: Bad Request"
    assert pollinations.changes() == {}


@pytest.mark.fact("files")
def test_an_empty_list_is_a_name_to_the_real_server(pollinations: LocalApp) -> None:
    picture = {"prompt": "a fox", "seed": 1, "width": 16, "height": 16}

    assert pollinations.text("generateImage", **picture, fileName=[]).endswith("mcpollinations-output/.png")
    assert pollinations.text("generateImage", **picture, fileName={}).endswith("/[object Object].png")
    with pytest.raises(VendorError) as refused:
        pollinations.call("generateImageFromReference", **picture, fileName=[], imageUrl="https://example.org/a.png")
    assert refused.value.message == "finalFileName.endsWith is not a function"


@pytest.mark.fact("url-escapes")
@pytest.mark.parametrize("name", ["seed", "width", "height", "model", "safe"])
def test_an_object_with_a_text_of_its_own_goes_into_no_address(pollinations: LocalApp, name: str) -> None:
    with pytest.raises(VendorError) as refused:
        pollinations.call("generateImageUrl", prompt="a fox", **{name: {"toString": 1}})

    said = "safe.toString is not a function" if name == "safe" else "Cannot convert object to primitive value"
    assert refused.value.message == said


@pytest.mark.fact("folders")
def test_a_folder_with_too_long_a_name_cannot_be_made(pollinations: LocalApp) -> None:
    long = "y" * 256

    with pytest.raises(VendorError) as refused:
        pollinations.call("generateImage", prompt="a fox", width=16, height=16, outputPath=f"a/{long}")

    assert refused.value.message == f"ENAMETOOLONG: name too long, mkdir 'a/{long}'"
