"""Sources of chance, always passed in: a sealed stream for real matches, a fast one for simulations.

The sealed stream is specified, with test vectors, in ``docs/fair-play.md``; a browser recomputes it. Both kinds draw
without bias, by rejection, and share every operation that is built on ``randbelow``.
"""

from __future__ import annotations

import hashlib
import random
import struct
import sys
from abc import ABC, abstractmethod
from array import array
from collections.abc import MutableSequence, Sequence
from typing import TypedDict, TypeVar

T = TypeVar("T")

SEED_BYTES = 32
_DOMAIN = b"hamsterdam/1"
_WORD_RANGE = 1 << 32
_WORDS_PER_BLOCK = 8
_cut = struct.Struct(">8I").unpack
_TAPE_WORDS = 256


class Chance(ABC):
    """A source of unbiased draws. Everything is defined by ``randbelow``; the rest is shared."""

    @abstractmethod
    def randbelow(self, n: int) -> int:
        """Draw a whole number from 0 to n - 1, each equally likely. ``randbelow(1)`` is 0 and draws nothing.

        Raises ValueError unless 1 <= n <= 2**32.
        """

    @abstractmethod
    def stream(self, label: str) -> Chance:
        """Return an independent stream, named ``label``: its draws do not move this one."""

    @abstractmethod
    def clone(self) -> Chance:
        """Return a copy that will make the same draws from here on."""

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put ``items`` in a uniformly random order, in place (Fisher-Yates from the end)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.randbelow(i + 1)
            items[i], items[j] = items[j], items[i]

    def choice(self, items: Sequence[T]) -> T:
        """Return one of ``items``, each equally likely. Raises ValueError when there are none."""
        return items[self.randbelow(len(items))]


class SealedChance(Chance):
    """SHA-256 in counter mode over a 32-byte seed. It deals real matches.

    ``seed`` is 32 bytes; ``label`` names the stream ('' is the main one). Source: docs/fair-play.md, section "The
    stream".
    """

    __slots__ = ("_key", "_words", "label", "position", "seed")

    def __init__(self, seed: bytes, label: str = "") -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"A seed is {SEED_BYTES} bytes (64 hexadecimal digits), not {len(seed)}.")
        self.seed = seed
        self.label = label
        self.position = 0  # 32-bit words consumed so far
        self._key = hashlib.sha256(_DOMAIN + b"\0" + seed + b"\0" + label.encode()).digest()
        self._words: tuple[int, ...] = ()  # of the last block used

    def randbelow(self, n: int) -> int:
        if not 1 <= n <= _WORD_RANGE:
            raise ValueError(f"Can draw from 1 to 2**32 possibilities, not {n}.")
        if n == 1:
            return 0
        limit = _WORD_RANGE - _WORD_RANGE % n
        while True:
            block, offset = divmod(self.position, _WORDS_PER_BLOCK)
            if offset == 0 or not self._words:
                self._words = self._block(block)
            self.position += 1
            word = self._words[offset]
            if word < limit:
                return word % n

    def shuffle(self, items: MutableSequence[T]) -> None:
        # ``randbelow`` inlined: a deal is one shuffle, and a call for each card would take a third of its time.
        words, position = self._words, self.position
        for i in range(len(items) - 1, 0, -1):
            n = i + 1
            limit = _WORD_RANGE - _WORD_RANGE % n
            word = _WORD_RANGE
            while word >= limit:
                block, offset = divmod(position, _WORDS_PER_BLOCK)
                if offset == 0 or not words:
                    words = self._block(block)
                word = words[offset]
                position += 1
            j = word % n
            items[i], items[j] = items[j], items[i]
        self._words, self.position = words, position

    def _block(self, number: int) -> tuple[int, ...]:
        return _cut(hashlib.sha256(self._key + number.to_bytes(8, "big")).digest())

    def stream(self, label: str) -> SealedChance:
        return SealedChance(self.seed, f"{self.label}/{label}")

    def clone(self) -> SealedChance:
        copy = SealedChance.__new__(SealedChance)
        copy.seed, copy.label, copy.position = self.seed, self.label, self.position
        copy._key, copy._words = self._key, self._words
        return copy

    @staticmethod
    def commitment(seed: bytes) -> str:
        """Return the commitment that is published before the first card: the SHA-256 of the seed, in hexadecimal."""
        return hashlib.sha256(seed).hexdigest()


class Draw(TypedDict):
    """One entry of a Witness: a shuffle (items before and after) or a single draw (n and value)."""

    stream: str
    n: int
    value: int
    before: list[str]
    after: list[str]


