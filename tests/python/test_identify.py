"""fx.identify and fx.invert: numbers of a scene from records and for a wish."""

from pathlib import Path

import flexura as fx
import numpy as np
import pytest

# A cord that is pulled along itself: it stretches by nearly F L/EA = 0.2 mm.
ROD = """
space = "planar"

[section.cord]
EA = "1 kN"
EI = "0.02 N m^2"
rhoA = "0.1 kg/m"

[cable.cord]
section = "cord"
path = [[0, 0], [0.2, 0]]
elements = 1

[joint.clamp]
type = "weld"
of = ["ground", "cord.start"]

[load.pull]
type = "force"
at = "cord.end"
force = ["1 N", "0 N"]

[sensor.tip]
type = "position"
at = "cord.end"

[[analysis]]
name = "pull"
type = "static"
"""
LENGTH, FORCE = 0.2, 1.0
TIP_X = {"sensor": "tip", "component": "x"}
SWING_X = {"x": {**TIP_X, "column": "x", "noise": "0.1 mm"}}


def swing(scene: str) -> dict[str, np.ndarray]:
    """What a cord of EI = 0.03 N m² reads, as a record."""
    tip = fx.simulate(scene, set={"section.cord.EI": 0.03})["tip"]
    return {"t [s]": np.array(tip.t), "x [m]": np.array(tip.position[:, 0])}


def test_one_value_at_rest_gives_the_stiffness_and_its_error() -> None:
    stretch, noise = 1e-4, 1e-6
    found = fx.identify(
        ROD,
        {"section.cord.EA": {"bounds": (500, 10_000)}},
        measured={"x": {**TIP_X, "value": LENGTH + stretch, "noise": noise}},
    )
    ratio = 1 + stretch / LENGTH
    EA = FORCE / (ratio * (ratio**2 - 1) / 2)  # of Green's strain
    assert found.converged
    # The law bends by 1.5 strains of 5e-4, and the slope is one of differences over 1e-4 of EA.
    assert found["section.cord.EA"] == pytest.approx(EA, rel=1e-6)
    assert found.standard_errors["section.cord.EA"] == pytest.approx(noise * EA / stretch, rel=2e-3)
    assert found.units == {"section.cord.EA": "N"}
    assert found.correlation.tolist() == [[1.0]]
    assert "section.cord.EA" in repr(found) and "standard error" in repr(found)
    assert found.settings[0].startswith("section.cord.EA=")


