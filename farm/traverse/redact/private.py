"""Private values of this machine and its user that their form does not reveal."""

from __future__ import annotations

import getpass
import re
import socket
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path

from farm._util.renamed_words import called
from farm.errors import FarmError
from farm.traverse.redact.detectors import is_secret, split_words
from farm.traverse.redact.redactor import Private

# Variables whose values identify nobody and may appear anywhere.
_PUBLIC_VARIABLES = split_words(
    "DEBUG HOST LANG LC_ALL LOG_LEVEL NODE_ENV PATH PORT PWD PYTHONUNBUFFERED SHELL TERM TMPDIR TZ"
)
# Variables whose values are private even if they are words.
_TELLING = re.compile(r"KEY|TOKEN|SECRET|PASS|PWD|AUTH|CRED|USER|LOGIN|MAIL|ACCOUNT")
_VALUE_LETTERS_MIN = 6
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


def add_environment_values(private: Private, environment: Mapping[str, str]) -> Private:
    """Return the private values with the values of a recorded server's environment variables added."""
    told = (
        value
        for name, value in sorted(environment.items())
        if name not in _PUBLIC_VARIABLES and len(value) >= _VALUE_LETTERS_MIN and not value.startswith("/")
        if _TELLING.search(name.upper()) or is_secret(value)
    )
    return replace(private, values=tuple(dict.fromkeys((*private.values, *told))))


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
