"""The laboratory: simulations with bots, and what can be measured in them."""
