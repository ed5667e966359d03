"""What a viewer sees in a picture: colours, a sky with a sun, two rows of hills, and a file as the standard has it."""

from __future__ import annotations

import base64
from collections import defaultdict
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from farm.context.reference import load_reference
from farm.testing import LocalApp
from tests.apps.pollinations.jpeg import Block, Picture, in_order, read

SIZES = [(512, 512), (300, 211), (1024, 64), (40, 24), (7, 1), (1, 700)]
# Sky, far hills, near hills, sun.
NAMED = ("red", "blue", "green", "yellow")
# In eight steps a colour loses a third of its light.
LIGHTS = range(68, 101, 4)


def drawn(app: LocalApp, **arguments: Any) -> Picture:
    asked = {"prompt": " ".join(NAMED), "width": 512, "height": 512, "seed": 1, **arguments}
    return read(base64.b64decode(app.result("generateImage", **asked)["content"][0]["data"]))


COLOURS = {
    row["word"]: (row["red"], row["green"], row["blue"])
    for row in load_reference("pollinations").all("SELECT * FROM colours")
}


@cache
def light_of(word: str, block: Block) -> int | None:
    """Return the light of a colour's shade, in hundredths, or ``None`` for another colour (JFIF 1.02, BT.601)."""
    for light in LIGHTS:
        red, green, blue = (part * light // 100 for part in COLOURS[word])
        bright = 0.299 * red + 0.587 * green + 0.114 * blue
        bluer, redder = (blue - bright) / 1.772, (red - bright) / 1.402
        if 0 <= bright - block[0] < 1 and abs(bluer - block[1]) < 1.2 and abs(redder - block[2]) < 1.2:
            return light
    return None


def name_of(block: Block) -> str:
    """Return which of the named colours a block has."""
    (word,) = [word for word in NAMED if light_of(word, block) is not None]
    return word


def parts(picture: Picture) -> dict[str, set[tuple[int, int]]]:
    """Return colour → where it is; a block of another colour is none of these."""
    where = defaultdict(set)
    for x, y, block in in_order(picture.blocks):
        where[name_of(block)].add((x, y))
    return where


@pytest.mark.fact("picture")
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("prompt", ["a fox", "black white snow night", " ".join(NAMED)])
def test_a_picture_is_a_file_that_any_viewer_reads_to_its_end(
    pollinations: LocalApp, prompt: str, width: int, height: int
) -> None:
    for seed in range(3):
        picture = drawn(pollinations, prompt=prompt, width=width, height=height, seed=seed)

        assert (picture.width, picture.height) == (width, height)
        # JFIF 1.01: no unit, square pixels, no small picture inside.
        assert picture.jfif == b"JFIF\0\x01\x01\x00\x00\x01\x00\x01\x00\x00"
        assert len(picture.padding) < 8
        assert {*picture.padding} <= {"1"}
        assert all(0 <= block[0] <= 255 for _, _, block in in_order(picture.blocks))


@pytest.mark.fact("picture")
def test_the_colours_that_a_prompt_names_are_sky_hills_and_sun_in_this_order(pollinations: LocalApp) -> None:
    for seed in range(8):
        where = parts(drawn(pollinations, seed=seed))

        assert {"red", "blue", "green"} <= {*where} <= {*NAMED}
        assert {(x, 0) for x in range(64)} <= where["red"] | where["yellow"]
        assert {(x, 63) for x in range(64)} <= where["green"]
        for x in range(64):
            column = [next(word for word in where if (x, y) in where[word]) for y in range(64)]
            ground = "".join(word[0] for word in column).replace("y", "r")
            assert ground == "".join(sorted(ground, key="rbg".index))


@pytest.mark.fact("picture")
def test_a_colour_in_chinese_is_the_same_and_a_fifth_is_not_seen(pollinations: LocalApp) -> None:
    picture = drawn(pollinations, prompt="红 蓝 绿 黄 pink")

    assert {"red", "blue", "green"} <= {*parts(picture)}


@pytest.mark.fact("picture")
def test_colours_that_no_prompt_names_are_of_medium_light_and_differ(pollinations: LocalApp) -> None:
    skies = set()
    for seed in range(24):
        picture = drawn(pollinations, prompt="a fox", seed=seed)
        sky, ground = picture.blocks[0][0], picture.blocks[63][0]
        skies.add(sky)
        # 40 to 229 a part, at most a third darker.
        assert all(27 <= each[0] <= 229 for each in (sky, ground))
        assert len({block for _, _, block in in_order(picture.blocks)}) > 4

    assert len(skies) == 24
    half = drawn(pollinations, prompt="a red fox", seed=3)
    assert light_of("red", half.blocks[0][0]) is not None
    assert [light_of(word, half.blocks[63][0]) for word in COLOURS] == [None] * len(COLOURS)


@pytest.mark.fact("picture")
def test_the_sky_is_darkest_above_and_the_ground_below(pollinations: LocalApp) -> None:
    picture = drawn(pollinations, seed=3)

    lights: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for _, y, block in in_order(picture.blocks):
        lights[name_of(block)][y].add(light_of(name_of(block), block) or 0)
    assert all(len(each) == 1 for rows in lights.values() for each in rows.values())
    sky, far, near, sun = ([each for _, (each,) in sorted(lights[word].items())] for word in NAMED)
    assert sky == sorted(sky)
    assert (sky[0], near[-1]) == (68, 72)
    assert far == sorted(far, reverse=True)
    assert near == sorted(near, reverse=True)
    assert {*sun} == {100}
    # A step is an eighth of the picture.
    assert near[-8:] == [near[-1]] * 8
    assert sky[1:9] == [72] * 8


@pytest.mark.fact("picture")
def test_the_sun_is_a_disc_in_the_sky(pollinations: LocalApp) -> None:
    radii, places = set(), set()
    for seed in range(30):
        where = parts(drawn(pollinations, seed=seed))
        sun = where["yellow"]
        columns, rows = {x for x, _ in sun}, {y for _, y in sun}
        if len(columns) != len(rows) or 0 in columns | rows or 63 in columns:
            continue  # an edge or a hill hides some of it
        centre = ((min(columns) + max(columns)) // 2, (min(rows) + max(rows)) // 2)
        radius = len(columns) // 2
        around = {(x, y) for x in range(64) for y in range(64)} - where["blue"] - where["green"]
        assert sun == {(x, y) for x, y in around if (x - centre[0]) ** 2 + (y - centre[1]) ** 2 <= radius**2}
        radii.add(radius)
        places.add(centre)

    # 6 to 11 eightieths of the side.
    assert {min(radii), max(radii)} == {4, 8}
    assert len({x for x, _ in places}) > 6 < len({y for _, y in places})


@pytest.mark.fact("picture")
def test_hills_are_straight_between_five_points_around_the_middle(pollinations: LocalApp) -> None:
    skylines = set()
    for seed in range(12):
        where = parts(drawn(pollinations, seed=seed))
        far = [min(y for y in range(64) if (x, y) in where["blue"] | where["green"]) for x in range(64)]
        near = [min(y for y in range(64) if (x, y) in where["green"]) for x in range(64)]
        skylines.add((*far,))

        # The horizon is at four to six tenths; hills are an eighth above or below it, near ones a fifth further down.
        assert all(25 - 8 <= y <= 38 + 7 for y in far)
        assert all(25 + 12 - 8 <= y <= 38 + 12 + 7 for y in near)
        for part in range(4):
            piece = near[16 * part : 16 * part + 16]
            steps = [after - before for before, after in pairwise(piece)]
            assert all(step >= 0 for step in steps) or all(step <= 0 for step in steps)
            assert max(steps) - min(steps) <= 1
    assert len(skylines) == 12


@pytest.mark.fact("picture")
@pytest.mark.parametrize(("width", "height"), [(1024, 1024), (2048, 512), (1000, 520)])
def test_a_larger_picture_has_coarser_squares(pollinations: LocalApp, width: int, height: int) -> None:
    picture = drawn(pollinations, width=width, height=height)

    across, down = -(-width // 8), -(-height // 8)
    assert (len(picture.blocks[0]), len(picture.blocks)) == (across, down)
    # No more than 64 squares either way, of as many blocks each as they can.
    for lines in (picture.blocks, [*zip(*picture.blocks, strict=True)]):
        kinds = [tuple(line) for line in lines]
        starts = [0, *(at for at in range(1, len(kinds)) if kinds[at] != kinds[at - 1])]
        assert len(starts) <= 64
        each = len(kinds) / min(64, len(kinds))
        assert all(abs(at / each - round(at / each)) < 1 for at in starts)
    assert {"red", "blue", "green"} <= {*parts(picture)}


@pytest.mark.fact("picture")
@pytest.mark.parametrize("asked", [{"seed": "\ud800"}, {"seed": 1, "imageUrl": "https://example.org/\ud800"}])
def test_half_a_character_beside_the_prompt_makes_a_picture_as_well(
    pollinations: LocalApp, asked: dict[str, object]
) -> None:
    tool = "editImage" if "imageUrl" in asked else "generateImage"

    said = pollinations.result(tool, prompt="fox", width=16, height=16, **asked)

    assert [item["type"] for item in said["content"]] == ["image", "text"]
