"""The words that decide the status of a mention, grouped by their effect on their clause.

Every group is one pattern over folded text (``normalize.fold``): lower case, half width, straight quotes. English words
are matched whole. Chinese words are matched anywhere, because no blanks separate them; their pattern states what must
not precede or follow. ``docs/claims.md`` explains how to add a word. Every group is available as ``lexicon.NAME``,
whichever module defines it.
"""

# ruff: noqa: F403  # many names, each written once, at its definition
from farm.benchmark.scoring.claims.lexicon.additions import *
from farm.benchmark.scoring.claims.lexicon.answers import *
from farm.benchmark.scoring.claims.lexicon.conditions import *
from farm.benchmark.scoring.claims.lexicon.corrections import *
from farm.benchmark.scoring.claims.lexicon.hearsay import *
from farm.benchmark.scoring.claims.lexicon.negations import *
from farm.benchmark.scoring.claims.lexicon.structure import *
from farm.benchmark.scoring.claims.lexicon.superseded import *
from farm.benchmark.scoring.claims.lexicon.uncertainty import *
