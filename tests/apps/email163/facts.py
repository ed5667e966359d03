"""What the real universal-email-server, set up for a 163 account, does."""

from farm.testing import Fact

_CODE = "https://github.com/TimeCyber/email-mcp at c6b88d9"
_RECORDED = "that commit, run in front of dovecot and an SMTP server on loopback, on a mailbox that was captured before"
_BESIDE = "that commit, run in front of a stand-in for SMTP, IMAP and POP3 (tests/upstream/email163)"

FACTS = {
    "session": Fact(_RECORDED, "A session of sends, reads and changed accounts comes out as it was recorded.",
                    differs="Message ids are drawn at random."),
    "delivery": Fact(_RECORDED, "A mail to a known mailbox gets the next uid there; bcc receives it and nobody sees that."),
    "refused": Fact(_RECORDED, "Refused receivers are left out in silence; where all are refused the last refusal is told.",
                    differs="What is said of an address without a name or a domain is inferred."),
    "to": Fact(_RECORDED, "Receivers may be a list or a text; without any address nothing is sent."),
    "body": Fact(_RECORDED, "A text that is none is Node's error of a chunk, and nothing is sent."),
    "line-end": Fact(_BESIDE, "A body that is the whole mail reads with a line end behind it, unless it was sent in base64."),
    "html": Fact(_BESIDE, "HTML alone is shown with the text that html-to-text makes of it: lines of 80, headings in capitals."),
    "attachments": Fact(_RECORDED, "Base64 is read leniently; what has neither content nor path is an empty file.",
                        differs="There is no disk: a path is ENOENT, or one of few folders."),
    "folded-subject": Fact(_BESIDE, "A first word of 67 characters stands below its header, and IMAP's list keeps the blank."),
    "pop3": Fact(_RECORDED, "Over POP3 only the newest mail is listed; the number is its place, the time the server's."),
    "silence": Fact(_RECORDED, "Where the newest mail is too old or nothing is asked for, the server never answers.",
                    differs="Ours answers -32001 'Request timed out', as clients do."),
    "imap": Fact(_RECORDED, "Another domain is listed over IMAP: of the last 3 × limit those of the last days, by date."),
    "fallback": Fact(_CODE, "Where IMAP fails the list turns to POP3, whose errors are told."),
    "content": Fact(_RECORDED, "A mail is shown by uid as mailparser reads it, and nothing is marked as read."),
    "bytes": Fact("mailparser 3.7.3 on Node 20, asked in November 2026; " + _BESIDE,
                  "A mail may be in any bytes: each part is read in its charset, headers and IMAP's list as UTF-8."),
    "mime": Fact(_BESIDE, "Header words, character sets, nested parts, pictures and broken dates are read as mailparser does.",
                 differs="Rare character sets are read as UTF-8."),
    "death": Fact(_RECORDED, "A uid that is no number kills the process; one that is not there is never answered.",
                  differs="Ours answers -32000 and goes on, without what the server had been told."),
    "setup": Fact(_RECORDED, "Set-up keeps address and password whatever follows, and tries neither out."),
    "configure": Fact(_RECORDED, "What is empty stays as it was; a switch that is null is an error behind what was kept."),
    "test": Fact(_RECORDED, "A test of anything but smtp, imap and both says nothing."),
    "unreachable": Fact(_RECORDED, "A port where nothing listens is ECONNREFUSED; a name nobody knows ENOTFOUND.",
                        differs="All of 163's names are one machine, 127.0.0.1, as in the recordings."),
}  # fmt: skip
