"""The apps of this project, without those that a reader's own content brings."""

from __future__ import annotations

from farm import content

OWN = [app for app in content.app_names() if content.load_app(app).root.folder == content.roots()[0].folder]
