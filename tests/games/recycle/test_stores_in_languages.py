"""How the rules page says in German, French and Dutch whose a number, a name or a player is."""

from __future__ import annotations

import re

import pytest

from games.recycle.explain import explain
from games.recycle.labels import Labels
from games.recycle.phrase_book import Book
from games.recycle.provider import FOLDER
from games.recycle.reader import read
from tests.games.recycle.library import LIBRARY, labels_of

# What is no noun, or has an adjective: with an article or "dein" it would have to be inflected.
WITHOUT_GENDER = {
    "Zuletzt", "Abgeräumt", "Bisher verdient", "Gefragt nach", "Diese Runde", "Überlebte Runden", "Zuletzt gezeigt",
    "Letzte Hand", "Letzte Runde", "Letztes Loch", "Letzten Stich gewonnen",
}  # fmt: skip


def page(name: str, language: str) -> str:
    path = FOLDER / f"{name}.rcy"
    return explain(read(path.read_text(encoding="utf-8")), labels_of(path), {}, language)


def plain(text: str) -> str:
    """Return a text with the signs of a keyboard."""
    return text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace("\N{MULTIPLICATION SIGN}", "x")


def steps(steps: str, language: str) -> str:
    setup = "(setup (create players 3) (create deck (game hloc STOCK) (deck (RANK (ACE, TWO)))))"
    game = read(f"(game {setup} (do ({steps})) (scoring max (size (game hloc STOCK))))")
    return plain(explain(game, Labels(), {}, language))


@pytest.mark.parametrize("name", [path.stem for path in LIBRARY])
def test_what_a_player_has_is_said_in_german_with_its_gender(name: str) -> None:
    said = page(name, "de")
    assert "* von dir" not in said
    named = re.findall(r"(Reihen?|Stapel|Stellen?)? \*([^*]+)\* (?:bei dir|dieser Person|jeder Person)", said)
    stores = {label for place, label in named if not place}
    assert {label for label in stores if not re.search(rf"\b(die|den|der|das|dem) \*{label}\*", said)} <= WITHOUT_GENDER


def test_a_verb_at_the_table_is_a_noun_in_a_sentence() -> None:
    for language, at_the_table, said in (
        ("de", "Sagt", "stell deine *Ansage* auf"),
        ("fr", "Dit", "mettez votre *Annonce* à"),
        ("nl", "Zegt", "zet je *Keuze* op"),
    ):
        assert said in page("kuhn", language)
        assert f"*{at_the_table}*" not in page("kuhn", language)


@pytest.mark.parametrize(
    ("step", "german", "french", "dutch"),
    [
        (
            "(inc ((next player) sto CHIPS) 2)",
            "rhöhe die *Chips* der nächsten Person um 2",
            "joutez 2 aux *Jetons* du joueur suivant",
            "el 2 op bij de *Fiches* van de volgende speler",
        ),
        (
            "(all player 'P (inc ('P sto CHIPS) ('P sto BET)))",
            "rhöhe ihre *Chips* um ihren *Einsatz*",
            "joutez sa *Mise* à ses *Jetons*",
            "el diens *Inzet* op bij diens *Fiches*",
        ),
        (
            "(all player 'P (set ('P str STATE) DONE))",
            "tell den *Status* jeder Person auf",
            "ettez l'*État* de chaque joueur à",
            "et de *Status* van elke speler op",
        ),
        (
            "(all (filter player 'P (> ('P sto BET) 1)) 'P (set ('P str SAYS) DONE))",
            "deren *Einsatz* mehr als 1 ist: stell ihre *Ansage* auf",
            "dont la *Mise* vaut plus de 1, mettez son *Annonce* à",
            "van wie de *Inzet* meer dan 1 is: zet diens *Keuze* op",
        ),
        (
            "(all player 'P (set ('P sto CHIPS) (* 2 ('P sto BET))))",
            "tell ihre *Chips* auf 2 x ihren *Einsatz*",
            "ettez ses *Jetons* à 2 x sa *Mise*",
            "et diens *Fiches* op 2 x diens *Inzet*",
        ),
    ],
)
def test_articles_and_possessives_agree_with_what_a_store_is_called(
    step: str, german: str, french: str, dutch: str
) -> None:
    for language, said in (("de", german), ("fr", french), ("nl", dutch)):
        assert said in steps(step, language)


def test_french_elides_before_a_vowel_in_capitals_and_in_italics() -> None:
    for written, said in (
        ("le *État*, la *Entame*, la *Mise*", "l'*État*, l'*Entame*, la *Mise*"),
        ("moins de *En lice*, moins de *Chips*", "moins d'*En lice*, moins de *Chips*"),
        ("sa offre, sa *Enchère*, sa main", "son offre, son *Enchère*, sa main"),
    ):
        assert plain(Book("fr").spelled(written)) == said
