"""The five rules, each with chains planted to break it; the prover, on labelled cases; what code refuses of writers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from farm._util.prompt_writers import AnswerPendingError, FolderWriter
from farm.benchmark.agents.scripted import rendered
from farm.benchmark.generate.chains import Chain, Placeholder
from farm.benchmark.generate.drafts import Draft
from farm.benchmark.generate.pipeline import draft_of
from farm.benchmark.generate.prove import Prover
from farm.benchmark.generate.rules import Rules
from farm.benchmark.generate.samplers.ground import Ground
from farm.benchmark.generate.samplers.tell import pairs, tell
from farm.benchmark.generate.universe import explore
from farm.benchmark.generate.writers import Desk, blanks_of
from farm.benchmark.runner.local_host import LocalHost
from farm.benchmark.scoring.initial_state import load_start
from farm.world.facts import trace_of

pytestmark = pytest.mark.xdist_group("generate-ground")  # the universe is explored once
PLANTED = 10


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    with LocalHost(interrupts=False) as host:
        yield Ground(explore(host.farm, "harbor", None, ["slack"]), trace_of("harbor"))


@pytest.fixture(scope="module")
def chains(ground: Ground) -> list[Chain]:
    """Chains that break no rule."""
    found: dict[tuple[str, ...], Chain] = {}
    several = []
    for chain in tell(ground):
        if Rules(ground).broken_by(chain) is None:
            several.append(chain)
            found.setdefault(chain.tools, chain)
        if len(several) == PLANTED:
            break
    return several


def test_ten_good_chains_break_no_rule(ground: Ground, chains: list[Chain]) -> None:
    assert len(chains) == PLANTED
    assert [Rules(ground).broken_by(each) for each in chains] == [None] * PLANTED


def test_an_act_whose_ids_nothing_finds_breaks_dependency(ground: Ground, chains: list[Chain]) -> None:
    for chain in chains:
        (act,) = chain.acts
        typed = {**act.call, "arguments": {**act.call["arguments"], "channel_id": "C0ZB0AVX1IK"}}

        broken = Rules(ground).broken_by(replace(chain, acts=(replace(act, call=typed),)))

        assert broken is not None
        assert broken.startswith("dependency: ")


def test_tools_that_do_the_same_for_anybody_break_personalization(ground: Ground, chains: list[Chain]) -> None:
    general = next(name for name, each in ground.view("slack").units.units.items() if each.is_personal is False)
    for number, chain in enumerate(chains, 1):
        calls = [{"app": "slack", "tool": general, "arguments": {"n": n}, "as": f"a{n}"} for n in range(number)]

        broken = Rules(ground).broken_by(replace(chain, reads=[calls], acts=()))

        assert broken == "personalization: every tool does the same for anybody"


def test_other_values_and_page_sizes_make_no_other_chain(ground: Ground, chains: list[Chain]) -> None:
    for size, chain in enumerate(chains, 1):
        rules = Rules(ground)
        rules.take(chain)
        reads = [[{**call, "arguments": {**call["arguments"], "limit": size}} for call in step] for step in chain.reads]

        assert rules.broken_by(replace(chain, reads=reads, prototype="Another text for {FACT} and {PLACE}.")) == (
            "deduplication: another task has the same tools"
        )


def test_an_instruction_that_tells_an_id_breaks_coherence(ground: Ground, chains: list[Chain]) -> None:
    for chain in chains:
        place = next(each for each in chain.placeholders if each.app)
        told = replace(chain, prototype=f"{chain.prototype} The id is {place.value}.")

        assert Rules(ground).broken_by(told) == "coherence: the instruction tells the id of PLACE"


def test_reads_that_nothing_needs_break_coherence(ground: Ground, chains: list[Chain]) -> None:
    for chain in chains:
        more = [{"app": "slack", "tool": "slack_get_users", "arguments": {}, "as": f"more{n}"} for n in range(3)]

        broken = Rules(ground).broken_by(replace(chain, reads=[*chain.reads, more]))

        assert broken == "coherence: a read that nothing needs"


def test_a_fact_that_two_tasks_ask_for_is_asked_for_no_more(ground: Ground, chains: list[Chain]) -> None:
    for chain in chains:
        rules = Rules(ground)
        (act,) = chain.acts
        others = [
            replace(
                chain,
                acts=(act,) * (number + 1),
                placeholders=(
                    *chain.placeholders,
                    replace(chain.placeholders[0], name=f"P{number}", value=f"C{number}"),
                ),
            )
            for number in (1, 2)
        ]
        for other in others:
            assert rules.broken_by(other) is None
            rules.take(other)

        assert rules.broken_by(chain) == "deduplication: other tasks ask for the same fact"


def test_what_nobody_ever_spoke_of_breaks_realism(ground: Ground, chains: list[Chain]) -> None:
    for chain in chains:
        assert Rules(ground).broken_by(replace(chain, support=0)) == "realism: nobody there ever spoke of it"


# -- the prover --------------------------------------------------------------------------------------------------------


def test_the_prover_is_right_on_labelled_names(ground: Ground) -> None:
    """Sixty names of channels: thirty that one channel has, thirty that none or several have, by the rows alone."""
    me = load_start("harbor").account("slack", ground.universe.me)
    mine = {each["channel_id"] for each in load_start("harbor").rows("slack", "members") if each["user_id"] == me}
    listed = (each for each in load_start("harbor").rows("slack", "channels") if each["kind"] == "channel")
    rows = [each for each in listed if each["id"] in mine and not each["is_archived"]]
    names = [str(each["name"]) for each in rows]
    pieces = {piece for name in names for at in range(len(name)) for piece in (name[at : at + 4], name[at : at + 3])}
    shared = sorted(each for each in pieces if len(each) >= 3 and sum(each in name for name in names) >= 2)
    exact = [each for each in shared if each in names]
    bad = [each for each in shared if each not in exact and "-" not in each][:20] + [
        f"no such place {n}" for n in range(10)
    ]
    own = [piece for name in names for piece in (name, name[:7]) if sum(piece in other for other in names) == 1]
    good = sorted(dict.fromkeys([*own, *names]))[:30]
    prover, kind = Prover(ground), "channels.id"

    right = [len(prover.rows_called("slack", kind, each)) == 1 for each in good]
    wrong = [len(prover.rows_called("slack", kind, each)) != 1 for each in bad]

    assert (len(good), len(bad)) == (30, 30)
    assert [each for each, is_right in zip(good, right, strict=True) if not is_right] == []
    assert [each for each, is_right in zip(bad, wrong, strict=True) if not is_right] == []


def test_a_proof_names_the_tools_that_lead_there(ground: Ground) -> None:
    fact, target = next(pairs(ground))
    named = {each["id"]: each["name"] for each in load_start("harbor").rows("slack", "channels")}
    place = Placeholder("PLACE", target.kind, target.value, "may", str(named[target.value]), app="slack")

    proof = Prover(ground).prove(place)
    told = Prover(ground).prove(Placeholder("FACT", fact.kind, fact.key, "must", fact.names[0]))

    assert (proof.fault, proof.candidates, proof.path) == ("", 1, ("slack.slack_list_channels",))
    assert {"id", "app"} <= set(proof.leaves_out)
    assert told.fault == ""
    assert told.path[-1].startswith("slack.")


@pytest.mark.parametrize(
    ("blank", "fault"),
    [
        (Placeholder("FACT", "number", "no.such", "must", "no such"), "there is no fact 'no.such'"),
        (Placeholder("PLACE", "channels.id", "C0000000000", "may", "nowhere", app="slack"), "no tool leads to PLACE"),
    ],
)
def test_what_cannot_be_found_is_said(ground: Ground, blank: Placeholder, fault: str) -> None:
    assert Prover(ground).prove(blank).fault == fault


# -- writers -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def draft(ground: Ground, chains: list[Chain]) -> Draft:
    task = {"id": "mine-001-tell", "apps": ["slack"], "instruction": "…"}
    proofs = [Prover(ground).prove(each).as_json() for each in chains[0].placeholders]
    return draft_of(chains[0], "mine-001-tell", task).to("proved", "prove", proof={"blanks": proofs})


def test_a_writer_s_words_are_kept_and_an_answer_is_waited_for(ground: Ground, draft: Draft, tmp_path: Path) -> None:
    desk = Desk(ground, FolderWriter(tmp_path / "answers", tmp_path / "work"))
    with pytest.raises(AnswerPendingError):
        desk.word(draft)
    (tmp_path / "answers" / "mine-001-tell-why.answer.md").write_text("BECAUSE the meeting is at ten")
    with pytest.raises(AnswerPendingError):
        desk.word(draft)
    asked = (tmp_path / "answers" / "mine-001-tell-word.prompt.md").read_text("utf-8")
    assert "the meeting is at ten" in asked
    assert "${" not in asked
    (tmp_path / "answers" / "mine-001-tell-word.answer.md").write_text(_words(draft), "utf-8")

    answered = desk.word(draft)

    assert answered.problem == ""
    assert answered.draft.state == "written"
    assert answered.draft.task["instruction"] == json.loads(_words(draft))["instruction"]


def test_nobody_and_ambiguous_reject_a_draft(ground: Ground, draft: Draft, tmp_path: Path) -> None:
    desk = Desk(ground, FolderWriter(tmp_path / "answers", tmp_path / "work"))
    (tmp_path / "answers").mkdir()
    with pytest.raises(AnswerPendingError):
        desk.word(draft)
    (tmp_path / "answers" / "mine-001-tell-why.answer.md").write_text("NOBODY it is nobody's business")

    answered = desk.word(draft)

    assert (answered.draft.state, answered.draft.history[-1]["why"]) == ("rejected", "NOBODY it is nobody's business")


def test_nonsense_and_leaks_of_a_writer_get_one_line(ground: Ground, draft: Draft, tmp_path: Path) -> None:
    desk = Desk(ground, FolderWriter(tmp_path / "answers", tmp_path / "work"))
    fact, place = blanks_of(draft)[::-1] if blanks_of(draft)[0].app else blanks_of(draft)
    forms = ("zh", "clock") if ground.ledger.require(fact.value).kind == "moment" else ("",)
    value = rendered(" ".join(str(ground.ledger.write(fact.value, "", form)) for form in forms), "harbor")
    good = json.loads(_words(draft))
    tool = draft.chain["tools"][0].partition(".")[2]
    wrong = {
        "hello": "no JSON object",
        "[]": "no JSON object",
        '{"instruction": 5, "keeps": {}}': "no JSON object",
        json.dumps({**good, "necessary": "x"}): "'necessary' is a list of texts",
        json.dumps({**good, "instruction": ""}): "0 words",
        json.dumps({**good, "instruction": f"{good['instruction']} Nothing else."}): "clause for the grader",
        json.dumps({**good, "instruction": f"{good['instruction']} {place.value}"}): "tells the id",
        json.dumps({**good, "instruction": f"{good['instruction']} With {tool}."}): "names the tool",
        json.dumps({**good, "keeps": {}}): "no words stand for",
        json.dumps(
            {**good, "keeps": {**good["keeps"], place.name: "words that are not there"}}
        ): "is not in the instruction",
        json.dumps(
            {
                **good,
                "instruction": f"{good['instruction']} Lunch is for twelve.",
                "keeps": {**good["keeps"], fact.name: "for twelve"},
            }
        ): f"'for twelve', kept for {fact.name}, has no word of '{fact.label}'",
        json.dumps({**good, "keeps": dict.fromkeys(good["keeps"], place.label)}): "stands for",
        json.dumps({**good, "unnecessary": ["He is busy all over the place today."]}): "is said nowhere",
        json.dumps(
            {**good, "instruction": f"{good['instruction']} {'请帮我查一下然后发过去吧' * 8}"}
        ): "is not in English",
    }
    if len(value) > 1:
        wrong[json.dumps({**good, "instruction": f"{good['instruction']} It is {value}."})] = "tells the value"

    said = {text: desk.accept_words(draft, text) for text in wrong}

    assert all(wrong[text] in answered.problem for text, answered in said.items()), said
    assert all(answered.draft == draft and "\n" not in answered.problem for answered in said.values())


def test_a_refused_answer_is_asked_again_with_the_reason(ground: Ground, draft: Draft, tmp_path: Path) -> None:
    desk = Desk(ground, FolderWriter(tmp_path / "answers", tmp_path / "work"))
    (tmp_path / "answers").mkdir()
    why, word = (tmp_path / "answers" / f"mine-001-tell-{step}.answer.md" for step in ("why", "word"))
    _answer(desk, draft, why, "BECAUSE the meeting is at ten")
    fact = next(each for each in blanks_of(draft) if not each.app)
    bad = json.loads(_words(draft))
    bad["keeps"] = {**bad["keeps"], fact.name: ""}

    with pytest.raises(AnswerPendingError) as waits:
        _answer(desk, draft, word, json.dumps(bad))
    asked = (tmp_path / "answers" / "mine-001-tell-word.prompt.md").read_text("utf-8")
    word.write_text(_words(draft), "utf-8")
    mended = desk.word(draft)

    assert str(waits.value).startswith(f"refused: no words stand for {fact.name}; ")
    assert f"That was refused: no words stand for {fact.name}." in asked
    assert mended.draft.state == "written"


def test_a_prompt_tells_who_asks_and_what_the_deed_changes(ground: Ground, draft: Draft, tmp_path: Path) -> None:
    desk = Desk(ground, FolderWriter(tmp_path / "answers", tmp_path / "work"))
    point = {"kind": "operate", "change": "create", "app": "slack", "table": "reactions", "where": {"name": "eyes"}}
    acted = replace(draft, task={**draft.task, "checkpoints": [point]})
    fact = next(each for each in blanks_of(draft) if not each.app)
    with pytest.raises(AnswerPendingError):
        desk.word(acted)

    asked = (tmp_path / "answers" / "mine-001-tell-why.prompt.md").read_text("utf-8")

    assert "Wan Lin 林晚: Senior Product Manager, Ember." in asked
    assert "no exclamation marks" in asked
    assert "- makes a new one of the reactions of Slack: name becomes eyes" in asked
    assert f"of the story '{fact.value.partition('.')[0]}'" in asked
    assert f"- {fact.name}: " in asked.partition("What has been said about the blanks")[2]
    assert "; in it: " in asked


def _answer(desk: Desk, draft: Draft, path: Path, text: str) -> None:
    """Let a prompt be asked, answer it, and let the next one be asked."""
    with pytest.raises(AnswerPendingError):
        desk.word(draft)
    path.write_text(text, "utf-8")
    if "why" in path.name:
        with pytest.raises(AnswerPendingError):
            desk.word(draft)
    else:
        desk.word(draft)


def test_a_blind_reader_must_mean_the_same_rows(ground: Ground, draft: Draft, tmp_path: Path) -> None:
    desk = Desk(ground, FolderWriter(tmp_path / "answers", tmp_path / "work"))
    written = desk.accept_words(draft, _words(draft)).draft
    right = {blank.name: desk.entries(written, blank)[1] for blank in blanks_of(written)}
    (tmp_path / "answers").mkdir()
    with pytest.raises(AnswerPendingError):
        desk.read(written)
    answer = tmp_path / "answers" / "mine-001-tell-read.answer.md"

    answer.write_text(json.dumps(right))
    understood = desk.read(written)
    other = Desk(ground, FolderWriter(tmp_path / "answers", tmp_path / "other"))
    answer.write_text(json.dumps({**right, "FACT": None}))
    missed = other.read(written)

    assert understood.draft.state == "read"
    assert (missed.draft.state, missed.draft.history[-1]["why"]) == (
        "rejected",
        "FACT was read as none, or two of them",
    )


def _words(draft: Draft) -> str:
    labels = {each.name: each.label for each in blanks_of(draft)}
    instruction = str(draft.chain["prototype"]).format(**labels)
    return json.dumps({"instruction": instruction, "keeps": labels, "unnecessary": []}, ensure_ascii=False)


def test_an_app_is_left_out_only_where_the_proof_allows_it(ground: Ground, draft: Draft, tmp_path: Path) -> None:
    desk = Desk(ground, FolderWriter(tmp_path / "answers", tmp_path / "work"))
    blanks = [{**each, "leaves_out": ["id"]} for each in draft.proof["blanks"]]
    unproven = replace(draft, proof={"blanks": blanks})
    good = json.loads(_words(draft))
    named = json.dumps({**good, "instruction": f"{good['instruction']} In Slack."})

    assert desk.accept_words(draft, _words(draft)).problem == ""
    assert desk.accept_words(unproven, _words(draft)).problem == (
        "it leaves out the app of PLACE, and another app has something of that name"
    )
    assert desk.accept_words(unproven, named).problem == ""
