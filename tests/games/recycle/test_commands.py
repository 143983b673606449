"""``python -m games recycle``, and a text wherever a game is named on the command line."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import catalogue
from games.core.messages import message
from games.recycle.problems import Problem, Source
from games.recycle.provider import FOLDER
from games.recycle.tree import Span
from tests.games.commands import run
from tests.tiers import examples, full, sampled

ROOT = Path(__file__).parents[3]

HIGH = """\
;; Title: High Card
(game
  (setup
    (create players 2 .. 4)
    (create deck (game hloc STOCK) (deck (RANK (ACE, TWO, THREE, FOUR, FIVE)) (SUIT (CLUBS, HEARTS)))))
  (do ((shuffle (game hloc STOCK))
       (all player 'P (repeat 2 (move (top (game hloc STOCK)) (top ('P iloc HAND)))))))
  (stage player (end (all player 'P (== (size ('P vloc SHOWN)) 1)))
    (choice ((any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc SHOWN)))))))
  (do ((set (game points HEIGHT) (((RANK : ACE) 1) ((RANK : TWO) 2) ((RANK : THREE) 3) ((RANK : FOUR) 4)
                                  ((RANK : FIVE) 5)))))
  (scoring max (sum ((current player) vloc SHOWN) using (game points HEIGHT))))
"""

# Two options that do the same, and one that does not.
TWINS = """\
(game
  (setup (create players 2) (create deck (game vloc POOL) (deck (RANK (ACE, TWO)))))
  (stage player (end (== (size (game vloc POOL)) 0))
    (choice ((inc (game sto COUNT) 1)
             (move (top (game vloc POOL)) (top ((current player) vloc WON)))
             (move (top (game vloc POOL)) (top ((current player) vloc WON))))))
  (scoring max (size ((current player) vloc WON))))
"""

# Breaks down after its fifth choice: nobody owns a card on the table.
BREAKS = """\
(game
  (setup (create players 2) (create deck (game vloc POOL) (deck (RANK (ACE, TWO, THREE, FOUR, FIVE, SIX)))))
  (stage player (end (== (size (game vloc POOL)) 0))
    (choice ((move (top (game vloc POOL)) (top ((current player) vloc WON)))))
    (do (((== (size (game vloc POOL)) 1)
          (cycle next (owner (top (game vloc POOL))))))))
  (scoring max (size ((current player) vloc WON))))
