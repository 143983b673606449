"""The author's guide, docs/recycle.md: its games can be played, and its examples, limits and lists match the code."""

from __future__ import annotations

import io
import re
import shlex
from contextlib import redirect_stdout
from pathlib import Path
from typing import get_args

import pytest

from games.__main__ import main
from games.core import FastChance, texts
from games.lab.simulate import Simulation, simulate
from games.recycle import cards, game, labels, log_entries, machine, operations, signatures, tree
from games.recycle.compiler import choices
from games.recycle.game import RecycleGame, header
from games.recycle.lint import warnings
from games.recycle.provider import FOLDER
from games.recycle.reader import blocks, read, syntax
from games.recycle.reader.actions import ACTION_READERS
from games.recycle.reader.piles import CARDS
from games.recycle.reader.regular import readers
from games.recycle.reader.syntax import parse
from games.recycle.reader.values import VALUES
from games.recycle.reference import with_reference
from games.recycle.signatures import HEADED, KINDS, SECTIONS, SIGNATURES, WORDS, Signature
from tests.tiers import full, sampled

RECYCLE = Path(game.__file__).parent
PAGE = (Path(__file__).parents[3] / "docs" / "recycle.md").read_text(encoding="utf-8")
GAMES = re.findall(r"```recycle\n(.*?)```", PAGE, re.DOTALL)


