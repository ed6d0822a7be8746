"""Whole runs from Python are those of the engine, and their results are arrays."""

from __future__ import annotations

import gc
import os
import pickle
import shutil
import signal
import subprocess
import threading
from pathlib import Path

import numpy as np
import pytest

import flexura


def program() -> str:
    root = Path(__file__).resolve().parents[2]
    found = os.environ.get("FLEXURA") or shutil.which("flexura") or str(root / "build/release/flexura")
    if not Path(found).exists():
        pytest.skip("the program flexura is not built")
    return found


def test_the_results_are_those_of_the_program_bit_for_bit(tmp_path: Path, pendulum: str) -> None:
    scene = tmp_path / "pendulum.toml"
    scene.write_text(pendulum)
    subprocess.run([program(), "run", scene, "-o", tmp_path / "cli", "-q", "--no-csv"], check=True)
    result = flexura.simulate(scene, output=tmp_path / "python")
    assert flexura._core.compare_results(str(tmp_path / "cli/results.h5"), str(result.path)) == []


def test_estimated_errors_are_those_of_the_summary(pendulum: str) -> None:
    assert flexura.simulate(pendulum).estimated_errors == []
    result = flexura.simulate(pendulum, verify=True)
    rows = result.summary["estimated_errors"]["values"]
    assert [vars(e) for e in result.estimated_errors] == rows
    assert {(e.sensor, e.of) for e in result.estimated_errors} == {
        (name, of) for name in result.summary["sensors"] for of in ("last", "min", "max")
    }
    for e in result.estimated_errors:
        read = result.summary["sensors"][e.sensor]
        assert e.value == np.atleast_1d(read[e.of])[e.component] and e.unit == read["unit"]
        assert 0 <= e.error < float("inf")
    assert any(e.error > 0 and e.step_order is not None for e in result.estimated_errors)


def test_verify_is_a_run_and_its_estimates(pendulum: str) -> None:
    changes = {"analysis.swing.step": 0.02}
    errors = flexura.verify(pendulum, set=changes)
    assert errors == flexura.simulate(pendulum, verify=True, set=changes).estimated_errors
    assert errors != flexura.verify(pendulum)


def test_violations_of_constraints_have_no_estimate(pendulum: str) -> None:
    errors = flexura.verify(pendulum + '\n[sensor.open]\ntype = "constraint_violation"\n')
    assert {e.sensor for e in errors if not e.estimated} == {"open"}
    assert all((e.error is None) == (e.sensor == "open") for e in errors)


def test_arrays_are_owned_contiguous_doubles(pendulum: str) -> None:
    result = flexura.simulate(pendulum)
    tip = result["tip"]
    position = tip.position
    assert position.shape == (101, 2) and position.dtype == np.float64 and position.flags.c_contiguous
    assert tip.unit == "m" and tip.t.shape == (101,)
    np.testing.assert_array_equal(np.asarray(tip), position)
    kept = position.copy()
    del result, tip
    gc.collect()
    np.testing.assert_array_equal(position, kept)


def test_scalar_sensors_have_one_number_per_row(pendulum: str) -> None:
    assert flexura.simulate(pendulum)["bend"].values.shape == (101,)


def test_states_and_nodes_agree_with_sensors(pendulum: str) -> None:
    result = flexura.simulate(pendulum)
    states = result.states("swing")
    nodes = states.nodes("cable.cord")
    assert nodes.shape == (11, 5, 2)
    np.testing.assert_array_equal(nodes[:, -1], result["tip"].position[::10])
    np.testing.assert_array_equal(states.nodes("cord"), nodes)
    assert states.q.shape[0] == states.v.shape[0] == len(states.t) == 11


STATIC = """
gravity = [0, -9.81]
[section.s]
EA = "10 kN"
EI = "0.05 N m^2"
rhoA = "0.1 kg/m"
[cable.c]
section = "s"
path = [[0, 0], [0.3, 0]]
elements = 4
[joint.j]
type = "weld"
of = ["ground", "c.start"]
[sensor.tip]
type = "position"
at = "c.end"
[sensor.bend]
type = "angle"
at = "c.end"
[[analysis]]
name = "hang"
type = "static"
"""
SECOND = """
[load.more]
type = "force"
at = "c.end"
force = ["0 N", "-0.2 N"]
from = "hold"
[[analysis]]
name = "hold"
type = "static"
"""
MOTION = """
[[analysis]]
name = "swing"
type = "dynamic"
end = 0.01
step = 0.001
"""


