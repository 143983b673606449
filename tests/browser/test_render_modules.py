"""The table's modules that do not access the page, run in the browser."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page

from cardsite.server.changes import difference
from games import catalogue, core
from games.core import FastChance
from games.core.chance import SealedChance
from tests import words
from tests.running_site import ROOT

VECTORS: list[dict[str, Any]] = json.loads(
    re.findall(r"```json\n(.*?)```", (ROOT / "docs/fair-play.md").read_text(), re.DOTALL)[-1]
)


@pytest.fixture(scope="module")
def page(modules: Page) -> Page:
    return modules


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["seed"][:4])
def test_the_browser_draws_what_the_specification_says(page: Page, vector: dict[str, Any]) -> None:
    made = page.evaluate(
        """async (vector) => {
             const { SealedChance, commitment } = await import("/static/js/chance.js");
             const main = new SealedChance(vector.seed), words = new SealedChance(vector.seed);
             const side = new SealedChance(vector.seed, vector.stream_in_stream.label);
             const made = { draws: [], words: [], side: [] };
             for (const [n] of vector.draws) made.draws.push([n, await main.randbelow(n)]);
             for (const _ of vector.words) made.words.push(await words.word());
             for (const [n] of vector.stream_in_stream.draws) made.side.push([n, await side.randbelow(n)]);
             made.used = main.position;
             made.commitment = await commitment(vector.seed);
             made.shuffle = await new SealedChance(vector.seed).shuffled([...Array(20).keys()]);
             return made;
           }""",
        vector,
    )
    assert made == {
        "draws": vector["draws"],
        "words": vector["words"],
        "side": vector["stream_in_stream"]["draws"],
        "used": vector["words_used"],
        "commitment": vector["commitment"],
        "shuffle": vector["shuffle_of_0_to_19"],
    }


def test_a_card_that_is_passed_on_at_once_comes_from_the_hand_it_was_in(page: Page) -> None:
    moved = page.evaluate(
        """async () => {
             const { capture, travel } = await import("/static/js/table/motion.js");
             const felt = document.createElement("div");
             const drawn = (piece) => `<li><i data-piece="${piece}">x</i></li>`;
             const zone = (id, ...pieces) => `<ul data-zone="${id}">${pieces.map(drawn).join("")}</ul>`;
             document.body.append(felt);
             felt.innerHTML = zone("hand:0", "1", "2") + zone("hand:1", "back");
             const before = capture(felt);
             felt.innerHTML = zone("hand:0", "2", "3") + zone("hand:1", "back");
             const motions = [["hand:0", "pass:0"], ["hand:1", "pass:1"], ["pass:0", "hand:1"], ["pass:1", "hand:0"]];
             const moved = travel(felt, before, motions.map(([source, target]) => ({ source, target })));
             const flown = document.getAnimations().map((one) => one.effect.target.dataset.piece);
             felt.remove();
             return [[...moved], flown.includes("3")];
           }"""
    )
    assert moved == [["back", "3"], True]  # that of the other player is any card on its back


def test_a_number_that_nobody_has_explained_has_its_name_in_the_text(page: Page) -> None:
    said = page.evaluate(
        """async (about) => {
             const { wordsFor } = await import("/static/js/table/signs.js");
             return ["player:BID", "team:BID", "player:WON", "coins"].map((key) => {
               const node = document.createElement("span");
               node.className = "counter";
               node.dataset.key = key;
               return wordsFor(node, about, String);
             });
           }""",
        {"counter:*": {"text": "A number.", "args": {}}, "counter:player:WON": {"text": "Tricks.", "args": {}}},
    )
    assert said == [
        "A number of this player. In the text of the game it is called BID.",
        "A number of this team. In the text of the game it is called BID.",
        "Tricks.",
        "A number.",
    ]


def test_the_proof_finds_the_one_shuffle_that_was_tampered_with(page: Page) -> None:
    cards = [str(number) for number in range(20)]
    honest = [str(number) for number in VECTORS[0]["shuffle_of_0_to_19"]]
    draws = [
        {"stream": "", "n": 0, "value": 0, "before": cards, "after": honest},
        {"stream": "/side", "n": 6, "value": 1, "before": [], "after": []},
    ]
    check = """async ([seed, draws]) => {
        const { again } = await import("/static/js/chance.js");
        return (await again(seed, draws)).map((one) => one.good);
    }"""
    assert page.evaluate(check, [VECTORS[0]["seed"], draws]) == [True, True]
    draws[0]["after"] = [honest[1], honest[0], *honest[2:]]
    assert page.evaluate(check, [VECTORS[0]["seed"], draws]) == [False, True]


def test_a_ply_out_of_order_asks_for_the_gap_and_one_twice_changes_nothing(page: Page) -> None:
    seen = page.evaluate(
        """async () => {
             const { Store } = await import("/static/js/table/store.js");
             const view = { decision: 0, moves: [], prompt: {} };
             const same = { match: 7, now: 0, deadlines: {}, seed: "" };
             const at = (version) => ({ t: "change", version, seat: 0, by: "bot", change: {}, log: [{}], ...same });
             const store = new Store();
             const before = store.receive(at(1)).gap;
             store.receive({ t: "snapshot", version: 3, view, log: [[], [], [], []], commitment: "", ...same });
             const answers = [store.receive(at(4)), store.receive(at(4)), store.receive(at(6))];
             return [before, answers[0].live, answers[1], answers[2], store.version, store.log.length];
           }"""
    )
    assert seen == [True, True, {}, {"gap": True}, 4, 5]


@pytest.mark.parametrize("game", ["hamsterdam", "camelup", "thief", "hearts"])
def test_changes_are_applied_as_on_the_server(page: Page, game: str) -> None:
    match = core.Match.start(
        catalogue.find(game), catalogue.find(game).default_seats, {}, SealedChance(b"browser!" * 4)
    )
    views, changes, chance = [match.view(0)], [], FastChance(game)
    while not match.over and match.ply < 30:
        seat = chance.choice(match.to_act())
        match.advance(seat, chance.choice(match.legal_moves(seat)))
        views.append(match.view(0))
        changes.append(difference(views[-2], views[-1]))
    seen = page.evaluate(
        """async ([view, changes]) => {
             const { applyChange } = await import("/static/js/table/store.js");
             const before = JSON.stringify(view), views = [view];
             for (const change of changes) views.push((view = applyChange(view, change)));
             const [first] = views;
             return { views, kept: before === JSON.stringify(first),
                      same: first.seats === applyChange(first, {}).seats };
           }""",
        [views[0], changes],
    )
    assert seen == {"views": json.loads(json.dumps(views)), "kept": True, "same": True}


def test_a_change_of_a_view_that_is_not_known_asks_for_the_gap(page: Page) -> None:
    seen = page.evaluate(
        """async () => {
             const { Store } = await import("/static/js/table/store.js");
             const same = { match: 7, now: 0, deadlines: {}, seed: "" };
             const at = (version) => ({ t: "change", version, seat: 0, change: { decision: version }, ...same });
             const store = new Store();
             const view = { decision: 0, moves: [], prompt: {} };
             const answers = [store.receive(at(1)).gap];
             store.receive({ t: "snapshot", version: 0, view, log: [[]], commitment: "", ...same });
             answers.push(store.receive({ ...at(1), match: 8 }).gap, store.receive(at(2)).gap);
             answers.push(store.receive(at(1)).live);
             return [...answers, store.receive(at(1)), store.latest.decision, view.decision, store.entries.length];
           }"""
    )
    assert seen == [True, True, True, True, {}, 1, 0, 2]


def test_a_player_who_comes_back_to_another_seat_asks_for_the_match_as_it_is_seen_from_there(page: Page) -> None:
    seen = page.evaluate(
        """async () => {
             const { Store } = await import("/static/js/table/store.js");
             const same = { match: 7, now: 0, deadlines: {}, seed: "" };
             const view = { seat: null, decision: 0, moves: [], prompt: {} };
             const table = { match: 7, seats: [], occupancies: [] };
             const welcome = (seat) => ({ t: "welcome", seat, table, chat: [], spectators: 0 });
             const store = new Store();
             const answers = [store.receive(welcome(null))];
             store.receive({ t: "snapshot", version: 3, view, log: [[], [], [], []], commitment: "", ...same });
             answers.push(store.receive(welcome(null)), store.receive(welcome(1)));
             answers.push(store.receive({ t: "change", version: 4, seat: 0, by: "bot", change: {}, ...same }));
             return [...answers, store.receive(welcome(1)), store.match, store.version, store.latest];
           }"""
    )
    assert seen == [{}, {}, {"gap": True}, {"gap": True}, {}, 0, -1, None]


def test_another_game_at_the_table_is_never_shown_with_the_match_before_it(page: Page) -> None:
    result = page.evaluate(
        """async () => {
             const { Store } = await import("/static/js/table/store.js");
             const store = new Store();
             const seated = (name, seat) => ({ seat, name, kind: "bot" });
             const table = (game, match, ...names) => ({
               t: "table", now: 0, deadlines: {},
               table: { game, match, status: "playing", options: [], seats: names.map(seated), occupancies: [] },
             });
             const shown = [];
             store.receive(table("whist", 1, "a", "b", "c", "d"));
             const view = { seats: 4 };
             store.receive({ t: "snapshot", match: 1, version: 0, view, log: [[]], now: 0, deadlines: {} });
             shown.push(store.view?.seats);
             store.receive(table("whist", 2, "a", "b", "c", "d"));
             shown.push(store.view?.seats);
             store.receive(table("thief", 3, "a"));
             shown.push(store.view, store.match);
             return shown;
           }"""
    )
    assert result == [4, 4, None, 0]


def test_a_log_names_people_as_they_were_called_then_and_says_who_came_and_went(page: Page) -> None:
    lines = page.evaluate(
        """async () => {
             const { Store } = await import("/static/js/table/store.js");
             const { Log } = await import("/static/js/table/log.js");
             const { resultNames, whoDecided } = await import("/static/js/table/occupants.js");
             const store = new Store();
             const log = new Log(document.createElement("ol"));
             const record = (ply, name, more = {}) =>
               ({ ply, seat: 0, kind: "person", name, bot: "", person: 5, away: false, removed: false, ...more });
             const all = [record(0, "Anna")];
             const come = (...more) => {
               all.push(...more);
               const seats = [{ seat: 0, name: "someone of the next match" }];
               const table = { game: "whist", match: 1, status: "playing", options: [], seats, occupancies: [...all] };
               const { news } = store.receive({ t: "table", now: 0, deadlines: {}, table });
               log.draw(store.log, (ply) => store.namesAt(ply));
               return news.length;
             };
             const plays = { kind: "move", text: { text: "{seat} plays", args: { seat: { seat: 0 } } } };
             come();
             const same = { match: 1, now: 0, deadlines: {} };
             store.receive({ t: "snapshot", version: 1, view: {}, log: [[plays], [plays]], ...same });
             const news = [come(), come(record(1, "Aagje")), come(record(1, "Aagje", { away: true }))];
             for (const version of [2, 3])
               store.receive({ t: "change", version, seat: 0, change: {}, log: [plays], ...same });
             const bot = record(2, "Bob", { kind: "bot", bot: "house", person: 0 }); // known after move 3
             news.push(come(bot), come(record(3, "Aagje")), come(record(3, "Bob", { ...bot, ply: 3, removed: true })));
             const read = () => [...log.list.children].map((line) => line.textContent);
             const before = read();
             log.clear(); // as after a reload
             log.draw(store.log, (ply) => store.namesAt(ply));
             const results = [{ seat: 0, name: "Aagje", person: 5, decisions: 3, own: 1, counts: false }];
             const says = [resultNames(results, String)(0), whoDecided(results[0]), store.name(0)];
             return [before, JSON.stringify(read()) === JSON.stringify(before), news, says];
           }"""
    )
    assert lines == [
        [
            "Anna plays \N{MULTIPLICATION SIGN}2",
            "Anna is now called Aagje.",
            "Aagje is away: the house plays for them.",
            "Aagje plays",
            "Aagje has left. The bot Bob takes the seat.",
            "Bob plays",
            "Aagje takes the seat of Bob.",
            "Aagje was removed. The bot Bob takes the seat.",
        ],
        True,
        [0, 1, 1, 1, 1, 1],
        [
            "A bot for Aagje",
            "Aagje made 1 of 3 decisions, a bot the others. The result does not count for Aagje.",
            "Bob",
        ],
    ]


def test_the_scoring_of_a_round_names_those_who_played_it_also_after_a_reload(page: Page) -> None:
    names = page.evaluate(
        """async () => {
             const { Store } = await import("/static/js/table/store.js");
             const record = (ply, name) =>
               ({ ply, seat: 0, kind: "person", name, bot: "", person: 5, away: false, removed: false });
             const entry = (kind) => ({ kind, text: { text: "x", args: {} } });
             const named = (log, ...occupancies) => {
               const store = new Store();
               const seats = [{ seat: 0, name: "someone of the next match" }];
               const table = { game: "whist", match: 1, status: "playing", options: [], seats, occupancies };
               store.receive({ t: "table", now: 0, deadlines: {}, table });
               const version = log.length - 1;
               store.receive({ t: "snapshot", match: 1, version, now: 0, deadlines: {}, view: {}, log });
               return store.scoringNames(0);
             };
             const round = [entry("move"), entry("round")], plays = [entry("move")];
             const anna = record(0, "Anna"), bob = record(2, "Bob");
             return [
               named([[entry("round")], plays, round, plays], anna, bob), // Bob has come after the round
               named([[entry("round")], plays, plays, round], anna, bob), // Bob has played its last move
               named([plays, plays, plays], anna, bob), // no rounds
             ];
           }"""
    )
    assert names == ["Anna", "Bob", "Bob"]


def test_everybody_is_notified_of_what_the_host_has_changed(page: Page) -> None:
    news = page.evaluate(
        """async () => {
             const { tableNews } = await import("/static/js/table/table_news.js");
             const { spoken } = await import("/static/js/table/text.js");
             const seat = (name, kind, person, host = false) => ({ name, kind, person, host });
             const anna = seat("Anna", "person", 1, true), bob = seat("Bob", "person", 2);
             const bram = seat("Bram", "bot", 0), open = seat("", "open", 0);
             const before = {
               game: "whist", title: "Whist", status: "over", seconds: 60, sealed: true, options: [],
               seats: [anna, bob, bram],
             };
             const host = [{ ...anna, host: false }, { ...bob, host: true }, bram];
             const changes = [
               {}, { seats: host }, { game: "thief", title: "Card Thief" }, { seconds: 15 }, { sealed: false },
               { seats: [anna, bob, open] }, { seats: [anna, open, bram] },
               { status: "playing", seats: [anna, bob, bram] },
               { house: true, seats: host },
             ];
             return [false, true].map((host) => changes.map((one) =>
               tableNews(before, { ...before, ...one }, host).map(({ text }) => spoken(text, String)).join("|")));
           }"""
    )
    assert news[0] == [
        "",
        "Bob is the host now.",
        "The host has changed the game: Card Thief.",
        "The host has changed the options or the clock.",
        "From the next match on, the deal is not sealed: hands stay private.",
        "The bot Bram no longer plays here.",
        "Bob has left the table.",
        "",
        "",
    ]
    bots = "The bot Bram no longer plays here."
    assert news[1] == ["" if one == bots else one for one in news[0]], "the host has seated the bots"


def test_a_decision_under_way_is_kept_until_it_is_known_to_be_stored(page: Page) -> None:
    seen = page.evaluate(
        """async () => {
             const { Store } = await import("/static/js/table/store.js");
             const same = { match: 7, log: [], now: 0, deadlines: {}, commitment: "", seed: "" };
             const snapshot = (decision, version) =>
               ({ t: "snapshot", version, view: { decision, moves: [{}] }, ...same });
             const store = new Store();
             const pending = () => { store.pending = { id: 5, match: 7, decision: 2, move: "keep" }; };
             store.receive(snapshot(2, 8));
             pending();
             const kept = [];
             store.receive(snapshot(2, 8)); kept.push(store.pending !== null);
             store.receive({ t: "ack", id: 5, match: 7, version: 9, again: false }); kept.push(store.pending !== null);
             store.receive(snapshot(3, 9)); kept.push(store.pending !== null);
             pending();
             store.receive({ t: "refused", id: 5, code: "late", text: "Too late." }); kept.push(store.pending !== null);
             return kept;
           }"""
    )
    assert seen == [True, True, False, False]


def test_sentences_are_shown_with_names_cards_and_true_minus_signs(page: Page) -> None:
    result = page.evaluate(
        """async () => {
             const { spoken, short, figure } = await import("/static/js/table/text.js");
             const args = { who: { seat: 1 }, card: { card: "QH" }, total: -3 };
             const text = { text: "{who} plays {card}: total {total}.", args };
             const names = (seat) => ["Anna", "Bob"][seat];
             return [spoken(text, names), short(text, names), figure(0.5), figure(7 / 3), figure(-2)];
           }"""
    )
    assert result == ["Bob plays queen of hearts: total −3.", "Bob plays Q♥: total −3.", "½", "2⅓", "−2"]  # noqa: RUF001


@pytest.mark.parametrize(
    ("language", "own", "locale", "written"),
    [
        ("en", ["nl-NL", "en"], "en-NL", "4 Mar 2026"),
        ("en", ["en-US"], "en-US", "Mar 4, 2026"),
        ("en", ["de-DE", "en-GB"], "en-GB", "4 Mar 2026"),
        ("en", ["en"], "en-GB", "4 Mar 2026"),
        ("fr", ["en-US", "fr-CA"], "fr-CA", "4 mars 2026"),
        ("nl", ["nl"], "nl", "4 mrt 2026"),
    ],
)
def test_a_date_is_written_in_the_page_s_language_as_its_visitor_writes_it(
    page: Page, language: str, own: list[str], locale: str, written: str
) -> None:
    result = page.evaluate(
        """async ([language, own]) => {
             const { localeOf } = await import("/static/js/locale.js");
             const found = localeOf(language, own);
             const day = new Intl.DateTimeFormat(found, { dateStyle: "medium", timeZone: "UTC" });
             return [found, day.format(new Date("2026-03-04"))];
           }""",
        [language, own],
    )
    assert result == [locale, written]


def test_a_seat_shows_that_a_bot_thinks_for_it_and_only_then(page: Page) -> None:
    """A bot that is to act, or one that stands in for somebody away; CSS adds the dots to the line below the name."""
    shown = page.evaluate(
        """async () => {
             const { makeSeat, updateSeat } = await import("/static/js/table/seats.js");
             const bot = { seat: 1, kind: "bot", bot: "strong", name: "Ada", here: true, away: false, person: 0 };
             const person = { ...bot, kind: "person", bot: "" };
             const rest = { kind: "", zones: [], you: false, moved: false, left: null, whole: 0, most: {} };
             const away = { ...person, away: true }, seen = [];
             for (const [info, acting] of [[bot, true], [bot, false], [person, true], [away, true]]) {
               const node = makeSeat(1), state = { info, acting, view: undefined, playing: true, ...rest };
               updateSeat(node, state, { names: [], targets: new Map() });
               seen.push(node.matches("[data-thinking]"));
             }
             return seen;
           }"""
    )
    assert shown == [True, False, False, True]


def test_characters_speak_in_turn_about_what_they_wait_for(page: Page) -> None:
    def voice(words: str, seat: int, **about: int | str) -> dict[str, Any]:
        return {"speaker": 1, "kind": "move", "seat": seat, "about": about, "text": {"text": words, "args": {}}}

    def entry(seat: int, target: int, card: str) -> dict[str, Any]:
        args = {"target": {"seat": target}, "card": {"card": card}, "total": 4}
        return {"kind": "move", "seat": seat, "text": {"text": "", "args": args}}

    said = page.evaluate(
        """async ([voices, plies]) => {
             const { Voices } = await import("/static/js/table/voices.js");
             const one = new Voices();
             return plies.map((news) => one.react(news, voices)?.text.text ?? "");
           }""",
        [
            [
                voice("thanks", 0, target=1, card="S"),
                voice("again?", 0, target=1, card="S"),
                voice("ouch", 0, card="H"),
            ],
            [
                [entry(0, 1, "4S")],
                [entry(0, 2, "4S")],
                [entry(1, 1, "4S")],
                [entry(0, 1, "10S")],
                [entry(0, 2, "10H")],
                [entry(0, 1, "2S"), entry(2, 1, "2S")],
                [],
            ],
        ],
    )
    assert said == ["thanks", "", "", "again?", "ouch", "thanks", ""]


# A person at the beginning of a sentence, or after a colon: who does something.
DOES = re.compile(r"(?:^|: |; )\{(seat|a|giver)\} \w")
# How a sentence begins that speaks to its reader, and what is left of one that does not.
READERS = {"en": r"\b[Yy]ou\b", "de": r"\b[Dd]u\b", "fr": r"\b[Vv]ous\b", "nl": r"\b([Jj]e|[Jj]ij|[Jj]ou)\b"}
OTHERS = {
    "en": r"^You \w+[^s]s\b|\btheir own\b|\band (takes|wins|loses|steals|draws|passes|has|is)\b",
    "de": r"^Du \w+[^s]t\b(?<!ersetzt)(?<!setzt)(?<!versetzt)(?<!sitzt)(?<!lost)(?<!löst)(?<!bist)(?<!hast)(?<!wirst)",
    "fr": r"^Vous (?!faites|dites|êtes|,)\w+(?<!ez)(?<!vous)(?<!ne)(?<!en)(?<!y) |^Vous .*\b(sa|ses) ",
    "nl": r"^Je (heeft|is)\b| en (heeft|is)\b",
}


@pytest.mark.parametrize("language", ["en", *words.LANGUAGES])
def test_every_sentence_about_the_reader_speaks_to_them_in_every_language(page: Page, language: str) -> None:
    """Of all games: what a player does is said in the second person, and in no other in the same sentence."""
    said: dict[str, tuple[str, str]] = {}
    for name in sorted(path.stem for path in (ROOT / "games/locale/de").glob("*.po")):
        for english, translation in words.known("de" if language == "en" else language, name).items():
            for who in DOES.findall(english):
                said[english] = (english if language == "en" else translation, who)
    assert len(said) > 150
    made = page.evaluate(
        """async ([language, all]) => {
             const { addressed } = await import("/static/js/table/person.js");
             const toReader = ([key, [text, who]]) => [key, addressed(text, [who], language)];
             return Object.fromEntries(Object.entries(all).map(toReader));
           }""",
        [language, said],
    )
    assert {key: text for key, text in made.items() if not re.search(READERS[language], text)} == {}
    assert {key: text for key, text in made.items() if re.search(OTHERS[language], text)} == {}
    assert not [text for key, text in made.items() if f"{{{said[key][1]}}}" in text]


@pytest.mark.parametrize(
    ("language", "template", "text"),
    [
        ("en", "{seat} wins the trick with {card}.", "You win the trick with {card}."),
        ("en", "{seat} plays {card} on their own stock: {n}.", "You play {card} on your own stock: {n}."),
        ("en", "{seat} plays {card}. It takes nothing.", "You play {card}. It takes nothing."),
        ("en", "{other} takes {cards} from {seat}'s {from}.", "{other} takes {cards} from your {from}."),
        ("en", "The oasis of {seat} sends it on: {coins} for {seat}.", "Your oasis sends it on: {coins} for you."),
        ("de", "{seat} hat die niedrigste Summe und verliert.", "Du hast die niedrigste Summe und verlierst."),
        ("fr", "{seat} se couche.", "Vous vous couchez."),
        ("nl", "{seat} heeft de meeste punten en wint.", "Je hebt de meeste punten en wint."),
    ],
)
def test_a_sentence_about_the_reader_keeps_what_is_about_others(
    page: Page, language: str, template: str, text: str
) -> None:
    made = page.evaluate(
        """async ([template, language]) =>
             (await import("/static/js/table/person.js")).addressed(template, ["seat"], language)""",
        [template, language],
    )
    assert made == text
