"""How much rollouts tell about actions."""

from __future__ import annotations

import json

import pytest

import railenvs
from experiments import rollout_noise
from railenvs.engine.view import SeatView
from tests.engine.puzzles import puzzle


def test_rollouts_are_measured_and_reported(tmp_path, capsys):
    file = tmp_path / "noise.json"
    words = ["--game", "deck_express-v0", "--num-players", "2", "--settings", "cutoff=8"]
    words += ["--decisions", "5", "--simulations", "20", "--out", str(file)]
    rollout_noise.main(words)
    whole, cut = json.loads(file.read_text("utf-8"))["results"]["rollouts"]
    assert (whole["settings"], cut["settings"]) == ("", "cutoff=8")
    assert whole["simulations"] == pytest.approx((whole["chance"] / whole["apart"]) ** 2)
    assert whole["chance"] > cut["chance"] > 0
    assert "whole random games: actions" in capsys.readouterr().out


def test_decisions_have_a_choice_and_follow_from_the_seed():
    game = railenvs.load_game("deck_express-v0", 2)
    views = rollout_noise.decisions(game, 7, seed=1)
    assert len(views) == 7
    assert all(view.legal_actions.size > 1 for view in views)
    again = rollout_noise.decisions(game, 7, seed=1)
    assert all(
        (one.observation == other.observation).all()
        for one, other in zip(views, again, strict=True)
    )


def test_where_one_action_wins_at_once_little_is_left_to_chance():
    """Nim with two stones: taking both wins, taking one loses, whatever is played then."""
    game = puzzle("nim", stones=2)
    state = game.deal(0)
    noise = rollout_noise.measure([SeatView(game, state, game.seat(state))], "", 10, 0)
    assert noise.apart == pytest.approx(0.5)
    assert noise.chance == 0


def test_what_chance_hides_is_not_made_up(tmp_path, capsys):
    out = tmp_path / "noise.json"
    words = ["--game", "deck_express-v0", "--num-players", "2", "--decisions", "2"]
    hidden = ["--simulations", "2", "--settings", "cutoff=5", "--out", str(out)]
    rollout_noise.main([*words, *hidden])
    told = json.loads(out.read_text(encoding="utf-8"))["results"]["rollouts"][1]
    assert (told["apart"], told["simulations"]) == (0, None)
    assert "too many simulations an action" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--game", "whist-v0"], "whist-v0"),
        (["--game", "deck_express-v0", "--settings", "depth=3"], "no option 'depth'"),
        (["--game", "deck_express-v0", "--settings", "seconds=1"], "must not set seconds"),
        (["--game", "deck_express-v0", "--settings", "cutoff=-1"], "cutoff must be"),
        (["--game", "deck_express-v0", "--settings", "simulations=5"], "is given twice"),
        (["--game", "deck_express-v0", "--decisions", "0"], "decisions must be"),
        (["--game", "deck_express-v0", "--simulations", "1"], "simulations must be"),
    ],
)
def test_bad_arguments_are_named_before_anything_is_measured(words, message, capsys):
    with pytest.raises(SystemExit):
        rollout_noise.main(words)
    assert message in capsys.readouterr().err
