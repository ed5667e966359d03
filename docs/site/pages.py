"""Writes the pages of the documentation's site from the checkout: ``python docs/site/pages.py FOLDER``.

Pages keep their places, so that links between them hold. A link to a file that is no page becomes the file's name. The
ways in are sections of the README; the reference comes from docstrings and from the commands' own help.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

from typer.testing import CliRunner

from farm.cli import build

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "ARCHITECTURE.md", "SECURITY.md", "CHANGELOG.md")
FOLDERS = ("docs/*.md", "kernels/*/FIDELITY.md", "plugins/*/README.md", "contexts/worlds/*/spec/STORY.md")
PICTURES = ("docs/images/*.png", "docs/*.svg")
WAYS = ("Watch your agent", "Connect a desktop client", "Run a benchmark")
REFERENCE = {
    "client": "farm.client",
    "play": "farm.play",
    "testing": "farm.testing",
    "appkit": "farm.appkit",
    "schema": "farm.appkit.schema",
}
_LINK = re.compile(r"(!?)\[([^\]\n]*)\]\(([^)\s#]*)(#[^)\s]*)?\)")
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_COMMAND = re.compile(r"^│ ([a-z][a-z-]+) ", re.MULTILINE)


def main(folder: Path) -> None:
    """Write all pages below a folder, which is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = [ROOT / name for name in PAGES] + [path for each in FOLDERS for path in sorted(ROOT.glob(each))]
    for page in pages:
        _write(folder / page.relative_to(ROOT), _linked(page.read_text("utf-8"), page, set(pages)))
    for path in (path for each in PICTURES for path in ROOT.glob(each)):
        (folder / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / path.relative_to(ROOT))
    for title, text in _sections(_linked((ROOT / "README.md").read_text("utf-8"), ROOT / "README.md", set(pages))):
        if title in WAYS:
            moved = _LINK.sub(_from_below, text)
            _write(folder / "ways" / f"{title.lower().replace(' ', '-')}.md", f"# {title}\n{moved}")
    for name, module in REFERENCE.items():
        _write(folder / "reference" / f"{name}.md", f"# {module}\n\n::: {module}\n")
    _write(folder / "reference" / "commands.md", _commands())


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _linked(text: str, page: Path, pages: set[Path]) -> str:
    """Return a page's text with links to other pages and pictures only."""

    def link(found: re.Match[str]) -> str:
        picture, words, to, anchor = found[1], found[2], found[3], found[4] or ""
        if not to or re.match(r"[a-z]+:", to):
            return found[0]
        target = Path(os.path.normpath(page.parent / to))
        if target in pages or (picture and target.is_file()):
            return found[0]
        if target == ROOT / "docs":
            return words
        if not target.exists():
            raise SystemExit(f"{page.relative_to(ROOT)}: no file '{to}'")
        name = target.relative_to(ROOT).as_posix()
        return words if words.strip("`") == name else f"{words} (`{name}{anchor}`)"

    return _LINK.sub(link, text)


def _sections(text: str) -> list[tuple[str, str]]:
    """Return (title, text) of each section of the second level."""
    _, *parts = _SECTION.split(text)
    return list(zip(parts[::2], parts[1::2], strict=True))


def _from_below(found: re.Match[str]) -> str:
    """Return a link of the README as a page in a folder beside it has it."""
    to = found[3]
    if re.match(r"[a-z]+:", to):
        return found[0]
    return f"{found[1]}[{found[2]}](../{to or 'README.md'}{found[4] or ''})"


def _commands() -> str:
    """Return the page of all commands, each with its help."""
    parts = ["# Commands\n"]
    for name in _COMMAND.findall(_help()):
        parts.append(f"## farm {name}\n\n```text\n{_help(name)}```\n")
        parts += [
            f"### farm {name} {each}\n\n```text\n{_help(name, each)}```\n"
            for each in dict.fromkeys(_COMMAND.findall(_help(name).partition("Commands")[2]))
        ]
    return "\n".join(parts)


def _help(*command: str) -> str:
    given = [*command, "--help"]
    done = CliRunner().invoke(
        build(given), given, prog_name="farm", env={"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    )
    if done.exit_code:
        raise SystemExit(f"farm {' '.join(given)}: {done.output}")
    return str(done.stdout).replace(str(Path.home()), "~")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
