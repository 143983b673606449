"""Bots that know no game: they play any, by what its rules say alone.

They stand on ``games.core``: the legal moves, ``apply``, ``playout``, the ranks at the end, and worlds in which all
that a seat cannot know is drawn afresh. They are handed ``Information``, so never the truth. A world that is made up
may turn out to be impossible, and its rules raise RulesFailed in the middle of a play-out: such a play-out is spent,
and tells nothing. Nor does one that is given up because it does not come to an end.
"""
