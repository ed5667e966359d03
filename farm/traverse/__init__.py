"""From a real server to a kernel that answers like it: recorded calls, and how well ours agree with them."""
