"""Chance is handed in: a sealed stream for real matches, a fast one for simulations.

The sealed stream is specified, with test vectors, in ``docs/fair-play.md``; a browser recomputes it.
Both kinds draw without bias, by rejection, and share every operation that is built on ``below``.
"""

from __future__ import annotations

import hashlib
import random
import struct
from abc import ABC, abstractmethod
from collections.abc import MutableSequence, Sequence
from typing import TypedDict, TypeVar

T = TypeVar("T")

SEED_BYTES = 32
_DOMAIN = b"hamsterdam/1"
_WORD_RANGE = 1 << 32
_WORDS_PER_BLOCK = 8
_cut = struct.Struct(">8I").unpack


class Chance(ABC):
    """A source of unbiased draws. Everything is defined by ``below``; the rest is shared."""

    @abstractmethod
    def below(self, n: int) -> int:
        """Draw a whole number from 0 to n - 1, each equally likely. ``below(1)`` is 0 and draws nothing.

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
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def choice(self, items: Sequence[T]) -> T:
        """Return one of ``items``, each equally likely. Raises ValueError when there are none."""
        return items[self.below(len(items))]


class SealedChance(Chance):
    """SHA-256 in counter mode over a 32-byte seed: what deals real matches.

    ``seed`` is 32 bytes; ``label`` names the stream ('' is the main one).
    Source: docs/fair-play.md, section "The stream".
    """

    __slots__ = ("_key", "_words", "label", "position", "seed")

    def __init__(self, seed: bytes, label: str = "") -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"A seed is {SEED_BYTES} bytes (64 hexadecimal digits), not {len(seed)}.")
        self.seed = seed
        self.label = label
        self.position = 0  # 32-bit words consumed so far
        self._key = hashlib.sha256(_DOMAIN + b"\0" + seed + b"\0" + label.encode()).digest()
        self._words: tuple[int, ...] = ()  # of the block that the last one came from

    def below(self, n: int) -> int:
        if not 1 <= n <= _WORD_RANGE:
            raise ValueError(f"Can draw from 1 to 2**32 possibilities, not {n}.")
        if n == 1:
            return 0
        limit = _WORD_RANGE - _WORD_RANGE % n
        while True:
            block, offset = divmod(self.position, _WORDS_PER_BLOCK)
            if offset == 0 or not self._words:
                self._words = _cut(hashlib.sha256(self._key + block.to_bytes(8, "big")).digest())
            self.position += 1
            word = self._words[offset]
            if word < limit:
                return word % n

    def stream(self, label: str) -> SealedChance:
        return SealedChance(self.seed, f"{self.label}/{label}")

    def clone(self) -> SealedChance:
        twin = SealedChance(self.seed, self.label)
        twin.position = self.position
        return twin

    @staticmethod
    def commitment(seed: bytes) -> str:
        """Return what is published before the first card: the SHA-256 of the seed, in hexadecimal."""
        return hashlib.sha256(seed).hexdigest()


class Draw(TypedDict):
    """One entry of a witness's notes: a shuffle (items before and after) or a single draw (n and value)."""

    stream: str
    n: int
    value: int
    before: list[str]
    after: list[str]


class Witness(SealedChance):
    """A sealed stream that notes every draw, so that a reader can make the same ones from the seed."""

    __slots__ = ("_shuffling", "notes")

    def __init__(self, seed: bytes, label: str = "", notes: list[Draw] | None = None) -> None:
        super().__init__(seed, label)
        self.notes: list[Draw] = [] if notes is None else notes
        self._shuffling = False

    def below(self, n: int) -> int:
        value = super().below(n)
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


class FastChance(Chance):
    """The standard library's Mersenne twister behind the same interface, for search and simulation.

    ``seed`` is any text: the same text gives the same draws.
    """

    __slots__ = ("_bits", "_rng", "_seed")

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._rng = random.Random(seed)
        self._bits = self._rng.getrandbits

    def below(self, n: int) -> int:
        if not 1 <= n <= _WORD_RANGE:
            raise ValueError(f"Can draw from 1 to 2**32 possibilities, not {n}.")
        if n == 1:
            return 0
        k = (n - 1).bit_length()
        value = self._bits(k)
        while value >= n:
            value = self._bits(k)
        return value

    def stream(self, label: str) -> FastChance:
        return FastChance(f"{self._seed}/{label}")

    def clone(self) -> FastChance:
        twin = FastChance.__new__(FastChance)
        twin._seed = self._seed
        twin._rng = random.Random()
        twin._rng.setstate(self._rng.getstate())
        twin._bits = twin._rng.getrandbits
        return twin

    def __reduce__(self) -> tuple[object, ...]:
        return _fast_again, (self._seed, self._rng.getstate())


def _fast_again(seed: str, state: tuple[object, ...]) -> FastChance:
    chance = FastChance(seed)
    chance._rng.setstate(state)
    return chance
