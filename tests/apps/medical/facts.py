"""What the real medical server does."""

from farm.testing import Fact

_CODE = "https://github.com/JamesANZ/medical-mcp at c004e88e"
_RECORDED = "that commit, run without a network"
_OLD = "https://github.com/JamesANZ/medical-mcp at cbc0530"
_LABELS = "https://open.fda.gov/apis/drug/label/"

FACTS = {
    "envelope": Fact(_RECORDED, "Every answer is one text without isError; nothing found is an answer."),
    "arguments": Fact(_RECORDED, "Bad arguments and unknown tools are -32602 with zod's issues as JSON."),
    "names": Fact(_CODE, "Generic terms, names under three characters and short ones with digits are not searched."),
    "drugs": Fact(_LABELS, "Drugs are found by brand, then generic name, then substance, each NDC once.",
                  differs="openFDA's fallback by single words is nearer to its own ranking."),
    "no-ndc": Fact(_CODE, "No search shows an NDC."),
    "label": Fact(_CODE, "A label's sections come in a fixed order, cut at 800 characters, others behind at 300."),
    "children": Fact(_CODE, "Labels for children are those whose purpose, warnings or dosage speak of them."),
    "rxnorm": Fact("https://lhncbc.nlm.nih.gov/RxNav/APIs/api-RxNorm.getDrugs.html",
                   "A name finds the drugs with this ingredient or brand, branded ones first."),
    "statistics": Fact(_CODE, "Three indicators and 50 figures each at most; the limit holds in each category."),
    "variations": Fact(_CODE, "Where no indicator has the words, others of the same meaning are tried."),
    "apostrophe": Fact(_CODE, "An apostrophe breaks the filter it is spliced into.",
                       differs="Nobody recorded what the observatory says to it."),
    "undefined": Fact(_CODE, "Figures of children carry no name, and the server shows undefined."),
    "literature": Fact(_CODE, "The first three articles come with the beginning of their free text."),
    "article": Fact(_CODE, "An article listed anywhere opens by its PMID, with its whole text where that is free."),
    "guidelines": Fact(_CODE, "A guideline scores at least 2.5 by type, words, journal and organisation."),
    "databases": Fact(_CODE, "Each title comes once, PubMed's first, at most twenty."),
    "scholar": Fact(_CODE, "A call that fails in Scholar's page makes every result pass unseen."),
    "academy": Fact(_CODE, "Guidelines for children come from two sources, apart or together."),
    "cache": Fact(_RECORDED, "A repeated lookup says how old its answer is; each is counted and kept for its source's time.",
                  differs="Expired entries go at the next lookup, not every five minutes."),
    "autumn": Fact(_OLD, "In October 2025 nothing was cached, and openFDA's 404 was told as an error."),
    "interactions": Fact(_OLD, "Two drugs interact as the first article says that names both and an interaction."),
    "index": Fact("NOTICE.md of the reference medicine", "One index answers, and nothing in it names a real article."),
}  # fmt: skip
