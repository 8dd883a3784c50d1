"""A game as users meet it: one rulebook with its options applied."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from railenvs.engine import kernels
from railenvs.engine.checks import no_contradiction, seed_number, whole_number
from railenvs.engine.fields import Fields
from railenvs.engine.random import mix
from railenvs.engine.rulebook import WHEN_CUT_OFF, Option, Rulebook
from railenvs.engine.state import AT_RANDOM, CUT_OFF, PLAYING, Record, State, at

REWARD = Option(
    ("outcome", "margin", "score"),
    "what a seat receives at the end: win, share or loss (zero-sum); its score less the mean of "
    "the others'; its score",
)


class Game:
    """One rulebook with players and options fixed.

    States are structured arrays of shape (1,): copy them with ``state.copy()``, keep them in a
    list, write them to disk with ``state.tobytes()``. All methods but :meth:`play` leave the state
    as it is.

    Attributes:
        id: name and version, such as ``"deck_express-v0"``.
        title: the game's printed name.
        num_players: number of seats.
        options: value of every option by name.
        num_actions: number of actions.
        action_names: name of every action.
        fields: name to slice, shape, low, high and meaning of the observation's parts.
        observation_size: length of an observation.
        max_length: no game that begins with the deal takes more decisions, of all seats together.
    """

    def __init__(
        self, rulebook: Rulebook, num_players: int | None = None, options: Mapping[str, Any] = {}
    ) -> None:
        self.rulebook = rulebook
        self.id = rulebook.id
        self.title = rulebook.title
        self.num_players = rulebook.default_players
        if num_players is not None:
            seats = rulebook.seats
            self.num_players = whole_number(num_players, "num_players", seats[0], seats[-1])
        self.options = self._complete(options)
        names = rulebook.action_names
        self.action_names = tuple(
            names(self.num_players, self.options) if callable(names) else names
        )
        self.num_actions = len(self.action_names)
        self.fields = Fields(rulebook.fields(self.num_players))
        self.observation_size = self.fields.size
        self.max_length = rulebook.max_length(self.num_players, self.options)
        self._blank = self._make_blank()

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"Game({self.id!r}, num_players={self.num_players}{options})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __reduce__(self) -> Any:
        return Game, (self.rulebook, self.num_players, self.options)

    # Dealing

    def blank(self, first_player: int | None = None) -> State:
        """The record before the deal, options set, shape (1,)."""
        states = self._blank.copy()
        if first_player is not None:
            last = self.num_players - 1
            states["first_player"] = whole_number(first_player, "first_player", 0, last)
        return states

    def deal(self, seed: int, first_player: int | None = None) -> State:
        """Deal a game.

        Args:
            seed: 0 to 2**63 - 1; alone fixes the game.
            first_player: the seat that begins; by default as the rulebook says.
        """
        states = self.blank(first_player)
        kernels.deal_game(states, seed_number(seed))
        return states

    def from_table(self, table: Mapping[str, Any], seed: int | None = None) -> State:
        """Set up the game that a whole table (as :meth:`table` returns it) describes.

        Args:
            table: the table; what it leaves out as optional is documented on the game's page.
            seed: for the generator; by default the one the table holds under ``"random"``, else 0.

        Raises:
            ValueError: where the table is malformed or contradicts itself, where cards are missing,
                doubled or unknown, or where phase, turn, hand sizes, supplies and points do not fit
                one another by the rules (each game's reader tells what it compares). Whether
                some game leads to the table is not searched for.
        """
        if not isinstance(table, Mapping):
            raise ValueError(f"a table must be a dict as table() returns it, not {table!r}")
        states = self.blank()
        given = dict(table)
        random = given.pop("random", None)
        record = at(states, 0)
        self.rulebook.read_table(record, given)
        no_contradiction(given, self.rulebook.table(record, None), "the table")
        random_state = 0 if random is None else _read_random(random)
        if seed is not None:
            random_state = int(mix(np.uint64(seed_number(seed))))
        states["rng"] = np.uint64(random_state)
        return states

    # Playing

    def seat(self, state: State) -> int:
        """The seat to act."""
        return int(state["seat"][0])

    def is_over(self, state: State) -> bool:
        """Whether the game has ended, by the rules or cut off."""
        return bool(state["ended"][0] != PLAYING)

    def is_cut_off(self, state: State) -> bool:
        """Whether the game was cut off: it is over, and nobody wins."""
        return bool(state["ended"][0] == CUT_OFF)

    def is_truncated(self, state: State) -> bool:
        """Whether the game was cut off and counts as truncated, by the option ``cut_off``."""
        return self.is_cut_off(state) and bool(state["cut_off"][0] == kernels.TRUNCATE)

    def legal(self, state: State) -> npt.NDArray[np.int8]:
        """The mask of the seat to act, int8 of shape (A,); all zero once the game is over."""
        return self.look(state, self.seat(state))[1]

    def play(self, state: State, action: int) -> None:
        """Play an action of the seat to act; changes ``state``.

        Raises:
            ValueError: if the action is no action or not legal now, or the state may not be written
                (a batch shows its own so); the state is unchanged.
        """
        if not state.flags.writeable:
            raise ValueError("this state is read-only; play on a copy: state.copy()")
        number = self.check_action(action)
        if not self.legal(state)[number]:
            raise ValueError(self.explain_illegal(state, number))
        kernels.play_legal(state, number)

    def check_action(self, action: Any) -> int:
        """Return an action as an int, or raise ValueError."""
        return whole_number(action, "action", 0, self.num_actions - 1)

    def explain_illegal(self, state: State, action: int) -> str:
        """Why an action in range may not be played."""
        if self.is_over(state):
            return f"action {action} ({self.action_names[action]}) is illegal: the game is over"
        legal = np.flatnonzero(self.legal(state))
        names = ", ".join(f"{index} ({self.action_names[index]})" for index in legal)
        return (
            f"action {action} ({self.action_names[action]}) is illegal for player_"
            f"{self.seat(state)}; legal are {names}"
        )

    # Looking

    def look(self, state: State, seat: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """A seat's observation, int8 (D,), and mask, int8 (A,): zero unless it is to act."""
        observation = np.empty(self.observation_size, np.int8)
        mask = np.empty(self.num_actions, np.int8)
        kernels.look(state, self.check_seat(seat), observation, mask)
        return observation, mask

    def observe(self, state: State, seat: int) -> npt.NDArray[np.int8]:
        """What a seat may know, int8 of shape (D,)."""
        return self.look(state, seat)[0]

    def determinize(self, state: State, seat: int, seed: int) -> State:
        """A copy in which all that ``seat`` cannot know is dealt afresh.

        The result depends on what the seat knows and on ``seed`` alone. Of the worlds that agree
        with what the seat knows for certain it is one by the deal's own probabilities; what the
        others' choices suggest besides is not weighed. Where the seat cannot tell that another one
        is to decide (because of its hidden cards, or since how far secret choices have got is
        hidden), that decision is taken back: then another seat is to act than in ``state``.
        """
        world = state.copy()
        kernels.deal_unknown(world, self.check_seat(seat), seed_number(seed))
        return world

    def table(self, state: State, seat: int | None = None) -> dict[str, Any]:
        """The table in card names, JSON-able: everything, or what ``seat`` sees.

        The whole table also holds the generator's state under ``"random"``.
        """
        record = at(state, 0)
        if seat is not None:
            return self.rulebook.table(record, self.check_seat(seat))
        return {**self.rulebook.table(record, None), "random": f"{int(record.rng):#018x}"}

    def state_fields(self) -> dict[str, tuple[slice, tuple[int, ...]]]:
        """Place and shape, in :meth:`encode_state`, of each part of the record."""
        fields = {}
        start = 0
        for name in (self.rulebook.dtype.names or ())[1:]:
            part = self.rulebook.dtype[name]
            if name != "rng":
                size = math.prod(part.shape)
                fields[name] = (slice(start, start + size), part.shape)
                start += size
        return fields

    def state_space(self) -> spaces.Box:
        """The space of :meth:`encode_state`: int8, of the same size for every number of seats."""
        size = max(place.stop for place, _ in self.state_fields().values())
        return spaces.Box(-128, 127, (size,), np.int8)

    def encode_state(self, state: State) -> npt.NDArray[np.int8]:
        """The whole record but for its generator as one int8 vector, for centralised critics.

        Numbers that int8 cannot hold saturate.
        """
        parts = [np.clip(state[name].ravel(), -128, 127) for name in self.state_fields()]
        return np.concatenate(parts, dtype=np.int8, casting="unsafe")

    def check_seat(self, seat: Any) -> int:
        """Return a seat as an int, or raise ValueError."""
        return whole_number(seat, "seat", 0, self.num_players - 1)

    # Results

    def scores(self, state: State) -> npt.NDArray[np.int32]:
        """Each seat's score, final or so far, int32 of shape (n,)."""
        return self._results(state)[0]

    def winners(self, state: State) -> tuple[int, ...]:
        """The seats that win; none before the end or where the game was cut off."""
        if self.is_over(state):
            return tuple(int(seat) for seat in np.flatnonzero(self._results(state)[1]))
        return ()

    def rewards(self, state: State) -> npt.NDArray[np.float64]:
        """Each seat's reward, float64 of shape (n,); zero before the end."""
        if not self.is_over(state):
            return np.zeros(self.num_players, np.float64)
        return self._results(state)[2]

    def state_hash(self, state: State) -> str:
        """A hash of the whole state, random state included, as 32 hexadecimal digits."""
        return hashlib.blake2b(state.tobytes(), digest_size=16).hexdigest()

    def _results(
        self, state: State
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int8], npt.NDArray[np.float64]]:
        points = np.zeros(self.num_players, np.int32)
        won = np.zeros(self.num_players, np.int8)
        rewards = np.zeros(self.num_players, np.float64)
        kernels.results(state, points, won, rewards)
        return points, won, rewards

    def _complete(self, given: Mapping[str, Any]) -> dict[str, Any]:
        known = {**self.rulebook.options, "reward": REWARD}
        for name in given:
            if name not in known:
                raise ValueError(
                    f"{self.id} has no option {name!r}; its options are {', '.join(known)}"
                )
        options = {
            name: option.check(name, given.get(name, option.default))
            for name, option in known.items()
        }
        for name, option in known.items():
            if options[name] != option.default and not option.is_open(self.num_players):
                raise ValueError(
                    f"{name} must be {option.default!r} with {self.num_players} players, not "
                    f"{options[name]!r}"
                )
        return options

    def _make_blank(self) -> State:
        states = np.zeros(1, self.rulebook.dtype)
        record: Record = at(states, 0)
        record.num_players = self.num_players
        record.first_player = AT_RANDOM
        record.reward = REWARD.values.index(self.options["reward"])
        record.cut_off = WHEN_CUT_OFF.values.index(self.options.get("cut_off", "loss"))
        self.rulebook.prepare(record, self.options)
        return states


def _read_random(text: Any) -> int:
    try:
        value = int(text, 16)
    except (TypeError, ValueError):
        value = -1
    if not 0 <= value < 2**64:
        raise ValueError(f"'random' must be 64 bits in hexadecimal such as '0x1f', not {text!r}")
    return value
