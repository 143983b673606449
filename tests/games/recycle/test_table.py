"""How a text looks at the table: what moves are called, which places are drawn and how, what stands at a seat."""

from __future__ import annotations

import pytest

from games import catalogue
from games.core import FastChance, Match
from games.core.teaching import explained, matches
from games.core.view import Piece, View, plain, say
from games.recycle.game import RecycleGame
from games.recycle.labels import BadTableFile, Labels
from tests.games.cases import GAME_NAMES
from tests.games.recycle.tables import NAMES, PASSING, Sitting, counters

DEAL = "(do ((all player 'P (repeat 3 (move (top (game hloc STOCK)) (top ('P iloc HAND)))))))"
ONE_CARD = "(any ((current player) iloc HAND) 'C (move 'C (top {place})))"


def turns(choice: str) -> str:
    return f"(stage player (end (== (size (game hloc STOCK)) 99)) (choice ({choice})))"


def faces(pieces: list[Piece]) -> list[str]:
    return [piece.get("face", "?") for piece in pieces]


# -- what moves are called


@pytest.mark.parametrize(
    ("place", "label", "prompt"),
    [
        ("(game vloc DISCARD)", "Discard {card}", "discard a card"),
        ("((current player) vloc TRICK)", "Play {card}", "play a card to the trick"),
        ("(game vloc POOL)", "Play {card} to the pool", "play a card to the pool"),
        ("((next player) iloc HAND)", "Give {card} to Bram", "give a card"),
        ("((next player) vloc ROW)", "Put {card} on Bram's row", "play a card"),
        ("((current player) iloc BID)", "Bid {card}", "bid a card"),
        ("((current player) vloc MELD)", "Lay out {card}", "lay out a card"),
        ("(game hloc CRIB)", "Put {card} into the crib", "put a card into the crib"),
    ],
)
def test_playing_a_card_is_called_by_where_it_goes(place: str, label: str, prompt: str) -> None:
    table = Sitting(DEAL + turns(ONE_CARD.format(place=place)))
    view = table.view(0)
    held = table.zone("iloc:HAND:0", 0)["pieces"]
    signs = [plain(move["label"], NAMES) for move in view["moves"]]
    cards = [{"text": "{card}", "args": {"card": {"card": piece["face"]}}} for piece in held]
    assert sorted(signs) == sorted(label.format(card=plain(card, NAMES)) for card in cards)  # type: ignore[arg-type]
    assert plain(view["prompt"], NAMES) == f"Your turn: {prompt}"
    assert sorted(move["pieces"] for move in view["moves"]) == sorted([piece["id"]] for piece in held)
    assert plain(table.view(1)["prompt"], NAMES) == "Waiting for Anna"


def test_several_cards_of_one_place_are_one_phrase() -> None:
    both = "(any ((current player) iloc HAND) 'C (do ((move 'C (top (game vloc DISCARD)))"
    both += " (any ((current player) iloc HAND) 'D (move 'D (top (game vloc DISCARD)))))))"
    table = Sitting(DEAL + turns(both))
    assert all(label.startswith("Discard ") and label.count(" and ") == 1 for label in table.labels())
    assert all(len(move["pieces"]) == 2 for move in table.view()["moves"])


def test_a_card_that_is_not_seen_is_called_by_its_place() -> None:
    table = Sitting(turns("(move (top (game hloc STOCK)) (top ((current player) iloc HAND)))"))
    assert table.labels() == ["Draw from the stock"]
    assert table.view()["moves"][0]["pieces"] == [table.zone("hloc:STOCK")["pieces"][-1]["id"]]
    row = "(do ((repeat 3 (move (top (game hloc STOCK)) (top (game hloc ROW))))))"
    table = Sitting(row + turns("(any (game hloc ROW) 'C (move 'C (top ((current player) iloc HAND))))"))
    assert set(table.labels()) == {"Draw from the row", "Draw card 2 from the row", "Draw card 1 from the row"}
    assert all(move["pieces"] for move in table.view()["moves"])


