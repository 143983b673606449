"""The row of ``Keeper`` of this process, which runs the matches that it starts."""

from __future__ import annotations

from cardsite.table.models import Keeper

keeper: Keeper | None = None  # set by the match server when it signs in; None without one
