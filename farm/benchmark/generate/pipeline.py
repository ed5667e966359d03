"""The way from a universe to drafts: chains are sampled, filtered by the rules, played, and kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import islice
from random import Random

from farm.benchmark.generate.chains import Chain
from farm.benchmark.generate.derive import UnderivableError
from farm.benchmark.generate.drafts import Draft
from farm.benchmark.generate.make import UnplayableError, task_of
from farm.benchmark.generate.prove import Prover, faults
from farm.benchmark.generate.rules import Rules
from farm.benchmark.generate.samplers import SAMPLERS, WEIGHTS
from farm.benchmark.generate.samplers.ground import Ground
from farm.benchmark.runner.in_process_farm import LocalFarm
from farm.errors import FarmError

# So many chains of a family are drawn for each draft that is wanted: most have the tools of another.
_CHAINS_MIN, _CHAINS_FACTOR = 300, 20
_CHANCE = 2.0  # by which a draw outweighs a chain's priority
Sampler = Callable[[Ground], Iterator[Chain]]


@dataclass
class Yield:
    """How many chains came how far.

    Attributes:
        sampled: family → the chains that were drawn.
        sequences: the different tool sequences among them.
        refused: reason → how many chains it took.
    """

    sampled: Counter[str] = field(default_factory=Counter)
    sequences: set[tuple[str, ...]] = field(default_factory=set)
    refused: Counter[str] = field(default_factory=Counter)


def generate(
    farm: LocalFarm,
    ground: Ground,
    suite: str,
    families: Iterable[str],
    count: int,
    counted: Yield,
    taken: Iterable[tuple[str, ...]] = (),
    taken_names: Iterable[str] = (),
) -> Iterator[Draft]:
    """Yield proven drafts whose gold steps play, from chains of some families in turn; no two have the same tools.

    Args:
        count: the largest number of drafts.
        counted: is told what fell out, and why.
        taken: tool sequences of tasks that exist already.
        taken_names: the ids of drafts that exist already.

    Raises:
        FarmError: there is no such family, or the world tells no facts.
    """
    if not ground.ledger:
        raise FarmError(f"world '{ground.universe.world}' declares no facts, and chains are filled from facts")
    rules, prover, names = Rules(ground, taken), Prover(ground), set(taken_names)
    made = 0
    for chain in _in_turn(ground, families, counted, max(_CHAINS_MIN, _CHAINS_FACTOR * count)):
        if made >= count:
            return
        if (reason := rules.broken_by(chain)) is not None:
            counted.refused[reason] += 1
            continue
        proofs = [prover.prove(blank) for blank in chain.placeholders]
        if missing := faults(proofs):
            counted.refused[f"prove: {missing[0]}"] += 1
            continue
        name = _free_name(suite, chain.family, made + 1, names)
        try:
            task = task_of(farm, chain, name)
        except (UnplayableError, UnderivableError) as problem:
            counted.refused[f"{'play' if isinstance(problem, UnplayableError) else 'derive'}: {problem}"] += 1
            continue
        rules.take(chain)
        made += 1
        names.add(name)
        proof = {"blanks": [each.as_json() for each in proofs]}
        yield draft_of(chain, name, task).to("proved", "prove", proof=proof)


def _free_name(suite: str, family: str, number: int, names: Container[str]) -> str:
    while (name := f"{suite}-{number:03d}-{family}") in names:
        number += 1
    return name


def _in_turn(ground: Ground, families: Iterable[str], counted: Yield, most: int) -> Iterator[Chain]:
    """Yield chains of the families in turn, as many of each as it weighs, each family's in a drawn order."""
    queues = []
    for name in families:
        if name not in SAMPLERS:
            raise FarmError(f"no family '{name}'; have {', '.join(SAMPLERS)}")
        chains = list(islice(SAMPLERS[name](ground), most))
        counted.sampled[name] += len(chains)
        counted.sequences |= {each.tools for each in chains}
        drawn = Random(f"{name} {ground.seed}")
        drawn.shuffle(chains)
        chains.sort(key=lambda each: each.priority + _CHANCE * drawn.random())
        queues.append((WEIGHTS.get(name, 1), chains))
    while any(chains for _, chains in queues):
        for weight, chains in queues:
            for _ in range(min(weight, len(chains))):
                yield chains.pop()


def draft_of(chain: Chain, name: str, task: Mapping[str, object]) -> Draft:
    """Return the draft of a chain."""
    told = {
        "family": chain.family,
        "tools": list(chain.tools),
        "prototype": chain.prototype,
        "placeholders": [asdict(each) for each in chain.placeholders],
        "support": chain.support,
        "notes": list(chain.notes),
    }
    return Draft(name, "draft", told, task).to("draft", "generate")