def test_an_option_of_which_nothing_is_known_is_left_to_chance() -> None:
    lot = "(move ((random 0 .. 2) ((current player) iloc HAND)) (top (game vloc ROW)))"
    assert Sitting(DEAL + turns(f"{lot} (turn pass)")).labels() == ["Leave it to chance", "Pass"]


def test_what_an_option_turns_up_is_not_known_before() -> None:
    turn = (
        "(do ((move (top (game hloc STOCK)) (top (game vloc UP))) (move (top (game vloc UP)) (top (game vloc ROW)))))"
    )
    table = Sitting(turns(turn))
    option = table.state.observe(0).options[0]
    assert [action.face for action in option.actions] == ["", ""]
    hidden = table.state.program.cards.faces[table.state.L[0][-1]]
    assert hidden not in option.move
    assert table.labels() == ["Turn up the top card of the stock"]


def test_options_that_read_the_same_are_distinguished_by_what_else_they_do() -> None:
    named = "(any (HEARTS, CLUBS) 'S (do ((any ((current player) iloc HAND) 'C (move 'C (top (game vloc DISCARD))))"
    named += " (set (game str SUIT) 'S))))"
    table = Sitting(DEAL + turns(named), '[labels]\nSUIT = "Suit to follow"')
    assert len(set(table.labels())) == 6
    assert sum(label.endswith("; suit to follow: hearts") for label in table.labels()) == 3
    lone = Sitting(DEAL + turns("(do ((move (top (game hloc STOCK)) (top (game vloc UP))) (set (game sto N) 3)))"))
    assert lone.labels() == ["Turn up the top card of the stock"]  # alone it needs no more
    draw = "(move (top (game hloc STOCK)) (top (game vloc UP)))"
    double = f"(do ((set (game sto BET) 4) {draw} (set (game str STATE) STAND)))"
    assert Sitting(DEAL + turns(f"{draw} {double}")).labels() == [
        "Turn up the top card of the stock",
        "Turn up the top card of the stock; bet 4; state: stand",
    ]


def test_options_that_no_word_distinguishes_are_numbered() -> None:
    points = "(set (game points P) (((SUIT : CLUBS) {n})))"
    table = Sitting(turns(points.format(n=1) + points.format(n=2)))
    assert table.labels() == ["Go on (1)", "Go on (2)"]


def test_options_that_do_the_same_are_offered_once_but_counted_as_the_language_counts() -> None:
    table = Sitting(turns("(turn pass) (turn pass) (set (game sto BET) 5)"))
    assert table.labels() == ["Pass", "Bet 5"]
    assert len(table.state.legal_moves(0)) == 3
    assert plain(table.view()["prompt"], NAMES) == "Your turn: pass or choose bet"


def test_scratch_places_and_stores_are_left_out_of_what_a_move_is_called_unless_they_are_all_there_is() -> None:
    file = '[hide]\nstores = ["N"]\nplaces = ["SCRATCH"]'
    away = "(do ((move (top (game hloc STOCK)) (top (game vloc SCRATCH))) (set (game sto N) 3) (set (game sto BET) 1)))"
    assert Sitting(turns(away), file).labels() == ["Turn up the top card of the stock"]
    via = "(do ((move (top (game hloc STOCK)) (top (game vloc SCRATCH)))"
    via += " (move (top (game vloc SCRATCH)) (top ((current player) iloc HAND)))))"
    assert Sitting(turns(via), file).labels() == ["Draw from the stock"]
    assert Sitting(turns("(set (game sto N) 3)"), file).labels() == ["N: 3"]


def test_a_card_is_aimed_only_where_one_can_go_to_several_places() -> None:
    pool, row = ONE_CARD.format(place="(game vloc POOL)"), ONE_CARD.format(place="(game vloc ROW)")
    assert all("target" not in move for move in Sitting(DEAL + turns(pool)).view()["moves"])
    moves = Sitting(DEAL + turns(pool + row)).view()["moves"]
    assert {move["target"] for move in moves} == {"zone:vloc:POOL", "zone:vloc:ROW"}
    give = ONE_CARD.format(place="((next player) iloc HAND)")
    moves = Sitting(DEAL + turns(pool + give)).view()["moves"]
    assert {move["target"] for move in moves} == {"zone:vloc:POOL", "seat:1"}


