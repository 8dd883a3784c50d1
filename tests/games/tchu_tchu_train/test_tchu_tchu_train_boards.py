"""The board: the default one, generated ones, one's own, and every kind of faulty file."""

import random
import re
from collections import Counter
from itertools import pairwise

import gymnasium
import numpy as np
import pettingzoo
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railenvs import load_game, make_batch, records, tchu_tchu_train_v0
from railenvs.games.tchu_tchu_train.board import Board
from railenvs.render.text import render_table
from tests.games.tchu_tchu_train.tables import AREAS, GAME_ID, PACK, PLAIN, cells_of, load
from tests.play import play_out

SEEDS = st.integers(0, 2**63 - 1)
EXAMPLE = ("KD", "7C", "2S", "5S")


def cards_and_areas(board):
    """Card and area by (row, column), from 1, of a board's text."""
    found = {}
    for name, label in cells_of(board.to_text()).items():
        row, column = name[1:].split("c")
        found[int(row), int(column)] = tuple(label.split("/"))
    return found


def check_generated(board):
    """All that the default board and generated ones keep to."""
    cells = cards_and_areas(board)
    assert board.adjacency == "square"
    assert set(cells) == {(row, column) for row in range(1, 9) for column in range(1, 14)}
    assert Counter(card for card, _ in cells.values()) == dict.fromkeys(PACK, 2)
    by_area = {area: [] for area in AREAS}
    for (row, column), (card, area) in cells.items():
        by_area[area].append(card[:-1])
        left = column <= (7 if row % 2 else 6)
        assert area == AREAS[(row - 1) // 2 * 2 + (not left)]
        for other in ((row, column + 1), (row + 1, column)):
            assert other not in cells or cells[other][0][:-1] != card[:-1]
    ranks = sorted(card[:-1] for card in PACK[:13])
    assert all(sorted(found) == ranks for found in by_area.values())
    for card in PACK:
        (r1, c1), (r2, c2) = (place for place, (shown, _) in cells.items() if shown == card)
        assert abs(r1 - r2) + abs(c1 - c2) >= 5
    for row in range(1, 9):
        suits = Counter(cells[row, column][0][-1] for column in range(1, 14))
        assert sorted(suits.values()) == [3, 3, 3, 4]
    assert example_group(cells)


def example_group(cells):
    """Whether a connected group shows the four cards of the rulebook's example."""
    places = {card: [p for p, (shown, _) in cells.items() if shown == card] for card in EXAMPLE}
    for start in places[EXAMPLE[0]]:
        group = {start}
        for _ in EXAMPLE:
            beside = {
                (r + a, c + b) for r, c in group for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))
            }
            group |= {p for card in EXAMPLE[1:] for p in places[card] if p in beside}
        if {cells[place][0] for place in group} == set(EXAMPLE):
            return True
    return False


# The default board


def test_the_default_board_keeps_to_what_the_docs_say():
    check_generated(Board.default())


def test_the_default_board_is_generated_from_seed_0():
    assert Board.generate(0) == Board.default()


def test_the_example_of_four_connected_trains_can_be_played():
    """KD, 7C, 2S and 5S adjoin on the default board: six points for four trains."""
    board = Board.default()
    cells = {name: label.split("/")[0] for name, label in cells_of(board.to_text()).items()}
    assert list(cells.values()).count("7D") == 2
    names = {card: [n for n, shown in cells.items() if shown == card] for card in EXAMPLE}
    index = {name: cell for cell, name in enumerate(board.cell_names)}
    groups = [
        [a, b, c, d]
        for a in names["KD"]
        for b in names["7C"]
        for c in names["2S"]
        for d in names["5S"]
    ]

    def connected(group):
        reached, cells = {index[group[0]]}, {index[name] for name in group}
        for _ in group:
            reached |= {o for cell in reached for o in board.neighbours[cell]} & cells
        return reached == cells

    assert any(connected(group) for group in groups)


# Generated boards


@given(seed=SEEDS)
def test_generated_boards_keep_to_what_the_docs_say(seed):
    check_generated(Board.generate(seed))


def test_a_seed_fixes_its_board():
    assert Board.generate(7) == Board.generate(7)
    assert len({Board.generate(seed) for seed in range(50)}) == 50


