"""Go on with a training run that was interrupted, exactly as it would have gone on.

python -m experiments.resume runs/deck_express-v0-2p-seed0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro

from experiments.cli import plain_errors
from experiments.train import complete_and_show, only_here, reopen


@dataclass(frozen=True)
class Arguments:
    """Arguments of the command.

    Attributes:
        folder: of the run, as ``experiments.train`` made it. Its state is unpickled: resume only
            runs that you trust.
    """

    folder: tyro.conf.Positional[Path]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    arguments = tyro.cli(
        Arguments, prog="python -m experiments.resume", description=__doc__, args=argv
    )
    with plain_errors():
        run = reopen(arguments.folder)
        with only_here(run.folder):
            pass
    complete_and_show(run)


if __name__ == "__main__":
    main()