def test_sensors_of_a_static_run_are_those_of_its_last_load_path() -> None:
    one = flexura.simulate(STATIC)
    assert one.load_paths == ["hang"]
    assert one["tip"].axis_name == "load_factor" and one["tip"].axis[-1] == 1
    np.testing.assert_array_equal(one["tip"].position, one.static_sensors("hang")["tip"].position)
    assert one["tip"].position[-1, 1] < -1e-3  # it sags
    two = flexura.simulate(STATIC + SECOND)
    assert two.load_paths == ["hang", "hold"]
    np.testing.assert_array_equal(two["tip"].position, two.static_sensors("hold")["tip"].position)
    np.testing.assert_array_equal(two.static_sensors("hang")["tip"].position, one["tip"].position)
    assert two["tip"].position[-1, 1] < one["tip"].position[-1, 1]
    with pytest.raises(KeyError, match="hang, hold"):
        two.static_sensors("hand")


def test_tables_and_plots_of_static_runs() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    pytest.importorskip("xarray")
    result = flexura.simulate(STATIC + SECOND)
    frame = result.to_pandas()
    assert frame.index.name == "load_factor" and frame.index[-1] == 1
    assert frame["tip.y"].iloc[-1] == result["tip"].position[-1, 1]
    earlier = result.to_pandas("tip", analysis="hang")
    assert earlier["tip.y"].iloc[-1] == result.static_sensors("hang")["tip"].position[-1, 1]
    assert result.plot("tip").get_xlabel() == "load factor [1]"
    assert result.plot("tip", analysis="hang").get_xlabel() == "load factor [1]"
    assert result.to_xarray(analysis="hang")["tip"].dims == ("load_factor", "xy")
    assert "tip" in result._repr_html_()


def test_motions_keep_their_sensors_and_modes_have_empty_ones() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    moved = flexura.simulate(STATIC + MOTION)
    assert moved["tip"].axis_name == "t" and moved["tip"].position.shape[0] == 11
    assert moved.to_pandas("tip", analysis="hang").index.name == "load_factor"
    modes = flexura.simulate(STATIC.replace('"static"', '"modes"'))
    assert modes.load_paths == [] and modes["tip"].position.shape == (0, 2)
    assert len(modes.to_pandas()) == 0
    modes.plot()


PARTS = """
space = "spatial"
[material.rubber]
E = "1 MPa"
nu = 0.3
rho = "1000 kg/m^3"
[plate.sheet]
material = "rubber"
shape = { type = "flat", size = ["100 mm", "50 mm"] }
thickness = "2 mm"
elements = [3, 2]
[solid.block]
material = "rubber"
position = [0, 0, 0.2]
shape = { type = "block", size = ["100 mm", "50 mm", "20 mm"] }
elements = [3, 2, 1]
[membrane.skin]
material = "rubber"
thickness = "0.5 mm"
position = [0, 0, 0.4]
shape = { type = "flat", size = ["100 mm", "50 mm"] }
elements = [3, 2]
[[analysis]]
name = "fall"
type = "dynamic"
end = 0.01
step = 0.005
[output]
every_step = true
"""


def test_nodes_of_plates_membranes_and_solids() -> None:
    """Nothing acts. Surfaces have (3 + 1)(2 + 1) nodes, the block 24 corners and 46 middles of edges."""
    states = flexura.simulate(PARTS).states()
    simulation = flexura.Simulation(PARTS)
    for name, kind, shape, height in [
        ("sheet", "plate", (12, 3), 0),
        ("block", "solid", (70, 3), 0.2),
        ("skin", "membrane", (12, 3), 0.4),
    ]:
        nodes = states.nodes(name)
        assert nodes.shape == (3, *shape)
        np.testing.assert_allclose(np.ptp(nodes[-1], axis=0)[:2], [0.1, 0.05], atol=1e-12)
        assert nodes[-1, :, 2].mean() == pytest.approx(height + (0 if kind != "solid" else 0.01), abs=0.02)
        np.testing.assert_array_equal(states.nodes(f"{kind}.{name}"), nodes)
        np.testing.assert_array_equal(simulation.nodes(name), nodes[0])
    with pytest.raises(KeyError, match="sheet"):
        states.nodes("sheed")


