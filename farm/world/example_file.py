"""Write an example of a declared file: required entries with required keys, and everything else as comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from farm.appkit.world_spec.spec_file import TYPES, Entry, Key, SpecFile

_PERSON = "PERSON"


def example_file(file: SpecFile, people: Sequence[str], *, is_whole: bool = False) -> str:
    """Return a file: required entries with required keys, and everything else as comments.

    Args:
        file: its declaration.
        people: who stands in it.
        is_whole: whether entries that may be absent are written, too.
    """
    parts = [f"# {sentence(file.meaning)}\n"]
    for name, entry in file.entries.items():
        if name:
            parts += _tables(name, entry, people, is_written=is_whole or entry.is_required)
        else:
            parts.append("\n" + "".join(f"{line}\n" for line in _lines(entry, people, is_written=True)))
    return "".join(parts)


def _tables(name: str, entry: Entry, people: Sequence[str], *, is_written: bool) -> Iterator[str]:
    """Yield a table with its keys, and those that are nested in it; as a comment, if it is not written."""
    head = f"[[{name}]]" if entry.is_list else f"[{name}]"
    lines = [f"{head} # {entry.meaning}", *_lines(entry, people, is_written=is_written)]
    yield "\n" + "".join(f"{line}\n" if is_written else f"# {line.removeprefix('# ')}\n" for line in lines)
    for inner, each in entry.nested.items():
        yield from _tables(f"{name}.{inner}", each, people, is_written=False)


def _lines(entry: Entry, people: Sequence[str], *, is_written: bool) -> Iterator[str]:
    if entry.example:
        yield entry.example
    for key in entry.keys:
        line = f"{key.name} = {example_of(key, people)} # {key.type}: {key.meaning}"
        yield line if is_written and key.is_required else f"# {line}"


def example_of(key: Key, people: Sequence[str]) -> str:
    """Return a value of a key as TOML."""
    if key.example:
        return key.example
    if key.type == "people":
        return "[" + ", ".join(f'"{each}"' for each in people) + "]"
    return (key.default or TYPES[key.type].example).replace(_PERSON, people[0])


def sentence(meaning: str) -> str:
    """Return a meaning as a sentence."""
    return f"{meaning[:1].upper()}{meaning[1:]}."
