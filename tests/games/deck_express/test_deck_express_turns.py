"""Gameplay of Deck EXPRESS: Build Track, Invest, and how turns go round."""

from __future__ import annotations

import pytest

from tests.games.deck_express.tables import (
    CHART_STRETCHES,
    COMPANIES,
    DECK_SIZE,
    GRID,
    RANKS,
    SEATS,
    SUITS,
    Play,
    load,
)
from tests.play import random_states

BOTH_OUT = {"spades": "L1", "hearts": "L2"}


# Whose turn


@pytest.mark.parametrize("num_players", SEATS)
@pytest.mark.parametrize("start", [0, 1])
def test_turns_go_clockwise_from_the_start_player(num_players, start):
    """DE14: seat i hands on to seat i + 1, the last one to seat 0, whatever the action."""
    play = Play(num_players, turn=start, deck="2C 3C")
    seats = []
    for turn in range(2 * num_players):
        seats.append(play.seat)
        build = min(play.legal - {"invest"})
        play.do(build if turn else "invest")
    assert seats == [(start + turn) % num_players for turn in range(2 * num_players)]


def test_a_turn_is_one_action():
    play = Play(turn=1, track=(None, "5S 6S"))
    assert play.do("build 5S").seat == 2
    play = Play(turn=1, track=(None, "5S 6S"), deck="7S")
    assert play.do("invest").seat == 2


def test_choices_of_a_turn_are_own_track_and_invest():
    play = Play(turn=1, track=(None, "5S 6S 10D"))
    assert play.legal == {"build 5S", "build 6S", "build 10D", "invest"}


# Build Track


@pytest.mark.parametrize("company", COMPANIES)
@pytest.mark.parametrize("rank", RANKS)
def test_track_goes_on_top_of_the_stack_of_its_suit(company, rank):
    card = f"{rank}{SUITS[company]}"
    play = Play(stacks={company: ""}, track=(card,))
    others = {name: stack for name, stack in play.table["stacks"].items() if name != company}
    play.do(f"build {card}")
    stacks = play.table["stacks"]
    assert stacks.pop(company) == {"top": card, "height": 2, "value": rank, "built": [card]}
    assert stacks == others


def test_building_takes_the_card_from_the_hand():
    play = Play(track=("5S 6S",))
    assert play.each("hand_size")[0] == 5
    play.do("build 6S")
    assert play.each("track")[0] == ["5S"]
    assert play.each("hand_size")[0] == 4


def test_any_rank_may_cover_any_rank():
    """Play any track card on its suit: lower on higher, higher on lower, track on a locomotive."""
    play = Play(2, stacks={"spades": "10S"}, track=("2S", "9S"))
    play.do("build 2S")
    assert play.table["stacks"]["spades"]["value"] == 2
    play.do("build 9S")
    assert play.table["stacks"]["spades"]["value"] == 9
    play = Play(stacks={"spades": "10S L1"}, track=("2S",)).do("build 2S")
    assert play.table["stacks"]["spades"] == {
        "top": "2S",
        "height": 4,
        "value": 2,
        "built": ["2S", "10S"],
    }


def test_without_track_a_player_must_invest():
    assert Play(track=("",)).legal == {"invest"}


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_there_is_always_something_to_do(num_players, setup):
    """Never a pass: in every phase the seat to act has a legal action; in a turn it may invest."""
    game = load(num_players, setup)
    invest = game.action_names.index("invest")
    for seed in range(5):
        for state in random_states(game, seed):
            phase = game.table(state)["phase"]
            assert game.legal(state).any() == (phase != "over")
            assert game.legal(state)[invest] == (phase == "build_or_invest")


def test_shares_are_not_played_in_a_turn():
    """Share cards are only played while dividends are paid, track cards only in turns."""
    game = load()
    for seed in range(10):
        for state in random_states(game, seed):
            phase = game.table(state)["phase"]
            kinds = {
                name.split()[0]
                for name, may in zip(game.action_names, game.legal(state), strict=True)
                if may
            }
            allowed = {
                "build_or_invest": {"build", "invest"},
                "assign_locomotive": {"assign"},
                "reveal_share": {"reveal"},
                "pass_share": {"pass"},
                "over": set(),
            }
            assert kinds <= allowed[phase]


# Invest


def test_a_drawn_track_card_goes_into_the_hand_and_ends_the_turn():
    play = Play(track=("5S",), deck="7D")
    stacks = play.table["stacks"]
    play.do("invest")
    assert play.each("track")[0] == ["5S", "7D"]
    assert play.each("hand_size")[0] == 5
    assert (play.phase, play.seat) == ("build_or_invest", 1)
    assert play.table["deck_left"] == DECK_SIZE[3] - 1
    assert play.table["stacks"] == stacks