def test_of_a_place_that_is_taken_whole_one_card_is_picked_and_the_others_come_along() -> None:
    laid = "(do ((repeat 3 (move (top (game hloc STOCK)) (top (game vloc ROW))))))"
    table = Sitting(laid + turns("(repeat all (move (top (game vloc ROW)) (top ((current player) iloc HAND))))"))
    assert table.labels() == ["Take the row"]
    move = table.view()["moves"][0]
    assert len(move["pieces"]) == 1
    assert len(move["takes"]) == 2


def test_a_table_file_says_what_moves_are_called() -> None:
    file = '[verbs]\nPASS = "Knock"\nBET = ["Wager {value}", "{seat} wagers {value}.", "wager"]\n"BET=9" = "All in"'
    bets = "(turn pass) (set (game sto BET) 5) (set (game sto BET) 9)"
    table = Sitting(turns(bets), file)
    assert table.labels() == ["Knock", "Wager 5", "All in"]
    assert plain(table.view()["prompt"], NAMES) == "Your turn: pass, wager or choose bet"


@pytest.mark.parametrize(
    "verb",
    ['"{nothing}"', '"{cards.mro}"', '"{cards!r}"', '"{cards:>9}"', '"{"', "3", '["a", "b", "c", "d"]', '"{seat}"'],
)
def test_a_table_file_with_a_gap_that_is_none_is_refused(verb: str) -> None:
    with pytest.raises(BadTableFile, match="verbs"):
        Labels.read(f"[verbs]\nX = {verb}")


def test_braces_in_a_label_stay_braces() -> None:
    table = Sitting(DEAL + turns(ONE_CARD.format(place="(game vloc POOL)")), '[labels]\nPOOL = "{seat}"')
    label = table.zone("vloc:POOL")["label"]
    assert plain(label, NAMES) == "{seat}"


@pytest.mark.parametrize("name", GAME_NAMES)
def test_no_two_buttons_of_a_game_read_the_same(name: str) -> None:
    game = catalogue.find(name)
    for index in range(2):
        match = Match.start(game, game.default_seats, {}, FastChance(str(index)))
        choices = FastChance(f"choices {index}")
        while not match.over and match.ply < 150:
            seat = match.to_act()[0]
            labels = [plain(move["label"], "ABCDEFGH") for move in match.view(seat)["moves"]]
            assert len(set(labels)) == len(labels)
            assert all(labels)
            match.advance(seat, choices.choice(match.legal_moves(seat)))


# -- places


@pytest.mark.parametrize(
    ("asks", "order"),
    [
        ("", ["AC", "8C", "AH", "8H"]),
        ("(do ((inc (game sto N) (size (partition RANK ((current player) iloc HAND))))))", ["AC", "AH", "8C", "8H"]),
        ("(do ((inc (game sto N) (size (partition SUIT ((current player) iloc HAND))))))", ["AC", "8C", "AH", "8H"]),
        # A suit that is only looked for by its name does not put cards together.
        (
            "(do ((all (filter ((current player) iloc HAND) 'C (== (cardatt SUIT 'C) HEARTS)) 'C"
            " (inc (game sto N) (size (partition RANK ((current player) iloc HAND)))))))",
            ["AC", "AH", "8C", "8H"],
        ),
    ],
)
def test_a_hand_is_sorted_by_what_puts_cards_together_in_the_text(asks: str, order: list[str]) -> None:
    deal = "(do ((repeat 4 (move (top (game hloc STOCK)) (top ((current player) iloc HAND))))))"
    table = Sitting(f"{deal} {asks}" + PASSING, deck="(RANK (A, EIGHT)) (SUIT (CLUBS, HEARTS))")
    assert faces(table.zone("iloc:HAND:0", 0)["pieces"]) == order


