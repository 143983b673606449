"""Camel Up: engine, rules engine and bots as three visible parts, and exact odds."""
