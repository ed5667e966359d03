"""Finds and loads apps, worlds, suites and papers of the package, of ``FARM_CONTENT`` and of installed packages.

A root is a folder with any of ``kernels/``, ``contexts/``, ``tasks/``, ``papers/``. Roots come, in order, from the
package itself, from the folders in ``FARM_CONTENT`` (separated like PATH), and from entry points in the group
``farm.content`` (each names a package whose folder is a root). A name in two roots is an error, so nothing is shadowed
silently.
``FARM_VENDOR_DESCRIPTIONS`` names files with the vendors' own descriptions, which are then served in place of ours
(``farm.appkit.vendor_descriptions``).
"""

from __future__ import annotations

import ast
import fnmatch
import hashlib
import importlib
import importlib.metadata
import importlib.util
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

import orjson

import farm._content
from farm._util.renamed_words import called, hint
from farm._util.sigint import require_no_interrupt
from farm.appkit import vendor_descriptions
from farm.appkit.server_features import ServerFeatures, read_server_features
from farm.errors import FarmError, NotFoundError

if TYPE_CHECKING:
    from farm.appkit.app import App, Profile, Tool
    from farm.appkit.dialects import Check
    from farm.appkit.envelope import Renderer
    from farm.appkit.feature_requests import ResultRenderer
    from farm.appkit.schema import Schema


# The episode that every farm has, and what some clients append to an address.
_RESERVED = ("default", "mcp")
_TOOLS_JSON = "tools.json"


@dataclass(frozen=True)
class Root:
    """One content folder and the package name its modules are imported under."""

    folder: Path
    package: str


@dataclass(frozen=True, slots=True)
class BoundTool:
    """One tool with its row in the tool table, its argument check, and the renderer of its answers."""

    tool: Tool
    check: Check
    renderer: Renderer | ResultRenderer


