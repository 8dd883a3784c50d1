"""Agents that play a saved MaskablePPO of sb3-contrib."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from railenvs import Game, SeatView
from railenvs.engine.checks import seed_number

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO


class PPOAgent:
    """Plays a trained MaskablePPO's likeliest legal action, which is stronger than sampling.

    Args:
        game: the game it was trained on.
        model: the model; observations reach it as ``game.fields.scale`` makes them.
        seed: accepted as by all agents; there is nothing random here.

    Raises:
        ValueError: if the model's observations or actions are not the game's.
    """

    def __init__(self, game: Game, model: MaskablePPO, seed: int | None = None) -> None:
        spaces: Any = model.observation_space, model.action_space
        sizes = [getattr(spaces[0], "shape", None), getattr(spaces[1], "n", None)]
        if sizes != [(game.observation_size,), game.num_actions]:
            raise ValueError(
                f"the model takes observations of shape {sizes[0]} and has {sizes[1]} actions, "
                f"but {game} gives ({game.observation_size},) and has {game.num_actions}"
            )
        self.game = game
        self._policy: Any = model.policy
        self._policy.set_training_mode(False)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Check the seed; there are no random numbers to start afresh."""
        if seed is not None:
            seed_number(seed)

    def act(self, view: SeatView) -> int:
        """Choose one of ``view.legal_actions``."""
        return int(self.act_batch(view.observation[None], view.action_mask[None])[0])

    def act_batch(
        self, observations: npt.NDArray[np.int8], action_masks: npt.NDArray[np.int8]
    ) -> npt.NDArray[np.int64]:
        """Choose a legal action in every row, in one pass of the network."""
        import torch

        scaled = torch.as_tensor(self.game.fields.scale(observations), device=self._policy.device)
        with torch.inference_mode():
            logits = self._policy.get_distribution(scaled).distribution.logits.cpu().numpy()
        return np.where(action_masks, logits, -np.inf).argmax(axis=1)


_TRAINING = {
    # May refer to functions of a training script that is not there.
    "learning_rate": 0.0,
    "lr_schedule": None,
    "clip_range": 0.0,
    "clip_range_vf": None,
    # Loading would seed the global generators of Python, NumPy and torch with it.
    "seed": None,
}
"""Put in place of what matters to training alone."""


def load_ppo(game: Game, seed: int | None, path: str) -> PPOAgent:
    """The agent ``ppo:PATH``. Loading unpickles the file: load only what you trust.

    Args:
        game: the game the model was trained on.
        seed: see :class:`PPOAgent`.
        path: a zip that MaskablePPO saved; ``.zip`` may be left out.

    Raises:
        ValueError: if there is no such file, or it holds no MaskablePPO for this game.
        ImportError: if sb3-contrib is not installed.
    """
    file = next((each for each in (Path(path), Path(f"{path}.zip")) if each.is_file()), None)
    if file is None:
        raise ValueError(f"no saved model at {path!r}; name one as 'ppo:runs/my_run/player.zip'")
    try:
        import torch
        from sb3_contrib import MaskablePPO
    except ImportError as error:
        raise ImportError(
            "agents named 'ppo:PATH' need sb3-contrib: pip install 'railenvs[train]'"
        ) from error
    try:
        # The new network is initialised at random before it is filled.
        with torch.random.fork_rng(devices=[]):
            model = MaskablePPO.load(file, device="cpu", custom_objects=_TRAINING)
    except Exception as error:  # whatever a foreign or damaged file makes the unpickling raise
        raise ValueError(f"{str(file)!r} holds no saved MaskablePPO: {error}") from error
    try:
        return PPOAgent(game, model, seed)
    except ValueError as error:
        raise ValueError(f"{str(file)!r} does not fit: {error}") from error
