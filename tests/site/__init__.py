"""The site: its pages, its protocol, its clocks, and what it must never reveal."""
