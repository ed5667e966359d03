"""Options that several commands share."""

from __future__ import annotations

import atexit
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from farm import content
from farm._util.json_io import dumps, loads
from farm._util.names import split_names
from farm._util.plurals import pluralize
from farm.appkit import vendor_descriptions
from farm.client import FarmClient
from farm.context.settings import DEFAULT
from farm.errors import FarmError
from farm.runtime.supervisor.state import FarmState, default_data

# Maximum number of episodes listed for one label.
_NAMED_MAX = 5


def use_content(folder: Path | None) -> Path | None:
    """Add a content folder for this process and those that it starts."""
    if folder is not None:
        # Absolute, as a background farm may have another working folder; without repetitions, which are rejected.
        named = [each for each in os.environ.get("FARM_CONTENT", "").split(os.pathsep) if each]
        given = str(folder.expanduser().absolute())
        os.environ["FARM_CONTENT"] = os.pathsep.join([*(each for each in named if each != given), given])
    return folder


def given_path(text: str) -> Path:
    """Return the path of an option or argument; an empty one is rejected, as it would mean the current folder."""
    if not text:
        raise typer.BadParameter("it is empty; name a file or folder")
    return Path(text)


def _use_vendor_descriptions(named: list[str] | None) -> list[str] | None:
    if named:
        # Absolute, as for content; this option replaces the environment's value for this app.
        files = vendor_descriptions.files() | vendor_descriptions.parse(named)
        whole = {app: path.expanduser().absolute() for app, path in files.items()}
        os.environ[vendor_descriptions.VARIABLE] = vendor_descriptions.named(whole)
    for app in vendor_descriptions.files():
        content.load_app(app)
    return named


def _absolute(folder: Path) -> Path:
    return folder.expanduser().absolute()


