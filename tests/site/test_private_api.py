"""The undocumented names that we use of libraries exist in the releases they were checked against."""

from __future__ import annotations

import dis
from importlib.metadata import version
from inspect import isfunction
from types import ModuleType
from typing import Any

import pytest

from cardsite.private_api import PrivateUse, Release, autobahn, daphne, django, twisted

MODULES: tuple[Any, ...] = (autobahn, daphne, django, twisted)


def names_of(owner: Any) -> set[str]:
    """Return the names that a module or a class has, and those that the methods of a class give to its instances."""
    functions = [value for kind in getattr(owner, "__mro__", ()) for value in vars(kind).values() if isfunction(value)]
    given = {
        step.argval for function in functions for step in dis.get_instructions(function) if step.opname == "STORE_ATTR"
    }
    return given.union(dir(owner))


def difference(module: ModuleType, release: Release, installed: str) -> str:
    """Return what to do where another minor release is installed, "" where it is the same."""
    if installed.split(".")[:2] == release.minor.split("."):
        return ""
    return (
        f"{release.package} {installed} is installed, and {module.__name__} was checked against {release.minor}. "
        "Read in its changes and sources whether what stands in USES there is and means the same, run tests/site and "
        "tests/services, then set RELEASE."
    )


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_release_that_is_installed_is_the_one_that_was_checked(module: Any) -> None:
    wrong = difference(module, module.RELEASE, version(module.RELEASE.package))
    assert not wrong, wrong


def test_another_minor_release_is_reported_by_name_and_a_patch_is_not() -> None:
    assert difference(django, Release("Django", "5.2"), "5.2.99") == ""
    for other in ("5.3", "6.0.2", "5.20.1"):
        text = difference(django, Release("Django", "5.2"), other)
        assert f"Django {other} is installed, and cardsite.private_api.django was checked against 5.2." in text


@pytest.mark.parametrize(
    ("use", "name"),
    [
        pytest.param(use, name, id=f"{use.owner.__name__}.{name}")
        for m in MODULES
        for use in m.USES
        for name in use.names
    ],
)
def test_each_name_that_we_use_is_there(use: PrivateUse, name: str) -> None:
    assert name in names_of(use.owner), use.why