def test_cards_are_drawn_from_the_top_in_order():
    play = Play(track=("", "", ""), deck="7D 3C 10H")
    play.do("invest", "invest", "invest")
    assert play.each("track") == [["7D"], ["3C"], ["10H"]]


def test_a_drawn_locomotive_adds_no_card_and_the_turn_goes_on():
    """DE15: the drawer assigns it, gets no card for it, and it never enters a hand."""
    play = Play(drawn=3, track=("5S",), turn=0)
    hand_sizes = play.each("hand_size")
    play.do("invest")
    assert (play.phase, play.seat) == ("assign_locomotive", 0)
    assert play.each("hand_size") == hand_sizes
    assert play.each("track")[0] == ["5S"]
    assert play.table["locomotives"]["L1"]["draw"] == 4


@pytest.mark.parametrize("num_players", SEATS)
def test_after_a_dividend_the_drawers_left_neighbour_goes_on(num_players):
    """DE15: normal turn order, no extra turn for the drawer."""
    for drawer in range(num_players):
        play = Play(num_players, phase="assign_locomotive", turn=drawer)
        play.do("assign locomotive to clubs")
        while play.phase != "build_or_invest":
            play.do(min(play.legal))
        assert play.seat == (drawer + 1) % num_players


@pytest.mark.parametrize("num_players", SEATS)
def test_the_last_card_goes_into_the_hand_and_can_never_be_built(num_players):
    """DE8: its drawer holds one card more, pays for it, and the game is over."""
    play = Play(
        num_players,
        stacks=BOTH_OUT,
        drawn=DECK_SIZE[num_players] - 1,
        deck="7D",
        track=("5S 6S 8S",),
        money=[20] * num_players,
    )
    play.do("invest")
    assert play.over
    assert play.legal == set()
    assert play.each("track")[0] == ["5S", "6S", "8S", "7D"]
    money = play.each("money")
    assert play.scores[0] == money[0] - 4
    assert "7D" not in play.table["stacks"]["diamonds"]["built"]


# How long a game lasts


def turns(moves: list[str]) -> int:
    return sum(move == "invest" or move.startswith("build") for move in moves)


@pytest.mark.parametrize(("num_players", "fewest"), [(2, 28), (3, 23), (4, 18)])
def test_the_shortest_game_is_one_invest_a_card(num_players, fewest):
    for seed in range(5):
        game = load(num_players)
        state = game.deal(seed)
        moves = []
        while not game.is_over(state):
            legal = game.legal(state)
            invest = game.action_names.index("invest")
            action = invest if legal[invest] else int(legal.argmax())
            moves.append(game.action_names[action])
            game.play(state, action)
        assert turns(moves) == fewest


def plan_to_build_everything(
    hands: tuple[int, ...], turn: int, drawn: int, locomotives: tuple[int, ...], size: int
) -> list[str]:
    """Turns (build or invest) after which the last card is drawn by empty hands; a plain search."""
    hopeless = set()

    def search(hands: tuple[int, ...], turn: int, drawn: int) -> list[str] | None:
        if drawn == size:
            return [] if sum(hands) == 1 else None
        if (hands, turn, drawn) in hopeless:
            return None
        following = (turn + 1) % len(hands)
        for kind in ("invest", "build"):
            after = list(hands)
            draws = kind == "invest"
            after[turn] += (drawn + 1 not in locomotives) if draws else -1
            if after[turn] >= 0:
                rest = search(tuple(after), following, drawn + draws)
                if rest is not None:
                    return [kind, *rest]
        hopeless.add((hands, turn, drawn))
        return None

    plan = search(hands, turn, drawn)
    assert plan is not None
    return plan


@pytest.mark.parametrize(("num_players", "most"), [(2, 63), (3, 58), (4, 53)])
def test_the_longest_game_builds_all_track_but_the_last_card(num_players, most):
    """All 35 other track cards can be built; the last card drawn never can."""
    locomotives = tuple(start for start, _ in CHART_STRETCHES[num_players])
    plan = plan_to_build_everything((5,) * num_players, 0, 0, locomotives, DECK_SIZE[num_players])
    assert len(plan) == most
    play = Play(num_players, locomotives=locomotives)
    for kind in plan:
        play.do(max(name for name in play.legal if name.startswith(kind)))
        while play.phase not in ("build_or_invest", "over"):
            play.do(max(play.legal))
    assert play.over
    assert sum(play.each("hand_size")) == 1


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_every_game_ends_within_the_bounds(num_players, setup):
    size = DECK_SIZE[num_players]
    game = load(num_players, setup)
    for seed in range(10):
        phases = [game.table(state)["phase"] for state in random_states(game, seed)]
        assert size <= phases.count("build_or_invest") <= size + 35
        assert phases[-1] == "over"
        assert not set(phases[:-1]) & {"over"}
