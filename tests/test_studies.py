"""The studies in docs/studies: their commands run, and every figure on a page is the measured one."""

from __future__ import annotations

import importlib
import json
import math
import random
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from docs.studies import baselines, enchere, favour, measures, people, rig, rig_bound, thief
from docs.studies.publish import FIGURES, SHIPPED, fill, in_rows, publish, resumed, shipped
from games import catalogue
from games.core import BadOption, FastChance, SealedChance
from games.hamsterdam.game import GAME as HAMSTERDAM
from games.hamsterdam.subtle import EACH
from games.lab.analyse import play
from tests.tiers import full


class Study(NamedTuple):
    """A study; ``small``: the options of its command for a run of a second or two."""

    name: str
    page_values: Callable[[Mapping[str, Any]], dict[str, str]]
    charts: Callable[[Mapping[str, Any]], dict[str, str]]
    small: str

    def __str__(self) -> str:
        return self.name


STUDIES = (
    Study("baselines", baselines.page_values, baselines.charts, "--iterations 2 --sampled 2 --runs 1 --decisions 0"),
    Study("enchere", enchere.page_values, enchere.charts, "--matches 30 --searched 3 --rollouts 2"),
    Study("favour", favour.page_values, favour.charts, "--evenings 1 --searched 1 --rollouts 1"),
    Study("thief", thief.page_values, thief.charts, "--heists 3 --foreseen 1 --rollouts 2"),
    Study(
        "rig",
        rig.page_values,
        rig.charts,
        "--matches 4 --searched 1 --searched-seats 2 --seats 2 3 --lessons 12 --series 6 --series-matches 2 "
        "--bound-matches 1 --bound-sizes 8 10",
    ),
    Study(
        "measures",
        measures.page_values,
        measures.charts,
        "--matches 3 --judged 2 --strong 1 --against 1 --rollouts 1 5 10 20 --bots random easy",
    ),
)
study = pytest.mark.parametrize("study", STUDIES, ids=str)


@study
def test_the_figures_on_a_page_are_those_that_were_measured(study: Study) -> None:
    text = (SHIPPED / f"{study.name}.md").read_text(encoding="utf-8")
    figures = shipped(study.name)
    assert fill(text, study.page_values(figures)) == text, f"Run 'python -m docs.studies.{study.name} --again'."
    for file, svg in study.charts(figures).items():
        assert (SHIPPED / study.name / file).read_text(encoding="utf-8") == svg
        assert f"({study.name}/{file})" in text, "and no chart is left out"


@study
def test_a_study_was_measured_by_the_present_rules(study: Study) -> None:
    rules = shipped(study.name)["rules"]
    by_game = rules if isinstance(rules, dict) else {"hamsterdam" if study.name == "rig" else study.name: rules}
    assert by_game == {name: catalogue.find_or_read(name).rules_version for name in by_game}


@study
def test_figures_are_written_as_their_command_writes_them(study: Study) -> None:
    assert (SHIPPED / study.name / FIGURES).read_text(encoding="utf-8") == in_rows(shipped(study.name)) + "\n"


@study
def test_a_page_has_no_percentage_typed_by_hand(study: Study) -> None:
    text = (SHIPPED / f"{study.name}.md").read_text(encoding="utf-8")
    by_hand = re.sub(r"<!-- \([\w-]+\) -->.*?<!-- / -->", "", text, flags=re.DOTALL)
    by_hand = re.sub(r"`[^`]*`", "", by_hand)
    assert not re.findall(r"(?<![\d.])(?!95 %)[\d.]+ ?%", by_hand), "only the confidence level, 95 %, is not measured"


@full
@study
def test_a_command_makes_its_study_and_the_same_one_again(study: Study, tmp_path: Path) -> None:
    made = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        (folder / f"{study.name}.md").write_text((SHIPPED / f"{study.name}.md").read_text(encoding="utf-8"))
        command = [sys.executable, "-m", f"docs.studies.{study.name}", "--into", str(folder), *study.small.split()]
        done = subprocess.run(command, capture_output=True, text=True, cwd=SHIPPED.parents[1], check=False)
        assert done.returncode == 0, done.stderr
        made.append({path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()})
    assert made[0] == made[1]
    figures = json.loads(made[0][Path(study.name, "figures.json")])
    assert (
        fill((SHIPPED / f"{study.name}.md").read_text(), study.page_values(figures)).encode()
        == made[0][Path(f"{study.name}.md")]
    )


