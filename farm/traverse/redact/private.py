"""Private values of this machine and its user that their form does not reveal."""

from __future__ import annotations

import getpass
import socket
import tomllib
from dataclasses import fields, replace
from pathlib import Path

from farm._util.renamed_words import called
from farm.errors import FarmError
from farm.traverse.redact.redactor import Private

_RENAMED_KEYS = {"kept": "allowed", "kept_keys": "allowed_keys"}
_EXAMPLE = 'names = ["Ada Lovelace"]'


def add_machine_values(private: Private) -> Private:
    """Return the private values with this machine's user name, home and host name added."""
    try:
        user = getpass.getuser()
    except OSError:  # a user id without a name, as in containers
        user = ""
    host = socket.gethostname()
    return replace(
        private,
        users=(*private.users, user),
        hosts=tuple(dict.fromkeys((*private.hosts, host, host.partition(".")[0]))),
        folders=(*private.folders, str(Path.home())),
    )


def read_private(path: Path) -> Private:
    """Load a user's list: a TOML with ``names``, ``values``, ``keys``, ``allowed``, ``allowed_keys``, ``folders``, ….

    Raises:
        FarmError: the file is unreadable or invalid.
    """
    try:
        said = tomllib.loads(path.read_text("utf-8"))
    except OSError as problem:
        raise FarmError(f"{path} cannot be read ({problem.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise FarmError(f"{path} is not TOML: {problem}") from None
    known = {each.name: each for each in fields(Private)}
    for name, value in said.items():
        if name not in known:
            renamed = called(name, _RENAMED_KEYS[name]) if name in _RENAMED_KEYS else f"; have {', '.join(known)}"
            raise FarmError(f"{path}: '{name}' means nothing here{renamed}")
        if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
            raise FarmError(f"{path}: '{name}' must be a list of texts, as in: {_EXAMPLE}")
    return Private(
        names=tuple(said.get("names", ())),
        values=tuple(said.get("values", ())),
        keys=frozenset(said.get("keys", ())),
        allowed=frozenset(said.get("allowed", ())),
        allowed_keys=frozenset(said.get("allowed_keys", ())),
        users=tuple(said.get("users", ())),
        hosts=tuple(said.get("hosts", ())),
        folders=tuple(said.get("folders", ())),
    )
