"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import files, filters, labels, messages, outgoing

TOOLS = (
    Tool("send_email", outgoing.send_email, writes=("messages", "attachments", "message_labels")),
    Tool("draft_email", outgoing.draft_email, writes=("messages", "attachments")),
    Tool("read_email", messages.read_email),
    Tool("search_emails", messages.search_emails),
    Tool("modify_email", messages.modify_email, writes=("message_labels",)),
    Tool("delete_email", messages.delete_email),
    Tool("list_email_labels", labels.list_email_labels),
    Tool("batch_modify_emails", messages.batch_modify_emails, writes=("message_labels",)),
    Tool("batch_delete_emails", messages.batch_delete_emails),
    Tool("create_label", labels.create_label, writes=("labels",)),
    Tool("update_label", labels.update_label, writes=("labels",)),
    Tool("delete_label", labels.delete_label, writes=("labels", "message_labels")),
    Tool("get_or_create_label", labels.get_or_create_label, writes=("labels",)),
    Tool("create_filter", filters.create_filter, writes=("filters",)),
    Tool("list_filters", filters.list_filters),
    Tool("get_filter", filters.get_filter),
    Tool("delete_filter", filters.delete_filter, writes=("filters",)),
    Tool("create_filter_from_template", filters.create_filter_from_template, writes=("filters",)),
    Tool("download_attachment", files.download_attachment, writes=("files",)),
)
