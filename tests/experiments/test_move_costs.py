"""The table of what a move of each game costs."""

from __future__ import annotations

import json

import pytest

import railenvs
from experiments import move_costs
from experiments.move_costs import Costs

QUICK = ("--seconds", "0.02", "--rounds", "1")


def test_every_game_is_measured_beside_the_first(tmp_path, capsys):
    file = tmp_path / "costs.json"
    games = ("express-v0", "deck_express-v0")
    move_costs.main([*games, *QUICK, "--out", str(file)])
    costs = [Costs(**each) for each in json.loads(file.read_text("utf-8"))["results"]["games"]]
    assert [each.game for each in costs] == list(games)
    for each in costs:
        game = railenvs.load_game(each.game)
        assert each.num_players == game.rulebook.seats[-1]
        assert each.decisions > 10
        assert min(each.rules_only, each.batched, each.legal, each.play, each.observe) > 0
    assert "1.00 ×" in capsys.readouterr().out


def test_the_table_compares_batches_with_the_first():
    costs = [Costs("a", 2, 10.0, 4e6, 2e6, 1.0, 2.0, 3.0, 4.0)]
    costs.append(Costs("b", 4, 1000.0, 4e6, 5e5, 1.0, 2.0, 3.0, 4.0))
    table = move_costs.as_table(costs)
    assert [list(column.cells) for column in table.columns][-1] == ["1.00 ×", "0.25 ×"]
    assert list(table.columns[2].cells) == ["10", "1,000"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["whist-v0"], "whist-v0"),
        (["--rounds", "0"], "rounds must be"),
        (["--seconds", "0"], "seconds must be positive"),
    ],
)
def test_bad_arguments_are_named_before_anything_is_measured(words, message, capsys):
    with pytest.raises(SystemExit):
        move_costs.main(words)
    assert message in capsys.readouterr().err
