"""What a rulebook hands over, and how kernels find it: by the record's first field.

Kernels call the functions of this module (``play(state, action)`` and so on). Compiled, numba
replaces each call by the rulebook's own function, chosen by the type of the record, so one kernel
serves every game and its machine code can be cached. As plain Python the same choice is made by a
dictionary.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from railenvs.engine.checks import one_of
from railenvs.engine.compile import dispatch
from railenvs.engine.fields import Field
from railenvs.engine.kernel_cache import belongs_to
from railenvs.engine.state import Record


@dataclass(frozen=True)
class Option:
    """One option of a rulebook: its values, the default first, and what they mean.

    Attributes:
        values: what may be given; a ``range`` where any number between two bounds may.
        meaning: what they mean.
        examples: values beside the default for tests to go through; by default all the others.
        read: for an option with values that cannot be listed: returns the JSON-able value that
            stands for one (and for itself), or raises a ValueError that names the option.
        seats: the numbers of players for which values other than the default may be given; by
            default all that the game is for.
    """

    values: tuple[Any, ...] | range
    meaning: str
    examples: tuple[Any, ...] = ()
    read: Callable[[Any], Any] | None = None
    seats: range | None = None

    def __post_init__(self) -> None:
        if not self.examples:
            object.__setattr__(self, "examples", tuple(self.values[1:]))

    @property
    def default(self) -> Any:
        """The value taken where none is given."""
        return self.values[0]

    def check(self, name: str, value: Any) -> Any:
        """Return ``value`` as the game keeps it; ValueError if the option does not take it."""
        if self.read is None or any(type(value) is type(v) and value == v for v in self.values):
            return one_of(value, name, self.values)
        return self.read(value)

    def is_open(self, num_players: int) -> bool:
        """Whether so many players may choose another value than the default."""
        return self.seats is None or num_players in self.seats


@dataclass(frozen=True)
class Rulebook:
    """The rules of one game as functions over its record, with the names people use.

    Attributes:
        name: short name, an identifier; also the record's first field.
        version: raised whenever behaviour changes.
        title: the game's printed name.
        dtype: the record.
        seats: the numbers of players the game is for.
        default_players: the number of players where none is given.
        action_names: one name per action; where they depend on the number of players or the game's
            options, a function of both.
        fields: the observation's fields for a number of players.
        deal: shuffles and deals on a blank record that holds options and generator.
        legal: writes 0/1 for each action of ``state.seat``; never all zero before the end.
        play: applies one legal action and all that follows up to the next decision.
        observe: writes what ``seat`` may know.
        determinize: deals afresh all that ``seat`` cannot know, with the record's generator.
        scores: writes each seat's score so far.
        winners: writes 0/1 for each seat, by the rulebook's tie-breakers.
        prepare: writes options and whatever is alike before every deal into a blank record (plain
            Python).
        table: the table as a JSON-able dict, all of it or what a seat sees (plain Python).
        read_table: writes a whole table into a blank record, or raises ValueError (plain Python).
        told: what a move brought to light, from the states before and after (plain Python).
        options: the game's own options.
        module: where the rulebook stands under the name ``RULEBOOK``, by which it is pickled.
    """

    name: str
    version: int
    title: str
    dtype: np.dtype[np.void]
    seats: range
    default_players: int
    action_names: Sequence[str] | Callable[[int, Mapping[str, Any]], Sequence[str]]
    fields: Callable[[int], Sequence[Field]]
    deal: Callable[[Record], None]
    legal: Callable[[Record, Any], None]
    play: Callable[[Record, int], None]
    observe: Callable[[Record, int, Any], None]
    determinize: Callable[[Record, int], None]
    scores: Callable[[Record, Any], None]
    winners: Callable[[Record, Any], None]
    prepare: Callable[[Record, Mapping[str, Any]], None]
    table: Callable[[Record, int | None], dict[str, Any]]
    read_table: Callable[[Record, Mapping[str, Any]], None]
    told: Callable[[Record, int, Record], dict[str, Any]]
    options: Mapping[str, Option] = field(default_factory=dict)
    module: str = ""

    @property
    def id(self) -> str:
        """Name and version as users write them, such as ``"whist-v0"``."""
        return f"{self.name}-v{self.version}"

    def __reduce__(self) -> Any:
        return _import_rulebook, (self.module,)


def _import_rulebook(module: str) -> Rulebook:
    rulebook: Rulebook = importlib.import_module(module).RULEBOOK
    return rulebook


def deal(state: Record) -> None:
    """Shuffle and deal."""
    _of(state).deal(state)


def legal(state: Record, mask: Any) -> None:
    """Write 0/1 for each action of the seat to act."""
    _of(state).legal(state, mask)


def play(state: Record, action: int) -> None:
    """Apply one legal action."""
    _of(state).play(state, action)


def observe(state: Record, seat: int, out: Any) -> None:
    """Write what a seat may know."""
    _of(state).observe(state, seat, out)


def determinize(state: Record, seat: int) -> None:
    """Deal afresh all that a seat cannot know."""
    _of(state).determinize(state, seat)


def scores(state: Record, out: Any) -> None:
    """Write each seat's score."""
    _of(state).scores(state, out)


def winners(state: Record, out: Any) -> None:
    """Write 0/1 for each seat."""
    _of(state).winners(state, out)


_DISPATCHED = (deal, legal, play, observe, determinize, scores, winners)
_rulebooks: dict[str, Rulebook] = {}


def register(rulebook: Rulebook) -> Rulebook:
    """Let kernels play by ``rulebook``; returns it.

    Raises:
        ValueError: if its record does not begin with its name, if another rulebook has that name,
            or if a function's argument names differ from those documented here (compiled callers
            pass them by name).
    """
    first = (rulebook.dtype.names or ("",))[0]
    if first != rulebook.name:
        raise ValueError(f"the record's first field must be {rulebook.name!r}, not {first!r}")
    if _rulebooks.get(rulebook.name, rulebook) is not rulebook:
        raise ValueError(f"a rulebook named {rulebook.name!r} is registered already")
    for stub in _DISPATCHED:
        wanted = list(inspect.signature(stub).parameters)
        found = list(inspect.signature(getattr(rulebook, stub.__name__)).parameters)
        if found != wanted:
            raise ValueError(f"{rulebook.name}: {stub.__name__} takes {found}, expected {wanted}")
    _rulebooks[rulebook.name] = rulebook
    belongs_to(rulebook.name, inspect.getsourcefile(rulebook.play) or "")
    return rulebook


def _of(state: Record) -> Rulebook:
    return _rulebooks[state.dtype.names[0]]


def _find(part: str) -> Callable[[str], Callable[..., None]]:
    """From a rulebook's name to its function of a given name."""

    def find(name: str) -> Callable[..., None]:
        function: Callable[..., None] = getattr(_rulebooks[name], part)
        return function

    return find


for _stub in _DISPATCHED:
    dispatch(_stub, _find(_stub.__name__))
