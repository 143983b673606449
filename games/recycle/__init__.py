"""RECYCLE: a card game is a text, and a table plays it. ``docs/recycle.md`` is the author's guide."""
