"""The gateway's memory: what it forgets is gone from the disk too."""

from __future__ import annotations

from pathlib import Path

from gateway.registry import Registry, Snapshot

AT = "2026-03-09T09:00:00.000+00:00"


async def test_a_dropped_episode_leaves_no_snapshot_to_one_of_the_same_name(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "registry.db")
    await registry.open()
    for episode_id in ("default", "other"):
        await registry.put_episode(episode_id, ("slack",), AT)
        intent_id = await registry.intend("snapshot", episode_id)
        await registry.add_snapshot(episode_id, Snapshot("s1", "s1.ab", AT), intent_id=intent_id)

    await registry.drop_episode("default")
    await registry.put_episode("default", ("slack",), AT)
    await registry.close()

    again = Registry(tmp_path / "registry.db")
    assert await again.open() == []
    assert again.snapshots("default") == {}
    assert list(again.snapshots("other")) == ["s1"]
    assert set(again.apps) == {"default", "other"}
    await again.close()