# The model meets its own record to rounding, of which the program says that the noise is less than is stated.
@pytest.mark.filterwarnings("ignore::flexura.SimulationWarning")
def test_records_are_arrays_frames_and_files_alike(pendulum: str, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    record = swing(pendulum)
    frame = pandas.DataFrame(record)
    frame.to_csv(tmp_path / "swing.csv", index=False)
    sought = {"section.cord.EI": {"bounds": (0.005, 0.1), "scale": "log"}}
    found = [
        fx.identify(pendulum, sought, [data], SWING_X)
        for data in (record, frame, frame.set_index("t [s]"), tmp_path / "swing.csv", {"data": record})
    ]
    # The record is the model's own, and the search ends where a step is below its tolerance.
    assert found[0]["section.cord.EI"] == pytest.approx(0.03, rel=1e-4)
    assert [one.values for one in found[1:]] == [found[0].values] * 4
    read = found[0].residuals["record.x"]
    assert read["t"].shape == read["residual"].shape == record["t [s]"].shape
    assert np.array_equal(read["measured"], record["x [m]"])
    table = found[0].to_pandas()
    assert table.loc["section.cord.EI", "value"] == found[0]["section.cord.EI"]


# The model meets its own record to rounding, of which the program says that the noise is less than is stated.
@pytest.mark.filterwarnings("ignore::flexura.SimulationWarning")
def test_missing_samples_are_warned_of_and_each_record_has_its_own(pendulum: str) -> None:
    record = swing(pendulum)
    record["x [m]"][3] = np.nan
    with pytest.warns(fx.SimulationWarning, match="1 samples? without a number"):
        found = fx.identify(
            pendulum,
            {"EI": {"path": "section.cord.EI", "bounds": ("0.005 N m^2", None), "each": True}},
            [{"name": "a", "data": record}, {"name": "b", "data": record, "until": 0.08}],
            SWING_X,
        )
    assert list(found.values) == ["a.EI", "b.EI"]
    assert found.values["b.EI"] == pytest.approx(0.03, rel=1e-4)
    assert found.residuals["a.x"]["t"].size == record["t [s]"].size - 1
    assert found.residuals["b.x"]["t"].max() <= 0.08


def test_wrong_studies_are_scene_errors_with_every_problem(pendulum: str) -> None:
    with pytest.raises(fx.SceneError) as caught:
        fx.identify(
            pendulum,
            {"section.crd.EI": {"bounds": (1, 2)}},
            [{"data": {"t [s]": [0, 0.1], "x": [0, 1]}, "shfit": 1}],
            {"x": {"sensor": "tp"}},
        )
    paths = [problem.path for problem in caught.value.problems]
    assert any("section_crd_EI" in path for path in paths)
    assert any("shfit" in path for path in paths)


def test_wrong_calls_say_what_is_allowed(pendulum: str) -> None:
    one = {"section.cord.EI": {}}
    for error, words, call in [
        (ValueError, "bounds are two", lambda: fx.identify(pendulum, {"a.b": {"bounds": [1]}}, [], SWING_X)),
        (ValueError, "one length", lambda: fx.identify(pendulum, one, [{"t [s]": [0, 1], "x [m]": [0]}], SWING_X)),
        (TypeError, "a list", lambda: fx.identify(pendulum, one, {"t [s]": [0], "x [m]": [0]}, SWING_X)),
        (TypeError, "a path of a CSV file", lambda: fx.identify(pendulum, one, [3], SWING_X)),
        (ValueError, "has the name 'a' too", lambda: fx.identify(pendulum, one, [{"name": "a"}] * 2, SWING_X)),
        (ValueError, "give scene, parameters and measured", lambda: fx.identify(pendulum)),
        (ValueError, "study: a file says all", lambda: fx.invert(pendulum, study="study.toml")),
    ]:
        with pytest.raises(error, match=words):
            call()


def test_a_folder_is_kept_and_not_taken_twice(tmp_path: Path) -> None:
    arguments = {
        "parameters": {"section.cord.EA": {"bounds": (500, 10_000)}},
        "measured": {"x": {**TIP_X, "value": 0.2001, "noise": 1e-6}},
        "output": tmp_path / "study",
    }
    found = fx.identify(ROD, **arguments)
    assert found.report.is_file()
    with pytest.raises(fx.ResultsError, match="holds a study already"):
        fx.identify(ROD, **arguments)
    assert fx.identify(ROD, **arguments, resume=True).values == found.values


def test_inverts_for_a_wanted_stretch(tmp_path: Path) -> None:
    sought = {"section.cord.EA": {"bounds": (500, 10_000)}}
    wish = {"x": {**TIP_X, "value": "200.1 mm", "tolerance": "1 um"}}
    found = fx.invert(fx.Scene.loads(ROD), sought, wish)
    assert found.reached
    assert found["section.cord.EA"] == pytest.approx(
        2000, rel=0.012
    )  # tolerance of 1 % of the stretch, 0.075 % of strain
    assert found.targets["scene.x"]["reached"] == pytest.approx(found.targets["scene.x"]["wanted"], abs=1e-6)
    wish["x"]["value"] = "201 mm"
    with pytest.warns(fx.SimulationWarning, match="section.cord.EA = 500 is its lower bound"):
        far = fx.invert(ROD, sought, wish, log=tmp_path / "far.jsonl")
    assert not far.reached and far.at_bound == ["section.cord.EA"]
    assert (tmp_path / "far.jsonl").stat().st_size > 0
    assert "not reached" in repr(far)
