"""Bodies of the real service beside ours (``tests.apps.real_bodies`` says how); ``body`` is the ``data`` shown."""

from __future__ import annotations

from pathlib import Path

from tests.apps.real_bodies import RealBodies

_BODIES = RealBodies(
    Path(__file__).parent / "bodies",
    {
        "event id": r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}_\d+",
        "calendar id": r"[a-z.]+_\w+@group\.calendar\.[a-z.]+",
        "attendee id": r"(user|chat|resource|third_party)_\d+",
        "id": r"(?P<prefix>ou|on|oc|om|omm|omt|cli)_[0-9a-z]+",
    },
)
load, names, differences = _BODIES.load, _BODIES.names, _BODIES.differences
