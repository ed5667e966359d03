"""What the real telegram-mcp of August 2026 does, on Telethon and on Telegram.

What it has in common with the one of December 2025 stands in ``december_2025/facts.py``.
"""

from farm.testing import Fact

_CODE = "https://github.com/chigwell/telegram-mcp at a7bdd4d"
_RUN = "telegram-mcp a7bdd4d and Telethon 1.44.0, run in front of a stand-in"
_API = "https://core.telegram.org/methods"

FACTS = {
    "wire": Fact(_RUN, "Every text has annotations that name the user as its audience, in refusals of arguments, too."),
    "codes": Fact(_CODE, "What was not foreseen is a code of the tool's name; tools of folders have a category of theirs.",
                  differs="The hash is that of PYTHONHASHSEED=0."),
    "account": Fact(_CODE, "There is one account, called default in any case; any other ends in the code."),
    "clean": Fact(_CODE, "Control and format characters and empty lines are taken out of what others wrote."),
    "one account": Fact(_CODE, "A server is logged in as one account, and keeps aliases and files on its own machine."),
    "aliases": Fact(_CODE, "A saved alias stands for an id in every spelling that looks the same; others are asked about."),
    "archive": Fact(_CODE, "archive_chat moves a chat to the archive and pins nothing."),
    "lists": Fact(_CODE, "Lists are JSON with marked ids, filtered after they were cut."),
    "get-chat": Fact(_CODE, "get_chat shows unread count and last message of the chat that is asked for."),
    "modes": Fact(_CODE, "A text is sent as it is, or read as Markdown or HTML; rich texts want Premium.",
                  differs="No account has Premium; formats are not stored."),
    "topics": Fact("https://core.telegram.org/api/forum", "A topic begins with a message, and answers to it stand in it.",
                   differs="That Telegram still knows the old request for topics is inferred."),
    "folders": Fact("https://core.telegram.org/api/folders", "Folders take the first free number from 2; ten are the most."),
    "scheduled": Fact("https://core.telegram.org/api/scheduled-messages",
                      "Scheduled messages wait in a list of their own, for a year at most.",
                      differs="They are not sent when the clock passes them."),
    "albums": Fact(_CODE, "Two to ten files go as one album; forwarding one forwards all.",
                   differs="Which kinds mix is inferred."),
    "receipts": Fact("https://core.telegram.org/method/messages.getMessageReadParticipants",
                     "Who read an own message of a small group is kept for a week."),
    "links": Fact("https://core.telegram.org/api/links", "Messages of supergroups and channels have addresses.",
                  differs="What embeds a public one is inferred."),
    "global": Fact(_RUN, "search_global goes through the account's own chats, and every page is the first."),
    "deletion": Fact(_RUN, "Deleting many tells how many there were; histories of channels cannot be cleared.",
                     differs="What is gone for the account alone is gone for all."),
    "settings": Fact(_API, "Description, permissions and slow mode are changed by admins and stand in the admin log."),
    "rights": Fact(_API, "edit_admin_rights gives exactly the rights named; none makes a plain member."),
    "roots": Fact(_CODE, "Files are used in allowed folders only, with endings and sizes that a tool takes.",
                  differs="The outermost folders of table files are the server's roots; a client's are not asked for."),
    "downloads": Fact(_CODE, "A download takes an ending that fits, and a place of its own where no path is given."),
    "people": Fact(_CODE, "Contacts are added by phone or username; profiles are shown clean.",
                   differs="Personal channels, birthdays and Premium are not simulated."),
    "cards": Fact(_API, "A contact's card is a message with media."),
    "waiting": Fact(_CODE, "What people wrote since the server started is told of, a burst once.",
                    differs="Nothing is waited for: time stands still during a call."),
}  # fmt: skip
