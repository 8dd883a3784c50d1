"""Training with stable-baselines3: many games at once, one seat of each learning.

    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecMonitor
    from railenvs.adapters.sb3 import SelfPlayVecEnv

    env = VecMonitor(SelfPlayVecEnv("deck_express-v0", 64, opponents="random", seed=0))
    model = MaskablePPO("MlpPolicy", env, seed=0)
    model.learn(100_000)

Legal actions differ from turn to turn, so train and evaluate with masks: algorithms and evaluation
that ignore them soon choose an illegal action, which is a ValueError here.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from railenvs.adapters.self_play import Opponents, SelfPlay, observation_space
from railenvs.engine import kernels
from railenvs.engine.checks import one_of, seed_number, whole_number
from railenvs.engine.game import Game
from railenvs.engine.random import fresh_seed
from railenvs.engine.view import SeatView
from railenvs.games import load_game
from railenvs.render.text import render_view

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise ImportError(
        "railenvs.adapters.sb3 needs stable-baselines3: pip install 'railenvs[train]'"
    ) from error

__all__ = ["SelfPlayVecEnv"]

_RENDER_MODES = (None, "ansi")


class SelfPlayVecEnv(VecEnv):
    """Games as a stable-baselines3 VecEnv: one seat of each learns, given policies play the others.

    One step plays the learner's action and all replies until it is to act again. Where its game is
    over instead, ``dones`` is set and the observation is the first of the next game, as VecEnvs
    do; a game that ends before the learner ever acts is passed over. Rewards are the learner
    seat's own: what the rules' option ``reward`` pays it at the end, 0 before.

    Every row's games, opponents, learner's seats, and the moves of the opponent ``"random"`` depend
    on ``seed``, the row and the actions played there, not on ``num_envs`` or ``threads``. Other
    agents draw from generators of their own; ``reset()`` seeds them, those given as such too.

    Each info, made anew at every step, holds:

    ======================== ==================================================================
    ``action_mask``          legal actions at the observation returned, int8 (A,); after the end
                             of a game those of the next game's first turn, so never all zero
    ``seat``                 the learner's seat in the game that the action was played in
    ``TimeLimit.truncated``  True where the game was cut off and the option ``cut_off`` is
                             ``"truncate"``: only then do learners bootstrap over the end
    ======================== ==================================================================

    and where the learner's game is over:

    ======================== ==================================================================
    ``terminal_observation`` the learner's last view, scaled as observations are
    ``score``                its final score, int
    ``won``                  its share of the victory, float: 1, 1/2 where two share it, 0
    ``is_success``           the same, under the name by which SB3 logs a success rate
    ``opponents``            labels of the other seats' policies, clockwise from the learner
    ``game_seed``            ``game.deal(game_seed)`` deals the game again
    ======================== ==================================================================

    ``reset_infos`` holds ``action_mask`` and ``seat`` of the latest first turn of each row. All
    arrays handed out are the caller's own, to be written into.

    A label is the name an agent was given by, else its attribute ``name``, else its class; where
    two would be alike, a number is added.

    Args:
        id_or_game: one of ``railenvs.game_ids()``, or a :class:`~railenvs.Game`.
        num_envs: N, how many games are played side by side.
        opponents: an agent or the name of one, several of them (each as likely), or a mapping of
            them to weights; every other seat of every game draws its policy, which then plays
            that seat to the game's end. Names are those of ``"random"``, ``"module:Class"`` and
            whatever else is registered (the checkout's package ``agents`` does on import).
        num_players: number of seats; by default the game's own.
        learner_seat: the learner's seat; None draws it for each game.
        seed: 0 to 2**63 - 1, fixes everything; None takes the system's entropy.
        scale: divide each observation entry by its field's bound, max(-low, high), and return
            float32; else return the int8 counts and flags themselves.
        threads: how many threads share a step of the games, at most one for 512 of them.
        render_mode: ``"ansi"`` for text, or None.
        **game_options: the game's options and ``reward``.

    Raises:
        ValueError: if an argument is out of its range or unknown.
    """

    def __init__(
        self,
        id_or_game: str | Game,
        num_envs: int,
        opponents: Opponents = "random",
        num_players: int | None = None,
        learner_seat: int | None = None,
        seed: int | None = None,
        scale: bool = True,
        threads: int = 1,
        render_mode: str | None = None,
        **game_options: Any,
    ) -> None:
        self.game = _as_game(id_or_game, num_players, game_options)
        self.scale = one_of(scale, "scale", (True, False))
        self._render_mode = one_of(render_mode, "render_mode", _RENDER_MODES)
        whole_number(num_envs, "num_envs", 1, 2**31 - 1)
        self._play = SelfPlay(self.game, num_envs, opponents, learner_seat, seed, threads)
        self._rows = [Row(self, row) for row in range(num_envs)]
        self._actions: npt.NDArray[Any] | None = None
        self._next_seed: int | None = None
        super().__init__(
            num_envs,
            observation_space(self.game, scale),
            spaces.Discrete(self.game.num_actions),
        )

    # Playing

    def reset(self) -> npt.NDArray[Any]:
        """Deal all games and play each on to the learner's first turn.

        Returns:
            Observations, (N, D).
        """
        given = {
            row: options["game_seed"]
            for row, options in enumerate(self._options)
            if "game_seed" in options
        }
        self._actions = None
        self._play.reset(self._next_seed, given)
        self._next_seed = None
        self._reset_seeds()
        self._reset_options()
        masks = self._play.batch.action_masks.copy()
        self.reset_infos = [self._first_info(row, mask) for row, mask in enumerate(masks)]
        return self._shown(self._play.batch.observations)

    def step_async(self, actions: npt.ArrayLike) -> None:
        """Take the learner's actions, whole numbers of shape (N,), for :meth:`step_wait`."""
        self._actions = np.array(actions)

    def step_wait(
        self,
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[Any]]:
        """Play the actions taken last.

        Returns:
            Observations (N, D), rewards float32 (N,), dones bool (N,) and infos; new arrays.

        Raises:
            ValueError: if a shape, a type or an action is wrong (no game has moved then), or if an
                opponent chose an illegal action (a reset is due then).
            ResetNeeded: before the first reset.
            RuntimeError: if no actions were taken.
        """
        actions, self._actions = self._actions, None
        if actions is None:
            raise RuntimeError("call step_async() before step_wait()")
        play = self._play
        play.step(actions)
        masks = play.batch.action_masks
        infos: list[dict[str, Any]] = [
            {"action_mask": mask, "seat": seat, "TimeLimit.truncated": False}
            for mask, seat in zip(masks.copy(), play.final_seats.tolist(), strict=True)
        ]
        over = np.flatnonzero(play.dones)
        last_views = self._shown(play.final_observations[over])
        for row, last_view in zip(over.tolist(), last_views, strict=True):
            infos[row].update(self._last_words(row), terminal_observation=last_view)
            self.reset_infos[row] = self._first_info(row, masks[row].copy())
        shown = self._shown(play.batch.observations)
        return shown, play.rewards.astype(np.float32), play.dones.copy(), infos

    def action_masks(self) -> npt.NDArray[np.int8]:
        """The learner's legal actions in all games, int8 of shape (N, A)."""
        self._play.check_ready()
        return self._play.batch.action_masks.copy()

    def _shown(self, observations: npt.NDArray[np.int8]) -> npt.NDArray[Any]:
        return self.game.fields.scale(observations) if self.scale else observations.copy()

    def _first_info(self, row: int, mask: npt.NDArray[np.int8]) -> dict[str, Any]:
        return {"action_mask": mask, "seat": int(self._play.learner_seats[row])}

    def _last_words(self, row: int) -> dict[str, Any]:
        play = self._play
        won = float(play.final_shares[row])
        return {
            "TimeLimit.truncated": bool(play.truncations[row]),
            "score": int(play.final_scores[row]),
            "won": won,
            "is_success": won,
            "opponents": play.final_opponents(row),
            "game_seed": int(play.final_seeds[row]),
        }

    # What comes next

    def set_opponents(self, opponents: Opponents) -> None:
        """Let games dealt from now on draw their opponents from others, as given to the class.

        Games in progress keep theirs. Agents and names already among the opponents stay the same
        policies.

        Raises:
            ValueError: if they are no agents, or weights are no numbers from 0 up with a positive
                sum; nothing is changed then.
        """
        self._play.set_opponents(opponents)

    @property
    def opponents(self) -> dict[str, float]:
        """Label and probability of each policy that games dealt from now on draw from."""
        return self._play.opponents

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Fix everything from the next reset on.

        Args:
            seed: 0 to 2**63 - 1; None takes the system's entropy.

        Returns:
            For each row the seed of the first game to be dealt: ``game.deal(seed)`` deals it too.
        """
        self._next_seed = fresh_seed() if seed is None else seed_number(seed)
        firsts = np.empty(self.num_envs, np.int64)
        kernels.draw_seeds(
            kernels.family_seeds(self._next_seed, self.num_envs),
            np.zeros(self.num_envs, np.int64),
            np.arange(self.num_envs),
            firsts,
        )
        self._seeds = firsts.tolist()
        return list(self._seeds)

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Set options of the next reset, one dict for all rows or a list of one for each.

        Args:
            options: ``"game_seed"`` names the game to be dealt first in a row (as infos do where
                one is over). Other keys are ignored.

        Raises:
            ValueError: if there is not one dict a row, or a seed is out of its range.
        """
        given = [options or {}] * self.num_envs if not isinstance(options, list) else options
        if len(given) != self.num_envs or not all(isinstance(each, Mapping) for each in given):
            raise ValueError(f"options must be a dict or {self.num_envs} dicts, not {options!r}")
        for each in given:
            seed_number(each.get("game_seed", 0))
        self._options = copy.deepcopy(given)

    # Rows as single environments

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """An attribute of chosen rows; see :class:`Row`."""
        return [getattr(row, attr_name) for row in self._chosen(indices)]

    def set_attr(
        self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None
    ) -> None:
        """Set an attribute of chosen rows; see :class:`Row`."""
        for row in self._chosen(indices):
            setattr(row, attr_name, value)

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: int | Iterable[int] | None = None,
        **method_kwargs: Any,
    ) -> list[Any]:
        """Call a method of chosen rows; see :class:`Row`."""
        if method_name == "action_masks" and indices is None:
            # What masked algorithms ask at every step.
            return list(self.action_masks())
        return [
            getattr(row, method_name)(*method_args, **method_kwargs)
            for row in self._chosen(indices)
        ]

    def env_is_wrapped(
        self, wrapper_class: type[Any], indices: int | Iterable[int] | None = None
    ) -> list[bool]:
        """False for each row: none is wrapped."""
        return [False for _ in self._chosen(indices)]

    def _chosen(self, indices: int | Iterable[int] | None) -> list[Row]:
        if indices is None:
            return self._rows
        if isinstance(indices, (int, np.integer)):
            indices = [int(indices)]
        return [self._rows[index] for index in indices]

    # Rendering and the rest

    def render(self, mode: str | None = None) -> str | None:  # type: ignore[override]
        """With ``render_mode="ansi"``, all tables as their learners see them."""
        if self.render_mode == "ansi" and mode in (None, "ansi"):
            return "\n".join(self.env_method("render"))
        super().render(mode)
        return None

    def get_images(self) -> Sequence[npt.NDArray[Any] | None]:
        """None for each row: there are no pictures."""
        return [None] * self.num_envs

    def close(self) -> None:
        """Nothing to release."""


