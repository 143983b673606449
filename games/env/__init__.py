"""Every game as an environment to train agents in.

``play``: a match in numbers, which all others stand on, and which needs NumPy alone; ``zoo``: PettingZoo; ``gym``:
Gymnasium, one seat against house opponents; ``vector``: many matches at once; ``spiel``: OpenSpiel. The meaning of each
number comes from the game (``encoding`` of its folder and ``words``): none is a hash, so each always means the same.
"""
