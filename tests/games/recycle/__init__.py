"""Tests of the RECYCLE language and of the library of games written in it."""
