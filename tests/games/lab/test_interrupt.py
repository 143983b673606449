"""Ctrl-C ends a command wherever it comes."""

from __future__ import annotations

import signal
import threading
import weakref
from collections.abc import Callable, Iterator

import pytest

from games.lab.interrupt import interrupt


@pytest.fixture(autouse=True)
def _interrupted() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, interrupt)
    yield
    signal.signal(signal.SIGINT, before)


class Ordinary:
    """Something that can be referred to weakly."""


class Finalized(Ordinary):
    """Is interrupted while it goes, in what its finalizer calls."""

    def __del__(self) -> None:
        self.leave()

    def leave(self) -> None:
        press_ctrl_c()


def press_ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def by_its_finalizer() -> None:
    Finalized()


def by_a_weak_reference() -> None:
    going = Ordinary()
    weakref.finalize(going, press_ctrl_c)


@pytest.mark.parametrize("let_go", [by_its_finalizer, by_a_weak_reference])
def test_ctrl_c_in_a_finalizer_interrupts_after_it(let_go: Callable[[], None]) -> None:
    with pytest.raises(KeyboardInterrupt):
        go_on_after(let_go)


def go_on_after(let_go: Callable[[], None]) -> None:
    let_go()
    threading.Event().wait(60)


def test_ctrl_c_anywhere_else_interrupts_at_once() -> None:
    with pytest.raises(KeyboardInterrupt):
        press_ctrl_c()
