"""RECYCLE: the language, and the library of games written in it."""