def test_states_go_on_where_something_is_let_go(actuator: Path) -> None:
    result = flexura.simulate(actuator)
    states = result.states("move")
    assert states.t[0] == 0 and states.t[-1] == pytest.approx(10) and (np.diff(states.t) >= 0).all()
    nodes = states.nodes("actuator")
    assert nodes.shape == (len(states), 16, 2)
    np.testing.assert_array_equal(nodes[-1, -1], result["tip"].position[-1])
    assert len(result.states("move", model=1)) + len(result.states("move", model=2)) == len(states)
    assert result.states("hang").t[-1] == 1


def test_the_report_is_one_page(tmp_path: Path, pendulum: str) -> None:
    result = flexura.simulate(pendulum)
    page = result.report(tmp_path / "report.html").read_text()
    assert "flexura-report" in page and "pendulum on a cord" in page
    flexura.simulate(pendulum, output=tmp_path / "run")
    assert (tmp_path / "run" / "report.html").exists()
    both = flexura.compare(result, flexura.simulate(pendulum, set={"section.cord.EI": 0.01}))
    assert both.report(tmp_path / "both.html").exists()


def test_without_output_the_folder_lives_as_long_as_the_result(pendulum: str) -> None:
    result = flexura.simulate(pendulum)
    folder = result.path.parent
    assert folder.exists()
    del result
    gc.collect()
    assert not folder.exists()


def test_tables_of_energies_steps_and_violations(pendulum: str) -> None:
    result = flexura.simulate(pendulum)
    assert result.energies.kinetic[0] == 0 and result.energies.units["kinetic"] == "J"
    assert result.solver.iterations.dtype == np.int64 and len(result.solver) == 100
    assert result.violations.constraint.max() < 1e-9
    assert result.status == "finished" and result.analyses == ["swing"] and result.scene_text == pendulum


def test_changed_values_are_in_the_scene_as_run(pendulum: str) -> None:
    soft = flexura.simulate(pendulum, set={"section.cord.EI": 0.01})
    same = flexura.simulate(pendulum, set=["section.cord.EI=0.01"])
    stiff = flexura.simulate(pendulum)
    assert flexura.compare(soft, same).identical
    assert flexura.simulate(pendulum, set={"gravity": np.array([0, -1.0]), "title": 'a\n"b"'}).title == 'a\n"b"'
    with pytest.raises(TypeError, match="set\\['section.cord.EI'\\] cannot be a complex"):
        flexura.simulate(pendulum, set={"section.cord.EI": 1j})
    difference = flexura.compare(soft, stiff)
    assert not difference.identical and difference["tip.x"].max_difference > 0 and "tip.x" in str(difference)


def test_a_run_in_the_folder_is_not_overwritten_unasked(tmp_path: Path, pendulum: str) -> None:
    flexura.simulate(pendulum, output=tmp_path / "run")
    with pytest.raises(flexura.ResultsError, match="overwrite=True"):
        flexura.simulate(pendulum, output=tmp_path / "run")
    flexura.simulate(pendulum, output=tmp_path / "run", overwrite=True)


def test_results_are_saved_and_loaded(tmp_path: Path, pendulum: str) -> None:
    result = flexura.simulate(pendulum)
    loaded = flexura.load(result.save(tmp_path / "kept.h5"))
    np.testing.assert_array_equal(loaded["tip"].position, result["tip"].position)
    assert flexura.compare(result, loaded).identical and loaded.status == "finished"


def test_what_is_not_there_is_named_with_the_nearest(pendulum: str, tmp_path: Path) -> None:
    result = flexura.simulate(pendulum)
    with pytest.raises(KeyError, match="tipp.*nearest.*tip"):
        result["tipp"]
    with pytest.raises(AttributeError, match="velocity.*position"):
        result["tip"].velocity  # noqa: B018
    with pytest.raises(KeyError, match="nearest.*cord"):
        result.states().nodes("cored")
    with pytest.raises(flexura.ResultsError, match="does not exist"):
        flexura.load(tmp_path / "nothing.h5")


def test_pandas_has_a_column_per_number_and_units(pendulum: str) -> None:
    pytest.importorskip("pandas")
    frame = flexura.simulate(pendulum).to_pandas()
    assert {"tip.x", "tip.y", "bend"} <= set(frame.columns) and frame.index.name == "t"
    assert frame.attrs["units"]["tip.x"] == "m" and len(frame) == 101


def test_xarray_has_dimensions_and_units(pendulum: str) -> None:
    pytest.importorskip("xarray")
    data = flexura.simulate(pendulum).to_xarray()
    assert data["tip"].dims == ("t", "xy") and data["tip"].attrs["units"] == "m"
    assert float(data["tip"].sel(xy="x")[0]) == pytest.approx(0.2, abs=1e-12)


