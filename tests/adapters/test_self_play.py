"""Who plays which seat, and whether a learner's transitions are those of the games played."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from railenvs.adapters.pettingzoo import RailEnv
from railenvs.adapters.self_play import choose_in_rows
from railenvs.engine.agent import Agent, RandomAgent
from railenvs.engine.checks import ResetNeeded
from railenvs.engine.game import Game
from railenvs.engine.random import mix
from tests.adapters.countdown import countdown
from tests.adapters.playing import (
    GAMES,
    REAL_GAMES,
    Episode,
    Hashing,
    by_name,
    episodes_of,
    first_legal,
    play,
    play_games,
    raw,
    seeds_of_row,
    until,
)

POOL = [Hashing(1), Hashing(2), Hashing(3)]
BY_LABEL = {agent.name: agent for agent in POOL}
MIXED = {"random": 2.0, POOL[0]: 1.0, POOL[1]: 1.0}

all_games = pytest.mark.parametrize("game", GAMES, ids=by_name)
real_games = pytest.mark.parametrize("game", REAL_GAMES, ids=by_name)


def seat_to_act(env: RailEnv) -> int:
    return env.possible_agents.index(env.agent_selection)


def is_over(env: RailEnv) -> bool:
    return any(env.terminations.values()) or any(env.truncations.values())


# Transitions


def replay(game: Game, episode: Episode) -> None:
    """Play the game again as a plain AEC game and compare all that its learner saw."""
    info = episode.info
    learner = info["seat"]
    me = f"player_{learner}"
    others = [(learner + step) % game.num_players for step in range(1, game.num_players)]
    policies = dict(zip(others, (BY_LABEL[name] for name in info["opponents"]), strict=True))
    moves = iter(zip(episode.observations, episode.masks, episode.actions, strict=True))
    env = RailEnv(game, lenient=False)
    env.reset(seed=info["game_seed"])
    while not is_over(env):
        assert env.rewards[me] == 0
        seat = seat_to_act(env)
        if seat == learner:
            observation, mask, action = next(moves)
            view = env.observe(me)
            np.testing.assert_array_equal(observation, view["observation"])
            np.testing.assert_array_equal(mask, view["action_mask"])
        else:
            action = policies[seat].act(env.view(env.agent_selection))
        env.step(action)
    assert next(moves, None) is None
    assert not any(episode.rewards[:-1])
    assert episode.rewards[-1] == pytest.approx(env.rewards[me])
    np.testing.assert_array_equal(info["terminal_observation"], env.view(me).observation)
    assert info["TimeLimit.truncated"] is env.truncations[me]
    assert info["score"] == env.scores()[me]
    winners = env.winners()
    assert info["won"] == info["is_success"] == (1 / len(winners) if me in winners else 0)


@all_games
def test_transitions_are_those_of_the_plain_games(game):
    episodes = episodes_of(play_games(raw(game, 8, POOL), 5)[0])
    for episode in episodes:
        replay(game, episode)
    assert {name for episode in episodes for name in episode.info["opponents"]} == set(BY_LABEL)
    assert {episode.info["seat"] for episode in episodes} == set(range(game.num_players))


def test_a_game_cut_off_pays_the_learner_what_the_option_says():
    """The same games three times: those cut off are the ones that are truncated at last."""

    def told(cut_off: str) -> list[tuple[float, bool, float]]:
        return [
            (sum(each.rewards), each.info["TimeLimit.truncated"], each.info["won"])
            for each in episodes_of(play(raw(countdown(3, cut_off=cut_off), 4, POOL), 300))
        ]

    lost, drawn, truncated = told("loss"), told("draw"), told("truncate")
    games = list(zip(lost, drawn, truncated, strict=True))
    up = [each for each in games if each[-1][1]]
    assert 10 < len(up) < len(games) - 10
    assert set(up) == {((-0.5, False, 0.0), (0.0, False, 0.0), (0.0, True, 0.0))}
    others = {each for each in games if not each[-1][1]}
    assert others == {((paid, False, won),) * 3 for paid, won in ((-0.5, 0.0), (1.0, 1.0))}


@all_games
def test_rows_play_the_games_dealt_by_their_seed_in_which_the_learner_acts(game):
    everyone = Hashing(1)

    def acts(game_seed: int) -> bool:
        env = RailEnv(game, lenient=False)
        env.reset(seed=game_seed)
        while not is_over(env) and seat_to_act(env) != 0:
            env.step(everyone.act(env.view(env.agent_selection)))
        return not is_over(env)

    env = raw(game, 2, everyone, learner_seat=0, seed=5)
    for row, episodes in enumerate(play_games(env, 3, learner=everyone)[0]):
        played = [episode.info["game_seed"] for episode in episodes]
        dealt = filter(acts, seeds_of_row(5, row))
        assert played == list(itertools.islice(dealt, len(played)))


def test_some_games_are_passed_over():
    (episodes,) = play(raw(countdown(4), 1, "random"), 200)
    last = episodes[-1].info["game_seed"]
    assert list(itertools.islice(seeds_of_row(0, 0), len(episodes)))[-1] != last


@pytest.mark.parametrize("game", [game for game in GAMES if game.num_players == 2], ids=by_name)
def test_returns_of_the_two_sides_of_the_same_games_sum_to_zero(game):
    ours, theirs = Hashing(1), Hashing(2)
    there, _ = play_games(raw(game, 8, theirs, learner_seat=0), 3, learner=ours)
    back, _ = play_games(raw(game, 8, ours, learner_seat=1), 3, learner=theirs)

    def returns(rows: list[list[Episode]]) -> dict[int, float]:
        return {e.info["game_seed"]: sum(e.rewards) for e in episodes_of(rows)}

    first, second = returns(there), returns(back)
    both = first.keys() & second.keys()
    assert len(both) > 10
    pairs = [(first[game_seed], second[game_seed]) for game_seed in both]
    # Where nobody wins both have lost.
    assert all(one == -other or one == other == -1.0 for one, other in pairs)
    assert {1.0, -1.0} <= {*first.values()} or {*pairs} == {(-1.0, -1.0)}


# Who plays where


@real_games
def test_learner_seats_are_drawn_uniformly(game):
    env = raw(game, 3000)
    env.reset()
    counts = np.bincount(env.get_attr("seat"), minlength=game.num_players)
    assert stats.chisquare(counts).pvalue > 0.001


@all_games
@pytest.mark.parametrize("last", [False, True])
def test_a_fixed_seat_is_kept(game, last):
    seat = game.num_players - 1 if last else 0
    episodes = episodes_of(play_games(raw(game, 3, learner_seat=seat), 1)[0])
    assert {episode.info["seat"] for episode in episodes} == {seat}


@pytest.mark.parametrize("seat", [-1, 3, 1.0, True, "0"])
def test_a_seat_that_there_is_not_is_refused(seat):
    with pytest.raises(ValueError, match="learner_seat must be"):
        raw(countdown(3), 1, learner_seat=seat)


@real_games
def test_opponents_are_drawn_by_weight_and_apart_from_the_seat(game):
    weights = {POOL[0]: 1, POOL[1]: 3, "random": 0.5, POOL[2]: 0}
    env = raw(game, 2000, weights)
    env.reset()
    drawn = env.get_attr("opponents")
    counts = Counter(itertools.chain(*drawn))
    shares = {"hashing 1": 1 / 4.5, "hashing 2": 3 / 4.5, "random": 0.5 / 4.5}
    labels = list(shares)
    expected = np.array(list(shares.values())) * sum(counts.values())
    assert stats.chisquare([counts[label] for label in labels], expected).pvalue > 0.001
    assert env.opponents == pytest.approx(shares)

    table = np.zeros((game.num_players, len(labels)))
    for seat, names in zip(env.get_attr("seat"), drawn, strict=True):
        table[seat, labels.index(names[0])] += 1
    assert stats.chi2_contingency(table).pvalue > 0.001


def test_a_sequence_gives_each_entry_the_same_weight():
    env = raw(countdown(), 1, ["random", POOL[0], "random", POOL[1]])
    assert env.opponents == {"random": 0.5, "hashing 1": 0.25, "hashing 2": 0.25}


def test_a_seats_opponent_does_not_depend_on_the_learners_seat():
    game = next(game for game in REAL_GAMES if game.num_players == 3)
    first, last = (raw(game, 50, POOL, learner_seat=seat) for seat in (0, 2))
    first.reset()
    last.reset()
    # Clockwise from the learner: seats 1 and 2, seats 0 and 1.
    at_second = [names[0] for names in first.get_attr("opponents")]
    assert at_second == [names[1] for names in last.get_attr("opponents")]
    assert len(set(at_second)) == 3


@all_games
def test_opponents_are_fixed_within_a_game(game):
    env = raw(game, 5, POOL)
    env.reset()
    for _ in range(200):
        before = env.get_attr("opponents"), env.get_attr("seat")
        _, _, dones, infos = env.step(first_legal(env))
        after = env.get_attr("opponents"), env.get_attr("seat")
        for row in range(5):
            if dones[row]:
                assert infos[row]["opponents"] == before[0][row]
                assert infos[row]["seat"] == before[1][row]
            else:
                assert (after[0][row], after[1][row]) == (before[0][row], before[1][row])


def test_the_random_opponent_chooses_uniformly_among_legal_actions():
    generators = np.zeros(4000, [("rng", np.uint64)])
    generators["rng"] = [mix(np.uint64(number)) for number in range(4000)]
    masks = np.tile(np.array([0, 1, 1, 0, 1], np.int8), (4000, 1))
    actions = np.empty(4000, np.int64)
    choose_in_rows(generators, np.arange(4000), masks, actions)
    counts = np.bincount(actions, minlength=5)
    assert counts[[0, 3]].sum() == 0
    assert stats.chisquare(counts[[1, 2, 4]]).pvalue > 0.001


def test_a_given_game_is_played_alike_in_any_row_of_any_env():
    game = countdown(3)
    games = {}
    for episode in episodes_of(play(raw(game, 2, MIXED), 100)):
        games[episode.info["game_seed"]] = episode
    seeds = list(games)[:20]
    env = raw(game, len(seeds), MIXED, seed=77)
    env.set_options([{"game_seed": seed} for seed in reversed(seeds)])
    for seed, episodes in zip(reversed(seeds), play(env, 40), strict=True):
        same(games[seed], episodes[0])


# Reproducibility


def same(one: Episode, other: Episode) -> None:
    np.testing.assert_array_equal(one.observations, other.observations)
    np.testing.assert_array_equal(one.masks, other.masks)
    assert one.actions == other.actions
    assert one.rewards == other.rewards
    assert one.info.keys() == other.info.keys()
    for key, value in one.info.items():
        # The mask is that of the next game, which another run may not have played.
        if key != "action_mask":
            np.testing.assert_array_equal(value, other.info[key])


def all_same(one: list[list[Episode]], other: list[list[Episode]]) -> bool:
    """Whether two runs are equal; those of equal length are compared in full."""
    if [len(row) for row in one] != [len(row) for row in other]:
        return False
    pairs = zip(episodes_of(one), episodes_of(other), strict=True)
    if any(a.info["game_seed"] != b.info["game_seed"] for a, b in pairs):
        return False
    for a, b in zip(episodes_of(one), episodes_of(other), strict=True):
        same(a, b)
    return True


@all_games
def test_rows_do_not_depend_on_the_number_of_envs_or_threads(game):
    few, steps = play_games(raw(game, 3, MIXED), 1)
    many = play(raw(game, 8, MIXED), steps)
    threaded = play(raw(game, 8, MIXED, threads=2), steps)
    assert all_same(few, many[:3])
    assert all_same(many, threaded)


@all_games
def test_one_seed_one_run(game):
    def run(seed: int | None) -> list[list[Episode]]:
        # The agent's own seed is of no account: the env seeds it.
        return play_games(raw(game, 3, [RandomAgent(game), "random"], seed=seed), 1)[0]

    assert all_same(run(3), run(3))
    assert not all_same(run(3), run(4))
    assert not all_same(run(None), run(None))


def test_resets_go_on_from_the_seed():
    game = countdown(3)
    one, other = (raw(game, 3, [RandomAgent(game), "random"], seed=3) for _ in range(2))
    first, second, third = (play(one, 60) for _ in range(3))
    assert all_same(first, play(other, 60))
    assert all_same(second, play(other, 60))
    assert not all_same(first, second)
    assert not all_same(second, third)
    for env in (one, other):
        env.seed(3)
    assert all_same(first, play(one, 60))
    assert all_same(second, play(one, 60))


def test_a_reset_seeds_every_agent_differently():
    agents = [Hashing(1), Hashing(2)]
    env = raw(countdown(), 2, agents, seed=1)
    env.reset()
    env.reset()
    env.seed(1)
    env.reset()
    for agent in agents:
        assert agent.seeds[0] == agent.seeds[2] != agent.seeds[1]
    assert len({agent.seeds[0] for agent in agents}) == 2


# Changing the opponents


@all_games
def test_new_opponents_play_in_new_games_only(game):
    env = raw(game, 6, POOL[0])
    play(env, 5)
    env.set_opponents([POOL[1], POOL[2]])
    seen: set[str] = set()
    finished = 0
    for _ in until(lambda: finished > 12):
        before = env.get_attr("opponents")
        _, _, dones, infos = env.step(first_legal(env))
        after = env.get_attr("opponents")
        for row in np.flatnonzero(dones):
            finished += 1
            assert infos[row]["opponents"] == before[row]
            assert "hashing 1" not in after[row]
            seen.update(after[row])
    assert seen == {"hashing 2", "hashing 3"}
    env.reset()
    assert "hashing 1" not in itertools.chain(*env.get_attr("opponents"))


def test_games_in_progress_keep_the_policies_that_left():
    game = countdown(3)
    env = raw(game, 4, POOL[0])
    before = env.reset()
    played: list[Episode] = []
    running = [Episode() for _ in range(4)]
    for step in range(120):
        if step % 7 == 3:
            env.set_opponents([POOL[step % 3], POOL[(step + 1) % 3]])
        masks, actions = env.action_masks(), first_legal(env)
        after, rewards, dones, infos = env.step(actions)
        for row, episode in enumerate(running):
            episode.add(before[row], masks[row], actions[row], rewards[row])
            if dones[row]:
                episode.info = infos[row]
                played.append(episode)
                running[row] = Episode()
        before = after
    assert len(played) > 50
    for episode in played:
        replay(game, episode)


class Made:
    """An agent made by name, which counts how often."""

    count = 0

    def __init__(self, game: Game, seed: int | None = None) -> None:
        Made.count += 1
        self._agent = RandomAgent(game, seed)
        self.reset, self.act, self.act_batch = (
            self._agent.reset,
            self._agent.act,
            self._agent.act_batch,
        )


def test_a_named_agent_is_made_once_and_keeps_its_label():
    name = f"{__name__}:Made"
    Made.count = 0
    env = raw(countdown(), 2, [name, "random"])
    env.reset()
    env.set_opponents({name: 3, POOL[0]: 1})
    env.set_opponents([name])
    assert Made.count == 1
    assert env.opponents == {name: 1.0}


def test_labels_of_agents_with_the_same_name_differ():
    twins = [Hashing(1), Hashing(1)]
    game = countdown()
    env = raw(game, 1, [*twins, RandomAgent(game)])
    assert list(env.opponents) == ["hashing 1", "hashing 1 2", "RandomAgent"]
    env.set_opponents([twins[1]])
    assert list(env.opponents) == ["hashing 1 2"]


@pytest.mark.parametrize(
    ("opponents", "message"),
    [
        ([], "positive weight"),
        ({}, "positive weight"),
        ({"random": 0}, "positive weight"),
        ({"random": -1}, "weight of 'random'"),
        ({"random": float("nan")}, "weight of 'random'"),
        ({"random": float("inf")}, "weight of 'random'"),
        ({"random": True}, "weight of 'random'"),
        ({"random": "1"}, "weight of 'random'"),
        ("nobody", "no agent 'nobody'"),
        (["random", "nowhere:Nobody"], "no agent 'nowhere:Nobody'"),
        (None, "an Agent or the name of one, not None"),
        (5, "an Agent or the name of one, not 5"),
        ([5], "an Agent or the name of one, not 5"),
        (Hashing, "an Agent or the name of one"),
        ([Hashing], "an Agent or the name of one"),
    ],
)
def test_what_cannot_play_is_refused(opponents, message):
    with pytest.raises(ValueError, match=message):
        raw(countdown(), 1, opponents)
    one, other = raw(countdown(), 2, POOL), raw(countdown(), 2, POOL)
    with pytest.raises(ValueError, match=message):
        one.set_opponents(opponents)
    assert one.opponents == other.opponents
    assert all_same(play(one, 40), play(other, 40))


class Faulty(Hashing):
    """Answers with what it was told to."""

    def __init__(self, answer) -> None:
        super().__init__()
        self.name = "faulty"
        self._answer = answer

    def act_batch(self, observations, action_masks):
        return self._answer(super().act_batch(observations, action_masks))


@pytest.mark.parametrize(
    "answer",
    [lambda a: a + 100, lambda a: a[:-1], lambda a: a.astype(float), lambda a: a[:, None]],
    ids=["illegal", "too few", "float", "shape"],
)
def test_an_opponents_illegal_answer_names_it_and_asks_for_a_reset(answer):
    agent = Faulty(lambda actions: actions)
    assert isinstance(agent, Agent)
    env = raw(countdown(3), 4, agent)
    env.reset()
    agent._answer = answer
    always_wait = np.zeros(4, np.int64)
    with pytest.raises(ValueError, match="opponent 'faulty': "):
        env.step(always_wait)
    with pytest.raises(ResetNeeded):
        env.step(always_wait)
    with pytest.raises(ResetNeeded):
        env.action_masks()
    agent._answer = lambda actions: actions
    assert episodes_of(play(env, 30))