"""

TWO_ERRORS = HIGH.replace("(size ('P vloc SHOWN))", "(size ('Q vloc SHOWN))").replace("(sum ", "(sun ")
WARNED = HIGH.replace("(do ((shuffle", "(do ((set (game sto NOBODY) 3)\n       (shuffle")


@pytest.fixture
def high(tmp_path: Path) -> Path:
    """A good text that no provider has."""
    return written(tmp_path, "high.rcy", HIGH)


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


# -- check


def test_a_good_text_is_checked_without_a_word_but_the_count(high: Path) -> None:
    assert run("recycle", "check", str(high)) == (0, "1 file: 0 errors, 0 warnings\n", "")


def test_all_errors_of_a_text_are_reported_with_file_line_column_and_a_caret(tmp_path: Path) -> None:
    path = written(tmp_path, "bad.rcy", TWO_ERRORS)
    code, out, err = run("recycle", "check", str(path))
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0].startswith(f"{path}:8:")
    assert ": error: " in lines[0]
    assert lines[1].strip() == TWO_ERRORS.splitlines()[7].strip()
    caret = lines[2]
    assert lines[1][caret.index("^") :].startswith(("'Q", "('Q"))
    assert any(line.startswith(f"{path}:12:") and ": error: " in line for line in lines)
    assert lines[-1] == "1 file: 2 errors, 0 warnings"


def test_warnings_count_only_when_they_are_to(tmp_path: Path) -> None:
    path = written(tmp_path, "warned.rcy", WARNED)
    code, out, _ = run("recycle", "check", str(path))
    assert code == 0
    assert f"{path}:6:23: " in out
    assert "warning: The number NOBODY is set, but never read." in out
    assert out.endswith("1 file: 0 errors, 1 warning\n")
    assert run("recycle", "check", "--strict", str(path))[0] == 1


def test_a_folder_means_all_texts_in_it_and_one_bad_one_is_enough(tmp_path: Path, high: Path) -> None:
    written(tmp_path, "notes.txt", "no game")
    assert run("recycle", "check", str(tmp_path)) == (0, "1 file: 0 errors, 0 warnings\n", "")
    written(tmp_path, "bad.rcy", TWO_ERRORS)
    code, out, _ = run("recycle", "check", str(tmp_path))
    assert code == 1
    assert out.endswith("2 files: 2 errors, 0 warnings\n")


def test_the_library_is_free_of_errors() -> None:
    code, out, _ = run("recycle", "check", str(FOLDER))
    assert code == 0
    assert f"{len(list(FOLDER.glob('*.rcy')))} files: 0 errors, " in out


def test_a_text_that_is_too_much_for_its_highest_number_of_players_is_found(tmp_path: Path) -> None:
    text = HIGH.replace("(game hloc STOCK) (deck", "(game hloc STOCK) (deck", 1).replace(
        "(create deck", "(create teams (0, 3) (1, 2))\n    (create deck", 1
    )
    code, out, _ = run("recycle", "check", str(written(tmp_path, "teams.rcy", text)))
    assert code == 1
    assert ": error: " in out


def test_a_table_file_that_is_none_is_an_error_of_its_text(tmp_path: Path, high: Path) -> None:
    written(tmp_path, "high.toml", "[colours]\n")
    code, out, _ = run("recycle", "check", str(high))
    assert code == 1
    assert f"{high}: error: The table file has a section [colours]" in out


@pytest.mark.parametrize("arguments", [["nowhere.rcy"], ["EMPTY"], ["nul\0.rcy"], []])
def test_what_is_not_there_cannot_be_checked(tmp_path: Path, arguments: list[str]) -> None:
    asked = [str(tmp_path) if argument == "EMPTY" else argument for argument in arguments]
    code, out, err = run("recycle", "check", *asked)
    assert (code, out) == (2, "")
    assert err


HOSTILE = {
    "nothing": b"",
    "comments": b";; nothing\n;; else",
    "binary": bytes(range(256)) * 20,
    "not utf-8": HIGH.encode("utf-16"),
    "nul": HIGH.replace("ACE", "A\0E").encode(),
    "deep": b"(" * 50_000,
    "deep and closed": b"(" * 5_000 + b")" * 5_000,
    "deep choice": HIGH.replace("(choice (", "(choice (" + "(do (" * 300).encode(),
    "huge": b"(game " + b"A " * 300_000,
    "enormous": b" " * (2 << 20),
    "escapes": HIGH.replace("(sum ", "(\x1b[2J\x07sum ").encode(),
    "other alphabets": "(game (setup \u202egnitset \u0410\u0412))".encode(),
    "python": b"__import__('os').system('true')",
    "many players": HIGH.replace("2 .. 4", "2 .. 999999999").encode(),
    "many cards": HIGH.replace("(create deck", "(repeat 999999999 (create deck")
    .replace("HEARTS)))))", "HEARTS))))))")
    .encode(),
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("command", sampled(["simulate", "check", "format", "explain", "trace"], 4))
def test_a_hostile_file_is_refused_with_a_reason_and_without_a_trace_of_python(
    tmp_path: Path, command: str, kind: str
) -> None:
    path = tmp_path / "hostile.rcy"
    path.write_bytes(HOSTILE[kind])
    asked = (
        ["simulate", str(path), "2", "random", "random"] if command == "simulate" else ["recycle", command, str(path)]
    )
    code, out, err = run(*asked)
    output = out + err
    assert "Traceback" not in output
    assert "\x1b" not in output
    assert "\x07" not in output
    assert len(output) < 100_000
    if command == "format":  # which only asks for brackets and tokens
        assert code in (0, 1)
    else:
        assert code == (1 if command == "check" else 2), output
        assert "hostile.rcy" in output
    assert command == "format" or path.read_bytes() == HOSTILE[kind]


@given(st.text(max_size=60), st.integers(0, len(HIGH)), st.integers(0, 40))
@examples(25)
def test_a_text_with_anything_anywhere_is_played_or_refused(
    tmp_path_factory: pytest.TempPathFactory, other: str, at: int, cut: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "anything.rcy"
    path.write_text(HIGH[:at] + other + HIGH[at + cut :], encoding="utf-8", errors="replace")
    checked, out, _ = run("recycle", "check", str(path))
    assert checked in (0, 1)
    assert out.splitlines()[-1].startswith("1 file: ")
    played, _, err = run("simulate", str(path), "2", "random", "random")
    assert (played == 2) == (checked == 1 or "seats, not 2" in err), err
    assert "Traceback" not in err


@pytest.mark.parametrize("players", ["21", "2 .. 21", "0", "(+ 20 1)", "(random 1 .. 2)", "999999999"])
def test_how_many_players_there_may_be_is_printed(tmp_path: Path, players: str) -> None:
    path = written(tmp_path, "many.rcy", HIGH.replace("2 .. 4", players))
    code, out, _ = run("recycle", "check", str(path))
    assert code == 1
    assert "a number from 1 to 20, or a range of such numbers" in out


def test_a_line_as_long_as_a_book_is_shown_around_the_place() -> None:
    source = Source("A " * 50_000 + "wrong" + " B" * 50_000, "long.rcy")
    place = source.text.index("wrong")
    output, line, under = source.show(Problem("error", Span(place, place + 5), message("This is wrong."))).splitlines()
    assert output == "long.rcy:1:100001: error: This is wrong."
    assert line[under.index("^") : under.rindex("^") + 1] == "wrong"
    assert len(line) < 300


# -- format


def test_format_lays_a_text_out_in_place_and_a_second_time_changes_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, "flat.rcy", HIGH.replace("\n  ", " \n").replace("    ", " "))
    assert run("recycle", "format", "--check", str(path)) == (1, f"{path} would be changed\n", "")
    assert run("recycle", "format", str(path)) == (0, f"{path} has been changed\n", "")
    once = path.read_text()
    assert run("recycle", "format", str(path)) == (0, "", "")
    assert path.read_text() == once
    assert run("recycle", "format", "--check", str(path)) == (0, "", "")
    assert once.startswith(";; Title: High Card\n")
    assert run("recycle", "check", str(path))[0] == 0


def test_format_prints_what_it_is_piped(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "games", "recycle", "format", "-"]
    piped = ("\ufeff" + HIGH.replace("\n", "\r\n")).encode()
    done = subprocess.run(command, cwd=ROOT, input=piped, capture_output=True, check=True)
    path = written(tmp_path, "high.rcy", HIGH)
    run("recycle", "format", str(path))
    assert done.stdout.decode() == path.read_text()


def test_format_leaves_a_text_with_errors_as_it_is_and_says_why(tmp_path: Path) -> None:
    path = written(tmp_path, "open.rcy", HIGH.replace("(do (", "(do ((", 1))
    code, out, err = run("recycle", "format", str(path))
    assert (code, out) == (1, "")
    assert err.startswith(f"{path}:")
    assert path.read_text() == HIGH.replace("(do (", "(do ((", 1)


# -- explain


def test_explain_prints_a_page_made_of_the_text_alone(tmp_path: Path, high: Path) -> None:
    written(tmp_path, "high.md", "# Another page\n")
    code, out, err = run("recycle", "explain", str(high))
    assert (code, err) == (0, "")
    assert "Another page" not in out
    assert out.startswith("# High Card")
    assert len(out.split()) > 60


# -- trace


def test_a_trace_shows_every_action_with_its_line(high: Path) -> None:
    code, out, err = run("recycle", "trace", str(high), "--seed", "1", "--seats", "2")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "high.rcy: 2 players (random, random), seed 1, match 0"
    assert "     line 5  create deck: 10 cards in game hloc STOCK" in lines
    assert "     line 6  shuffle game hloc STOCK: 10 cards" in lines
    assert sum("game hloc STOCK > player 2 iloc HAND" in line for line in lines) == 2
    (first,) = [line for line in lines if line.startswith("Decision 1, line 9: player 1 takes ")]
    taken = first.rpartition(": ")[2]
    assert first.endswith(f" of 2: {taken}")
    move = lines[lines.index(first) + 1]
    assert move == f"     line 9  move {taken.split()[0]}: player 1 iloc HAND > player 1 vloc SHOWN"
    assert any("game points HEIGHT: 5C 5, 5H 5, 4C 4, 4H 4" in line for line in lines)
    assert lines[-1].startswith("The end: player 1 ")


def test_a_trace_names_the_cards_that_points_are_awarded_for() -> None:
    _, out, _ = run("recycle", "trace", str(FOLDER / "cribbage.rcy"))
    lines = out.splitlines()
    awarded = [index for index, line in enumerate(lines) if "points for" in line]
    assert len(awarded) > 5
    for index in awarded:
        assert re.search(r"line \d+  points for \w+(, \w+)*$", lines[index])
        assert re.search(r"line \d+  .* sto (SCORE|POINTS): ", lines[index + 1])
    assert not [line for line in lines if re.search(r"line \d+  \(", line)], "every action has words"


def test_a_trace_shows_numbers_before_and_after(tmp_path: Path) -> None:
    path = written(tmp_path, "twins.rcy", TWINS)
    moves = written(tmp_path, "moves.txt", ";; count twice\nCOUNT=1\n\nCOUNT=2\n")
    _, out, _ = run("recycle", "trace", str(path), "--moves", str(moves), "--options")
    assert "     line 4  game sto COUNT: 0 > 1\n" in out
    assert "     line 4  game sto COUNT: 1 > 2\n" in out
    assert "Decision 1, line 4: player 1 takes 1 of 3: COUNT=1\n" in out
    options = out[out.index("Decision 1, line 4: player 1 may take:") :].splitlines()[1:4]
    assert [option.split(None, 1) for option in options] == [
        ["1", "COUNT=1"],
        ["2", "two POOL>WON"],
        ["3", "two POOL>WON #2"],
    ]


def test_a_trace_is_the_match_that_simulate_plays_with_that_seed_and_number(high: Path) -> None:
    _, record, _ = run("record", str(high), "random", "random", "random", "--seed", "any", "--match", "7")
    _, out, _ = run("recycle", "trace", str(high), "--seats", "3", "--seed", "any", "--match", "7")
    made = [line.split(": ", 2)[-1] for line in out.splitlines() if line.startswith("Decision ")]
    assert made == [move for _, move in json.loads(record)["moves"]]
    assert run("recycle", "trace", str(high), "--seats", "3", "--seed", "any", "--match", "7")[1] == out
    assert run("recycle", "trace", str(high), "--seats", "3", "--seed", "any", "--match", "8")[1] != out


def test_a_trace_of_house_bots_does_not_show_what_they_think(high: Path) -> None:
    _, out, _ = run("recycle", "trace", str(high), "--bots", "house,random")
    assert "(house, random)" in out
    assert out.count(" > player 1 vloc SHOWN") == 1


def test_a_trace_of_a_match_that_breaks_down_shows_what_led_to_it(tmp_path: Path) -> None:
    path = written(tmp_path, "breaks.rcy", BREAKS)
    code, out, err = run("recycle", "trace", str(path))
    assert code == 1
    assert "line 4  move two: game vloc POOL > player 1 vloc WON" in out.splitlines()[-1].strip()
    assert err.startswith("python -m games recycle: the rules failed. no owner: breaks.rcy, line 6: ")


@full
@pytest.mark.parametrize("command", [["recycle", "trace"], ["recycle", "check"], ["recycle", "explain"]], ids=" ".join)
def test_where_nobody_reads_on_it_ends_without_a_word(high: Path, command: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        asked = [sys.executable, "-m", "games", *command, str(high)]
        done = subprocess.run(asked, cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_trace_is_printed_as_it_goes_on(tmp_path: Path) -> None:
    """A reader who stops reading a match that never ends stops it, and the text is not blamed."""
    endless = HIGH.replace("(all player 'P (== (size ('P vloc SHOWN)) 1))", "(== (game sto NEVER) 1)").replace(
        "(any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc SHOWN))))",
        "(inc (game sto ROUND) 1)",
    )
    asked = [sys.executable, "-m", "games", "recycle", "trace", str(written(tmp_path, "endless.rcy", endless))]
    with subprocess.Popen(asked, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout
        assert running.stderr
        for _ in range(200):
            assert running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() == 141


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["--seats", "5"], "takes 2 to 4 seats, not 5"),
        (["--seats", "-1"], "--seats is how many play, not -1"),
        (["--seats", "9" * 12], "--seats is how many play"),
        (["--bots", "random,random", "--seats", "3"], "--bots names 2 for 3 seats"),
        (["--bots", "deep"], "has no bot 'deep'"),
        (["--moves", "nowhere.txt"], "No such file"),
        (["--moves", "MOVES"], "player 1 cannot take 'fly'. There are: "),
        (["--match", "x"], "invalid int value"),
    ],
)
def test_a_trace_that_cannot_be_made_says_why(tmp_path: Path, high: Path, arguments: list[str], answer: str) -> None:
    moves = written(tmp_path, "moves.txt", "fly\n")
    asked = [str(moves) if argument == "MOVES" else argument for argument in arguments]
    code, _, err = run("recycle", "trace", str(high), *asked)
    assert code == 2
    assert answer in err


# -- a text wherever a game is named


def simulated(path: Path, *arguments: str) -> dict[str, Any]:
    code, out, err = run("simulate", str(path), *arguments, "--seed", "1", "--json")
    assert (code, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    assert found.pop("seconds") > 0
    return found


def test_a_text_outside_the_library_is_simulated_with_the_keys_of_every_game(high: Path) -> None:
    found = simulated(high, "40", "random", "house", "random")
    _, out, _ = run("simulate", "bundles", "2", "random", "random", "--json")
    assert list(found) == [key for key in json.loads(out) if key != "seconds"]
    assert (found["game"], found["matches"], found["decisions_per_match"]) == ("high", 40, 3.0)
    assert found["options_per_decision"] == 2.0
    assert found["seats"][1]["wins"] > found["seats"][0]["wins"]
    assert (found["failures"], found["broken"]) == ({}, {})


def test_a_simulation_whose_matches_all_fail_prints_its_json_with_the_reason(tmp_path: Path, high: Path) -> None:
    path = written(tmp_path, "breaks.rcy", BREAKS)
    code, out, err = run("simulate", str(path), "3", "random", "random", "--seed", "1", "--json", "--lost-by", "0")
    assert (code, "no owner" in err) == (1, True)
    found = json.loads(out)
    assert found.keys() == {*simulated(high, "3", "random", "random"), "seconds", "lost"}
    assert (found["matches"], found["broken"]) == (0, {"rules: no owner": 3})
    assert found["samples"]["rules: no owner"]["match"] == 0
    assert "line 6" in found["samples"]["rules: no owner"]["text"]
    assert [seat["mean_score"] for seat in found["seats"]] == [None, None]


def test_a_text_outside_the_library_is_simulated_the_same_in_several_processes(high: Path) -> None:
    alone = simulated(high, "60", "random", "random")
    assert simulated(high, "60", "random", "random", "--workers", "2") == alone


def test_options_that_do_the_same_count_as_the_language_counts_them(tmp_path: Path) -> None:
    found = simulated(written(tmp_path, "twins.rcy", TWINS), "200", "random", "random")
    assert found["options_per_decision"] == 3.0, "a counter, a card, and the same card once more"
    assert found["decisions_per_match"] == pytest.approx(3, rel=0.15), "two of three options take one of two cards"


def test_without_bots_as_many_play_as_usually_do(high: Path) -> None:
    assert [seat["bot"] for seat in simulated(high, "2")["seats"]] == ["house"] * 3


def test_a_match_that_breaks_down_is_counted_under_its_kind_with_a_sample(tmp_path: Path) -> None:
    some = BREAKS.replace("(== (size (game vloc POOL)) 1)", "(and (== (size (game vloc POOL)) 1) (== (random 1) 0))")
    path = written(tmp_path, "breaks.rcy", some)
    found = simulated(path, "40", "random", "random")
    assert list(found["broken"]) == ["rules: no owner"]
    assert found["broken"]["rules: no owner"] + found["matches"] == 40
    sample = found["samples"]["rules: no owner"]
    assert sample["text"].startswith("breaks.rcy, line 6: ")
    code, _, err = run("recycle", "trace", str(path), "--seed", "1", "--match", str(sample["match"]))
    assert (code, "no owner" in err) == (1, True)
    _, out, _ = run("simulate", str(path), "40", "random", "random", "--seed", "1")
    assert "(rules: no owner); none of them is counted. The first:\n  breaks.rcy, line 6: " in out
    path.write_text(BREAKS)
    code, out, err = run("simulate", str(path), "40", "random", "random")
    assert (code, out) == (1, "")
    assert err.startswith("python -m games simulate: the rules failed. no owner: breaks.rcy, line 6: ")


def test_a_terminal_is_sent_nothing_that_it_would_obey(tmp_path: Path) -> None:
    path = written(tmp_path, "breaks.rcy", BREAKS.replace("(cycle next (owner", "(cycle next ;; \x1b[2J\n (owner"))
    for asked in (["simulate", str(path), "3", "random", "random"], ["recycle", "trace", str(path)]):
        code, out, err = run(*asked)
        assert code == 1
        assert "no owner" in err
        assert "\x1b" not in out + err
    assert "\N{REPLACEMENT CHARACTER}[2J" in err


def test_a_text_with_errors_is_refused_as_the_checker_reports_them(tmp_path: Path) -> None:
    path = written(tmp_path, "bad.rcy", TWO_ERRORS)
    output = run("recycle", "check", str(path))[1].replace(str(path), "bad.rcy").splitlines()[:-1]
    code, out, err = run("simulate", str(path), "2", "random", "random")
    assert (code, out) == (2, "")
    assert err.splitlines() == ["python -m games simulate: bad.rcy is not a valid game:", *output]


@pytest.mark.parametrize("name", ["Simon'sCat4.rcy", "with a blank.rcy", "caf\u00e9.rcy", "two.dots.rcy", "-dash.rcy"])
@pytest.mark.parametrize("style", sampled(["BOM and CRLF", "as it is", "BOM", "CRLF", "no end of line"], 4))
def test_a_text_is_read_whatever_its_editor_and_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, style: str
) -> None:
    monkeypatch.chdir(tmp_path)
    text = HIGH.replace("\n", "\r\n") if "CRLF" in style else HIGH
    text = text.rstrip() + " ;; the end" if style == "no end of line" else text
    Path(name).write_bytes(text.encode("utf-8-sig" if "BOM" in style else "utf-8"))
    path = Path(f"./{name}")
    assert run("recycle", "check", f"./{name}")[:2] == (0, "1 file: 0 errors, 0 warnings\n")
    found = simulated(tmp_path / path, "3", "random", "random")
    assert found["game"] == name.removesuffix(".rcy")
    code, out, _ = run("recycle", "trace", f"./{name}")
    assert code == 0
    assert "line 9: player 1 takes" in out


def test_a_match_of_a_text_outside_the_library_can_be_recorded_and_replayed(tmp_path: Path, high: Path) -> None:
    record = tmp_path / "record.json"
    assert run("record", str(high), "random", "random", "--seed", "5", "--out", str(record))[0] == 0
    code, out, _ = run("replay", str(record), "--game", str(high))
    assert code == 0
    assert out.splitlines()[-1].startswith("Scores: random 0 ")
    code, _, err = run("replay", str(record))
    assert code == 2
    assert "There is no game 'high'" in err
    high.write_text(HIGH.replace("2 (move", "3 (move"))
    code, _, err = run("replay", str(record), "--game", str(high))
    assert code == 2
    assert "High Card was played by version" in err


def test_matches_of_a_text_that_were_lost_are_recorded_by_the_command_it_prints(tmp_path: Path) -> None:
    path = written(tmp_path, "Simon'sCat4.rcy", HIGH)
    _, out, _ = run("simulate", str(path), "30", "random", "random", "--seed", "1", "--lost-by", "0")
    (output,) = [line for line in out.splitlines() if line.startswith("  python -m games record ")]
    done = subprocess.run(
        ["/bin/sh", "-c", output.replace("python", sys.executable, 1)], cwd=ROOT, capture_output=True, check=True
    )
    assert json.loads(done.stdout)["game"] == "Simon'sCat4"


def test_a_log_of_a_text_is_a_table(tmp_path: Path, high: Path) -> None:
    simulated(high, "2", "random", "random", "--log-dir", str(tmp_path / "logs"))
    assert (tmp_path / "logs" / "game_1.csv").read_text().startswith(",round_id,player_0_score,")


def test_a_path_is_looked_up_by_nothing_but_the_command_line(high: Path) -> None:
    with pytest.raises(catalogue.UnknownGame):
        catalogue.find(str(high))
    assert catalogue.find_or_read(str(high)).name == "high"
    with pytest.raises(catalogue.UnknownGame):
        catalogue.find_or_read(str(high.with_suffix(".txt")))


def test_a_stranger_bot_plays_a_text(tmp_path: Path, high: Path) -> None:
    bot = written(
        tmp_path,
        "last.py",
        "from games.core import Bot\nclass Last(Bot):\n  def choose(self, info):\n    return info.legal_moves[-1]\n",
    )
    found = simulated(high, "3", f"{bot}:Last", "random")
    assert found["failures"] == {}
    other = written(tmp_path, "other.py", "class Other:\n    pass\n")
    code, _, err = run("simulate", str(high), "3", f"{other}:Other", "random")
    assert code == 2
    assert "Other is not a bot for high" in err


def test_the_list_has_a_line_for_each_text_below_the_name_of_its_section() -> None:
    _, out, _ = run("list")
    lines = out.splitlines()
    section = lines.index("Written in RECYCLE")
    names = [line.partition(":")[0] for line in lines[section + 1 :] if not line.startswith(" ")]
    assert names == [game.name for game in catalogue.listed(catalogue.providers[1])]
    assert "agram: Agram, 2 to 5 seats. Six tricks without trumps, and only the last one counts." in lines
    assert lines[section + 1 :].count("    bot house: House") == 1
