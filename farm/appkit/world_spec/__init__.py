"""The API of generators, ``contexts/<app>/generate.py``: read a world's specification and build rows."""

from __future__ import annotations

from farm.appkit.handler_api import Row
from farm.appkit.world_spec.app_spec import AppSpec
from farm.appkit.world_spec.days import Days
from farm.appkit.world_spec.hours import AT_WORK, AWAKE, Hours, shortly_before
from farm.appkit.world_spec.links import Link, ScheduledRow
from farm.appkit.world_spec.people import Account, Organisation, Person
from farm.appkit.world_spec.realism import Kind, Utterance
from farm.appkit.world_spec.rows import as_json, identities_of
from farm.appkit.world_spec.seconds import Seconds
from farm.appkit.world_spec.spec_file import SCHEDULED_TALK, TALK, SpecFile, accounts, many, mapping, one, own
from farm.appkit.world_spec.talk import Message, Talk
from farm.appkit.world_spec.text import Resolve
from farm.appkit.world_spec.toml_reader import WorldError, check_keys, require
from farm.appkit.world_spec.voices import Voice

__all__ = [
    "AT_WORK",
    "AWAKE",
    "SCHEDULED_TALK",
    "TALK",
    "Account",
    "AppSpec",
    "Days",
    "Hours",
    "Kind",
    "Link",
    "Message",
    "Organisation",
    "Person",
    "Resolve",
    "Row",
    "ScheduledRow",
    "Seconds",
    "SpecFile",
    "Talk",
    "Utterance",
    "Voice",
    "WorldError",
    "accounts",
    "as_json",
    "check_keys",
    "identities_of",
    "many",
    "mapping",
    "one",
    "own",
    "require",
    "shortly_before",
]
