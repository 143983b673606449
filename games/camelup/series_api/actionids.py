"""What the first element of a bot's move means."""

MOVE_CAMEL_ACTION_ID = 0
MOVE_TRAP_ACTION_ID = 1
ROUND_BET_ACTION_ID = 2
GAME_BET_ACTION_ID = 3
