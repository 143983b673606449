"""Which row of ``Keeper`` is this process's: a match that is begun here is driven here."""

from __future__ import annotations

from cardsite.table.models import Keeper

keeper: Keeper | None = None  # set by the match server when it signs in; None where none runs
