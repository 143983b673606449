"""The two tiers of the suite.

``pytest`` runs what every change needs, with the same examples each time. ``pytest --full`` runs everything: tests and
cases marked ``full`` too, ten times the examples of Hypothesis, and new seeds.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# The speed of examples says nothing about the code under test: no deadlines, no health checks.
UNTIMED = settings(deadline=None, suppress_health_check=list(HealthCheck))
EXAMPLES = 25  # of a property that does not say otherwise
DEEPER = 10  # times as many examples in the full tier
SEED = "HAMSTERDAM_TEST_SEED"  # the variable that carries the seed of a full run to its processes

full = pytest.mark.full


def is_full() -> bool:
    """Return whether this run is of the full tier. Valid once pytest is configured, so in test modules too."""
    return bool(seed())


def seed() -> str:
    """Return what a full run adds to the seeds of its tests; "" in the quick tier, whose seeds are always the same."""
    return os.environ.get(SEED, "")


def choose(config: pytest.Config) -> None:
    """Set up the tier that the command line asks for."""
    if not config.getoption("--full"):
        os.environ.pop(SEED, None)
    elif not hasattr(config, "workerinput"):  # the processes of a run inherit its seed
        os.environ[SEED] = config.getoption("--seed") or secrets.token_hex(4)
    settings.register_profile("quick", UNTIMED, max_examples=EXAMPLES, derandomize=True)
    settings.register_profile("full", UNTIMED, max_examples=EXAMPLES * DEEPER, print_blob=True)
    settings.load_profile("full" if is_full() else "quick")


def examples(count: int) -> settings:
    """Return settings for a property: ``count`` examples in the quick tier, ten times as many in the full one."""
    return settings(max_examples=count * (DEEPER if is_full() else 1))


def deselect(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests of the full tier, unless it is asked for."""
    if not is_full():
        keep(config, items, lambda item: item.get_closest_marker("full") is None)


def keep(config: pytest.Config, items: list[pytest.Item], wanted: Callable[[pytest.Item], bool]) -> None:
    """Leave out the tests that are not wanted, so that pytest counts them as deselected."""
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        (kept if wanted(item) else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept


def sampled(values: Sequence[Any], step: int, ids: Callable[[Any], str] | None = None) -> list[Any]:
    """Return parameters for ``parametrize``, like ``tiered``; the quick tier has each ``step``-th, from the first."""
    return tiered(values, list(values[::step]).__contains__, ids)


def tiered(values: Sequence[Any], quick: Callable[[Any], bool], ids: Callable[[Any], str] | None = None) -> list[Any]:
    """Return parameters for ``parametrize``; those for which ``quick`` is false belong to the full tier."""
    return [
        pytest.param(
            *(value if isinstance(value, tuple) else (value,)),
            marks=[] if quick(value) else [full],
            id=ids(value) if ids else None,
        )
        for value in values
    ]
