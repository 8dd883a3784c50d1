"""The PettingZoo environment, the same for every game."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from railenvs.engine import kernels
from railenvs.engine.checks import ResetNeeded, one_of, seed_number
from railenvs.engine.game import Game
from railenvs.engine.random import fresh_seed
from railenvs.engine.records import Start, write_record
from railenvs.engine.state import State
from railenvs.engine.view import SeatView
from railenvs.render.text import render_view

RENDER_MODES = (None, "human", "ansi")
_ACTION_TYPES = frozenset({int, np.int64})
_AFTER_RESET = frozenset(
    {"agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"}
)


class RailEnv(AECEnv[str, dict[str, npt.NDArray[np.int8]], "int | None"]):
    """A rulebook as a PettingZoo AEC environment.

    With ``lenient=True`` it behaves as PettingZoo environments do in their usual wrappers: an
    illegal action in range ends the game with -1 for the offender and 0 for the others, with a
    warning. With ``lenient=False`` it is an error. Either way an action of another type or out
    of range is a ValueError, and use before ``reset()`` is an error.

    When a game is over every agent is terminated at once (or truncated, where it was cut off and
    its option ``cut_off`` is ``"truncate"``); each then takes one ``None`` step, in seat order, and
    ``agents`` is empty afterwards.

    Wrappers write into the public attributes, infos and their masks among them. Who acts, what is
    legal and whether the game is over follows from the game's record all the same, and so does what
    an agent is shown.

    Attributes:
        game: the game, with its options, action names and observation fields.
        possible_agents: ``player_0`` and so on, one a seat.
    """

    metadata: dict[str, Any]

    def __init__(self, game: Game, render_mode: str | None = None, lenient: bool = True) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.game = game
        self.render_mode = one_of(render_mode, "render_mode", RENDER_MODES)
        self.metadata = {
            "name": game.id.replace("-", "_"),
            "render_modes": ["human", "ansi"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self._lenient = lenient
        self._size = game.observation_size
        self._num_actions = game.num_actions
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_players)]
        self._names = tuple(self.possible_agents)
        low, high = game.fields.bounds()
        observation_space: spaces.Space[Any] = spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=np.int8),
                "action_mask": spaces.Box(0, 1, (self._num_actions,), np.int8),
            }
        )
        action_space: spaces.Space[Any] = spaces.Discrete(self._num_actions)
        self.observation_spaces = dict.fromkeys(self._names, observation_space)
        self.action_spaces = dict.fromkeys(self._names, action_space)
        self.state_space = game.state_space()
        self._state: State | None = None
        self._offender: str | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observation space, the same object for all agents."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The action space, the same object for all agents.

        ``action_space(agent).seed(0)`` and then ``.sample(mask)`` draw reproducible legal actions.
        """
        return self.action_spaces[self._known(agent)]

    # The life of a game

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a game.

        Args:
            seed: 0 to 2**63 - 1, alone fixes the game. None goes on from the generator of the
                game before, the first time from the system's entropy.
            options: ``"first_player"``: the seat that begins. ``"table"``: a whole table, as
                :meth:`table` returns it, to start from. Other keys are ignored.

        Raises:
            ValueError: if the seed, the first player or the table is faulty; the game in progress
                is unchanged.
        """
        options = {} if options is None else options
        if not isinstance(options, Mapping):
            raise ValueError(f"options must be a dict, not {options!r}")
        table = options.get("table")
        first_player = options.get("first_player")
        if table is not None and first_player is not None:
            raise ValueError(
                f"'first_player' ({first_player!r}) goes with a deal; a given table says whose "
                "turn it is"
            )
        if table is not None:
            state = self.game.from_table(table, seed)
            start = Start(self.game.table(state), state)
        else:
            drawn = self._next_seed() if seed is None else seed_number(seed)
            state = self.game.deal(drawn, first_player)
            start = Start(None, state, drawn, first_player)
        self._begin(state, start)

    def _next_seed(self) -> int:
        if self._state is None:
            return fresh_seed()
        return int(kernels.draw_seed(self._state.copy()))

    def _begin(self, state: State, start: Start) -> None:
        """Set up the bookkeeping of a game that goes on from ``state``."""
        self._start = start
        self._moves: list[int] = []
        self._asked = 0
        self._offender = None
        self._over = False
        self._state = state
        names = self._names
        self._acting = names[self.game.seat(state)]
        self._left = list(names)
        self.agents = list(names)
        self.rewards = dict.fromkeys(names, 0.0)
        self._cumulative_rewards = dict.fromkeys(names, 0.0)
        self.terminations = dict.fromkeys(names, False)
        self.truncations = dict.fromkeys(names, False)
        self.infos = {name: self._no_info() for name in names}
        if self.game.is_over(state):
            self._finish()
        else:
            self._ask(self._acting, *self.game.look(state, self.game.seat(state)))
        if self.render_mode == "human":
            self.render()

    def _ask(
        self, agent: str, observation: npt.NDArray[np.int8], mask: npt.NDArray[np.int8]
    ) -> None:
        """Let an agent act next, on what it sees and may do."""
        self._acting = self.agent_selection = agent
        self._seen = observation
        self._mask = mask
        self.infos[agent] = {"action_mask": mask.copy()}

    def step(self, action: int | None) -> None:
        """Play one action of the agent to act; ``None``, and only that, once it is done.

        That is ``agent_selection``, unless it was written from outside: the record tells.

        Raises:
            ResetNeeded: before ``reset()`` and once ``agents`` is empty.
            ValueError: if the action is of the wrong type, out of range, or (``lenient=False``)
                illegal; the state is unchanged.
        """
        state = self._state
        if state is None or not self.agents:
            raise ResetNeeded("call reset() before step()" if state is None else _GAME_OVER)
        self._asked += 1
        if self._over:
            self._step_done(action)
            return
        move: Any = action if type(action) in _ACTION_TYPES else self.game.check_action(action)
        observation = np.empty(self._size, np.int8)
        mask = np.empty(self._num_actions, np.int8)
        try:
            seat = kernels.advance(state, move, observation, mask)
        except OverflowError:
            seat = kernels.OUT_OF_RANGE
        if seat < 0:
            self._refuse(move, seat)
            return
        self._moves.append(move)
        if seat == kernels.OVER:
            self._finish()
        else:
            self.infos[self._acting] = self._no_info()
            self._ask(self._names[seat], observation, mask)
        if self.render_mode == "human":
            self.render()

    def _step_done(self, action: int | None) -> None:
        agent = self._left[0]
        if action is not None:
            raise ValueError(f"{agent} is done; its only action is None, not {action!r}")
        for entries in (
            self.rewards,
            self._cumulative_rewards,
            self.terminations,
            self.truncations,
            self.infos,
        ):
            entries.pop(agent, None)
        del self._left[0]
        self.agents = list(self._left)
        for other in self._left:
            self.rewards[other] = 0.0
        if self._left:
            self.agent_selection = self._left[0]

    def _refuse(self, action: Any, reason: int) -> None:
        """Answer an action that the kernel would not play."""
        assert self._state is not None
        if reason == kernels.OUT_OF_RANGE:
            self.game.check_action(action)
        message = self.game.explain_illegal(self._state, int(action))
        if not self._lenient:
            raise ValueError(message)
        warnings.warn(f"{message}; {self._acting} loses the game", UserWarning, stacklevel=3)
        self._offender = self._acting
        self._finish()

    def _finish(self) -> None:
        """All agents are done: hand out rewards."""
        assert self._state is not None
        self._over = True
        rewards = [float(reward) for reward in self.game.rewards(self._state)]
        if self._offender is not None:
            rewards = [-1.0 if name == self._offender else 0.0 for name in self._names]
        truncated = self.game.is_truncated(self._state)
        for name, reward in zip(self._names, rewards, strict=True):
            self.rewards[name] = self._cumulative_rewards[name] = reward
            self.terminations[name] = not truncated
            self.truncations[name] = truncated
            self.infos[name] = self._no_info()
        self.agent_selection = self._names[0]

    # Looking

    def last(
        self, observe: bool = True
    ) -> tuple[dict[str, npt.NDArray[np.int8]] | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last step, termination, truncation, info of the next.

        All of it is of ``agent_selection``. The observation is the caller's own, the info that of
        ``infos``.
        """
        if self._state is None:
            raise ResetNeeded("call reset() before last()")
        if not self.agents:
            raise ResetNeeded(_GAME_OVER)
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> dict[str, npt.NDArray[np.int8]]:
        """``{"observation", "action_mask"}`` of any agent at any time, int8 (D,) and (A,).

        The mask is all zero for an agent that is not to act. The arrays are the caller's own.
        """
        if self._state is None:
            raise ResetNeeded("call reset() before observe()")
        if agent == self._acting and not self._over:
            return {"observation": self._seen.copy(), "action_mask": self._mask.copy()}
        seen, mask = self.game.look(self._state, self._seat(agent))
        return {"observation": seen, "action_mask": self._no_actions() if self._over else mask}

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:  # type: ignore[override]
        """Yield ``agent_selection`` until all agents are done; call ``step()`` in between."""
        if self._state is None:
            raise ResetNeeded("call reset() before agent_iter()")
        return self._iterate(max_iter)

    def _iterate(self, max_iter: int) -> Iterator[str]:
        before = None
        while self.agents and max_iter > 0:
            now = (id(self._start), self._asked)
            if now == before:
                raise AssertionError("need to call step() or reset() in a loop over agent_iter()")
            before = now
            max_iter -= 1
            yield self.agent_selection

    def state(self) -> npt.NDArray[np.int8]:
        """Everything, hidden cards included, for centralised critics: int8, see ``state_space``.

        The game's record but for its generator; ``game.state_fields()`` names the parts.
        """
        return self.game.encode_state(self._dealt())

    def render(self) -> str | None:
        """The table as the acting seat sees it: returned (``"ansi"``) or printed (``"human"``).

        With ``render_mode="human"`` every reset and step prints it, too.
        """
        self._dealt()
        if self.render_mode is None:
            warnings.warn(
                f"render() does nothing without a render_mode; pass one of {RENDER_MODES[1:]}",
                UserWarning,
                stacklevel=2,
            )
            return None
        text = render_view(self.view(self.agent_selection))
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing to release."""

    # Beyond PettingZoo

    def table(self, agent: str | None = None) -> dict[str, Any]:
        """The table in card names, JSON-able: everything, or what an agent sees."""
        return self.game.table(self._dealt(), None if agent is None else self._seat(agent))

    def action_name(self, action: int) -> str:
        """The name of an action, such as ``"invest"``."""
        return self.game.action_names[self.game.check_action(action)]

    def view(self, agent: str) -> SeatView:
        """What an agent may know, as agents of this library take it."""
        view = SeatView(self.game, self._dealt(), self._seat(agent))
        if self._over:
            view.action_mask[:] = 0
        return view

    def scores(self) -> dict[str, int]:
        """Each agent's score, final or so far."""
        points = self.game.scores(self._dealt())
        return {name: int(score) for name, score in zip(self._names, points, strict=True)}

    def winners(self) -> list[str]:
        """The agents that won; empty before the end, and where nobody wins."""
        if self._offender is not None:
            return []
        return [self._names[seat] for seat in self.game.winners(self._dealt())]

    def state_hash(self) -> str:
        """A hash of the whole state, random state included."""
        return self.game.state_hash(self._dealt())

    def record(self) -> dict[str, Any]:
        """The game so far as a game record; see :mod:`railenvs.records`.

        A game lost by an illegal action is recorded up to that action, as one still going on.
        """
        self._dealt()
        return write_record(self.game, self._start, self._moves)

    def determinize(self, agent: str, seed: int) -> RailEnv:
        """A new environment in which all that ``agent`` cannot know is dealt afresh."""
        world = self.game.determinize(self._dealt(), self._seat(agent), seed)
        other = RailEnv(self.game, self.render_mode, self._lenient)
        other._begin(world, Start(self.game.table(world), world))
        other._resume(self._offender, self._left)
        return other

    def snapshot(self) -> bytes:
        """The whole environment, to go on from exactly here with :meth:`restore`."""
        state = self._dealt()
        head = {
            "game": repr(self.game),
            "moves": [int(move) for move in self._moves],
            "table": self._start.table,
            "seed": self._start.seed,
            "first_player": self._start.first_player,
            "offender": self._offender,
            "agents": self._left,
        }
        kept = json.dumps(head).encode() + b"\n" + self._start.state.tobytes() + state.tobytes()
        return hashlib.blake2b(kept, digest_size=_DIGEST).digest() + kept

    def restore(self, snapshot: bytes) -> None:
        """Go on from a snapshot of an environment of the same game and options.

        Raises:
            ValueError: if the bytes are no such snapshot; the game in progress is unchanged.
        """
        head, start, state = self._read_snapshot(snapshot)
        self._begin(state, Start(head["table"], start, head["seed"], head["first_player"]))
        self._moves = head["moves"]
        self._resume(head["offender"], head["agents"])

    def _read_snapshot(self, snapshot: Any) -> tuple[dict[str, Any], State, State]:
        given = snapshot if isinstance(snapshot, bytes) else b""
        digest, kept = given[:_DIGEST], given[_DIGEST:]
        if hashlib.blake2b(kept, digest_size=_DIGEST).digest() != digest:
            raise ValueError(f"not a snapshot of an environment: {snapshot!r:.60}")
        line, _, records = kept.partition(b"\n")
        head = json.loads(line)
        if head["game"] != repr(self.game):
            raise ValueError(f"a snapshot of {head['game']} does not fit {self.game!r}")
        states = np.frombuffer(records, self.game.blank().dtype).copy()
        return head, states[:1], states[1:].copy()

    def _resume(self, offender: str | None, left: list[str]) -> None:
        """Take up how far the end of a game had been gone through."""
        if offender is not None:
            self._offender = offender
            self._finish()
        while len(self._left) > len(left):
            self._step_done(None)

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def __getattr__(self, name: str) -> Any:
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset()")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _dealt(self) -> State:
        if self._state is None:
            raise ResetNeeded("call reset() first: no game has been dealt")
        return self._state

    def _known(self, agent: str) -> str:
        if agent not in self._names:
            raise ValueError(f"no agent {agent!r}; the agents are {', '.join(self._names)}")
        return agent

    def _seat(self, agent: str) -> int:
        return self._names.index(self._known(agent))

    def _no_actions(self) -> npt.NDArray[np.int8]:
        return np.zeros(self._num_actions, np.int8)

    def _no_info(self) -> dict[str, Any]:
        return {"action_mask": self._no_actions()}


_DIGEST = 16
"""Bytes of a snapshot's own hash, which stands first in it."""
_GAME_OVER = "the game is over and all agents are done; call reset()"


def make_env(
    game_id: str,
    num_players: int | None,
    render_mode: str | None,
    lenient: bool,
    options: Mapping[str, Any],
) -> RailEnv:
    """An environment of a game, as the modules of the games offer it."""
    from railenvs.games import load_game

    return RailEnv(load_game(game_id, num_players, **options), render_mode, lenient)
