"""Turns the reviewed specification of a world into the rows of every app."""

from __future__ import annotations

from farm.kernel import Row
from farm.world.check import check
from farm.world.days import Days
from farm.world.generate import generate, write
from farm.world.spec import Spec, WorldError
from farm.world.talk import Message, Talk, read_talk
from farm.world.text import resolve

__all__ = ["Days", "Message", "Row", "Spec", "Talk", "WorldError", "check", "generate", "read_talk", "resolve", "write"]
