"""The report of finished runs as one HTML file: ``farm report RUN… --html FILE``."""
