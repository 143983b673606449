"""Enchère: three players make sealed bids for prizes, in three versions."""
