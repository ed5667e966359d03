"""Every refusal of the server."""

from farm.appkit import VendorError


class ClockError(VendorError):
    """A refusal, which is only a sentence."""


class NoLimit(ClockError):
    """Say how long to wait: give 'minutes' or 'until', one of them."""


class NotATime(ClockError):
    """'until' is a time with an offset, such as 2026-03-09T09:30:00+08:00, not {given}."""


class IsPast(ClockError):
    """It is {now} already."""


class TooLong(ClockError):
    """One wait takes at most a week."""


class NobodyToAsk(ClockError):
    """Nobody is there to be asked."""


class CannotWait(ClockError):
    """Time does not pass here."""
