"""What can be wrong with what a player or a host hands in."""


class IllegalMove(ValueError):
    """A move the rules refuse. Its text says why, in words a player understands."""


class BadOption(ValueError):
    """A number of seats or an option that the game does not have, or a value it does not take."""
