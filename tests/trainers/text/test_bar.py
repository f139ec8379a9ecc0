import logging

import pytest

from trainers.text import bar
from trainers.text.bar import Bar


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 1000.0

    monkeypatch.setattr(bar.time, "monotonic", lambda: Clock.now)
    return Clock


def lines(caplog):
    return [record.getMessage() for record in caplog.records]


def test_without_a_terminal_a_line_comes_once_a_minute(clock, caplog):
    caplog.set_level(logging.INFO, "trainers.text")
    with Bar(total=1200, initial=200, desc="searches") as shown:
        clock.now += 30
        shown.update(50)
        assert lines(caplog) == []
        clock.now += 30
        shown.update(50)
        assert lines(caplog) == ["searches: 300 of 1,200, about 9 min left"]
        shown.update()
        clock.now += 59
        shown.refresh()
        assert len(lines(caplog)) == 1
        clock.now += 1
        shown.refresh()
    assert lines(caplog)[1:] == ["searches: 301 of 1,200, about 18 min left"]


def test_nothing_is_promised_before_anything_is_done(clock, caplog):
    caplog.set_level(logging.INFO, "trainers.text")
    with Bar(total=8, unit="run") as shown, Bar(desc="trainings") as endless:
        clock.now += 60
        shown.refresh()
        endless.update(3)
    assert lines(caplog) == ["run: 0 of 8", "trainings: 3"]


def test_on_a_terminal_there_is_a_bar_and_no_line(clock, caplog, monkeypatch):
    caplog.set_level(logging.INFO, "trainers.text")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with Bar(total=8) as shown:
        clock.now += 3600
        shown.update(2)
        assert shown.n == 2
    assert lines(caplog) == []


@pytest.mark.parametrize(
    ("seconds", "text"), [(89, "89 s"), (90, "2 min"), (5340, "89 min"), (7200, "2.0 h")]
)
def test_the_time_left_has_a_sensible_unit(seconds, text):
    assert bar._duration(seconds) == text
