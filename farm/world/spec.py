"""Load a world's specification from its folders: the common part, and each app's part."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from contextlib import nullcontext
from functools import cached_property
from pathlib import Path

from farm import content
from farm._util.renamed_words import called
from farm.appkit.world_spec.app_spec import AppSpec
from farm.appkit.world_spec.common import Common
from farm.appkit.world_spec.links import Link
from farm.appkit.world_spec.problems import collected, report
from farm.appkit.world_spec.toml_reader import WorldError, require
from farm.world.generators import files, generator, generators


class Spec(Common):
    """The specification of one world with its apps."""

    @classmethod
    def load(cls, world: str, *, traced: bool = False) -> Spec:
        """Load the specification of a world by name; ``traced`` marks which fact each part of a text tells."""
        return cls(*content.world_dirs(world), traced=traced)

    @cached_property
    def apps(self) -> dict[str, AppSpec]:
        """App → its part, sorted; a folder ``spec/<app>`` adds an app to the world."""
        found: dict[str, Path] = {}
        for folder in self.folders:
            for path in sorted((folder / "spec").iterdir() if (folder / "spec").is_dir() else ()):
                if not path.is_dir() or path.name.startswith((".", "_")):
                    continue
                if (path / "later").is_dir():
                    raise WorldError(f"{path / 'later'} is not read{called('later/', 'scheduled/')}")
                if path.name in found:
                    raise WorldError(f"'{path.name}' has a part in {found[path.name]} and in {path}; remove one")
                require("app with a contexts/<app>/generate.py", path.name, generators(), f"spec/{path.name}/")
                found[path.name] = path
        return {
            app: AppSpec(self, app, folder, generator(app), self.link, files(app))
            for app, folder in sorted(found.items())
        }

    def app(self, name: str) -> AppSpec:
        """Return an app's part of the specification."""
        return require("part of an app", name, self.apps, f"world '{self.name}'")

    @cached_property
    def links(self) -> dict[str, Link]:
        """Key → the target of ``{{doc:KEY}}`` in any app's texts; each app declares its own."""
        found: dict[str, Link] = {}
        problems = collected()
        for app, part in self.apps.items():
            declared: Mapping[str, Link] = {}
            with problems.added() if problems else nullcontext():
                declared = part.links()
            for key, link in declared.items():
                if key in found:
                    report(
                        WorldError(f"spec/{app}/: '{key}' is what another app calls something of its own; rename it")
                    )
                found[key] = link
        return found

    def link(self, key: str) -> Link:
        """Return the target of ``{{doc:KEY}}``.

        Raises:
            ValueError: no app declares this key.
        """
        if key not in self.links:
            near = difflib.get_close_matches(key, self.links, n=3, cutoff=0.3) or sorted(self.links)
            raise ValueError(f"no doc '{key}'; nearest: {', '.join(near)}")
        return self.links[key]