@dataclass(frozen=True)
class LoadedApp:
    """An app with the files beside its code.

    Attributes:
        app: the kernel's declaration, in this profile.
        folder: ``kernels/<app>``.
        server: the ``server`` object of tools.json: the real server's name and version, and whatever else it says of
            itself.
        instructions: the real server's instructions to a client at connect time, or None.
        tool_schemas: the tools as they are sent, in the vendor's order.
        profile: the profile in which it is loaded.
        note: the profile's description of itself.
        recorded: server, version or SDK in recorded calls of this version.
        own: the app in the profile ``latest``, if this is another one.
        features: what the server declares at initialization, and offers besides tools.
    """

    app: App
    root: Root
    folder: Path
    server: dict[str, Any]
    instructions: str | None
    tool_schemas: tuple[dict[str, Any], ...]
    profile: str = "latest"
    note: str = ""
    recorded: tuple[str, ...] = ()
    own: LoadedApp | None = None
    features: ServerFeatures = field(default_factory=ServerFeatures)

    @cached_property
    def profiles(self) -> Mapping[str, LoadedApp]:
        """The app in each of its profiles, ``latest`` first."""
        if self.own is not None:
            return self.own.profiles
        others = {name: self._in(name, profile) for name, profile in self.app.profiles.items()}
        return {self.profile: self, **others}

    def in_profile(self, name: str) -> LoadedApp:
        """Return the app in a profile; an app that does not define it falls back to ``latest``."""
        latest = self.own or self
        # Others are read only if one of them is asked for: most processes never need them.
        return latest.profiles[name] if name in latest.app.profiles else latest

    def _in(self, name: str, profile: Profile) -> LoadedApp:
        if name == self.profile:
            raise FarmError(f"app '{self.app.name}': '{name}' is the app itself; name another profile otherwise")
        path = self.folder / profile.tools_json
        if not path.resolve().is_relative_to(self.folder.resolve()):
            raise FarmError(f"app '{self.app.name}', profile '{name}': {profile.tools_json} is outside {self.folder}")
        server, instructions, tool_schemas, features = (
            (self.server, self.instructions, self.tool_schemas, self.features)
            if path == self.folder / _TOOLS_JSON
            else _read_tool_schemas(path)
        )
        if profile.handshake:
            server = profile.handshake.get("server", server)
            features = features.with_handshake(profile.handshake)
        if profile.names is not None:
            missing = sorted(set(profile.names) - {entry["name"] for entry in tool_schemas})
            if missing:
                raise FarmError(f"app '{self.app.name}', profile '{name}': {profile.tools_json} has no {missing}")
            tool_schemas = tuple(entry for entry in tool_schemas if entry["name"] in profile.names)
        served = [entry["name"] for entry in tool_schemas]
        _require_tool(profile.any_name, served, f"app '{self.app.name}', profile '{name}'")
        app = self.app.as_in(profile, served)
        told = (name, profile.note, profile.recorded)
        return LoadedApp(app, self.root, self.folder, server, instructions, tool_schemas, *told, self, features)

    @cached_property
    def schema(self) -> Schema:
        """The context's tree; the same in every profile."""
        return self._derived_schema() if self.own is None else self.own.schema

    def tables_of(self, tool: Tool) -> tuple[str, ...]:
        """Return the tables that a tool's caller may change: all that it writes, except the server's internal ones."""
        return tuple(table for table in tool.writes if table not in self.schema.internal)

    def _derived_schema(self) -> Schema:
        from farm.appkit.schema import Schema

        path = self.root.folder / "contexts" / self.app.name / "schema.py"
        if not path.is_file():
            raise FarmError(f"app '{self.app.name}' has no {path}; its tables are declared there")
        return Schema(_declared(_import(self.root, f"contexts.{self.app.name}.schema"), "METADATA", path))

    def remember_schema(self, folder: Path) -> None:
        """Load the schema from its cache in a folder, or write that cache."""
        from farm.appkit.schema_cache import cache_path, load_cached, write_cache

        path = cache_path(folder, self.app.name)
        known = load_cached(path, self._derived_schema)
        if known is not None:
            # Provides the whole interface of a schema.
            self.__dict__["schema"] = known
        else:
            write_cache(path, self.schema, self.root.package)

    @cached_property
    def bound(self) -> dict[str, BoundTool]:
        """Tool name → its bound tool."""
        from farm.appkit.dialects import fit_handler

        tools = {tool.name: tool for tool in self.app.tools}
        entries = {entry["name"]: entry for entry in self.tool_schemas}
        if list(tools) != list(entries):
            odd = sorted(set(tools) ^ set(entries)) or "their order"
            where = "" if self.own is None else f", profile '{self.profile}'"
            raise FarmError(f"app '{self.app.name}'{where}: tool table and contract differ in {odd}")
        dialect, bound = self.app.dialect, {}
        for name, tool in tools.items():
            schema = entries[name]["inputSchema"]
            check = dialect.compile(name, schema)
            is_closed = dialect.drops_undeclared and schema.get("properties") and not schema.get("additionalProperties")
            declared = schema["properties"] if is_closed else None
            fitting = fit_handler(check, tool.handler, is_checked=dialect.checks_arguments, declared=declared)
            bound[name] = BoundTool(tool, fitting, self._renderer(tool, entries[name].get("outputSchema")))
        return bound

    def _renderer(self, tool: Tool, output_schema: Any) -> Renderer:
        structure, envelope = tool.structured, self.app.envelope
        if structure is not None:
            envelope = replace(envelope, structured=lambda _: structure)
        return envelope.compile(output_schema)

    @cached_property
    def requests(self) -> dict[str, BoundTool]:
        """Method → the row of a request that the pipeline runs like a tool call: prompts and resources."""
        from farm.appkit.feature_requests import bind_requests

        return {method: BoundTool(*bound) for method, bound in bind_requests(self.app, self.features).items()}


