"""Bots that can play any game, from its rules alone.

They use ``games.core``: legal moves, ``apply``, ``rollout``, the final ranks, and determinizations, in which everything
a seat cannot know is sampled. They get ``Information``, never the true state. A determinization may turn out to be
impossible; then the rules raise RulesFailed during a roll-out. Such a roll-out counts towards the budget and is
ignored, as is one that does not end.
"""
