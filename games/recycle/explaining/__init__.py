"""The sentences of a rules page, generated from the tree of a text. ``games.recycle.explain`` puts it together."""
