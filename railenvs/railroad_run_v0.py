"""# Railroad Run.

| Import             | `from railenvs import railroad_run_v0`                                |
| ------------------ | --------------------------------------------------------------------- |
| Creation           | `pettingzoo.make("aec", "railenvs/railroad_run-v0", num_players=4)`   |
| Actions            | Discrete                                                              |
| Parallel API       | No                                                                    |
| Manual Control     | No                                                                    |
| Agents             | `agents= ['player_0', 'player_1', 'player_2', 'player_3']`            |
| Agents             | 4 (2-8)                                                               |
| Action Shape       | Discrete(63)                                                          |
| Action Values      | Discrete(63)                                                          |
| Observation Shape  | (610,)                                                                |
| Observation Values | per entry, see Observation Space                                      |

Two to eight railway builders collect trains, rails, cities, towns and industries and lay them down
as melds, which score income points. Events and options bring cards, points and trouble; shares tie
the fortunes of the seats together. The first to have 50 points wins.

## Rules

Told in our own words; the game belongs to its publisher. Sections follow the rulebook (004).

**The deck.** 115 cards of 40 faces:

| Card | Type | Copies | Points | In a meld |
| --- | --- | --- | --- | --- |
| Train | train | 15 | 1 |  |
| Rail (Mountains) | rail | 5 | 1 |  |
| Rail (Plains) | rail | 5 | 1 |  |
| Rail (Coastal) | rail | 5 | 1 |  |
| Rail (Forest) | rail | 5 | 1 |  |
| Rail (Desert) | rail | 5 | 1 |  |
| Rail (Hills) | rail | 5 | 1 |  |
| City | city | 15 | 2 |  |
| Town | town | 15 | 1 |  |
| Station | industry | 5 | 1 |  |
| Copper Mine | industry | 1 | 1 | +1 with a Rail (Mountains) |
| Gold Mine | industry | 1 | 2 | +1 with a Rail (Mountains) |
| Quarry | industry | 1 | 1 | +1 with a Rail (Mountains) |
| Fishing | industry | 1 | 1 | +1 with a Rail (Coastal) |
| Port | industry | 1 | 2 | +1 with a Rail (Coastal) |
| Coal Mine | industry | 1 | 1 | +2 with a Rail (Hills) |
| Dairy Farms | industry | 1 | 1 | +1 with a Rail (Hills) |
| Cattle Ranch | industry | 1 | 2 | +1 with a Rail (Plains) |
| Cotton | industry | 1 | 1 | +1 with a Rail (Plains) |
| Corn Fields | industry | 1 | 1 | +1 with a Rail (Plains) |
| Oil Drilling | industry | 1 | 1 | +2 with a Rail (Desert) |
| Longhorns | industry | 1 | 1 | +1 with a Rail (Desert) |
| Saw Mill | industry | 1 | 2 | +1 with a Rail (Forest) |
| Paper Mill | industry | 1 | 1 | +2 with a Rail (Forest) |
| Factory | industry | 1 | 2 |  |
| Passengers | bonus | 2 | 0 | 1 per city |
| Mail | bonus | 2 | 0 | 1 per town |
| Long Haul | bonus | 2 | 0 | 1 per rail |
| Express | bonus | 2 | 1 |  |
| Freight | bonus | 2 | 0 | 1 per industry |
| Wreck | event | 1 | 0 |  |
| Sell Stocks | event | 1 | 0 |  |
| Buy Out | event | 1 | 0 |  |
| Survey | event | 1 | 0 |  |
| Investors | event | 1 | 0 |  |
| Obsolescence | event | 1 | 0 |  |
| Finance Crisis | event | 1 | 0 |  |
| Patent | event | 1 | 0 |  |
| Politics | event | 1 | 0 |  |
| Land Grants | event | 1 | 0 |  |

**Setup.** Each seat openly gets a Train, then four random cards from the shuffled rest, and has five
points and five share tokens. Who begins is drawn by lot; play goes clockwise.

**Income Phase.** Draw by points at the start of the turn: 2 cards with up to 10, 3 with up to 20, 4
with up to 35, else 5. A card needed from an empty deck makes the discard the new deck, shuffled; if
both are empty nothing is drawn.

**Event Phase.** Up to two plays, events and options together (the same option twice is fine):

* Train: *upgrade* (with five more cards of choice) raises the own hand limit by 1; *contracts* score 2.
* City: *buy shares* gives an opponent a card of choice and one of the own tokens (a seat can have five
  of others' tokens at most); *dividends*: a random opponent who has one of the own tokens or more, each
  as likely, pays 1.
* Town: *water tower* draws 2; *coal chute* looks at 3, keeps 1 unseen by the others and discards the
  rest; *switch* steals a random card from an opponent and gives one of the hand back; *depot* takes the
  card that lay on top of the discard; *train yard* searches the deck for a rail of a terrain of choice.
* Rail: *Rails To Riches* searches the deck for a Train and loses 1 point.
* Industry: *Go West Young Man* turns up 3 cards, keeps the Cities and Towns and discards the rest.
* Wreck: look at an opponent's hand; it discards a Train if it has one. Sell Stocks: lose 1 to 5 points
  and draw as many cards. Buy Out: return a token to its owner and pay it 1. Survey: look at the next 7
  cards and keep 2. Investors: draw 3. Obsolescence: an opponent loses 5. Finance Crisis: all others lose
  3. Patent: all others pay 2. Politics: steal 2 random cards. Land Grants: draw 4, the others 2 each.

With `trades`, the seat whose turn it is may also make two offers, see Action Space.

**Operations Phase.** Up to one meld: exactly one Train; one rail or more; two cities and towns or more,
but at most one more than rails; at most as many industries as cities and towns; at most two bonuses. It
scores the sum of its cards; an industry's extra counts once if a rail of its terrain is there. Then the
melder pays each owner of the tokens it has been given 1 point a token.

**Accounting Phase.** Discard down to the hand limit, 7 and 1 for each upgrade.

**Victory.** Whoever has 50 points when an effect is complete wins, in any phase and on anyone's turn; a
meld is complete once its shares are paid.

**Optional rules.** *Trans-Continental*: the first meld with four rails or more scores 5 more. *Civil
War*: the first time the deck runs out, all hands are discarded before it is made anew; what was being
looked at stays. *Starting companies*: a different one each, at random: Moneybags has 7 points more,
Excelsior an upgrade, Investment six tokens, Risky three plays a turn, Surveyor three cards more.

Decisions where the text is silent: points cannot fall below 0, whoever owes more pays what it has, and
lack of points never forbids a play but Sell Stocks. Shares are paid clockwise from the melder. If two
have 50 points at once, the seat whose turn it is comes first, then more points, then nearest clockwise.
Trades are between the seat whose turn it is and one other, one to three cards each way, open to all. A
hand may exceed its limit until the own Accounting Phase. A seat takes what there is where cards or points
run short. What cannot be carried out is not offered: Dividends without a token given away, Buy Out without
one received, Buy Shares without a second card, a token, or an opponent who may have one more; Switch, Wreck,
Politics and offers while nobody else has a card; Depot on an empty discard; Sell Stocks without points. All
else is, even where it changes nothing: Patent, Finance Crisis, Obsolescence and Dividends among seats at 0
points, Wreck where no Train is, searches that find nothing (the discard is then shuffled in; this is not the
deck running out). Cards of a play are discarded at once, save a Depot's town, which goes on the pile after.
A meld and any set of discards from hand goes on the pile in the order of the card list, what Coal Chute and
Go West discard in the order in which it came off the deck: a Depot takes the last. Some things are done
unasked, since there is nothing to choose: the only possible opponent is meant, an upgrade takes exactly five
other cards, Coal Chute the only card, Survey one or two; with fewer than four cards the Operations Phase is
passed over, within the limit the Accounting Phase, and the Event Phase ends with the last play if no offer
can be made. Searches shuffle the deck; the searcher learns which terrains are in it, or whether a Train is;
the others that nothing was found if so, else that a Train was taken, or some rail, but not which. Survey
leaves the rest on top in order, and of equal cards takes those nearer the top; cards that are being looked
at stay on top when the discard has to come in. Land Grants deals the player first. More than five seats are
our extension.

## Arguments

| Argument             | Values                           | Meaning                                     |
| -------------------- | -------------------------------- | ------------------------------------------- |
| `num_players`        | 2, 3, **4**, 5, 6, 7, 8          | seats                                       |
| `trans_continental`  | **False**, True                  | the Trans-Continental rule                  |
| `civil_war`          | **False**, True                  | the Civil War rule                          |
| `starting_companies` | **False**, True                  | the starting companies, for at most 5 seats |
| `trades`             | **True**, False                  | trading in the Event Phase                  |
| `max_turns`          | **0** to 10000                   | turns of all seats together after which the game is cut off without a winner; 0 stands for 100 a seat |
| `cut_off`            | **"loss"**, "draw", "truncate"   | what a game pays that is cut off, see Rewards |
| `reward`             | **"outcome"**, "margin", "score" | see Rewards                                 |
| `render_mode`        | **None**, "ansi", "human"        | see Rendering                               |

`reset(options=...)` takes `first_player` (the seat that begins) and `table` (a whole table to start
from, as `table()` returns it; the keys are those of `railenvs.games.railroad_run.table`, and
`random`, the generator's state, which counts where no seed is given); other keys are ignored.

`env()` ends the game at an illegal action, -1 for the offender and 0 for the others, with a
warning; `raw_env()` raises a ValueError. An action of another type or out of range is a ValueError
in both.

## Observation Space

A dict of `observation`, the vector below, and `action_mask`; both int8. Seats are counted from the
observer, clockwise; faces in the order of the card list. The table is for four seats; the fields
from `known` on grow with their number, `company` is there for at most five seats, and with two seats the
phases whose names end in `_opponent` are missing.

| Index | Field | Shape | Values | Meaning |
| --- | --- | --- | --- | --- |
| 0-39 | `own_hand` | (40) | 0-15 | cards in my hand, by face |
| 40-79 | `discard` | (40) | 0-15 | cards in the discard, by face |
| 80-119 | `discard_top` | (40) | 0-1 | top card of the discard, one-hot; all 0 if there is none |
| 120-159 | `hidden` | (40) | 0-15 | cards by face of which I do not know the place: in the deck or in another hand |
| 160-199 | `deck_least` | (40) | 0-15 | of these, cards that are certainly in the deck |
| 200-239 | `deck_most` | (40) | 0-15 | of these, cards that may be in the deck |
| 240-279 | `fresh_least` | (40) | 0-15 | of these, cards that were certainly in the deck since the discard was last shuffled in (or since the deal) |
| 280-319 | `looked_at` | (40) | 0-7 | cards on top of the deck that I am looking at, to choose from them, by face |
| 320-359 | `chosen` | (40) | 0-15 | cards of the set that I am choosing (meld, discard, Survey); cards that an offer gives |
| 360-399 | `wanted` | (40) | 0-3 | cards that an offer wants |
| 400-406 | `known_top` | (7) | 0-40 | the next cards of the deck as far as I know them, in order: number of the face, from 1; 0 for an unknown card |
| 407 | `offer_sent` | (1) | 0-1 | 1 while the terms of an offer lie open |
| 408 | `bonus_open` | (1) | 0-1 | 1 while the Trans-Continental bonus is to be had |
| 409 | `war_open` | (1) | 0-1 | 1 while the Civil War is to come |
| 410 | `deck_size` | (1) | 0-115 | cards left in the deck |
| 411 | `looking` | (1) | 0-7 | cards on top of the deck that someone is looking at |
| 412 | `plays_left` | (1) | 0-3 | events and options that may still be played this turn |
| 413 | `offers_left` | (1) | 0-2 | offers that may still be made this turn |
| 414 | `to_choose` | (1) | 0-10 | cards still missing from the set that I am choosing, if its size is fixed (Survey, upgrade, discards), else 0; 10 also stands for more |
| 415 | `rounds_left` | (1) | 0-127 | turns left to each seat before the game is cut off; 127 also stands for more |
| 416-535 | `known` | (3, 40) | 0-15 | cards that I know to be in each other hand (next seat first), by face |
| 536-538 | `kept_least` | (3) | 0-40 | of the other cards of these hands, those certainly there since before that shuffle; 40 also stands for more |
| 539-542 | `hand_size` | (4) | 0-40 | cards in each hand; 40 also stands for more |
| 543-546 | `income` | (4) | 0-127 | income points of each seat; 127 also stands for more |
| 547-550 | `upgrades` | (4) | 0-10 | upgrade counters of each seat; 10 also stands for more |
| 551-562 | `tokens` | (4, 3) | 0-5 | share tokens that each seat has given to each of the seats clockwise from it |
| 563-566 | `turn` | (4) | 0-1 | one-hot: whose turn it is |
| 567-570 | `target` | (4) | 0-1 | one-hot: the opponent that the running play or offer is about; all 0 if none |
| 571-590 | `company` | (4, 5) | 0-1 | one-hot: Moneybags, Excelsior, Investment, Risky, Surveyor |
| 591-609 | `phase` | (19) | 0-1 | one-hot: event, buy_shares_card, switch_card, coal_chute, survey, train_yard, upgrade, offer_give, offer_want, answer, operations, accounting, buy_shares_opponent, switch_opponent, wreck_opponent, buy_out_opponent, obsolescence_opponent, politics_opponent, offer_opponent; all 0 once the game is over |

A seat's memory is perfect and holds what is certain, face by face: the whole discard; the Train that each
hand was given; cards seen in another hand (Wreck, Politics, Switch, Buy Shares) or seen to come into it
(trades, Depot, Go West, a Train fetched, cards of an offer, draws of cards that were known on top of the
deck); the top of the deck after a look, in order; once the discard has been shuffled in, how many of each
face the deck can still hold (and must, where it became the whole deck); of which cards it is certain that
they were in the deck since the discard was last shuffled in (or since the deal), and how many unseen cards
of each hand were there before, so that they are none of these; what a shuffle left in the deck of cards known
before; which terrains a search showed. Where one of several cards leaves a place unseen, each face there
counts one less. Left out, since they need more than numbers by face or are void soon: that a card of unknown
face is a rail (Train Yard) or in one of two hands; that a hand holds none of a face (a Wreck without a
Train); what else a searcher sees; that, where the discard came under the last cards of a deck, those lie on
top, as do cards known there once another seat has taken some in a Survey; from which of deck and hands at a
shuffle a card came that is played, unless one alone can be; what hands kept over any shuffle but the last of
the discard; what everybody could tell that a hand kept, once a seat has looked at it (Wreck); what follows
only from several facts together; offers made before the last one. The table tells
besides, under `others` of its `memory`, what a seat can tell that others know.

Worlds of a seat (`determinize`, `sample_world`) are uniform over the deals in which these numbers hold: each
way to lay the hidden cards, as many copies of a face in the deck as were last seen to be there, none that
was in the deck since the shuffle where a hand kept its cards, is as likely. In them the others know of its hand
what is public and what it saw them learn (a Wreck, cards given or stolen, draws of cards that they had
looked at), and of all else what is public. What they have concluded besides is left out: it depends on
cards that the seat cannot see.

A set that is being chosen (meld, discards, an offer not sent) shows to its seat alone, and others see the
`event` phase while an offer is built or answered (`agent_selection`, and the mask of the seat to act, alone tell
whom the rules ask). Likewise their views and worlds: there nobody is asked, whether or not a seat is in truth.

## Legal Actions Mask

`action_mask`, also in `infos[agent]["action_mask"]`: int8 of shape (63,), 1 for each legal action of
the seat to act, all zero for every other seat and once the game is over.

## Action Space

| Action | Name | In phase |
| ------ | ---- | -------- |
| 0-39 | `Train` ... `Land Grants`: the faces | `event`: discard it for its event, Rails To Riches or Go West Young Man; else: choose it |
| 40 | `done` | `event`, `operations`: go on; a meld is complete; `offer_give`: go on to the cards wanted |
| 41-49 | `upgrade`, `contracts`, `buy shares`, `dividends`, `water tower`, `coal chute`, `switch`, `depot`, `train yard` | `event` |
| 50-54 | `sell stocks for 1` ... `sell stocks for 5` | `event` |
| 55 | `offer` | `event` |
| 56-57 | `send`, `withdraw` | `offer_give` (withdraw), `offer_want` |
| 58-59 | `accept`, `decline` | `answer` |
| 60-62 | `opponent 1` ... `opponent 3`: clockwise | the phases whose names end in `_opponent` |

There is an action for every opponent, none with two seats: where one opponent alone can be meant nobody is
asked. Sets are chosen card by card in the order of the card list, so that each is reached in one way, and
what is legal can always be completed. An offer names the opponent, one to three cards to give, then one to
three to want: no more than the opponent has in hand, and of a face no more than are not in the discard (the
own hand does not count, for that would tell of it). Sending it makes its terms public. A seat that lacks a
wanted card declines unasked, which looks like any refusal. Each offer begun, sent or not, is one of the turn's two.

## Rewards

All at the end. `"outcome"`: zero-sum, with n seats 1 for the winner and -1/(n - 1) for the others.
`"margin"`: the own points less the mean of the others'. `"score"`: the points.

A game need not end: after `max_turns` turns it is cut off, and nobody wins. By default,
`cut_off="loss"`, it terminates like any other and all have lost it: `"outcome"` pays each -1/(n - 1), so
its sum is not 0 then. With `"draw"` it terminates and pays 0 to all; with `"truncate"`, for learners that
bootstrap over time limits, it also pays 0 to all, and the agents are truncated instead of terminated.
`"margin"` and `"score"` pay by the points as they stand, whatever `cut_off` is. `record()["finished"]`
is `"cut_off"` in any case.

A game takes at most `game.max_length` decisions of all seats, which grows with `max_turns` and the
seats: 7410 with two seats, 12915, 18820, 25525, 33030, 41335, and 50440 with eight, options at their
defaults.

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

ID = "railroad_run-v0"


def env(num_players: int = 4, render_mode: str | None = None, **options: Any) -> RailEnv:
    """The environment; an illegal action in range loses the game (see the module's page)."""
    return make_env(ID, num_players, render_mode, lenient=True, options=options)


def raw_env(num_players: int = 4, render_mode: str | None = None, **options: Any) -> RailEnv:
    """The environment; an illegal action is a ValueError (see the module's page)."""
    return make_env(ID, num_players, render_mode, lenient=False, options=options)