def test_the_own_hand_is_sorted_by_suit_and_those_of_others_are_backs() -> None:
    deal = "(do ((repeat 5 (move (top (game hloc STOCK)) (top ((current player) iloc HAND))))))"
    table = Sitting("(do ((shuffle (game hloc STOCK))))" + deal + PASSING)
    own = table.zone("iloc:HAND:0", 0)
    ranks = {"A": 1, "8": 8}
    order = [(piece["face"][-1], ranks.get(piece["face"][:-1]) or int(piece["face"][:-1])) for piece in own["pieces"]]
    assert own["layout"] == "hand"
    assert order == sorted(order)
    for other in (1, None):
        assert faces(table.zone("iloc:HAND:0", other)["pieces"]) == ["?"] * 5


def test_of_a_pile_only_the_top_is_drawn_with_its_size() -> None:
    laid = "(do ((repeat 3 (move (top (game hloc STOCK)) (top (game vloc DISCARD))))))"
    table = Sitting(laid + PASSING)
    pile, stock = table.zone("vloc:DISCARD"), table.zone("hloc:STOCK")
    assert (pile["layout"], pile["size"], len(pile["pieces"])) == ("pile", 3, 1)
    assert pile["pieces"][0]["face"]
    assert (stock["layout"], stock["size"], faces(stock["pieces"])) == ("pile", 7, ["?"])


def test_cards_of_a_pile_that_may_be_taken_are_drawn_so_that_they_can_be_picked() -> None:
    laid = "(do ((repeat 3 (move (top (game hloc STOCK)) (top (game vloc DISCARD))))))"
    take = "(any (game vloc DISCARD) 'C (move 'C (top ((current player) iloc HAND))))"
    table = Sitting(laid + turns(take), '[layout]\nDISCARD = "pile"')
    assert len(table.zone("vloc:DISCARD")["pieces"]) == 3
    assert all(move["pieces"] for move in table.view()["moves"])


def test_places_that_are_hidden_or_never_held_a_card_are_not_drawn() -> None:
    laid = "(do ((move (top (game hloc STOCK)) (top (game vloc SCRATCH))) (shuffle (game vloc EMPTY))))"
    play = turns("(move (top (game hloc STOCK)) (top (game vloc TARGET)))")
    assert set(Sitting(laid + play).zones()) == {"hloc:STOCK", "vloc:SCRATCH", "vloc:TARGET"}
    assert set(Sitting(laid + play, '[hide]\nplaces = ["SCRATCH"]').zones()) == {"hloc:STOCK", "vloc:TARGET"}


def test_a_place_made_by_name_reveals_nothing_of_the_card_that_may_go_there() -> None:
    """Which places an option would name follows from hidden cards."""
    away = "(any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc (cardatt SUIT 'C)))))"
    table = Sitting("(do ((move (top (game hloc STOCK)) (top ((current player) iloc HAND)))))" + turns(away))
    before = table.zones()
    table.state.legal_moves(0)
    assert table.zones() == before
    assert {"vloc:CLUBS:0", "vloc:HEARTS:0", "vloc:CLUBS:1", "vloc:HEARTS:1"} <= set(before)


def test_a_memory_is_drawn_only_if_the_table_file_says_how_and_its_cards_are_no_second_pieces() -> None:
    kept = "(do ((move (top (game hloc STOCK)) (top (game vloc ROW)))"
    kept += " (remember (top (game vloc ROW)) (top (game mem KEPT)))))"
    assert "mem:KEPT" not in Sitting(kept + PASSING).zones()
    table = Sitting(kept + PASSING, '[layout]\nKEPT = "row"')
    row, memory = table.zone("vloc:ROW")["pieces"][0], table.zone("mem:KEPT")["pieces"][0]
    assert row["face"] == memory["face"]
    assert row["id"] != memory["id"]


def test_a_card_that_was_seen_going_face_down_is_known() -> None:
    laid = "(do ((move (top (game hloc STOCK)) (top (game vloc UP)))"
    laid += " (move (top (game vloc UP)) (top ((current player) hloc COVER)))))"
    table = Sitting(laid + PASSING)
    piece = table.zone("hloc:COVER:0", None)["pieces"][0]
    assert "face" not in piece
    assert piece["badge"] == "8♥"
    assert plain(piece["label"], NAMES).startswith("face down, 8♥")


