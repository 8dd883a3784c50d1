"""# Deck EXPRESS: Tennessee Central.

| Import             | `from railenvs import deck_express_v0`                                |
| ------------------ | --------------------------------------------------------------------- |
| Creation           | `pettingzoo.make("aec", "railenvs/deck_express-v0", num_players=3)`   |
| Actions            | Discrete                                                              |
| Parallel API       | No                                                                    |
| Manual Control     | No                                                                    |
| Agents             | `agents= ['player_0', 'player_1', 'player_2']`                        |
| Agents             | 3 (2-4)                                                               |
| Action Shape       | Discrete(65)                                                          |
| Action Values      | Discrete(65)                                                          |
| Observation Shape  | (251,)                                                                |
| Observation Values | per entry, see Observation Space                                      |

Two to four railway owners hold shares in four companies. Building track changes what a company's
shares pay; drawing from the deck brings new track and, now and then, a locomotive, at which
dividends are paid. The most money at the end wins.

## Rules

Told in our own words; the game belongs to its publisher. Sections follow the rulebook.

**Setup.** Each seat is dealt three of the twelve shares (jack, queen and king of each suit, all
alike) and five of the 36 track cards (2 to 10 of each suit). Shares left over leave the game
unseen. The four aces lie open: on each a company's stack will grow. The draw deck holds the rest
of the track and two locomotives (option `setup`). Who begins is drawn by lot.

**A turn** is one of two things. *Build*: a track card from hand goes on top of its company's
stack. *Invest*: draw a card into hand. The turn then passes clockwise. A seat without track must
invest.

**A dividend** follows when a locomotive is drawn. The drawer sets it on top of any stack (it does
not go into the hand). Then all seats choose, in secret, a share from hand; the choices are turned
up together, and every share lying face up pays its holder the value of its company: the rank on
top (an ace counts 1), or, where a locomotive is on top, the number of cards in the stack, ace and
locomotives included. A locomotive that is built over counts as a card only. Then each seat passes
one of its face-up shares to the next seat clockwise, who will draw its dividends from now on: at
the first dividend the only one, at the second one of two, chosen in secret and turned up together.
Play goes on to the left of the drawer.

**The end.** The last card of the deck goes into its drawer's hand; all reveal their last share and
are paid once more, nothing is passed. Each seat then pays 1 for every track card left in its hand.
Most money wins; equals are told apart by fewer cards in hand, and full equals share the win.

Decisions where the texts are silent or at odds: the deck chart governs, the overview's thirds are
an option; the start player is drawn by lot or given; scores may be negative; the tie-break by
cards in hand holds for every rank; where the rulebook's own example speaks of a stack of six
cards that pays 8, the rule stands and six cards pay 6.

## Arguments

| Argument      | Values                         | Meaning                                            |
| ------------- | ------------------------------ | -------------------------------------------------- |
| `num_players` | 2, **3**, 4                    | seats                                              |
| `setup`       | **"chart"**, "thirds"          | the rulebook's deck chart; or each locomotive at a random place in a different, randomly chosen third of the deck, never the very last card |
| `reward`      | **"outcome"**, "margin", "score" | see Rewards                                      |
| `render_mode` | **None**, "ansi", "human"      | see Rendering                                      |

`reset(options=...)` takes `first_player` (the seat that begins) and `table` (a whole table to
start from, as `table()` returns it; the keys are those of `railenvs.games.deck_express.table`, and
`random`, the generator's state, which counts where no seed is given); other keys are ignored.

`env()` ends the game at an illegal action, -1 for the offender and 0 for the others, with a
warning; `raw_env()` raises a ValueError. An action of another type or out of range is a ValueError
in both.

## Observation Space

A dict of `observation`, the vector below, and `action_mask`; both int8. Seats are counted from the
observer, clockwise. The table is for three seats; the fields from `shown` on grow with their
number.

| Index | Field | Shape | Values | Meaning |
| --- | --- | --- | --- | --- |
| 0-35 | `own_track` | (4, 9) | 0-1 | track cards in my hand, by company and rank |
| 36-71 | `built` | (4, 9) | 0-1 | track cards played on the stacks |
| 72-107 | `unseen_track` | (4, 9) | 0-1 | track cards in the draw deck or in another hand |
| 108-119 | `own_shares` | (4, 3) | 0-1 | shares in my hand (jack, queen, king) |
| 120-131 | `unseen_shares` | (4, 3) | 0-1 | shares in another hand or removed from the game |
| 132-143 | `own_choice` | (4, 3) | 0-1 | the share I have laid aside to reveal or pass while others still choose |
| 144-187 | `top` | (4, 11) | 0-1 | top of each stack, one-hot: ace, 2 to 10, locomotive |
| 188-191 | `height` | (4) | 0-12 | cards in each stack |
| 192-195 | `value` | (4) | 0-12 | dollars a share of the company pays now |
| 196-199 | `phase` | (4) | 0-1 | one-hot: build_or_invest, assign_locomotive, reveal_share, pass_share; all 0 once the game is over |
| 200 | `dividends` | (1) | 0-3 | dividends paid so far |
| 201 | `deck_left` | (1) | 0-28 | cards left in the draw deck |
| 202-205 | `locomotive_window` | (2, 2) | 0-28 | first and last draw, counted from now (1 the next), at which each locomotive may come; 0, 0 once it came |
| 206-241 | `shown` | (3, 4, 3) | 0-1 | shares face up before each seat (me first, then clockwise) |
| 242-244 | `hand_size` | (3) | 0-34 | cards in each hand |
| 245-247 | `money` | (3) | 0-72 | dividends each seat has received |
| 248-250 | `turn` | (3) | 0-1 | one-hot: whose turn it is; in a dividend and at the end, who drew |

A seat's memory is perfect and holds just what is certain: the track built, the shares face up, its
own cards, which locomotives came and where they were assigned. From these follow the cards it has
not seen. Left out, since nothing hidden or to come hangs on it: in which order and by whom track
was built, who held a share before, at which draw a locomotive came. What seats choose in secret
shows nowhere before all have chosen, and neither does whom the rules ask next (`agent_selection`
alone does). Worlds (`determinize`, `sample_world`) come by the deal's own probabilities; those of a
seat that waits for the others' choices stand where it began to wait.

## Legal Actions Mask

`action_mask`, also in `infos[agent]["action_mask"]`: int8 of shape (65,), 1 for each legal action of
the seat to act, all zero for every other seat and once the game is over.

## Action Space

| Action | Name                                                        | In phase            |
| ------ | ----------------------------------------------------------- | ------------------- |
| 0-35   | `build 2S` ... `build 10C`: spades, hearts, diamonds, clubs | `build_or_invest`   |
| 36     | `invest`                                                    | `build_or_invest`   |
| 37-40  | `assign locomotive to spades` ... `clubs`                   | `assign_locomotive` |
| 41-52  | `reveal JS`, `reveal QS`, `reveal KS` ... `reveal KC`       | `reveal_share`      |
| 53-64  | `pass JS` ... `pass KC`                                     | `pass_share`        |

A turn that draws a locomotive asks the drawer to assign it and then every seat, the drawer first,
to reveal; the second dividend asks every seat to pass, too. A seat that has chosen sees its choice
under `own_choice`. The share passed at the first dividend and the one revealed at the third are the
only ones possible: nobody is asked.

## Rewards

All at the end. `"outcome"`: zero-sum, with n seats and w winners (n/w - 1)/(n - 1) for a winner and
-1/(n - 1) for the others; two seats: +1, -1, a shared win 0. `"margin"`: the own score less the
mean of the others'. `"score"`: the score. Every game ends: after 28 to 63 turns with two seats,
23 to 58 with three, 18 to 53 with four; nothing is ever truncated.

A game takes at most 71 decisions of all seats with two seats, 69 with three, 67 with four
(`game.max_length`).

When a game is over all agents are done at once; each takes one `None` step, in seat order.

## Rendering

`render_mode="ansi"`: `render()` returns the table as text, as the seat to act sees it. `"human"`:
every `reset()`, `step()` and `render()` prints it.

## Version History

* v0: initial version
"""

from __future__ import annotations

from typing import Any

from railenvs.adapters.pettingzoo import RailEnv, make_env

__all__ = ["env", "raw_env"]

ID = "deck_express-v0"


def env(num_players: int = 3, render_mode: str | None = None, **options: Any) -> RailEnv:
    """The environment; an illegal action in range loses the game (see the module's page)."""
    return make_env(ID, num_players, render_mode, lenient=True, options=options)


def raw_env(num_players: int = 3, render_mode: str | None = None, **options: Any) -> RailEnv:
    """The environment; an illegal action is a ValueError (see the module's page)."""
    return make_env(ID, num_players, render_mode, lenient=False, options=options)
