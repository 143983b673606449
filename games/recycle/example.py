"""The beginning of a match as an example on a rules page: its log entries, with the cards drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from types import MappingProxyType

from games.core import FastChance, Game, Match, SealedChance
from games.core.cards import sign
from games.core.view import CARDS, EACH, Sentence, written
from games.recycle.labels import Picture
from games.recycle.phrase_book import capital, shown

NAMES = ("Anna", "Bram", "Coco", "Daan", "Eva", "Finn", "Gijs", "Hilde", "Ivo", "Jet")
SEED = bytes(32)
NUL = "\0"  # around the number of a card, until the sentence is put together
MOST_PLIES, MOST_LINES = 24, 20
_ROW = re.compile(r"\0\d+\0(?: \0\d+\0){0,11}")  # a page draws at most twelve pieces in a row
_DRAWN = re.compile(r"\[\[([^\[\]]+)\]\]")
_UNSAFE = re.compile(r"""[\s\[\]/<>&|`*\\"']|.{61}""")  # what ``cardsite/pieces.py`` does not read in a picture


def beginning(game: Game) -> list[Sentence]:
    """Return the log of the beginning of a random match, always the same one. A text that fails in play has none."""
    try:
        return [sentence for sentence, _ in islice(groupby(_sentences(game)), MOST_LINES)]
    except Exception:  # the rules of a text may break off in many ways; its author learns it elsewhere
        return []


def example(
    game: Game, begun: Sequence[Sentence], language: str, pictures: Mapping[str, Picture] = MappingProxyType({})
) -> list[str]:
    """Return sentences of a log as Markdown, with their cards as pictures; ``pictures`` has those of other packs."""
    words = game.words(language)
    return [_sentence(text, words, pictures) for text in begun]


def _sentences(game: Game) -> Iterator[Sentence]:
    match = Match.start(game, min(game.default_seats, len(NAMES)), game.check_options({}), SealedChance(SEED))
    chance = FastChance("example")
    for ply in range(MOST_PLIES):
        for entry in match.entries(None, ply, face_up=True, named=True):
            yield entry["text"]
        if match.over:
            return
        seat = match.to_act()[0]
        match.advance(seat, chance.choice(match.legal_moves(seat)))


def _sentence(text: Sentence, words: Mapping[str, str], pictures: Mapping[str, Picture]) -> str:
    """Return a sentence with the cards in it as pictures: ``[[9C 9D]]``, ``[[7/leaf/green/Green_7]]``."""
    drawn: list[str] = []

    def numbered(face: str) -> str:
        drawn.append(face)
        return f"{NUL}{len(drawn) - 1}{NUL}"

    listed = CARDS.search(text["text"])
    args = {name: written(arg, NAMES, words, numbered) for name, arg in text["args"].items()}
    for name, arg in text["args"].items():
        if name.startswith("card") and isinstance(arg, str) and arg in pictures:
            seen = pictures[arg]
            symbol = f"{seen.symbol or ''}{seen.number or ''}"
            parts = (seen.corner or "", symbol, seen.colour or "", args[name].replace(" ", "_"))
            if not any(_UNSAFE.search(part) for part in parts):
                args[name] = numbered("/".join(parts))
    template = text["text"]
    if listed:
        cards = re.findall(r"card\d+", listed[0])
        whole = all(args[card].startswith(NUL) for card in cards)
        args["cards"] = (" " if whole else ", ").join(args[card] for card in cards)
        template = CARDS.sub("{cards}", template)
    if each := EACH.search(template):
        args["each"] = each[0].format(**args)
        template = template.replace(each[0], "{each}")
    said = shown((words.get(template) or template).format(**args))

    def row(found: re.Match[str]) -> str:
        return f"[[{' '.join(drawn[int(card)] for card in found[0].split(NUL) if card.strip())}]]"

    return capital(_ROW.sub(row, said))


def in_signs(page: str) -> str:
    """Return a page with its pictures of cards as text: "9♣ 9♦"."""
    return _DRAWN.sub(lambda found: " ".join(map(_in_words, found[1].split())), page)


def _in_words(piece: str) -> str:
    return piece.rpartition("/")[2].replace("_", " ") if "/" in piece else sign(piece)