def test_every_card_comes_to_most_cells():
    """No cell is tied to a card: over many boards each cell shows very many."""
    shown = [set() for _ in range(104)]
    for seed in range(300):
        for cell, card in enumerate(Board.generate(seed).cards):
            shown[cell].add(card)
    assert min(map(len, shown)) > 40


def test_each_game_gets_a_board_of_its_own():
    game = load(3, "generated")
    boards = {Board.from_record(state_record(game.deal(seed))) for seed in range(20)}
    assert len(boards) == 20
    for board in boards:
        check_generated(board)
    batch = make_batch(GAME_ID, 8, board="generated", seed=0)
    cards = batch.game.fields.cut(batch.observations, "cell_card")
    assert len(np.unique(cards, axis=0)) == 8
    assert (cards == batch.states["cell_card"]).all()


def state_record(state):
    return state.view(np.recarray)[0]


def test_a_given_table_brings_its_generated_board():
    game = load(3, "generated")
    table = game.table(game.deal(5))
    assert game.table(game.from_table(table)) == table
    table["board"]["r1"]["c1"], table["board"]["r8"]["c13"] = (
        table["board"]["r8"]["c13"][:-1] + "A",
        table["board"]["r1"]["c1"][:-1] + "H",
    )
    other = game.from_table(table)
    assert game.table(other)["board"] == table["board"]
    table["board"]["r1"]["c1"] = table["board"]["r1"]["c1"][:-1] + "B"
    with pytest.raises(ValueError, match="areas that generated boards have"):
        game.from_table(table)


# One's own


def test_a_board_is_read_from_its_text_and_written_back():
    board = Board.from_text(PLAIN)
    assert Board.from_text(board.to_text()) == board
    commented = "# mine\n\n" + PLAIN.replace("square", "square  # four neighbours")
    assert Board.from_text(commented) == board


@pytest.mark.parametrize("kind", ["path", "name", "text", "board"])
def test_every_way_to_hand_in_a_board(kind, tmp_path):
    path = tmp_path / "plain.txt"
    path.write_text(PLAIN, encoding="utf-8")
    board = Board.from_text(PLAIN)
    value = {"path": path, "name": str(path), "text": PLAIN, "board": board}[kind]
    game = load_game(GAME_ID, 2, board=value)
    assert game.options["board"] == board.to_text()
    assert game == load_game(GAME_ID, 2, board=board)
    assert Board.from_record(state_record(game.deal(0))) == board
    for env in (
        tchu_tchu_train_v0.env(2, board=value),
        pettingzoo.make("aec", f"railenvs/{GAME_ID}", num_players=2, board=value).unwrapped,
    ):
        assert env.unwrapped.game == game
    seat = gymnasium.make("railenvs/TchuTchuTrain-v0", num_players=2, board=value)
    assert seat.unwrapped.game == game


def test_records_carry_a_board_of_ones_own(tmp_path):
    """They verify where the board's file is not."""
    path = tmp_path / "plain.txt"
    path.write_text(PLAIN, encoding="utf-8")
    env = tchu_tchu_train_v0.env(2, board=str(path))
    env.reset(seed=1)
    play_out(env, random.Random(1))
    path.unlink()
    record = env.record()
    assert Board.from_text(record["options"]["board"]) == Board.from_text(PLAIN)
    records.save(record, tmp_path / "games.jsonl")
    (read,) = records.load(tmp_path / "games.jsonl")
    assert records.verify(read)


HEX = "hex\n" + "".join(
    " ".join(f"{card}/{AREAS[number // 13]}" for card in cards) + "\n"
    for number, cards in [(row * 13, (PACK * 2)[row * 13 : row * 13 + 13]) for row in range(8)]
)


def test_cells_of_a_hex_board_have_six_neighbours():
    """Every second row lies half a cell to the right."""
    board = Board.from_text(HEX)
    names = board.cell_names

    def beside(name):
        return {names[cell] for cell in board.neighbours[names.index(name)]}

    assert beside("r2c2") == {"r2c1", "r2c3", "r1c2", "r1c3", "r3c2", "r3c3"}
    assert beside("r3c2") == {"r3c1", "r3c3", "r2c1", "r2c2", "r4c1", "r4c2"}
    assert beside("r1c1") == {"r1c2", "r2c1"}
    assert beside("r2c13") == {"r2c12", "r1c13", "r3c13"}


