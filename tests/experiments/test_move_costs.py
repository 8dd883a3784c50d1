"""The table of what a move of each game costs."""

from __future__ import annotations

import json

import pytest

from experiments import move_costs
from experiments.move_costs import Costs

QUICK = ("--seconds", "0.02", "--rounds", "1")


def test_a_game_is_measured_with_all_its_seats(tmp_path, capsys):
    file = tmp_path / "costs.json"
    move_costs.main(["deck_express-v0", *QUICK, "--out", str(file)])
    (told,) = json.loads(file.read_text("utf-8"))["results"]["costs"]
    costs = Costs(**told)
    assert (costs.game, costs.num_players) == ("deck_express-v0", 4)
    assert 40 < costs.decisions < 100
    assert min(costs.rules_only, costs.batched, costs.legal, costs.play, costs.observe) > 0
    assert costs.simulations > 0
    assert costs.two_threads > 0
    assert "1.00 ×" in capsys.readouterr().out


def test_the_table_compares_batches_with_the_first_and_searches_with_rules_alone():
    costs = [Costs("a", 2, 10.0, 4e6, 2e6, 1.0, 2.0, 3.0, 4.0, 3e5, 1.8)]
    costs.append(Costs("b", 4, 1000.0, 4e6, 5e5, 1.0, 2.0, 3.0, 4.0, 1000.0, 1.9))
    table = move_costs.as_table(costs)
    assert list(table.columns[-1].cells) == ["1.00 ×", "0.25 ×"]
    cells = [list(column.cells) for column in move_costs.search_table(costs).columns]
    assert cells[2:] == [["300.0", "1.0"], ["0.75 ×", "0.25 ×"], ["1.80 ×", "1.90 ×"]]
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
