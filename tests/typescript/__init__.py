"""The types of the browser's scripts: those of the wire are generated, and a compiler checks them all."""
