"""Turns the reviewed specification of a world into the rows of every app."""

from __future__ import annotations

from farm.kernel import Row
from farm.world.app_spec import AppSpec
from farm.world.check import check
from farm.world.days import Days
from farm.world.generate import generate, write
from farm.world.generators import Coming, Link
from farm.world.life import Kind, Said
from farm.world.people import Account, Organisation, Person
from farm.world.read import WorldError, check_keys, require
from farm.world.rows import as_json, identities_of
from farm.world.spec import Spec
from farm.world.talk import Message, Talk
from farm.world.text import Resolve
from farm.world.voices import Voice

__all__ = [
    "Account",
    "AppSpec",
    "Coming",
    "Days",
    "Kind",
    "Link",
    "Message",
    "Organisation",
    "Person",
    "Resolve",
    "Row",
    "Said",
    "Spec",
    "Talk",
    "Voice",
    "WorldError",
    "as_json",
    "check",
    "check_keys",
    "generate",
    "identities_of",
    "require",
    "write",
]
