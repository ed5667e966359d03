"""What many answers have: long texts cut, and a warning at their end."""

from __future__ import annotations

_ADVICE = """• No hardcoded data - all results retrieved in real-time

**ALWAYS:**
• Verify information through multiple sources
• Consult qualified healthcare professionals
• Consider publication dates and evidence quality
• Follow established clinical guidelines

**NEVER rely solely on this information for clinical decisions.**"""


def cut(text: str, most: int) -> str:
    """Return the beginning of a text, with three dots for what was longer."""
    return text if len(text) <= most else f"{text[:most]}..."


def with_warning(text: str, origin: str, sources: tuple[str, ...] = ()) -> str:
    """Return a text with the warning behind it: where its content is from, and what to do with it."""
    text += f"\n🚨 **CRITICAL SAFETY WARNING:**\n{origin}\n\n"
    if sources:
        text += "**DYNAMIC DATA SOURCES:**\n" + "".join(f"• {source}\n" for source in sources)
    return text + _ADVICE
