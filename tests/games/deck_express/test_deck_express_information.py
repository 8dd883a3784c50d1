"""What a seat of Deck EXPRESS may know: its observation, and that nothing else gets out."""

from __future__ import annotations

import copy
import functools
import itertools
from typing import Any

import numpy as np
import pytest

from railenvs import Game, deck_express_v0
from railenvs.engine.state import State
from railenvs.render.text import render_view
from tests.games.deck_express.tables import (
    COMPANIES,
    DECK_SIZE,
    GRID,
    LOCOMOTIVES,
    PHASES,
    RANKS,
    SEATS,
    SHARES,
    SUITS,
    TRACK,
    Play,
    layouts_after,
    load,
    make_table,
)
from tests.play import random_states

# The observation, field by field, from the table and the docs alone


def encode(table: dict[str, Any], me: int) -> dict[str, list[Any]]:
    """Every field of the observation of seat ``me``, as nested lists, from the whole table."""
    seats = table["seats"]
    count = len(seats)
    around = [(me + step) % count for step in range(count)]
    mine = seats[me]
    stacks = [table["stacks"][company] for company in COMPANIES]
    built = [card for stack in stacks for card in stack["built"]]
    shown = [share for seat in seats for share in seat["shown"]]
    return {
        "own_track": by_rank(mine["track"]),
        "built": by_rank(built),
        "unseen_track": by_rank([card for card in TRACK if card not in mine["track"] + built]),
        "own_shares": by_face(mine["shares"]),
        "unseen_shares": by_face([card for card in SHARES if card not in mine["shares"] + shown]),
        "own_choice": by_face([mine["choice"]]),
        "top": [one_hot(tops(company), table["stacks"][company]["top"]) for company in COMPANIES],
        "height": [stack["height"] for stack in stacks],
        "value": [stack["value"] for stack in stacks],
        "phase": [int(phase == table["phase"]) for phase in PHASES],
        "dividends": [table["dividends"]],
        "deck_left": [table["deck_left"]],
        "locomotive_window": windows(table),
        "shown": [by_face(seats[seat]["shown"]) for seat in around],
        "hand_size": [len(seats[seat]["track"]) + len(seats[seat]["shares"]) for seat in around],
        "money": [seats[seat]["money"] for seat in around],
        "turn": [int(seat == table["turn"]) for seat in around],
    }


def by_rank(cards: list[str]) -> list[list[int]]:
    return [[int(f"{rank}{suit}" in cards) for rank in RANKS] for suit in SUITS.values()]


def by_face(cards: list[str]) -> list[list[int]]:
    return [[int(face + suit in cards) for face in "JQK"] for suit in SUITS.values()]


def tops(company: str) -> list[tuple[str, ...]]:
    """What may lie on top of a stack, in the order of the one-hot field."""
    suit = SUITS[company]
    return [("A" + suit,), *((f"{rank}{suit}",) for rank in RANKS), LOCOMOTIVES]


def one_hot(kinds: list[tuple[str, ...]], card: str) -> list[int]:
    return [int(card in kind) for kind in kinds]


def windows(table: dict[str, Any]) -> list[list[int]]:
    drawn = DECK_SIZE[len(table["seats"])] - table["deck_left"]
    came = [table["locomotives"][name]["draw"] for name in LOCOMOTIVES]
    return [
        list(span) for span in possible_windows(len(table["seats"]), table["setup"], drawn, *came)
    ]


@functools.cache
def possible_windows(
    num_players: int, setup: str, drawn: int, *came: int | None
) -> list[tuple[int, int]]:
    """By trying every layout that agrees with the draws so far."""
    draws = [draw for draw in came if draw is not None]
    possible = layouts_after(num_players, setup, drawn, draws)
    spans = []
    for order, draw in enumerate(came):
        places = [layout[order] - drawn for layout in possible]
        spans.append((0, 0) if draw is not None else (min(places), max(places)))
    return spans


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_observation_is_what_the_docs_say_of_the_table(num_players, setup):
    """DE20 and DE23: every field, for every seat, at every state of random games."""
    game = load(num_players, setup)
    for seed in range(6):
        for state in random_states(game, seed):
            table = game.table(state)
            for seat in range(num_players):
                seen = game.observe(state, seat)
                expected = encode(table, seat)
                assert list(expected) == list(game.fields)
                for name, value in expected.items():
                    assert game.fields.cut(seen, name).tolist() == value, (name, table)


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_observation_keeps_to_its_bounds(num_players, setup):
    game = load(num_players, setup)
    low, high = game.fields.bounds()
    for seed in range(6):
        for state in random_states(game, seed):
            for seat in range(num_players):
                seen = game.observe(state, seat)
                assert (low <= seen).all()
                assert (seen <= high).all()


