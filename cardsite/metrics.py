"""Metrics of this process for Prometheus. ``front/monitoring.py`` serves them to clients with the token.

Each process has its own metrics, at its own port: docs/deployment.md. No label contains anything chosen by a visitor.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

disable_created_metrics()  # type: ignore[no-untyped-call]  # they double the output, and nobody reads them

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BATCHES = (1, 2, 4, 8, 16, 32, 64, 128)

moves = Counter("hamsterdam_moves", "Moves committed by this process, by kind of decision.", ["by"])
deliveries = Counter("hamsterdam_deliveries", "Messages with a move, counted once for each socket.")
refusals = Counter("hamsterdam_refusals", "Requests and messages that were refused, by code.", ["code"])
pushes = Counter("hamsterdam_pushes", "Notifications to devices and by e-mail, by what came of them.", ["outcome"])
sockets = Gauge("hamsterdam_sockets", "Sockets at tables, of players and of spectators.", ["kind"])
rooms = Gauge("hamsterdam_rooms", "Tables with at least one socket in this process.")
matches_running = Gauge("hamsterdam_matches_running", "Matches whose clocks and bots this process runs.")
rounds = Gauge("hamsterdam_scheduler_round_timestamp_seconds", "Time of the scheduler's last round.")
bots_waiting = Gauge("hamsterdam_bots_waiting", "Decisions of bots that wait for a free process.")
bots_thinking = Gauge("hamsterdam_bots_thinking", "Decisions that bots are computing.")
bot_failures = Counter("hamsterdam_bot_failures", "Decisions of bots that failed or were illegal moves.")
batches = Histogram("hamsterdam_ledger_batch_moves", "Moves in a commit.", buckets=BATCHES)
flushes = Histogram("hamsterdam_ledger_flush_seconds", "Duration of a commit.", buckets=SECONDS)
costs = Counter("hamsterdam_cost_seconds", "CPU seconds, by kind of work: see costs.py.", ["kind"])
server_errors = Counter("hamsterdam_server_errors", "Requests that failed with an unexpected error (status 500).")
flush_failures = Counter("hamsterdam_ledger_flush_failures", "Commits that failed.")

# Created at once, so that events that have not happened yet read 0.
for _by in ("person", "bot", "clock", "away", "forced"):
    moves.labels(_by)
