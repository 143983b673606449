"""Card Thief: nine cells, one thief, and a deck that is not as random as it looks."""
