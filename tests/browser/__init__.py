"""The site in a real Chromium, as people meet it."""
