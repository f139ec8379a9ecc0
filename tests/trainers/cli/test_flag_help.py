import pytest
from commands import run_command


@pytest.mark.parametrize("module", ["train", "reproduce", "stats"])
def test_help_shows_examples_and_flags_by_subject(module):
    answer = run_command(module, "--help", COLUMNS="100")
    assert answer.returncode == 0
    assert answer.stderr == ""
    assert f"python -m trainers.{module}" in answer.stdout
    assert max(map(len, answer.stdout.splitlines())) <= 100
    assert "<given|" not in answer.stdout


def test_help_of_train_names_every_hyper_parameter_once():
    text = run_command("train", "--help", COLUMNS="100").stdout
    order = [text.index(title) for title in ("Runs:", "Data:", "Model:", "Training (")]
    assert order == sorted(order)
    for flag in ("architecture", "hidden_dims", "activation", "input_dropout", "hidden_dropout"):
        assert text.count(f"  --{flag} ") == 1
    for flag in ("learning_rate", "decay_every", "max_steps", "patience", "l2", "lasso", "preset"):
        assert text.count(f"  --{flag} ") == 1
    assert "--[no]save_model" in text
    assert "[cora]" in text
    assert "original: from the scripts of the original code" in " ".join(text.split())
