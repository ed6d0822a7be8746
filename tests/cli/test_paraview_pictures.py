"""Frames for ParaView, read and drawn by VTK itself (pyvista). The pictures stay in build/test/pictures, to be looked at."""

import ctypes.util

import h5py
import numpy as np
import pytest
from conftest import ROOT

pv = pytest.importorskip("pyvista", exc_type=ImportError)
if not any(ctypes.util.find_library(name) for name in ("OSMesa", "EGL")):
    pytest.skip("VTK draws without a screen by OSMesa or EGL, and crashes without them", allow_module_level=True)

PICTURES = ROOT / "build/test/pictures"
VERTEX, LINES, FACES = (1,), (3, 4), (5, 7, 9, 10, 12, 24, 25, 29)  # faces, and the volume cells of solids


def frames(pvd):
    """Reader and times of a series, which ascend and are each there once."""
    reader = pv.get_reader(str(pvd))
    times = np.array(reader.time_values)
    assert (np.diff(times) > 0).all()
    return reader, times


def mesh_at(reader, time):
    reader.set_active_time_value(time)
    return reader.read()[0]


def cells(mesh, types):
    return mesh.extract_cells(np.isin(mesh.celltypes, types))


def draw(mesh, field, name):
    """Faces, and lines as tubes of their radius, coloured by a field. Returns which pixels are not background."""
    plotter = pv.Plotter(off_screen=True, window_size=(800, 600))
    faces, lines = cells(mesh, FACES), cells(mesh, LINES)
    if faces.n_cells > 0:
        plotter.add_mesh(faces, scalars=field, nan_color="tan")
    if lines.n_cells > 0:
        curves = lines.extract_surface(algorithm=None)
        assert (curves["radius [m]"] >= 0).all()
        curves["seen"] = np.maximum(curves["radius [m]"], 1e-3 * mesh.length)
        plotter.add_mesh(curves.tube(scalars="seen", absolute=True), scalars=field, nan_color="tan")
    plotter.view_xz() if np.ptp(mesh.points[:, 2]) > 0 else plotter.view_xy()
    plotter.remove_scalar_bar() if plotter.scalar_bars else None
    PICTURES.mkdir(parents=True, exist_ok=True)
    picture = plotter.screenshot(str(PICTURES / f"{name}.png"), return_img=True)
    return np.any(picture[..., :3] != picture[0, 0, :3], axis=-1)


def test_the_elephant_is_there_with_all_its_parts(flexura):
    flexura("example", "elephant")
    flexura(
        "run", "elephant.toml", "--vtk", "--no-report", "--no-csv", "--set", "analysis.feed.end=0.1", "--output", "out"
    )
    out = flexura.folder / "out"
    hang, factors = frames(out / "hang.pvd")
    assert factors[0] == 0 and factors[-1] == 1, "statics by load factor"
    feed, times = frames(out / "feed.pvd")
    mesh = mesh_at(feed, times[-1])
    with h5py.File(out / "results.h5") as results:
        fields = set(results["drawing/model1/analysis/feed"]) - {"t", "forces", "moments"}
        units = {name: results[f"drawing/model1/analysis/feed/{name}"].attrs["unit"] for name in fields}
        assert list(times) == list(results["drawing/model1/analysis/feed/t"])
    assert {f"{name} [{unit}]" for name, unit in units.items()} <= set(mesh.point_data)
    assert {"displacement [m]", "velocity [m/s]", "radius [m]", "thickness [m]", "force [N]", "moment [N m]"} <= set(
        mesh.point_data
    )
    faces = cells(mesh, FACES)
    assert faces.n_cells > 5000 and mesh.n_points > 5000  # 19 points once
    stress = faces["von Mises stress [Pa]"]
    assert np.isfinite(stress).sum() > 500 and np.nanmin(stress) >= 0
    assert np.isnan(stress).any(), "bodies have none"
    for mesh, name in ((mesh, "feed"), (mesh_at(hang, 1.0), "hang")):
        seen = draw(mesh, "von Mises stress [Pa]", f"elephant-{name}")
        assert seen.mean() > 0.05, f"{seen.mean():.3f} of the picture is drawn"


def test_an_actuator_is_one_series_where_its_model_changes(flexura):
    flexura("example", "soft_actuator")
    flexura(
        "run",
        "soft_actuator.toml",
        "--vtk",
        "--no-report",
        "--no-csv",
        "--set",
        "output.interval=0.1",
        "--output",
        "out",
    )
    move, times = frames(flexura.folder / "out/move.pvd")
    np.testing.assert_allclose(times, np.arange(0, 10.05, 0.1), atol=1e-9)  # 6-10 s were missing, 0-6 s came twice
    with h5py.File(flexura.folder / "out/results.h5") as results:
        models = [name for name in results["analysis/move"] if name.startswith("model")]
    assert models, "something is let go"
    before, after = mesh_at(move, times[55]), mesh_at(move, times[70])
    assert before.n_cells > after.n_cells > 0
    for mesh, name in ((before, "before"), (after, "after")):
        tube = cells(mesh, LINES)
        assert tube["radius [m]"].max() > 0.005
        assert draw(mesh, "axial strain [1]", f"actuator-{name}").mean() > 0.01
