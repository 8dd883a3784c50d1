"""Games as Gymnasium environments: one seat learns, given policies play the others.

``gymnasium.make("railenvs/DeckExpress-v0", num_players=3, opponents=["random"])`` makes a single
environment, ``gymnasium.make_vec("railenvs/DeckExpress-v0", num_envs=1024)`` many on one batch.
Both take the game's options and the arguments of :class:`SeatEnv`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from railenvs.adapters.self_play import Opponents, SelfPlay, observation_space
from railenvs.engine.checks import ResetNeeded, one_of, seed_number, whole_number
from railenvs.engine.game import Game
from railenvs.engine.view import SeatView
from railenvs.games import load_game
from railenvs.render.text import render_view

__all__ = ["SeatEnv", "SeatVectorEnv"]

RENDER_MODES = (None, "ansi")
Observation = npt.NDArray[Any]


class RenderModeError(ValueError, TypeError):
    """There is no such render mode.

    stable-baselines3 asks for pictures and does without them when it gets a TypeError.
    """


def _check_render_mode(mode: str | None) -> str | None:
    try:
        return one_of(mode, "render_mode", RENDER_MODES)
    except ValueError as error:
        raise RenderModeError(error) from None


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """One seat of a game.

    A step plays the seat's action and all replies until it is to act again or the game is over.
    The reward is what the game's option ``reward`` pays the seat at the end, 0 before. A game that
    is cut off terminates like any other unless its option ``cut_off`` is ``"truncate"``. ``info``
    holds ``action_mask`` (int8 (A,); all zero once the game is over) and ``seat``; at the end
    also ``score``, ``won`` (its share of the victory), ``opponents`` and ``illegal_action``: as in
    PettingZoo's usual wrappers, an illegal action in range ends the game with reward -1. All but
    the opponents' labels have a dtype, which is what readers of infos ask for.

    ``reset(seed=s)`` deals the same game as the AEC environment's ``reset(seed=s)``.

    Args:
        game_id: the game's id.
        num_players: number of seats; by default the game's own.
        opponents: an agent or the name of one, several of them (each as likely), or a mapping of
            them to weights; see :class:`railenvs.adapters.self_play.SelfPlay`.
        learner_seat: the seat that learns; None draws it for each game.
        scale: observations as float32, each entry over its field's bound; else as int8.
        render_mode: ``"ansi"`` for text, or None.
        **options: the game's options and ``reward``.

    Raises:
        ValueError: if an argument is out of its range or unknown.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (an instance attribute of gymnasium's class)
        "render_modes": ["ansi"],
        "render_fps": 1,
    }

    def __init__(
        self,
        game_id: str,
        num_players: int | None = None,
        opponents: Opponents = "random",
        learner_seat: int | None = None,
        scale: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game: Game = load_game(game_id, num_players, **options)
        self.render_mode = _check_render_mode(render_mode)
        self.scale = one_of(scale, "scale", (True, False))
        self._play = SelfPlay(self.game, 1, opponents, learner_seat)
        self._dealt = False
        self._over = True
        self.observation_space = observation_space(self.game, scale)
        self.action_space = gymnasium.spaces.Discrete(self.game.num_actions)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a game and play it on to the seat's first turn.

        Args:
            seed: 0 to 2**63 - 1, fixes the deal and all that follows; None goes on.
            options: none are known; all are ignored.
        """
        super().reset(seed=seed)
        self._play.reset(seed, None if seed is None else {0: seed_number(seed)})
        self._dealt = True
        self._over = False
        self._seat = np.int64(self._play.learner_seats[0])
        info = {"action_mask": self.action_masks(), "seat": self._seat}
        return self._shown(self._play.batch.observations[0]), info

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action and all replies.

        Raises:
            ValueError: if the action is of the wrong type or out of range; nothing moves then.
            ResetNeeded: before ``reset()`` and once the game is over.
        """
        if self._over:
            raise ResetNeeded("call reset(): no game is in progress")
        play = self._play
        move = self.game.check_action(action)
        play.step([move], lenient=True)
        if not play.dones[0]:
            info = {"action_mask": self.action_masks(), "seat": self._seat}
            return self._shown(play.batch.observations[0]), 0.0, False, False, info
        self._over = True
        truncated = bool(play.truncations[0])
        info = {
            "action_mask": self.action_masks(),
            "seat": self._seat,
            "score": np.int64(play.final_scores[0]),
            "won": np.float64(play.final_shares[0]),
            "opponents": play.final_opponents(0),
            # Not a scalar: of those, Gymnasium's vector environments stack numbers alone.
            "illegal_action": np.array(play.forfeits[0]),
        }
        last = self._shown(play.final_observations[0])
        return last, float(play.rewards[0]), not truncated, truncated, info

    def action_masks(self) -> npt.NDArray[np.int8]:
        """The seat's legal actions, int8 of shape (A,); all zero once the game is over."""
        if self._over:
            return np.zeros(self.game.num_actions, np.int8)
        return self._play.batch.action_masks[0].copy()

    def view(self) -> SeatView:
        """What the seat may know, as agents take it; once the game is over, of its end."""
        if not self._dealt:
            raise ResetNeeded("call reset() first: no game has been dealt")
        states = self._play.final_states if self._over else self._play.batch.states
        view = SeatView(self.game, states, int(self._seat))
        if self._over:
            view.action_mask[:] = 0
        return view

    def render(self) -> Any:
        """With ``render_mode="ansi"``, the table as the seat sees it."""
        return render_view(self.view()) if self.render_mode == "ansi" else None

    def _shown(self, observation: npt.NDArray[np.int8]) -> Observation:
        return self.game.fields.scale(observation) if self.scale else observation.copy()


class SeatVectorEnv(gymnasium.vector.VectorEnv[Observation, npt.NDArray[np.int64], Any]):
    """One seat in each of many games, on one batch.

    Games that end are followed by the next in the same step (``AutoresetMode.SAME_STEP``): the
    observation returned is the new game's first, ``infos["final_obs"]`` and
    ``infos["final_info"]`` hold the finished game's last words. ``infos["action_mask"]``, int8
    (N, A), are the legal actions at the observations returned. An illegal action in range ends its
    game with reward -1.

    Arguments are those of :class:`SeatEnv`, and ``num_envs``, N.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (an instance attribute of gymnasium's class)
        "render_modes": ["ansi"],
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game_id: str,
        num_envs: int = 1,
        num_players: int | None = None,
        opponents: Opponents = "random",
        learner_seat: int | None = None,
        scale: bool = True,
        render_mode: str | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        self.game: Game = load_game(game_id, num_players, **options)
        self.render_mode = _check_render_mode(render_mode)
        self.scale = one_of(scale, "scale", (True, False))
        self.num_envs = whole_number(num_envs, "num_envs", 1, 2**31 - 1)
        self._play = SelfPlay(self.game, num_envs, opponents, learner_seat, threads=threads)
        self.single_observation_space = observation_space(self.game, scale)
        self.single_action_space = gymnasium.spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal all games.

        Args:
            seed: 0 to 2**63 - 1, fixes all that follows; None goes on.
            options: none are known; all are ignored but Gymnasium's ``reset_mask``.

        Raises:
            ValueError: if some games alone are to be reset: each is followed by the next by itself.
        """
        if options is not None and "reset_mask" in options:
            raise ValueError("reset_mask is not for AutoresetMode.SAME_STEP: no game waits for it")
        super().reset(seed=seed)
        self._play.reset(seed)
        return self._shown(self._play.batch.observations), self._infos()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        Observation,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Play an action in every game, and all replies.

        Raises:
            ValueError: if a shape or a type is wrong or an action out of range; no game has moved
                then.
            ResetNeeded: before the first reset.
        """
        play = self._play
        play.step(actions, lenient=True)
        infos = self._infos()
        if play.dones.any():
            infos.update(self._final_infos())
        terminations = play.dones & ~play.truncations
        shown = self._shown(play.batch.observations)
        return shown, play.rewards.copy(), terminations, play.truncations.copy(), infos

    def action_masks(self) -> npt.NDArray[np.int8]:
        """The legal actions in all games, int8 of shape (N, A)."""
        self._play.check_ready()
        return self._play.batch.action_masks.copy()

    def render(self) -> Any:
        """With ``render_mode="ansi"``, every table as its learning seat sees it."""
        if self.render_mode != "ansi":
            return None
        self._play.check_ready()
        states, seats = self._play.batch.states, self._play.learner_seats.tolist()
        return tuple(
            render_view(SeatView(self.game, states[row : row + 1], seat))
            for row, seat in enumerate(seats)
        )

    def _infos(self) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self.action_masks(),
            "_action_mask": every,
            "seat": self._play.learner_seats.astype(np.int64),
            "_seat": every.copy(),
        }

    def _final_infos(self) -> dict[str, Any]:
        play = self._play
        ended = play.dones
        rows = np.flatnonzero(ended).tolist()
        views = np.full(self.num_envs, None, dtype=object)
        opponents = np.full(self.num_envs, None, dtype=object)
        for row in rows:
            views[row] = self._shown(play.final_observations[row])
            opponents[row] = play.final_opponents(row)
        final: dict[str, Any] = {
            "action_mask": np.zeros((self.num_envs, self.game.num_actions), np.int8),
            "seat": np.where(ended, play.final_seats, 0).astype(np.int64),
            "score": np.where(ended, play.final_scores, 0).astype(np.int64),
            "won": np.where(ended, play.final_shares, 0.0),
            "opponents": opponents,
            "illegal_action": play.forfeits.copy(),
        }
        final.update({f"_{name}": ended.copy() for name in final})
        return {
            "final_obs": views,
            "_final_obs": ended.copy(),
            "final_info": final,
            "_final_info": ended.copy(),
        }

    def _shown(self, observations: npt.NDArray[np.int8]) -> Observation:
        return self.game.fields.scale(observations) if self.scale else observations.copy()
