"""The ``world.toml`` of a world with one person, for apps whose tasks and calls know nobody."""

from __future__ import annotations

# Keys: name, title, summary, starts_at, note (of the organisation), person, person_name, job.
WORLD_OF_ONE = """name = "{name}"
title = "{title}"
summary = "{summary}"
protagonist = "{person}"
starts_at = "{starts_at}"
time_zone = "UTC"
languages = ["en"]
seed = 1

[departments]
Office = "Office"

[[organisations]]
key = "own"
name_zh = "Own"
name_en = "Own"
domain = "own.example"
note = "{note}"

[[people]]
key = "{person}"
name_en = "{person_name}"
email = "{person}@own.example"
phone = "+44 20 7946 0100"
organisation = "own"
title_en = "{job}"
department = "Office"
manager = ""
city = "London"
time_zone = "UTC"
language = "en"
"""
