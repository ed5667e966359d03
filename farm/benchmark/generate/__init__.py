"""Tasks from units: what an app's tools take and return, learned by play, sampled into chains, filled and proven."""
