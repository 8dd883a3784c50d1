"""Tables as text."""

from railenvs.render.text import render_changes, render_table


def test_names_of_several_words_are_told_apart_by_commas():
    text = render_table({"pile": ["Pool Coach", "Red"], "deck": ["2S", "3S"]})
    assert "pile: Pool Coach, Red" in text
    assert "deck: 2S 3S" in text


def test_shifted_rows_lie_half_a_cell_to_the_right():
    board = {
        "r1": {"c1": "a", "c2": "."},
        "r2": {"c1": "b", "c2": "long"},
        "r3": {"c1": "c", "c2": "d"},
    }
    other = {"p": {"x": 1, "y": 22}}
    flush = render_table({"board": board, "other": other})
    shifted = render_table({"shifted_rows": ["r2"], "board": board, "other": other})
    assert shifted.splitlines()[2:8] == [
        "board  c1    c2",
        "--------------------",
        "r1     a     .",
        "r2        b     long",
        "r3     c     d",
        "",
    ]
    assert "shifted" not in shifted
    assert shifted.split("other")[1] == flush.split("other")[1]


def test_changed_lists_tell_what_came_and_went_copies_too():
    before = {"seats": [], "pile": ["a", "b", "a", "c"]}
    after = {"seats": [], "pile": ["a", "b", "b", "a", "a"]}
    assert render_changes(before, after, 0) == "  pile: -c +b +a\n"


def test_null_that_turns_out_empty_is_no_news():
    before = {"seats": [], "chosen": None, "memory": {"top": []}, "winner": None}
    after = {"seats": [], "chosen": [], "memory": {}, "winner": 0}
    assert render_changes(before, after, 0) == "  winner: · -> 0\n"
    assert render_changes(before, before, 0) == ""


def test_keys_are_told_in_words_and_seats_by_name():
    text = render_table(
        {"memory": {"top": [], "deck_at_least": {"City": 1}}, "tokens": {"player_0": 2}}
    )
    assert text == "memory: top -, deck at least City 1\ntokens: player_0 2\n"
