"""Rounds of research: what was searched for is put into a prompt that tells the caller how to go on."""

from __future__ import annotations

from farm.appkit import Episode, Result
from farm.appkit.formats.javascript import js_number_text
from farm.appkit.formats.times import js_locale

from . import errors, web

_ROUNDS_MAX = 5
_KEYWORDS_MAX = 5

_PROMPT = """# Role Definition
You are a professional information search and analysis expert, specializing in:
- Analyzing core information needs from user queries
- Designing precise search strategies
- Synthesizing and distilling information
- Providing accurate and comprehensive answers

# User Question
{question}

# Current Environment
Current Search Round: {round}
Maximum Search Rounds: {rounds_max}
Current Time: {now}

# Known Information
{known}

# Analysis Steps
1. Resource Sufficiency Assessment
   - Carefully analyze if existing information is sufficient to answer the user's question
   - Identify information gaps or areas requiring additional verification

2. Search Strategy (if needed)
   - Identify specific information points that need supplementation
   - Design precise search keywords (each keyword must meet these requirements):
     * Include complete subject and predicate
     * Avoid pronouns and references
     * Have independent search value
     * Avoid logical overlap between keywords
   - Keyword quantity limit: 1~{keywords_max}

3. Continue Search (if needed)
   - Use current "Known Information" as reference parameter
   - Set rounds parameter to {next_round}
   - Output only search keywords, without any other content

4. Direct Answer (if information is sufficient)
   - Provide complete answer based on available information
   - Ensure the answer is accurate, comprehensive, and logically clear

# Output Requirements
## If Further Search is Needed
- Output only the list of search keywords
- One keyword per line
- Do not include any other explanations or notes

## If Direct Answer is Possible
- Provide a clear, structured answer
- Reference relevant sources when necessary
- Clearly indicate any uncertain information

# Constraints
- Current round has reached {round}/{rounds_max}, must provide direct answer if maximum rounds exceeded
- Search keywords must be independent and precise, no ambiguity allowed
- Prohibited to output content unrelated to search strategy"""


def require_key(ep: Episode) -> None:
    """Refuse every call of a server without a key, whatever its arguments.

    Raises:
        KeyMissing: it has none.
    """
    if ep.db.scalar("SELECT min(has_key) FROM servers") == 0:
        raise errors.KeyMissing


def deep_research(
    ep: Episode,
    *,
    question: str,
    reference: str = "",
    keywords: list[str] | None = None,
    topic: str = "general",
    rounds: float = 1,
) -> Result:
    """Search for each keyword and return the prompt with all that is known.

    Args:
        question: repeated as it stands.
        reference: what was known before; the first results follow it without a break.
        keywords: up to five. A search that fails is left out, and nobody is told.
        topic: general, news or finance.
        rounds: shown, and one more for the next call; any number will do.
    """
    taken = [keyword for keyword in keywords or () if web.is_taken(keyword)]
    pages = web.read(ep, topic) if taken else None
    found = [web.show(keyword, web.search(pages, keyword)) for keyword in taken if pages]
    return _PROMPT.format(
        question=question,
        round=js_number_text(rounds),
        next_round=js_number_text(rounds + 1),
        rounds_max=_ROUNDS_MAX,
        keywords_max=_KEYWORDS_MAX,
        now=js_locale(ep.now_ms, ep.zone),
        known=reference + "\n".join(found),
    )
