"""Measures how many delta operators MixHop learns at each level of homophily (Figure 3).

python -m trainers.delta_ops            ten levels, ten graphs each
python -m trainers.delta_ops --quick    a small version that takes a few minutes

The setup follows Section 6.1 of the paper. The features are similarities to 50 points, and all
powers of the first layer share one kernel. A feature counts as a delta operator if the second layer
gives it large weights of opposite sign in different powers. Randomly initialised weights show this
pattern by chance; the figure also shows how often.
"""

from __future__ import annotations

from trainers.cli import app, homophily_flags
from trainers.paper import homophily
from trainers.paper.series import FIGURE_3
from trainers.plots import homophily as plots
from trainers.reporting import homophily_table


def define_flags() -> None:
    """Defines the flags of this command."""
    homophily_flags.define(FIGURE_3, list(FIGURE_3), "results/records/delta_ops")


def main() -> None:
    """Makes the missing runs, prints the tables, and draws the figure."""
    request = homophily_flags.request(FIGURE_3)
    jobs = request.run()
    shares, accuracies = (
        homophily.curves(jobs, field) for field in (homophily.DELTAS, homophily.ACCURACY)
    )
    fresh = homophily.fresh_delta_share()
    print(f"share of delta operators in percent; {100 * fresh:.1f} before training")
    print(homophily_table.table(shares))
    print("\ntest accuracy in percent")
    print(homophily_table.table(accuracies))
    lines = {FIGURE_3[name].label: points for name, points in shares.items()}
    request.save(plots.delta_shares(lines, fresh, request.note(shares)), "figure3", FIGURE_3)
    homophily.check_all_done(jobs)


if __name__ == "__main__":
    app.run(main, define_flags)