class Row:
    """One of the games, for those who ask a VecEnv for its single environments."""

    def __init__(self, env: SelfPlayVecEnv, row: int) -> None:
        self._env = env
        self._row = row

    def action_masks(self) -> npt.NDArray[np.int8]:
        """The learner's legal actions, int8 of shape (A,)."""
        self._env._play.check_ready()
        return self._env._play.batch.action_masks[self._row].copy()

    def render(self) -> str | None:
        """With ``render_mode="ansi"``, the table as the learner sees it."""
        if self.render_mode is None:
            return None
        play = self._env._play
        play.check_ready()
        state = play.batch.states[self._row : self._row + 1]
        return render_view(SeatView(self.game, state, self.seat))

    @property
    def game(self) -> Game:
        """The game being played."""
        return self._env.game

    @property
    def render_mode(self) -> str | None:
        """``"ansi"`` or None."""
        return self._env._render_mode

    @property
    def seat(self) -> int:
        """The learner's seat in the present game."""
        return int(self._env._play.learner_seats[self._row])

    @property
    def opponents(self) -> tuple[str, ...]:
        """Labels of the other seats' policies in the present game, clockwise from the learner."""
        return self._env._play.opponents_in(self._row)

    @property
    def learner_seat(self) -> int | None:
        """The learner's seat in games dealt from now on; None draws it for each. May be set."""
        return self._env._play.fixed_seat(self._row)

    @learner_seat.setter
    def learner_seat(self, seat: int | None) -> None:
        self._env._play.fix_seat(self._row, seat)


def _as_game(id_or_game: str | Game, num_players: int | None, options: Mapping[str, Any]) -> Game:
    if not isinstance(id_or_game, Game):
        return load_game(id_or_game, num_players, **options)
    if num_players is not None or options:
        raise ValueError(
            f"{id_or_game!r} has its players and options; num_players={num_players!r} and "
            f"{dict(options)!r} go with an id"
        )
    return id_or_game
