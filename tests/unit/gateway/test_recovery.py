"""What the folders of episodes tell when the registry is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from farm.context.settings import Settings
from gateway.recovery import find_episodes
from gateway.registry import FoundEpisode, Snapshot

APPS = ("rednote", "slack")


def folder(data: Path, name: str, *apps: str, created_at: str | None = None, **options: str) -> Path:
    made = data / name
    made.mkdir(parents=True)
    Settings(options.get("id", name), None, APPS, created_at=created_at).save(made)
    for app in apps:
        (made / f"{app}.0.db").touch()
    return made


def snapshot(episode: Path, name: str, at_s: float, *apps: str) -> None:
    made = episode / "snapshots" / name
    made.mkdir(parents=True)
    for app in apps:
        (made / f"{app}.db").touch()
    os.utime(made, (at_s, at_s))


def test_a_farm_that_never_had_an_episode_finds_none(tmp_path: Path) -> None:
    assert find_episodes(tmp_path / "nowhere") == []
    assert find_episodes(tmp_path) == []


def test_whole_episodes_are_found_oldest_first_with_their_apps(tmp_path: Path) -> None:
    folder(tmp_path, "b", *APPS, created_at="2026-03-09T09:00:00.000+00:00")
    folder(tmp_path, "a", *APPS, created_at="2026-03-09T09:00:00.000+00:00")
    folder(tmp_path, "late", *APPS, created_at="2026-03-10T09:00:00.000+00:00")
    os.utime(folder(tmp_path, "undated", *APPS), (1_772_000_000.123, 1_772_000_000.123))

    found = find_episodes(tmp_path)

    assert found == [
        FoundEpisode("undated", APPS, "2026-02-25T06:13:20.123+00:00", ()),
        FoundEpisode("a", APPS, "2026-03-09T09:00:00.000+00:00", ()),
        FoundEpisode("b", APPS, "2026-03-09T09:00:00.000+00:00", ()),
        FoundEpisode("late", APPS, "2026-03-10T09:00:00.000+00:00", ()),
    ]


def test_what_was_never_finished_renamed_or_spoilt_is_left_and_hides_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder(tmp_path, "half", "slack")
    folder(tmp_path, "renamed", *APPS, id="other")
    spoilt = folder(tmp_path, "spoilt", *APPS)
    (spoilt / "episode.json").write_text("{")
    (tmp_path / "no-episode").mkdir()
    (tmp_path / "a-file").touch()
    folder(tmp_path, "whole", *APPS)

    assert [each.id for each in find_episodes(tmp_path)] == ["whole"]
    (line,) = caplog.messages
    assert line.startswith(f"{spoilt}/episode.json cannot be read")


def test_snapshots_come_oldest_first_whole_ones_only_and_each_has_a_name_of_its_own(tmp_path: Path) -> None:
    episode = folder(tmp_path, "ep", *APPS)
    snapshot(episode, "cut.0000bbbb", 1_772_000_002, *APPS)
    snapshot(episode, "v1.2.0000aaaa", 1_772_000_001, *APPS)
    snapshot(episode, "cut.0000aaaa", 1_772_000_003, *APPS)
    snapshot(episode, "half.0000aaaa", 1_772_000_000, "slack")
    snapshot(episode, "odd", 1_772_000_004, *APPS)

    (found,) = find_episodes(tmp_path)

    assert found.snapshots == (
        Snapshot("v1.2", "v1.2.0000aaaa", "2026-02-25T06:13:21.000+00:00"),
        Snapshot("cut", "cut.0000bbbb", "2026-02-25T06:13:22.000+00:00"),
        Snapshot("cut.0000aaaa", "cut.0000aaaa", "2026-02-25T06:13:23.000+00:00"),
        Snapshot("odd", "odd", "2026-02-25T06:13:24.000+00:00"),
    )