def test_height_and_built_track_are_remembered():
    """DE20: covered cards were played face up; top, height and all track played are known."""
    play = Play(stacks={"spades": "5S L1 9S 2S"}, drawn=8)
    seen = play.game.observe(play.state, 1)
    fields = play.game.fields
    assert fields.cut(seen, "height")[0] == 5
    assert fields.cut(seen, "top")[0].tolist() == [0, 1] + [0] * 9
    built = fields.cut(seen, "built")[0]
    assert [rank for rank, played in zip(RANKS, built, strict=True) if played] == [2, 5, 9]


@pytest.mark.parametrize("num_players", SEATS)
def test_number_of_cards_left_to_draw_is_known(num_players):
    """DE23: the count is public, and so is where locomotives may come."""
    game = load(num_players)
    for state in random_states(game, 0):
        left = len(game.table(state)["draw_deck"])
        for seat in range(num_players):
            assert game.fields.cut(game.observe(state, seat), "deck_left").tolist() == [left]


def test_hand_size_gives_away_the_number_of_track():
    """Everyone holds 3, 2, 1, 0 shares by dividends paid, so the rest of a hand is track."""
    game = load(4)
    for state in random_states(game, 0):
        table = game.table(state)
        sizes = game.fields.cut(game.observe(state, 0), "hand_size")
        track = [len(seat["track"]) for seat in table["seats"]]
        assert (sizes - (3 - table["dividends"])).tolist() == track


# What others choose in secret


def knowledge(env: Any, agent: str) -> tuple[bytes, bytes, str, str, bytes]:
    """All an agent gets: observation, mask, table, text, and the view handed to its code."""
    unwrapped = env.unwrapped
    seen = env.observe(agent)
    view = unwrapped.view(agent)
    return (
        seen["observation"].tobytes(),
        seen["action_mask"].tobytes() + env.infos[agent]["action_mask"].tobytes(),
        repr(unwrapped.table(agent)),
        render_view(view),
        view.observation.tobytes() + view.action_mask.tobytes() + view.sample_world(3).tobytes(),
    )


@pytest.mark.parametrize("num_players", SEATS)
@pytest.mark.parametrize(("kind", "number"), [("reveal", 1), ("reveal", 2), ("pass", 2)])
def test_nobody_learns_a_choice_before_all_have_chosen(num_players, kind, number):
    """DE10: whatever the others have laid aside, what a seat gets stays the same to the byte."""
    env = deck_express_v0.raw_env(num_players)
    drawer = num_players - 1
    start = make_table(
        num_players,
        phase=f"{kind}_share",
        turn=drawer,
        stacks={"hearts": "2H L1"} if number == 1 else {"spades": "5S L1 9S", "hearts": "2H L2"},
    )
    around = [(drawer + step) % num_players for step in range(num_players)]
    cards = [start["seats"][seat]["shares" if kind == "reveal" else "shown"] for seat in around]
    for chosen in range(1, num_players):
        learnt: dict[tuple[str, str | None], set[Any]] = {}
        for choices in itertools.product(*cards[:chosen]):
            env.reset(options={"table": start})
            for card in choices:
                env.step(env.game.action_names.index(f"{kind} {card}"))
            assert env.agent_selection == f"player_{around[chosen]}"
            for place, seat in enumerate(around):
                agent = f"player_{seat}"
                own = choices[place] if place < chosen else None
                learnt.setdefault((agent, own), set()).add(knowledge(env, agent))
        assert len(learnt) == num_players - chosen + sum(map(len, cards[:chosen]))
        assert all(len(alternatives) == 1 for alternatives in learnt.values())


def test_a_seat_sees_its_own_choice_until_all_have_chosen():
    """DE10."""
    play = Play(phase="reveal_share", stacks={"hearts": "L1"}, shares=("JS QS KS",))
    cut = play.game.fields.cut
    play.do("reveal QS")
    assert cut(play.game.observe(play.state, 0), "own_choice").tolist() == by_face(["QS"])
    assert play.game.table(play.state, 0)["seats"][0]["choice"] == "QS"
    for seat in (1, 2):
        assert not cut(play.game.observe(play.state, seat), "own_choice").any()
        assert play.game.table(play.state, seat)["seats"][0]["choice"] is None
    play.do(min(play.legal)).do(min(play.legal))
    assert not cut(play.game.observe(play.state, 0), "own_choice").any()


@pytest.mark.parametrize("num_players", SEATS)
def test_how_many_have_chosen_shows_nowhere_but_in_the_selection(num_players):
    """DE10: a seat cannot tell from its view who has chosen; its mask says when it must."""
    play = Play(num_players, phase="reveal_share", stacks={"hearts": "L1"})
    last = num_players - 1
    before = play.game.observe(play.state, last)
    for _ in range(num_players - 1):
        play.do(min(play.legal))
        assert np.array_equal(play.game.observe(play.state, last), before)
        assert play.game.look(play.state, last)[1].any() == (play.seat == last)


