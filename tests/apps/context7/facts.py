"""What the real Context7 does."""

from farm.testing import Fact

_CODE = "npm @upstash/context7-mcp 4.1.1, its code and runs in front of a stand-in API"
_OLD = "npm @upstash/context7-mcp 1.0.33, its code and runs in front of a stand-in API"
_GUIDE = "https://context7.com/docs/api-guide"
_API = "https://github.com/upstash/context7/blob/master/docs/openapi.json"

FACTS = {
    "list": Fact(_CODE, "Libraries are lines of '- Name: value' between rules of ten dashes; unknown values have no line."),
    "reputation": Fact(_CODE, "A trust score of 7 is High, of 4 Medium, of 0 Low; less or none is Unknown."),
    "none": Fact(f"{_API}, noLibrariesFound, shown by the server's code", "No library of a name is the API's message for it, and no error."),
    "order": Fact("own judgement", "The same name comes first, then names that begin so, then names that hold it; at most ten.",
                  differs="The real order is the work of a model; names are compared without case and punctuation."),
    "pieces": Fact(_CODE, "Documentation is shown as the API sends it: pieces with title, source, text and code.",
                   differs="Which pieces are nearest to a question is ours: words in common, five at most."),
    "empty": Fact(_CODE, "A library without documentation is a sentence that asks for resolve-library-id."),
    "version": Fact(_GUIDE, "A version stands behind a slash or an @; without one the newest is meant."),
    "refused": Fact(_CODE, "What the API refuses is shown as ordinary text: its message, else a sentence by its status."),
    "not-found": Fact(f"{_API}, NotFoundError", "An unknown library is told with its id, an unknown version with those there are."),
    "id-form": Fact(f"{_API}, LibraryIdParam and invalidLibraryId", "An id of another form than /a/b, /a/b/c or /a/b@c is told the form."),
    "lengths": Fact(f"{_API}, LibraryNameParam, QueryParam and validationError", "A name, a query and an id have 1 to 500 characters.",
                    differs="But for a missing name, the words are inferred."),
    "moved": Fact(f"{_API}, RedirectError", "A library that has moved is 301 with a message that names the new one."),
    "aliases": Fact(_CODE, "Arguments are taken by names of other versions and tools, and told under their own."),
    "recorded": Fact(_CODE, "The recorded successes of the running server."),
    "old-list": Fact(_OLD, "Results stand behind an explanation of their lines; no result is a failure to retrieve."),
    "old-docs": Fact(_OLD, "Ten pieces a page, of code or of prose; none left is told with the other mode's name."),
    "old-id": Fact(_OLD, "An id without a slash is told before anything is asked; a slash before it does not count."),
    "shipped": Fact("own judgement", "At least thirty libraries, with look-alikes, poor copies and one without documentation."),
}  # fmt: skip
