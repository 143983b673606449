"""What is logged of a text: the deal, moves, what follows from them, numbers, the end; and to whom."""

from __future__ import annotations

import pytest

from games.core import FastChance
from games.core.view import plain
from tests.games.recycle.tables import NAMES, PASSING, Sitting, say_all

DEAL = "(do ((repeat 2 (all player 'P (move (top (game hloc STOCK)) (top ('P iloc HAND)))))))"


def choice(step: str) -> str:
    return f"(choice ({step}))"


def test_a_deal_round_the_table_is_one_sentence_and_each_reads_their_own_cards() -> None:
    table = Sitting("(do ((shuffle (game hloc STOCK))))" + DEAL + PASSING)
    assert say_all(table.entries()) == ["The stock is shuffled.", "Everybody gets 2 cards."]
    held = [piece["face"] for piece in table.zone("iloc:HAND:1", 1)["pieces"]]
    mine = say_all(table.entries(), 1)[-1]
    assert mine.startswith("You get ")
    signs = [plain({"text": "{c}", "args": {"c": {"card": face}}}, NAMES) for face in held]
    assert all(sign in mine for sign in signs)
    dealt = table.entries()[1]
    assert dealt["kind"] == "deal"
    motions = [(motion["source"], motion["target"]) for motion in dealt["motions"]]
    assert motions == [("hloc:STOCK", "iloc:HAND:0"), ("hloc:STOCK", "iloc:HAND:1")] * 2


def test_cards_that_are_put_in_order_where_they_lie_have_no_entry() -> None:
    count = "(set (game points W) (((RANK : A) 1) ((RANK : TWO) 2)))"
    ordered = "(all (sort (game vloc ROW) using (game points W)) 'C (move 'C (top (game vloc ROW))))"
    table = Sitting(
        f"(do ((repeat 3 (move (top (game hloc STOCK)) (top (game vloc ROW)))) {count} {ordered}))" + PASSING
    )
    assert not any("from the row to the row" in line for line in say_all(table.entries()))


def test_equal_tokens_are_counted_and_not_named_one_by_one() -> None:
    tokens = "(repeat 3 (create tokens (game vloc BANK) (deck (COLOUR (RED)))))"
    table = Sitting(
        "(do ((repeat 3 (move (top (game vloc BANK)) (top ((current player) vloc WON))))))" + PASSING, more=tokens
    )
    assert "3 tokens go to Anna's “Won”." in say_all(table.entries())


def test_a_single_token_is_named_only_if_there_are_others() -> None:
    give = "(do ((move (top (game vloc BANK)) (top ((current player) vloc WON)))))"
    back = "(do ((move (top ((current player) vloc WON)) (top (game vloc BANK)))))"
    for colours, given, returned in (
        ("(RED)", "A token goes to Anna's “Won”.", "A token of Anna goes to the bank."),
        ("(RED, BLUE)", "Blue goes to Anna's “Won”.", "Anna's blue goes to the bank."),
    ):
        tokens = f"(repeat 3 (create tokens (game vloc BANK) (deck (COLOUR {colours}))))"
        table = Sitting(give + PASSING + back + PASSING, more=tokens)
        assert given in say_all(table.entries())
        assert returned in say_all(table.play())


def test_a_card_of_the_stock_that_is_shown_alone_is_turned_up() -> None:
    turn = "(do ((move (top (game hloc STOCK)) (top (game vloc {name})))))"
    for name, said in (
        ("STARTER", "8♥ is turned up from the stock."),
        ("POOL", "8♥ goes from the stock to the pool."),
    ):
        assert said in say_all(Sitting(turn.format(name=name) + PASSING).entries())


def test_a_player_who_draws_a_hidden_card_reads_which_and_others_do_not() -> None:
    table = Sitting(choice("(move (top (game hloc STOCK)) (top ((current player) iloc HAND)))"))
    lines = table.play()
    assert say_all(lines) == [
        "Anna draws a card from the stock.",
        "Anna shares the win with a score of 0.",
        "Bram shares the win with a score of 0.",
    ]
    assert "You get 8♥." in say_all(lines, 0)
    assert not any("8♥" in line for reader in (1, None) for line in say_all(lines, reader))


