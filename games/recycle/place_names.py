"""What the places of a text are called in a language: "de trekstapel"; where there is no noun for one, its label."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from games.recycle.labels import Labels
from games.recycle.phrase_book import BARE, BEGUN, FORMS, SOME, TIPS, UNNAMED, Book, Phrase, capital, in_quotes


class PlaceNames:
    """The nouns for the places called ``names``, in the language of a phrase book."""

    def __init__(self, names: Iterable[str], labels: Labels, book: Book) -> None:
        self.labels, self.book, self.names = labels, book, sorted(names)
        self._nouns = {name: str(noun) for name in self.names if (noun := self._noun(name))}
        self._shared = Counter(self._nouns.values())  # how many places have each noun
        self._labels = Counter(map(labels.word, self.names))

    def _noun(self, name: str, *, several: bool = False) -> Phrase | None:
        word, plural = self.labels.noun(name)
        return self.book.noun(word, several=several or plural) if word and self.book.knows(word) else None

    def noun(self, name: str, *, several: bool = False) -> tuple[Phrase, str] | None:
        """Return the noun of a place, and its English word. None: it has none, or another place has the same."""
        noun = self._noun(name, several=several)
        return (noun, self.labels.noun(name)[0]) if noun and self._shared[self._nouns.get(name, "")] < 2 else None

    def label(self, name: str) -> str:
        """Return the label of a place: its name, where the text gives another one the same label."""
        label = self.labels.word(name)
        return name.capitalize() if self._labels[label] > 1 and name not in self.labels.words else label

    @property
    def phrases(self) -> list[str]:
        """What these places are called inside an English sentence."""
        return [*map(self.labels.phrase, self.names)]

    def translated(self, words: Mapping[str, str]) -> dict[str, str]:
        """Return what these places are called, by the English phrase. ``words``: the game's sentences."""
        found: dict[str, str] = {}
        labels, book = self.labels, self.book
        for name in self.names:
            noun, label = self.noun(name), labels.word(name)
            if noun:
                bare = noun[0].text(BARE)
                found[labels.phrase(name)] = book.spelled(str(book.the(noun[0])))
                found[labels.owned(name)] = bare
                found[label] = capital(bare)
            else:
                said = words.get(label, label)
                found[labels.phrase(name)] = said if label[-1:].isdigit() else in_quotes(said, book.language)
                found.setdefault(labels.owned(name), words.get(labels.phrase(name)) or found[labels.phrase(name)])
        # "The pile is shuffled." begins with a place; no other language's sentence does.
        begun = {capital(name): said if name.startswith("the ") else capital(said) for name, said in found.items()}
        return found | begun | dict(self._forms(words))

    def _forms(self, words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the forms of places that templates ask for: "to the pile" is "auf den Stapel"."""
        book, labels = self.book, self.labels
        for name in self.names:
            for key in dict.fromkeys((name, labels.key(name, -1))):
                phrase, owned = labels.phrase(key), labels.owned(key)
                word, plural = labels.noun(key)
                own = phrase.removeprefix("the ")  # its author may have given it another one inside sentences
                if word and (word == own or not book.knows(own)):
                    own = word
                if book.knows(own):
                    bare = book.noun(own, several=plural and own == word)
                    place = book.the(bare, kind=book.locative(own))
                else:
                    label = labels.word(key)
                    known = words.get(phrase) or words.get(label, label)
                    fits = known[:1].islower() or known[-1:].isdigit()  # it has its article, or needs none
                    bare = place = book.plain(known if fits else in_quotes(known, book.language))
                for form, said in (
                    ("to", book.onto(place)),
                    ("from", book.off(place)),
                    ("acc", place.text(FORMS["acc"])),
                    ("bare", capital(bare.text(BARE))),
                    ("begun", capital(place.text())),
                ):
                    for english in (phrase, capital(phrase), owned):
                        yield f"{form} {english}", book.spelled(str(said))


def with_places(
    words: Mapping[str, str], places: Mapping[str, str], phrases: Iterable[str], language: str
) -> dict[str, str]:
    """Return the sentences of a text in a language, by the English ones: those of all texts, and its own.

    ``words``: the sentences of all texts; ``places`` and ``phrases``: what ``PlaceNames`` says of the text's places.
    """
    return {**places, **_unnamed(words), **_asked({**places, **words}, phrases, Book(language)), **words}


def _unnamed(words: Mapping[str, str]) -> dict[str, str]:
    """Return the sentences about cards that are not named, from those about ``{cards}``."""
    pieces = {*SOME, *(piece for pair in UNNAMED.values() for piece in pair)}
    found: dict[str, str] = {}
    for template, said in words.items():
        if "{cards}" in template:
            for piece in pieces:
                begun = BEGUN.get(piece, piece) if template.startswith("{cards}") else piece
                named = begun if said.startswith("{cards}") else piece
                filled = said.replace("{cards}", words.get(named, named))
                found[template.replace("{cards}", begun)] = capital(filled) if template[:1].isupper() else filled
    return found


def _asked(words: Mapping[str, str], phrases: Iterable[str], book: Book) -> dict[str, str]:
    """Return what prompts ask for: "play a card to the pile"."""

    def said(template: str, phrase: str, cards: str) -> str:
        place = re.sub(r"\{(?:place|from)(?::(\w+))?\}", lambda gap: in_form(phrase, gap[1]), template)
        return place.replace("{cards}", words.get(cards, cards))

    def in_form(phrase: str, form: str | None) -> str:
        return words.get(f"{form} {phrase}") or words.get(phrase, phrase)

    asked = {
        verb.asked.replace("{cards}", cards).replace(gap, phrase): said(words[verb.asked], phrase, cards)
        for phrase in phrases
        for verb in TIPS
        for gap in ("{place}", "{from}")
        for cards in SOME[:2]
        if gap in verb.asked and verb.asked in words
    }
    return {english: book.spelled(said) for english, said in asked.items()}
