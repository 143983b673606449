"""Stealing Bundles: a fishing game in which no catch is safe."""
