"""Tricks, as they follow from a text whatever its names are: where they lie, who wins, what is logged and shown."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterable
from itertools import pairwise

import pytest

from games import catalogue
from games.core import FastChance, Match
from games.core.view import Zone, plain
from games.recycle.game import RecycleGame
from tests.games.recycle.tables import NAMES, Sitting, say_all

HEIGHTS = "(((RANK : A) 1) ((RANK : TWO) 2) ((RANK : THREE) 3) ((RANK : FOUR) 4) ((RANK : EIGHT) 8))"
PLAY = """
  (stage player
    (end (all player 'P (> (size ('P vloc {place})) 0)))
    (choice ((any ((current player) iloc {hand}) 'C (move 'C (top ((current player) vloc {place})))))))
"""
DEAL = """
  (do ((set (game points WORTH) {heights}) (shuffle (game hloc STOCK))
       (all player 'P (repeat 3 (move (top (game hloc STOCK)) (top ('P iloc {hand})))))))
  (stage player (end (all player 'P (== (size ('P iloc {hand})) 0))) {rounds})
"""


def text(won: str, place: str = "MIDDLE", hand: str = "HAND", play: str = PLAY) -> str:
    """Return the blocks of a game of three tricks. ``won`` is what is done when all have played."""
    steps = play.format(place=place, hand=hand) + won
    return DEAL.format(
        heights=HEIGHTS, hand=hand, rounds=steps.replace("CARDS", f"(union (all player 'P ('P vloc {place})))")
    )


# The winner leads: a copy of what the library does, with other names and the lowest card.
LEADS = text(
    """(do ((cycle next (owner (min CARDS using (game points WORTH))))
            (all player 'P (move (top ('P vloc MIDDLE)) (top (game vloc ASIDE))))))"""
)
# The winner takes the cards face down, and the next player leads.
TAKES = text(
    """(do ((let (owner (max CARDS using (game points WORTH))) 'W
              (all player 'P (move (top ('P vloc BATTLE)) (top ('W hloc SPOILS)))))))""",
    place="BATTLE",
    hand="FISTFUL",
)
# A store has the winner. The cards are put away first, and the leader is set when the next trick begins.
STORED = text(
    """(do ((set (game who BEST) (owner (top (sort CARDS using (game points WORTH)))))
            (all player 'P (repeat all (move (top ('P vloc MIDDLE)) (bottom (game vloc PAST)))))
            (cycle next (game who BEST))))"""
)
# The winning card has a name, and is one of those of a suit.
FILTERED = text(
    """(do ((let (max (filter CARDS 'C (!= (cardatt SUIT 'C) JOKERS)) using (game points WORTH)) 'BEST
              (do ((cycle next (owner 'BEST))
                   (all player 'P (move (top ('P vloc MIDDLE)) (top ((owner 'BEST) vloc MINE)))))))))"""
)
STYLES = {"leads": LEADS, "takes": TAKES, "stored": STORED}

# An auction: the highest card gets a prize, and nobody gets the cards or leads for it.
AUCTION = text(
    """(do ((move (top (game hloc STOCK)) (top ((owner (max CARDS using (game points WORTH))) vloc PRIZES)))
            (all player 'P (move (top ('P vloc MIDDLE)) (top (game vloc ASIDE))))))"""
)
# A showdown: the highest card counts.
SHOWDOWN = text(
    """(do ((inc ((owner (max CARDS using (game points WORTH))) sto WINS) 1)
            (all player 'P (move (top ('P vloc MIDDLE)) (top (game vloc ASIDE))))))"""
)
# The player who has turned up the lowest card begins; it is not a card of their own.
BEGINS = text(
    "(do ((cycle next (owner (min CARDS using (game points WORTH)))) (turn pass)))",
    play="""(stage player (end (all player 'P (> (size ('P vloc {place})) 0)))
              (choice ((move (top (game hloc STOCK)) (top ((current player) vloc {place}))))))
            (do ((all player 'P (repeat all (move (top ('P iloc {hand})) (top (game vloc ASIDE)))))))""",
)


def program(blocks: str) -> RecycleGame:
    return Sitting(blocks, seats=3).game


@pytest.mark.parametrize(
    ("name", "kept"), [("hearts", {"LAST"}), ("whist", {"LAST"}), ("agram", {"LAST"}), ("oh-hell", {"LAST"})]
)
def test_the_library_has_tricks_where_one_plays_for_them(name: str, kept: set[str]) -> None:
    game = catalogue.find(name)
    assert isinstance(game, RecycleGame)
    tricks = game.program(game.default_seats).tricks
    assert tricks.place == "TRICK"
    assert tricks.kept == kept
    assert sorted(tricks.seats.values()) == list(range(game.default_seats))


def test_other_games_of_the_library_have_none() -> None:
    games = [game for game in catalogue.listed(catalogue.providers[1]) if isinstance(game, RecycleGame)]
    with_tricks = {game.name for game in games if game.program(game.min_seats).tricks.place}
    assert (
        with_tricks
        == {game.name for game in games if game.kind == "trick-taking"}
        == {"hearts", "whist", "agram", "oh-hell"}
    )


@pytest.mark.parametrize(
    ("blocks", "place", "kept"),
    [
        (LEADS, "MIDDLE", {"ASIDE"}),
        (TAKES, "BATTLE", set()),
        (STORED, "MIDDLE", {"PAST"}),
        (FILTERED, "MIDDLE", set()),
        (AUCTION, "", set()),
        (SHOWDOWN, "", set()),
        (BEGINS, "", set()),
    ],
)
def test_a_trick_is_won_where_the_owner_of_one_of_the_cards_leads_or_takes_them(
    blocks: str, place: str, kept: set[str]
) -> None:
    tricks = program(blocks).program(3).tricks
    assert tricks.place == place
    assert tricks.kept == kept


def test_a_text_that_makes_the_search_long_is_read_at_once() -> None:
    """Variables that stand for each other twice, and stores that are set to each other."""
    lets = "(let (union (all player 'P ('P vloc MIDDLE))) 'AA "
    names = [f"{a}{b}" for a in "AB" for b in "ABCDEFGHIJ"]
    for before, name in pairwise(names):
        lets += f"(let (union '{before} '{before}) '{name} "
    lets += f"(cycle next (owner (max '{names[-1]} using (game points WORTH)))){')' * len(names)}"
    stores = "".join(f"(set (game who {one}) (game who {other}))" for one in "LMNO" for other in "LMNO" for _ in "123")
    gather = "(all player 'P (move (top ('P vloc MIDDLE)) (top (game vloc ASIDE))))"
    blocks = text(f"(do ({lets} (cycle next (game who L)) {stores} {gather}))")
    assert program(blocks).program(3).tricks.place == "MIDDLE"


# -- the log


def rank(face: str) -> int:
    return 1 if face[:-1] == "A" else int(face[:-1])


def played(lines: list[str]) -> dict[str, str]:
    """Who played which card, by the log."""
    found = [re.match(r"(\w+) (?:plays|puts) (\w+[\u2660-\u2667])", line) for line in lines]
    return {match[1]: match[2] for match in found if match}


@pytest.mark.parametrize(("style", "best"), [("leads", min), ("takes", max), ("stored", max)])
def test_the_log_says_who_wins_a_trick_with_which_card_and_not_where_the_cards_go(
    style: str, best: Callable[[Iterable[int]], int]
) -> None:
    for seed in "12345678":
        table = Sitting(STYLES[style], seats=3, seed=seed)
        entries = [line for _ in range(3) for line in table.play()]
        lines = say_all(entries)
        cards = played(lines)
        assert len(cards) == 3, lines
        top = best(map(rank, cards.values()))
        won = [line for line in lines if "wins the trick" in line]
        assert won in [[f"{who} wins the trick with {card}."] for who, card in cards.items() if rank(card) == top]
        assert not [line for line in lines if " go to " in line or " goes to " in line], lines
        assert not [line for line in entries if line["kind"] == "win" and "motions" in line], "they stay in view"


def test_a_text_may_note_after_each_card_whose_is_the_best_so_far() -> None:
    note = "(do ((set (game who BEST) (owner (max CARDS using (game points WORTH))))))"
    play = PLAY.rstrip().removesuffix(")") + note + ")"
    gather = "(do ((cycle next (game who BEST)) (all player 'P (move (top ('P vloc MIDDLE)) (top (game vloc ASIDE))))))"
    table = Sitting(text(gather, play=play), seats=3)
    lines = [say_all(table.play()) for _ in range(3)]
    assert [sum("wins the trick" in line for line in some) for some in lines] == [0, 0, 1], lines


def test_the_moment_in_which_players_look_at_a_trick_names_its_winner() -> None:
    for blocks in STYLES.values():
        table = Sitting(blocks, seats=3)
        for _ in range(3):
            table.state.moments = ()
            table.play()
        [moment] = table.state.moments
        assert "wins the trick with" in plain(moment.text, NAMES)
        view = table.game.view(moment.position, None)
        assert [len(zone["pieces"]) for zone in view["zones"] if zone["id"].endswith(":all")] == [3]


# -- what is shown


def pieces(zone: Zone | None) -> list[tuple[int, str]]:
    """Who played what, by a zone."""
    return [(piece["seat"], piece["face"]) for piece in zone["pieces"]] if zone else []


@pytest.mark.parametrize("name", ["hearts", "whist", "agram", "oh-hell"])
def test_a_trick_lies_in_the_middle_until_the_next_card_is_played_for_everybody(name: str) -> None:
    game = catalogue.find(name)
    chance = FastChance(name)
    match = Match.start(game, game.default_seats, {}, FastChance(f"tricks of {name}"))
    now: list[tuple[int, str]] = []
    last: list[tuple[int, str]] = []
    won = False
    tricks = 0
    while not match.over:
        seat = match.state.to_act()[0]
        move = chance.choice(match.state.legal_moves(seat))
        match.advance(seat, move)
        if not move.endswith(">TRICK"):
            continue
        if won:
            now, last = [], now
        now = [*now, (seat, move.split()[0])]
        sentences = [entry["text"] for entry in match.log[-1] if "wins the trick" in entry["text"]["text"]]
        won = bool(sentences)
        deals = any(entry["kind"] == "deal" for entry in match.log[-1])
        tricks += won
        for audience in (None, *range(game.default_seats)):
            view = match.view(audience)
            zones = {zone["id"]: zone for zone in view["zones"]}
            assert not [zone for zone in zones if zone.startswith(("vloc:TRICK:", "vloc:LAST")) and zone[-3:] != "all"]
            trick = zones["vloc:TRICK:all"]
            assert trick["layout"] == "trick"
            assert "seat" not in trick
            if deals and not match.over:  # its cards are in other hands by now
                assert pieces(trick) == []
                assert pieces(view.get("last_trick")) == now
                assert "settled" not in view
                continue
            assert pieces(trick) == now
            assert pieces(view.get("last_trick")) == last
            winners = [piece["seat"] for piece in trick["pieces"] if piece.get("mark") == "won"]
            assert [view["settled"]] == sentences if won else "settled" not in view
            assert [{"seat": who} for who in winners] == [text["args"]["seat"] for text in sentences]
            shown = [
                piece["id"] for zone in [*view["zones"], view.get("last_trick")] if zone for piece in zone["pieces"]
            ]
            assert len(set(shown)) == len(shown)
    assert tricks > 3


def test_somebody_who_comes_later_sees_the_same_tricks() -> None:
    game = catalogue.find("hearts")
    match = Match.start(game, 4, {}, FastChance("later"))
    chance = FastChance("later")
    for _ in range(12 + 4 * 3):
        seat = match.state.to_act()[0]
        match.advance(seat, chance.choice(match.state.legal_moves(seat)))
    assert match.view(None)["last_trick"]
    copies = [match.state.clone(), pickle.loads(pickle.dumps(match.state))]
    assert [game.view(copy, None) for copy in copies] == [match.view(None)] * 2


def test_cards_that_are_won_face_down_stay_in_the_middle_and_then_go_where_nobody_sees_them() -> None:
    table = Sitting(TAKES, seats=3)
    for _ in range(3):
        table.play()
    view = table.view(None)
    trick = next(zone for zone in view["zones"] if zone["layout"] == "trick")
    assert len(trick["pieces"]) == 3
    winner = next(piece["seat"] for piece in trick["pieces"] if piece.get("mark") == "won")
    table.play()
    view = table.view(None)
    assert pieces(view["last_trick"]) == pieces(trick)
    [pile] = [zone for zone in view["zones"] if zone["id"] == f"hloc:SPOILS:{winner}"]
    assert pile["size"] == 3
    assert [piece["id"] for piece in view["last_trick"]["pieces"]] == [
        f"last/{piece['id']}" for piece in trick["pieces"]
    ]


def test_cards_that_nobody_has_played_are_in_no_trick() -> None:
    game = catalogue.find("oh-hell")
    match = Match.start(game, 4, {}, FastChance("hidden"))
    chance = FastChance("hidden")
    known: set[str] = set()
    while not match.over:
        seat = match.state.to_act()[0]
        move = chance.choice(match.state.legal_moves(seat))
        match.advance(seat, move)
        known |= {move.split()[0]} if move.endswith(">TRICK") else set()
        for audience in (None, 0):
            view = match.view(audience)
            shown = [*(zone for zone in view["zones"] if zone["layout"] == "trick"), view.get("last_trick")]
            assert {face for zone in shown for _, face in pieces(zone)} <= known


def test_the_log_and_the_table_say_what_a_trick_has_brought() -> None:
    match, chance = Match.start(catalogue.find("hearts"), 4, {}, FastChance("worth")), FastChance("worth")
    points, deals = 0, 0
    while not match.over:
        seat = match.to_act()[0]
        match.advance(seat, chance.choice(match.legal_moves(seat)))
        for entry in match.log[-1]:
            if "wins the trick" in entry["text"]["text"]:
                worth = entry["text"]["args"].get("points", 1 if "(1 point)" in entry["text"]["text"] else 0)
                assert isinstance(worth, int)
                points += worth
        deals += any("gathered" in entry["text"]["text"] for entry in match.log[-1])
    assert (points, deals) == (4 * 26, 3)
