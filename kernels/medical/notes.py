"""The warning that many answers end in."""

from __future__ import annotations

_ADVICE = """• No hardcoded data - all results retrieved in real-time

**ALWAYS:**
• Verify information through multiple sources
• Consult qualified healthcare professionals
• Consider publication dates and evidence quality
• Follow established clinical guidelines

**NEVER rely solely on this information for clinical decisions.**"""


def with_warning(text: str, origin: str, sources: tuple[str, ...] = ()) -> str:
    """Return a text with the warning behind it: where its content is from, and what to do with it."""
    text += f"\n🚨 **CRITICAL SAFETY WARNING:**\n{origin}\n\n"
    if sources:
        text += "**DYNAMIC DATA SOURCES:**\n" + "".join(f"• {source}\n" for source in sources)
    return text + _ADVICE
