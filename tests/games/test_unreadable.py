"""Any invalid file or typing error: one line that says what is wrong, and exit code 2."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games import catalogue
from games.core import FastChance
from games.core.options import Option
from games.lab.simulate import Simulation, record
from tests.games.cases import BUILT_IN, CASES, TEXTS, Case, listed_cases
from tests.games.commands import run
from tests.tiers import examples, full, sampled

PROG = "python -m games"
GAMES = [game.name for game in (*BUILT_IN, *TEXTS)]
QUICK = [*(game.name for game in BUILT_IN), "agram"]  # whose bots play whole matches here


def refused(*arguments: str) -> str:
    """Run a command that must be refused: nothing printed but one line. Return that."""
    code, out, err = run(*arguments)
    assert (code, out) == (2, ""), err
    assert len(err.splitlines()) == 1, err
    assert err.isprintable() or err[:-1].isprintable()
    assert err.startswith(f"{PROG} {arguments[0]}: ")
    return err


def replay(content: bytes, *arguments: str) -> int:
    """Replay a file: it is shown, or refused in one line. Return the exit code."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "record.json"
        path.write_bytes(content)
        code, out, err = run("replay", str(path), *arguments)
        if code == 0:
            assert out
            assert err == ""
        else:
            assert refused("replay", str(path), *arguments) == err
    return code


# -- records

JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.integers(min_value=10**30, max_value=10**40),
        st.floats(),
        st.text(max_size=5),
        st.sampled_from(["\n", "\x1b[2J", "\ud800", "0", "-1", "1.5", "9" * 5000, "\u0663", "\0", *GAMES]),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@cache
def good(case: Case) -> dict[str, Any]:
    """Return the record of the beginning of a match."""
    simulation = Simulation.checked(
        case.game, ["random"] * case.seats, {k: str(v) for k, v in case.options.items()}, "a seed"
    )
    data = json.loads(json.dumps(record(simulation, 0)))
    data["moves"] = data["moves"][:6]
    return data  # type: ignore[no-any-return]