def _folder_root(folder: Path) -> Root:
    """Make a folder importable under a unique name, so that its relative imports work."""
    folder = folder.expanduser().resolve()
    if not folder.is_dir():
        raise FarmError(
            f"no content folder '{folder}'; FARM_CONTENT and --content name folders with kernels/, contexts/ or tasks/"
        )
    name = f"farm_content_{hashlib.blake2b(str(folder).encode(), digest_size=6).hexdigest()}"
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return Root(folder, name)


def use_only(folder: Path) -> None:
    """Make a folder the only content of this process, before any content is loaded: the farm's own is not read."""
    farm._content.ROOT = folder
    farm._content.__path__ = [str(folder)]


def roots() -> tuple[Root, ...]:
    """Return every content root, the package's own first."""
    return _roots(os.environ.get("FARM_CONTENT", ""))


@lru_cache(maxsize=8)
def _roots(named: str) -> tuple[Root, ...]:
    found = [Root(farm._content.ROOT, "farm._content")]
    found += [_folder_root(Path(each)) for each in named.split(os.pathsep) if each]
    for entry in importlib.metadata.entry_points(group="farm.content"):
        module = entry.load()
        found.append(Root(Path(next(iter(module.__path__))), module.__name__))
    # A folder that is named twice, or by a link, is one root.
    once: dict[Path, Root] = {}
    for root in found:
        once.setdefault(root.folder.resolve(), root)
    return tuple(once.values())


def _import(root: Root, dotted: str) -> ModuleType:
    try:
        return importlib.import_module(f"{root.package}.{dotted}")
    except Exception as problem:
        # The boundary to a content folder's code, which may raise anything.
        require_no_interrupt(problem)
        kind, *rest = dotted.split(".")
        own = [
            each for each in traceback.extract_tb(problem.__traceback__) if _is_in(each.filename, root.folder / kind)
        ]
        place = f"{own[-1].filename}:{own[-1].lineno}" if own else root.folder.joinpath(kind, *rest)
        told = " ".join(str(problem).split())
        raise FarmError(f"{place} cannot be imported: {type(problem).__name__}: {told}{hint(problem)}") from problem


def _is_in(path: str, folder: Path) -> bool:
    return Path(path).is_relative_to(folder)


def _declared(module: ModuleType, name: str, path: Path) -> Any:
    if not hasattr(module, name):
        raise FarmError(f"{path} declares no {name}")
    return getattr(module, name)


@dataclass(frozen=True)
class _Kind:
    """One kind of content: its display name, its folder below a root, and the file that each of its folders has."""

    name: str
    below: str
    marker: str

    def every(self) -> dict[str, Root]:
        """Return every name, sorted, with its root."""
        found: dict[str, Root] = {}
        for root in roots():
            for name in self._folders(root):
                if self._is_marked(root, name):
                    self._require_one(name, [*([found[name]] if name in found else []), root])
                    found[name] = root
        return dict(sorted(found.items()))

    def find(self, name: str) -> Root | None:
        """Return the root that has this name; it reads no other folder, as a start asks for many names."""
        having = [root for root in roots() if name in self._folders(root) and self._is_marked(root, name)]
        self._require_one(name, having)
        return having[0] if having else None

    def _require_one(self, name: str, having: Sequence[Root]) -> None:
        if len(having) > 1:
            raise FarmError(f"{self.name} '{name}' is in {having[0].folder} and in {having[1].folder}; rename one")

    def _folders(self, root: Root) -> list[str]:
        return [name for name in _listed(f"{root.folder}/{self.below}") if not name.startswith(("_", "."))]

    def _is_marked(self, root: Root, name: str) -> bool:
        return bool(fnmatch.filter(_listed(f"{root.folder}/{self.below}/{name}"), self.marker))

    def require(self, name: str) -> Root:
        """Return the root that has this name.

        Raises:
            NotFoundError: no root has it; the message lists the names.
        """
        found = self.find(name)
        if found is None:
            raise NotFoundError(f"no {self.name} '{name}'; have {', '.join(self.every()) or 'none'}")
        return found