def test_what_lies_face_down_under_open_cards_of_the_same_place_is_drawn_with_them() -> None:
    laid = "(do ((repeat 2 (move (top (game hloc STOCK)) (top (game hloc COLUMN))))"
    laid += " (move (top (game hloc STOCK)) (top (game vloc COLUMN)))))"
    take = turns("(any (game vloc COLUMN) 'C (move 'C (top (game vloc DISCARD))))")
    table = Sitting(laid + take, '[layout]\nCOLUMN = "row"')
    assert "hloc:COLUMN" not in table.zones()
    pieces = table.zone("vloc:COLUMN")["pieces"]
    assert [bool(piece.get("face")) for piece in pieces] == [False, False, True]


def test_cards_that_are_no_playing_cards_have_their_words_on_them() -> None:
    deck = "(VALUE (ONE, TWO)) (COLOUR (RED, BLUE))"
    table = Sitting(
        DEAL.replace("3", "2") + turns(ONE_CARD.format(place="(game vloc POOL)")),
        '[labels]\nRED = "scarlet"',
        deck=deck,
    )
    words = {
        plain(piece["label"], NAMES) for seat in (0, 1) for piece in table.zone(f"iloc:HAND:{seat}", seat)["pieces"]
    }
    assert words == {"1 scarlet", "2 scarlet", "1 blue", "2 blue"}
    assert set(table.labels()) <= {
        f"Play {colour} {value} to the pool" for colour in ("scarlet", "blue") for value in "12"
    }


# -- seats, and the line over the table


def test_numbers_of_a_player_or_a_team_stand_at_the_seat_and_hidden_ones_do_not() -> None:
    sets = "(do ((set ((current player) sto COINS) 4) (set ((current player) sto SCRATCH) 9)"
    sets += " (set ((team (current player)) sto TRICKS) 2) (set ((current player) str ROLE) DEALER)"
    sets += " (set (game str TRUMPS) HEARTS)))"
    file = '[labels]\nCOINS = "Coins left"\n[hide]\nstores = ["SCRATCH"]'
    table = Sitting(
        sets + PASSING, file, seats=4, teams="(create teams (0, 2) (1, 3))", scoring="max ((current player) sto COINS)"
    )
    view = table.view(None)
    assert counters(view, 0) == {"Coins left": 4, "Tricks": 2}
    assert counters(view, 2) == {"Coins left": 0, "Tricks": 2}
    assert view["seats"][0]["marks"] == ["team 1", "dealer"]
    assert plain(view["phase"], NAMES) == "Trumps: hearts"


COMMENTED = """;; Title: Coins
;; COINS: what this player can still pay.
;; NOTHING: no store has that name.
(game
  (setup (create players 2) (create deck (game hloc STOCK) (deck (SUIT (RED, BLUE)))))
  ;; Bids: no name. {braces}
  ;; BID: {value}
  (do ((set ((current player) sto COINS) 4) (set ((current player) sto BID) 1)))
  (scoring max ((current player) sto COINS)))"""


def test_a_comment_says_what_a_number_counts_unless_the_table_file_does() -> None:
    game = RecycleGame("coins", COMMENTED)
    said = say("What this player can still pay.")
    assert game.about["counter:player:COINS"] == said
    own = RecycleGame("coins", COMMENTED, '[about]\n"counter:player:COINS" = "Coins."').about
    assert own["counter:player:COINS"] == say("Coins.")


def test_a_number_without_a_comment_is_explained_by_its_name() -> None:
    game = RecycleGame("coins", COMMENTED, '[labels]\nBID = "Last bid"')
    assert plain(game.about["counter:player:BID"], NAMES) == "Last bid, counted by the rules."
    assert "counter:player:BID" not in RecycleGame("coins", COMMENTED, '[hide]\nstores = ["BID"]').about


