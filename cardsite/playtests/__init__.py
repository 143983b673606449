"""What people say about a match they have played, and what their matches say, beside the bots' figures."""
