"""A world's specification as read from its folders: what is common, and each app's part."""

from __future__ import annotations

import difflib
from functools import cached_property
from pathlib import Path

from farm import content
from farm.world.app_spec import AppSpec
from farm.world.common import Common
from farm.world.generators import Link, generator, generators
from farm.world.read import WorldError, require


class Spec(Common):
    """The specification of one world, with the apps that are in it."""

    @classmethod
    def load(cls, world: str) -> Spec:
        """Return the specification of the world of this name."""
        return cls(*content.world_dirs(world))

    @cached_property
    def apps(self) -> dict[str, AppSpec]:
        """App → its part, sorted: an app is in the world by having a folder ``spec/<app>``."""
        found: dict[str, Path] = {}
        for folder in self.folders:
            for path in sorted((folder / "spec").iterdir() if (folder / "spec").is_dir() else ()):
                if not path.is_dir() or path.name.startswith((".", "_")):
                    continue
                if path.name in found:
                    raise WorldError(f"'{path.name}' has a part in {found[path.name]} and in {path}; remove one")
                require("app with a contexts/<app>/generate.py", path.name, generators(), f"spec/{path.name}/")
                found[path.name] = path
        return {app: AppSpec(self, app, found[app], generator(app), self.link) for app in sorted(found)}

    def app(self, name: str) -> AppSpec:
        """Return an app's part of the specification."""
        return require("part of an app", name, self.apps, f"world '{self.name}'")

    @cached_property
    def links(self) -> dict[str, Link]:
        """Key → what any app's texts may point to with ``{{doc:KEY}}``; each app says what it has."""
        found: dict[str, Link] = {}
        for app, part in self.apps.items():
            for key, link in part.links().items():
                if key in found:
                    raise WorldError(f"spec/{app}/: '{key}' is what another app calls something of its own; rename it")
                found[key] = link
        return found

    def link(self, key: str) -> Link:
        """Return what a text means by ``{{doc:KEY}}``.

        Raises:
            ValueError: no app has something of this key.
        """
        if key not in self.links:
            near = difflib.get_close_matches(key, self.links, n=3, cutoff=0.3) or sorted(self.links)
            raise ValueError(f"no doc '{key}'; nearest: {', '.join(near)}")
        return self.links[key]
