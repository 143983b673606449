"""Rules, bots and measures: plain Python that opens no socket and reads no clock."""
