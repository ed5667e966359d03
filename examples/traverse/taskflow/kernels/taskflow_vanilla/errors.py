"""What the server refuses with: nothing, it reports a missing task in an ordinary answer."""
