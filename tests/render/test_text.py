"""Tables as text."""

from railenvs.render.text import render_table


def test_names_of_several_words_are_told_apart_by_commas():
    text = render_table({"pile": ["Pool Coach", "Red"], "deck": ["2S", "3S"]})
    assert "pile: Pool Coach, Red" in text
    assert "deck: 2S 3S" in text