def section(title: str) -> str:
    """Return the text of the page under a heading, up to the next heading."""
    rest = PAGE.partition(f"# {title}\n")[2]
    assert rest, title
    return re.split(r"^#+ ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def first_cells(title: str) -> list[str]:
    """Return the code in the first column of the tables under a heading."""
    return re.findall(r"^\| `(.+?)` \|", section(title), re.MULTILINE)


def examples(title: str) -> list[str]:
    """Return the examples in a section of the reference, each once."""
    return list(dict.fromkeys(signature.example for signature in SECTIONS[title][1] if signature.example))


# -- the games


@pytest.mark.parametrize("text", GAMES, ids=lambda text: header(text).get("Title", "ten lines"))
def test_a_game_of_the_guide_has_no_warnings_and_can_be_played_by_the_players_in_its_header(text: str) -> None:
    guide_game = RecycleGame("guide", text)
    assert warnings(guide_game.tree, guide_game.source) == []
    players = header(text).get("Players")
    if players:
        low, _, high = players.partition("-")
        assert (guide_game.min_seats, guide_game.max_seats) == (int(low), int(high or low))
    for seats in range(guide_game.min_seats, guide_game.max_seats + 1):
        simulation = Simulation.checked(guide_game, ["random"] * seats, {}, "guide")
        tally = simulate(simulation, 60)
        assert (tally.matches, dict(tally.broken)) == (60, {}), tally.reports
        assert tally.options > tally.decisions, "some decisions have several options"
        assert len({score for _, score in tally.scores}) > 1, "matches end with different scores"


@full
@pytest.mark.parametrize("text", GAMES, ids=lambda text: header(text).get("Title", "ten lines"))
def test_the_house_bot_plays_a_game_of_the_guide(text: str) -> None:
    guide_game = RecycleGame("guide", text)
    tally = simulate(Simulation.checked(guide_game, ["house"] * guide_game.min_seats, {}, "guide"), 1)
    assert (tally.matches, dict(tally.failures)) == (1, {})


def test_the_first_game_has_ten_lines() -> None:
    assert len(GAMES[0].splitlines()) == 10


def test_the_commands_for_the_first_game_succeed_and_print_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ends.rcy").write_text(GAMES[0])
    commands = re.findall(r"^python -m games (\w+ .*?) *#", PAGE, re.MULTILINE)
    assert [line.split()[0] for line in commands] == ["recycle", "recycle", "recycle", "simulate"]
    for line in commands:
        with redirect_stdout(io.StringIO()) as out:
            assert main(shlex.split(line)) == 0, line
        assert out.getvalue().strip()


def test_the_trace_on_the_page_is_that_of_the_first_game_with_seed_1(tmp_path: Path) -> None:
    path = tmp_path / "ends.rcy"
    path.write_text(GAMES[0])
    (shown,) = re.findall(r"```text\n(Decision .*?)```", PAGE, re.DOTALL)
    with redirect_stdout(io.StringIO()) as out:
        main(["recycle", "trace", str(path), "--seed", "1"])
    assert shown in out.getvalue()


# -- the reference

# A game in which the example of any signature can be used: it has the places, stores and variables that examples name.
FRAME = """\
(game
  {declares}
  (setup {players} {teams}
    {decks}
    (create deck (game vloc TABLE)
      (deck (RANK (ACE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT)) (SUIT (CLUBS, HEARTS)))))
  (do
    ((set (game points HEIGHT)
       (((RANK : ACE) 1) ((RANK : TWO) 2) ((RANK : THREE) 3) ((RANK : FOUR) 4)
        ((RANK : FIVE) 5) ((RANK : SIX) 6) ((RANK : SEVEN) 7) ((RANK : EIGHT) 8)))
     (all player 'R (repeat 2 (move (top (game vloc TABLE)) (top ('R iloc HAND)))))
     (all player 'R (set ('R who RIVAL) (0 player)))
     (remember (bottom (game vloc TABLE)) (top (game mem SEEN)))
     (all (top 6 (game vloc TABLE)) 'NOTED (remember 'NOTED (top (game mem SEEN))))))
  {blocks}
  {scoring})
"""
SCORING = "(scoring max ((current player) sto COUNT))"
STEP = """\
(stage player (end (== (game sto TURNS) 3))
  (do ((inc (game sto TURNS) 1)))
  ({where}
    ((let (current player) 'P
      (let (top ('P iloc HAND)) 'C
       (let (filter ('P iloc HAND) 'D (> (score 'D using (game points HEIGHT)) 0)) 'CARDS
        (let 3 'N
         (let PILE 'NAME
          (let (game vloc PILE) 'PILE
            {step}))))))
     (turn pass))))
"""
# By section of the reference: a step in which an example of the section, of any kind, can stand.
AS_STEP = {
    "Steps": "{}",
    "Numbers": "(set (game sto RESULT) {})",
    "Names": "(set (game str RESULT) {})",
    "Tests": "({} (inc (game sto RESULT) 1))",
    "Places": "(set (game sto RESULT) (size {}))",
    "Single cards": "(set (game str RESULT) (cardatt RANK {}))",
    "Cards": "(set (game sto RESULT) (size {}))",
    "Groups of cards": "(set (game sto RESULT) (size {}))",
    "Secret stores": "(reveal {})",
    "Players and teams": "(inc ({} sto RESULT) 1)",
    "What can be gone through": "(all {} 'EACH (inc (game sto RESULT) 1))",
}


def framed(**parts: str) -> str:
    """Return the text of ``FRAME`` with some parts replaced."""
    defaults = {
        "declares": "",
        "players": "(create players 4)",
        "teams": "(create teams (0, 2) (1, 3))",
        "decks": "",
        "blocks": "(do ((turn pass)))",
        "scoring": SCORING,
    }
    return FRAME.format(**defaults | parts)


def decisions_of(text: str) -> int:
    """Play a text at random to its end. Return the number of decisions."""
    framed_game = RecycleGame("row", text)
    state = framed_game.start(framed_game.default_seats, {}, FastChance("rows"))
    chance = FastChance("choices")
    decisions = 0
    while seats := state.to_act():
        state.apply(seats[0], chance.choice(state.legal_moves(seats[0])))
        decisions += 1
        assert decisions < 100
    assert len(state.scores()) == framed_game.default_seats
    return decisions


@pytest.mark.parametrize(
    ("title", "example"), sampled([(title, example) for title in AS_STEP for example in examples(title)], 2)
)
def test_an_example_of_the_reference_is_of_the_kind_of_its_section(title: str, example: str) -> None:
    """It can be read and carried out where that kind is expected, outside a choice and inside one."""
    step = AS_STEP[title].format(example)
    outside = "choice" if example.startswith("(any (") and title == "Steps" else "do"  # ``any`` needs a choice
    decisions_of(framed(blocks=STEP.format(where=outside, step=step)))
    assert decisions_of(framed(blocks=STEP.format(where="choice", step=step))) == 3, "one in each of three turns"


@pytest.mark.parametrize("example", examples("Blocks"))
def test_a_block_of_the_reference_may_be_in_the_game_and_in_a_stage(example: str) -> None:
    decisions_of(framed(blocks=example))
    stage_of_one_turn = "(stage player (end (== (game sto TURNS) 1)) (do ((inc (game sto TURNS) 1)))"
    decisions_of(framed(blocks=f"{stage_of_one_turn} {example})"))


# By the name of a defined block: a block that calls it.
CALLS = {"DRAW": "(do ((call DRAW (0 player) 2)))", "ADD": "(do ((call ADD 2) (call ADD (size player))))"}


@pytest.mark.parametrize("example", examples("The frame"))
def test_a_part_of_the_frame_of_the_reference_is_accepted_in_its_place(example: str) -> None:
    if example.endswith("'SIDES)"):
        text = framed(declares=example, blocks="(all 'SIDES 'SIDE (inc (game sto 'SIDE) 1))")
    elif example.startswith("(declare"):
        text = framed(declares=example, players="(create players 'NUMP)")
    elif example.startswith("(define"):
        text = framed(declares=example, blocks=CALLS[example.split()[1]])
    elif example.startswith("(call"):
        text = framed(declares="(define LEADER () (cycle next (current player)))", blocks=f"(do ({example}))")
    elif example.startswith("(create players"):
        text = framed(players=example, teams="")
    elif example.startswith("(create teams"):
        text = framed(teams=example)
    elif example.startswith("(scoring"):
        text = framed(scoring=example)
    else:
        text = framed(decks=example)
    assert decisions_of(text) == 0


# -- the signatures from which the reference is made


def test_the_reference_on_the_page_is_that_of_the_signatures() -> None:
    assert with_reference(PAGE) == PAGE, "run python -m games.recycle.reference"


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda signature: signature.shape)
def test_a_signature_is_made_of_known_kinds_and_its_example_has_its_words(signature: Signature) -> None:
    assert signature.means.endswith(".")
    if signature.example:
        keywords = {part.text for part in signature.parts if part.text in WORDS}
        assert keywords - {"game"} <= set(re.findall(r"[a-z]+", signature.example))
    assert {part.text for part in signature.parts if part.text.isupper()} <= set(KINDS)
    assert signature.gives in KINDS or any(signature.gives in kind.takes for kind in KINDS.values())
    if signature.shape.startswith("("):
        parse(signature.spelling)  # raises an error if its brackets do not match


