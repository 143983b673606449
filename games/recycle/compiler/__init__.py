"""From a typed tree to a program: Python source of our own names and numbers, for a text and a number of players."""

from games.recycle.compiler.program import Program, compile_game

__all__ = ["Program", "compile_game"]