# Removed shares and other hidden cards


def swap_share(table: dict[str, Any], one: str, other: str) -> dict[str, Any]:
    """The same table with two shares in each other's place."""
    exchange = {one: other, other: one}

    def change(entries: list[str]) -> list[str]:
        return sorted(exchange.get(card, card) for card in entries)

    changed = copy.deepcopy(table)
    changed["removed_shares"] = change(table["removed_shares"])
    for seat, given in zip(changed["seats"], table["seats"], strict=True):
        seat["shares"] = change(given["shares"])
        seat["choice"] = exchange.get(given["choice"], given["choice"])
    return changed


@pytest.mark.parametrize("num_players", [2, 3])
def test_removed_shares_show_nowhere(num_players):
    """DE21: a removed share may change places with one in another hand, and I cannot tell."""
    game = load(num_players)
    tried = 0
    for state in itertools.islice(random_states(game, 5), None, None, 3):
        table = game.table(state)
        for other, holder in enumerate(table["seats"]):
            for share in holder["shares"][:1]:
                changed = game.from_table(swap_share(table, share, table["removed_shares"][-1]))
                for me in set(range(num_players)) - {other}:
                    assert_alike(game, state, changed, me)
                    tried += 1
    assert tried > 20


@pytest.mark.parametrize("num_players", [2, 3])
def test_removed_shares_are_hidden_to_the_end(num_players):
    """DE21: no seat's table ever lists them, nor does their order matter anywhere."""
    game = load(num_players)
    for state in random_states(game, 6):
        table = game.table(state)
        assert len(table["removed_shares"]) == 12 - 3 * num_players
        for seat in range(num_players):
            assert game.table(state, seat)["removed_shares"] is None
        table["removed_shares"].reverse()
        assert game.state_hash(game.from_table(table)) == game.state_hash(state)


@pytest.mark.parametrize("num_players", [2, 3])
def test_removed_shares_influence_nothing(num_players):
    """DE21: with other shares of the same companies removed the game takes the same course."""
    game = load(num_players)
    for seed in range(5):
        state = game.deal(seed)
        table = game.table(state)
        pairs = [
            (held, gone)
            for seat in table["seats"]
            for held in seat["shares"]
            for gone in table["removed_shares"]
            if held[-1] == gone[-1]
        ]
        for held, gone in pairs[:2]:
            ends = []
            for start in (table, swap_share(table, held, gone)):
                state = game.from_table(start)
                exchange = {held: gone} if start is not table else {}
                ends.append(play_first_share(game, state, exchange))
            assert ends[0] == ends[1]


def play_first_share(game: Game, state: State, exchange: dict[str, str]) -> list[int]:
    """Play the legal action whose name, after the exchange of a share, comes first; final money."""
    back = {gone: held for held, gone in exchange.items()}
    while not game.is_over(state):
        names = [game.action_names[action] for action in np.flatnonzero(game.legal(state))]
        kinds = {" ".join([back.get(word, word) for word in name.split()]): name for name in names}
        wanted = "invest" if "invest" in kinds else min(kinds)
        game.play(state, game.action_names.index(kinds[wanted]))
    return [seat["money"] for seat in game.table(state)["seats"]]


@pytest.mark.parametrize(("num_players", "setup"), GRID)
def test_hidden_cards_in_other_places_look_the_same(num_players, setup):
    """Others' track and the draw deck's, exchanged by hand, change nothing a seat gets."""
    game = load(num_players, setup)
    for state in itertools.islice(random_states(game, 8), None, None, 4):
        table = game.table(state)
        for me in range(num_players):
            changed = rotate_hidden_track(table, me)
            assert_alike(game, state, game.from_table(changed), me)


def rotate_hidden_track(table: dict[str, Any], me: int) -> dict[str, Any]:
    """Every track card hidden from ``me`` where another one was; locomotives stay put."""
    changed = copy.deepcopy(table)
    zones = [seat["track"] for other, seat in enumerate(changed["seats"]) if other != me]
    zones.append(changed["draw_deck"])
    places = [
        (zone, place)
        for zone in zones
        for place, card in enumerate(zone)
        if card not in LOCOMOTIVES
    ]
    cards = [zone[place] for zone, place in places]
    for (zone, place), card in zip(places, cards[3:] + cards[:3], strict=True):
        zone[place] = card
    return changed


def assert_alike(game: Game, state: State, changed: State, me: int) -> None:
    """Two states give a seat the same observation, mask, table, text and sampled worlds."""
    for one, other in zip(game.look(state, me), game.look(changed, me), strict=True):
        assert np.array_equal(one, other)
    assert game.table(state, me) == game.table(changed, me)
    assert game.determinize(state, me, 3).tobytes() == game.determinize(changed, me, 3).tobytes()