def test_a_plot_labels_its_axes_with_units(pendulum: str) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = flexura.simulate(pendulum).plot("tip")
    assert axes.get_xlabel() == "t [s]" and axes.get_ylabel() == "tip [m]" and len(axes.lines) == 2


def test_the_small_summary_for_notebooks_names_the_sensors(pendulum: str) -> None:
    page = flexura.simulate(pendulum)._repr_html_()
    assert "<td>tip</td>" in page and "pendulum on a cord" in page


def test_show_opens_the_report_of_these_results(tmp_path: Path, pendulum: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    flexura.simulate(pendulum, output=tmp_path / "run").show()
    other = flexura.load(
        flexura.simulate(pendulum.replace("on a cord", "on a rod")).save(tmp_path / "run" / "other.h5")
    )
    other.show()
    assert opened == [(tmp_path / "run" / name).as_uri() for name in ("report.html", "other.html")]
    assert "pendulum on a rod" in (tmp_path / "run" / "other.html").read_text()
    old = (tmp_path / "run" / "other.html").stat().st_mtime - 60
    os.utime(tmp_path / "run" / "other.html", (old, old))
    other.show()
    assert (tmp_path / "run" / "other.html").stat().st_mtime > old
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    flexura.simulate(pendulum).show()
    gc.collect()
    assert "pendulum on a cord" in Path(opened[-1].removeprefix("file://")).read_text()


def test_modes_are_those_of_a_modes_analysis(pendulum: str) -> None:
    frequencies, shapes = flexura.modes(pendulum, 3)
    assert frequencies.shape == (3,) and shapes.shape[0] == 3 and (np.diff(frequencies) > 0).all()


def test_solve_static_hangs_a_cantilever(pendulum: str) -> None:
    result = flexura.solve_static(pendulum.replace('type = "pin"', 'type = "weld"'))
    assert result.analyses == ["equilibrium"]
    assert result.static_sensors("equilibrium")["tip"].position[-1, 1] < -1e-4


def test_a_wrong_scene_says_what_the_program_says(tmp_path: Path, pendulum: str) -> None:
    scene = tmp_path / "wrong.toml"
    scene.write_text(pendulum.replace("EA =", "EB =").replace('"cord.end"', '"cord.ende"', 1))
    said = subprocess.run([program(), "check", scene], capture_output=True, text=True, check=False)
    with pytest.raises(flexura.SceneError) as caught:
        flexura.simulate(scene)
    assert str(caught.value) + "\n" == said.stderr
    first = caught.value.problems[0]
    assert first.file == str(scene) and first.line > 0 and first.column > 0 and first.message
    assert isinstance(caught.value, ValueError)
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


def test_a_solver_that_fails_keeps_what_was_computed(failing: str) -> None:
    with pytest.raises(flexura.SolverError, match="try:") as caught:
        flexura.simulate(failing)
    assert caught.value.result is not None and caught.value.result.status == "failed"


@pytest.mark.usefixtures("heeds_ctrl_c")
def test_ctrl_c_keeps_the_run_and_resume_ends_it_as_if_undisturbed(tmp_path: Path, pendulum: str) -> None:
    scene = tmp_path / "long.toml"
    scene.write_text(
        pendulum.replace('"0.1 s"', '"20 s"')
        .replace("elements = 4", "elements = 100")
        .replace('"1 ms"\n\n[', '"1 ms"\ncheckpoint = "10 ms"\n\n[')
    )
    timer = threading.Timer(0.25, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        flexura.simulate(scene, output=tmp_path / "run", progress=False)
    timer.join()
    stopped = flexura.load(tmp_path / "run")
    assert stopped.status == "interrupted" and 0 < stopped["tip"].t[-1] < 20
    resumed = flexura.simulate(scene, output=tmp_path / "run", resume=True, progress=False)
    whole = flexura.simulate(scene, output=tmp_path / "whole", progress=False)
    assert flexura.compare(resumed, whole).identical


def test_an_exception_of_the_progress_bar_stops_the_run(pendulum: str) -> None:
    class Wrong(Exception):
        pass

    def show(*_: object) -> None:
        raise Wrong

    document = flexura._core.read_scene(
        pendulum.replace('"0.1 s"', '"1000 s"'), "scene.toml", [], flexura._core.Functions({})
    )
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        *_, stopped_by = flexura._core.run(document, folder, progress=show)
    assert isinstance(stopped_by, Wrong)
