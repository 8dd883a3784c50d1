"""# Tchu Tchu Train.

| Import             | `from railenvs import tchu_tchu_train_v0`                             |
| ------------------ | --------------------------------------------------------------------- |
| Creation           | `pettingzoo.make("aec", "railenvs/tchu_tchu_train-v0", num_players=3)` |
| Actions            | Discrete                                                              |
| Parallel API       | No                                                                    |
| Manual Control     | No                                                                    |
| Agents             | `agents= ['player_0', 'player_1', 'player_2']`                        |
| Agents             | 3 (2-4)                                                               |
| Action Shape       | Discrete(379)                                                         |
| Action Values      | Discrete(379)                                                         |
| Observation Shape  | (1660,)                                                               |
| Observation Values | per entry, see Observation Space                                      |

Two to four railway owners play cards to set trains on a board whose 104 cells show the cards of two
packs. Points come from many trains in one turn, from the longest connected rail at the end and from
stations that own trains connect.

## Rules

Told in our own words; the game belongs to its publisher. Sections follow the rulebook.

**Preparation.** Every seat gets 30 train tokens (two seats), 25 (three) or 20 (four) and seven of
the 104 cards; four Jokers, eight Crossroads and eight stations lie by. In turn order each seat may
change its whole hand once: it goes into the deck, which is shuffled, and seven new cards are drawn; the others
see only that it happened. Then four cards are opened in a row.

**1. Action.** A turn is one of two things. *Placing trains*: each card played sets one train on one
of the two cells that show it, the player's choice. The cells of a turn must be connected among
themselves, edge to edge; trains of earlier turns neither help nor are needed. One to seven trains
score 1, 2, 4, 6, 8, 10 or 13. *Building a station*: one card sets a station on a cell of its own, if
the cell is empty, its area (the board has eight) has no station and no neighbouring cell has one;
no seat that holds a Joker may build. Stations belong to nobody. Played cards are out of the game.

**2. Replenishment.** After placing, the hand is filled up to seven again: with open cards, each
replaced at once from the deck, and then from the deck; whoever draws from the deck takes all the rest
there. A station brings a Joker (which counts as a card in hand) and a Crossroad instead. Whoever
placed a single train then takes its point, or forgoes it for a *refresh*: up to four cards of the
hand change places with cards of the row, all at once. With no card open, or none in hand but a Joker,
the point comes unasked.

**Usage of the Joker.** It sets a train on any cell without tokens, alone or among the cards of a
turn, and goes back to its pool; a Crossroad marks the cell. In a later turn any seat (its owner too)
may set a train on such a cell with the proper card: both trains stay, the Crossroad goes, and the
cell is full. Nobody holds two Jokers.

**End of the Game.** When a seat has used up its trains, the round is played to its end, so that all
have had the same number of turns.

**Scoring.** To the points for trains come those for the longest rail, the biggest mass of a seat's
trains (connected edge to edge in any shape; a cell with two own trains counts two; stations do not
connect): 8, 4 and 2 for the first three, with two seats 5 for the first alone. Equals share the
prizes of their places evenly, rounded down. And for each group of two or more stations that own
trains connect, directly or through further stations, the square of their number; one station may
count for several seats. Most points win; equals are told apart by more trains placed, and full
equals share the win.

Decisions where the text is silent or at odds: the printed board is not to be had, so the default
board is **ours** (next paragraph); cells that share an edge adjoin; hands are changed in turn order,
all seven cards or none; who begins is drawn by lot or given; a refresh changes one to four cards,
none of them a Joker, and may follow a single train set by Joker; a row card is replaced at once,
so up to seven may be taken; with the deck empty what lies open is taken, hands may stay short (a
short one is filled up to seven later, with more cards than were just used), and discards are never
shuffled back (so whoever holds a card can always play it); a Crossroad made this
turn cannot be covered this turn, and no station comes on one; a used Joker's card is replaced like
any other; a seat without trains wins no rail prize.

**The board** (option `board`). The default has 8 rows of 13 cells; each pair of rows holds two
interlocking areas of 13 cells. Every rank stands once in every area; the two cells of a card are at
least five steps apart; neighbours never show the same rank; every row has three or four cells of
each suit; KD, 7C, 2S and 5S form a connected group. `"generated"` draws another board with these
properties for every game, from its seed. A board of your own is a text file, such as
`railenvs/games/tchu_tchu_train/boards/default.txt`: a line `square` or `hex`, then a line for
every row, cells written `7C/A` (card and area, A to H), `.` for a gap; hex boards shift every second
row half a cell to the right. `railenvs.games.tchu_tchu_train.board.Board` reads, checks, generates
and writes boards. Game records carry the text of a board of your own.

## Arguments

| Argument      | Values                         | Meaning                                            |
| ------------- | ------------------------------ | -------------------------------------------------- |
| `num_players` | 2, **3**, 4                    | seats                                              |
| `board`       | **"default"**, "generated"     | the board, as above; also the path of a board file, its text, or a `Board` |
| `reward`      | **"outcome"**, "margin", "score" | see Rewards                                      |
| `render_mode` | **None**, "ansi", "human"      | see Rendering                                      |

`reset(options=...)` takes `first_player` (the seat that begins) and `table` (a whole table to
start from, as `table()` returns it; the keys are those of `railenvs.games.tchu_tchu_train.table`, and
`random`, the generator's state, which counts where no seed is given); other keys are ignored.

`env()` ends the game at an illegal action, -1 for the offender and 0 for the others, with a
warning; `raw_env()` raises a ValueError. An action of another type or out of range is a ValueError
in both.

## Observation Space

A dict of `observation`, the vector below, and `action_mask`; both int8. Seats are counted from the
observer, clockwise. The table is for three seats; the fields from `train` on grow with their
number. Cards are numbered by suit (spades, hearts, diamonds, clubs) and rank (ace to king), cells
in reading order. Areas and which cells adjoin are no features: they are fixed for a game, also with
generated boards, and stand in its blank record (`game.blank()["cell_area"]`, `["neighbours"]`).

| Index | Field | Shape | Values | Meaning |
| --- | --- | --- | --- | --- |
| 0-103 | `cell_card` | (104) | 0-51 | card of each cell: 13 * suit + rank |
| 104-207 | `station` | (104) | 0-1 | stations |
| 208-311 | `crossroad` | (104) | 0-1 | Crossroads not yet covered |
| 312-415 | `this_turn` | (104) | 0-1 | cells of the trains placed this turn |
| 416-467 | `own_hand` | (4, 13) | 0-2 | copies of each card in my hand, by suit and rank |
| 468-675 | `row` | (4, 52) | 0-1 | the open card at each place of the row, one-hot |
| 676-727 | `discards` | (4, 13) | 0-2 | copies of each card that were played |
| 728-779 | `unseen` | (4, 13) | 0-2 | copies in the deck or, not known to be there, in other hands |
| 780-831 | `incoming` | (4, 13) | 0-2 | cards taken in the refresh under way, not yet in hand |
| 832-834 | `swapped` | (3) | 0-1 | places of the row changed in the refresh under way |
| 835-838 | `swapping` | (4) | 0-1 | one-hot: the place for which a card is to be given |
| 839-844 | `phase` | (6) | 0-1 | one-hot: mulligan, action, replenish, point_or_refresh, swap, give; all 0 once the game is over |
| 845 | `placed` | (1) | 0-7 | trains placed this turn |
| 846 | `deck_left` | (1) | 0-104 | cards left in the deck |
| 847 | `jokers_left` | (1) | 0-4 | Jokers in their pool |
| 848 | `crossroads_left` | (1) | 0-8 | Crossroads in their pool |
| 849 | `last_round` | (1) | 0-1 | whether a seat has used up its trains |
| 850-1161 | `train` | (3, 104) | 0-1 | first trains on the cells, by owner (me first, then clockwise) |
| 1162-1473 | `cover` | (3, 104) | 0-1 | second trains, set on a Crossroad, by owner |
| 1474-1629 | `known` | (3, 4, 13) | 0-2 | copies that everybody knows each hand to hold: taken from the row, neither played nor given back since |
| 1630-1632 | `joker` | (3) | 0-1 | who holds a Joker |
| 1633-1635 | `hand_size` | (3) | 0-7 | cards in each hand, Joker included |
| 1636-1638 | `trains_left` | (3) | 0-30 | train tokens each seat has left |
| 1639-1641 | `train_points` | (3) | 0-54 | points for trains placed |
| 1642-1644 | `longest` | (3) | 0-30 | trains in each seat's biggest mass |
| 1645-1647 | `rail_prize` | (3) | 0-8 | what it would pay now |
| 1648-1650 | `station_points` | (3) | 0-64 | what each seat's stations would pay now |
| 1651-1653 | `turn` | (3) | 0-1 | one-hot: whose turn it is; at the end, whose was the last |
| 1654-1656 | `starter` | (3) | 0-1 | one-hot: who began |
| 1657-1659 | `changed_hand` | (3) | 0-1 | who changed the first hand |

A seat's memory is perfect and holds just what is certain: all that lies on the board and in the
discards, its own cards, which cards others took from the row and have neither played nor given back
in a refresh since (of two copies of one card, a known one counts as the one that went), and who
changed a first hand. From these follow the cards it has not located. Left out: what a change tells
(the cards a seat threw in cannot be in a hand that was kept, or changed before); in which order and
by whom stations were built and cards played. Worlds (`determinize`, `sample_world`) come by the deal's
own probabilities: every copy not located is as likely at each hidden place.

## Legal Actions Mask

`action_mask`, also in `infos[agent]["action_mask"]`: int8 of shape (379,), 1 for each legal action of
the seat to act, all zero for every other seat and once the game is over.

## Action Space

Cells are named by row and column of the board; on a board of your own the names are its own.

| Action | Name | In phase |
| --- | --- | --- |
| 0 | `keep the hand` | `mulligan` |
| 1 | `change the hand` | `mulligan` |
| 2-105 | `place r1c1` ... `place r8c13`: a train by card, cells in reading order | `action` |
| 106-209 | `joker r1c1` ... `joker r8c13`: a train by Joker | `action` |
| 210-313 | `station r1c1` ... `station r8c13` | `action` |
| 314 | `end placing` | `action` |
| 315-318 | `take row 1` ... `take row 4` | `replenish` |
| 319 | `draw`: all missing cards, from the deck | `replenish` |
| 320 | `take the point` | `point_or_refresh` |
| 321 | `refresh` | `point_or_refresh` |
| 322-325 | `swap row 1` ... `swap row 4` | `swap` |
| 326 | `done` | `swap` |
| 327-378 | `give AS` ... `give KC`: spades, hearts, diamonds, clubs | `give` |

Trains are placed one by one, each further one beside one of this turn; placing is over without
being asked when cards or trains run out. A refresh goes through the row from left to right: a
place to change, the card for it, and again, or `done`; it ends by itself when no place or card is
left. Cards taken come into the hand at its end.

## Rewards

All at the end. `"outcome"`: zero-sum, with n seats and w winners (n/w - 1)/(n - 1) for a winner and
-1/(n - 1) for the others; two seats: +1, -1, a shared win 0. `"margin"`: the own score less the
mean of the others'. `"score"`: the score. Every game ends: each turn places a train or one of
eight stations. Nothing is ever truncated.

A game takes at most 728 decisions of all seats with two seats, 908 with three, 968 with four
(`game.max_length`): most would be spent on refreshes after single trains.

When a game is over all agents are done at once; each takes one `None` step, in seat order.

## Rendering

`render_mode="ansi"`: `render()` returns the table as text, as the seat to act sees it: the board
as a grid (card and area of each cell, then `S` for a station, the owner's seat for a train, `0x` for
a train of seat 0 under a Crossroad, `0+2` for one covered by seat 2, `*` for this turn's; `.` for a
gap). On a hex board the 2nd, 4th, ... row is drawn half a cell to the right, so that cells that adjoin
touch. `"human"`: every `reset()`, `step()` and `render()` prints it.

## Version History

* v0: initial version
"""

from __future__ import annotations

from typing import Any

from railenvs.adapters.pettingzoo import RailEnv, make_env

__all__ = ["env", "raw_env"]

ID = "tchu_tchu_train-v0"


def env(num_players: int = 3, render_mode: str | None = None, **options: Any) -> RailEnv:
    """The environment; an illegal action in range loses the game (see the module's page)."""
    return make_env(ID, num_players, render_mode, lenient=True, options=options)


def raw_env(num_players: int = 3, render_mode: str | None = None, **options: Any) -> RailEnv:
    """The environment; an illegal action is a ValueError (see the module's page)."""
    return make_env(ID, num_players, render_mode, lenient=False, options=options)
