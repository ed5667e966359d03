"""What medicine knows, for every app that looks it up: drugs, their names, articles, trials, guidelines, statistics.

``documents`` are pages of the open web, of which some are of medicine and some of the world's companies.
"""

from farm.appkit.schema import INTEGER, REAL, MetaData, column, parent, table

METADATA = MetaData()

drugs = table(
    "drugs",
    METADATA,
    column("ndc", generation="random", primary_key=True),
    column("brand", generation="authentic", nullable=False),
    column("generic", generation="authentic", nullable=False),
    column("manufacturer", nullable=False),
    column("route", generation="enumerate", nullable=False),
    column("form", generation="enumerate", nullable=False),
    column("substances", generation="authentic", json=True, nullable=False),
    column("effective", generation="random", nullable=False),  # yyyymmdd
    column("sections", json=True, nullable=False),  # what else its label has, in order
)

concepts = table(
    "concepts",
    METADATA,
    column("place", INTEGER, generation="random", primary_key=True),
    column("rxcui", generation="random", nullable=False, unique=True),
    column("name", generation="authentic", nullable=False),
    column("tty", generation="enumerate", nullable=False),
    column("synonym", generation="authentic", nullable=False),
    column(
        "names", generation="authentic", json=True, nullable=False
    ),  # of its ingredients and brand, by which it is found
)

articles = table(
    "articles",
    METADATA,
    column("pmid", generation="random", primary_key=True),
    column("title", nullable=False),
    column("abstract", nullable=False),
    column("authors", json=True, nullable=False),
    column("journal", generation="authentic", nullable=False),
    column("abbreviation", generation="authentic", nullable=False),
    column("date", generation="random", nullable=False),
    column("doi", generation="random", nullable=False),
    column("pmc_id", generation="random"),
    column("body"),
    column("words", nullable=False),  # its subjects
    column("is_guideline", INTEGER, generation="enumerate", nullable=False),
    column("is_cochrane", INTEGER, generation="enumerate", nullable=False),
    column("cited", INTEGER, generation="random", nullable=False),
    column("host", nullable=False),
)

trials = table(
    "trials",
    METADATA,
    column("nct_id", generation="random", primary_key=True),
    column("title", nullable=False),
    column("start", generation="random", nullable=False),  # yyyy-mm
    column("words", nullable=False),
)

indicators = table(
    "indicators",
    METADATA,
    column("place", INTEGER, generation="random", primary_key=True),
    column("code", generation="authentic", nullable=False, unique=True),
    column("name", generation="authentic", nullable=False),
)

observations = table(
    "observations",
    METADATA,
    column("value_id", INTEGER, generation="random", primary_key=True),
    column("code", parent("indicators.code"), generation="authentic", nullable=False),
    column("country", generation="authentic", nullable=False),
    column("year", INTEGER, generation="random", nullable=False),
    column("number", REAL, generation="random", nullable=False),
    column("low", REAL, generation="random"),
    column("high", REAL, generation="random"),
)

guideline_pages = table(
    "guideline_pages",
    METADATA,
    column("place", INTEGER, generation="random", primary_key=True),
    column("source", generation="enumerate", nullable=False),
    column("title", nullable=False),
    column("description", nullable=False),
    column("url", nullable=False),
    column("words", nullable=False),
)

documents = table(
    "documents",
    METADATA,
    column("document_id", INTEGER, generation="random", primary_key=True),
    column("title", nullable=False),
    column("content", nullable=False),
    column("topics", generation="enumerate", json=True, nullable=False),
    column("words", nullable=False),
)