def test_a_player_who_lays_a_card_face_down_is_not_shown_what_it_was() -> None:
    table = Sitting(DEAL + choice("(any ((current player) iloc HAND) 'C (move 'C (top (game hloc CRIB))))"))
    lines = table.play()
    assert say_all(lines, 0)[0] == "Anna puts a card into the crib."
    assert not any("only" in line for line in lines)


def test_an_owner_who_may_not_see_a_card_is_not_shown_it_with_the_others() -> None:
    table = Sitting("(do ((move (top (game hloc STOCK)) (top ((current player) oloc HAT)))))" + PASSING)
    assert "8♥" not in " ".join(say_all(table.entries(), 0))
    assert say_all(table.entries(), 1)[-1] == "You see 8♥."


def test_the_first_line_of_a_move_is_its_players() -> None:
    step = "(do ((any ((current player) iloc HAND) 'C (move 'C (top (game vloc POOL)))) (set (game sto X) 1)))"
    lines = Sitting(DEAL + choice(step)).play()
    assert (lines[0]["kind"], lines[0]["seat"]) == ("move", 0)
    assert say_all(lines)[0].startswith("Anna plays ")
    assert say_all(Sitting(choice("(turn pass)")).play())[0] == "Anna must pass."
    assert say_all(Sitting(choice("(set (game sto BET) 5)")).play())[0] == "Anna: Bet 5."
    assert say_all(Sitting(choice("(set (game points P) (((SUIT : CLUBS) 1)))")).play())[0] == "Anna goes on."


def test_cards_that_go_the_same_way_are_one_log_entry_even_if_others_go_between() -> None:
    both = "(do ((all player 'P (do ((move (top (game hloc STOCK)) (top ('P vloc SHOWN)))"
    both += " (move (top (game hloc STOCK)) (top ('P hloc COVER))))))))"
    entries = say_all(Sitting(both + PASSING).entries())
    assert entries == ["Shown: Anna 8♥, Bram 4♥.", "A card goes to each player's “Cover”."]


def test_cards_that_all_players_already_had_are_shown_and_not_given() -> None:
    hidden = DEAL.replace("iloc HAND", "iloc CUP")
    show = "(do ((all player 'P (repeat all (move (top ('P iloc CUP)) (top ('P vloc OPEN)))))))"
    said = say_all(Sitting(hidden + PASSING + show + PASSING).play())
    assert said[1:] == ["4♥ and 8♥ go to Anna's “Open”.", "4♣ and 8♣ go to Bram's “Open”."]


def test_a_trick_that_is_taken_is_one_log_entry() -> None:
    play = "(do ((all player 'P (move (top (game hloc STOCK)) (top ('P vloc TRICK)))))) "
    take = "(do ((all player 'P (repeat all (move (top ('P vloc TRICK)) (top ((next player) vloc WON)))))))"
    assert say_all(Sitting(play + take + PASSING).entries())[-1] == "Bram takes the trick."


GATHER = """(do ((all player 'P (repeat all (move (top ('P {vis} HELD)) (top (game vloc WASTE)))))
    (repeat all (move (top (game vloc WASTE)) (top (game hloc STOCK)))) (shuffle (game hloc STOCK))))"""
HOLD = "(do ((all player 'P (move (top (game hloc STOCK)) (top ('P {vis} HELD))))))"


def test_cards_that_are_gathered_and_shuffled_are_one_log_entry_that_begins_a_round() -> None:
    table = Sitting(HOLD.format(vis="vloc") + PASSING + GATHER.format(vis="vloc") + PASSING)
    lines = table.play()
    assert say_all(lines) == ["Anna must pass.", "The cards are gathered and shuffled."]
    assert lines[1]["kind"] == "round"
    motions = [(motion["source"], motion["target"]) for motion in lines[1]["motions"]]
    assert motions == [("vloc:WASTE", "hloc:STOCK")] * 2


