"""``farm synth``: writes an app of the farm from a pool of recorded calls."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from farm._util.plurals import pluralize
from farm.cli.options import Json, given_path, print_json
from farm.cli.tables import print_text
from farm.cli.traverse.options import BODY_MAX, BodyMax, Environment, Folder, Headers, Reset, Server, words_of
from farm.errors import FarmError

if TYPE_CHECKING:
    from farm.traverse.synth.ask import RealServer


class Prompts(StrEnum):
    """Which prompts are used."""

    OWN = "own"
    PAPER = "paper"


def synth(
    app: Annotated[str, typer.Argument(help="Name of the new app.")],
    source: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SOURCE]",
            help="The real server, if it may be asked again: a URL, a file with mcpServers, or a command after --.",
        ),
    ] = None,
    pool: Annotated[
        Path, typer.Option("--from", help="The pool (farm traverse pool).", parser=given_path, metavar="<path>")
    ] = ...,  # type: ignore[assignment] # required
    model: Annotated[
        str,
        typer.Option("--with", help="Who writes: llm:NAME, command:COMMAND, files:DIR, kept (earlier answers), none."),
    ] = ...,  # type: ignore[assignment] # required
    content: Annotated[
        Path, typer.Option("--content", help="The content folder to write into.", parser=given_path, metavar="<path>")
    ] = Path("synthesised"),
    docs: Annotated[
        list[Path] | None,
        typer.Option(
            "--docs", help="Documentation for the writer; may be repeated.", parser=given_path, metavar="<path>"
        ),
    ] = None,
    vanilla: Annotated[bool, typer.Option("--vanilla", help="Write from documentation alone: a baseline.")] = False,
    prompts: Annotated[
        Prompts, typer.Option(help="Our prompts, or those of MCP-Persona in other words.")
    ] = Prompts.OWN,
    rounds: Annotated[int, typer.Option(min=0, help="Maximum number of repairs.")] = 6,
    goal: Annotated[float, typer.Option(min=0, max=1, help="Share of equal answers at which repairing ends.")] = 1.0,
    title: Annotated[str | None, typer.Option(help="Display name.")] = None,
    sandbox: Annotated[
        bool, typer.Option("--sandbox", help="The real server is disposable: every tool may be called.")
    ] = False,
    reset: Reset = None,
    server: Server = None,
    env: Environment = None,
    header: Headers = None,
    cwd: Folder = None,
    body_max: BodyMax = BODY_MAX,
    base_url: Annotated[str | None, typer.Option(envvar="OPENAI_BASE_URL", help="The model's API.")] = None,
    as_json: Json = False,
) -> None:
    """Write an app that answers like a recorded server: rules derive what they can, a model writes the handlers.

    Generated code runs in a fenced process until it is accepted. Its answers are compared with recorded ones, and
    disagreements go back to the writer. The best app is kept. Held-back calls are never looked at.

    Example: farm synth notes --from pool --with llm:gpt-5 --content mine --sandbox -- npx -y PACKAGE
    """
    from farm._util.prompt_writers import read_writer
    from farm.traverse.synth.accept import accept, require_replaceable
    from farm.traverse.synth.answer_form import documented_form, recognise_form
    from farm.traverse.synth.app_files import Plan
    from farm.traverse.synth.ask import Asked
    from farm.traverse.synth.evidence import read_evidence
    from farm.traverse.synth.fence import require_fence
    from farm.traverse.synth.floor import write_floor
    from farm.traverse.synth.recognise import documented_dialect, recognise_dialect
    from farm.traverse.synth.score import WORST
    from farm.traverse.synth.synthesise import Attempt, Loop, Synthesis

    folder = content.expanduser().absolute()
    _require_name(app, folder)
    require_replaceable(app, folder)
    evidence = read_evidence(pool.expanduser())
    if model != "none":
        require_fence()
    work = folder / "synth" / app
    writer = read_writer(model, work, base_url=base_url)
    if vanilla and prompts is Prompts.PAPER:
        raise FarmError("--vanilla and --prompts paper are two arms; name them one at a time")
    documents = _read_documents(docs or ())
    dialect = documented_dialect(evidence, documents) if vanilla else recognise_dialect(evidence)
    form = documented_form(evidence, documents) if vanilla else recognise_form(evidence, dialect)
    arm = "none" if writer is None else "vanilla" if vanilla else "paper" if prompts is Prompts.PAPER else "traversed"
    plan = Plan(app, title or app.replace("_", " ").title(), evidence, dialect.source, form, hidden=arm != "traversed")
    say: Any = (lambda _: None) if as_json else print_text
    say(f"dialect: {dialect.source}, {dialect.same} of {dialect.refused} argument refusals to the letter")
    say(f"form of answers: {form.source}")
    if writer is None:
        found = Synthesis(Attempt(write_floor(plan), WORST), (), 0, 0, 0.0, 0)
    else:
        asked = Asked(work, evidence, _real_server(source, sandbox, reset, server, env, header, cwd, body_max))
        loop = Loop(plan, dialect, writer, work, asked, documents, rounds, goal, say)
        found = loop.vanilla() if vanilla else loop.paper() if prompts is Prompts.PAPER else loop.traversed()
        if found.best.problem is not None:
            raise FarmError(f"no version of the app ran to its end; the last problem: {found.best.problem}")
    names = [model] if writer is None else dict.fromkeys(each.writer for each in writer.asked)
    files = accept(plan, dialect, found, folder, writer=", ".join(names), arm=arm)
    if as_json:
        print_json(
            {
                "app": app,
                "arm": arm,
                "dialect": dialect.source,
                "prompts": found.prompts,
                "tokens": found.tokens,
                "writing_s": found.writing_s,
                "asked": found.asked,
                "rounds": [each.exact for each in found.rounds],
                "outcome": found.best.score.outcome,
                "exact": found.best.score.exact,
                "exact_beyond_schema": found.best.score.beyond,
                "files": [str(each) for each in files],
            }
        )
        return
    size = f"{pluralize(found.prompts, 'prompt')}, about {pluralize(found.tokens, 'token')}"
    say(f"{pluralize(len(files), 'file')} in {folder}; {size}")
    say(f"next: farm traverse report {pool} --arm {arm}={app} --content {content}")


def _require_name(app: str, folder: Path) -> None:
    import keyword
    import re

    from farm.content import roots

    if not re.fullmatch(r"[a-z][a-z0-9_]{0,31}", app) or keyword.iskeyword(app):
        raise FarmError(f"an app's name is lower-case letters, digits and '_', not '{app}'")
    others = [root.folder for root in roots() if root.folder.resolve() != folder.resolve()]
    if any((other / "kernels" / app).is_dir() for other in others):
        raise FarmError(f"the farm has an app '{app}' already, and could not load another; choose another name")


def _read_documents(paths: Any) -> str:
    parts = []
    for path in paths:
        try:
            parts.append(path.expanduser().read_text("utf-8"))
        except (OSError, UnicodeDecodeError) as problem:
            raise FarmError(
                f"{path} cannot be read ({getattr(problem, 'strerror', None) or 'it is no UTF-8'})"
            ) from None
    return "\n\n".join(parts)


def _real_server(
    source: list[str] | None,
    sandbox: bool,
    reset: str | None,
    server: str | None,
    env: list[str] | None,
    header: list[str] | None,
    cwd: Path | None,
    body_max: str,
) -> RealServer | None:
    from farm.traverse.perturb.play import run_reset
    from farm.traverse.synth.ask import RealServer
    from farm.traverse.transport.source import read_source

    if not source:
        return None
    named = read_source(
        source, server=server, environment=env or (), headers=header or (), folder=cwd, body_max=body_max
    )
    command = words_of(reset)
    return RealServer(named, sandbox, None if command is None else lambda: run_reset(command))


COMMANDS: dict[str, Any] = {"synth": synth}
