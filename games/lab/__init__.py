"""The laboratory: matches between bots, by the thousand."""
