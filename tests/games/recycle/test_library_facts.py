"""Facts about games of the library: Crazy Eights, Go Fish, Pairs, Blackjack, Cribbage, Golf, and others.

What a text computes is compared with what is computed here from the cards that lie there, or with a published value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from games.core import FastChance
from games.recycle.game import RecycleGame, read
from games.recycle.provider import FOLDER
from games.recycle.rules import RecycleState
from tests.games.recycle.library import game_of
from tests.tiers import is_full, sampled

CARDS = {  # of games with other cards than the usual 52
    "pairs": 55,
    "expeditions": 60,
    "colours": 76,
}
PLAYERS = {
    "blackjack": (1, 5),
    "climbing-partners": (4, 4),
    "colours": (3, 5),
    "crazy-eights": (2, 5),
    "cribbage": (2, 2),
    "expeditions": (2, 2),
    "go-fish": (2, 5),
    "golf": (2, 4),
    "golf-patience": (1, 1),
    "pairs": (2, 5),
    "rummy": (2, 4),
}
TABLES = [(name, seats) for name, (low, high) in PLAYERS.items() for seats in range(low, high + 1)]
MOST_DECISIONS = 500
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
WORDS = ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN")


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.rcy").read_text(encoding="utf-8")


def game(name: str) -> RecycleGame:
    return game_of(FOLDER / f"{name}.rcy")


def lying(state: RecycleState, name: str, owner: int = -1, *, vis: str = "") -> list[str]:
    """Return the faces of the cards in a place, the bottom one first."""
    return [
        card.face
        for place in state.observe(None, face_up=True).places
        if (place.where.name, place.where.owner) == (name, owner) and vis in ("", place.where.vis)
        for card in place.cards
    ]


def kept(state: RecycleState, name: str, seat: int | None = None) -> int | str:
    """Return the number or the name that a store of the table, or of a player, holds."""
    owner = ("game", 0) if seat is None else ("player", seat)
    for store in state.observe(None).stores:
        if (store.owner, store.number, store.name) == (*owner, name):
            assert store.value is not None, "no library game of these has secrets"
            return store.value
    raise AssertionError(f"there is no {name}")


def number(state: RecycleState, name: str, seat: int | None = None) -> int:
    value = kept(state, name, seat)
    assert isinstance(value, int)
    return value


def played(name: str, seats: int, seed: str, *, keep: str = "") -> Iterator[tuple[RecycleState, int, str]]:
    """Play a match at random. Yield (state, seat, move) before each move, and at last (state, -1, "").

    ``keep``: a rank that nobody plays as long as there is anything else to do.
    """
    state = game(name).start(seats, {}, FastChance(seed))
    chance = FastChance(f"moves of {seed}")
    for _ in range(MOST_DECISIONS):
        if not state.to_act():
            yield state, -1, ""
            return
        [seat, *_] = state.to_act()
        moves = state.legal_moves(seat)
        move = chance.choice([each for each in moves if not keep or each[0] != keep] or moves)
        yield state, seat, move
        state.play(seat, move)
    raise AssertionError(f"{name} is not over after {MOST_DECISIONS} decisions")


def finished(name: str, seats: int, seed: str, *, keep: str = "") -> RecycleState:
    """Return a match played at random to its end."""
    state, seat, _ = list(played(name, seats, seed, keep=keep))[-1]
    assert seat == -1
    return state


def pips(face: str) -> int:
    """What a card of the usual pack counts where court cards are ten and the ace is one."""
    return min(RANKS.index(face[:-1]) + 1, 10)


# -- all of them


@pytest.mark.parametrize(("name", "seats"), sampled(TABLES, 3))
def test_every_match_ends_and_loses_no_card(name: str, seats: int) -> None:
    for seed in range(20 if is_full() else 2):
        for state, _, _ in played(name, seats, f"{seed}"):
            places = [place for place in state.observe(None, face_up=True).places if place.where.vis != "mem"]
            assert sum(len(place.cards) for place in places) == CARDS.get(name, 52)


@pytest.mark.parametrize("name", PLAYERS)
def test_the_head_says_how_many_play(name: str) -> None:
    low, high = PLAYERS[name]
    found = game(name)
    assert (found.min_seats, found.max_seats) == (low, high)
    assert found.facts["Players"] == (f"{low}" if low == high else f"{low}-{high}")
    assert {"Title", "Kind", "Minutes", "Summary", "Source"} <= found.facts.keys()


@pytest.mark.parametrize(("name", "seats"), sampled([(name, high) for name, (_, high) in PLAYERS.items()], 3))
def test_a_determinization_looks_the_same_to_its_seat_and_can_be_played_to_the_end(name: str, seats: int) -> None:
    chance = FastChance("samples")
    for state, turn, _ in played(name, seats, "a match"):
        if turn < 0 or chance.randbelow(8):
            continue
        for seat in range(seats):
            sample = state.determinize(seat, chance)
            assert repr(sample.observe(seat)) == repr(state.observe(seat))
            assert len(sample.rollout(chance)) == seats


# -- parts of a text, tried out


def between(name: str, begin: str, end: str) -> str:
    """Return the lines of a text between two of its comments."""
    text = text_of(name)
    return text[text.index(f";; -- {begin}") : text.index(f";; -- {end}")]


def points_maps(name: str) -> str:
    """Return the statement in which a text sets its point maps: its first one."""
    text = text_of(name)
    start = text.index("\n  (do\n")
    return text[start : text.index("\n\n", start)]


def card(face: str) -> str:
    """Return the card of the stock that has a face, as a text says it."""
    rank = dict(zip(RANKS, ("A", *WORDS[1:], "J", "Q", "K"), strict=True))[face[:-1]]
    suit = {"H": "HEARTS", "D": "DIAMONDS", "C": "CLUBS", "S": "SPADES"}[face[-1]]
    return f"(top (filter (game hloc STOCK) 'X (and (== (cardatt RANK 'X) {rank}) (== (cardatt SUIT 'X) {suit}))))"


def result(name: str, statements: str, score: str) -> list[float]:
    """Return what two players score in a text of the cards and the point maps of another one, and these statements."""
    text = text_of(name)
    deck = text[text.index("(create deck") : text.index("\n\n", text.index("(create deck"))]
    text = f"(game (setup (create players 2) {deck} {points_maps(name)} {statements} (scoring max {score}))"
    return read("part", text).start(2, {}, FastChance("part")).scores()


HANDS = [
    # The best there are, and what books of the game count for well-known hands.
    ("5H 5D 5S JC", "5C", 29),
    ("5H 5D 5S 5C", "KC", 28),
    ("7H 7D 8S 8C", "9C", 24),
    ("4H 5D 5S 6C", "6D", 24),
    ("4H 4D 5S 6C", "6D", 24),
    ("3H 3D 3S 9C", "3C", 24),
    ("6H 7D 7S 8C", "8D", 24),
    ("5H 10D JS QC", "KD", 12),
    ("AH 2D 3S 4C", "5D", 7),
    ("JH QD KS 5C", "5D", 17),
    ("2H 4D 6S 8C", "KD", 0),
    ("JD 2H 4S 6C", "8D", 1),
    ("2H 4H 6H 8H", "KD", 4),
    ("2H 4H 6H 8H", "KH", 5),
]


@pytest.mark.parametrize(("hand", "starter", "points"), HANDS)
def test_cribbage_counts_a_hand_as_published(hand: str, starter: str, points: int) -> None:
    assert count(hand, starter, show=1) == points
    assert count(hand, starter, show=2) == points


@pytest.mark.parametrize(("starter", "points"), [("KD", 0), ("KH", 5)])
def test_a_flush_of_four_does_not_count_in_the_crib(starter: str, points: int) -> None:
    assert count("2H 4H 6H 8H", starter, show=3) == points


def count(hand: str, starter: str, *, show: int) -> float:
    moves = "".join(f"(move {card(face)} (top ((current player) vloc PLAYED)))" for face in hand.split())
    counting = between("cribbage", "points of the count", "end of the count")
    statements = (
        f"(do ({moves} (move {card(starter)} (top (game vloc STARTER))) (set (game sto SHOW) {show}) {counting}))"
    )
    return result("cribbage", statements, "(game sto POINTS)")[0]


@pytest.mark.parametrize(
    ("cards", "scores"),
    [
        ("5H KD", [0, 2]),  # fifteen
        ("7H 7D 7S", [6, 2]),  # a pair, and three alike
        ("7H 7D 7S 7C", [6, 14]),  # and four alike
        ("3H 5D 4S", [3, 0]),  # a run in another order
        ("3H 5D 4S 6C", [3, 4]),
        ("4H 6D 5S", [5, 0]),  # a run and fifteen
        ("4H 6D 5S 5C", [5, 2]),  # a pair breaks the run
        ("7H 8D 8S", [2, 2]),
        ("KH QD AS 10C", [0, 2]),  # thirty-one
        ("KH QD AS 10C 9S 8C", [0, 2]),  # after which the count, and every run, begins again
        ("KH JD AS QC", [0, 2]),  # another card in between: no run
        ("8H 7D 6S 5C 4H", [3 + 5, 2 + 4]),
    ],
)
def test_cribbage_scores_the_play_as_the_rules_say(cards: str, scores: list[int]) -> None:
    play = between("cribbage", "points of the play", "end of the play")
    statements = "".join(
        f"""(do ((move {card(face)} (top ((current player) vloc PLAYED)))
                 (remember (top ((current player) vloc PLAYED)) (top (game mem LINE)))
                 {play}
                 (cycle current next)))"""
        for face in cards.split()
    )
    assert result("cribbage", statements, "((current player) sto SCORE)") == scores


def test_cribbage_is_won_with_121_points() -> None:
    for seed in range(10):
        state = finished("cribbage", 2, f"{seed}")
        best, other = sorted(state.scores(), reverse=True)
        assert best >= 121 > other


def test_a_player_who_cannot_play_to_thirty_one_says_go_and_the_last_card_is_worth_a_point() -> None:
    passes = 0
    for seed in range(10):
        for state, seat, move in played("cribbage", 2, f"{seed}"):
            if move != "pass":
                continue
            passes += 1
            before, hand = number(state, "COUNT"), lying(state, "HAND", seat)
            assert all(before + pips(face) > 31 for face in hand)
            assert any(before + pips(face) <= 31 for face in lying(state, "HAND", 1 - seat))
    assert passes > 10


@pytest.mark.parametrize(
    ("hand", "total"),
    [("AH KD", 21), ("AH AD", 12), ("AH 6D KS", 17), ("10H 6D 9S", 25), ("AH AD 9S", 21), ("AH 6D", 17), ("2H 3D", 5)],
)
def test_blackjack_counts_an_ace_as_eleven_where_there_is_room(hand: str, total: int) -> None:
    moves = "".join(f"(move {card(face)} (top ('P vloc HAND)))" for face in hand.split())
    counting = between("blackjack", "the total of a hand", "end of the total")
    statements = f"(do ((all (current team) 'P (do ({moves} {counting})))))"
    assert result("blackjack", statements, "((current player) sto TOTAL)") == [total, 0]


def total(hand: Sequence[str]) -> int:
    """The total of a hand at Blackjack."""
    low = sum(map(pips, hand))
    return low + 10 if low <= 11 and any(face[:-1] == "A" for face in hand) else low


def test_the_house_draws_to_seventeen_and_pays_what_is_due() -> None:
    """The cards of the last round are still there at the end: compare what it brought."""
    met = set()
    for seed in range(60):
        (before, _, _), (state, _, _) = [
            (state.clone(), seat, move) for state, seat, move in played("blackjack", 3, f"{seed}")
        ][-2:]
        if number(before, "ROUND") < 10:
            continue  # nobody had anything to decide in it
        house = lying(state, "HOUSE")
        dealer, natural = total(house), len(house) == 2 and total(house) == 21
        stood = any(kept(state, "STATE", seat) == "STAND" for seat in range(3))
        assert dealer >= 17 or not stood
        assert len(house) == 2 or total(house[:-1]) < 17
        for seat in range(3):
            hand, bet = lying(state, "HAND", seat), number(state, "BET", seat)
            won = number(state, "CHIPS", seat) - number(before, "CHIPS", seat)
            mine = total(hand)
            if not hand:
                expected = 0
            elif mine > 21:
                expected = -bet
            elif len(hand) == 2 and mine == 21:
                expected = 0 if natural else bet * 3 // 2
            elif natural or mine < dealer <= 21:
                expected = -bet
            else:
                expected = 0 if mine == dealer else bet
            met.add((natural, len(hand) == 2 and mine == 21, mine > 21, expected > 0))
            assert won == expected, (hand, house)
            assert state.scores()[seat] == number(state, "CHIPS", seat) - 40
    assert len(met) >= 5


# -- what players may do, and see


def test_nobody_sees_a_card_that_lies_face_down_at_golf() -> None:
    for seed in range(3):
        for state, _, _ in played("golf", 3, f"{seed}"):
            for audience in (None, 0, 1, 2):
                for place in state.observe(audience).places:
                    if place.where.vis == "hloc" and place.where.name != "STOCK":
                        assert [(card.id, card.face) for card in place.cards] == [("", "")] * len(place.cards)


def test_a_column_of_two_alike_is_worth_nothing_at_golf() -> None:
    alike = 0
    for seed in range(10):
        state = finished("golf", 2, f"{seed}")
        for seat in range(2):
            strokes = 0
            for name in ("LEFT", "MIDDLE", "RIGHT"):
                first, second = lying(state, name, seat, vis="vloc")
                alike += first[:-1] == second[:-1]
                if first[:-1] != second[:-1]:
                    strokes += sum({"K": 0, "2": -2}.get(face[:-1], pips(face)) for face in (first, second))
            assert number(state, "LASTHOLE", seat) == strokes
    assert alike


def test_only_what_fits_is_played_at_crazy_eights() -> None:
    for seed in range(10):
        before = None
        for state, _, _ in played("crazy-eights", 3, f"{seed}"):
            pile, suit = lying(state, "DISCARD"), kept(state, "SUIT")
            if before and len(pile) > len(before[0]):
                old, top = before[0][-1], pile[-1]
                assert len(pile) == len(before[0]) + 1
                assert top[:-1] == "8" or top[-1] == str(before[1])[0] or top[:-1] == old[:-1]
                assert top[:-1] == "8" or str(suit)[0] == top[-1]
            before = pile, suit


def test_cards_left_at_crazy_eights_cost_their_pips_and_eights_fifty() -> None:
    eights = 0
    for seed in range(10):
        state = finished("crazy-eights", 3, f"{seed}", keep="8")
        hands = [lying(state, "HAND", seat) for seat in range(3)]
        assert state.scores() == [sum(50 if face[:-1] == "8" else pips(face) for face in hand) for hand in hands]
        eights += sum(face[:-1] == "8" for hand in hands for face in hand)
    assert eights


def test_crazy_eights_keeps_the_points_of_a_hand_to_itself_before_the_end() -> None:
    for state, seat, _ in played("crazy-eights", 3, "hands"):
        if seat >= 0:
            assert state.observe(None).scores == (0, 0, 0)


def test_one_asks_for_what_one_has_and_gets_all_of_it_at_go_fish() -> None:
    caught = 0
    for seed in range(4):
        asked = None
        for state, seat, move in played("go-fish", 4, f"{seed}"):
            hands = [lying(state, "HAND", each) for each in range(4)]
            if asked:
                asker, other, rank, before = asked
                assert not any(face[:-1] == rank for face in hands[other]), "all of them were handed over"
                if any(face[:-1] == rank for face in before):
                    caught += 1
                    assert seat in (asker, -1) or not hands[asker]
            asked = None
            if ":" in move:
                other, word = int(move[move.index(":") + 1]), move.partition("=")[2]
                rank = RANKS[WORDS.index(word)] if word in WORDS else word
                assert any(face[:-1] == rank for face in hands[seat]), "one asks for what one has"
                asked = seat, other, rank, hands[other]
        assert sum(state.scores()) == 13
    assert caught > 20


def test_no_row_holds_a_pair_at_pairs_and_somebody_has_reached_the_limit() -> None:
    for seed in range(20):
        for state, _, _ in played("pairs", 3, f"{seed}"):
            if state.to_act():
                for seat in range(3):
                    row = lying(state, "ROW", seat)
                    assert len(set(row)) == len(row)
        points = [sum(WORDS.index(face.upper()) + 1 for face in lying(state, "TAKEN", seat)) for seat in range(3)]
        assert state.scores() == points
        assert max(points) >= 21
        assert sum(each >= 21 for each in points) == 1


def test_expeditions_rise_and_earn_what_they_should() -> None:
    values = {word.lower(): number for number, word in enumerate(WORDS, 1)} | {"wager": 0}
    long = 0
    for seed in range(8):
        state = finished("expeditions", 2, f"{seed}")
        for seat in range(2):
            earned = 0
            for route in ("RED", "GREEN", "BLUE", "WHITE", "YELLOW"):
                laid = lying(state, route, seat)
                steps = [values[face.split()[0]] for face in laid]
                assert all(face.split()[1] == route.lower() for face in laid)
                assert all(low < high or low == high == 0 for low, high in pairwise(steps))
                if laid:
                    earned += (sum(steps) - 20) * (1 + steps.count(0)) + (20 if len(laid) >= 8 else 0)
                    long += len(laid) >= 4
            assert state.scores()[seat] == earned
    assert long


def test_a_card_just_laid_cannot_be_taken_back_on_an_expedition() -> None:
    laid, taken = "", 0
    for state, seat, move in played("expeditions", 2, "away"):
        if laid and not laid.startswith("wager"):  # of which there are three alike
            assert not any(each.startswith(f"{laid} ") for each in state.legal_moves(seat))
        laid = move.partition(" HAND>")[0] if " HAND>" in move else ""
        taken += move.endswith(">HAND") and not move.startswith("top ")
    assert taken, "others are taken back"


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_three_colours_count_and_all_others_against(seats: int) -> None:
    worth = [0, 1, 3, 6, 10, 15, 21]
    for seed in range(6):
        state = finished("colours", seats, f"{seed}")
        for seat in range(seats):
            colours = ("RED", "ORANGE", "YELLOW", "GREEN", "BLUE", "PURPLE", "BROWN")
            sizes = sorted((len(lying(state, colour, seat)) for colour in colours), reverse=True)
            points = [worth[min(size, 6)] for size in sizes]
            assert not lying(state, "JOKER", seat)
            assert state.scores()[seat] == sum(points[:3]) - sum(points[3:]) + 2 * len(lying(state, "BONUS", seat))


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ({"RED": 8}, 21),
        ({"RED": 6, "BLUE": 5, "GREEN": 4, "BROWN": 3}, 21 + 15 + 10 - 6),
        ({"RED": 1, "BLUE": 1, "GREEN": 2, "YELLOW": 1, "BONUS": 3}, 3 + 1 + 1 - 1 + 6),
        ({"ORANGE": 2, "PURPLE": 2, "BROWN": 2, "YELLOW": 2, "GREEN": 2, "RED": 2}, 9 - 9),
    ],
)
def test_seven_cards_of_a_colour_are_worth_no_more_than_six(cards: dict[str, int], points: int) -> None:
    text = text_of("colours")
    declared = text[text.index("(declare (RED") : text.index("(setup")]
    decks = text[text.index("(repeat 9") : text.index("\n\n", text.index("(repeat 9"))]
    moves = "".join(
        f"""(repeat {count} (move (top (filter (game hloc STOCK) 'C (== (cardatt COLOUR 'C) {colour})))
                                  (top ((0 player) vloc {colour}))))"""
        for colour, count in cards.items()
    )
    counting = between("colours", "the points", "end of the points")
    text = f"""(game {declared} (setup (create players 3) {decks}
               (do ({moves} {counting}))
               (scoring max ((current player) sto POINTS)))"""
    assert read("part", text).start(3, {}, FastChance("part")).scores() == [points, 0, 0]


def test_no_row_of_colours_is_longer_than_three_and_there_are_no_more_than_players_who_choose() -> None:
    for state, _, _ in played("colours", 3, "rows"):
        rows = [lying(state, name) for name in ("FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH")]
        assert max(map(len, rows)) <= 3
        assert sum(map(bool, rows)) <= sum(kept(state, "STATE", each) == "CHOOSING" for each in range(3))


def test_what_lies_at_rummy_are_sets_and_runs() -> None:
    sets = runs = 0
    for seed in range(12):
        state = finished("rummy", 2, f"{seed}")
        ranks = [face[:-1] for face in lying(state, "SETS")]
        assert all(ranks.count(rank) in (3, 4) for rank in ranks)
        sets += len(ranks)
        for suit in ("HEARTS", "DIAMONDS", "CLUBS", "SPADES"):
            laid = lying(state, suit)
            assert all(face[-1] == suit[0] for face in laid)
            order = {RANKS.index(face[:-1]) for face in laid}
            for rank in order:
                assert any({rank - back + step for step in range(3)} <= order for back in range(3))
            runs += len(laid)
        assert state.scores() == [sum(map(pips, lying(state, "HAND", seat))) for seat in range(2)]
    assert sets
    assert runs


def test_a_card_picked_up_at_rummy_is_not_discarded_at_once() -> None:
    for seed in range(4):
        picked = ""
        for state, seat, move in played("rummy", 3, f"{seed}"):
            if picked and len(lying(state, "HAND", seat)) > 1:
                assert f"{picked} HAND>DISCARD" not in state.legal_moves(seat)
            if move.endswith("DISCARD>HAND"):
                picked = move.split()[0]
            elif move.endswith(">DISCARD"):
                picked = ""


def test_columns_of_golf_patience_are_cleared_by_one_up_or_one_down() -> None:
    for seed in range(10):
        for state, _, move in played("golf-patience", 1, f"{seed}"):
            if move and not move.startswith("top STOCK"):
                taken, top = move.split()[0], lying(state, "WASTE")[-1]
                assert abs(RANKS.index(taken[:-1]) - RANKS.index(top[:-1])) == 1
        left = 52 - len(lying(state, "WASTE")) - len(lying(state, "STOCK"))
        assert state.scores() == [-left if left else 1 + len(lying(state, "STOCK"))]
        assert state.winners() == ([] if left else [0])


def test_a_patience_is_won_when_no_column_is_left_and_what_is_left_of_the_stock_counts() -> None:
    short = read("short", text_of("golf-patience").replace("(repeat 5", "(repeat 1"))  # a card in each column
    for seed in range(5):
        state = short.start(1, {}, FastChance(f"{seed}"))
        while state.to_act():
            state.play(0, state.legal_moves(0)[0])  # of a column, if any fits
        left = 52 - len(lying(state, "WASTE")) - len(lying(state, "STOCK"))
        assert not left
        assert state.scores() == [1 + len(lying(state, "STOCK"))]
        assert state.winners() == [0]


def test_partners_win_together_and_the_first_player_out_is_worth_four_points() -> None:
    for seed in range(10):
        first = None
        for state, _, _ in played("climbing-partners", 4, f"{seed}"):
            out = [seat for seat in range(4) if not lying(state, "HAND", seat)]
            if out and first is None:
                [first] = out
                assert sorted(state.scores()) == [0, 0, 4, 4]
        assert first is not None
        assert state.scores()[0] == state.scores()[2]
        assert state.scores()[1] == state.scores()[3]
        assert state.scores()[first] >= 4
        assert sorted({*state.scores()}) in ([0, 6], [2, 5], [3, 4])


def test_as_many_cards_of_a_higher_rank_beat_others_at_climbing() -> None:
    height = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
    for state, seat, _ in played("climbing-partners", 4, "climb"):
        if seat < 0:
            continue
        wanted = number(state, "CARDS")
        for move in state.legal_moves(seat):
            if move == "pass":
                assert wanted
                continue
            ranks = [word[:-1] for word in move.replace(",", " ").replace("+", " ").split() if word[:-1] in height]
            assert len(set(ranks)) == 1
            if wanted:
                assert len(ranks) == wanted
                assert height.index(ranks[0]) + 1 > number(state, "TOBEAT")
