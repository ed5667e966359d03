"""The recorded success envelopes: same members in the same order, of the same types, in the same print."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.appkit.schema import Schema
from farm.context.shared_start import SharedStart
from farm.context.template import build, read_rows
from farm.testing import LocalApp

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "amap" / "envelope_samples.jsonl"
# A stand-in answered the recorded calls with invented values, so the places of a call are taken from the gazetteer.
ASKED: dict[str, dict[str, str]] = {
    "maps_regeocode": {"location": "116.482086,39.990496"},
    "maps_geo": {"address": "阜通东大街6号"},
    "maps_ip_location": {"ip": "114.247.50.2"},
    "maps_weather": {"city": "北京"},
    "maps_bicycling_by_coordinates": {
        "origin_coordinates": "121.3983,31.1729",
        "destination_coordinates": "121.4611,31.1652",
    },
    "maps_direction_walking_by_address": {"origin_address": "云锦路地铁站", "destination_address": "栈桥空间"},
    "maps_direction_driving_by_coordinates": {"origin": "121.3983,31.1729", "destination": "121.4611,31.1652"},
    "maps_direction_transit_integrated_by_coordinates": {
        "origin": "121.3983,31.1729",
        "destination": "121.4611,31.1652",
        "city": "上海",
        "cityd": "上海",
    },
    "maps_distance": {"origins": "121.3983,31.1729", "destination": "121.4611,31.1652"},
    "maps_text_search": {"keywords": "肯德基"},
    "maps_around_search": {"location": "116.48,39.99"},
    "maps_search_detail": {"id": ""},
}
# Those whose every value is in the gazetteer, too.
SAME = {"maps_regeocode", "maps_geo"}


def samples() -> list[dict[str, Any]]:
    """Return the recorded lines, or nothing where they are not at hand."""
    return [json.loads(line) for line in SAMPLES.read_text("utf-8").splitlines()] if SAMPLES.is_file() else []


@pytest.mark.fact("samples")
def test_every_recorded_envelope_has_our_form(amap: LocalApp) -> None:
    if not SAMPLES.is_file():
        pytest.skip("the recorded envelopes are not on this machine")
    kentucky = amap.call("maps_text_search", keywords="肯德基(望京方恒店)")["pois"][0]["id"]
    for sample in samples():
        tool = sample["tool"]
        arguments = ASKED[tool] if tool != "maps_search_detail" else {"id": kentucky}
        ours = amap.result(tool, **arguments)
        assert {**ours, "content": None} == {**sample["result"], "content": None}
        text, recorded = ours["content"][0]["text"], sample["result"]["content"][0]["text"]
        if tool in SAME:
            assert text == recorded
        # Printed as the real server prints it.
        assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False)
        form, expected = _form(json.loads(text)), _form(json.loads(recorded))
        assert _fits(form, expected), f"{tool}: {form} is not {expected}"
    assert len(samples()) == len(ASKED)


def _form(value: Any) -> Any:
    """Return members in order with their types; of a list, the form of the first item."""
    if isinstance(value, dict):
        return {key: _form(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_form(value[0])] if value else []
    return type(value).__name__


def _fits(ours: Any, recorded: Any) -> bool:
    """Return whether ours has the members of the recorded one, in order; what is absent is [] or null in either."""
    if [] in (ours, recorded) or "NoneType" in (ours, recorded):
        return True
    if isinstance(recorded, dict):
        shared = [key for key in ours if key in recorded]
        return shared == list(recorded) and all(_fits(ours[key], recorded[key]) for key in shared)
    if isinstance(recorded, list):
        return isinstance(ours, list) and _fits(ours[0], recorded[0])
    return bool(ours == recorded)


# -- what the stand-in behind the recording answered, as rows of the episode -------------------------------------------

ANSWERS = Path(__file__).with_name("answers.jsonl")


@pytest.mark.fact("canned-responses")
def test_on_what_the_recording_s_stand_in_answered_every_line_is_answered_to_the_letter(tmp_path: Path) -> None:
    if not SAMPLES.is_file():
        pytest.skip("the recorded envelopes are not on this machine")
    with LocalApp("amap", tmp_path, rows=read_rows(ANSWERS)) as app:
        answered = [app.result(each["tool"], **each["arguments"]) for each in samples()]

    assert answered == [each["result"] for each in samples()]
    assert len(answered) == 12


# -- the rows that the stand-in behind the recording had, where they can be a gazetteer's ------------------------------

_AT = {"longitude": 116.48, "latitude": 39.99}
_DISTRICT = {"citycode": "010", "radius_m": 90_000, **_AT}


def _rows(place_id: int, address: str | None) -> list[dict[str, Any]]:
    told = {"day_sky": "晴", "night_sky": "多云", "high": 11, "low": 0, "wind": "南", "force": "1-3"}
    return [
        {"table": "districts", "adcode": "110000", "name": "北京市", "level": "city", **_DISTRICT},
        {
            "table": "districts",
            "adcode": "110105",
            "name": "朝阳区",
            "level": "district",
            **_DISTRICT,
            "parent_adcode": "110000",
        },
        {"table": "categories", "category": "050301", "large": "餐饮服务", "middle": "快餐厅", "small": "肯德基"},
        {
            "table": "places",
            "place_id": place_id,
            "name": "肯德基",
            "category": "050301",
            "adcode": "110105",
            "address": address,
            "business_area": "望京",
            "rating": 4.1,
            "cost": 32.0,
            "wgs84_longitude": 116.47,
            "wgs84_latitude": 39.98,
            **_AT,
        },
        # The stand-in had one day of the four; no climate, so no other is modelled.
        {"table": "weather_days", "adcode": "110000", "date": "2026-03-02", **told},
    ]


def _on(rows: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> LocalApp:
    schema = Schema(content.reference_metadata("gazetteer"))
    reference = SharedStart(build(schema, iter(rows)), schema.searched)
    monkeypatch.setattr("farm.context.context.load_reference", lambda _: reference)
    return LocalApp("amap", tmp_path, now="2026-03-02T09:00:00+08:00", seed=0)


@pytest.mark.fact("samples")
@pytest.mark.parametrize(
    ("tool", "address", "arguments"),
    [
        ("maps_regeocode", None, {"location": "116.48,39.99"}),
        ("maps_text_search", "阜通东大街6号", {"keywords": "肯德基"}),
        ("maps_around_search", None, {"location": "116.48,39.99"}),
        ("maps_search_detail", "阜通东大街6号", {"id": "B000A7BD6C"}),
        ("maps_weather", None, {"city": "北京"}),
    ],
)
def test_on_the_rows_of_a_recording_the_answer_is_the_recorded_one(
    tool: str, address: str | None, arguments: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if not SAMPLES.is_file():
        pytest.skip("the recorded envelopes are not on this machine")
    recorded = next(each["result"]["content"][0]["text"] for each in samples() if each["tool"] == tool)
    # The number of the place whose id was recorded.
    number = pow(1_375_229_411_753, -1, 36**8) * int("00A7BD6C", 36) % 36**8

    with _on(_rows(number, address), monkeypatch, tmp_path) as app:
        text = app.result(tool, **arguments)["content"][0]["text"]

    if tool == "maps_search_detail":
        # The stand-in wrote a point with two decimals; the API has six.
        text = text.replace("116.480000,39.990000", "116.48,39.99")
    assert text == recorded