def _listed(folder: str) -> list[str]:
    """Return the names in a folder; empty if it is not a folder."""
    # Listed, not probed: a file system that ignores case would also find names in another case.
    with suppress(FileNotFoundError, NotADirectoryError):
        return os.listdir(folder)
    return []


_APPS = _Kind("app", "kernels", _TOOLS_JSON)
_WORLDS = _Kind("world", "contexts/worlds", "world.toml")
_SUITES = _Kind("suite", "tasks", "*.toml")
_REFERENCES = _Kind("reference", "contexts/references", "schema.py")
_PAPERS = _Kind("paper", "papers", "paper.toml")


def app_names(*, hidden: bool = False) -> list[str]:
    """Return the names of all apps, sorted; hidden fixtures only on request."""
    return [name for name, root in _APPS.every().items() if hidden or not _is_flagged("hidden", name, root)]


def companion_names() -> list[str]:
    """Return the names of the farm's own servers beside the apps, sorted."""
    return [name for name, root in _APPS.every().items() if _is_flagged("companion", name, root)]


def is_companion(name: str) -> bool:
    """Return whether an app is a server of the farm's own beside the others."""
    root = _find_app(name)
    return root is not None and _is_flagged("companion", name, root)


def _is_flagged(flag: Literal["hidden", "companion"], name: str, root: Root) -> bool:
    """Return whether an app sets a flag; from its source if possible, as importing all kernels for a list is slow."""
    with suppress(OSError, SyntaxError):
        path = f"{root.folder}/kernels/{name}/__init__.py"
        said = _declares(flag, path, os.stat(path).st_mtime_ns)
        if said is not None:
            return said
    with suppress(FarmError):
        return bool(getattr(load_app(name).app, flag))
    return False  # loading it reports the error, and the other apps stay available


def has_app(name: str) -> bool:
    """Return whether ``app_names`` has an app, without reading the others; an app that was there is taken to stay."""
    known = _known_apps(roots())
    if name not in known:
        root = _find_app(name)
        if root is None or _is_flagged("hidden", name, root):
            return False
        known.add(name)
    return True


def _find_app(name: str) -> Root | None:
    """Return the root of an app, hidden or not; one that was there is taken to stay."""
    known = _app_roots(roots())
    root = known.get(name) or _APPS.find(name)
    if root is not None:
        known[name] = root
    return root


@lru_cache(maxsize=8)
def _app_roots(_: tuple[Root, ...]) -> dict[str, Root]:
    return {}


@lru_cache(maxsize=8)
def _known_apps(_: tuple[Root, ...]) -> set[str]:
    return set()


@lru_cache(maxsize=256)
def _declares(flag: str, path: str, _: int) -> bool | None:
    """Return whether a kernel's source sets a flag, or None if it does not say; read again after a change."""
    source = Path(path).read_bytes()
    if flag.encode() not in source and b"APP = App(" in source and b"**" not in source:
        return False  # most sources: parsing them all takes a tenth of a start
    for line in ast.parse(source).body:
        match line:
            case ast.Assign(targets=[ast.Name(id="APP")], value=ast.Call(args=[], keywords=given)):
                said = {each.arg: each.value for each in given}
                value = said.get(flag, ast.Constant(False))
                if None not in said and isinstance(value, ast.Constant):
                    return bool(value.value)
    return None


def require_app(name: str) -> Path:
    """Return the folder of an app without importing it.

    Raises:
        NotFoundError: no root has it; the message lists the names.
    """
    return _require_app(name).folder / "kernels" / name


def tool_count(name: str) -> int:
    """Return the number of an app's tools, without importing it."""
    return _count_tools(require_app(name) / _TOOLS_JSON)


@lru_cache(maxsize=128)
def _count_tools(path: Path) -> int:
    return len(_read_tools_json(path)["tools"])


def load_app(name: str, profile: str = "latest") -> LoadedApp:
    """Return the app of this name, in one of its profiles.

    Raises:
        NotFoundError: no root has it, or it has no such profile; the message lists the names.
    """
    loaded = _load_app(name, _require_app(name), vendor_descriptions.files().get(name))
    if profile == loaded.profile:
        return loaded
    if profile not in loaded.profiles:
        raise NotFoundError(f"no profile '{profile}' of app '{name}'; have {', '.join(loaded.profiles)}")
    return loaded.profiles[profile]


