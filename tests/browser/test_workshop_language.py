"""What the workshop's editor knows of the language: its modules that touch no page, run in the browser."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from cardsite.workshop.editor import reference
from games.recycle.reader import read
from games.recycle.reader.blocks import standard_texts
from games.recycle.reader.syntax import tokens
from games.recycle.style import format_text
from games.recycle.tree import CardAtt, Declare, Name, Partition, Place, Ref, Table, Use, Var, walk
from tests.running_site import ROOT
from tests.tiers import tiered

TEXTS = sorted(
    path for folder in ("games/recycle/library", "cardsite/workshop") for path in (ROOT / folder).rglob("*.rcy")
)
QUICK = ("hearts", "rummy", "golf", "enchere-avancee", "blackjack", "whist", "oh-hell", "liars-dice")
texts = pytest.mark.parametrize("path", tiered(TEXTS, lambda path: path.stem in QUICK), ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def page(modules: Page) -> Page:
    modules.evaluate(
        """async (language) => {
             const [{ Grammar }, { Names }, { namesFor }, { indentation }, files, cm, tables] = await Promise.all(
               ["grammar", "names", "completion", "language", "files", "../../vendor/codemirror", "table_file"]
                 .map((name) => import(`/static/js/workshop/${name}.js`)));
             const grammar = new Grammar(language);
             const read = (text) => new Names(grammar, text);
             const toml = cm.StreamLanguage.define(cm.toml).parser;
             Object.assign(window, { grammar, read, namesFor, indentation, files, tables, toml });
           }""",
        reference(),
    )
    return modules


# -- names


def named(page: Page, text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate("(text) => read(text).all", text)
    return found


@texts
def test_every_name_is_found_and_is_what_the_reader_takes_it_for(path: Path, page: Page) -> None:
    text = path.read_text()
    tree = read(text)
    found = named(page, text)
    kind_at = {place["from"]: (one["kind"], one["owner"]) for one in found for place in one["places"]}
    same = {place["from"]: number for number, one in enumerate(found) for place in one["places"]}
    assert len(kind_at) == sum(token.type in ("NAME", "VAR") for token in tokens(text))

    variables: dict[Var, set[int]] = defaultdict(set)
    for node in walk(tree):
        match node:
            case Place(vis=word) | Ref(word=word) if isinstance(node.name, Name) and node.name.at.start in kind_at:
                owner = "table" if isinstance(node.who, Table) else "player"
                assert kind_at[node.name.at.start] == (word, owner)
            case CardAtt(key=Name() as key) | Partition(key=Name() as key) if key.at.start in kind_at:
                assert kind_at[key.at.start] == ("attribute", "")
            case Use(var=var):
                variables[var] |= {var.at.start, node.at.start}
            case Declare(var=var):
                variables[var].add(var.at.start)
    for everywhere in variables.values():
        places = everywhere & kind_at.keys()  # a block that comes with the language is at its call
        assert len({same[at] for at in places}) <= 1
        assert {kind_at[at] for at in places} <= {("variable", "")}


SCOPES = """(game
  (declare 4 'N)
  (setup (create players 'N) (create deck (game hloc STOCK) (deck (SUIT (HEARTS, CLUBS)) (COLOR (RED (RANK (ACE)))))))
  (do ((all player 'P (move (top (game hloc STOCK)) (top ('P iloc HAND))))
       (all player 'P (set ('P str SAYS) NOTHING))
       (all team 'T (set ('T sto SCORE) 'N))
       (shuffle (game vloc HAND))))
  (stage player (end (any player 'P (== ('P str SAYS) DONE)))
    (choice ((any (filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) HEARTS)) 'CARD
               (move 'CARD (top (game vloc HAND)))))))
  (scoring max ((current player) sto SCORE)))"""


def offered(page: Page, text: str) -> list[str]:
    """Return the names offered at the ``|`` in a text, the likeliest first."""
    found: list[dict[str, Any]] = page.evaluate(
        """(text) => {
             const at = text.indexOf("|");
             const names = read(text.replace("|", ""));
             return namesFor(names, at, grammar.expected(names.levels(at)));
           }""",
        text,
    )
    return [each["label"] for each in sorted(found, key=lambda each: (-each["boost"], each["label"]))]


@pytest.mark.parametrize(
    ("before", "names"),
    [
        ("(move 'CARD (top (game vloc ", ["HAND"]),
        ("(move 'CARD (top ((current player) iloc ", ["HAND"]),
        ("(move 'CARD (top (game hloc ", ["STOCK"]),
        ("(set ((current player) str ", ["SAYS"]),
        ("(set (game sto ", ["SCORE"]),  # of players only, but a number's name
        ("(any (filter ((current player) iloc HAND) 'C (== (cardatt ", ["COLOR", "RANK", "SUIT"]),
        (
            "(any (filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) ",
            ["CLUBS", "HEARTS", "'C", "'CARD", "'N"],
        ),
        ("(any (filter ((current player) iloc HAND) 'C (== (cardatt SUIT ", ["'C", "'CARD"]),
        ("(set ((current player) str SAYS) ", ["DONE", "NOTHING", "ACE", "CLUBS", "HEARTS", "RED"]),
        ("(set (game points P) (((COLOR : ", ["RED"]),
        ("(set (game points P) (((", ["COLOR", "RANK", "SUIT"]),
        ("(inc ((current player) sto SCORE) ", ["'N"]),
        ("(any player 'Q (inc (", ["'Q"]),
        ("(any player 'Q (any ('Q iloc HAND) 'D (move ", ["'CARD", "'D"]),
    ],
)
def test_offered_are_the_names_that_may_stand_there(before: str, names: list[str], page: Page) -> None:
    assert offered(page, SCOPES.replace("(move 'CARD (top (game vloc HAND)))", f"{before}|")) == names


def test_a_variable_is_offered_where_it_can_be_used_and_nowhere_else(page: Page) -> None:
    within = SCOPES.replace("(== ('P str SAYS) DONE)", "(== (owner |")
    assert offered(page, within) == []  # 'P is a player, and no card
    compared = offered(page, within.replace("(owner |", "|"))
    assert [name for name in compared if name.startswith("'")] == ["'N", "'P"]
    assert offered(page, SCOPES.replace("(scoring max ", "(scoring max (+ | ")) == ["'N"]


def test_names_that_differ_in_owner_or_visibility_are_different_things(page: Page) -> None:
    hands = [one for one in named(page, SCOPES) if one["name"] == "HAND"]
    assert [(one["kind"], one["owner"], len(one["places"])) for one in hands] == [
        ("iloc", "player", 2),
        ("vloc", "table", 2),
    ]
    people = [one for one in named(page, SCOPES) if one["name"] == "P"]
    assert [len(one["places"]) for one in people] == [2, 2, 2]


def test_a_name_that_is_computed_may_be_any_name_of_the_text(page: Page) -> None:
    text = """(game (declare (NORTH, SOUTH) 'SIDES) (setup (create players 2))
      (do ((all 'SIDES 'S (shuffle (game vloc 'S))) (shuffle (game vloc NORTH)) (shuffle (game hloc NORTH)))))"""
    norths = [(one["kind"], len(one["places"])) for one in named(page, text) if one["name"] == "NORTH"]
    assert norths == [("vloc", 2), ("hloc", 1)]


def rival(page: Page, text: str, name: str, new: str) -> str | None:
    found: str | None = page.evaluate(
        """([text, name, renamed]) => {
             const names = read(text);
             return names.rival(names.all.find((one) => one.name === name), renamed)?.kind ?? null;
           }""",
        [text, name, new],
    )
    return found


@pytest.mark.parametrize(
    ("name", "new", "kind"),
    [
        ("HEARTS", "CLUBS", "name"), ("HEARTS", "NOTHING", "name"), ("HEARTS", "SUIT", None),
        ("SUIT", "RANK", "attribute"), ("STOCK", "HAND", None), ("SAYS", "SCORE", None), ("HEARTS", "SPADES", None),
        ("C", "N", "variable"), ("N", "CARD", "variable"), ("T", "P", None), ("C", "CARD", None),
    ],
)  # fmt: skip
def test_a_new_name_may_not_be_that_of_something_it_could_be_taken_for(
    name: str, new: str, kind: str | None, page: Page
) -> None:
    assert rival(page, SCOPES, name, new) == kind


BLOCKS = """(game
  (define GIVE ('N 'TO) (all player 'P (repeat 'N (move (top (game hloc STOCK)) (top ('P iloc 'TO))))))
  (setup (create players 2) (create deck (game hloc STOCK) (deck (SUIT (HEARTS, CLUBS)))))
  (do ((call GIVE 2 HAND) (call DEAL 1 (game hloc STOCK) KEPT) (set (game who FIRST) (current player))))
  (stage player (end (call EMPTY HAND)) (call TRICK SUIT) (do ((call |))))
  (scoring max (size ((current player) iloc HAND))))"""


def test_blocks_are_offered_where_one_is_called_and_their_parameters_within_them(page: Page) -> None:
    assert offered(page, BLOCKS) == ["DEAL", "EMPTY", "GIVE", "TRICK", "GATHER", "WINNER"]
    assert offered(page, BLOCKS.replace("|", "").replace("(repeat 'N ", "(repeat |")) == ["'N", "'TO"]
    assert offered(page, BLOCKS.replace("|", "").replace("(game who FIRST)", "(game who |)")) == []


def test_a_block_is_described_by_its_parameters_and_the_comment_above_it(page: Page) -> None:
    text = BLOCKS.replace("|", "GIVE").replace("  (define", "  ;; GIVE: so many cards\n  ;;   to each.\n  (define", 1)
    text = text.replace("  (setup", "\n  ;; no block\n\n  (define NONE () (turn pass))\n  (setup")
    blocks = page.evaluate("(text) => Object.fromEntries(read(text).blocks)", text)
    assert blocks["GIVE"] == {"name": "GIVE", "parameters": ["N", "TO"], "means": "So many cards to each."}
    assert blocks["NONE"] == {"name": "NONE", "parameters": [], "means": ""}
    assert {name: block["means"] for name, block in blocks.items() if name not in ("GIVE", "NONE")} == {
        name: means for name, (_, means) in standard_texts().items()
    }
    assert blocks["DEAL"]["parameters"] == ["NUMBER", "FROM", "TO"]
    own = page.evaluate("(text) => read(text).blocks.get('DEAL').parameters", text.replace("GIVE", "DEAL"))
    assert own == ["N", "TO"]
    at = "([text, at]) => read(text).blockAt(at)?.name ?? null"
    for before, name in (("(call GI", "GIVE"), ("(cal", "GIVE"), ("(call GIVE 2 HA", None), ("(define GI", "GIVE")):
        assert page.evaluate(at, [text, text.index(before) + len(before)]) == name


def test_a_name_that_a_block_is_called_with_is_what_the_block_takes_it_for(page: Page) -> None:
    found = {(one["kind"], one["name"]): one for one in named(page, BLOCKS.replace("|", "")) if one["places"]}
    uses = {key: (len(one["places"]), one["standard"]) for key, one in found.items()}
    assert uses["block", "GIVE"] == (2, False)
    assert uses["block", "DEAL"] == (1, True)
    assert uses["iloc", "HAND"] == (3, True)  # TRICK uses it, too
    assert uses["name", "KEPT"] == (1, False)  # no place has that name in the text
    assert uses["attribute", "SUIT"] == (2, False)
    assert uses["who", "FIRST"] == (1, False)
    assert [place["declares"] for place in found["block", "GIVE"]["places"]] == [True, False]


def test_brackets_that_do_not_match_lose_no_name(page: Page) -> None:
    for cut in range(0, len(SCOPES), 7):
        names = sum(token.type in ("NAME", "VAR") for token in tokens(SCOPES[:cut]))
        assert sum(len(one["places"]) for one in named(page, SCOPES[:cut])) == names


# -- the table file

TABLE = """# The words.
[labels]
HAND = "HAND of cards" # HAND
"game HAND" = "Shown"
HEARTS = "hearts"

[verbs]
"STOCK>HAND" = ["Draw HAND",
  "{seat} draws."]
"SAYS=HEARTS" = "Say hearts"

[hide]
places = ["STOCK", "HAND"]

[tips]
HAND = ["zone:iloc:HAND:{me}", "Your HAND.", "place:vloc:HAND"]
"""


def renamed(page: Page, kind: str, owner: str, name: str, shared: bool) -> str:
    made: str = page.evaluate(
        """([text, named, name, shared]) => {
             const spots = tables.spotsOf(tables.entriesOf(toml.parse(text), text), named, grammar.families);
             const changes = tables.renamed(text, spots, name, shared).sort((one, other) => other.from - one.from);
             for (const { from, to = from, insert } of changes) text = text.slice(0, from) + insert + text.slice(to);
             return text;
           }""",
        [TABLE, {"kind": kind, "owner": owner, "name": name}, "NEW", shared],
    )
    return made


def test_a_rename_finds_keys_lists_and_signs_of_a_table_file_and_no_words_for_people(page: Page) -> None:
    assert renamed(page, "hloc", "table", "STOCK", shared=False) == TABLE.replace("STOCK", "NEW")
    assert renamed(page, "name", "", "HEARTS", shared=False) == TABLE.replace("HEARTS", "NEW")
    assert renamed(page, "iloc", "player", "HAND", shared=False) == (
        TABLE.replace("\nHAND = \"HAND of", "\nNEW = \"HAND of").replace(">HAND", ">NEW").replace('"HAND"]', '"NEW"]')
        .replace("iloc:HAND", "iloc:NEW")
    )  # fmt: skip
    assert renamed(page, "variable", "", "HAND", shared=False) == TABLE


def test_what_is_said_of_two_things_of_one_name_is_said_of_both_after_one_is_renamed(page: Page) -> None:
    assert renamed(page, "iloc", "player", "HAND", shared=True) == (
        TABLE.replace('# HAND\n', '# HAND\nNEW = "HAND of cards" # HAND\n')
        .replace('  "{seat} draws."]\n', '  "{seat} draws."]\n"STOCK>NEW" = ["Draw HAND",\n  "{seat} draws."]\n')
        .replace('"HAND"]', '"HAND", "NEW"]')
        .replace("iloc:HAND", "iloc:NEW")
    )  # fmt: skip
    assert renamed(page, "vloc", "table", "HAND", shared=True) == (
        TABLE.replace('"game HAND"', '"game NEW"').replace("vloc:HAND", "vloc:NEW").replace('"HAND"]', '"HAND", "NEW"]')
        .replace('  "{seat} draws."]\n', '  "{seat} draws."]\n"STOCK>NEW" = ["Draw HAND",\n  "{seat} draws."]\n')
    )  # fmt: skip


# -- lines


@texts
def test_a_new_line_begins_where_the_formatter_would_begin_it(path: Path, page: Page) -> None:
    text = format_text(path.read_text())
    wrong: list[str] = page.evaluate(
        """(text) => {
             const wrong = [];
             let at = text.indexOf("\\n");
             for (const line of text.split("\\n").slice(1, -1)) {
               const begins = /^ */.exec(line)[0].length;
               const found = indentation(grammar, text.slice(0, at), line.trimStart());
               if (line && found !== begins) wrong.push(`${found}: ${line}`);
               at += 1 + line.length;
             }
             return wrong;
           }""",
        text,
    )
    assert wrong == []


# -- files


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ([("game.rcy", "(game\r\n)")], ""),
        ([("GAME.TXT", "\ufeff(game)"), ("game.toml", "[labels]\n")], ""),
        ([("table.toml", "é" * 100)], ""),
        ([("game.rcy", "(" * 101)], "at most 100 characters"),
        ([("game.rcy", "é" * 300)], "at most 100 characters"),
        ([("game.rcy", [0xFF, 0xFE, 0x28, 0x00])], "not in UTF-8"),
        ([("game.rcy", [0xE9])], "not in UTF-8"),
        ([("game.rcy", "(game\0)")], "not a text file"),
        ([("photo.png", "(game)")], "neither a text"),
        ([("game", "(game)")], "neither a text"),
        ([("one.rcy", "(game)"), ("two.rcy", "(game)")], "choose one text"),
    ],
)
def test_a_file_is_imported_or_it_is_said_why_not(files: list[tuple[str, Any]], why: str, page: Page) -> None:
    found = page.evaluate(
        """([files, most]) => window.files.imported(files.map(([name, held]) =>
             new File([typeof held === "string" ? held : new Uint8Array(held)], name)), most)""",
        [files, 100],
    )
    if why:
        assert why in found["why"]
        assert files[0][0] in found["why"] or len(files) > 1
        return
    ends = {"source": ("rcy", "txt"), "table": ("toml",)}
    for kind, text in found.items():
        [held] = [held for name, held in files if name.lower().endswith(ends[kind])]
        assert text == held.replace("\r\n", "\n").removeprefix("\ufeff")
    assert len(found) == len(files)