def test_a_text_that_counts_its_rounds_has_one_log_entry_for_a_round() -> None:
    count = "(do ((inc (game sto ROUND) 1)))"
    lines = Sitting(HOLD.format(vis="vloc") + PASSING + GATHER.format(vis="vloc") + count + PASSING).play()
    assert [line["kind"] for line in lines] == ["move", "deal", "round"]


def test_what_is_shown_on_its_way_to_the_shuffled_cards_is_said() -> None:
    lines = Sitting(HOLD.format(vis="hloc") + PASSING + GATHER.format(vis="hloc") + PASSING).play()
    said = say_all(lines)
    assert said[0] == "Anna must pass."
    assert said[1] == "8♥ and 8♣ go to the waste."
    assert said[2:] == ["The cards are gathered and shuffled."]


def test_while_players_hold_cards_a_shuffle_says_which_cards_it_adds() -> None:
    waste = "(do ((repeat 2 (move (top (game hloc STOCK)) (top (game vloc WASTE))))))"
    back = "(do ((repeat all (move (top (game vloc WASTE)) (top (game hloc STOCK)))) (shuffle (game hloc STOCK))))"
    lines = Sitting(DEAL + waste + PASSING + back + PASSING).play()
    assert say_all(lines) == ["Anna must pass.", "2 cards are shuffled into the stock."]


def test_what_a_player_has_taken_is_not_said_again_when_the_rules_sort_it() -> None:
    shown = "(do ((move (top (game hloc STOCK)) (top (game vloc POOL)))))"
    take = choice("(move (top (game vloc POOL)) (top ((current player) vloc TAKEN)))")
    sort = "(do ((move (top ((current player) vloc TAKEN)) (top ((current player) vloc {name})))))"
    lines = Sitting(shown + take + sort.format(name="REDS") + PASSING).play()
    assert say_all(lines) == ["Anna takes 8♥ from the pool."]


CATCH = """(do ((repeat 2 (move (top (game hloc STOCK)) (top (game vloc POOL))))
    (move (top (game hloc STOCK)) (top (game vloc PLAYED)))))"""


def test_cards_from_several_places_that_one_player_takes_are_one_sentence() -> None:
    ways = "".join(
        f"(repeat all (move (top (game vloc {name})) (top ((current player) vloc WON))))" for name in ("POOL", "PLAYED")
    )
    lines = Sitting(CATCH + choice(f"(do ({ways}))") + PASSING).play()
    assert say_all(lines) == ["Anna takes 8♣, 8♥ and 4♥."]
    assert len(lines[0]["motions"]) == 3
    won = "(top ((current player) vloc WON))"
    hand = f"(any ((current player) iloc HAND) 'C (do ((move 'C {won}) (move (top (game vloc POOL)) {won}))))"
    lines = Sitting(DEAL + CATCH + choice(hand) + PASSING).play()
    [said] = say_all(lines)
    assert said.startswith("Anna takes ")
    assert " with " in said


def test_cards_that_the_rules_give_for_the_card_played_are_one_sentence() -> None:
    play = choice("(any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc PLAYED))))")
    win = """(do ((repeat all (move (top (game vloc POOL)) (top ((current player) vloc WON))))
        (move (top ((current player) vloc PLAYED)) (top ((current player) vloc WON)))))"""
    lines = Sitting(DEAL + CATCH + play + win + PASSING).play()
    said = say_all(lines)
    card = said[0].removeprefix("Anna plays ").removesuffix(".")
    assert len(said) == 2
    assert said[1].startswith("Anna takes ")
    assert said[1].endswith(f" with {card}.")


def test_cards_that_rules_move_between_hands_are_given() -> None:
    give = "(do ((move (top (0 player iloc HAND)) (top (1 player iloc HAND)))))".replace("(0 player", "((0 player)")
    table = Sitting(DEAL + PASSING + give.replace("(1 player", "((1 player)") + PASSING)
    assert "Anna gives a card to Bram." in say_all(table.play(), None)