def places(thing: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each part of some JSON, the whole included."""
    yield path
    inner = thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else ()
    for key, value in inner:
        yield from places(value, (*path, key))


def with_other(thing: Any, path: tuple[Any, ...], other: Any) -> Any:
    """Return JSON with one part replaced."""
    if not path:
        return other
    copy = thing.copy()
    copy[path[0]] = with_other(thing[path[0]], path[1:], other)
    return copy


def test_the_records_that_are_made_invalid_here_are_valid_before() -> None:
    for case in CASES:
        assert replay(json.dumps(good(case)).encode()) == 0


@listed_cases
@given(data=st.data())
@examples(10)
def test_a_record_with_anything_in_any_place_is_shown_or_refused_in_one_line(case: Case, data: st.DataObject) -> None:
    whole = good(case)
    where = data.draw(st.sampled_from(list(places(whole))))
    replay(json.dumps(with_other(whole, where, data.draw(JSON))).encode())


@pytest.mark.parametrize(
    ("case", "option"),
    sampled(
        [
            (case, option)
            for case in {case.game.name: case for case in CASES if case.game.options}.values()
            for option in case.game.options
        ],
        3,
        lambda one: f"{one[0].game.name} {one[1].name}",
    ),
)
def test_an_option_that_is_neither_number_nor_word_is_refused(case: Case, option: Option) -> None:
    values: list[object] = [[1], 1.5, True, None, {}, "", " ", "1.5", "\ud800", 10**40, "9" * 5000, [[]]]
    for value in values:
        record = {**good(case), "options": {**case.options, option.name: value}}
        default = value == option.default and value is not True
        assert replay(json.dumps(record).encode()) == (0 if default else 2), value


@given(content=st.binary(max_size=40) | st.text(max_size=40).map(str.encode))
@example(content=b"\xff\xfe{}")
@example(content=b"[" * 200_000)
@example(content=b'{"moves":' * 100_000)
@example(content=b"[" * 200_000 + b"]" * 200_000)
@example(content=b'"\\ud800"')
@example(content=b"9" * 100_000)
@examples(30)
def test_a_file_that_is_no_record_at_all_is_refused_in_one_line(content: bytes) -> None:
    assert replay(content) == 2


@pytest.mark.parametrize(
    "seed", ["", "0" * 63, "0" * 65, "00 " * 32, "\u0660" * 64, "x" * 64, " " + "0" * 63, "\n" * 64]
)
def test_an_invalid_seed_is_refused(seed: str) -> None:
    assert replay(json.dumps({**good(CASES[0]), "seed": seed}).encode()) == 2


def test_a_folder_or_missing_file_or_empty_name_is_not_a_record(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere.json", tmp_path / ("x" * 300)):
        refused("replay", str(path))
    for name in ("", "\0"):
        assert run("replay", name)[0] == 2


# -- what else may be read

POSITION = {"finish": 16, "track": {"4": ["c_2", "c_0"]}, "tiles": {"7": 1}, "left": ["c_0"], "die": [1, 3]}


@full
@given(data=st.data())
@examples(100)
def test_a_position_of_a_race_with_anything_in_any_place_is_counted_or_refused(data: st.DataObject) -> None:
    where = data.draw(st.sampled_from(list(places(POSITION))))
    broken = with_other(POSITION, where, data.draw(JSON))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "position.json"
        path.write_text(json.dumps(broken))
        if run("camelup", "odds", str(path))[0] != 0:
            refused("camelup", "odds", str(path))


@given(content=st.binary(max_size=60))
@example(content=b"[" * 200_000)
@examples(50)
def test_a_file_that_is_no_position_is_refused_in_one_line(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "position.json"
        path.write_bytes(content)
        refused("camelup", "odds", str(path))


CELLS = st.sampled_from(["0", "1", "-1", "1.5", "", "x", "nan", '"', "\n", "é", "\u0663", "\0"]) | st.text(max_size=4)


@full
@given(rows=st.lists(st.lists(CELLS, max_size=4).map(",".join), max_size=4).map("\n".join), raw=st.binary(max_size=9))
@example(rows="round_id,a\n", raw=b"\xff")
@example(rows="round_id,a\nx,1\n", raw=b"")
@example(rows="round_id\n" + "x" * 200_000, raw=b"")
@examples(80)
def test_logs_that_hold_anything_are_merged_or_refused_in_one_line(rows: str, raw: bytes) -> None:
    with TemporaryDirectory() as folder:
        for content in (
            rows.encode(errors="surrogatepass"),
            b",round_id,a\n0,0,1\n" + rows.encode(errors="surrogatepass") + raw,
        ):
            (Path(folder) / "game_0.csv").write_bytes(content)
            if run("merge-logs", folder)[0] != 0:
                refused("merge-logs", folder)


# -- arguments

WORDS = st.sampled_from(
    [
        "list", "simulate", "record", "replay", "merge-logs", "odds", *QUICK, "house", "random", "1", "2", "0", "-1",
        "nan", "inf", "1e9", "9" * 5000, "1.5", "", "x", "\ud800", "\0", "a\nb", "\x1b[2J", "--option", "--seed",
        "--seconds", "--megabytes", "--match", "--out", "--json", "--lost-by", "--workers", "--seat", "--open",
        "--other-rules", "rigged=1", "rigged=[1]", "=", "a=b=c", "level=2", "nowhere.py:Bot", "nowhere.json", "--",
        "--help", "-x",
    ]
)  # fmt: skip


@given(
    first=st.sampled_from(["list", "simulate", "record", "replay", "merge-logs", "camelup"]),
    rest=st.lists(WORDS, max_size=7),
)
@example(first="record", rest=["hamsterdam", "house", "house", "--seed", "\ud800"])
@example(first="simulate", rest=["hamsterdam", "1", "house", "house", "--seconds", "nan"])
@example(first="simulate", rest=["hamsterdam", "1", "house", "house", "--workers", "9" * 5000])
@examples(150)
def test_arguments_in_any_order_are_done_or_refused_without_a_traceback(first: str, rest: list[str]) -> None:
    if "--out" in rest or "--workers" in rest:  # nothing is written here, and no process started
        rest = [word for word in rest if word not in ("--out", "1", "2")]
    code, out, err = run(first, *rest)
    assert code in (0, 2), err
    if code == 2:
        assert out == ""
        *usage, reason = err.splitlines()
        assert reason.startswith(PROG)
        assert reason.isprintable()
        assert not usage or usage[0].startswith("usage: ")


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["--option", "rigged=1", "--option", "rigged=0"], "The option 'rigged' is given twice, as '1' and '0'."),
        (["--option", "rigged=1", "rigged=1"], "The option 'rigged' is given twice, as '1' and '1'."),
        (["--seed", "1", "--seed", "2"], "argument --seed: can be given only once"),
        (["--see", "1", "--seed", "2"], "argument --seed: can be given only once"),
        (["--workers", "1", "--workers", "1"], "argument --workers: can be given only once"),
        (["--workers", "many"], "argument --workers: must be a whole number, not 'many'"),
        (["--workers", "1000000"], "argument --workers: must be 1,000 at most"),
        (["--lost-by", "first"], "argument --lost-by: must be a whole number, not 'first'"),
        (["--seconds", "soon"], "argument --seconds: must be a number, not 'soon'"),
        (["--seconds", "nan"], "The CPU seconds of a bot must be more than 0, not nan."),
        (["--megabytes", "9" * 30], "argument --megabytes: must be 10,000,000 at most"),
    ],
)
def test_a_wrong_argument_is_explained_in_words(arguments: list[str], answer: str) -> None:
    code, out, err = run("simulate", "hamsterdam", "1", "house", "house", *arguments)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].endswith(answer)


def test_every_number_is_asked_for_in_words() -> None:
    for arguments in (["simulate", "bundles", "many", "house"], ["record", "bundles", "house", "--match", "x"]):
        assert ": must be a whole number, not '" in run(*arguments)[2].splitlines()[-1]


def test_the_list_shows_the_default_of_every_option() -> None:
    lines = [line for line in run("list")[1].splitlines() if line.startswith("    option ")]
    handicaps = [line for line in lines if line.startswith("    option handicap=")]
    assert len(handicaps) == sum(game.handicap is not None for game in catalogue.listed()) > 0
    others = [line for line in lines if line not in handicaps]
    assert len(others) == sum(len(game.options) for game in catalogue.listed())
    for line in others:
        assert line.split(", default ")[1].split(":")[0].strip()


def test_chance_takes_any_text_that_the_command_line_takes() -> None:
    assert FastChance("é\n").randbelow(7) in range(7)
