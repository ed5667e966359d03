"""Papers' tables and figures from finished runs, in each paper's layout, with its own figures beside."""