def _require_app(name: str) -> Root:
    found = _find_app(name)
    if found is not None:
        return found
    raise NotFoundError(f"no app '{name}'; have {', '.join(app_names()) or 'none'}")


@lru_cache(maxsize=128)
def _load_app(name: str, root: Root, descriptions: Path | None) -> LoadedApp:
    from farm.appkit.app import App

    folder = root.folder / "kernels" / name
    if name in _RESERVED:
        raise FarmError(f"an app cannot be called '{name}': /mcp/{name} would be two addresses; rename {folder}")
    app = _declared(_import(root, f"kernels.{name}"), "APP", folder / "__init__.py")
    if not isinstance(app, App):
        raise FarmError(f"{folder / '__init__.py'}: APP must be an App(…)")
    if app.name != name:
        raise FarmError(f"the app in {folder} calls itself '{app.name}'; folder and name must agree")
    server, instructions, tool_schemas, features = _read_tool_schemas(folder / _TOOLS_JSON)
    if descriptions is not None:
        tool_schemas = vendor_descriptions.with_vendor_descriptions(name, tool_schemas, descriptions, server=server)
    _require_tool(app.any_name, [entry["name"] for entry in tool_schemas], f"app '{name}'")
    return LoadedApp(app, root, folder, server, instructions, tool_schemas, features=features)


def _require_tool(any_name: str | None, tools: Sequence[str], where: str) -> None:
    if any_name is not None and any_name not in tools:
        raise FarmError(f"{where}: any_name is '{any_name}', which is none of its tools")


def _read_tools_json(path: Path) -> dict[str, Any]:
    try:
        wire = orjson.loads(path.read_bytes())
    except OSError as problem:
        raise FarmError(f"{path} cannot be read: {problem.strerror}") from None
    except orjson.JSONDecodeError as problem:
        raise FarmError(f"{path} is not JSON: {problem}") from None
    if not isinstance(wire, dict) or not isinstance(wire.get("tools"), list):
        raise FarmError(f"{path} has no list 'tools'")
    return wire


def _read_tool_schemas(path: Path) -> tuple[dict[str, Any], str | None, tuple[dict[str, Any], ...], ServerFeatures]:
    """Return server, instructions, tools and other features of a tools.json."""
    wire = _read_tools_json(path)
    if not isinstance(wire.get("server"), dict):
        raise FarmError(f"{path} has no object 'server' with name and version")
    for tool in wire["tools"]:
        match tool:
            case {"name": str(), "inputSchema": dict()}:
                pass
            case _:
                raise FarmError(f"{path}: each tool needs a 'name' and an object 'inputSchema'")
    features = read_server_features(wire, str(path))
    return wire["server"], wire.get("instructions"), tuple(wire["tools"]), features


def web_dir() -> Path:
    """Return the folder of the pages' modules."""
    return farm._content.ROOT / "web"


def context_dir(app: str) -> Path:
    """Return the folder ``contexts/<app>``."""
    return load_app(app).root.folder / "contexts" / app


def kernel_module(app: str, name: str) -> ModuleType:
    """Import ``kernels/<app>/<name>.py``, a module that an app's tools and its world share."""
    return _import(load_app(app).root, f"kernels.{app}.{name}")


def kernel_declaration(app: str, module: str, name: str) -> Any:
    """Return what ``kernels/<app>/<module>.py`` declares under a name; None if the app has no such module."""
    return _kernel_declaration(app, module, name, roots())


@lru_cache(maxsize=512)
def _kernel_declaration(app: str, module: str, name: str, _: tuple[Root, ...]) -> Any:
    has_one = (load_app(app).folder / f"{module}.py").is_file()
    return getattr(kernel_module(app, module), name) if has_one else None


