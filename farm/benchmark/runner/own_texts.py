"""Reads the texts that a run is given besides its task: a system prompt of the user's own, and skills."""

from __future__ import annotations

from pathlib import Path
from string import Template

from farm import content
from farm.benchmark.runner import prompts
from farm.benchmark.runner.prompts import Prompt, Skill
from farm.errors import FarmError

SKILL_FILE = "SKILL.md"
_BYTES_MAX = 256 * 1024


def read_prompt(given: str) -> Prompt | None:
    """Return the prompt in a file; None if ``given`` is the name of a prompt of the farm's.

    Raises:
        FarmError: the file cannot be read, or is no template.
    """
    if given in prompts.names():
        return None
    path = Path(given)
    if not path.is_file():
        raise FarmError(f"no prompt '{given}'; have {', '.join(prompts.names())}, or name a file")
    template = Template(_text_of(path, "a prompt"))
    known = prompts.placeholders()
    if not template.is_valid():
        raise FarmError(f"{path}: a dollar sign begins no placeholder; write $$ for one, or one of {', '.join(known)}")
    for name in template.get_identifiers():
        if name not in known:
            raise FarmError(f"{path}: no placeholder '${name}'; have {', '.join(known)}")
    return Prompt(path.name, template.template)


def read_skill(given: str) -> Skill:
    """Return a skill: that of an app by the app's name, or the one in a file.

    Raises:
        FarmError: there is neither such an app's skill nor such a file, or it holds no text.
    """
    path = Path(given)
    if path.is_file():
        return Skill(path.parent.name if path.name == SKILL_FILE else path.stem, _text_of(path, "a skill"))
    if given in skill_names():
        return Skill(given, _text_of(content.require_app(given) / SKILL_FILE, "a skill"))
    if path.is_dir():
        raise FarmError(f"the skill '{given}' is a folder; name the file in it, such as {path / SKILL_FILE}")
    raise FarmError(f"no skill '{given}'; have {', '.join(skill_names()) or 'none'}, or name a file")


def read_skills(given: list[str]) -> tuple[Skill, ...]:
    """Return skills in their order.

    Raises:
        FarmError: one cannot be read, or two have one name.
    """
    skills = tuple(map(read_skill, given))
    names = [skill.name for skill in skills]
    for name in names:
        if names.count(name) > 1:
            raise FarmError(f"two skills are called '{name}'; rename a file")
    return skills


def skill_names() -> list[str]:
    """Return the apps that have a skill, sorted."""
    return [app for app in content.app_names() if (content.require_app(app) / SKILL_FILE).is_file()]


def _text_of(path: Path, what: str) -> str:
    try:
        data = path.read_bytes()
        text = data.decode("utf-8")
    except OSError as problem:
        raise FarmError(f"{path} cannot be read ({problem.strerror})") from None
    except UnicodeDecodeError:
        raise FarmError(f"{path} is no text in UTF-8, as {what} must be") from None
    if not text.strip() or "\0" in text:
        raise FarmError(f"{path} is {'empty' if not text.strip() else 'no text'}; {what} is a text")
    if len(data) > _BYTES_MAX:
        raise FarmError(f"{path} is over {_BYTES_MAX >> 10} KiB, too long for {what}")
    return text
