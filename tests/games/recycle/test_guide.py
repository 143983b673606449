"""The author's guide, docs/recycle.md: its games are played, its tables read, and its figures are those of the code."""

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
    """Return what stands under a heading."""
    rest = PAGE.partition(f"# {title}\n")[2]
    assert rest, title
    return re.split(r"^#+ ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def rows(title: str) -> list[str]:
    """Return the forms in the table under a heading."""
    return re.findall(r"^\| `(.+?)` \|", section(title), re.MULTILINE)


def examples(title: str) -> list[str]:
    """Return the examples of a section of the reference."""
    return list(dict.fromkeys(one.example for one in SECTIONS[title][1] if one.example))


# -- the games


@pytest.mark.parametrize("text", GAMES, ids=lambda text: header(text).get("Title", "ten lines"))
def test_a_game_of_the_guide_is_without_fault_and_is_played_by_as_many_as_it_says(text: str) -> None:
    made = RecycleGame("guide", text)
    assert warnings(made.tree, made.source) == []
    says = header(text).get("Players")
    if says:
        low, _, high = says.partition("-")
        assert (made.min_seats, made.max_seats) == (int(low), int(high or low))
    for seats in range(made.min_seats, made.max_seats + 1):
        simulation = Simulation.checked(made, ["random"] * seats, {}, "guide")
        tally = simulate(simulation, 60)
        assert (tally.matches, dict(tally.broken)) == (60, {}), tally.reports
        assert tally.options > tally.decisions, "there is something to choose"
        assert len({score for _, score in tally.scores}) > 1, "and it matters"


@full
@pytest.mark.parametrize("text", GAMES, ids=lambda text: header(text).get("Title", "ten lines"))
def test_the_house_bot_plays_a_game_of_the_guide(text: str) -> None:
    made = RecycleGame("guide", text)
    tally = simulate(Simulation.checked(made, ["house"] * made.min_seats, {}, "guide"), 1)
    assert (tally.matches, dict(tally.failures)) == (1, {})


def test_the_first_game_has_ten_lines() -> None:
    assert len(GAMES[0].splitlines()) == 10


def test_the_commands_for_the_first_game_do_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ends.rcy").write_text(GAMES[0])
    said = re.findall(r"^python -m games (\w+ .*?) *#", PAGE, re.MULTILINE)
    assert [line.split()[0] for line in said] == ["recycle", "recycle", "recycle", "simulate"]
    for line in said:
        with redirect_stdout(io.StringIO()) as out:
            assert main(shlex.split(line)) == 0, line
        assert out.getvalue().strip()


def test_the_trace_on_the_page_is_one_of_the_first_game(tmp_path: Path) -> None:
    path = tmp_path / "ends.rcy"
    path.write_text(GAMES[0])
    (shown,) = re.findall(r"```text\n(Decision .*?)```", PAGE, re.DOTALL)
    with redirect_stdout(io.StringIO()) as out:
        main(["recycle", "trace", str(path), "--seed", "1"])
    assert shown in out.getvalue()


# -- the tables

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
    usual = {
        "declares": "",
        "players": "(create players 4)",
        "teams": "(create teams (0, 2) (1, 3))",
        "decks": "",
        "blocks": "(do ((turn pass)))",
        "scoring": SCORING,
    }
    return FRAME.format(**usual | parts)


def played(text: str) -> int:
    """Play a text to its end, by chance. Return how many choices there were."""
    made = RecycleGame("row", text)
    state = made.start(made.default_seats, {}, FastChance("rows"))
    chance = FastChance("choices")
    decisions = 0
    while seats := state.to_act():
        state.apply(seats[0], chance.choice(state.legal_moves(seats[0])))
        decisions += 1
        assert decisions < 100
    assert len(state.scores()) == made.default_seats
    return decisions


@pytest.mark.parametrize(
    ("title", "form"), sampled([(title, form) for title in AS_STEP for form in examples(title)], 2)
)
def test_a_form_of_the_reference_is_what_its_table_says_it_is(title: str, form: str) -> None:
    """It is read, and does what can be done, outside a choice and inside one."""
    step = AS_STEP[title].format(form)
    alone = "choice" if form.startswith("(any (") and title == "Steps" else "do"
    played(framed(blocks=STEP.format(where=alone, step=step)))
    assert played(framed(blocks=STEP.format(where="choice", step=step))) == 3


@pytest.mark.parametrize("form", examples("Blocks"))
def test_a_block_of_the_reference_stands_in_the_game_and_in_a_stage(form: str) -> None:
    played(framed(blocks=form))
    once = "(stage player (end (== (game sto TURNS) 1)) (do ((inc (game sto TURNS) 1)))"
    played(framed(blocks=f"{once} {form})"))


CALLED = {"DRAW": "(do ((call DRAW (0 player) 2)))", "ADD": "(do ((call ADD 2) (call ADD (size player))))"}


@pytest.mark.parametrize("form", examples("The frame"))
def test_a_part_of_the_frame_of_the_reference_stands_where_it_says(form: str) -> None:
    if form.endswith("'SIDES)"):
        text = framed(declares=form, blocks="(all 'SIDES 'SIDE (inc (game sto 'SIDE) 1))")
    elif form.startswith("(declare"):
        text = framed(declares=form, players="(create players 'NUMP)")
    elif form.startswith("(define"):
        text = framed(declares=form, blocks=CALLED[form.split()[1]])
    elif form.startswith("(call"):
        text = framed(declares="(define LEADER () (cycle next (current player)))", blocks=f"(do ({form}))")
    elif form.startswith("(create players"):
        text = framed(players=form, teams="")
    elif form.startswith("(create teams"):
        text = framed(teams=form)
    elif form.startswith("(scoring"):
        text = framed(scoring=form)
    else:
        text = framed(decks=form)
    assert played(text) == 0


# -- the table of the language


def test_the_reference_is_the_one_of_the_table() -> None:
    assert with_reference(PAGE) == PAGE, "run python -m games.recycle.reference"


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda signature: signature.shape)
def test_an_example_is_written_as_its_shape_says(signature: Signature) -> None:
    assert signature.means.endswith(".")
    written = set(re.findall(r"[a-z]+", signature.example))
    assert signature.example == "" or {part.text for part in signature.parts if part.text in WORDS} <= written | {
        "game"
    }
    assert {part.text for part in signature.parts if part.text.isupper()} <= set(KINDS)
    assert signature.gives in KINDS or any(signature.gives in kind.takes for kind in KINDS.values())
    if signature.shape.startswith("("):
        parse(signature.spelling)  # its brackets match