def test_scores_are_logged_when_all_is_done_and_only_if_they_have_changed() -> None:
    scored = (
        "(do ((inc ((current player) sto SCORE) 2) (inc ((next player) sto SCORE) 3) (inc ((next player) sto SCORE) 1)"
    )
    scored += " (set (game sto SCRATCH) 1) (inc ((current player) sto LUCK) 1)))"
    table = Sitting(PASSING + scored + PASSING, scoring="max ((current player) sto SCORE)")
    assert say_all(table.play()) == ["Anna must pass.", "Score: Anna 2, Bram 4."]
    same = "(do ((inc ((current player) sto SCORE) 2) (dec ((current player) sto SCORE) 2)))"
    assert say_all(Sitting(PASSING + same + PASSING, scoring="max ((current player) sto SCORE)").play()) == [
        "Anna must pass."
    ]


def test_hidden_stores_are_not_shown() -> None:
    table = Sitting(
        PASSING + "(do ((set (game str LEAD) HEARTS) (set (game str TRUMPS) CLUBS)))" + PASSING,
        '[hide]\nstores = ["LEAD"]',
    )
    assert say_all(table.play()) == ["Anna must pass.", "Trumps: clubs."]


def test_a_hidden_store_with_a_verb_is_said_on_buttons_and_in_the_prompt_and_one_without_is_not() -> None:
    table = Sitting(
        "(choice ((do ((set (game str DOUBTED) YES) (set (game who LOSER) (current player)))) (turn pass)))",
        '[hide]\nstores = ["DOUBTED", "LOSER"]\n[verbs]\n"DOUBTED=YES" = ["Doubt it", "{seat} doubts it.", "doubt it"]',
    )
    assert table.labels() == ["Doubt it", "Pass"]
    assert plain(table.view()["prompt"], NAMES) == "Your turn: doubt it or pass"
    assert say_all(table.play())[0] == "Anna doubts it."


def test_a_new_round_is_a_line_of_its_own_kind() -> None:
    lines = Sitting(PASSING + "(do ((inc (game sto ROUND) 1)))" + PASSING).play()
    assert [(line["kind"], plain(line["text"], NAMES)) for line in lines] == [
        ("move", "Anna must pass."),
        ("round", "Round 1"),
    ]


@pytest.mark.parametrize(
    ("store", "value", "scoring", "seat", "said"),
    [
        ("SCORE", 7, "max", 0, "Anna wins with 7."),
        ("SCORE", 7, "min", 1, "Bram wins with the lowest score: 0."),
        ("WON", 1, "max", 0, "Anna wins."),
        ("SCORE", 0, "min", 1, "Bram shares the win with the lowest score: 0."),
    ],
)
def test_who_wins_is_said_at_the_end(store: str, value: int, scoring: str, seat: int, said: str) -> None:
    table = Sitting(
        f"(do ((set ((current player) sto {store}) {value})))" + PASSING,
        scoring=f"{scoring} ((current player) sto {store})",
    )
    last = table.play()[-1]
    assert (last["kind"], last["seat"], plain(last["text"], NAMES)) == ("win", seat, said)


def test_nothing_is_kept_where_nobody_reads() -> None:
    table = Sitting(DEAL + PASSING + PASSING)
    copy = table.state.fork(FastChance("x"))
    assert copy.events is None
    table.state.log = None
    table.state.play(0, table.state.legal_moves(0)[0])
    assert table.state.events is None
    assert table.state.log is None


def test_a_place_that_is_not_drawn_has_no_part_in_a_motion() -> None:
    laid = "(do ((move (top (game hloc STOCK)) (top (game vloc SCRATCH)))))"
    line = Sitting(laid + PASSING, '[hide]\nplaces = ["SCRATCH"]').entries()[0]
    assert "motions" not in line