Data = Annotated[
    Path,
    typer.Option(
        "--data",
        envvar="FARM_DATA",
        help="Data folder.",
        parser=given_path,
        metavar="<path>",
        default_factory=default_data,
        callback=_absolute,
        show_default="~/.local/share/mcp-farm",
    ),
]
# The default of such an option: its default factory.
DATA: Any = ...
Content = Annotated[
    Path | None,
    typer.Option(
        "--content",
        callback=use_content,
        is_eager=True,
        help="Another content folder; see also FARM_CONTENT.",
        parser=given_path,
        metavar="<path>",
    ),
]
VendorDescriptions = Annotated[
    list[str] | None,
    typer.Option(
        "--vendor-descriptions",
        metavar="APP=FILE",
        callback=_use_vendor_descriptions,
        help="Serve the vendor's tool descriptions, from your copy of its tools/list. May be repeated.",
    ),
]
Apps = Annotated[
    list[str] | None, typer.Option("--apps", help="Comma-separated list of apps; default: all. May be repeated.")
]
FarmUrl = Annotated[str | None, typer.Option("--farm", envvar="FARM_URL", help="Control API of a remote farm.")]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        "--token-file",
        envvar="FARM_TOKEN_FILE",
        help="File with its operator token.",
        parser=given_path,
        metavar="<path>",
    ),
]
Profile = Annotated[
    str, typer.Option(help="Version of the servers, such as an older one; an app that does not define it uses latest.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def named_apps(given: list[str] | None, have: Sequence[str]) -> list[str] | None:
    """Return the apps in ``--apps``, or None if it is absent; whether they exist is not checked.

    Raises:
        FarmError: it is given but empty.
    """
    if not given:
        return None
    chosen = split_names(given)
    if not chosen:
        raise FarmError(f"--apps names no app; have {', '.join(have)}")
    return chosen


@dataclass(frozen=True)
class NamedFarm:
    """The farm that a command is for: the one at a URL, or else the one that runs on a data folder."""

    data: Data = DATA
    farm: FarmUrl = None
    token_file: TokenFile = None

    def client(self) -> FarmClient:
        """Return a client of the farm.

        Raises:
            FarmError: no farm runs there, or the token file cannot be read.
        """
        url, token_file = self.farm, self.token_file
        if url is None:
            state = FarmState.load(self.data)
            if state is None:
                way_out = "start one with 'farm up', or name one with --farm and --token-file"
                raise FarmError(f"no farm runs on {self.data}; {way_out}")
            url, token_file = state.operators_url, token_file or Path(state.token_file)
        made = FarmClient(url, read_token(token_file))
        atexit.register(made.close)  # a command uses it until its end
        return made


def read_token(file: Path | None) -> str:
    """Return the token in the file named by --token-file.

    Raises:
        FarmError: no file is named, or it holds no token.
    """
    if file is None:
        raise FarmError("--farm needs --token-file (or FARM_TOKEN_FILE): the file with that farm's operator token")
    try:
        token = file.expanduser().read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as problem:
        raise FarmError(f"token file {file} cannot be read: {problem}") from None
    if not token:
        raise FarmError(f"token file {file} is empty; copy the farm's operator.token once more")
    return token


def with_farm(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the options that name a farm.

    A command with a parameter ``control`` gets that farm's client, one with ``named`` the options, and one with an
    argument ``id_`` the id of the named episode.
    """
    declared = signature(command, eval_str=True)
    options = signature(NamedFarm, eval_str=True).parameters

    @wraps(command)
    def run(**given: Any) -> None:
        named = NamedFarm(**{name: given.pop(name) for name in options})
        if "named" in declared.parameters:
            given["named"] = named
        if "control" in declared.parameters:
            given["control"] = named.client()
        if "id_" in given:
            given["id_"] = episode_id(given["control"], given["id_"])
        command(**given)

    own = [each for name, each in declared.parameters.items() if name not in ("control", "named")]
    by_name = [each.replace(kind=each.KEYWORD_ONLY) for each in options.values()]
    run.__signature__ = declared.replace(parameters=[*own, *by_name], return_annotation=None)  # type: ignore[attr-defined]
    return run


# The form of a farm's ids: <cell>-<worker>-<32 hex digits>; a name of this form is used as an id.
_ID = re.compile(r".+-\d+-[0-9a-f]{32}")


def episode_id(control: FarmClient, named: str) -> str:
    """Return the id of an episode that is named by id or label; any other name is returned unchanged.

    Raises:
        FarmError: several episodes have the label.
    """
    if named == DEFAULT or _ID.fullmatch(named):
        return named
    found = [each["id"] for each in control.episodes() if named in (each["id"], each["label"])]
    if named in found:
        return named
    if len(found) > 1:
        newest = ", ".join(reversed(found[-_NAMED_MAX:]))
        more = f" and {len(found) - _NAMED_MAX} more" if len(found) > _NAMED_MAX else ""
        raise FarmError(
            f"'{named}' is the label of {pluralize(len(found), 'episode')}; name one by its id: {newest}{more}"
        )
    return found[0] if found else named


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    sys.stdout.write(dumps(value, is_indented=True).decode() + "\n")
    sys.stdout.flush()


def parse_object(text: str, what: str) -> dict[str, Any]:
    """Parse a JSON object.

    Raises:
        FarmError: the text is not one; ``what`` names the argument.
    """
    try:
        value = loads(text)
    except orjson.JSONDecodeError as problem:
        raise FarmError(f"{what} is not JSON ({problem}); quote it as in '{{\"limit\": 5}}'") from None
    if not isinstance(value, dict):
        raise FarmError(f"{what} must be a JSON object, not {text[:40]}")
    return value


def as_person(control: FarmClient, episode: Mapping[str, Any], person: str | None) -> Mapping[str, Any]:
    """Return an episode as a person uses it: with their token and their apps; it lets them in if they are new.

    Raises:
        FarmError: there is no such person, or they have no account in the episode's apps.
    """
    if person is None or person == episode["me"]:
        return episode
    holder = control.add_holder(episode["id"], person)
    urls = {app: url for app, url in episode["mcp"].items() if app in holder["apps"]}
    return {**episode, "me": person, "token": holder["token"], "apps": list(urls), "mcp": urls}
