"""What the engine doubts is a warning of Python, at the line of the user's code, and stands in the result."""

from __future__ import annotations

import warnings

import pytest
from conftest import EXAMPLES

import flexura


def test_a_run_warns_where_it_was_asked_for() -> None:
    with pytest.warns(flexura.SimulationWarning, match="redundant") as caught:
        result = flexura.simulate(EXAMPLES / "bricard.toml")
    assert [str(w.message) for w in caught] == result.warnings and caught[0].filename == __file__
    assert f"warning: {result.warnings[0]}" in repr(result) and repr(result).startswith("<flexura.Result")
    assert f"warning: {result.warnings[0]}" in result._repr_html_()


def test_stepping_warns_as_soon_as_it_is_known() -> None:
    with pytest.warns(flexura.SimulationWarning, match="redundant") as caught:
        sim = flexura.Simulation(EXAMPLES / "bricard.toml")
    assert len(caught) == 1 and caught[0].filename == __file__ and len(sim.warnings) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sim.step(3)


def test_warnings_can_be_errors_and_silence_is_silent(pendulum: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "warning" not in repr(flexura.simulate(pendulum))
        with pytest.raises(flexura.SimulationWarning):
            flexura.Simulation(EXAMPLES / "bricard.toml")
