import keras
import pytest

from mixhop_tf import LinearDecrement


@pytest.mark.parametrize(("initial", "every"), [(1.0, 40), (0.25, 40), (0.5, 20)])
def test_rates_are_those_of_the_original_loop(initial, every):
    schedule = LinearDecrement(initial, every=every)
    rate = initial
    for step in range(400):
        assert float(schedule(step)) == pytest.approx(rate, abs=1e-6)
        if step > 0 and step % every == 0:
            rate -= 0.01 * initial


def test_never_negative():
    assert float(LinearDecrement(1.0, every=1)(1000)) == 0


def test_survives_serialisation():
    schedule = LinearDecrement(0.5, every=20, fraction=0.02)
    config = keras.optimizers.schedules.serialize(schedule)
    again = keras.optimizers.schedules.deserialize(config)
    assert again.get_config() == schedule.get_config()


@pytest.mark.parametrize("arguments", [(0.0,), (1.0, 0), (1.0, 40, 2.0)])
def test_bad_arguments_are_refused(arguments):
    with pytest.raises(ValueError, match="Received: "):
        LinearDecrement(*arguments)