def commands_on_pages() -> list[str]:
    """Return the commands of studies that the documentation shows, each on one line."""
    pages = [SHIPPED.parent / "laboratory.md", *sorted(SHIPPED.glob("*.md"))]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages).replace("\\\n", " ")
    found = re.findall(r"^python -m docs\.studies\.[^\n]+|`python -m docs\.studies\.[^`]+`", text, re.MULTILINE)
    return [" ".join(each.strip("`").split()) for each in found if ".people" not in each]


class Parsed(Exception):
    """A command has read its options."""


@pytest.mark.parametrize("command", commands_on_pages())
def test_a_command_on_a_page_has_only_options_that_there_are(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _python, _m, name, *options = shlex.split(command)
    module = importlib.import_module(name)

    def stop(settings: object, work: Path, workers: int) -> Any:
        raise Parsed(settings)

    monkeypatch.setattr(module, "measure", stop)
    monkeypatch.setattr(sys, "argv", [name, *options])
    with pytest.raises(Parsed):
        module.main()


def test_a_page_elsewhere_has_its_own_figures_and_the_shipped_one_stays(tmp_path: Path) -> None:
    shipped_page = (SHIPPED / "measures.md").read_text(encoding="utf-8")
    publish("measures", {}, {"matches": "7"}, {"one.svg": "<svg/>"}, tmp_path / "mine")
    page = (tmp_path / "mine" / "measures.md").read_text(encoding="utf-8")
    assert "<!-- (matches) -->7<!-- / --> matches of each game" in page
    assert "<!-- (rollouts-agram) -->not measured<!-- / -->" in page
    assert (tmp_path / "mine" / "measures" / "one.svg").read_text() == "<svg/>"
    assert (SHIPPED / "measures.md").read_text(encoding="utf-8") == shipped_page


def test_a_shipped_page_is_not_replaced_by_one_that_lacks_figures(tmp_path: Path) -> None:
    before = (SHIPPED / "measures" / FIGURES).read_bytes()
    with pytest.raises(KeyError, match=r"judged|rollouts"):
        publish("measures", {"nothing": 0}, {"matches": "7"}, {}, SHIPPED / "measures" / "..")
    assert (SHIPPED / "measures" / FIGURES).read_bytes() == before


def test_a_place_without_a_value_is_refused() -> None:
    with pytest.raises(KeyError):
        fill("<!-- (unknown) --><!-- / -->", {"known": ""})


# -- interrupted studies


def test_an_interrupted_study_does_only_what_is_left(tmp_path: Path) -> None:
    done: list[tuple[int]] = []

    def work(task: tuple[int]) -> list[int]:
        done.append(task)
        return [task[0] ** 2]

    tasks = [(number,) for number in range(4)]
    assert resumed(work, tasks[:2], tmp_path, "squares", "seed", 1) == {(0,): [0], (1,): [1]}
    with (tmp_path / "squares.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"task":[2],"resu')  # killed while writing
    assert resumed(work, tasks, tmp_path, "squares", "seed", 1) == {(n,): [n * n] for n in range(4)}
    assert done == tasks, "each was done once"
    with pytest.raises(BadOption, match="other settings: seed"):
        resumed(work, tasks, tmp_path, "squares", "another seed", 1)


# -- the rig


def test_an_observer_sees_only_what_its_seat_is_sent() -> None:
    """What the observer notes of the first round is what a state of the same seed shows to its seat."""
    for way in rig.WAYS:
        for number in range(6):
            rounds = rig.observe(3, rig.rigged(way, 1), f"{number}", observer=0)
            state = HAMSTERDAM.start(3, {"rigged": rig.rigged(way, 1)}, FastChance(f"{number}"))
            first = rounds[0].seen
            assert first.order == tuple(state.order)
            assert first.held[0] == state.observe(0).stock[0]
            assert set(first.shown) == set(first.order)
            assert first.shown[0] == first.held[-1], "its last card is the one it shows"


def test_what_favourites_observe_more_often_is_evidence_of_the_rig() -> None:
    honest: dict[str, Any] = {name: Counter({(3, False): 50, (3, True): 50}) for name in rig.STATISTICS}
    subtle: dict[str, Any] = {name: Counter({(3, False): 98, (3, True): 0}) for name in rig.STATISTICS}
    learned = rig.learn(honest, subtle)["losses"]
    assert 0 < learned[3, False] < 0.7
    assert -4 < learned[3, True] < -3, "what was never observed is unlikely, not impossible"


def test_the_area_under_a_roc_curve_is_that_of_all_matches_and_its_interval_resamples_series() -> None:
    chance = random.Random(1)
    guilty = [[chance.random() + 0.3 for _ in range(5)] for _ in range(30)]
    honest = [[chance.random() for _ in range(5)] for _ in range(30)]
    found = rig.area_figure(guilty, honest, "any")
    flat = [[each for one in kind for each in one] for kind in (honest, guilty)]
    assert found["value"] == pytest.approx(rig.area(rig.roc(*flat)), abs=1e-5)
    assert found["low"]
    assert found["high"]
    assert found["low"] < found["value"] < found["high"]
    alike = [[chance.random() + 0.3 * (number % 2)] * 5 for number in range(30)]
    wider = rig.area_figure(alike, honest, "any")
    assert wider["low"]
    assert wider["high"]
    assert wider["high"] - wider["low"] > 1.5 * (found["high"] - found["low"]), (
        "five equal matches of a series count as one"
    )


def test_an_area_of_one_has_an_interval_too() -> None:
    found = rig.area_figure([[1.0]] * 40, [[0.0]] * 40, "any")
    assert (found["value"], found["high"]) == (1.0, 1.0)
    assert found["low"] == pytest.approx(0.05 ** (1 / 40), abs=1e-5)


def test_the_weights_of_shuffles_are_how_often_the_dealer_deals_them() -> None:
    """Compares the computed weights with many choices of a shuffle, made as the dealer makes them."""
    chance = random.Random(1)
    for _ in range(4):
        sizes = [chance.random() ** 2 for _ in range(EACH + 1)]
        shares = [size / sum(sizes) for size in sizes]
        for most in (12, 200):
            weights = rig_bound.weights(shares, most)
            expected = [share * weight for share, weight in zip(shares, weights, strict=True)]
            assert sum(expected) == pytest.approx(1)
            counts = Counter(_dealt(shares, most, chance) for _ in range(4000))
            for number, probability in enumerate(expected):
                assert counts[number] / 4000 == pytest.approx(probability, abs=0.035)


def _dealt(shares: list[float], most: int, chance: random.Random) -> int:
    """Choose a shuffle as ``SubtleDealer.shuffle`` does. Return how many roll-outs the chosen one passes."""
    best, spent = -1, 0
    while best < EACH and spent < most:
        [passed] = chance.choices(range(len(shares)), shares)
        spent += min(passed + 1, EACH)
        best = max(best, passed)
    return best


def test_the_probability_of_passing_is_estimated_without_bias() -> None:
    rollouts, passing, each = 9, 0.7, 5
    means = [0.0] * each
    for kept in range(rollouts + 1):
        probability = math.comb(rollouts, kept) * passing**kept * (1 - passing) ** (rollouts - kept)
        means = [
            one + probability * more for one, more in zip(means, rig_bound.passes(kept, rollouts, each), strict=True)
        ]
    exact = [*(passing**count * (1 - passing) for count in range(each - 1)), passing ** (each - 1)]
    assert means == pytest.approx(exact)


def test_the_likelihood_ratio_of_a_deal_is_one_on_average_if_honest_and_higher_if_rigged() -> None:
    """The mean of any likelihood ratio is 1 under its denominator. In rigged deals the suspect is the favourite."""
    means = []
    for option in (-1, "subtle-1"):
        ratios = []
        for number in range(120):
            deal = rig_bound.deals(3, option, f"{number}")[0]
            ratios.append(math.exp(rig_bound.evidence(deal, 1, 20, 20, FastChance(f"{number}"))))
        means.append(sum(ratios) / len(ratios))
    assert means[0] == pytest.approx(1, abs=0.25)
    assert means[1] > means[0] + 0.3


@pytest.mark.parametrize("option", [-1, "subtle-1"])
def test_the_deals_with_all_cards_open_are_those_that_the_player_saw(option: int | str) -> None:
    for number in range(3):
        rounds = rig.observe(3, option, f"{number}", observer=0)
        deals = rig_bound.deals(3, option, f"{number}")
        assert len(deals) == len(rounds)
        for each, deal in zip(rounds, deals, strict=True):
            if 0 in each.seen.order:
                assert deal.stock_deck[-1 - each.seen.order.index(0)] == each.seen.held[0]


def test_a_seat_whose_evidence_is_far_below_zero_is_not_computed_further() -> None:
    deals = rig_bound.deals(3, -1, "1")
    found = rig_bound.of_match(deals, 3, 10, FastChance("any"))
    for seat in range(3):
        so_far = 0.0
        for each in found:
            assert each[seat] == 0 or so_far > rig_bound.DROPPED
            so_far += each[seat]


# -- Card Thief


def test_doubt_is_estimated_without_bias_whatever_the_number_of_roll_outs() -> None:
    for rollouts in (2, 5, 10):
        for winning in (0.0, 0.3, 0.5, 1.0):
            expected = sum(
                math.comb(rollouts, won) * winning**won * (1 - winning) ** (rollouts - won) * thief.doubt(won, rollouts)
                for won in range(rollouts + 1)
            )
            assert expected == pytest.approx(4 * winning * (1 - winning))


def test_a_heist_that_is_over_has_no_doubt_left() -> None:
    winnable, lost = thief.Foreseen(1, 5.0), thief.Foreseen(0, 0.0)
    ended = thief.Heist((), False, "caught", 0.0, 20, (winnable, winnable), lost)  # before half of the deck was dealt
    figures = thief.doubts([ended] * 30, 2, "any")
    assert [each["value"] for each in figures] == [2.0, 2.0, 0.0, 0.0]
    left = thief.doubt_left([ended] * 30, 2, "any")
    tense = thief.tension([ended] * 30, "any")
    assert left
    assert tense
    assert (left["value"], tense["value"]) == (0.0, 0.0)


def test_what_is_foreseen_of_a_heist_changes_nothing_in_it() -> None:
    alone, foreseen = (thief.heist("any", "greedy", 1, "on", 0, rollouts) for rollouts in (0, 2))
    assert foreseen.half_way
    assert foreseen._replace(parts=(), half_way=None) == alone


def test_the_director_study_counts_the_cards_on_the_board() -> None:
    state = catalogue.find("thief").start(1, {"level": "1", "director": "on"}, FastChance("any"))
    seen = thief.sample(state)  # type: ignore[arg-type]
    kinds = [card.kind for card in state.observe(None).position.board if card]
    assert seen.enemies == kinds.count("guard")
    assert seen.lamps == kinds.count("torch")
    assert seen.rest_there == bool({"sneak", "hide"} & set(kinds))
    assert seen.stealth == 10


# -- the measures


def test_the_matches_of_bots_do_not_depend_on_who_judges_them() -> None:
    one, two = (measures.judged_history("any", measures.Judged("kuhn", "easy", k, 0)) for k in (1, 3))
    assert [each.move for each in one.decisions] == [each.move for each in two.decisions]
    assert one.scores == two.scores
    assert all(len(each.means) == each.options for each in two.decisions), "every option is judged"


def test_matches_of_bots_have_the_deals_of_reports() -> None:
    """The first player has the same cards, so the same moves."""
    for index in range(3):
        bots = measures.judged_history("any", measures.Judged("agram", "random", 1, index))
        played = play(measures._analysis("any", "agram", 1), "search", index)
        assert bots.decisions[0].options == played["history"]["decisions"][0]["options"]
        first = catalogue.find("agram").start(
            3, {}, SealedChance(measures._analysis("any", "agram", 1).match_seed("search", index))
        )
        assert bots.decisions[0].move in first.legal_moves(first.to_act()[0])


def test_a_change_is_measured_over_pairs() -> None:
    chance = random.Random(1)
    before = [{"drama": (chance.random(), 1.0)} for _ in range(60)]
    after = [{"drama": (each["drama"][0] + 0.1 + 0.01 * chance.random(), 1.0)} for each in before]
    found = measures.change(before, after, "drama", "any")
    assert found
    assert found["low"]
    assert found["high"]
    assert 0.1 < found["low"] < found["value"] < found["high"] < 0.11, (
        "narrow, because the difference between matches cancels"
    )
    assert measures.change(before, [{"drama": (0.0, 0.0)}] * 60, "drama", "any") is None


def test_a_comparison_that_is_clear_stays_so_or_is_lost_or_reversed() -> None:
    def game(low: float, high: float) -> dict[str, Any]:
        figures = {
            k: {"drama": {"value": value, "low": value - 0.02, "high": value + 0.02, "matches": 100}}
            for k, value in (("5", low), ("40", high))
        }
        return {"rollouts": figures}

    games = {"games": {"a": game(0.3, 0.3), "b": game(0.5, 0.5), "c": game(0.305, 0.4), "d": game(0.7, 0.41)}}
    found = measures.verdicts(games, "5", "40", ["drama"])
    # a-b, b-c: the same; a-c: lost; a-d: the same; b-d: reversed; c-d: found.
    assert found == measures.Verdicts(clear=5, same=3, lost=1, reversed=1, found=1)


def test_at_equal_cost_more_roll_outs_are_fewer_matches() -> None:
    figure = {"value": 0.5, "low": 0.4, "high": 0.6, "matches": 100}
    game = {
        "rollouts": {k: {"drama": figure} for k in ("5", "20", "40")},
        "changes": {"20": {"drama": {"value": 0.3}}, "40": {"drama": {"value": 0.4}}},
    }
    few, many = (measures.at_equal_cost(game, k, 40, "drama") for k in (5, 20))
    assert (few.matches, many.matches) == (100, 25)
    assert many.half_width == pytest.approx(2 * few.half_width)
    assert few.error == pytest.approx(math.hypot(0.4, 0.1 / 1.96), abs=1e-4)
    assert many.error == pytest.approx(math.hypot(0.1, 0.2 / 1.96), abs=1e-4)


# -- people's answers


def answers(games: int, matches: int = people.MATCHES, fun: Callable[[int], float] = lambda game: game) -> list[Any]:
    """Return rows as the export writes them: matches of some games with two answers each, and a drama that grows."""
    return [
        {"match": f"{game}/{match}", "game": f"g{game}", "rules": "1", "fun": str(fun(game) + player), "fair": ""}
        | {"drama": str(game), "spread": "", "length": "10"}
        for game in range(games)
        for match in range(matches)
        for player in range(2)
    ]


def test_answers_of_people_are_correlated_with_measures_over_games() -> None:
    lines = people.findings(answers(people.GAMES))
    assert lines[0] == "fun and drama: +1.00 (+1.00 to +1.00; 20 games)"
    assert lines[1] == "fun and spread: not enough yet: 0 of 20 games have 5 matches with answers."
    assert lines[2] == "fun and length: all games are alike."
    falling = people.findings(answers(people.GAMES, fun=lambda game: -game % 17))
    assert falling[0].startswith("fun and drama: -0")


@pytest.mark.parametrize(("games", "matches"), [(people.GAMES - 1, people.MATCHES), (people.GAMES, people.MATCHES - 1)])
def test_with_fewer_than_twenty_games_of_five_matches_there_is_no_finding(games: int, matches: int) -> None:
    assert all("not enough yet" in line for line in people.findings(answers(games, matches)))


def test_a_match_counts_once_however_many_of_its_players_answer() -> None:
    rows = answers(1, fun=lambda game: 1)
    more = [{**rows[0], "fun": "5"} for _ in range(20)]
    [game] = people.by_game(rows + more, "fun").values()
    assert game.matches == people.MATCHES
    assert game.answer == pytest.approx((4 * 1.5 + (1 + 2 + 20 * 5) / 22) / 5)


def test_the_interval_of_a_rank_correlation_covers_zero_as_often_as_it_says() -> None:
    chance = random.Random(1)
    covered = 0
    for _ in range(400):
        found = people.spearman(*([chance.random() for _ in range(people.GAMES)] for _side in range(2)))
        assert found
        covered += found.low <= 0 <= found.high
    assert 0.92 < covered / 400 < 0.98