def test_the_standard_blocks_are_on_the_page_word_for_word() -> None:
    assert f"```text\n{blocks.STANDARD.read_text(encoding='utf-8')}```" in PAGE
    assert all(block.body for block in blocks.standard().values())


def test_the_reader_knows_the_words_of_the_signatures_and_no_others() -> None:
    values = {head for head, alike in HEADED.items() for one in alike if one.gives in signatures.VALUES}
    assert {*readers(signatures.VALUES), *VALUES, *CARDS} == values
    assert set(ACTION_READERS) == signatures.ACTIONS


def test_each_signature_is_listed_once_and_has_the_words_of_the_tree() -> None:
    shapes = [(one.shape, one.gives) for one in SIGNATURES]
    assert len(set(shapes)) == len(shapes)
    assert {*get_args(tree.Vis)} == {*signatures.PLACES}
    assert {*get_args(tree.Which), *get_args(tree.OwnerKind), *get_args(tree.End)} < WORDS


def test_the_editor_snippet_of_a_signature_has_a_placeholder_for_each_part_to_write() -> None:
    snippets = {one.shape: one.snippet for one in SIGNATURES}
    assert snippets["(stage player || END BLOCK ...)"] == "stage player (end ${1:TEST}) ${2:BLOCK}"
    assert snippets["(filter CARDS VAR | TEST)"] == "filter ${1:CARDS} '${2:X} ${3:TEST}"
    assert snippets["(sum CARDS using POINTS)"] == "sum ${1:CARDS} using (game points ${2:NAME})"
    assert snippets["(OWNER vloc NAME)"] == "${1:game} vloc ${2:NAME}"


# -- limits and lists


@pytest.mark.parametrize(
    ("what", "limit"),
    [
        ("characters of a text", texts.LARGEST),
        ("characters of its table file", texts.LARGEST),
        ("nested brackets", syntax.MAX_DEPTH),
        ("letters of a name", syntax.MAX_NAME),
        ("tokens and pairs of brackets that replace the calls of a text", blocks.MOST_WRITTEN_OUT),
        ("a number", syntax.MAX_NUMBER),
        ("players", game.MOST_PLAYERS),
        ("different cards of a deck", cards.MOST_FACES),
        ("cards that a deck statement makes, with repeats", cards.MOST_CARDS),
        ("places of a match", machine.MOST_PLACES),
        ("numbers in a range", operations.MOST_NUMBERS),
        ("repeats of a step", machine.MOST_REPEATS),
        ("repeats of a step with alternatives", choices.MOST_REPEATS),
        ("groups that an expression makes", operations.MOST_GROUPS),
        ("options of a choice", machine.MOST_OPTIONS),
        ("actions of all options of a choice together", machine.MOST_ACTIONS),
        ("cards in all memories", machine.MOST_REMEMBERED),
        ("stores of a kind", machine.MOST_STORES),
        ("log entries that one move adds", log_entries.MOST_ENTRIES),
        ("actions between two choices", machine.MOST_DONE),
        ("steps between two choices", machine.MOST_STEPS),
        ("decisions of a match", RecycleGame.longest),
    ],
)
def test_a_limit_on_the_page_is_that_of_the_code(what: str, limit: int) -> None:
    (found,) = re.findall(rf"^\| {re.escape(what)} \| ([\d,]+)", section("Limits"), re.MULTILINE)
    assert found == f"{limit:,}"


