"""The words that decide how a thing is said, grouped by what they do to the clause they stand in.

Every group is one pattern over folded text (``values.fold``): lower case, half width, straight quotes. English words
are matched whole; Chinese ones wherever they stand, as there are no blanks to go by: what must not follow or precede
them is said in the pattern. ``docs/claims.md`` tells how to add a word. Every group is ``lexicon.NAME``, whatever
module it stands in.
"""

# ruff: noqa: F403  # two hundred names, each of which is said once, where it is defined
from farm.claims.lexicon.answers import *
from farm.claims.lexicon.asides import *
from farm.claims.lexicon.besides import *
from farm.claims.lexicon.conditions import *
from farm.claims.lexicon.denials import *
from farm.claims.lexicon.former import *
from farm.claims.lexicon.hearsay import *
from farm.claims.lexicon.hindrances import *
from farm.claims.lexicon.irony import *
from farm.claims.lexicon.signs import *
from farm.claims.lexicon.structure import *
from farm.claims.lexicon.turns import *
from farm.claims.lexicon.uncertainty import *
