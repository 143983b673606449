"""Refusals are in the language of the person who reads them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import translation

from cardsite.jobs import queue
from cardsite.jobs.folder import JobFolder
from cardsite.lobby import games
from cardsite.lobby.models import Table
from cardsite.lobby.services.seating import seat_at
from cardsite.refusal import Refused
from cardsite.translations import detail_or
from games import catalogue
from games.core import BadOption
from games.core.words import languages
from tests.site.conftest import Actor

REFUSALS: dict[str, Callable[[], object]] = {
    "bot": lambda: games.require_bot(catalogue.featured(), "nobody"),
    "seats": lambda: games.check_seats(catalogue.featured(), 99),
    "option": lambda: games.check_options(catalogue.featured(), {"nothing": 1}),
    "seconds": lambda: games.check_seconds(7),
    "game": lambda: games.find_game("nothing"),
    "seat": lambda: seat_at(Table.objects.get(), 99),
}


def refused_in(code: str, asked: Callable[[], object]) -> str:
    """Return the sentence of a refusal in a language."""
    with translation.override(code), pytest.raises(Refused) as refused:
        asked()
    return refused.value.text


@pytest.mark.parametrize("what", REFUSALS)
def test_a_refusal_is_in_the_language_of_the_person(what: str, table: Table) -> None:
    said = {code: refused_in(code, REFUSALS[what]) for code in ("en", *languages())}
    assert len(set(said.values())) == len(said), said


def test_a_refusal_of_the_rules_names_what_is_wrong_in_every_language() -> None:
    game, plain = catalogue.find("camelup"), "An untranslated reason."
    for code in ("en", *languages()):
        assert "gone" in refused_in(code, lambda: games.check_options(game, {"gone": 1}))
        with translation.override(code):
            said = detail_or(BadOption(plain), "Choose others.", game)
        assert said == (plain if code == "en" else "Choose others.")


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("sit", {"seat": "none"}),
        ("set-seat", {"seat": "99", "kind": "open"}),
        ("set-seat", {"seat": "1", "kind": "nobody"}),
    ],
)
def test_a_button_at_a_table_is_refused_in_the_language_of_the_browser(
    host: Actor, table: Table, path: str, form: dict[str, str]
) -> None:
    said = []
    for code in ("en", *languages()):
        answer = host.client.post(f"/t/{table.code}/{path}/", form, headers={"accept-language": code})
        if answer.status_code == 404:
            pytest.fail(f"there is no button {path}")
        said.append(answer.json()["text"])
    assert len(set(said)) == len(said), said


def test_a_match_with_options_of_an_older_game_is_refused_in_the_language_of_the_host(
    host: Actor, table: Table
) -> None:
    Table.objects.update(options={"gone": 3})
    answer = host.client.post(f"/t/{table.code}/start/", headers={"accept-language": "de"}).json()
    assert answer["code"] == "bad_option"
    assert answer["text"].startswith("Hamsterdam Exchange hat keine Option 'gone'. Es gibt: ")
    assert answer["text"].endswith(". Eröffne einen neuen Tisch.")


@pytest.mark.parametrize("why", [queue.TOO_LONG, queue.BUSY, queue.NO_ANSWER, queue.TOO_MUCH_MEMORY, queue.LOST])
def test_why_a_job_failed_is_in_the_language_of_each_reader(tmp_path: Path, why: str) -> None:
    folder = JobFolder(tmp_path)
    folder.end("failed", why)
    assert folder.why == why
    said = {why}
    for code in languages():
        with translation.override(code):
            said.add(folder.why)
    assert len(said) == len(languages()) + 1
