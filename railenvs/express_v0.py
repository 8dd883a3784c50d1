"""# EXPRESS.

| Import             | `from railenvs import express_v0`                                     |
| ------------------ | --------------------------------------------------------------------- |
| Creation           | `pettingzoo.make("aec", "railenvs/express-v0", num_players=4)`        |
| Actions            | Discrete                                                              |
| Parallel API       | No                                                                    |
| Manual Control     | No                                                                    |
| Agents             | `agents= ['player_0', 'player_1', 'player_2', 'player_3']`            |
| Agents             | 4 (2-4)                                                               |
| Action Shape       | Discrete(103)                                                         |
| Action Values      | Discrete(103)                                                         |
| Observation Shape  | (477,)                                                                |
| Observation Values | per entry, see Observation Space                                      |

Pepys' card game of the Regions of British Railways. Two to four players each collect the cards of a
train, set it out before their Station, and move it past it by discarding green signals; the first
train right out of its station wins.

## Rules

Told in our own words; the game belongs to its publisher. Sections follow the rulebook.

**The pack.** Four Regions have a train of five cards each, all different: London Midland (LMR) and
Eastern (ER) an engine, two coaches, a restaurant car and a guard's van; Southern (SR) and Western
(WR) an engine, three wagons and a brake van. Five Pool cards stand in for them: the Pool Engine for
any engine, the Pool Coach for any coach or restaurant car, the Pool Wagon for any wagon, the Pool
Guard's Van for a guard's van, the Pool Brake Van for a brake van. With 4 red signals, 4 green ones
that bear a 1, 4 that bear a 2, and 3 Pass Cards that makes a pack of 40. (The 4 Station cards lie
before the players and do nothing else.)

**The deal.** Seven cards each, one turned up, the rest is the pack. The dealer's left begins.

**1. A turn** begins with a card: the face-up one, which is the last discard, or the top of the pack.
It ends with a discard. The moment the pack is used up, all discards are shuffled to be the new pack.

**2. Pass Cards.** (a) Having drawn, a player with a Pass may ask another for a Region's engine, for
its van, or for one of its coaches or wagons, whichever kind. If the other holds one, it must be
given, for the Pass, and the player may go on; if not, the Pass goes on the pile and the turn is over,
and the next player may not take it. (b) When a player leaves the last discard lying and draws from
the pack, a Region's card among the discards may first be claimed by someone else who holds a Pass:
the Pass is put in its place, which again may not be taken.

**3. Setting out.** A player who holds a complete train after drawing lays it out, and then discards.

**4. Exchanging.** Instead, a player may put a correct card in the place of a Pool card in any train
on the table, taking the Pool card into the hand, and then discards.

**5. Signals** take effect when discarded. A green one moves the discarder's own train forward by 1
or 2 cards; a red one moves every other train that has moved back by 1. A signal that was picked up
from the pile cannot be discarded in the same turn.

**The end.** A train is right out of its station after one step more than it has cards: that wins the
hand. **Scoring**: 5 for a train set out, 10 more for the winner; everyone else loses 1 for each
card left in hand. Over several hands the highest total wins, and the deal passes to the left.

**Alternative shorter game**: any two of the three coaches or wagons do. **For younger players**: each
is told which Region to collect.

Decisions where the text is silent or at odds: a Pool van stands for the vans of its own name, though
the text's brackets have them crossed; a train may hold up to three Pool cards; whether the face-up
card is of use is for the player to judge; the new pack is made at once when the last card is drawn,
of all discards; a lay-out is a duty as soon as it can be done, before anything else, though not after
an exchange in the same turn; one train a player (after a full train too few cards are left for
another; in the shorter game, where four are left after drawing, we rule the same), and which train and which of several fitting cards is the player's
choice; the discard of that same turn may be a signal that moves the new train; a second signal of
the face just picked up may be discarded; one may ask for a card one holds or that lies on the table,
in vain; the giver picks among several coaches or wagons; several requests may follow one another; a
Pass discarded of one's own will may be taken; the discarder claims nothing, so that two players never
claim, nor does anyone the card turned up at the deal; of several claimants the nearest to the left
comes first; own trains may be exchanged with, too; overshooting the way out is fine; signals may be
discarded before any train stands; ties share; the dealer is drawn by lot; Regions of younger players
are all different, and Pool cards count for them. A hand that is not over after `max_turns` turns is
cut off: nobody gets the 10 points. In a game of one hand nobody wins then; in a longer one the next
hand follows, and after the last hand the totals decide.

## Arguments

| Argument      | Values                         | Meaning                                            |
| ------------- | ------------------------------ | -------------------------------------------------- |
| `num_players` | 2, 3, **4**                    | seats                                              |
| `hands` | **1** to 20 | agreed number of hands |
| `short_trains` | **False**, True | the alternative shorter game |
| `assigned_regions` | **False**, True | for younger players: each seat is told its Region, and all hear it; drawn anew for each hand |
| `max_turns` | **0** to 10000 | turns of all seats together after which a hand is cut off; 0 stands for 100 a seat |
| `cut_off` | **"loss"**, "draw", "truncate" | what a game of one hand pays that is cut off, see Rewards |
| `reward`      | **"outcome"**, "margin", "score" | see Rewards                                      |
| `render_mode` | **None**, "ansi", "human"      | see Rendering                                      |

`reset(options=...)` takes `first_player` (the seat that begins) and `table` (a whole table to
start from, as `table()` returns it; the keys are those of `railenvs.games.express.table`, and
`random`, the generator's state, which counts where no seed is given); other keys are ignored.

`env()` ends the game at an illegal action, -1 for the offender and 0 for the others, with a
warning; `raw_env()` raises a ValueError. An action of another type or out of range is a ValueError
in both.

## Observation Space

A dict of `observation`, the vector below, and `action_mask`; both int8. Seats are counted from the
observer, clockwise. Faces are the 25 vehicles (LMR, ER, SR, WR, each engine first and van last, then
the Pool's), Red, Green 1, Green 2, Pass. The table is for four seats; the fields from `hand_size` on
grow with their number, and `claim` exists with more than two.

| Index | Field | Shape | Values | Meaning |
| --- | --- | --- | --- | --- |
| 0-28 | `own_hand` | (29) | 0-4 | cards in my hand, by face; not those chosen so far for a train that I am laying out |
| 29-31 | `picked_up` | (3) | 0-1 | one-hot: the signal (Red, Green 1, Green 2) that was picked up this turn and may not be discarded |
| 32-60 | `top` | (29) | 0-1 | one-hot: the face-up card |
| 61 | `top_barred` | (1) | 0-1 | the face-up card is a Pass that the next player may not take |
| 62-90 | `pile` | (29) | 0-4 | cards in the discard pile, by face |
| 91 | `stock_left` | (1) | 0-25 | cards in the pack |
| 92-120 | `stock_at_most` | (29) | 0-4 | cards I do not see that can have been in the pack since it was last shuffled, by face; so much of each it can hold at most |
| 121-149 | `old_at_most` | (29) | 0-4 | cards I do not see that can have been in hands ever since then |
| 150-153 | `phase` | (4) | 0-1 | one-hot: draw, act, discard, choose; all 0 once the game is over |
| 154-157 | `asked` | (4) | 0-1 | one-hot: the Region of the coach or wagon that I am to hand over |
| 158 | `turns_left` | (1) | 0-127 | turns until the hand is cut off (saturates) |
| 159 | `hands_left` | (1) | 0-4 | hands still to be finished, this one included (saturates) |
| 160-163 | `hand_size` | (4) | 0-8 | cards in each hand, me first |
| 164-263 | `train` | (4, 25) | 0-1 | vehicles in each seat's train; in mine also those chosen for it so far |
| 264-279 | `region` | (4, 4) | 0-1 | one-hot: the Region of each train |
| 280-283 | `position` | (4) | 0-6 | steps each train has moved forward |
| 284-299 | `may_lay_out` | (4, 4) | 0-1 | Regions of which each seat may yet lay out a train |
| 300-303 | `score` | (4) | -120-120 | points of the hands that have ended (saturates) |
| 304-307 | `turn` | (4) | 0-1 | one-hot: whose turn it is |
| 308-394 | `known` | (3, 29) | 0-4 | cards each other seat certainly holds, by face, the next seat first |
| 395-469 | `absent` | (3, 25) | 0-1 | vehicles that each other seat certainly does not hold |
| 470-472 | `new_at_least` | (3) | 0-8 | of its other cards, drawn unseen since the pack was last shuffled: at least |
| 473-475 | `new_at_most` | (3) | 0-8 | the same: at most |
| 476 | `claim` | (1) | 0-1 | I may claim the face-up card for a Pass |

A seat's memory is perfect and holds just what is certain:

* what lies in the pile, and thereby what the pack is made of once it is shuffled (`stock_at_most`,
  and `old_at_most` for the cards that were in hands then and so are not in the pack);
* the cards that each other seat is known to hold (`known`): taken face up, claimed, taken from a
  train, handed over to or by me, a Pass received for it, a Pass of who asks me and waits for my
  choice; until they are seen to leave (or a card like them, other than the signal picked up this
  turn, which stays for certain);
* the vehicles that it certainly does not hold (`absent`): those it was found not to hold when asked;
  those that went unseen between two other hands, if they moved at all; and those that it could not
  hold, by what it had drawn, when the pack was used up or a coach or wagon was handed over; until it
  may have drawn or been handed them;
* how many of its other cards it has drawn unseen since the pack was last shuffled (`new_at_least`,
  `new_at_most`): the others were in hands all the time.

Where a signal or a Pass is discarded that may have been drawn before the shuffle or since, nobody can
tell, and the bounds allow for both. Left out: which of several coaches or wagons a third party was
handed (that it is one of them is not kept either; those that the giver was known to hold are in one
of the two hands since, and no other hand is taken to hold them), since it would have to be kept as
alternatives; how many of the vehicles once refused a hand can have drawn since, for the same reason;
signals and Passes that a hand certainly lacks after a second shuffle, or after a coach or wagon was
handed to it unseen, since their copies are alike and it would take a count for each shuffle to tell
them apart; what follows from several such open questions taken together; that a player who did not lay out held no complete
train, since that rules out combinations, not cards; in which order cards lie beneath the face-up
card and who discarded them, since nothing hangs on it. In a sampled world the others remember what
is public, and which of their own cards they have drawn since the last shuffle, said in one way that
agrees with it: what two of them saw of each other's cards cannot be known.

A decision that a seat has only because of the cards it holds shows to that seat alone: to claim, which
card to hand over, how to lay out or exchange. To all others the table looks as it did before, until
something happens (`agent_selection`, and the mask of the seat to act, alone tell whom the rules ask).
Likewise their views and worlds: there the seat whose turn it is has its decision before, to draw or
what to do next, whether or not another seat is asked in truth.

## Legal Actions Mask

`action_mask`, also in `infos[agent]["action_mask"]`: int8 of shape (103,), 1 for each legal action of
the seat to act, all zero for every other seat and once the game is over.

## Action Space

| Action | Name                                                        | Legal               |
| ------ | ----------------------------------------------------------- | ------------------- |
| 0      | `take the face-up card`                                     | at the start of a turn |
| 1      | `draw from the pack`                                        | at the start of a turn |
| 2-30   | `discard LMR Engine` ... `discard Pass`                     | having drawn; ends the turn |
| 31-34  | `lay out LMR` ... `lay out WR`                              | having drawn, with a complete train |
| 35-39  | `exchange Pool Engine` ... `exchange Pool Brake Van`        | having drawn, with a correct card |
| 40-64  | `choose LMR Engine` ... `choose Pool Brake Van`             | where several cards fit: to be handed over, laid out, exchanged |
| 65-76  | `ask seat +1 for LMR Engine` ... `ask seat +1 for WR Brake Van` | having drawn, with a Pass: the next seat, for engine, coach or wagon, van of each Region |
| 77-88  | `ask seat +2 for LMR Engine` ...                            | the same, the seat after it |
| 89-100 | `ask seat +3 for LMR Engine` ...                            | the same |
| 101    | `claim the face-up card`                                    | holding a Pass, when the next player leaves a Region's card |
| 102    | `let it go`                                                 | likewise |

The two last actions come right after the requests: with three seats they are 89 and 90; with two
there are 77 actions and no claims. A turn asks its player to draw; then, as often as wished, for
requests; then for at most one lay-out or exchange; then for a discard. Where several cards fit, a
train is settled place by place: the engine, the coaches or wagons in the order of their numbers (the
Pool's last), the van.

## Rewards

All at the end. `"outcome"`: zero-sum, with n seats and w winners (n/w - 1)/(n - 1) for a winner and
-1/(n - 1) for the others; two seats: +1, -1, a shared win 0. `"margin"`: the own score less the
mean of the others'. `"score"`: the score.

Nobody wins a game of one hand that is cut off. By default, `cut_off="loss"`, it terminates like any
other and all have lost it: `"outcome"` pays each -1/(n - 1), so its sum is not 0 then. With `"draw"` it
terminates and pays 0 to all; with `"truncate"`, for learners that bootstrap over time limits, it also
pays 0 to all, and the agents are truncated instead of terminated. `"margin"` and `"score"` pay by the
scores as they stand, whatever `cut_off` is. `record()["finished"]` is `"cut_off"` in any case.

A game takes at most `game.max_length` decisions of all seats, 8 a turn and 12 a seat in every hand:
1624 with two seats, 2436 with three, 3248 with four, unless `max_turns` or `hands` is given.

When a game is over all agents are done at once; each takes one `None` step, in seat order.

## Rendering

`render_mode="ansi"`: `render()` returns the table as text, as the seat to act sees it; what the pack
can have held is shown once it does not follow from the rest. `"human"`: every `reset()`, `step()` and
`render()` prints it.

## Version History

* v0: initial version
"""

from __future__ import annotations

from typing import Any

from railenvs.adapters.pettingzoo import RailEnv, make_env

__all__ = ["env", "raw_env"]

ID = "express-v0"


def env(num_players: int = 4, render_mode: str | None = None, **options: Any) -> RailEnv:
    """The environment; an illegal action in range loses the game (see the module's page)."""
    return make_env(ID, num_players, render_mode, lenient=True, options=options)


def raw_env(num_players: int = 4, render_mode: str | None = None, **options: Any) -> RailEnv:
    """The environment; an illegal action is a ValueError (see the module's page)."""
    return make_env(ID, num_players, render_mode, lenient=False, options=options)
