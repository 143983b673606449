"""The services of matches: a module for each subject.

The ``do_...`` functions are the only writers of matches, players, chat, daily tries and server processes. Only moves
are written elsewhere, by the ledger (``ledger.py``), where many matches share a commit. Each function runs in a
transaction, raises Refused when it is not allowed, and publishes its changes.
"""