@pytest.mark.parametrize("name", GAME_NAMES)
def test_all_numbers_and_words_at_the_seats_of_the_library_are_explained_by_their_game(name: str) -> None:
    game, chance = catalogue.find(name), FastChance(name)
    if not isinstance(game, RecycleGame):
        return
    match, found = Match.start(game, game.default_seats, {}, FastChance(name)), set[str]()
    while not match.over and match.ply < 150:
        found.update(sign for sign in explained(match.view(None)) if sign.startswith(("counter:", "mark:")))
        seat = match.to_act()[0]
        match.advance(seat, chance.choice(match.legal_moves(seat)))
    by_name = say("{label}, counted by the rules.")["text"]
    about = {sign for sign, text in game.about.items() if text["text"] != by_name}
    assert not [sign for sign in found if not any(matches(one, sign) for one in about)]


def test_the_score_stands_at_the_seat_where_no_store_is_it() -> None:
    won = "(do ((repeat 2 (move (top (game hloc STOCK)) (top ((current player) vloc WON))))))"
    table = Sitting(won + PASSING, scoring="max (size ((current player) vloc WON))")
    assert counters(table.view(None), 0) == {"Score": 2}
    assert counters(table.view(None), 1) == {"Score": 0}


def test_a_score_that_depends_on_hidden_cards_is_shown_at_the_end_only() -> None:
    points = "(do ((set (game points P) (((SUIT : HEARTS) 1)))))"
    score = "max (sum ((current player) iloc HAND) using (game points P))"
    table = Sitting(points + DEAL + PASSING, scoring=score)
    assert table.state.observe(1).scores == ()
    assert counters(table.view(1), 0) == {}
    table.play()
    assert counters(table.view(1), 0)["Score"] == table.state.scores()[0]


def test_the_winners_are_marked_and_named_at_the_end() -> None:
    table = Sitting("(do ((set ((current player) sto SCORE) 7)))" + PASSING, scoring="max ((current player) sto SCORE)")
    table.play()
    view = table.view(None)
    assert [seat["state"] for seat in view["seats"]] == ["won", "in"]
    assert plain(view["result"]["text"], NAMES) == "Anna wins with 7"
    low = Sitting("(do ((set ((current player) sto SCORE) 7)))" + PASSING, scoring="min ((current player) sto SCORE)")
    low.play()
    assert plain(low.view(None)["result"]["text"], NAMES) == "Bram wins with the lowest score: 0"
    only = Sitting("(do ((set ((current player) sto WON) 1)))" + PASSING, scoring="max ((current player) sto WON)")
    only.play()
    assert plain(only.view(None)["result"]["text"], NAMES) == "Anna wins"
    team = Sitting(
        PASSING, seats=4, teams="(create teams (0, 2) (1, 3))", scoring="max ((team (current player)) sto X)"
    )
    team.play()
    assert plain(team.view(None)["result"]["text"], NAMES) == "4 players share the win with a score of 0"


def test_buttons_for_cards_of_a_hand_are_in_the_order_of_the_hand() -> None:
    pile = "(move (top (game hloc STOCK)) (top (game vloc UP)))"
    for seed in "1234":
        table = Sitting(DEAL + turns(pile + ONE_CARD.format(place="(game vloc POOL)") + "(turn pass)"), seed=seed)
        held = [piece["id"] for piece in table.zone("iloc:HAND:0", 0)["pieces"]]
        pieces = [move["pieces"] for move in table.view(0)["moves"]]
        assert pieces[1:-1] == [[id] for id in held]
        assert pieces[-1] == []


def scoring(view: View) -> tuple[str, list[str], list[list[str]]]:
    """What the scoring under the result says: its title, its columns, and the cells of each seat."""
    found = view["scoring"]
    columns = [plain(column, NAMES) for column in found["columns"]]
    return plain(found["title"], NAMES), columns, [row["cells"] for row in found["rows"]]


COUNTING = """(do ((set ((0 player) sto TAKEN) 4) (inc ((0 player) sto SCORE) ((0 player) sto TAKEN))
    (set ((0 player) sto SPARE) 1) (inc ((0 player) sto SCORE) ((0 player) sto SPARE))
    (dec ((0 player) sto SCORE) 3) (inc ((1 player) sto SCORE) 2)))"""


