"""A newcomer's evening in every language: no sentence is left in English.

They read pages, are taught each game of the house at its table without its page of rules, watch, play a match, share a
step of its replay, play on from there against bots, and find the evening on their own page.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

import pytest
from babel.messages.pofile import write_po
from playwright.sync_api import Browser, Locator, Page, expect

from cardsite import translations
from games import catalogue
from games.core import words as core_words
from tests import words
from tests.browser.conftest import PAGES, VIEWPORTS
from tests.browser.tables import play_now, play_out, set_table, sit_down, start, wait_for_turn
from tests.browser.test_boxes import SETTLED
from tests.browser.test_replay import stands_at
from tests.games.cases import QUICK_TEXTS
from tests.games.recycle.in_language import sentences, translated
from tests.games.recycle.library import LIBRARY, game_of
from tests.running_site import ROOT, RunningSite
from tests.tiers import full, tiered

SEEN = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (!parent.closest("script, style, [lang]:not(html)")) found.push(walker.currentNode.textContent.trim());
  }
  for (const one of document.querySelectorAll("[aria-label]")) found.push(one.getAttribute("aria-label").trim());
  return found.filter(Boolean);
}"""

# Words of the site's own, other than names, that are broken in the middle because there is no room for them.
BROKEN = """() => {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const [node, parent] = [walker.currentNode, walker.currentNode.parentElement];
    if (parent.closest("bdi, code, .visually-hidden")) continue;
    if (!parent.checkVisibility({ visibilityProperty: true })) continue;
    for (const word of node.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const rows = [...range.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.top));
      if (new Set(rows).size > 1) found.add(`${word[0]} in .${parent.className || parent.parentElement.className}`);
    }
  }
  return [...found];
}"""
IN_BROWSER = """async ([language, templates]) => {
  document.documentElement.lang = language;
  document.documentElement.dataset.words = "/words.json";
  const { loadTranslations, t } = await import("/static/js/i18n.js");
  await loadTranslations();
  return templates.map((template) => t(template));
}"""
LONGEST_WORD = 40  # of a language
WIDTHS = (360, 390, 640, 820, 1280)

BUILT_IN = [game.name for game in catalogue.listed(catalogue.providers[0])]
TIP = ".tips:not([hidden], [data-waiting]) .tip"
TIPS = 3  # that a newcomer reads of any game before they have played a first turn, or more
QUOTES = {"site": ("«", "»"), "scripts": ("“", "”")}  # of catalogues in a language that is made up
BEFORE_THE_END = 5  # moves, where the step is that they share and play on from
TURN_OR_END = (
    "() => document.querySelector('.result')?.checkVisibility() || document.querySelector('.moves:not(.extra) button')"
)
NEXT_CARD = ".board-grid [data-path=next]"
PICKED = ".felt [aria-pressed=true]"
LOG = "[...document.querySelectorAll('.log-line')].map((line) => line.textContent).join()"
LOG_HAS_GROWN = f"(before) => {LOG}.length > before"  # by a line, or by one that is now said twice


@cache
def english(language: str, game: str) -> frozenset[str]:
    """Return what is said in English where the language says something else."""
    if language not in words.LANGUAGES:
        return frozenset()
    known = words.known(language, "scripts") | dict(catalogue.find(game).words(language))
    for message in words.catalog_of(language, "site"):
        if isinstance(message.id, str) and isinstance(message.string, str):
            known[message.id] = message.string
    translated = set(known.values())
    return frozenset(key for key, value in known.items() if value != key and key not in translated)


def left_in_english(page: Page, language: str, game: str) -> list[str]:
    """Return what stands on a page in English though it is translated."""
    return sorted({text for text in page.evaluate(SEEN) if text in english(language, game)})


