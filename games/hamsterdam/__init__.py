"""Hamsterdam Exchange: a small market, two decks and a few certificates."""
