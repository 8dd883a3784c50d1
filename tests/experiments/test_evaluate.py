"""Duplicate deals, statistics and the command of experiments.evaluate."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from scipy import stats

import agents
import railenvs
from experiments import evaluate as command
from experiments.evaluate import (
    Duplicates,
    estimate_mean,
    estimate_share,
    evaluate,
    play_duplicates,
    summarize,
)
from railenvs.adapters.pettingzoo import RailEnv
from railenvs.engine.kernels import family_seeds
from tests.adapters.countdown import countdown
from tests.adapters.playing import GAMES, Hashing, by_name

all_games = pytest.mark.parametrize("game", GAMES, ids=by_name)
GAME = railenvs.load_game("deck_express-v0", 3)


def hashing_entries(game: railenvs.Game) -> list[Hashing]:
    return [Hashing(salt) for salt in range(game.num_players)]


# Duplicate deals


@all_games
def test_every_entry_takes_every_place_once_in_a_deal(game):
    played = play_duplicates(game, hashing_entries(game), family_seeds(0, 20))
    assert played.places.shape == (20, game.num_players, game.num_players)
    everyone = np.broadcast_to(np.arange(game.num_players), played.places.shape)
    assert (np.sort(played.places, axis=1) == everyone.transpose(0, 2, 1)).all()
    assert (np.sort(played.places, axis=2) == everyone).all()


@all_games
def test_games_are_those_of_the_environment(game):
    entries = hashing_entries(game)
    seeds = family_seeds(3, 4)
    played = play_duplicates(game, entries, seeds)
    env = RailEnv(game, lenient=False)
    for deal, seed in enumerate(seeds.tolist()):
        for rotation in range(game.num_players):
            env.reset(seed=seed)
            starter = env.possible_agents.index(env.agent_selection)
            while not any(env.terminations.values()) and not any(env.truncations.values()):
                seat = env.possible_agents.index(env.agent_selection)
                entry = entries[(seat - rotation) % game.num_players]
                env.step(entry.act(env.view(env.agent_selection)))
            winners = env.winners()
            for number in range(game.num_players):
                name = env.possible_agents[(number + rotation) % game.num_players]
                share = 1 / len(winners) if name in winners else 0
                assert played.shares[deal, rotation, number] == share
                assert played.scores[deal, rotation, number] == env.scores()[name]
            place = (rotation - starter) % game.num_players
            assert played.places[deal, rotation, 0] == place
            assert played.cut_off[deal, rotation] == (not winners)


def test_chunks_do_not_matter(monkeypatch):
    entries, seeds = hashing_entries(GAME), family_seeds(0, 25)
    whole = play_duplicates(GAME, entries, seeds)
    monkeypatch.setattr(command, "GAMES_AT_ONCE", 30)
    parts = play_duplicates(GAME, entries, seeds)
    for name in ("shares", "scores", "places", "cut_off"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(parts, name))


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_an_agent_against_itself_wins_exactly_its_share_of_every_deal(num_players):
    game = railenvs.load_game("deck_express-v0", num_players)
    names = [f"twin {number}" for number in range(num_players)]
    cast = {name: Hashing(5) for name in names}
    played = play_duplicates(game, list(cast.values()), family_seeds(0, 50))
    np.testing.assert_allclose(played.shares.mean(axis=1), 1 / num_players, rtol=0, atol=1e-12)
    result = evaluate(game, names, games=50 * num_players, cast=cast)
    for name in names:
        share = result.agents[name].win_share
        assert share.mean == share.low == share.high == pytest.approx(1 / num_players, abs=1e-12)


def test_an_agent_named_twice_is_pooled():
    result = evaluate(GAME, ["random", "random", "random"], games=300)
    assert list(result.agents) == ["random"]
    assert result.agents["random"].seats == 3
    assert result.agents["random"].win_share.mean == pytest.approx(1 / 3, abs=1e-12)
    assert result.agents["random"].win_share_by_place == result.win_share_by_place


def test_pooled_results_are_the_mean_of_the_entries():
    played = play_duplicates(GAME, hashing_entries(GAME), family_seeds(0, 40))
    apart = summarize(GAME, ["a", "b", "c"], played)
    pooled = summarize(GAME, ["a", "b", "b"], played)
    for part in ("win_share", "score"):
        b, c = (getattr(apart.agents[name], part).mean for name in "bc")
        assert getattr(pooled.agents["b"], part).mean == pytest.approx((b + c) / 2)
        assert getattr(pooled.agents["a"], part) == getattr(apart.agents["a"], part)


def test_win_share_by_place():
    shares = np.array([[[1, 0], [0.5, 0.5]], [[1, 0], [0, 1]]])
    places = np.array([[[0, 1], [1, 0]], [[1, 0], [0, 1]]])
    played = Duplicates(shares, shares, places, np.zeros((2, 2), np.bool_))
    result = summarize(railenvs.load_game("deck_express-v0", 2), ["a", "b"], played)
    # a in place 0: 1 and 0; in place 1: 0.5 and 1. b in place 0: 0.5 and 0; in place 1: 0 and 1.
    assert result.agents["a"].win_share_by_place == (0.5, 0.75)
    assert result.agents["b"].win_share_by_place == (0.25, 0.5)
    assert result.win_share_by_place == (0.375, 0.625)


@pytest.mark.parametrize("cut_off", ["loss", "truncate"])
def test_games_cut_off_are_counted_and_won_by_nobody(cut_off):
    game = countdown(3, cut_off=cut_off)
    played = play_duplicates(game, hashing_entries(game), family_seeds(0, 200))
    assert 0 < played.cut_off.sum() < played.cut_off.size
    assert (played.shares[played.cut_off] == 0).all()
    np.testing.assert_allclose(played.shares[~played.cut_off].sum(axis=-1), 1)
    result = summarize(game, ["a", "b", "c"], played)
    assert result.cut_off == played.cut_off.sum()
    total = sum(result.agents[name].win_share.mean for name in "abc")
    assert total == pytest.approx(1 - result.cut_off / result.games)


def test_a_seed_fixes_everything_and_more_games_add_deals():
    names = ["random", "heuristic", "random"]
    assert evaluate(GAME, names, 60, seed=4) == evaluate(GAME, names, 60, seed=4)
    assert evaluate(GAME, names, 60, seed=4) != evaluate(GAME, names, 60, seed=5)
    few = play_duplicates(GAME, hashing_entries(GAME), family_seeds(4, 10))
    many = play_duplicates(GAME, hashing_entries(GAME), family_seeds(4, 30))
    np.testing.assert_array_equal(many.scores[:10], few.scores)


def test_games_are_rounded_up_to_whole_deals():
    result = evaluate(GAME, ["random"] * 3, games=100)
    assert (result.deals, result.games) == (34, 102)


def test_the_heuristic_beats_random():
    result = evaluate(GAME, ["heuristic", "random", "random"], games=900)
    assert result.agents["heuristic"].win_share.low > 0.5
    assert result.agents["random"].win_share.high < 0.3
    assert result.agents["heuristic"].score.low > result.agents["random"].score.high


def test_two_of_a_kind_have_random_numbers_of_their_own():
    game = railenvs.load_game("deck_express-v0", 2)
    cast = {name: agents.make("random", game, 0) for name in ("one", "other")}
    result = evaluate(game, ["one", "other"], 200, cast=cast)
    assert result.agents["one"].win_share.mean != 0.5
    assert result.agents["one"].win_share.low < result.agents["one"].win_share.high


class Faulty(Hashing):
    def act_batch(self, observations, action_masks):
        return np.argmin(action_masks, axis=1)


def test_an_agent_that_plays_against_the_rules_is_named():
    game = railenvs.load_game("deck_express-v0", 2)
    cast = {"faulty": Faulty(1), "sound": Hashing(2)}
    with pytest.raises(
        ValueError,
        match=r"^agent 'faulty': game \d+ \(player_[01], move [12], deal seed \d+, "
        r"Game\('deck_express-v0', num_players=2.*: action \d+ \(.*\) is illegal for player_[01]",
    ):
        evaluate(game, ["faulty", "sound"], 20, cast=cast)


# Statistics


def test_interval_of_a_mean_is_students():
    estimate = estimate_mean([1.0, 2.0, 3.0, 6.0])
    half = stats.t.ppf(0.975, 3) * np.std([1, 2, 3, 6], ddof=1) / 2
    assert (estimate.mean, estimate.low, estimate.high) == pytest.approx((3, 3 - half, 3 + half))


def test_interval_of_yes_and_no_is_wilsons():
    values = np.repeat([1.0, 0.0], [700, 1300])
    wilson = stats.binomtest(700, 2000).proportion_ci(method="wilson")
    estimate = estimate_share(values)
    assert estimate.mean == 0.35
    assert (estimate.low, estimate.high) == pytest.approx((wilson.low, wilson.high), abs=1e-4)


@pytest.mark.parametrize(("value", "low", "high"), [(0.0, 0, 0.0719), (1.0, 0.9281, 1)])
def test_interval_of_equal_extremes_has_a_width(value, low, high):
    # Wilson: t**2 / (D + t**2) with D = 52 and t = 2.0076.
    estimate = estimate_share([value] * 52)
    assert (estimate.mean, estimate.low, estimate.high) == pytest.approx(
        (value, low, high), abs=1e-4
    )


@given(st.lists(st.sampled_from([0, 1 / 6, 1 / 4, 1 / 3, 1 / 2, 1]), min_size=2, max_size=60))
def test_interval_of_a_share_holds_its_mean_and_stays_in_range(values):
    estimate = estimate_share(values)
    assert 0 <= estimate.low <= estimate.mean <= estimate.high <= 1


def test_intervals_of_pooled_seats_and_of_differences_stay_in_their_ranges():
    # Two seats of one agent: its share a seat is at most one half, and here always that.
    pooled = estimate_share([0.5, 0.5, 0.5], most=0.5)
    alone = estimate_share([0.0, 0.0, 0.0])
    assert pooled.high == 0.5
    assert (1 - 2 * pooled.low, 1 - 2 * pooled.high) == pytest.approx((alone.high, alone.low))
    difference = estimate_share([-0.5, 1.0], least=-0.5)
    assert -0.5 <= difference.low <= 0.25 <= difference.high <= 1
    result = evaluate(GAME, ["heuristic", "random", "random"], games=6)
    assert result.agents["random"].win_share.high <= 0.5
    assert result.differences[0].win_share.low >= -0.5
    assert result.differences[0].win_share.high <= 1


@pytest.mark.parametrize("skill", [0.5, 0.8, 0.97])
@pytest.mark.parametrize("estimator", [estimate_mean, estimate_share])
def test_intervals_cover_the_truth_though_games_of_a_deal_depend_on_each_other(estimator, skill):
    # Luck of the deal: half of all deals are decided by the cards for whoever sits in seat 0, so
    # that an agent wins exactly one of the two rotations; in the others its skill decides both.
    generator = np.random.default_rng(0)
    tries, deals = 3000, 250
    decided = generator.random((tries, deals)) < 0.5
    won = (generator.random((tries, deals, 2)) < skill).mean(axis=2)
    shares = np.where(decided, 0.5, won)
    truth = 0.25 + skill / 2
    estimates = [estimator(sample) for sample in shares]
    covered = np.mean([estimate.low <= truth <= estimate.high for estimate in estimates])
    assert 0.935 <= covered <= 0.965


def test_intervals_on_games_instead_of_deals_would_be_wrong():
    """The unit matters: where a deal decides both rotations, games count double."""
    generator = np.random.default_rng(0)
    deals = np.repeat(generator.random((2000, 100)) < 0.5, 2, axis=1).astype(float)
    on_games = [estimate_mean(sample) for sample in deals]
    on_deals = [estimate_mean(sample.reshape(-1, 2).mean(axis=1)) for sample in deals]
    assert np.mean([e.low <= 0.5 <= e.high for e in on_games]) < 0.9
    assert np.mean([e.low <= 0.5 <= e.high for e in on_deals]) > 0.93


def test_worth_is_how_much_less_means_of_duplicates_vary():
    """The variance of many whole evaluations, on duplicate deals and on deals of their own."""
    tries, deals = 4000, 30
    names = ["a", "b", "c"]
    played = play_duplicates(GAME, hashing_entries(GAME), family_seeds(5, tries))
    scores = played.scores[:, :, 0]
    generator = np.random.default_rng(0)
    duplicates, independent = [], []
    for _ in range(tries):
        duplicates.append(scores[generator.integers(tries, size=deals)].mean())
        alone = generator.integers(tries, size=3 * deals), generator.integers(3, size=3 * deals)
        independent.append(scores[alone].mean())
    saved = np.var(independent) / np.var(duplicates)
    told = summarize(GAME, names, played).agents["a"].score_worth
    assert abs(saved - 1) > 0.05, "a test that could not tell them apart"
    assert told == pytest.approx(saved, rel=0.15)


def test_worth_of_games_that_deals_decide_wholly_or_not_at_all():
    generator = np.random.default_rng(0)
    # Each entry wins one of the two rotations, whatever the deal: nothing is left to vary.
    assert command.worth(np.tile([0.0, 1.0], (50, 1))) is None
    # Rotations that have nothing to do with each other tell as much as games apart.
    apart = generator.random((100_000, 2))
    assert command.worth(apart) == pytest.approx(1, abs=0.02)
    # Rotations that repeat each other tell half as much.
    repeated = np.repeat(generator.random((100_000, 1)), 2, axis=1)
    assert command.worth(repeated) == pytest.approx(0.5, abs=0.01)


def test_differences_are_paired_by_deal():
    played = play_duplicates(GAME, hashing_entries(GAME), family_seeds(0, 60))
    result = summarize(GAME, ["a", "b", "c"], played)
    assert [(each.agent, each.other) for each in result.differences] == [
        *(("a", "b"), ("a", "c"), ("b", "c"))
    ]
    ahead = (played.scores[:, :, 0] - played.scores[:, :, 2]).mean(axis=1)
    assert result.differences[1].score == estimate_mean(ahead)
    for each in result.differences:
        ours, theirs = (result.agents[name].win_share.mean for name in (each.agent, each.other))
        assert each.win_share.mean == pytest.approx(ours - theirs)


# Errors


@pytest.mark.parametrize(
    ("names", "games", "seed", "message"),
    [
        (["random"], 100, 0, "needs 3 agents, not 1: random"),
        (["random", "random", "nobody"], 100, 0, "no agent 'nobody'"),
        (["random"] * 3, 3, 0, "games must be from 4"),
        (["random"] * 3, 1.5, 0, "games must be a whole number, not 1.5"),
        (["random"] * 3, 100, -1, "seed must be from 0"),
    ],
)
def test_wrong_arguments_are_named(names, games, seed, message):
    with pytest.raises(ValueError, match=message):
        evaluate(GAME, names, games, seed)


# Command


def test_command_prints_a_table_and_writes_results(tmp_path, capsys):
    out = tmp_path / "deep" / "results.json"
    words = ["--game", "deck_express-v0", "--agents", "heuristic", "random"]
    words += ["--games", "200", "--seed", "3", "--options", "setup=thirds"]
    command.main([*words, "--out", str(out)])
    printed = capsys.readouterr().out
    assert "heuristic" in printed
    assert "200 games" in printed
    report = json.loads(out.read_text(encoding="utf-8"))
    assert set(report) == {"command", "arguments", "results", "versions", "machine"}
    assert report["command"] == (
        "python -m experiments.evaluate --game deck_express-v0 --agents heuristic random "
        "--games 200 --seed 3 --options setup=thirds --out results.json"
    )
    assert report["arguments"]["agents"] == ["heuristic", "random"]
    results = report["results"]
    assert (results["deals"], results["games"], results["cut_off"]) == (100, 200, 0)
    assert results["options"]["setup"] == "thirds"
    game = railenvs.load_game("deck_express-v0", 2, setup="thirds")
    again = evaluate(game, ["heuristic", "random"], 200, seed=3)
    assert results["agents"]["heuristic"]["win_share"]["low"] == (
        again.agents["heuristic"].win_share.low
    )


def test_command_takes_an_agent_by_module_and_class(capsys):
    words = ["--game", "deck_express-v0", "--games", "40", "--agents", "random"]
    command.main([*words, "railenvs.engine.agent:RandomAgent"])
    assert "railenvs.engine.agent" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--game", "chess", "--agents", "random", "random"], "must be one of"),
        (["--game", "deck_express-v0", "--agents", "random"], "num_players must be from 2 to 4"),
        (["--game", "deck_express-v0", "--agents", "random", "no"], "no agent 'no'"),
        (
            ["--game", "deck_express-v0", "--agents", *["random"] * 2, "--options", "x=1"],
            "has no option 'x'",
        ),
        (
            ["--game", "deck_express-v0", "--agents", *["random"] * 2, "--options", "setup"],
            "NAME=VALUE, not 'setup'",
        ),
        (
            ["--game", "deck_express-v0", "--agents", *["random"] * 2, "--games", "1"],
            "games must be from 3",
        ),
    ],
)
def test_command_names_wrong_arguments_in_one_line(words, message, capsys):
    with pytest.raises(SystemExit) as stopped:
        command.main(words)
    assert stopped.value.code == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def test_agents_are_made_afresh_from_the_seed():
    agent = agents.make("random", GAME, 9)
    first = evaluate(GAME, ["x", "random", "random"], 30, cast={"x": agent})
    assert evaluate(GAME, ["x", "random", "random"], 30, cast={"x": agent}) == first


# Tables


def printed(table, width):
    console = Console(width=width, file=io.StringIO())
    console.print(table)
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize("width", [60, 80, 120, 200])
@pytest.mark.parametrize("seats", [2, 4, 8])
def test_tables_keep_to_the_width_and_break_no_word(seats, width):
    """Columns go first, then the middles of names; every row stays one line."""
    game = railenvs.load_game("railroad_run-v0", seats)
    chance = np.random.default_rng(seats)
    winners = np.eye(seats)[chance.integers(seats, size=(50, seats))]  # (deals, games, entries)
    places = (np.arange(seats) + np.arange(seats)[:, None]) % seats
    places = np.repeat(places[None], 50, axis=0)
    played = Duplicates(winners, 100 * winners, places, np.zeros((50, seats), bool))
    names = ["heuristic", "ppo:runs/railroad_run-v0-8p-1/checkpoints/1500000.zip", *["random"] * 6]
    evaluation = summarize(game, names[:seats], played)
    rows = printed(evaluation.as_table(width), width)
    assert max(map(len, rows)) <= width
    heads = {"agent": 1, "heuristic": 1, "ppo:": 1, "random": int(seats > 2)}
    for head, count in heads.items():
        assert sum(row.strip().startswith(head) for row in rows) == count
    for name, result in evaluation.agents.items():
        (row,) = [row for row in rows if row.strip().startswith(name[:4]) and "±" in row]
        assert f"{100 * result.win_share.mean:.1f} (" in row
        assert row.rstrip().endswith(
            f"{100 * result.win_share_by_place[-1]:.1f}"
            if any("whoever" in row for row in rows)
            else f"±{result.score.high - result.score.mean:.2f}"
        )
    if width == 200:
        assert any(names[1] in row for row in rows)
        assert any("whoever" in row for row in rows)
    else:
        assert any("whoever" in row for row in rows) != any("wider terminal" in row for row in rows)
    rows = printed(evaluation.differences_table(width), width)
    assert max(map(len, rows)) <= width
    assert sum("±" in row for row in rows) == len(evaluation.differences)
    assert all(row.count("±") == 2 for row in rows if " before " in row)