class Stranger:
    """Somebody with a browser in a language, who knows no game. What they find in English is noted by its place."""

    def __init__(self, page: Page, language: str, size: tuple[int, int]) -> None:
        self.page = page
        self.language = language
        self.size = size
        self.left: dict[str, list[str]] = {}
        self._scripts = words.known(language, "scripts") if language in words.LANGUAGES else {}

    def look(self, place: str, game: str) -> None:
        """Note what of a page is in English."""
        if result := left_in_english(self.page, self.language, game):
            self.left[place] = result

    def button(self, label: str) -> Locator:
        """Return the button of the table, or of the replay, that is called so in English."""
        return self.page.get_by_role("button", name=self._scripts.get(label, label), exact=True)

    def read_pages(self) -> None:
        """Read the pages around the tables, on a phone."""
        self.page.set_viewport_size({"width": 390, "height": 844})
        for path in (*PAGES, "/lab/", "/workshop/"):
            self.page.goto(path)
            expect(self.page.locator("html")).to_have_attribute("lang", self.language)
            self.look(path, "hamsterdam")
            assert self.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), path
        self.page.set_viewport_size({"width": self.size[0], "height": self.size[1]})

    def learn(self, game: str) -> None:
        """Sit down at a game, read its tips as they come, and make the first move."""
        self.page.goto("/games/")
        self.page.locator(f'form[action="/play/{game}/"] button').first.click()
        self.page.wait_for_url(re.compile(r"/t/\w+/"))
        wait_for_turn(self.page)
        taught = catalogue.find(game).teaching()["tips"]
        catalog = catalogue.find(game).words(self.language) if self.language in words.LANGUAGES else {}
        tips = {catalog.get(tip["text"]["text"], tip["text"]["text"]) for tip in taught}
        read = self._read_tips()
        assert len(read) >= TIPS, f"{game}: only {read}"
        assert read <= tips, f"{game}: {read - tips} are no tips in {self.language}"
        self.look(f"first turn of {game}", game)
        lines = self.page.evaluate(f"{LOG}.length")
        if self.page.locator(NEXT_CARD).count():  # a path, of two cards or more
            for _ in range(2):
                self.page.locator(NEXT_CARD).first.click()
            self.page.keyboard.press("Enter")
        else:
            self.page.keyboard.press("1")
            self.page.wait_for_function(
                f"(lines) => ({LOG_HAS_GROWN})(lines) || document.querySelector({PICKED!r})", arg=lines
            )
            if self.page.locator(PICKED).count():  # a card that may go to several places
                self.page.keyboard.press("1")
        self.page.wait_for_function(LOG_HAS_GROWN, arg=lines)

    def play_out(self) -> None:
        """Play to the end, with the first of the moves each time."""
        while not self.page.locator(".result").is_visible():
            self.page.wait_for_function(TURN_OR_END)
            self.page.keyboard.press("1")

    def _read_tips(self) -> set[str]:
        read: set[str] = set()
        expect(self.page.locator(TIP)).to_be_visible()
        while True:
            self.page.evaluate(SETTLED)
            if not self.page.locator(TIP).count():
                return read
            read.add(self.page.locator(f"{TIP} p").inner_text())
            self.page.locator(f"{TIP} .button-primary").dispatch_event("click")


@pytest.fixture(scope="module")
def company(browser: Browser, site: RunningSite) -> Iterator[tuple[Page, Page]]:
    """Two friends at a public table, in the middle of a match."""
    contexts = [browser.new_context(base_url=site.url, reduced_motion="reduce") for _ in range(2)]
    host, friend = (context.new_page() for context in contexts)
    for context in contexts:
        context.add_init_script("localStorage.tips ??= 'no'")
    sit_down(friend, set_table(host, "bundles", ("open",)), "Bea")
    start(host, friend)
    yield host, friend
    for context in contexts:
        context.close()


@full
@pytest.mark.parametrize(
    ("language", "device", "game"),
    [
        ("nl", "desktop", "camelup"),
        ("fr", "desktop", "bundles"),
        ("de", "desktop", "hamsterdam"),
        ("en", "phone", "bundles"),
    ],
)
def test_a_stranger_learns_every_game_watches_and_returns_to_their_evening(
    browser: Browser,
    site: RunningSite,
    company: tuple[Page, Page],
    language: str,
    device: Literal["desktop", "phone"],
    game: str,
) -> None:
    touch = device == "phone"
    context = browser.new_context(
        base_url=site.url, locale=language, has_touch=touch, is_mobile=touch, reduced_motion="reduce"
    )
    page = context.new_page()
    rules: list[str] = []
    page.on("request", lambda request: rules.append(request.url) if "/drawer/" in request.url else None)
    stranger = Stranger(page, language, VIEWPORTS[device])
    if language in words.LANGUAGES:  # the English ones are walked in other tests
        stranger.read_pages()

    # Watch: the best table of the front page, where somebody makes a move.
    page.goto("/")
    page.locator("#featured-watch").click()
    expect(page.locator(".room:not([data-seated]) .felt [data-piece]").first).to_be_visible()
    lines = page.evaluate(f"{LOG}.length")
    play_out(*company, until=1)
    page.wait_for_function(LOG_HAS_GROWN, arg=lines)
    stranger.look("watching", "bundles")

    # Learn each game at its table; the last of them is played to its end.
    for other in (*(name for name in BUILT_IN if name != game), game):
        stranger.learn(other)
    page.evaluate("() => localStorage.setItem('tips', 'no')")
    stranger.play_out()
    stranger.look("result", game)

    # Share a step of the replay: a friend sees it, in a language of their own.
    page.locator('.controls a[href^="/replay/"], .result a[href^="/replay/"]').first.click()
    stands_at(page, 0)
    page.keyboard.press("End")
    last = int(page.get_by_role("slider").get_attribute("max") or 0)
    stands_at(page, last)
    for _ in range(BEFORE_THE_END):
        page.keyboard.press("ArrowLeft")
    step = last - BEFORE_THE_END
    stands_at(page, step)
    stranger.look("replay", game)
    match = re.findall(r"/replay/(\d+)/", page.url)[0]
    friend = company[1].context.new_page()
    friend.goto(page.url)
    stands_at(friend, step)
    expect(friend.locator("html")).to_have_attribute("lang", "en")
    friend.close()

    # Play on from there, against bots.
    stranger.button("Play from here").click()
    dialog = page.get_by_role("dialog")
    stranger.look("playing on", game)
    dialog.locator("button[type=submit]").click()
    page.wait_for_url(re.compile(r"/t/\w+/"))
    stranger.play_out()
    stranger.look("result of playing on", game)

    # And the evening is on their page: what was played to the end counts, and what was played on does not.
    page.goto("/people/me/")
    expect(page.locator(f'.match-row a[href^="/replay/{match}/"]')).to_be_visible()
    expect(page.locator(".match-row")).to_have_count(len(BUILT_IN))
    expect(page.locator(".numbers tbody tr").first).to_be_visible()
    stranger.look("their own page", game)
    context.close()
    assert rules == []
    assert stranger.left == {}


