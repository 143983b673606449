"""Enchère: three players bid blind for twelve prizes, in three versions."""
