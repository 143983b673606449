"""The dealing director with loaded dice: every branch, every band, every substitute card."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from games.core import Chance, FastChance
from games.thief import cards
from games.thief.cards import ENEMIES, GUARD, HATCH, LEVELS, STRONGBOX, Card
from games.thief.director import (
    Deal,
    after_the_deck,
    direct,
    enemies,
    obstacle,
    rest,
    shuffle_only,
    sneak_and_hide,
    strongbox,
    torches,
    treasure,
)
from games.thief.rules import HeistState
from tests.games.thief import card, heist


class Loaded(Chance):
    """Rolls the given numbers; every roll must be asked for, and no more."""

    def __init__(self, *draws: int) -> None:
        self.draws = list(draws)

    def randbelow(self, n: int) -> int:
        if n == 1:
            return 0
        assert self.draws, "one roll too many"
        draw = self.draws.pop(0)
        assert 0 <= draw < n
        return draw

    def stream(self, label: str) -> Chance:
        raise NotImplementedError

    def clone(self) -> Chance:
        raise NotImplementedError


def setting(
    deck: str,
    *rolls: int,
    size: int = 8,
    board: str = "",
    stealth: int = 10,
    turns: int = 5,
    level: int = 1,
    strongbox_due: bool = False,
    hatch_due: bool = False,
    late_deals: int = 0,
) -> Deal:
    """Return a deal about to begin. The first word of ``deck`` is the top; ``rolls`` count from 1, as people read."""
    return Deal(
        size=size,
        board=tuple(card(one) for one in board.split()),
        stealth=stealth,
        turns=turns,
        level=level,
        deck=[card(one) for one in reversed(deck.split())],
        chance=Loaded(*(roll - 1 for roll in rolls)),
        strongbox_due=strongbox_due,
        hatch_due=hatch_due,
        late_deals=late_deals,
    )


def chosen(deal: Deal) -> str:
    """The kinds chosen, in order; all loaded rolls must have been used."""
    assert isinstance(deal.chance, Loaded)
    assert not deal.chance.draws, "rolls that nobody asked for"
    return " ".join(one.kind for one in deal.chosen)


# -- 1 enemies


@pytest.mark.parametrize(("roll", "most"), [(1, 4), (5, 4), (6, 2), (15, 2), (16, 3), (100, 3)])
def test_the_maximum_is_four_enemies_at_5_percent_two_at_10_and_otherwise_three(roll: int, most: int) -> None:
    deal = setting("door " + "guard2> " * 6, roll, *[1] * most)
    enemies(deal)
    assert chosen(deal) == " ".join(["guard"] * most)


@pytest.mark.parametrize(("out", "tries"), [(0, 3), (1, 2), (2, 1), (3, 0), (5, 0)])
def test_there_is_one_roll_for_each_missing_enemy(out: int, tries: int) -> None:
    deal = setting("door " + "guard2> " * 6, 50, *[1] * tries, board="guard2> " * out)
    enemies(deal)
    assert len(deal.chosen) == tries
    assert chosen(deal).count("guard") == tries


@pytest.mark.parametrize(("roll", "kind"), [(1, "guard"), (85, "guard"), (86, "door"), (100, "door")])
def test_a_roll_deals_an_enemy_at_85_percent_and_otherwise_the_top_card(roll: int, kind: str) -> None:
    deal = setting("door guard2>", 50, roll, board="guard2> guard2>")
    enemies(deal)
    assert chosen(deal) == kind


def test_a_random_card_uses_up_its_roll_even_if_it_is_an_enemy() -> None:
    deal = setting("wolf^ torch trap guard2>", 50, 90, 90, 90)
    enemies(deal)
    assert chosen(deal) == "wolf torch trap"


def test_the_enemy_dealt_is_the_one_nearest_the_top_of_whatever_kind() -> None:
    deal = setting("door owl guard2> warden^ torch overseer^", 50, 1, 1, 1, level=4)
    enemies(deal)
    assert chosen(deal) == "owl guard warden"
    assert [one.kind for one in reversed(deal.deck)] == ["door", "torch", "overseer"], "the rest keeps its order"


def test_without_an_enemy_in_the_deck_the_top_card_is_dealt() -> None:
    deal = setting("door torch sneak1 trap", 50, 1, 1, 1)
    enemies(deal)
    assert chosen(deal) == "door torch sneak"


def test_enemies_stop_when_the_deal_is_full() -> None:
    deal = setting("guard2> guard2> guard2> torch", 50, 1, 1, size=2)
    assert [one.kind for one in direct(deal)] == ["guard", "guard"]
    assert chosen(deal) == "guard guard", "two enemies chosen, so no other type is looked at"


# -- 2 sneak and hide


@pytest.mark.parametrize(("turns", "dealt"), [(0, "sneak"), (1, "sneak"), (2, "sneak")])
def test_in_the_first_three_turns_a_missing_sneak_is_dealt_without_a_roll(turns: int, dealt: str) -> None:
    deal = setting("door treasure1 sneak1", turns=turns)
    sneak_and_hide(deal)
    assert chosen(deal) == dealt


@pytest.mark.parametrize(("roll", "dealt"), [(1, "sneak"), (70, "sneak"), (71, "treasure"), (100, "treasure")])
def test_later_a_sneak_is_dealt_at_70_percent_and_otherwise_a_treasure(roll: int, dealt: str) -> None:
    deal = setting("door treasure1 sneak1", roll, turns=3, stealth=6)
    sneak_and_hide(deal)
    assert chosen(deal) == dealt


@pytest.mark.parametrize("turns", [0, 5])
def test_with_a_sneak_on_the_board_and_enough_stealth_nothing_is_dealt(turns: int) -> None:
    deal = setting("door treasure1 sneak1 hide", turns=turns, board="sneak1")
    sneak_and_hide(deal)
    assert chosen(deal) == ""


@pytest.mark.parametrize("out", ["", "sneak1"])
@pytest.mark.parametrize("stealth", [4, 0, -7])
def test_below_five_stealth_a_hide_is_dealt_whether_or_not_a_sneak_is_out(stealth: int, out: str) -> None:
    deal = setting("door sneak1 hide", stealth=stealth, board=out)
    sneak_and_hide(deal)
    assert chosen(deal) == "hide"


def test_with_a_hide_out_already_nothing_is_dealt_below_five_stealth() -> None:
    deal = setting("door sneak1 hide", stealth=4, board="hide")
    sneak_and_hide(deal)
    assert chosen(deal) == ""


def test_at_exactly_five_stealth_neither_is_dealt() -> None:
    deal = setting("door sneak1 hide treasure1", stealth=5)
    sneak_and_hide(deal)
    assert chosen(deal) == ""


def test_early_and_low_on_stealth_both_are_dealt_the_sneak_first() -> None:
    deal = setting("door hide sneak1", stealth=4, turns=0)
    sneak_and_hide(deal)
    assert chosen(deal) == "sneak hide"


def test_the_second_of_them_needs_room() -> None:
    deal = setting("door hide sneak1", stealth=4, turns=0, size=1)
    sneak_and_hide(deal)
    assert chosen(deal) == "sneak"


@pytest.mark.parametrize(("deck", "dealt"), [("door sneak1 torch", "sneak"), ("door torch", "door")])
def test_without_a_hide_a_sneak_is_dealt_and_without_either_the_top_card(deck: str, dealt: str) -> None:
    deal = setting(deck, stealth=2)
    sneak_and_hide(deal)
    assert chosen(deal) == dealt


@pytest.mark.parametrize(("deck", "dealt"), [("door hide torch", "hide"), ("door torch", "door")])
def test_without_a_sneak_a_hide_is_dealt_and_without_either_the_top_card(deck: str, dealt: str) -> None:
    for turns, rolls in ((0, ()), (5, (70,))):
        deal = setting(deck, *rolls, turns=turns)
        sneak_and_hide(deal)
        assert chosen(deal) == dealt


def test_a_hide_that_stood_in_for_an_early_sneak_counts_as_a_hide() -> None:
    deal = setting("door hide hide", stealth=4, turns=0)
    sneak_and_hide(deal)
    assert chosen(deal) == "hide"


def test_a_missing_early_sneak_is_not_rolled_for_again() -> None:
    deal = setting("door torch trap", turns=0)
    sneak_and_hide(deal)
    assert chosen(deal) == "door"


def test_without_a_treasure_the_roll_deals_the_top_card() -> None:
    deal = setting("door sneak1", 71)
    sneak_and_hide(deal)
    assert chosen(deal) == "door"


# -- 3 torches


@pytest.mark.parametrize(
    ("out", "dealt"),
    [("", "torch torch"), ("torch", "torch"), ("warden^", "torch"), ("torch warden^", ""), ("torch torch torch", "")],
)
def test_torches_are_topped_up_to_two_and_wardens_count(out: str, dealt: str) -> None:
    deal = setting("door torch torch torch", board=out)
    torches(deal)
    assert chosen(deal) == dealt


def test_a_warden_just_dealt_as_an_enemy_counts_as_a_torch() -> None:
    deal = setting("warden^ torch torch torch", 50, 1, board="guard2> guard2>")
    enemies(deal)
    torches(deal)
    assert chosen(deal) == "warden torch"


def test_without_a_torch_a_warden_is_dealt_and_without_either_random_cards() -> None:
    deal = setting("door warden^ trap")
    torches(deal)
    assert chosen(deal) == "warden door trap", "the deck is empty then"
    deal = setting("door " * 10, size=4)
    torches(deal)
    assert chosen(deal) == "door door door door", "until the deal is full"


# -- 4 treasure, 5 obstacles


@pytest.mark.parametrize(
    ("out", "dealt"), [("", "treasure"), ("treasure1 treasure1", "treasure"), ("door", ""), ("trap", "")]
)
def test_where_there_is_no_obstacle_a_treasure_is_dealt(out: str, dealt: str) -> None:
    deal = setting("torch treasure1 door", board=out)
    treasure(deal)
    assert chosen(deal) == dealt


@pytest.mark.parametrize(
    ("roll", "dealt"), [(1, "trap"), (39, "trap"), (40, "treasure"), (90, "treasure"), (91, "torch"), (100, "torch")]
)
def test_then_an_obstacle_is_dealt_at_39_percent_a_treasure_at_51_and_otherwise_a_random_card(
    roll: int, dealt: str
) -> None:
    deal = setting("torch treasure1 trap door", roll)
    obstacle(deal)
    assert chosen(deal) == dealt


def test_of_doors_and_traps_the_one_nearer_the_top_is_dealt() -> None:
    deal = setting("torch door trap", 1)
    obstacle(deal)
    assert chosen(deal) == "door"


def test_with_an_obstacle_out_nothing_is_rolled() -> None:
    deal = setting("torch treasure1 door", board="door")
    obstacle(deal)
    assert chosen(deal) == ""


def test_a_random_card_in_place_of_the_treasure_may_be_the_obstacle() -> None:
    deal = setting("trap torch door")
    treasure(deal)
    obstacle(deal)
    assert chosen(deal) == "trap", "so no obstacle is rolled for"


@pytest.mark.parametrize("roll", [39, 90])
def test_without_an_obstacle_or_treasure_in_the_deck_the_top_card_is_dealt(roll: int) -> None:
    deal = setting("torch sneak1", roll)
    obstacle(deal)
    assert chosen(deal) == "torch"


# -- 6 the rest, and scripted cards


def test_the_rest_comes_from_the_top() -> None:
    deal = setting("door torch trap hide", size=3)
    rest(deal)
    assert chosen(deal) == "door torch trap"


def test_without_requests_the_top_cards_are_dealt_and_the_hatch_waits_for_the_end_of_the_deck() -> None:
    deal = setting(
        "door treasure1 guard2>", 50, size=2, board="guard2> wolf^ guard2> sneak1 torch torch door", hatch_due=True
    )
    direct(deal)
    assert chosen(deal) == "door treasure"


def test_the_strongbox_comes_first_when_it_is_due_at_its_lowest_price() -> None:
    deal = setting("door torch", size=1, strongbox_due=True)
    assert direct(deal) == [Card(STRONGBOX, value=1)]
    assert len(deal.deck) == 2
    deal = setting("door torch", size=1)
    strongbox(deal)
    assert chosen(deal) == ""


def test_an_opening_deal_chooses_exactly_eight_cards() -> None:
    deck = "guard2> " * 5 + "treasure1 treasure1 trap torch torch sneak1 hide"
    deal = setting(deck, 50, 85, 85, 85, 39, turns=0)
    assert direct(deal) == deal.chosen
    assert chosen(deal) == "guard guard guard sneak torch torch treasure trap"
    assert [(roll.step, roll.roll, roll.outcome) for roll in deal.rolls] == [
        ("most enemies", 50, "3"),
        *[("enemy", 85, "an enemy")] * 3,
        ("obstacle", 39, "door or trap"),
    ]


def test_every_number_of_the_article_in_one_deal() -> None:
    """Stealth 4, six cards: two enemies, one at random; a hide, a torch beside the warden dealt, a treasure, a roll."""
    deal = setting("treasure1 warden^ torch sneak1 hide guard2>", 15, 86, 85, 91, size=6, stealth=4)
    direct(deal)
    assert chosen(deal) == "treasure warden hide torch sneak guard"


def test_without_the_director_cards_come_from_the_top_and_nothing_is_rolled() -> None:
    deal = setting("door door door torch", size=4, strongbox_due=True, turns=0, stealth=1)
    shuffle_only(deal)
    assert chosen(deal) == "strongbox door door door"


# -- after the deck


def test_a_deck_that_runs_out_goes_on_with_the_hatch_torches_and_enemies() -> None:
    deal = setting("door trap", 50, 1, 1, 1, 1, size=7, hatch_due=True)
    direct(deal)
    assert chosen(deal) == "door trap hatch torch torch guard guard"


def test_an_empty_deck_rolls_nothing_of_the_steps() -> None:
    deal = setting("", size=2, hatch_due=True)
    direct(deal)
    assert chosen(deal) == "hatch torch"


def test_there_is_one_hatch_and_torches_only_up_to_two() -> None:
    deal = setting("", 1, 1, size=2, board="hatch torch torch")
    after_the_deck(deal)
    assert chosen(deal) == "guard guard"


def test_a_warden_counts_as_a_torch_after_the_deck_too() -> None:
    deal = setting("", 1, 1, size=1, board="torch warden^", level=2)
    after_the_deck(deal)
    assert chosen(deal) == "guard"


@pytest.mark.parametrize(
    ("level", "pool"),
    [
        (1, ["guard"]),
        (2, ["guard", "warden", "wolf"]),
        (3, ["guard", "warden", "wolf", "owl"]),
        (4, ["guard", "warden", "wolf", "owl", "overseer"]),
    ],
)
def test_the_pool_grows_with_the_level(level: int, pool: list[str]) -> None:
    results = []
    for index in range(len(pool)):
        pick = [index + 1] if len(pool) > 1 else []  # one of one is not drawn
        value = [1] if index == 0 else []  # only guards come in two values
        deal = setting("", *pick, *value, size=1, board="torch torch", level=level)
        after_the_deck(deal)
        results.append(chosen(deal))
    assert results == pool


def test_late_torches_come_before_the_wardens_of_the_pool() -> None:
    deal = setting("", 2, size=2, board="torch", level=2)
    after_the_deck(deal)
    assert chosen(deal) == "torch warden"


@pytest.mark.parametrize(
    ("late", "guard", "wolf", "overseer"),
    [
        (0, (2, 1), (2, 0), (4, 3)),
        (2, (2, 1), (2, 0), (4, 3)),
        (3, (3, 2), (3, 0), (5, 4)),
        (7, (4, 3), (4, 0), (6, 5)),
    ],
)
def test_every_three_late_deals_enemies_get_harder_and_their_purses_richer(
    late: int, guard: tuple[int, int], wolf: tuple[int, int], overseer: tuple[int, int]
) -> None:
    deal = setting("", 1, 1, 3, 5, size=3, board="torch torch", level=4, late_deals=late)
    after_the_deck(deal)
    assert [(one.value, one.purse) for one in deal.chosen] == [guard, wolf, overseer]


def test_late_guards_are_of_two_or_three() -> None:
    deal = setting("", 1, 2, size=1, board="torch torch", level=2)
    after_the_deck(deal)
    assert deal.chosen == [cards.guard(3)]


# -- the heist hands the director the right things


def test_the_strongbox_comes_with_the_first_deal_after_22_cards() -> None:
    for dealt, comes in ((21, False), (22, True)):
        state = heist("@ treasure1 . treasure1 . . . . .", level=1)
        state.deck = cards.deck(1)[: 43 - dealt]
        state.strongbox_out = False
        state.apply(0, "path 1 3")
        assert any(one and one.kind == STRONGBOX for one in state.board) == comes
        assert state.strongbox_out == comes


def test_the_early_turns_are_the_opening_and_the_deals_after_turns_1_and_2() -> None:
    state = heist("@ treasure1 . treasure1 . . . . .")
    seen = []
    for turn in range(4):
        state.directed = True
        state.board = heist("@ treasure1 . treasure1 . . . . .").board
        state.thief, state.turn, state.stealth = 0, turn, 10
        state.deck = [Card("treasure", value=1)] * 20 + [Card("sneak", value=1)] + [cards.guard(2)] * 5
        state.apply(0, "path 1 3")
        seen.append([roll.step for roll in state.rolls].count("sneak or treasure"))
    assert seen == [0, 0, 1, 1], "turns finished when cards are dealt: 1, 2, 3, 4"


@pytest.mark.parametrize(("stealth", "comes"), [(4, True), (5, False)])
def test_the_director_knows_how_much_stealth_is_left(stealth: int, comes: bool) -> None:
    state = heist("@ treasure1 . treasure1 . . . . door", stealth)
    state.directed, state.turn = True, 5
    state.deck = [Card("hide"), *[Card("treasure", value=1)] * 20]
    state.apply(0, "path 1 3")
    assert any(one and one.kind == "hide" for one in state.board) == comes


@pytest.mark.parametrize(("late", "values"), [(2, {2, 3}), (3, {3, 4})])
def test_enemies_get_harder_as_late_deals_go_by(late: int, values: set[int]) -> None:
    state = heist("@ treasure1 . treasure1 . . . . .")
    state.late_deals = late
    state.apply(0, "path 1 3")
    assert {one.value for one in state.board if one and one.kind == GUARD} <= values


def test_late_deals_are_counted_from_the_first_that_the_deck_was_too_short_for() -> None:
    state = heist(". . . . treasure1 treasure1 . . @", deck="door " * 7 + "torch")
    state.apply(0, "path 4 5")
    assert (state.late_deals, len(state.deck)) == (0, 0)
    position = heist(". . . . treasure1 treasure1 . . @")
    state.board, state.thief = position.board, position.thief
    state.apply(0, "path 4 5")
    assert state.late_deals == 1
    assert sum(one is not None and one.kind == HATCH for one in state.board) == 1


# -- the rolls of ten thousand deals


def within(count: int, of: int, share: float) -> bool:
    """Whether a count is what its share makes likely: four standard deviations, and the seed is always the same."""
    return abs(count - of * share) <= 4 * math.sqrt(of * share * (1 - share))


def test_over_10_000_deals_the_rolls_come_as_often_as_the_article_says() -> None:
    outcomes: Counter[tuple[str, str]] = Counter()
    rolls: Counter[int] = Counter()
    for index in range(10_000):
        chance = FastChance(f"director/{index}")
        deck = cards.deck(1 + index % 4)
        chance.shuffle(deck)
        deal = Deal(size=8, board=(), stealth=10, turns=9, level=1 + index % 4, deck=deck, chance=chance)
        direct(deal)
        outcomes.update((roll.step, roll.outcome) for roll in deal.rolls)
        rolls.update(roll.roll for roll in deal.rolls)
    shares = {
        "most enemies": {"4": 0.05, "2": 0.10, "3": 0.85},
        "enemy": {"an enemy": 0.85, "a random card": 0.15},
        "sneak or treasure": {"sneak": 0.70, "treasure": 0.30},
        "obstacle": {"door or trap": 0.39, "treasure": 0.51, "a random card": 0.10},
    }
    assert {step for step, _ in outcomes} == set(shares)
    for step, expected in shares.items():
        total = sum(count for (of, _), count in outcomes.items() if of == step)
        assert total > 5_000
        assert {outcome for of, outcome in outcomes if of == step} == set(expected)
        for outcome, share in expected.items():
            assert within(outcomes[step, outcome], total, share), (step, outcome)
    total = rolls.total()
    assert set(rolls) == set(range(1, 101))
    assert all(within(count, total, 0.01) for count in rolls.values())


@pytest.mark.parametrize("level", LEVELS)
def test_over_many_openings_cards_lie_and_look_everywhere_alike(level: int) -> None:
    places: Counter[int] = Counter()
    facings: Counter[int] = Counter()
    for index in range(1_000):
        state = HeistState(level, directed=True, chance=FastChance(f"{level}/{index}"))
        for cell, one in enumerate(state.board):
            if one is not None and one.kind in ENEMIES:
                places[cell] += 1
            if cell == 4 and one is not None and one.kind == GUARD:
                facings[one.facing] += 1
    assert all(within(places[cell], places.total(), 1 / 8) for cell in range(8))
    assert all(within(facings[facing], facings.total(), 1 / 4) for facing in range(4))


def test_the_director_keeps_a_board_between_too_easy_and_too_hard() -> None:
    """What it is for: openings have two torches and three enemies far more often than a plain shuffle brings them."""
    usual = {}
    for directed in (True, False):
        hits = 0
        for index in range(400):
            board = HeistState(1, directed=directed, chance=FastChance(str(index))).board
            kinds = Counter(one.kind for one in board if one)
            hits += kinds["torch"] >= 2 and 2 <= kinds["guard"] <= 4 and kinds["sneak"] >= 1
        usual[directed] = hits / 400
    assert usual[True] > 0.95 > 0.5 > usual[False]
