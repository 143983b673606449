"""Stages and blocks as functions that run on to the next choice.

What remains to be done is a number; the state's stack of stages has the rest. So a match can be saved, copied and
continued at any decision. Each function returns the number of the next one, or ``~c`` if choice c comes next; choice 0
is the end.

Source: "Whose turn it is" in ``docs/recycle.md``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from games.recycle import tree
from games.recycle.compiler.actions import Actions, steps_of
from games.recycle.compiler.code import Code
from games.recycle.compiler.values import LOCALS, Values
from games.recycle.machine import ROUND

END = ~0


class Flow:
    """Writes the functions ``{letter}0``, ``{letter}1``, ... of a program, the first one for its beginning."""

    def __init__(self, values: Values, actions: Actions, code: Code, *, quiet: bool) -> None:
        self.values, self.actions, self.code, self.quiet = values, actions, code, quiet
        self.letter = "quiet_" if quiet else "recorded_"
        self.choices: list[tree.Choice] = []  # number 1 is the first
        self.after: list[int] = [END]  # by choice: what goes on when it is made
        self.count = 1
        self._to_write: deque[tuple[int, Callable[[], None]]] = deque()
        self._numbers: dict[tuple[int, str], int] = {}

    def write(self, begin: Sequence[tree.Action], blocks: Sequence[tree.Block]) -> None:
        """Write everything: ``begin`` are the steps of the setup."""

        def setup() -> None:
            for step in begin:
                self._now(step)
            self._blocks(blocks, END)

        self._to_write.append((0, setup))
        while self._to_write:
            number, body = self._to_write.popleft()
            with self.code.function(f"{self.letter}{number}(s)", **LOCALS, cur="s.cur"):
                body()

    def _blocks(self, blocks: Sequence[tree.Block], after: int) -> None:
        """Write blocks up to a stage or a choice; ``after`` goes on when they are done."""
        for place, block in enumerate(blocks):
            if isinstance(block, tree.Stage):
                self.code.line(f"return {self._stage(block, self._later(blocks[place + 1 :], after))}")
                return
            if isinstance(block, tree.Choice):
                later = self._later(blocks[place + 1 :], after)
                asked = ~self._choice(block, later)
                if block.players:
                    with self.code.of(block.players.at):
                        self.code.line(f"s.asked = tuple(dict.fromkeys({self.values.value(block.players)}))")
                    self.code.line(f"return {asked} if s.asked else {later}")
                else:
                    self.code.line(f"return {asked}")
                return
            self._now(block)
        self.code.line(f"return {after}")

    def _now(self, step: tree.Action) -> None:
        self.actions.now(step, quiet=self.quiet)

    def _later(self, blocks: Sequence[tree.Block], after: int) -> int:
        """Return the number of a function that goes on with ``blocks``."""
        if not blocks:
            return after
        return self._function(blocks[0], "later", lambda: self._blocks(blocks, after))

    def _choice(self, choice: tree.Choice, after: int) -> int:
        for number, known in enumerate(self.choices, 1):
            if known is choice:
                return number
        self.choices.append(choice)
        self.after.append(after)
        return len(self.choices)

    def _function(self, of: tree.Node, part: str, write: Callable[[], None]) -> int:
        key = id(of), part
        if key not in self._numbers:
            self._numbers[key] = self.count
            self._to_write.append((self.count, write))
            self.count += 1
        return self._numbers[key]

    def _stage(self, stage: tree.Stage, after: int) -> int:
        """Return the number of the function that enters a stage."""
        code, mine = self.code, stage.kind == "player"

        def end() -> None:
            with code.of(stage.end.at), code.block(f"if {self.values.value(stage.end)}:"):
                code.line("s.cur, s.queued = s.stack.pop()" if mine else "s.tcur, _ = s.stack.pop()")
                code.line(f"return {after}")

        def enter() -> None:
            # The current player plays the first round: do not advance.
            code.line("s.stack.append((cur, s.queued)); s.queued = -1" if mine else "s.stack.append((s.tcur, -1))")
            end()
            self._blocks(stage.blocks, again)

        def once_more() -> None:
            with code.of(stage.at):
                code.line(f"s.steps -= {ROUND + steps_of(stage)}")
                code.line("if s.steps < 0: raise endless()")
            end()
            if mine:
                code.line("cur = s.queued")
                with code.block("if cur < 0:"):
                    code.line(f"cur = (s.cur + 1) % {self.values.layout.seats}")
                code.line("s.cur = cur; s.queued = -1")
            else:
                code.line("s.tcur = (s.tcur + 1) % len(s.teams)")
            self._blocks(stage.blocks, again)

        again = self._function(stage, "again", once_more)
        return self._function(stage, "enter", enter)
