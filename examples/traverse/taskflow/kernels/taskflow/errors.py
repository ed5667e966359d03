"""What the server refuses with: nothing beyond what the dialect refuses."""
