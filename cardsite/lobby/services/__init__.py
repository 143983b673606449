"""The services of tables and seats: changes by people between matches, and by the site itself.

The ``do_...`` functions are the only writers of tables and seats. Each raises Refused when it is not allowed, and
publishes its changes. Those that take a table's code lock its row; those that take a Table expect it locked.
"""
