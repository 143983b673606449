"""The editor's pages, and the patterns for new texts, which can be played."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from cardsite.workshop import lessons, starts, text_analysis
from games.core import FastChance, Match
from games.core.words import catalogue, languages
from games.recycle.reader.blocks import standard_texts
from games.recycle.signatures import HEADED, SECTIONS, SIGNATURES, WORDS
from games.recycle.style import format_text
from tests.site.reasons import why_refused

PATTERNS = dict(starts.patterns())
PAGES = ("/workshop/new/", "/workshop/new/?pattern=melds", "/workshop/tutorial/", "/workshop/abcdefgh/edit/?version=3")


def boot(client: Client, path: str, code: str = "en") -> dict[str, Any]:
    page = client.get(path, headers={"accept-language": code}).content.decode()
    match = re.search(r'<script id="boot" type="application/json">(.*?)</script>', page)
    assert match
    data: dict[str, Any] = json.loads(match[1])
    return data


@pytest.mark.parametrize("path", PAGES)
def test_the_editor_may_make_styles_by_a_number_that_is_used_once_and_nothing_else_may(
    path: str, newcomer: Client, db: None
) -> None:
    first, second = newcomer.get(path), newcomer.get(path)
    nonces = [re.search(r"style-src [^;]*'nonce-([^']+)'", page["Content-Security-Policy"]) for page in (first, second)]
    assert nonces[0]
    assert nonces[1]
    assert nonces[0][1] != nonces[1][1]
    assert f'"nonce": "{nonces[0][1]}"' in first.content.decode()
    assert "unsafe-inline" not in re.sub(r"style-src-attr [^;]*", "", first["Content-Security-Policy"])
    assert "csrftoken" in first.cookies
    assert "no-store" in first["Cache-Control"]


def test_the_editor_is_sent_its_addresses_and_every_word_of_the_language(newcomer: Client, db: None) -> None:
    data = boot(newcomer, "/workshop/new/")
    assert {word["name"] for word in data["language"]["words"]} == {"", *WORDS, *HEADED}
    assert sum(len(word["forms"]) for word in data["language"]["words"]) == len(SIGNATURES)
    assert (data["urls"]["check"], data["urls"]["edit"]) == ("/workshop/check/", "/workshop/CODE/edit/")
    assert data["start"]["source"] == starts.small_game().source


@pytest.mark.parametrize("code", languages())
def test_every_word_is_explained_in_the_language_of_the_page(code: str, newcomer: Client, db: None) -> None:
    """In the editor, and on a page of its own."""
    known = catalogue(code, "recycle")
    data = boot(newcomer, "/workshop/new/", code)["language"]
    means = {form["means"] for word in data["words"] for form in word["forms"]}
    page = unescape(newcomer.get("/workshop/words/", headers={"accept-language": code}).content.decode())
    assert data["blocks"].keys() == standard_texts().keys()
    for name, (text, english) in standard_texts().items():
        assert data["blocks"][name] == {"text": text, "means": known[english]}
        assert text in page
        assert known[english] in page
    for title, (about, signatures) in SECTIONS.items():
        assert known[title] in page
        assert re.sub("`(.*?)`", r"<code>\1</code>", about and known[about]) in page
        for signature in signatures:
            assert signature.spelling in page
            assert re.sub("`(.*?)`", r"<code>\1</code>", known[signature.means]) in page
            assert known[signature.means].replace("`", "") in means


def test_a_text_that_is_kept_is_edited_by_its_code_and_version(newcomer: Client, db: None) -> None:
    def asked(query: str) -> tuple[str, int]:
        data = boot(newcomer, f"/workshop/abcdefgh/edit/{query}")
        return data["code"], data["version"]

    assert asked("") == asked("?version=") == asked("?version=-1") == asked("?version=9999999") == ("abcdefgh", 0)
    assert asked("?version=3") == ("abcdefgh", 3)


def test_the_lessons_are_sent_with_what_there_is_to_reach(newcomer: Client, db: None) -> None:
    course = boot(newcomer, "/workshop/tutorial/?step=4")["tutorial"]
    assert (course["at"], len(course["lessons"])) == (4, lessons.COUNT)
    for number, lesson in enumerate(course["lessons"], 1):
        assert lesson["goals"] == [goal["text"] for goal in lessons.goals(number, lesson["solution"])]
    assert boot(newcomer, f"/workshop/tutorial/?step={lessons.COUNT + 1}")["tutorial"]["at"] == 0


def test_the_server_checks_what_a_lesson_asks_for(newcomer: Client, db: None) -> None:
    def ask(**asked: Any) -> Any:
        return newcomer.post("/workshop/step/", json.dumps(asked), content_type="application/json")

    answer = ask(step=1, source=lessons.solution(1))
    assert all(goal["done"] for goal in answer.json()["goals"])
    assert not any(goal["done"] for goal in ask(step=1, source="(game").json()["goals"])
    last = ask(step=6, source=lessons.solution(6)).json()["goals"]
    assert [goal["text"] for goal in last if not goal["done"]] == [lessons.SAVED]
    assert why_refused(ask(step=lessons.COUNT + 1, source="")) == why_refused(ask(step=0, source="")) == "bad_request"


# -- patterns


def test_there_are_ten_patterns_and_the_page_shows_them_all(newcomer: Client, db: None) -> None:
    page = newcomer.get("/workshop/patterns/").content.decode()
    assert len(PATTERNS) == 10
    for name, start in PATTERNS.items():
        assert f"/workshop/new/?pattern={name}" in page
        assert start.title in page
        data = boot(newcomer, f"/workshop/new/?pattern={name}")["start"]
        assert (data["source"], data["table"]) == (start.source, start.table)
    assert why_refused(newcomer.get("/workshop/new/?pattern=no-such")) == "There is no such pattern."
    assert {path.stem for path in starts.FOLDER.glob("*.rcy")} == set(PATTERNS)


@pytest.mark.parametrize("name", [*PATTERNS, "small game"])
def test_what_a_text_begins_with_can_be_read_and_played_by_any_number_of_players(name: str) -> None:
    start = PATTERNS.get(name, starts.small_game())
    result = text_analysis.check(start.source, start.table)
    assert result["ok"]
    assert result["problems"] == []
    assert start.source == format_text(start.source)
    assert len(start.source.splitlines()) <= 60
    game = text_analysis._game(start.source, start.table)
    for seats in range(game.min_seats, game.max_seats + 1):
        for seed in ("a", "b", "c"):
            match, chance = Match.start(game, seats, {}, FastChance(seed)), FastChance(f"{seed} moves")
            choices = 0
            while not match.over:
                seat = match.to_act()[0]
                moves = match.legal_moves(seat)
                choices += len(moves) > 1
                match.advance(seat, chance.choice(moves))
            assert choices >= 3
            assert match.view(None)["result"]


# -- the editor that is kept with the project

VENDOR = Path(__file__).parents[2] / "static" / "vendor"


def test_the_kept_editor_has_what_its_recipe_names_and_its_licence() -> None:
    recipe = (VENDOR / "codemirror" / "bundle.js").read_text()
    wanted = {name.strip() for names in re.findall(r"export \{(.*?)\}", recipe) for name in names.split(",")}
    module = (VENDOR / "codemirror.js").read_text()
    exported = re.findall(r"export\{([^}]*)\}", module)[-1]
    assert {name.split(" as ")[-1] for name in exported.split(",")} == wanted
    assert set(re.findall(r"export const (\w+)", (VENDOR / "codemirror.d.ts").read_text())) == wanted
    assert (VENDOR / "codemirror" / "notice.js").read_text().strip() in module
    used = {
        name.strip()
        for script in (VENDOR.parent / "js" / "workshop").glob("*.js")
        for names in re.findall(r'import \{([^}]*)\} from "../../vendor/codemirror.js"', script.read_text())
        for name in names.split(",")
        if name.strip()
    }
    assert used == wanted


def test_nothing_of_the_kept_editor_comes_from_elsewhere() -> None:
    addresses = set(re.findall(r"https?://[^\"'`\s)]+", (VENDOR / "codemirror.js").read_text()))
    assert addresses == {"http://www.w3.org/2000/svg"}
    lock = json.loads((VENDOR / "codemirror" / "package-lock.json").read_text())
    assert not any("resolved" in package for package in lock["packages"].values())


def test_the_rules_of_a_text_draw_the_cards_of_a_match_in_the_editor_and_on_its_page(newcomer: Client) -> None:
    text = PATTERNS["shedding"].source
    assert 'class="rule-piece" data-face="' in text_analysis.check(text)["rules"]
    page = newcomer.get("/workshop/house/crazy-eights/").content.decode()
    assert 'class="rule-piece" data-face="' in page
    assert "[[" not in page.partition("The exact wording")[0].partition('class="prose"')[2]