def test_the_kinds_of_failures_on_the_page_are_those_of_the_code() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in RECYCLE.rglob("*.py"))
    kinds = re.findall(r"`([a-z ]+)`", section("Limits").partition("has a *kind*")[2])
    assert len(kinds) > 5
    lab = (RECYCLE.parent / "lab" / "simulate.py").read_text(encoding="utf-8")
    assert [kind for kind in kinds if f'"{kind}"' not in code + lab] == []


def test_the_table_file_on_the_page_has_every_section_and_can_be_read() -> None:
    (shown,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert re.findall(r"^\[(\w+)\]", shown, re.MULTILINE) == list(labels.SECTIONS)
    found = labels.Labels.read(shown)
    assert found.word("WON") == "Tricks won"
    assert found.layouts == {"TRICK": "slot"}
    assert found.hidden_stores == {"LED"}


def test_the_header_keys_on_the_page_are_those_that_the_library_uses() -> None:
    keys = first_cells("The header and the table file")
    used = {key for path in FOLDER.glob("*.rcy") for key in header(path.read_text(encoding="utf-8"))}
    assert used == set(keys)


def test_a_range_of_one_number_of_players_is_still_a_range() -> None:
    number, range_ = (read(framed(players=f"(create players {count})")) for count in ("4", "4 .. 4"))
    assert isinstance(number.players, tree.Number)
    assert isinstance(range_.players, tree.Range)


def test_every_module_is_listed_in_the_architecture() -> None:
    page = (RECYCLE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = (RECYCLE, RECYCLE / "reader", RECYCLE / "compiler")  # explaining/ is listed as a whole
    modules = [path.name for folder in folders for path in folder.glob("*.py")]
    assert [name for name in modules if name not in page and name != "__init__.py"] == []


def shape(move: str) -> str:
    """Return a move with its cards, names and numbers replaced, which differ from game to game."""
    move = re.sub(r"\b(?:10|[2-9AJQK])[CDHS]\b", "card", move)
    return re.sub(r"\d+", "0", re.sub(r"[A-Z]+", "NAME", move))


def test_the_moves_on_the_page_have_the_shapes_of_actual_moves() -> None:
    text = framed(
        decks="(create deck (game hloc NEW) (deck (RANK (ACE, TWO, THREE)) (SUIT (SPADES))))"
        "(create die (game vloc DICE) (deck (PIPS (SIX))))",
        blocks="""
          (do ((move (top (game vloc TABLE)) (top ((2 player) vloc SHOWN)))))
          (choice
            ((move (top ((current player) iloc HAND)) (top ((current player) vloc TRICK)))
             (all ((current player) iloc HAND) 'C (move 'C (top (game vloc DISCARD))))
             (move (top (game hloc NEW)) (top ((current player) iloc HAND)))
             (move (top (game hloc NEW)) (top ((current player) iloc HAND)))
             (move (bottom (game hloc NEW)) (top (game vloc DISCARD)))
             (move (top ((2 player) vloc SHOWN)) (top ((current player) iloc HAND)))
             (move (top ((current player) iloc HAND)) (bottom (game vloc TABLE)))
             (do ((create deck (game hloc STOCK) (deck (RANK (ACE))))
                  (move (top (game hloc STOCK)) (top ((current player) iloc HAND)))))
             (do ((set (game sto BID) 3) (set ((current player) str SAYS) BID)))
             (set (game who DEALER) (2 player))
             (roll (game vloc DICE)) (roll (top (game vloc DICE)))
             (turn pass) (cycle next (2 player)) (cycle current (2 player))))""",
    )
    state = RecycleGame("row", text).start(4, {}, FastChance("rows"))
    on_page = [
        move
        for cell in re.findall(r"^\| (`.+?) \|", section("Notation of moves"), re.MULTILINE)
        for move in re.findall("`(.+?)`", cell)
    ]
    on_page.append("#2 ROW>DISCARD")  # from the second column
    assert {shape(move) for move in state.legal_moves(0)} == {shape(move) for move in on_page}
