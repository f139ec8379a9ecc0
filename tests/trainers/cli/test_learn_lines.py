"""The lines that `trainers.learn_arch` prints after each stage."""

import pytest
from small_learning import RETRAIN, WIDE, learn_settings, with_settings

from mixhop_tf import learn_architecture
from trainers.cli.learn_lines import Printer, coefficients_table


@pytest.fixture
def told(small_graph, capsys):
    """A function that learns with given settings and returns the outcome and the printed text."""

    def learn(settings):
        printer = Printer(settings, small_graph.num_classes)
        outcome = learn_architecture(small_graph, settings, scaling="rows", observer=printer)
        return outcome, capsys.readouterr().out

    return learn


def test_each_stage_says_what_it_did_and_the_test_accuracy_is_told_once(told):
    outcome, said = told(learn_settings())
    for stage in ("1/5 wide", "2/5 lasso 0.02", "3/5 measure", "4/5 shrink", "5/5 retrain"):
        assert stage in said
    assert said.count("test ") == 1
    assert f"kept: seed {outcome.run.seed}: validation" in said.splitlines()[-1]
    assert f"test {outcome.run.test_accuracy:.1%}" in said.splitlines()[-1]


def test_a_lasso_too_weak_is_reported(told):
    _, said = told(learn_settings(lasso=1e-9, runs=1))
    (line,) = (line for line in said.splitlines() if "1e-09 made no column vanish" in line)
    assert "raise --lasso" in line


def test_a_coefficient_that_is_too_strong_is_reported_and_the_others_compared(told):
    outcome, said = told(learn_settings(lassos=(50.0, 0.01, 0.03), runs=1))
    (line,) = (line for line in said.splitlines() if "50 is too strong" in line)
    assert "lower --lasso" in line
    assert "--budget" in line
    _, _, *rows = coefficients_table(outcome).splitlines()
    marks = {row.split()[1]: " * " in row for row in rows}
    assert marks == {f"{lasso:g}": lasso == outcome.pruning.lasso for lasso in (0.01, 0.03)}


def test_a_coefficient_that_diverges_is_reported_and_a_gradient_told_from_a_proximal_step(told):
    wide = with_settings(WIDE, lasso_kind="gradient")
    _, said = told(learn_settings(lassos=(1e38, 0.01), wide=wide, runs=1))
    (line,) = (line for line in said.splitlines() if "The loss is" in line)
    assert "lower --wide_l2 (it is 0.0005) or --lasso (it is 1e+38)" in line
    assert "use --wide_lasso_kind scaled" in said


def test_lines_show_the_metric_that_selects(told):
    options = {"select_by": "macro_f1"}
    chosen = learn_settings(
        lassos=(0.01, 0.03),
        wide=with_settings(WIDE, **options),
        retrain=with_settings(RETRAIN, **options),
        runs=1,
    )
    outcome, said = told(chosen)
    pruning, (result,) = outcome.candidates[0]
    lines = said.splitlines()
    assert any(
        line.startswith("2/5 lasso 0.01") and f"(macro-F1 {pruning.peak.score:.3f})" in line
        for line in lines
    )
    assert any(
        line.startswith("5/5 retrain") and f"(macro-F1 {result.score:.3f})" in line
        for line in lines
    )
    header, _, first, _ = coefficients_table(outcome).splitlines()
    assert "wide (macro-F1)" in header
    assert f"{result.score:.3f}" in first
