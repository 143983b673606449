"""What is known of games of the library without playing them by our rules: sums, counts, and who sees what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest

from games.core import FastChance
from games.core.cards import SUITS, rank, suit
from games.recycle.rules import RecycleState
from tests.games.recycle.differential import Text, text_game
from tests.tiers import sampled, tiered

GAMES = {
    "agram": (2, 3, 4, 5),
    "cuckoo": (3, 5, 8),
    "enchere-avancee": (3,),
    "enchere-originale": (3,),
    "enchere-simple": (3,),
    "gops": (2, 3),
    "hearts": (4,),
    "kuhn": (2,),
    "liars-dice": (2, 5),
    "oh-hell": (3, 5),
    "president": (3, 4, 6),
    "spoof": (3, 5),
    "stealing": (2, 3, 4),
    "whist": (4,),
}
EACH = [(name, seats) for name, counts in GAMES.items() for seats in counts]
LONGEST = 800  # decisions, by random players: an evening's game at most


def positions(name: str, seats: int, seed: str) -> Iterator[Text]:
    """Yield a random match at each of its decisions, and at its end: always the same object."""
    text = Text(name, seats, seed)
    chance = FastChance(f"{seed}/choices")
    for _ in range(LONGEST):
        yield text
        if text.state.over:
            return
        [seat, *_] = text.state.to_act()
        text.state.apply(seat, chance.choice(text.state.legal_moves(seat)))
    raise AssertionError(f"{name} for {seats} has not ended after {LONGEST} decisions")


def last_of(matches: Iterator[Text]) -> Text:
    *_, text = matches
    return text


def by_player(text: Text, store: str) -> list[int]:
    kept = text.numbers()
    return [int(kept["player", seat, store]) for seat in range(text.state.seats)]


def lying(text: Text, *names: str) -> list[str]:
    """Return the cards of all places of these names, of any owner."""
    return [face for (_, name), cards in text.seen(None, face_up=True).items() if name in names for face in cards]


# -- every text


@pytest.mark.parametrize(("name", "seats"), sampled(EACH, 3))
def test_a_match_ends_and_a_choice_offers_nothing_twice(name: str, seats: int) -> None:
    for text in positions(name, seats, "offers"):
        if not text.state.over:
            options = [tuple((what, *rest) for what, _, *rest in option) for option in text.state.options()]
            assert len(set(options)) == len(options)  # but for where in the text they come from


@pytest.mark.parametrize("name", GAMES)
def test_the_head_of_a_text_says_what_the_lobby_asks_for(name: str) -> None:
    game = text_game(name)
    assert set(game.facts) == {"Title", "Players", "Kind", "Minutes", "Summary", "Source"}
    players = game.facts["Players"].split("-")
    assert [game.min_seats, game.max_seats] == [int(players[0]), int(players[-1])]
    assert set(GAMES[name]) <= set(range(game.min_seats, game.max_seats + 1))


def test_what_the_president_lays_face_down_is_seen_by_the_president_only() -> None:
    name, place = "president", "GIFT"
    seats = GAMES[name][0]
    found = 0
    for text in positions(name, seats, "hidden"):
        true = text.seen(None, face_up=True)
        for owner in range(seats):
            cards = true.get((owner, place), [])
            if not cards:
                continue
            found += 1
            for audience in (None, *range(seats)):
                assert text.seen(audience).get((owner, place), []) == (
                    cards if audience == owner else [""] * len(cards)
                )
    assert found, "the place is used"


# -- Stealing Bundles


@pytest.mark.parametrize("seats", GAMES["stealing"])
def test_stealing_every_card_ends_in_a_bundle_or_in_the_pool(seats: int) -> None:
    text = last_of(positions("stealing", seats, "sum"))
    assert sum(text.state.scores()) + len(lying(text, "POOL")) == 52
    assert len(set(lying(text, "POOL", "BUNDLE"))) == 52


# -- Enchère


@pytest.mark.parametrize(("name", "worth"), [("enchere-simple", 28), ("enchere-avancee", 10)])
def test_enchere_all_prizes_of_a_round_are_worth_the_same_in_sum(name: str, worth: int) -> None:
    """Four aces, kings and queens at 4, 2 and 1; or twelve at 1, three hearts one more, the king of hearts five more,
    and the Joker -10.
    """
    for text in positions(name, 3, "sum"):
        finished = int(text.numbers()["game", 0, "ROUND"]) - (not text.state.over)
        assert sum(text.state.scores()) == worth * finished


@pytest.mark.parametrize(
    ("name", "target"), [("enchere-simple", 50), ("enchere-avancee", 42), ("enchere-originale", 42)]
)
def test_enchere_one_player_alone_has_the_most_at_the_end(name: str, target: int) -> None:
    text = last_of(positions(name, 3, "end"))
    assert max(text.state.scores()) >= target
    assert len(text.state.winners()) == 1


# -- Agram


def test_agram_the_ace_of_spades_is_missing_and_35_cards_are_there() -> None:
    text = Text("agram", 5, "deck")
    cards = lying(text, "HAND", "STOCK")
    assert len(set(cards)) == len(cards) == 35
    assert {face for face in cards if rank(face) == "A"} == {"AC", "AD", "AH"}


@pytest.mark.parametrize("seats", GAMES["agram"])
def test_agram_has_six_tricks_and_the_winner_of_the_last_one_wins(seats: int) -> None:
    all_positions = list(positions("agram", seats, "tricks"))
    text = all_positions[-1]
    assert len(all_positions) == 6 * seats + 1
    last = text.seen(None)[-1, "LAST"]
    assert len(last) == seats
    assert sorted(text.state.scores()) == [0.0] * (seats - 1) + [1.0]


def test_agram_suit_is_followed() -> None:
    for text in positions("agram", 4, "follow"):
        if text.state.over:
            break
        [seat] = text.state.to_act()
        hand = text.seen(seat)[seat, "HAND"]
        table = lying(text, "TRICK")
        if len(table) == 1:
            led = suit(*table)
        follows = {face for face in hand if suit(face) == led} if table else set()
        assert set(text.moves()) == (follows or set(hand))


@pytest.mark.parametrize(("name", "seats"), [("agram", 5), ("hearts", 4), ("whist", 4)])
def test_the_highest_trump_else_the_highest_card_of_the_suit_led_wins_the_trick(name: str, seats: int) -> None:
    heights = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    led, checked = "", 0
    for text in positions(name, seats, "winners"):
        if text.state.over:
            break
        table = lying(text, "TRICK")
        last = lying(text, "LAST")  # by seat; gone when a deal begins
        if len(table) == 1:
            led = suit(*table)
        elif not table and last:
            trumps = str(text.numbers().get(("game", 0, "TRUMPS"), "?"))[0]
            best = max(last, key=lambda face: (suit(face) == trumps, suit(face) == led, heights.index(rank(face))))
            assert (last.index(best),) == text.state.to_act()
            checked += 1
    assert checked >= 5


# -- Kuhn poker


def test_kuhn_the_first_player_gains_an_eighth_of_a_chip_when_both_play_at_random() -> None:
    """Showdowns are even. Fold after a bet wins 1/4 of the hands, fold after check and bet loses 1/8."""
    values: dict[tuple[str, ...], Fraction] = {}
    seed = 0
    while len(values) < 6:
        text = Text("kuhn", 2, str(seed))
        deal = tuple(text.seen(None, face_up=True)[seat, "HAND"][0] for seat in (0, 1))
        values[deal] = _expected(text)
        seed += 1
    assert sum(values.values()) / 6 == Fraction(1, 8)


def _expected(text: Text) -> Fraction:
    """Return what the first player gains in the first hand on average, over all ways to play it."""
    kept = text.numbers()
    if kept["game", 0, "HANDS"] == 2:  # and both have paid their next ante
        return Fraction(int(kept["player", 0, "CHIPS"]) + 1 - 20)
    state = text.state
    [seat] = state.to_act()
    moves = state.legal_moves(seat)
    values = []
    for move in moves:
        text.state = state.clone()
        text.state.apply(seat, move)
        values.append(_expected(text))
    text.state = state
    return sum(values, Fraction(0)) / len(moves)


def test_kuhn_no_chip_is_lost_and_nobody_runs_out() -> None:
    for text in positions("kuhn", 2, "chips"):
        chips = by_player(text, "CHIPS")
        assert sum(chips) + int(text.numbers()["game", 0, "POT"]) == 40
        assert min(chips) >= 0


def test_kuhn_the_higher_card_wins_a_showdown_and_the_one_who_folded_loses_an_ante() -> None:
    folded = shown = 0
    for seed in "abc":
        before = [19, 19]
        hand = 1
        for text in positions("kuhn", 2, seed):
            kept = text.numbers()
            if kept["game", 0, "HANDS"] == hand:
                continue
            chips = by_player(text, "CHIPS")
            gained = [now - then for now, then in zip(chips, before, strict=True)]
            before, hand = chips, int(kept["game", 0, "HANDS"])
            cards = [str(kept["player", seat, "SHOWED"]) for seat in (0, 1)]
            if cards == ["NOTHING", "NOTHING"]:
                assert sorted(gained) == [-1, 1]
                folded += 1
            else:
                assert "NOTHING" not in cards
                winner = int("JQK".index(cards[1]) > "JQK".index(cards[0]))
                assert gained[winner] in (1, 2)
                assert gained[winner] + gained[1 - winner] == 0
                shown += 1
    assert folded > 3
    assert shown > 3


# -- Goofspiel


@pytest.mark.parametrize("seats", GAMES["gops"])
def test_gops_all_prizes_together_are_worth_91(seats: int) -> None:
    worth = {"A": 1, "J": 11, "Q": 12, "K": 13}
    for seed in "abcde":
        text = last_of(positions("gops", seats, seed))
        tied = sum(worth.get(rank(face)) or int(rank(face)) for face in lying(text, "PRIZE"))
        assert sum(text.state.scores()) + tied == 91


def test_gops_the_highest_bid_takes_all_that_lies_there_unless_two_are_highest() -> None:
    heights = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    tied = 0
    for seed in "abc":
        prizes: list[str] = []
        won: list[list[str]] = [[], []]
        for text in positions("gops", 2, seed):
            seen = text.seen(None)
            if text.state.pending:
                continue  # in the middle of a round
            if prizes:
                bids = [heights.index(rank(*seen[seat, "SHOWN"])) for seat in (0, 1)]
                tied += bids[0] == bids[1]
                for seat in (0, 1):
                    won[seat] += prizes if bids[seat] > bids[1 - seat] else []
                    assert set(seen.get((seat, "WON"), [])) == set(won[seat])
            prizes = lying(text, "PRIZE")
    assert tied


def test_gops_everybody_bids_each_card_of_a_suit_of_their_own_once() -> None:
    text = last_of(positions("gops", 3, "suits"))
    spent = text.seen(None)
    suits = []
    for seat in range(3):
        cards = spent[seat, "SPENT"] + spent[seat, "SHOWN"]
        assert len(set(cards)) == 13
        suits.append({suit(face) for face in cards})
    assert sorted(map(len, suits)) == [1, 1, 1]
    assert set().union(*suits) == set(SUITS) - {"D"}


# -- Hearts


def test_hearts_a_deal_has_26_points_or_78() -> None:
    for seed in "abc":
        before = [0.0] * 4
        for text in positions("hearts", 4, seed):
            now = text.state.scores()
            if now != before:
                assert sum(now) - sum(before) in (26, 78)
                before = now
        assert text.numbers()["game", 0, "DEAL"] == 4


def test_hearts_a_player_who_takes_everything_gives_26_points_to_each_of_the_others() -> None:
    text = next(
        text
        for seed in range(20)
        for text in positions("hearts", 4, str(seed))
        if len(lying(text, "TRICK", "HAND")) == 4 and sum(by_player(text, "TAKEN")) == 26  # nothing is left to be won
    )
    before = text.state.scores()
    set_numbers(text.state, "TAKEN", lambda seat: 26 if seat == 2 else 0)
    finish_deal(text)
    assert [now - then for now, then in zip(text.state.scores(), before, strict=True)] == [26, 26, 0, 26]


def set_numbers(state: RecycleState, store: str, value: Callable[[int], int]) -> None:
    """Set a number of each player."""
    layout = state.program.layout
    for fact, number in layout.stores["sto"].items():
        if fact.owner == "player" and fact.name == layout.names[store]:
            state.I[number] = value(fact.number)


def finish_deal(text: Text) -> None:
    deal = text.numbers()["game", 0, "DEAL"]
    while not text.state.over and text.numbers()["game", 0, "DEAL"] == deal:
        [seat] = text.state.to_act()
        text.state.apply(seat, text.state.legal_moves(seat)[0])


def test_hearts_the_two_of_clubs_leads_and_hearts_wait_until_one_was_played() -> None:
    for text, hand, out in hearts_turns("leads"):
        legal = set(text.moves())
        if not out:
            assert legal == {"2C"}
        elif not lying(text, "TRICK") and not any(suit(face) == "H" for face in out):
            assert legal == ({face for face in hand if suit(face) != "H"} or set(hand))


def test_hearts_nothing_that_costs_points_is_discarded_on_the_first_trick() -> None:
    for text, hand, out in (turn for seed in range(40) for turn in hearts_turns(str(seed))):
        if 0 < len(out) < 4 and not any(suit(face) == "C" for face in hand):
            free = {face for face in hand if suit(face) != "H" and face != "QS"}
            assert set(text.moves()) == (free or set(hand))
            if free != set(hand):
                return
    raise AssertionError("nobody was without clubs and had to hold a heart back")


def hearts_turns(seed: str) -> Iterator[tuple[Text, list[str], list[str]]]:
    """Yield the positions of a match in which a card is played, with the hand it is from and what was played so far."""
    for text in positions("hearts", 4, seed):
        if not text.state.over and "PASS" not in text.state.legal_moves(text.state.to_act()[0])[0]:
            [seat] = text.state.to_act()
            yield text, text.seen(seat)[seat, "HAND"], lying(text, "TRICK", "LAST", "WON")


# -- Whist


def test_whist_a_deal_has_thirteen_tricks_and_those_above_six_are_points() -> None:
    points = [0, 0]
    for text in positions("whist", 4, "tricks"):
        kept = text.numbers()
        tricks = [int(kept["team", team, "TRICKS"]) for team in (0, 1)]
        scores = [int(kept["team", team, "SCORE"]) for team in (0, 1)]
        assert text.state.scores() == [scores[0], scores[1]] * 2, "partners sit across, and score together"
        assert 4 * sum(tricks) == len(lying(text, "WON", "LAST")), "no trick is lost"
        if scores != points:
            gained = [now - before for now, before in zip(scores, points, strict=True)]
            assert min(gained) == 0
            assert 1 <= max(gained) <= 7
            points = scores
    assert sum(tricks) == 13
    assert [max(0, won - 6) for won in tricks] == gained
    assert max(points) >= 5


def test_whist_everybody_has_seen_the_card_that_makes_trumps() -> None:
    text = Text("whist", 4, "trumps")
    trumps = {"CLUBS": "C", "DIAMONDS": "D", "HEARTS": "H", "SPADES": "S"}[str(text.numbers()["game", 0, "TRUMPS"])]
    [turned] = text.named_by(None)
    dealer = (text.state.to_act()[0] - 1) % 4
    assert turned in text.seen(dealer)[dealer, "HAND"]
    assert suit(turned) == trumps
    assert [len(text.seen(seat)[seat, "HAND"]) for seat in range(4)] == [13] * 4


# -- President


@pytest.mark.parametrize("seats", GAMES["president"])
def test_president_a_deal_is_worth_a_point_for_everybody_one_leaves_behind(seats: int) -> None:
    matches = [last_of(positions("president", seats, seed)).state.scores() for seed in "abc"]
    for scores in matches:
        assert sum(scores) == 2 * sum(range(seats))
        assert max(scores) <= 2 * (seats - 1)


def test_president_higher_is_played_on_lower_and_as_many() -> None:
    heights = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
    covered = 0
    before: list[str] = []
    for text in positions("president", 4, "higher"):
        lie = lying(text, "PLAYED")
        if before and lie and lie != before and len(lying(text, "DISCARD")) >= len(before):
            covered += 1
            assert len(lie) == len(before)
            assert heights.index(rank(lie[0])) > heights.index(rank(before[0]))
        assert len({rank(face) for face in lie}) <= 1
        before = lie
    assert covered > 10


def test_president_the_last_one_gives_the_two_highest_cards_and_gets_any_two_back() -> None:
    heights = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]
    before: set[str] = set()
    for text in positions("president", 4, "exchange"):
        if text.numbers()["game", 0, "DEAL"] == 1:
            continue
        scores = text.state.scores()
        president, loser = scores.index(3), scores.index(0)
        hands = {seat: lie for (seat, name), lie in text.seen(None, face_up=True).items() if name == "HAND"}
        assert text.state.to_act() == (president,)
        if not before:
            before = set(hands[president])
            assert (len(before), len(hands[loser])) == (15, 11)
            high = sorted(heights.index(rank(face)) for face in before)
            assert high[-2] >= max(heights.index(rank(face)) for face in hands[loser]), "two are as high as any left"
        elif len(hands[president]) == 13:
            assert len(hands[loser]) == 13
            assert before - set(hands[president]) < set(hands[loser])
            return
    raise AssertionError("nothing was given")


# -- Cuckoo


@pytest.mark.parametrize("seats", GAMES["cuckoo"])
def test_cuckoo_every_deal_costs_a_life_until_one_player_or_nobody_has_any(seats: int) -> None:
    lives = [3] * seats
    deals = 0
    for text in positions("cuckoo", seats, "lives"):
        now = by_player(text, "LIVES")
        if now != lives:
            deals += 1
            assert all(before - after in (0, 1) for before, after in zip(lives, now, strict=True))
            lives = now
        alive = [seat for seat in range(seats) if lives[seat] > 0]
        if not text.state.over:
            assert text.state.to_act()[0] in alive
            assert len(lying(text, "HAND", "SHOWN")) == len(alive), "one card each"
    assert len(alive) <= 1
    assert deals == max(by_player(text, "DEALS")) + (not alive)


def test_cuckoo_a_king_stays_where_it_is_unless_its_owner_offers_it() -> None:
    shown = 0
    for seed in "abcdefgh":
        before: dict[str, int] = {}
        mover, lives = -1, [3] * 4
        for text in positions("cuckoo", 4, seed):
            places = text.seen(None, face_up=True)
            kings = {
                face: owner
                for (owner, name), faces in places.items()
                for face in faces
                if name in ("HAND", "SHOWN") and rank(face) == "K"
            }
            if (now := by_player(text, "LIVES")) == lives and not text.state.over:
                assert {face: owner for face, owner in before.items() if owner != mover}.items() <= kings.items()
                open_ones = [face for (_, name), faces in text.seen(None).items() if name == "SHOWN" for face in faces]
                assert set(open_ones) <= set(kings)
                shown += len(open_ones)
            before, lives = kings, now
            mover = text.state.to_act()[0] if not text.state.over else -1
    assert shown


def test_cuckoo_the_lowest_cards_of_a_deal_cost_a_life_each() -> None:
    heights = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    lives = [3] * 5
    checked = 0
    for text in positions("cuckoo", 5, "lowest"):
        now = by_player(text, "LIVES")
        if now != lives and not text.state.over:  # the cards of the deal that ended lie open until the next one ends
            cards = {owner: faces[0] for (owner, name), faces in text.seen(None).items() if name == "LAST"}
            lowest = min(heights.index(rank(face)) for face in cards.values())
            losers = [seat for seat, face in sorted(cards.items()) if heights.index(rank(face)) == lowest]
            assert losers == [seat for seat in range(5) if now[seat] < lives[seat]]
            checked += 1
        lives = now
    assert checked > 3


# -- Oh Hell


@pytest.mark.parametrize("seats", GAMES["oh-hell"])
def test_oh_hell_an_exact_bid_earns_ten_and_each_trick_one(seats: int) -> None:
    scored = [0] * seats
    exact, cards = 0, 7
    bids: list[int] = []
    for text in positions("oh-hell", seats, "bids"):
        kept = text.numbers()
        if not text.state.pending and sum(by_player(text, "TAKEN")) == 0 and kept["game", 0, "CARDS"] == cards:
            bids = by_player(text, "BID")  # of this deal once the first card is played
        if kept["game", 0, "CARDS"] != cards or text.state.over:
            now = by_player(text, "SCORE")
            gained = [after - before for after, before in zip(now, scored, strict=True)]
            taken = [points % 10 if points >= 10 else points for points in gained]
            assert sum(taken) == cards
            assert all(
                (points >= 10) == (bid == tricks) for points, bid, tricks in zip(gained, bids, taken, strict=True)
            )
            exact += sum(points >= 10 for points in gained)
            scored, cards = now, cards - 1
    assert cards == 0
    assert exact


def test_oh_hell_the_highest_trump_else_the_highest_card_of_the_suit_led_wins_the_trick() -> None:
    heights = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    led, trumps, tricks = "", "", 0
    for text in positions("oh-hell", 4, "trumps"):
        table, last = lying(text, "TRICK"), lying(text, "LAST")
        if len(table) == 1:
            led, trumps = suit(*table), suit(*lying(text, "TURNED"))
        elif not table and last and not text.state.asked and not text.state.over:
            best = max(last, key=lambda face: (suit(face) == trumps, suit(face) == led, heights.index(rank(face))))
            assert (last.index(best),) == text.state.to_act()
            tricks += 1
    assert tricks > 15


def test_oh_hell_the_deal_goes_round_and_the_player_after_the_dealer_leads() -> None:
    before = -1
    for text in positions("oh-hell", 3, "dealers"):
        state = text.state
        if state.asked and not state.pending:
            dealer = int(text.numbers()["game", 0, "DEALER"])
            assert before in (-1, (dealer - 1) % 3)
            before = dealer
        elif not state.asked and not lying(text, "TRICK", "LAST") and not state.over:
            assert state.to_act() == ((before + 1) % 3,)


# -- Spoof


def coins(text: Text, audience: int | None, *, face_up: bool = False) -> list[int | str | None]:
    stores = text.state.observe(audience, face_up=face_up).stores
    return [store.value for store in stores if store.name == "COINS" and store.owner == "player"]


NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen"),
)


@pytest.mark.parametrize("seats", GAMES["spoof"])
def test_spoof_the_pot_is_for_the_number_of_all_coins(seats: int) -> None:
    right = 0
    for seed in "abcd":
        text, chance = Text("spoof", seats, seed), FastChance(f"{seed}/choices")
        pot = 1
        for _ in range(7):
            for seat in range(seats):
                text.state.play(seat, chance.choice(text.state.legal_moves(seat)))
            hidden = sum(int(each or 0) for each in coins(text, None, face_up=True))
            before = [len(text.seen(None).get((seat, "WON"), [])) for seat in range(seats)]
            guesses = {}
            for _ in range(seats):
                [seat] = text.state.to_act()
                move = chance.choice(text.state.legal_moves(seat))
                guesses[NUMBERS.index(move.split()[0])] = seat
                text.state.play(seat, move)
            now = [len(text.seen(None).get((seat, "WON"), [])) for seat in range(seats)]
            gained = [pot if guesses.get(hidden) == seat else 0 for seat in range(seats)]
            assert [after - tokens for after, tokens in zip(now, before, strict=True)] == gained
            right += any(gained)
            pot = 1 if any(gained) else pot + 1
        assert text.state.over
        assert sum(text.state.scores()) + len(lying(text, "POT")) == 7
    assert right


def test_spoof_nobody_sees_the_coins_of_others_before_all_have_guessed() -> None:
    seen = 0
    for text in positions("spoof", 3, "hidden"):
        if not text.state.asked and not text.state.over:
            true = coins(text, None, face_up=True)
            assert coins(text, None) == [None] * 3
            assert all(
                coins(text, seat) == [true[one] if one == seat else None for one in range(3)] for seat in range(3)
            )
            seen += 1
    assert seen == 21


# -- Liar's Dice


@pytest.mark.parametrize("seats", tiered(GAMES["liars-dice"], lambda seats: seats == 2))
def test_liars_dice_the_player_who_was_wrong_loses_a_token_and_begins(seats: int) -> None:
    pips = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
    doubts = Counter[bool]()
    for seed in range(20):
        tokens, said, under, doubter, bidder = [3] * seats, (0, 0), list[int](), -1, -1
        for text in positions("liars-dice", seats, str(seed)):
            kept, shown = text.numbers(), text.seen(None, face_up=True)
            now = [len(shown.get((seat, "TOKENS"), [])) for seat in range(seats)]
            if now != tokens:
                lied = under.count(said[1]) < said[0]
                loser = bidder if lied else doubter
                assert [before - after for before, after in zip(tokens, now, strict=True)] == [
                    int(seat == loser) for seat in range(seats)
                ]
                assert text.state.over or text.state.to_act() == (loser,)
                doubts[lied] += 1
                tokens = now
            said = int(kept["game", 0, "DICE"]), int(kept["game", 0, "NUMBER"])
            under = [pips[face] for face in lying(text, "CUP")]
            bidder = int(kept["game", 0, "BIDDER"])
            doubter = text.state.to_act()[0] if not text.state.over else -1
        assert min(tokens) == 0
    assert doubts[True]
    assert doubts[False]


def test_liars_dice_nobody_sees_the_dice_under_other_cups() -> None:
    for text in positions("liars-dice", 3, "hidden"):
        if text.state.over:
            break
        for seat in range(3):
            seen = text.seen(seat)
            assert all(seen[seat, "CUP"])
            assert not any(face for other in range(3) if other != seat for face in seen[other, "CUP"])
