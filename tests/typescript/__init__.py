"""The types of the browser's scripts: those of the protocol are generated, and a compiler checks them all."""
