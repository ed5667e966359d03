"""Seeds, the successful calls from which others are derived: load, let a model propose, and play them."""
