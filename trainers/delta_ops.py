"""How much of MixHop goes into delta operators, against homophily: Figure 3 of the paper.

python -m trainers.delta_ops            ten levels, ten graphs each
python -m trainers.delta_ops --quick    a small version, in some minutes

As in Section 6.1 of the paper: features are similarities to 50 points, the kernel of the first
layer is shared by all powers, and in the second layer those features are counted which get large
weights of opposite signs in different powers. Weights as they are drawn have such signs, too, by
chance; the figure shows how often.
"""

from __future__ import annotations

from trainers import command_line, homophily, homophily_figures, homophily_flags
from trainers.series import FIGURE_3


def define_flags() -> None:
    """Defines the flags of this command."""
    homophily_flags.define(FIGURE_3, list(FIGURE_3), "results/records/delta_ops")


def main() -> None:
    """Trains what is missing, prints the table, and draws the figure."""
    asked = homophily_flags.asked(FIGURE_3)
    jobs = asked.run()
    curves, accuracies = (
        homophily.curves(jobs, field) for field in (homophily.DELTAS, "test_accuracy")
    )
    fresh = homophily.fresh_delta_share()
    print(f"share of delta operators in percent; {100 * fresh:.1f} in weights as drawn")
    print(homophily.table(curves))
    print("\ntest accuracy in percent")
    print(homophily.table(accuracies))
    drawn = homophily_figures.delta_shares(
        {FIGURE_3[name].label: points for name, points in curves.items()}, fresh, asked.note(curves)
    )
    asked.save(drawn, "figure3", FIGURE_3)
    homophily.see_all_done(jobs)


if __name__ == "__main__":
    command_line.run(main, define_flags)