class Witness(SealedChance):
    """A sealed stream that records every draw, so that readers can reproduce them from the seed."""

    __slots__ = ("_shuffling", "notes")

    def __init__(self, seed: bytes, label: str = "", notes: list[Draw] | None = None) -> None:
        super().__init__(seed, label)
        self.notes: list[Draw] = [] if notes is None else notes
        self._shuffling = False

    def randbelow(self, n: int) -> int:
        value = super().randbelow(n)
        if not self._shuffling and n > 1:
            self.notes.append({"stream": self.label, "n": n, "value": value, "before": [], "after": []})
        return value

    def shuffle(self, items: MutableSequence[T]) -> None:
        before = [str(item) for item in items]
        self._shuffling = True
        try:
            super().shuffle(items)
        finally:
            self._shuffling = False
        after = [str(item) for item in items]
        self.notes.append({"stream": self.label, "n": 0, "value": 0, "before": before, "after": after})

    def stream(self, label: str) -> Witness:
        return Witness(self.seed, f"{self.label}/{label}", self.notes)

    def clone(self) -> Witness:
        twin = Witness(self.seed, self.label)
        twin.position = self.position
        return twin


class _Tape:
    """A block of a generator's words and a link to the next one. Immutable, so copies share it."""

    __slots__ = ("_after", "_generator", "words")

    def __init__(self, generator: random.Random) -> None:
        self._generator = generator
        self._after: _Tape | None = None
        self.words = array("I", generator.getrandbits(32 * _TAPE_WORDS).to_bytes(4 * _TAPE_WORDS, "little"))
        if sys.byteorder == "big":
            self.words.byteswap()

    def after(self) -> _Tape:
        """Return the next block. The first caller draws it."""
        if self._after is None:
            self._after = _Tape(self._generator)
        return self._after


class FastChance(Chance):
    """The standard library's Mersenne Twister behind the same interface, for search and simulation.

    ``seed`` is any string; equal ones give equal draws. Copying is cheap: a copy is a position on a shared tape.
    """

    __slots__ = ("_left", "_seed", "_tape", "_word")

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._begin(_Tape(random.Random(seed)), 0)

    def _begin(self, tape: _Tape, at: int) -> None:
        self._tape = tape
        self._left = iter(tape.words)
        self._left.__setstate__(at)  # type: ignore[attr-defined]
        self._word = self._left.__next__

    def choice(self, items: Sequence[T]) -> T:
        # ``randbelow`` inlined: random roll-outs spend most of their time here.
        n = len(items)
        if n < 2:
            return items[self.randbelow(n)]
        shift = 32 - (n - 1).bit_length()
        try:
            value = self._word() >> shift
            while value >= n:
                value = self._word() >> shift
            return items[value]
        except StopIteration:
            self._wind()
            return self.choice(items)

    def _wind(self) -> None:
        self._begin(self._tape.after(), 0)

    @property
    def _at(self) -> int:
        at: int = self._left.__reduce__()[2]  # type: ignore[assignment]
        return at

    def randbelow(self, n: int) -> int:
        if n < 2 or n > _WORD_RANGE:
            if n != 1:
                raise ValueError(f"Can draw from 1 to 2**32 possibilities, not {n}.")
            return 0
        shift = 32 - (n - 1).bit_length()
        try:
            value = self._word() >> shift
            while value >= n:
                value = self._word() >> shift
            return value
        except StopIteration:
            self._wind()
            return self.randbelow(n)

    def shuffle(self, items: MutableSequence[T]) -> None:
        # ``randbelow`` inlined: determinizing is mostly shuffling, and a call for each card would take most of its
        # time.
        word = self._word
        for i in range(len(items) - 1, 0, -1):
            shift = 32 - i.bit_length()
            while True:
                try:
                    j = word() >> shift
                except StopIteration:
                    self._wind()
                    word = self._word
                    continue
                if j <= i:
                    break
            items[i], items[j] = items[j], items[i]

    def stream(self, label: str) -> FastChance:
        return FastChance(f"{self._seed}/{label}")

    def clone(self) -> FastChance:
        copy = FastChance.__new__(FastChance)
        copy._seed = self._seed
        copy._begin(self._tape, self._at)
        return copy

    def __reduce__(self) -> tuple[object, ...]:
        stretches, tape = [self._tape.words], self._tape
        while tape._after is not None:
            tape = tape._after
            stretches.append(tape.words)
        return _fast_again, (self._seed, stretches, self._at, tape._generator.getstate())


def _fast_again(seed: str, stretches: list[array[int]], at: int, state: tuple[object, ...]) -> FastChance:
    generator = random.Random()
    generator.setstate(state)
    chance = FastChance.__new__(FastChance)
    chance._seed = seed
    after: _Tape | None = None
    for words in reversed(stretches):
        tape = _Tape.__new__(_Tape)
        tape._generator, tape._after, tape.words = generator, after, words
        after = tape
    chance._begin(tape, at)
    return chance
