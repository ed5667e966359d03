"""What medicine knows, for every app that looks it up: drugs, their names, articles, trials, guidelines, statistics.

``documents`` are pages of the open web, of which some are of medicine and some of the world's companies.
"""

from farm.context.schema import INTEGER, REAL, MetaData, column, parent, table

METADATA = MetaData()

drugs = table(
    "drugs",
    METADATA,
    column("ndc", made="random", primary_key=True),
    column("brand", made="authentic", nullable=False),
    column("generic", made="authentic", nullable=False),
    column("manufacturer", nullable=False),
    column("route", made="enumerate", nullable=False),
    column("form", made="enumerate", nullable=False),
    column("substances", made="authentic", json=True, nullable=False),
    column("effective", made="random", nullable=False),  # yyyymmdd
    column("sections", json=True, nullable=False),  # what else its label has, in order
)

concepts = table(
    "concepts",
    METADATA,
    column("place", INTEGER, made="random", primary_key=True),
    column("rxcui", made="random", nullable=False, unique=True),
    column("name", made="authentic", nullable=False),
    column("tty", made="enumerate", nullable=False),
    column("synonym", made="authentic", nullable=False),
    column("names", made="authentic", json=True, nullable=False),  # of its ingredients and brand, by which it is found
)

articles = table(
    "articles",
    METADATA,
    column("pmid", made="random", primary_key=True),
    column("title", nullable=False),
    column("abstract", nullable=False),
    column("authors", json=True, nullable=False),
    column("journal", made="authentic", nullable=False),
    column("abbreviation", made="authentic", nullable=False),
    column("date", made="random", nullable=False),
    column("doi", made="random", nullable=False),
    column("pmc_id", made="random"),
    column("body"),
    column("words", nullable=False),  # its subjects
    column("is_guideline", INTEGER, made="enumerate", nullable=False),
    column("is_cochrane", INTEGER, made="enumerate", nullable=False),
    column("cited", INTEGER, made="random", nullable=False),
    column("host", nullable=False),
)

trials = table(
    "trials",
    METADATA,
    column("nct_id", made="random", primary_key=True),
    column("title", nullable=False),
    column("start", made="random", nullable=False),  # yyyy-mm
    column("words", nullable=False),
)

indicators = table(
    "indicators",
    METADATA,
    column("place", INTEGER, made="random", primary_key=True),
    column("code", made="authentic", nullable=False, unique=True),
    column("name", made="authentic", nullable=False),
)

observations = table(
    "observations",
    METADATA,
    column("value_id", INTEGER, made="random", primary_key=True),
    column("code", parent("indicators.code"), made="authentic", nullable=False),
    column("country", made="authentic", nullable=False),
    column("year", INTEGER, made="random", nullable=False),
    column("number", REAL, made="random", nullable=False),
    column("low", REAL, made="random"),
    column("high", REAL, made="random"),
)

guideline_pages = table(
    "guideline_pages",
    METADATA,
    column("place", INTEGER, made="random", primary_key=True),
    column("source", made="enumerate", nullable=False),
    column("title", nullable=False),
    column("description", nullable=False),
    column("url", nullable=False),
    column("words", nullable=False),
)

documents = table(
    "documents",
    METADATA,
    column("document_id", INTEGER, made="random", primary_key=True),
    column("title", nullable=False),
    column("content", nullable=False),
    column("topics", made="enumerate", json=True, nullable=False),
    column("words", nullable=False),
)
