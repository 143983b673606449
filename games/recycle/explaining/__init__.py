"""A rules page in plain English, made of the tree of a text. ``games.recycle.explain`` puts it together."""