@pytest.fixture
def site_in_esperanto(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningSite]:
    """A site with one more language, in which each sentence is the English one in the quotes of its catalogue."""
    root = tmp_path / "house"
    for folder in ("cardsite", "games", "static", "templates"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("manage.py", "pyproject.toml"):
        shutil.copy(ROOT / name, root)
    for module, package in ((core_words, "games"), (translations, "cardsite")):
        monkeypatch.setattr(module, "LOCALE", root / package / "locale")
    for name in (*words.SITE, *words.folders()):
        keys = [words.key_of(message) for message in words.catalog_of("nl", name) if message.id]
        assert words.renew("eo", name, keys) == len(keys)  # as `make words ADD=eo` does
        catalog, (begin, end) = words.catalog_of("eo", name), QUOTES.get(name, ("「", "」"))
        for message in catalog:
            if isinstance(message.id, str):
                message.string = f"{begin}{message.id}{end}" if message.id else message.string
            else:
                message.string = tuple(f"{begin}{each}{end}" for each in message.id)
        with (words.folder_of(name) / "eo" / f"{name}.po").open("wb") as translated:
            write_po(translated, catalog)
    site = RunningSite(tmp_path)
    site.root = root
    site.manage("open_house")
    site.start()
    yield site
    site.close()


@pytest.mark.parametrize("name", tiered([path.stem for path in LIBRARY], {"colours", "kuhn"}.__contains__, str))
def test_nothing_at_the_table_of_a_text_is_left_in_english(browser: Browser, site: RunningSite, name: str) -> None:
    """Labels, marks, buttons and the log, in German, but titles: of a text each is in the catalogue of its game."""
    context = browser.new_context(base_url=site.url, locale="de", reduced_motion="reduce")
    context.add_init_script("localStorage.tips ??= 'no'")
    page = context.new_page()
    play_now(page, name)
    wait_for_turn(page)
    assert set(left_in_english(page, "de", name)) <= {catalogue.find(name).title}
    context.close()


@full
def test_a_language_is_a_folder_of_catalogues(browser: Browser, site_in_esperanto: RunningSite) -> None:
    context = browser.new_context(base_url=site_in_esperanto.url, locale="eo")
    page = context.new_page()
    page.goto("/games/")
    expect(page.get_by_role("button", name="Esperanto")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("«.+»"))
    page.locator('form[action="/play/hamsterdam/"] button').first.click()
    wait_for_turn(page)
    assert any(text.startswith("“") for text in page.evaluate(SEEN))
    expect(page.locator(".log-line", has_text=re.compile("「.+」")).first).to_be_attached()
    context.close()


@pytest.mark.parametrize("path", tiered(LIBRARY, lambda path: path.stem in QUICK_TEXTS, lambda path: path.stem))
@pytest.mark.parametrize(("language", "both"), [("de", "und"), ("fr", "et"), ("nl", "en")])
def test_the_tests_of_sentences_translate_as_the_browser_does(
    modules: Page, path: Path, language: str, both: str
) -> None:
    templates = sorted({sentence["text"] for sentence in sentences(path)})
    known = dict(game_of(path).words(language))
    modules.route("**/words.json", lambda route: route.fulfill(json=known))
    in_browser = modules.evaluate(IN_BROWSER, [language, templates])
    in_python = [translated(template, known, both) for template in templates]
    assert dict(zip(templates, in_browser, strict=True)) == dict(zip(templates, in_python, strict=True))


def test_a_sentence_that_a_game_builds_of_others_is_said_by_what_is_said_of_each(modules: Page) -> None:
    known = {"Discard {cards}": "{cards} ablegen", "Draw {cards}": "{cards} ziehen", "Stand": "Bleiben"}
    modules.route("**/words.json", lambda route: route.fulfill(json=known))
    sentences = modules.evaluate(
        """async (templates) => {
          document.documentElement.lang = "de";
          const { loadTranslations, t } = await import("/static/js/i18n.js");
          await loadTranslations("/words.json");
          const cards = { cards: "4♣", cards_1: "5♣", card1: "6♣", card2: "7♣" };
          return templates.map((each) => t(each, { ...cards, nth: 2, store: "Trumpf", value: 3 }));
        }""",
        [
            "Discard {cards}; draw {cards_1}",
            "Draw {card1} and {card2}; stand",
            "Discard {cards} ({nth})",
            "Stand; {store}: {value}",
            "Discard {cards}; knock",  # of which nothing is known: better one language than two
        ],
    )
    assert sentences == [
        "4♣ ablegen; 5♣ ziehen",
        "6♣ und 7♣ ziehen; Bleiben",
        "4♣ ablegen (2)",
        "Bleiben; Trumpf: 3",
        "Discard 4♣; knock",
    ]


def test_a_translation_asks_for_a_word_in_a_form(modules: Page) -> None:
    known = {
        "Put {cards} on {place}": "{cards} {place:to} legen",
        "the pile": "der Stapel",
        "to the pile": "auf den Stapel",
        "the pot": "der Pot",
    }
    modules.route("**/words.json", lambda route: route.fulfill(json=known))
    said = modules.evaluate(
        """async (places) => {
          document.documentElement.lang = "de";
          const { loadTranslations } = await import("/static/js/i18n.js");
          await loadTranslations("/words.json");
          const { short, rich } = await import("/static/js/table/text.js");
          const put = { text: "Put {card1} on {place}", args: { card1: { card: "4C" } } };
          const twice = "Put {card1} on {place}; put {card1_1} on {place_1}";
          const texts = places.map((place) => ({ ...put, args: { ...put.args, place } }));
          const joined = { text: twice, args: { ...texts[0].args, card1_1: { card: "5C" }, place_1: places[0] } };
          const page = rich(texts[0], String).map((node) => node.textContent).join("");
          return [...[...texts, joined].map((text) => short(text, String)), page];
        }""",
        ["the pile", "the pot", "“Kept”"],
    )
    assert said == [
        "4♣ auf den Stapel legen",
        "4♣ der Pot legen",
        "4♣ “Kept” legen",
        "4♣ auf den Stapel legen; 5♣ auf den Stapel legen",
        "4♣ auf den Stapel legen",
    ], "a form that the catalogue lacks is the word itself"


@pytest.mark.parametrize("language", tiered([*words.LANGUAGES, "en"], lambda language: language == "de"))
def test_no_word_is_broken_where_a_page_is_narrow(browser: Browser, site: RunningSite, language: str) -> None:
    context = browser.new_context(base_url=site.url, locale=language)
    page = context.new_page()
    play_now(page, "hamsterdam")  # for the TV
    broken = {}
    for path in (*PAGES, "/favour/hamsterdam/", "/lab/", "/workshop/", "/tv/"):
        page.goto(path)
        if path == "/tv/":
            expect(page.locator(".tv-join")).to_be_visible()
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            # A title that a visitor wrote may be a word that fits nowhere.
            if found := [one for one in page.evaluate(BROKEN) if max(map(len, one.split())) < LONGEST_WORD]:
                broken[path, width] = found
    page.goto("/privacy/")
    page.evaluate("document.querySelector('main').style.width = '2rem'")
    assert page.evaluate(BROKEN)  # so that the test can fail
    context.close()
    assert broken == {}


def test_the_language_is_switched_at_the_foot_of_a_page_and_stays(browser: Browser, site: RunningSite) -> None:
    context = browser.new_context(base_url=site.url, locale="en")
    page = context.new_page()
    page.goto("/games/")
    assert left_in_english(page, "fr", "hamsterdam")  # so that the test above can fail
    page.get_by_role("button", name="Français").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page).to_have_url(re.compile("/games/$"))
    page.goto("/")
    expect(page.get_by_role("button", name="Français")).to_have_attribute("aria-pressed", "true")
    context.close()
