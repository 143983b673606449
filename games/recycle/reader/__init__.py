"""From what an author wrote to the typed tree, or to all that is wrong with it."""

from games.recycle.reader.text import read

__all__ = ["read"]
