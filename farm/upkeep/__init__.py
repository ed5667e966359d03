"""What keeps a data folder healthy: it is examined, what is over is removed, episodes travel to another farm."""
