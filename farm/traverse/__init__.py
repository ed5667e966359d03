"""From a real server to a kernel that answers like it: record calls, and measure how far ours agree with them."""