def test_a_game_on_a_hex_board_is_played_to_its_end():
    env = tchu_tchu_train_v0.raw_env(3, board=HEX)
    env.reset(seed=0)
    assert env.table()["adjacency"] == "hex"
    assert env.table()["shifted_rows"] == ["r2", "r4", "r6", "r8"]
    assert env.game.table(env.game.from_table(env.table())) == env.table()
    play_out(env, random.Random(0))
    assert records.verify(env.record())


def places_in_text(board):
    """Line and column at which each cell's card begins in the text of a game not begun."""
    game = load_game(GAME_ID, 2, board=board)
    lines = render_table(game.table(game.deal(0), 0)).splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("r1 "))
    rows = max(row for row, _ in board.places) + 1
    found = [
        (row, match.start())
        for row, line in enumerate(lines[first : first + rows])
        for match in re.finditer(r"\S+/\S", line)
    ]
    return dict(zip(board.places, found, strict=True))


def test_rows_of_a_hex_board_are_drawn_so_that_adjoining_cells_touch():
    board = Board.from_text(HEX)
    places = places_in_text(board)
    width = places[0, 1][1] - places[0, 0][1]
    assert width % 2 == 0
    for place, others in zip(board.places, board.neighbours, strict=True):
        row, column = places[place]
        touching = {
            (row, column - width),
            (row, column + width),
            *((row + up, column + side) for up in (-1, 1) for side in (-width // 2, width // 2)),
        }
        assert {places[board.places[other]] for other in others} == touching & {*places.values()}


def test_rows_of_a_square_board_are_drawn_flush():
    board = Board.from_text(PLAIN)
    game = load_game(GAME_ID, 2, board=board)
    assert "shifted_rows" not in game.table(game.deal(0))
    columns: list[set[int]] = [set() for _ in range(13)]
    for (_, column), (_, at) in places_in_text(board).items():
        columns[column].add(at)
    assert all(len(found) == 1 for found in columns)


def ragged():
    """The plain board with its rows cut and shifted: gaps, rows of different length."""
    rows = [row.split() for row in PLAIN.splitlines()[1:]]
    rows[0], moved = rows[0][:-2], rows[0][-2:]
    rows[3] = [*rows[3][:6], ".", *rows[3][6:]]
    rows.append([".", *(label[:-1] + "H" for label in moved)])
    return "square\n" + "\n".join(" ".join(row) for row in rows) + "\n"


def test_boards_may_have_gaps_and_rows_of_any_length():
    board = Board.from_text(ragged())
    assert "r4c7" not in board.cell_names
    assert {"r4c14", "r9c2", "r9c3"} <= set(board.cell_names)
    assert Board.from_text(board.to_text()) == board
    names = board.cell_names
    assert names.index("r4c8") not in board.neighbours[names.index("r4c6")]
    game = load_game(GAME_ID, 2, board=board)
    assert "place r9c3" in game.action_names
    assert "place r1c13" not in game.action_names
    state = game.deal(0)
    assert game.table(state)["board"]["r4"]["c7"] == "."
    drawn = render_table(game.table(state)).splitlines()
    assert next(line for line in drawn if line.startswith("r9 ")).split()[:4] == [
        "r9",
        ".",
        "QS/H",
        "KS/H",
    ]
    assert game.table(game.from_table(game.table(state))) == game.table(state)


# Faults


def swap(text, old, new, count=1):
    assert old in text
    return text.replace(old, new, count)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n", r"empty; it must begin with 'square' or 'hex'"),
        (swap(PLAIN, "square", "round"), r"line 1: must be 'square' or 'hex', not 'round'"),
        (PLAIN.removeprefix("square\n"), r"line 1: must be 'square' or 'hex'"),
        (swap(PLAIN, "AS/A", "1S/A"), r"line 2, cell r1c1: unknown card '1S'"),
        (swap(PLAIN, "2S/A", "2s/A"), r"line 2, cell r1c2: unknown card '2s'"),
        (swap(PLAIN, "AH/B", "AH/I"), r"line 3, cell r2c1: unknown area 'I'"),
        (swap(PLAIN, "AH/B", "AH/"), r"line 3, cell r2c1: unknown area ''"),
        (swap(PLAIN, "AH/B", "AH"), r"line 3, cell r2c1: must be a card and its area"),
        (swap(PLAIN, "AS/A", "2S/A"), r"AS must stand on 2 cells, not 1 \(r5c1\)"),
        (swap(PLAIN, "10C/D", "KC/D"), r"10C must stand on 2 cells, not 1"),
        (swap(swap(PLAIN, "AS/A", "2S/A"), "AS/E", "2S/E"), r"AS must stand on 2 cells, not 0"),
        (
            swap(PLAIN, "AS/A", "2S/A"),
            r"AS must .* \(r5c1\); 2S must stand on 2 cells, not 3 \(r1c1, r1c2, r5c2\)",
        ),
        (swap(PLAIN, "KC/H", ""), r"104 cells, not 103; KC must .* not 1 \(r4c13\)"),
        (
            swap(PLAIN, "KC/H", "KC/H KC/H"),
            r"104 cells, not 105; KC must .* not 3 \(r4c13, r8c13, r8c14\)",
        ),
        ("square\nAS/A AS/B", r"104 cells, not 2; 2S must .* not 0; .*; and so on, 51 cards"),
        (PLAIN.replace("/H", "/G"), r"8 areas; no cell of H"),
        (PLAIN.replace("/H", "/G").replace("/A", "/B"), r"no cell of A, H"),
        (swap(PLAIN, "KC/H", ". KC/H"), r"cell r8c14 lies alone"),
        (swap(PLAIN, "AS/E", ".\nAS/E"), r"falls apart: no way leads from r1c1 to r6c1"),
        (swap(PLAIN, "AS/A", ". " * 127 + "AS/A"), r"at most 127 rows and columns"),
    ],
)
def test_faulty_boards_are_refused(text, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        Board.from_text(text)
    path = tmp_path / "board.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message) as error:
        load_game(GAME_ID, board=str(path))
    assert "board.txt" in str(error.value)
    with pytest.raises(ValueError, match=message):
        load_game(GAME_ID, board=text)


@pytest.mark.parametrize("value", ["nonsense.txt", "", "Default", None, 3, True, b"default", []])
def test_what_is_no_board_is_refused(value):
    with pytest.raises(ValueError, match=r"board must be one of 'default', 'generated', the path"):
        load_game(GAME_ID, board=value)


def test_a_byte_order_mark_is_no_part_of_a_board(tmp_path):
    path = tmp_path / "board.txt"
    path.write_text(PLAIN, encoding="utf-8-sig")
    assert Board.load(path) == Board.from_text(PLAIN)


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(ValueError, match=r"cannot read the board .*missing\.txt"):
        Board.load(tmp_path / "missing.txt")
    binary = tmp_path / "binary.txt"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"cannot read the board .*binary\.txt"):
        load_game(GAME_ID, board=binary)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"adjacency": "diagonal"}, "adjacency must be one of 'square', 'hex'"),
        ({"places": Board.default().places[::-1]}, "reading order"),
        ({"places": Board.default().places[:-1]}, "103 cells have as many cards, not 104"),
        ({"cards": Board.default().cards[:-1]}, "104 cells have as many cards, not 103"),
        ({"areas": ()}, "104 cells have as many areas, not 0"),
        ({"places": None}, "the board's places must be a tuple, not None"),
        ({"cards": list(Board.default().cards)}, r"the board's cards must be a tuple, not \["),
        ({"areas": "A" * 104}, "the board's areas must be a tuple, not 'AAA"),
        ({"areas": ("A",) * 104}, "the board's areas must be whole numbers, not 'A'"),
        ({"places": (1,) * 104}, "the board's places must be pairs of whole numbers, not 1"),
        ({"places": ([0, 0],) * 104}, r"places must be pairs of whole numbers, not \[0, 0\]"),
        ({"cards": (52, *Board.default().cards[1:])}, "r1c1 shows an unknown card, number 52"),
        ({"areas": (8, *Board.default().areas[1:])}, "r1c1 lies in an unknown area, number 8"),
    ],
)
def test_faulty_boards_cannot_be_made(changes, message):
    parts = {name: getattr(Board.default(), name) for name in Board.__dataclass_fields__}
    with pytest.raises(ValueError, match=message):
        Board(**{**parts, **changes})


def test_neighbours_are_mutual():
    for board in (Board.default(), Board.from_text(HEX), Board.from_text(ragged())):
        for cell, others in enumerate(board.neighbours):
            assert all(cell in board.neighbours[other] for other in others)
            assert all(one < other for one, other in pairwise(others))
