"""The stand-in for Pollinations' service, asked without the real server: it asks our tools, which change unseen."""

from __future__ import annotations

from pathlib import Path

from farm.testing import LocalApp
from tests.upstream.pollinations.test_side_by_side import _answer


def test_it_answers_with_what_our_app_has(tmp_path: Path) -> None:
    with LocalApp("pollinations", tmp_path) as app:
        picture = _answer(app, "/image/prompt/a red fox", {"width": ["64"], "height": ["48"], "seed": ["7"]})
        text = _answer(app, "/text/hello there", {"seed": ["7"]})
        refused = _answer(app, "/text/hello", {"seed": ["7"], "model": ["no-such-model"]})

    # A JPEG's frame header has its height and width.
    frame = picture[2].index(b"\xff\xc0")
    assert picture[:2] == (200, "image/jpeg")
    assert picture[2][frame + 5 : frame + 9] == bytes([0, 48, 0, 64])
    assert text[:2] == (200, "text/plain")
    assert b"hello there" in text[2]
    assert refused[0] >= 400
