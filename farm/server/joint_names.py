"""The names of tools and prompts on the joint server of an episode, which has all apps."""

from __future__ import annotations

from hashlib import blake2b

NAME_MAX = 53  # 64, the limit of providers, less ``mcp__farm__``, which clients put in front


def joint_name(app: str, name: str) -> str:
    """Return ``<app>__<name>``; one that is too long for clients is truncated and ends in a hash."""
    joint = f"{app}__{name}"
    if len(joint) <= NAME_MAX:
        return joint
    return f"{joint[: NAME_MAX - 9]}_{blake2b(joint.encode(), digest_size=4).hexdigest()}"