def protocol_module(app: str) -> ModuleType | None:
    """Import ``kernels/<app>/protocol.py``: the app's MCP features besides tools; None if there are none."""
    loaded = load_app(app)
    has_one = (loaded.folder / "protocol.py").is_file()
    return _import(loaded.root, f"kernels.{app}.protocol") if has_one else None


def reference_dir(name: str) -> Path:
    """Return the folder of a reference, with ``schema.py`` and the rows of each table."""
    return _REFERENCES.require(name).folder / "contexts" / "references" / name


def reference_root(name: str) -> Root:
    """Return the content root of a reference."""
    return _REFERENCES.require(name)


def reference_metadata(name: str) -> Any:
    """Return the tables that a reference declares."""
    path = reference_dir(name) / "schema.py"
    return _declared(_import(_REFERENCES.require(name), f"contexts.references.{name}.schema"), "METADATA", path)


def world_names() -> list[str]:
    """Return the names of all worlds, sorted."""
    return list(_WORLDS.every())


def world_dir(name: str) -> Path:
    """Return the folder of a world, with ``world.toml``."""
    return _WORLDS.require(name).folder / "contexts" / "worlds" / name


def world_dirs(name: str) -> list[Path]:
    """Return a world's folder, then the folders in which other roots add apps and outsiders to it."""
    home = world_dir(name)
    others = (root.folder / "contexts" / "worlds" / name for root in roots())
    return [home, *(folder for folder in others if folder != home and folder.is_dir())]


def world_apps(name: str) -> list[str]:
    """Return the apps for which a world has rows, sorted."""
    return sorted({path.stem for folder in world_dirs(name) for path in folder.glob("*.jsonl")})


def find_rows(world: str, app: str) -> Path | None:
    """Return the file of a world's rows for an app, or None if the world has none.

    Raises:
        NotFoundError: there is no such world.
        FarmError: two roots have rows for the app.
    """
    found = [path for folder in world_dirs(world) if (path := folder / f"{app}.jsonl").is_file()]
    if len(found) > 1:
        raise FarmError(f"rows of '{app}' in world '{world}' are in {found[0]} and in {found[1]}; remove one")
    return found[0] if found else None


def find_scheduled_rows(world: str, app: str) -> Path | None:
    """Return the file of an app's scheduled rows in a live world, or None; it is beside the file of its rows.

    Raises:
        FarmError: the world has a folder of the former name.
    """
    rows = find_rows(world, app)
    path = rows.parent / "scheduled" / rows.name if rows else None
    if rows and (former := rows.parent / "later").is_dir():
        raise FarmError(f"{former} is not read{called('later/', 'scheduled/')}")
    return path if path and path.is_file() else None


def paper_names() -> list[str]:
    """Return the names of all papers, sorted."""
    return list(_PAPERS.every())


def paper_dir(name: str) -> Path:
    """Return the folder of a paper, with ``paper.toml``."""
    return _PAPERS.require(name).folder / "papers" / name


def suite_names() -> list[str]:
    """Return the names of all task suites, sorted."""
    return list(_SUITES.every())


def suite_dir(name: str) -> Path:
    """Return the folder of a suite, one TOML file a task; one that was there is taken to stay while its folder does."""
    known = _suite_folders(roots())
    if name not in known or not known[name].is_dir():
        known[name] = _SUITES.require(name).folder / "tasks" / name
    return known[name]


@lru_cache(maxsize=8)
def _suite_folders(_: tuple[Root, ...]) -> dict[str, Path]:
    return {}


def suite_module(suite: str, module: str) -> ModuleType:
    """Import ``tasks/<suite>/<module>.py``: a task's own predicates."""
    return _import(_SUITES.require(suite), f"tasks.{suite}.{module}")


def forget_suite_module(suite: str, module: str) -> None:
    """Make ``suite_module`` import a task's predicates again, as their file has changed."""
    sys.modules.pop(f"{_SUITES.require(suite).package}.tasks.{suite}.{module}", None)
    importlib.invalidate_caches()
