"""Discord: a server is for those whose program is a member of it, and a channel for whom its overwrites let in.

Whoever holds no program's token sees nothing at all. People's direct messages no program reads, and no table has any.
"""

from tests.contract.private_rows.rules import Rule

VIEW_CHANNEL, ADMINISTRATOR = 1 << 10, 1 << 3
HOLDERS = "SELECT holder_id FROM tokens t JOIN members m ON m.user_id = t.bot_id WHERE m.guild_id = {guild}"
IN_GUILD = "(SELECT guild_id FROM channels c WHERE c.channel_id = {channel})"
# A thread has its parent's overwrites.
PLACE = (
    "(SELECT CASE kind WHEN 'thread' THEN parent_id ELSE channel_id END FROM channels c WHERE c.channel_id = {channel})"
)
# Who is let into a channel that is hidden from everyone: by name, by a role, or because nothing is hidden from a role.
LET_IN = f"""
AND (EXISTS (SELECT 1 FROM overwrites o WHERE o.channel_id = {PLACE} AND o.allow & {VIEW_CHANNEL}
             AND o.target_id IN (SELECT m.user_id UNION SELECT role_id FROM member_roles h
                                 WHERE h.user_id = m.user_id AND h.guild_id = m.guild_id))
     OR EXISTS (SELECT 1 FROM member_roles h JOIN roles USING (role_id) WHERE h.user_id = m.user_id
                AND h.guild_id = m.guild_id AND permissions & {ADMINISTRATOR}))
"""
HIDDEN = f"""
EXISTS (SELECT 1 FROM overwrites o WHERE o.channel_id = {PLACE}
        AND o.target_id = {IN_GUILD} AND o.deny & {VIEW_CHANNEL})
"""
CHANNEL = "r.channel_id"
OPEN = HOLDERS.format(guild=IN_GUILD.format(channel=CHANNEL))
CLOSED = OPEN + LET_IN.format(channel=CHANNEL)
IS_HIDDEN = HIDDEN.format(channel=CHANNEL)

RULES = (
    *(
        Rule(table, column, readers, where)
        for table, column in (("messages", "content"), ("channels", "name"), ("channels", "topic"))
        for readers, where in ((OPEN, f"NOT {IS_HIDDEN}"), (CLOSED, IS_HIDDEN))
    ),
    Rule("guilds", "name", HOLDERS.format(guild="r.guild_id")),
    Rule("guilds", "description", HOLDERS.format(guild="r.guild_id")),
)
