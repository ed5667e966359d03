"""Options that several commands share."""

from __future__ import annotations

import atexit
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer

from farm import content, vendor_words
from farm.client import FarmClient
from farm.context.settings import DEFAULT
from farm.counted import counted
from farm.errors import FarmError
from farm.loose_json import parse_exact, print_exact
from farm.naming import split_names
from farm.supervisor.state import FarmState, default_data

# Of episodes with one label, so many are told.
_NAMED_MAX = 5


def _use_content(folder: Path | None) -> Path | None:
    if folder is not None:
        # Absolute, as a farm started in the background may live elsewhere; once, as a name found twice is refused.
        named = [each for each in os.environ.get("FARM_CONTENT", "").split(os.pathsep) if each]
        given = str(folder.expanduser().absolute())
        os.environ["FARM_CONTENT"] = os.pathsep.join([*(each for each in named if each != given), given])
    return folder


def given_path(text: str) -> Path:
    """Return the path that an option or argument names; an empty one would be the folder one happens to be in."""
    if not text:
        raise typer.BadParameter("it is empty; name a file or folder")
    return Path(text)


def _use_vendor_words(named: list[str] | None) -> list[str] | None:
    if named:
        # Absolute, as for content; what is given here takes the place of what the environment names for this app.
        files = vendor_words.files() | vendor_words.parse(named)
        whole = {app: path.expanduser().absolute() for app, path in files.items()}
        os.environ[vendor_words.VARIABLE] = vendor_words.named(whole)
    for app in vendor_words.files():
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
Content = Annotated[
    Path | None,
    typer.Option(
        "--content",
        callback=_use_content,
        is_eager=True,
        help="One more content folder; see also FARM_CONTENT.",
        parser=given_path,
        metavar="<path>",
    ),
]
VendorWords = Annotated[
    list[str] | None,
    typer.Option(
        "--vendor-words",
        metavar="APP=FILE",
        callback=_use_vendor_words,
        help="Serve an app's tools in the vendor's words, from your copy of its tools/list. May be repeated.",
    ),
]
Apps = Annotated[
    list[str] | None, typer.Option("--apps", help="Comma list of apps; all when absent. May be given again.")
]
FarmUrl = Annotated[str | None, typer.Option("--farm", envvar="FARM_URL", help="Control API of a farm elsewhere.")]
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
    str, typer.Option(help="State in time, such as an older server's; an app that does not know it plays as latest.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def named_apps(given: list[str] | None, have: Sequence[str]) -> list[str] | None:
    """Return the apps that ``--apps`` names, or None where it is absent; whether there are such apps is not asked.

    Raises:
        FarmError: it is given and names none.
    """
    if not given:
        return None
    chosen = split_names(given)
    if not chosen:
        raise FarmError(f"--apps names no app; have {', '.join(have)}")
    return chosen


def client(farm: str | None, token_file: Path | None, data: Path) -> FarmClient:
    """Return a client of the named farm, or of the one that runs on this data folder.

    Raises:
        FarmError: none runs there, or the token file cannot be read.
    """
    if farm is None:
        state = FarmState.load(data)
        if state is None:
            raise FarmError(
                f"no farm runs on {data}; start one with 'farm up', or name one with --farm and --token-file"
            )
        farm, token_file = state.operators_url, token_file or Path(state.token_file)
    if token_file is None:
        raise FarmError("--farm needs --token-file (or FARM_TOKEN_FILE): the file with that farm's operator token")
    try:
        token = token_file.expanduser().read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as problem:
        raise FarmError(f"token file {token_file} cannot be read: {problem}") from None
    if not token:
        raise FarmError(f"token file {token_file} is empty; copy the farm's operator.token once more")
    made = FarmClient(farm, token)
    atexit.register(made.close)  # a command asks until it ends
    return made


# The farm makes ids, <cell>-<worker>-<32 hex digits>; what looks like one is looked up as one.
_ID = re.compile(r".+-\d+-[0-9a-f]{32}")


def episode_id(control: FarmClient, named: str) -> str:
    """Return the id of the episode that somebody names by its id or its label; what is neither is returned as it is.

    Raises:
        FarmError: several have the label.
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
            f"'{named}' is the label of {counted(len(found), 'episode')}; name one by its id: {newest}{more}"
        )
    return found[0] if found else named


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    sys.stdout.write(print_exact(value, is_indented=True).decode() + "\n")
    sys.stdout.flush()


def parse_object(text: str, what: str) -> dict[str, Any]:
    """Return the JSON object in a text.

    Raises:
        FarmError: it is not one; ``what`` says which argument.
    """
    try:
        value = parse_exact(text)
    except orjson.JSONDecodeError as problem:
        raise FarmError(f"{what} is not JSON ({problem}); quote it as in '{{\"limit\": 5}}'") from None
    if not isinstance(value, dict):
        raise FarmError(f"{what} must be a JSON object, not {text[:40]}")
    return value
