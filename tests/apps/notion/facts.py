"""What the real server and Notion's API do."""

from farm.testing import Fact

_RUN = "https://github.com/suekou/mcp-notion-server at v2.0.2, run in front of a stand-in for the API"
_OLD = "https://github.com/suekou/mcp-notion-server at v1.2.4, run in front of a stand-in for the API"
_CASSETTES = "https://github.com/ultimate-notion/ultimate-notion tests/cassettes, recorded 2026-06-27"
_CASSETTES_2024 = "https://github.com/ramnes/notion-sdk-py tests/cassettes, recorded 2024-12-30"
_DOCS = "https://developers.notion.com/reference"

_FORMULAS = "https://www.notion.com/help/formula-syntax and the examples beside each function in the editor"

FACTS = {
    "prompts": Fact(_RUN, "Four prompts repeat their arguments and name tools in order; an empty argument is refused.",
                    differs="Their texts are ours."),
    "guides": Fact(_RUN, "Two resources in Markdown tell which tools suit which work, and every tool in a line.",
                   differs="Their texts are ours."),
    "pages": Fact(_RUN, "Two pages for MCP Apps load nothing and call the host's tools.", differs="The pages are ours."),
    "envelope": Fact(_RUN, "Text and structuredContent say the same; refusals are isError and say where they come from."),
    "recorded": Fact(_RUN, "What the server makes of the API's answers: a page with its blocks, a schema, short lists."),
    "page": Fact(_CASSETTES, "A page has these members in this order; a row lists all properties, by id."),
    "times": Fact(_CASSETTES, "Times are rounded to the minute, those of databases are not."),
    "bad-id": Fact(_CASSETTES, "An id of another variant is none: path failed validation."),
    "absent": Fact(_CASSETTES, "What is not there, or not shared, is not found, and the message names the integration."),
    "children": Fact(_CASSETTES, "Pages and databases are blocks of their page; a cursor is the next block's id."),
    "append": Fact(_CASSETTES, "The answer holds the new blocks and those that now follow; nested ones are not in it."),
    "append-limits": Fact(_DOCS + "/request-limits", "100 children a request, two levels below, 2,000 characters a text.",
                          differs="How the API words some of them is inferred."),
    "payload": Fact("https://developers.notion.com/reference/request-limits", "A request has 500 KB at most; more is 413 Payload Too Large, as in"
                    " https://github.com/jheddings/notes2notion/issues/7.",
                    differs="That a KB is 1,024 bytes, and that the answer has no code, is inferred."),
    "one-type": Fact("https://github.com/L-a-r-t/chatgpt-to-notion/issues/36", "A third level of children should be not present."),
    "no-type": Fact("https://github.com/seratch/notion-translator/issues/5", "Of a choice the message lists every member that could be there.",
                    differs="The order of the types is inferred."),
    "columns": Fact("https://github.com/overengineeringstudio/effect-utils/issues/602", "A list of columns begins with two columns at least,"
                    " each with something in it; columns stand in such lists alone: https://github.com/notion-dotnet/notion-sdk-net/issues/190."
                    " So do rows in tables.", differs="Only what is said of a column without children is quoted."),
    "addresses": Fact("https://github.com/makenotion/notion-sdk-js/issues/211", "New content with an image or a link that has no address is"
                      " told so under one head: https://github.com/Kenshin/simpread/issues/6882.",
                      differs="Any http or https address of an image is taken, whatever it leads to."),
    "trash": Fact(_CASSETTES, "Deleting puts into the trash, with all below; in_trash false restores; a page is still found by its id."),
    "trash-edit": Fact(_DOCS + "/errors", "What lies in the trash cannot be edited.", differs="What is said of an ancestor is inferred."),
    "update-block": Fact(_RUN, "Types are compared before anything is written; a batch is checked whole."),
    "update-words": Fact("https://community.zapier.com/troubleshooting-99/error-expected-block-type-divider-in-request-body-17502",
                         "An update of another type is told the block's; a type that is an object should be not present.",
                         differs="A type in an object: https://github.com/makenotion/notion-mcp-server/issues/342, which lists all types."),
    "markdown": Fact(_RUN, "Markdown becomes blocks line by line; lines that stand together are one paragraph."),
    "read-page": Fact(_RUN, "A page is read to a depth and a number of blocks, and says where it stopped."),
    "values": Fact(_CASSETTES, "Values are shown by their type; a new option of a select is made."),
    "wrong-values": Fact("https://github.com/ramnes/notion-sdk-py/issues/136", "X is expected to be Y, and all such in one message."),
    "form-of-values": Fact("https://github.com/n8n-io/n8n/issues/25811", "A value of another form is told with what every type wants;"
                           " one that is nearly right alone: https://github.com/4ier/notion-cli/issues/52,"
                           " https://github.com/hk21702/YA-GCal-Notion-Sync-Script/issues/54, https://github.com/egordm/notionsci/issues/13."),
    "optional-members": Fact("https://github.com/brekkylab/backlot/issues/375", "What may be left out, or be null, is named as such; a search"
                             " looks at its query before its filter; a cursor of blocks must be a uuid."),
    "mismatch": Fact("https://community.n8n.io/t/need-help-troubleshooting-an-issue-with-notion-node/10730", "A filter of another type than"
                     " the property's is told both; rich_text is called text there, as many quote it.",
                     differs="Of what a rollup is over, the same is inferred."),
    "options": Fact("https://github.com/overengineeringstudio/effect-utils/issues/803", "The options sent stand for the whole; colors cannot"
                    " change, names and groups do not; new ones of a status are to do, as in"
                    " https://github.com/makenotion/notion-mcp-server/issues/347.", differs="Measured on status; many say it of select."),
    "several-options": Fact("https://developers.notion.com/page/changelog#april-17-2026", "Filters by options take several.",
                            differs="That the API of 2022 does not is inferred."),
    "many-relations": Fact("https://github.com/lastorel/pytion/issues/45", "A page shows 25 of its relations, and says that there are more."),
    "status": Fact("https://github.com/makenotion/notion-mcp-server/issues/232", "A status takes only options that there are.",
                   differs="The wording is one that many quote, with its stray mark."),
    "simple-values": Fact(_RUN, "Simple values are checked against the schema, and told what fits."),
    "query": Fact(_CASSETTES, "Without sorts the newest come first; an empty value does not equal anything."),
    "filters": Fact(_DOCS + "/filter-data-source-entries", "Filters by type, compound ones two deep, relative dates.",
                    differs="Case and the first day of a week are inferred."),
    "simple-queries": Fact(_RUN, "Simple filters become the API's by the schema; operators are checked."),
    "compact": Fact(_RUN, "Lists of more than ten results, or long ones, come short; response_mode decides otherwise."),
    "database": Fact(_CASSETTES, "A database says which data sources it has; its schema is theirs; without a title it is New database."),
    "schema": Fact(_CASSETTES, "A property keeps its id when it is renamed; null drops it; there is exactly one title.",
                   differs="The wording of what is refused is inferred."),
    "search": Fact(_CASSETTES, "Any word of the query may be a word of the title; last edited first; an id finds nothing.",
                   differs="In Chinese a part of a title is found, which is inferred."),
    "comments": Fact(_CASSETTES, "A page has one discussion; a reply is where its discussion is; resolved ones are left out."),
    "mentions": Fact(_DOCS + "/rich-text", "A mention of what is not shared with the integration says Untitled."),
    "verified": Fact("public answers of GET /v1/users, 2026", "Since July 2026 a person's mail says that it is verified.",
                     differs="It is of every person; whose is not was not seen."),
    "users": Fact(_CASSETTES, "People have a mail, the own integration says who owns it, others say nothing."),
    "read-only": Fact(_DOCS + "/page-property-values", "Formulas, rollups and times are not written.",
                      differs="Formulas beyond what FIDELITY.md lists show nothing."),
    "formulas": Fact(_FORMULAS, "Formulas reckon with texts, numbers, dates and lists, give names, and go through lists.",
                     differs="Long texts and lists and deep formulas show nothing."),
    "formula-patterns": Fact(_FORMULAS, "test, match, replace and replaceAll take JavaScript's patterns and replacements.",
                             differs="Patterns longer than 500 characters show nothing."),
    "formula-dates": Fact(_FORMULAS, "A date is a text like March 9, 2026 14:05; a range has a start and an end.",
                          differs="That other functions take a range's start is inferred."),
    "formula-people": Fact(_FORMULAS, "People have a name and an email; as text they are their names."),
    "formula-pages": Fact(_FORMULAS, "Related pages have an id and properties of their own; as text they are their titles.",
                          differs="Their formulas and rollups show nothing."),
    "relations": Fact(_CASSETTES, "A dual relation makes a property on the other side, which follows."),
    "old": Fact(_OLD, "Refusals look like answers; arguments must be there; databases have their properties themselves."),
    "old-shapes": Fact(_CASSETTES_2024, "Objects say archived and in_trash; paragraphs have no icon, schemas no description."),
}  # fmt: skip