def test_the_blocks_that_come_with_the_language_are_on_the_page_as_they_are() -> None:
    assert f"```text\n{blocks.STANDARD.read_text(encoding='utf-8')}```" in PAGE
    assert all(made.body for made in blocks.standard().values())


def test_the_reader_knows_the_words_of_the_table_and_no_others() -> None:
    values = {head for head, ways in HEADED.items() for way in ways if way.gives in signatures.VALUES}
    assert {*readers(signatures.VALUES), *VALUES, *CARDS} == values
    assert set(ACTION_READERS) == signatures.ACTIONS


def test_each_signature_is_in_the_table_once_and_the_tree_has_its_words() -> None:
    shapes = [(one.shape, one.gives) for one in SIGNATURES]
    assert len(set(shapes)) == len(shapes)
    assert {*get_args(tree.Vis)} == {*signatures.PLACES}
    assert {*get_args(tree.Which), *get_args(tree.OwnerKind), *get_args(tree.End)} < WORDS


def test_what_is_typed_for_a_signature_has_gaps_where_the_author_goes_on() -> None:
    snippets = {one.shape: one.snippet for one in SIGNATURES}
    assert snippets["(stage player || END BLOCK ...)"] == "stage player (end ${1:TEST}) ${2:BLOCK}"
    assert snippets["(filter CARDS VAR | TEST)"] == "filter ${1:CARDS} '${2:X} ${3:TEST}"
    assert snippets["(sum CARDS using POINTS)"] == "sum ${1:CARDS} using (game points ${2:NAME})"
    assert snippets["(OWNER vloc NAME)"] == "${1:game} vloc ${2:NAME}"


# -- figures and lists


@pytest.mark.parametrize(
    ("what", "most"),
    [
        ("characters of a text", texts.LARGEST),
        ("characters of its table file", texts.LARGEST),
        ("nested brackets", syntax.MAX_DEPTH),
        ("letters of a name", syntax.MAX_NAME),
        ("tokens and pairs of brackets that the calls of a text stand for", blocks.MOST_WRITTEN_OUT),
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
def test_a_limit_on_the_page_is_that_of_the_code(what: str, most: int) -> None:
    (found,) = re.findall(rf"^\| {re.escape(what)} \| ([\d,]+)", section("Limits"), re.MULTILINE)
    assert found == f"{most:,}"


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


def test_the_keys_of_the_header_on_the_page_are_those_of_the_library() -> None:
    keys = rows("The header and the table file")
    used = {key for path in FOLDER.glob("*.rcy") for key in header(path.read_text(encoding="utf-8"))}
    assert used == set(keys)


def test_one_number_of_players_is_no_range() -> None:
    one, several = (read(framed(players=f"(create players {count})")) for count in ("4", "4 .. 4"))
    assert isinstance(one.players, tree.Number)
    assert isinstance(several.players, tree.Range)


def test_every_module_stands_on_the_map_of_the_architecture() -> None:
    page = (RECYCLE.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    folders = (RECYCLE, RECYCLE / "reader", RECYCLE / "compiler")  # explaining/ stands there as a whole
    modules = [path.name for folder in folders for path in folder.glob("*.py")]
    assert [name for name in modules if name not in page and name != "__init__.py"] == []


def shape(move: str) -> str:
    """Return a move without what differs from game to game: cards, names, numbers."""
    move = re.sub(r"\b(?:10|[2-9AJQK])[CDHS]\b", "card", move)
    return re.sub(r"\d+", "0", re.sub(r"[A-Z]+", "NAME", move))


def test_the_moves_on_the_page_are_written_as_the_code_writes_them() -> None:
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
    found = [
        form
        for row in re.findall(r"^\| (`.+?) \|", section("Notation of moves"), re.M)
        for form in re.findall("`(.+?)`", row)
    ]
    found.append("#2 ROW>DISCARD")
    assert {shape(move) for move in state.legal_moves(0)} == {shape(move) for move in found}
