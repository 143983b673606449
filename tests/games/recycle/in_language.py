"""Sentences of a match as pages show them in a language: ``static/js/i18n.js`` in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, cast

from games.core import FastChance, Match, SealedChance
from games.core.view import CARDS, EACH, Sentence, written
from tests.games.recycle.library import game_of

NAMES = ("Anna", "Bram", "Coco", "Dirk", "Eva", "Finn")
MOST_PLIES = 150
_SUFFIXES = re.compile(r"(?: \(\{\w+\}(?: → \{\w+\})?\))+$")
_PLACEHOLDER = re.compile(r"\{(\w+)(:\w+)?\}")


@cache
def sentences(path: Path) -> list[Sentence]:
    """Return what players and spectators read in the beginning of a random match of a text, each sentence once."""
    game, chance = game_of(path), FastChance("sentences")
    match = Match.start(game, game.default_seats, game.check_options({}), SealedChance(bytes(32)))
    found: list[Sentence] = []
    while not match.over and match.ply < MOST_PLIES:
        seat = match.to_act()[0]
        found += _in(match.view(seat))
        match.advance(seat, chance.choice(match.legal_moves(seat)))
    found += _in(match.view(None))
    for ply in range(match.ply + 1):
        for named in (False, True):
            found += [entry["text"] for entry in match.entries(None, ply, face_up=True, named=named)]
    return list({repr(one): one for one in found}.values())


def _in(data: Any) -> Iterator[Sentence]:
    if isinstance(data, dict):
        if data.keys() == {"text", "args"}:
            yield cast(Sentence, data)
        for part in data.values():
            yield from _in(part)
    elif isinstance(data, list):
        for part in data:
            yield from _in(part)


def said(sentence: Sentence, words: Mapping[str, str], both: str = "and") -> str:
    """Return a sentence as people read it in the language of a catalogue. ``both``: its "and"."""
    arguments = {name: written(arg, NAMES, words) for name, arg in sentence["args"].items()}
    return translated(sentence["text"], words, both).format(**arguments)


def translated(template: str, words: Mapping[str, str], both: str = "and") -> str:
    """Return a template in the language of a catalogue, as ``t`` of the browser does."""
    template = words.get(template) or _listing(template, words) or _composed(template, words) or template
    return re.sub(r"(?<=\}) and (?=\{card)", f" {both} ", template)


def _listing(template: str, words: Mapping[str, str]) -> str:
    for listed, stands in ((EACH, "{each}"), (CARDS, "{cards}")):
        if found := listed.search(template):
            return words.get(template.replace(found[0], stands), "").replace(stands, found[0])
    return ""


def _composed(template: str, words: Mapping[str, str]) -> str:
    suffixes = found[0] if (found := _SUFFIXES.search(template)) else ""
    parts = re.split("(; | · )", template.removesuffix(suffixes))
    if not suffixes and len(parts) == 1:
        return ""
    semicolon = _PLACEHOLDER.sub("", words.get("{before}; {after}", "; "))
    composed = [
        _part(part, place // 2, words) if place % 2 == 0 else semicolon if part == "; " else part
        for place, part in enumerate(parts)
    ]
    return "".join(composed) + suffixes if all(composed) else ""


def _part(part: str, number: int, words: Mapping[str, str]) -> str:
    english = part.replace(f"_{number}}}", "}") if number else part
    keys = (english, english[:1].upper() + english[1:])
    found = next(filter(None, (words.get(key) or _listing(key, words) for key in keys)), "")
    if not found:
        return "" if re.search("[a-z]{2}", _PLACEHOLDER.sub("", part), re.IGNORECASE) else part

    def numbered(gap: re.Match[str]) -> str:
        return f"{{{gap[1]}_{number}{gap[2] or ''}}}" if f"{{{gap[1]}_{number}}}" in part else gap[0]

    return _PLACEHOLDER.sub(numbered, found)
