"""Agents that play what may not be played are named as they were given, wherever they are asked."""

import re

import numpy as np
import pytest

import railenvs
from railenvs.adapters.self_play import SelfPlay


class Cheat:
    """Plays on by the rules for some moves, then what its kind of answer says."""

    def __init__(self, game, seed=None):
        self.honest = 3

    def reset(self, seed=None):
        self.honest = 3

    def act(self, view):
        self.honest -= 1
        return int(view.action_mask.argmax() if self.honest >= 0 else view.action_mask.argmin())


class CheatOnMany(Cheat):
    def act_batch(self, observations, action_masks):
        self.honest -= 1
        return action_masks.argmax(axis=1) if self.honest >= 0 else action_masks.argmin(axis=1)


class CheatOnViews(Cheat):
    def act_views(self, views):
        return np.array([self.act(view) for view in views])


class OutOfRange(Cheat):
    def act(self, view):
        return -1


class Dumb(Cheat):
    def act(self, view):
        return None


CHEATS = ["Dumb", "Cheat", "CheatOnMany", "CheatOnViews", "OutOfRange"]


def told(error, name, game):
    """Seat, deal seed and move of the message."""
    match = re.search(
        r"(agent|opponent) '(.*)': game \d+ \(player_(\d), "
        r"move (\d+), deal seed (\d+), (Game\(.*\))\): action",
        str(error),
    )
    assert match, error
    assert match[2] == name
    assert match[6] == repr(game)
    return int(match[3]), int(match[4]), int(match[5])


def test_wherever_agents_are_asked():
    evaluate = pytest.importorskip("experiments.evaluate", reason="needs the train extra")
    play_records = pytest.importorskip("experiments.play_records", reason="needs the train extra")
    game = railenvs.load_game("deck_express-v0", 2)
    for cheat in CHEATS:
        name = f"{__name__}:{cheat}"
        with pytest.raises(ValueError, match="agent") as raised:
            evaluate.evaluate(game, [name, "random"], 4)
        seat, move, seed = told(raised.value, name, game)
        assert seat in (0, 1)
        assert move > 0
        with pytest.raises(ValueError, match="agent") as raised:
            list(play_records.play_games(game, ("random", name), 1, seed=5))
        seat, move, seed = told(raised.value, name, game)
        assert seat == 1
        assert seed == evaluate.family_seeds(5, 1)[0]
        with pytest.raises(ValueError, match="opponent") as raised:
            learn_against(game, name)
        told(raised.value, name, game)


def learn_against(game, name):
    """A learner and opponents that all play the first legal action, as long as they are honest."""
    play = SelfPlay(game, 3, [name], seed=0)
    play.reset()
    for _ in range(20):
        play.step(play.batch.action_masks.argmax(axis=1))


def test_deal_and_move_lead_to_the_position_where_the_action_is_illegal():
    game = railenvs.load_game("deck_express-v0", 3)
    name = f"{__name__}:Cheat"
    with pytest.raises(ValueError, match="opponent") as raised:
        learn_against(game, name)
    seat, move, seed = told(raised.value, name, game)
    state = game.deal(seed)
    for _ in range(move - 1):
        game.play(state, int(game.legal(state).argmax()))
    assert game.seat(state) == seat
    assert game.explain_illegal(state, int(game.legal(state).argmin())) in str(raised.value)


@pytest.mark.parametrize("answer", [1.0, None, "0", [0, 1]])
def test_answers_that_are_no_actions_are_named_likewise(answer):
    evaluate = pytest.importorskip("experiments.evaluate", reason="needs the train extra")

    class Odd(Cheat):
        def act(self, view):
            return answer

    game = railenvs.load_game("deck_express-v0", 2)
    odd = Odd(game)
    with pytest.raises(ValueError, match="must be a whole number") as raised:
        evaluate.evaluate(game, ["odd", "random"], 4, cast={"odd": odd})
    told(raised.value, "odd", game)
