"""What the real mcp-obsidian, in front of the Local REST API plugin, does."""

from farm.testing import Fact

_CODE = "https://pypi.org/project/mcp-obsidian/0.2.3/"
_RECORDED = "a session of 351 calls through mcp-obsidian 0.2.3 and the plugin 3.2.0, on a folder of files"
_PLUGIN = "https://github.com/coddingtonbear/obsidian-local-rest-api/blob/3.2.0/src/requestHandler.ts"
_PATCH = "https://www.npmjs.com/package/markdown-patch/v/0.2.2"
_YAML = "https://www.npmjs.com/package/yaml/v/2.8.0"
_LOGIC = "https://www.npmjs.com/package/json-logic-js/v/2.0.5"

FACTS = {
    "session": Fact(_RECORDED, "The session comes out again, call by call, and leaves the same files.",
                    differs="Times of writing are those of the calls, without the milliseconds the real write took."),
    "listing": Fact(_PLUGIN, "A folder lists its children by UTF-16 code unit, folders with a slash, nothing hidden; an empty one is 40400."),
    "reading": Fact(_PLUGIN, "Any file is read, hidden ones too; what is no UTF-8 shows as replacement characters."),
    "batch": Fact(_CODE, "Several files come under their paths; a failing one says so in its place."),
    "urls": Fact(_RECORDED, "Paths go into a URL as they are: # and ? cut, escapes are decoded, dots are resolved."),
    "append": Fact(_PLUGIN, "Appending inserts a missing line end, also in an empty file; a hidden file is replaced."),
    "put": Fact(_PLUGIN, "Putting makes folders as needed and drops a byte order mark; a folder's path is 40510."),
    "hang": Fact(_RECORDED, "Where the vault's code throws no answer comes, and the server says so after six seconds.",
                 differs="Ours answers at once."),
    "delete": Fact(_PLUGIN, "Only a file is deleted, if that is confirmed; its folder is empty then and not listed."),
    "heading": Fact(_PATCH, "A heading's text begins behind its line and ends at the next of its level; no line end is added."),
    "astray": Fact(_PATCH, "A heading's words quoted above it end the section there."),
    "bare": Fact(_CODE, "A bare name that fails is tried as the path of the one heading called so, whatever its case."),
    "block": Fact(_PATCH, "A block's text stops before ^id; an id alone means the block before, without its last character."),
    "preexists": Fact(_PATCH, "What stands in the target already is refused, and nothing always does."),
    "field": Fact(_PATCH, "A patched field is a text, and the whole frontmatter is written anew."),
    "yaml-tags": Fact(_YAML, "A tag makes a text, a number or a truth of what fits it; an unknown one a text.",
                      differs="Tags of bytes, times, sets and ordered maps are read as without the tag."),
    "yaml-keys": Fact(_YAML, "A list or mapping that is a key is written in brackets: a template's {{date}} is a mapping."),
    "yaml-lines": Fact(_YAML, "Later lines of brackets and quotes are indented deeper than the key; comments stand apart."),
    "yaml-faults": Fact(_YAML, "A fault is told with its place, the line and a pointer as long as what is wrong.",
                        differs="Some faults of random signs have other words."),
    "yaml": Fact(_YAML, "YAML 1.2: dates stay texts, quotes only where needed, long texts are folded at 80 columns.",
                 differs="Rare faults of YAML are worded otherwise."),
    "words": Fact(_RECORDED, "Every word must occur, whatever its case; places are UTF-16 offsets.",
                  differs="Scores are those of the stand-in that was recorded; an empty query finds nothing (inferred)."),
    "logic": Fact(_LOGIC, "A rule's value is shown where it is neither false nor empty; errors name the first note."),
    "patterns": Fact(_PLUGIN, "glob's star crosses slashes, all else is literal; regexp is JavaScript's, without flags.",
                     differs="A look behind of several lengths is refused, as Python has none."),
    "tags": Fact(_PLUGIN, "Tags are a frontmatter list's and #words of the text outside code; they match exactly."),
    "frontmatter": Fact(_PLUGIN, "Frontmatter that does not parse is empty, as is a folder's; a file that is no note hangs."),
    "periods": Fact(_PLUGIN, "A periodic note is the file below its folder whose name means the current period."),
    "recent": Fact(_RECORDED, "Recent periodic notes are always 40400; changes need Dataview and start at midnight."),
    "limits": Fact(_CODE, "3.0 is an integer to the schema, and no limit or number of days to the server."),
    "closed": Fact(_RECORDED, "Without Obsidian, or with a wrong key, every tool is refused.",
                   differs="So it is for whoever has no vault."),
}  # fmt: skip