def test_the_scoring_under_the_result_says_what_the_points_were_for() -> None:
    score = "max ((current player) sto SCORE)"
    table = Sitting(PASSING + COUNTING, '[hide]\nstores = ["SPARE"]', scoring=score)
    table.play()
    assert scoring(table.game.view(table.state, None)) == (
        "the whole match",
        ["Taken", "Added", "Taken off", "Score"],
        [["+4", "+1", "\N{MINUS SIGN}3", "2"], ["", "+2", "", "2"]],
    )
    rounds = "(do ((inc ((1 player) sto SCORE) 5) (inc (game sto ROUND) 1)))"
    table = Sitting(PASSING + rounds + PASSING + COUNTING, scoring=score)
    table.play()
    table.play()
    title, _, rows = scoring(table.game.view(table.state, None))
    assert (title, rows[1]) == ("the last round", ["", "", "", "+2", "7"])


def test_scores_that_are_one_sum_need_no_scoring_and_secret_ones_are_not_in_it() -> None:
    table = Sitting(
        PASSING + "(do ((inc ((0 player) sto SCORE) 2)))" + PASSING, scoring="max ((current player) sto SCORE)"
    )
    table.play()
    assert "scoring" not in table.view()
    table.play()
    assert "scoring" not in table.game.view(table.state, None)
    secret = COUNTING.replace("sto SCORE", "hsto SCORE")
    table = Sitting(PASSING + secret, scoring="max ((current player) hsto SCORE)")
    table.play()
    assert "scoring" not in table.game.view(table.state, None)


@pytest.mark.parametrize("name", ["hearts", "cribbage", "whist", "president", "golf"])
def test_points_of_rounds_add_up_to_the_result(name: str) -> None:
    """All texts of the library that are scored deal by deal."""
    game = catalogue.find(name)
    match, chance = Match.start(game, game.default_seats, {}, FastChance(name)), FastChance(name)
    match.note_round()
    while not match.over:
        seat = match.to_act()[0]
        match.advance(seat, chance.choice(match.legal_moves(seat)))
        match.note_round()
    view = match.view(None)
    result = view["result"]
    assert len(result["rounds"]) > 2
    before, last = (each["values"] for each in result["rounds"][-2:])
    assert last == result["scores"]
    _, columns, rows = scoring(view)
    gained = [sum(int(cell.replace("\N{MINUS SIGN}", "-") or 0) for cell in row[:-1]) for row in rows]
    assert gained == [now - then for then, now in zip(before, last, strict=True)]
    if name == "cribbage":
        assert {"Sums", "Pairs and more"} <= set(columns)


def test_a_verb_may_say_what_a_store_of_the_table_holds() -> None:
    step = "(any ((current player) iloc HAND) 'C (move 'C (top ((current player) iloc GIFT))))"
    file = """[labels]
LEFT = "to the left"
[verbs]
GIFT = ["Pass {cards} {WAY}", "{seat} passes.", "pass a card {WAY}"]"""
    table = Sitting(DEAL + "(do ((set (game str WAY) LEFT)))" + f"(choice ({step}))", file)
    assert all(label.startswith("Pass ") and label.endswith(" to the left") for label in table.labels())
    assert plain(table.view()["prompt"], NAMES) == "Your turn: pass a card to the left"
    with pytest.raises(BadTableFile, match="WAY"):
        Labels.read('[verbs]\nGIFT = ["Pass", "{seat} passes {WAY}."]')


def test_a_row_in_which_cards_only_wait_is_drawn_while_it_holds_some_or_can_get_one() -> None:
    step = "(any ((current player) iloc HAND) 'C (move 'C (top ((current player) iloc GIFT))))"
    give = "(do ((move (top ((current player) iloc GIFT)) (top ((next player) iloc HAND)))))"
    table = Sitting(DEAL + PASSING + f"(choice ({step}))" + PASSING + give + PASSING, "[layout]\nGIFT = 'row'")
    drawn = [sum("GIFT" in zone for zone in table.zones(0))]
    for _ in range(3):
        table.play()
        drawn.append(sum("GIFT" in zone for zone in table.zones(0)))
    assert drawn == [0, 2, 2, 0]
    assert not any("GIFT" in zone for zone in table.zones(None))
