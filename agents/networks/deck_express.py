"""A network for Deck EXPRESS in which the four companies are alike, and so are a company's shares.

Whatever holds for spades holds for hearts: one set of weights reads every company, and the mean
over the companies tells each of them of the others (Zaheer et al., "Deep Sets", NeurIPS 2017). The
three shares of a company pay the same, so they are counted. What the network learns about one
company it knows about all, and it needs far fewer games than a plain one.
"""

from __future__ import annotations

from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from railenvs import Game

BY_CARD = ("own_track", "built", "unseen_track", "top")
"""Fields (4, k): each entry counts for itself."""
BY_COUNT = ("own_shares", "unseen_shares", "own_choice")
"""Fields (4, 3): only the number of shares counts."""
BY_COMPANY = ("height", "value")
SHOWN = "shown"
"""Field (n, 4, 3): shares face up, counted by seat."""
COMPANIES, RANKS, FACES = 4, 9, 3


class Trunk(nn.Module):
    """Reads an observation (B, D) into one vector a company, (B, 4, width)."""

    def __init__(self, game: Game, width: int) -> None:
        super().__init__()
        self._places = {name: (part.slice, part.shape) for name, part in game.fields.items()}
        by_company = (*BY_CARD, *BY_COUNT, *BY_COMPANY, SHOWN)
        self._common = [name for name in game.fields if name not in by_company]
        cards = sum(game.fields[name].shape[1] for name in BY_CARD)
        own = cards + len(BY_COUNT) + len(BY_COMPANY) + game.num_players
        common = sum(game.fields[name].size for name in self._common)
        self.read_company = nn.Linear(own, width)
        self.read_common = nn.Linear(common, width)
        self.from_company = nn.Linear(width, width)
        self.from_others = nn.Linear(width, width)

    def forward(self, observations: Tensor) -> Tensor:
        """Width numbers for each company, each knowing of the others."""
        own = [self._part(observations, name) for name in BY_CARD]
        own += [self._part(observations, name).sum(-1, keepdim=True) for name in BY_COUNT]
        own += [self._part(observations, name).unsqueeze(-1) for name in BY_COMPANY]
        own.append(self._part(observations, SHOWN).sum(-1).transpose(1, 2))
        common = [self._part(observations, name).flatten(1) for name in self._common]
        read = self.read_company(torch.cat(own, -1))
        read = torch.relu(read + self.read_common(torch.cat(common, -1)).unsqueeze(1))
        others = self.from_others(read.mean(1)).unsqueeze(1)
        return torch.relu(self.from_company(read) + others)

    def _part(self, observations: Tensor, name: str) -> Tensor:
        place, shape = self._places[name]
        return observations[:, place].view(-1, *shape)


class TwoTrunks(BaseFeaturesExtractor):
    """One trunk for the actions and one for the value, side by side: (B, 2 * 4 * width)."""

    def __init__(self, observation_space: spaces.Space[Any], game: Game, width: int) -> None:
        super().__init__(observation_space, 2 * COMPANIES * width)
        self.actor = Trunk(game, width)
        self.critic = Trunk(game, width)

    def forward(self, observations: Tensor) -> Tensor:
        """Both trunks' vectors."""
        return torch.cat([self.actor(observations), self.critic(observations)], 1).flatten(1)


class ActionHead(nn.Module):
    """Logits of the 65 actions: alike for every company and for the shares of one."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.by_company = nn.Linear(width, RANKS + 3)
        self.invest = nn.Linear(width, 1)
        for layer in (self.by_company, self.invest):
            nn.init.orthogonal_(layer.weight, 0.01)
            nn.init.zeros_(layer.bias)

    def forward(self, features: Tensor) -> Tensor:
        """Logits in the order of the actions: build, invest, assign, reveal, pass."""
        companies = features.view(-1, 2 * COMPANIES, self.width)[:, :COMPANIES]
        logits = self.by_company(companies)
        build, assign = logits[..., :RANKS], logits[..., RANKS]
        reveal, hand_on = (
            logits[..., RANKS + column].repeat_interleave(FACES, 1) for column in (1, 2)
        )
        invest = self.invest(companies.mean(1))
        return torch.cat([build.flatten(1), invest, assign, reveal, hand_on], 1)


class ValueHead(nn.Module):
    """The value of a position, from the mean over the companies."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.value = nn.Linear(width, 1)

    def forward(self, features: Tensor) -> Tensor:
        """Values, (B, 1)."""
        companies = features.view(-1, 2 * COMPANIES, self.width)[:, COMPANIES:]
        value: Tensor = self.value(companies.mean(1))
        return value


class CompanyPolicy(MaskableActorCriticPolicy):
    """The policy to train with MaskablePPO: ``policy_kwargs={"game": game}``.

    Args:
        observation_space: as SB3 hands it over.
        action_space: likewise.
        lr_schedule: likewise.
        game: Deck EXPRESS with its seats and options.
        width: numbers that describe a company.
        **kwargs: the optimizer's class and arguments.
    """

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        lr_schedule: Any,
        game: Game,
        width: int = 64,
        **kwargs: Any,
    ) -> None:
        self._own_arguments: dict[str, Any] = {"game": game, "width": width}
        kwargs.update(
            net_arch=[],
            ortho_init=False,
            features_extractor_class=TwoTrunks,
            features_extractor_kwargs=self._own_arguments,
        )
        super().__init__(observation_space, action_space, lr_schedule, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        width = self._own_arguments["width"]
        self.action_net = ActionHead(width)
        self.value_net = ValueHead(width)  # type: ignore[assignment]
        optimizer_class: Any = self.optimizer_class
        self.optimizer = optimizer_class(
            self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )

    def _get_constructor_parameters(self) -> dict[str, Any]:
        """What :meth:`load` needs to make the policy again."""
        kept = super()._get_constructor_parameters()
        for name in (
            "net_arch",
            "ortho_init",
            "features_extractor_class",
            "features_extractor_kwargs",
        ):
            kept.pop(name, None)
        return {**kept, **self._own_arguments}
