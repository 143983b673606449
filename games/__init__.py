"""Rules, bots and measures in plain Python: no Django, no sockets, no clocks."""
