"""The reasons why a trial missed its task, in words that somebody can test by a trial's record.

They are in order: of reasons that imply each other, a trial has the first, which is the deeper cause.
"""

from __future__ import annotations

from collections.abc import Mapping

CONTEXT = "context exhausted"
INVENTED = "invented id"
SKIPPED = "skipped dependent step"
OUTDATED = "outdated source"
UNEXPLORED = "under-explored"
FORMAT = "fell to the format"
PLATFORM = "wrong platform"
PERSON = "wrong person"
TARGET = "wrong target"
MORE = "did more than asked"
CLAIMED = "claimed but not done"
STOPPED = "stopped early"
VALUE = "wrong value"

DEFINITIONS: Mapping[str, str] = {
    CONTEXT: "the trial ended because the conversation exceeded the model's context, or its reply was cut off",
    INVENTED: "a call had an id or address (an address is an id, a path or a link is none) that stood in nothing the "
    "agent had been told or shown, and it was refused and the tool never accepted later, or it went to a thing that "
    "was not the wanted one",
    SKIPPED: "a change was tried with another person or object than the wanted one, or without any, and the right id "
    "stood in nothing the agent had been told or shown: the step that shows it was left out",
    OUTDATED: "a value that was given or written is a former one, which the task knows as no longer true",
    UNEXPLORED: "a value is missed in an answer or a text, and the right one stood in nothing the agent had been told "
    "or shown; or a call that the task demands for reading was not made",
    FORMAT: "an answer sheet was asked for and the answer has none; or every call that tried a change was refused for "
    "the form of its arguments (one is missing, unknown, of another type, or a name where an id is wanted), although "
    "the agent had been shown every id that the call needs",
    PLATFORM: "a change was tried in no call of its own app, and the like of it was made in another app; one that was "
    "refused there is a refused try of the change",
    PERSON: "a change was made for another person than the wanted one, whose id the agent had been shown",
    TARGET: "a change was made to, or in, another object than the wanted one, whose id the agent had been shown; so "
    "are words that an accepted call had in place of ids, and by which it changed nothing",
    MORE: "a row changed that nobody asked for, by a call that is no try of a missed change; or a row that was asked "
    "for has something more",
    CLAIMED: "the final answer says that a missed change was made, or that all was done, and no accepted call tried it "
    "in any app; words that may be meant of a deed that was done claim nothing else",
    STOPPED: "a missed change was tried by no call, accepted or refused, and not claimed; or an answer was wanted and "
    "none given, or one that only says that nothing was found; or the trial ended by its limit of rounds, calls or "
    "time",
    VALUE: "a change was made in the right place, or an answer given, with another value than the right one, which the "
    "agent had been told or shown; or it is incomplete",
}
