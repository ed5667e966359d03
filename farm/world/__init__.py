"""Convert a world's reviewed specification into the rows of every app."""

from __future__ import annotations

from farm.world.add_rows import add_rows
from farm.world.check import check
from farm.world.generate import generate, write
from farm.world.new import new_world
from farm.world.privacy import audit_privacy
from farm.world.reseed import Edition, reseed
from farm.world.spec import Spec

__all__ = ["Edition", "Spec", "add_rows", "audit_privacy", "check", "generate", "new_world", "reseed", "write"]
