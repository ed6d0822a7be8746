"""Frames for ParaView and the drawing in results.h5, read back by other means than the program's."""

import base64
import json
import pathlib
import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FROZEN = ROOT / "tests/report/frozen_run.results"
TYPES = {"Float32": np.float32, "Float64": np.float64, "Int64": np.int64, "UInt8": np.uint8}


class Frame:
    """A VTU file: counts, and arrays by name."""

    def __init__(self, path: pathlib.Path):
        piece = ElementTree.parse(path).getroot().find("UnstructuredGrid/Piece")
        self.points, self.cells = int(piece.get("NumberOfPoints")), int(piece.get("NumberOfCells"))
        self.arrays = {}
        for array in piece.iter("DataArray"):
            block = base64.b64decode(array.text)
            assert np.frombuffer(block[:8], np.uint64)[0] == len(block) - 8
            width = int(array.get("NumberOfComponents"))
            values = np.frombuffer(block[8:], TYPES[array.get("type")])
            self.arrays[array.get("Name")] = values.reshape(-1, width) if width > 1 else values

    def check(self):
        ends = self.arrays["offsets"]
        assert len(ends) == self.cells and len(self.arrays["Points"]) == self.points
        assert np.all(np.diff(ends, prepend=0) > 0) and ends[-1] == len(self.arrays["connectivity"])
        assert self.arrays["connectivity"].min() >= 0 and self.arrays["connectivity"].max() < self.points
        for name, values in self.arrays.items():
            if name not in ("connectivity", "offsets", "types", "part"):
                assert len(values) == self.points, name
        assert np.isfinite(self.arrays["Points"]).all()


def series(pvd: pathlib.Path):
    """Times and files, in order."""
    steps = ElementTree.parse(pvd).getroot().iter("DataSet")
    return [(float(s.get("timestep")), pvd.parent / s.get("file")) for s in steps]


class Model:
    """One model of the file, by docs/results-format.md."""

    def __init__(self, group: h5py.Group):
        self.parts = json.loads(group["parts"].asstr()[()])
        self.slots, self.start = group["slots"][:], group["place_start"][:]
        self.slot, self.weight = group["place_slot"][:], group["place_weight"][:]
        self.fixed = group["fixed"][:] if "fixed" in group else np.zeros((0, 3))
        self.dim = self.parts["dim"]

    def places(self, rows, q):
        """Positions of places `rows` = [first, count] at coordinates q."""
        moving = np.zeros((len(self.slots), 3))
        moving[:, : self.dim] = q[self.slots[:, :1] + np.arange(self.dim)]
        slots = np.vstack([moving, self.fixed])
        terms = self.weight[:, None] * slots[self.slot]
        return np.array([terms[self.start[i] : self.start[i + 1]].sum(0) for i in range(rows[0], rows[0] + rows[1])])


def test_frames_of_a_plate_are_its_drawing(flexura):
    folder = flexura.folder / "run"
    scene = ROOT / "examples/plate_pendulum.toml"
    flexura("run", scene, "--vtk", "--output", folder, "--set", "analysis.swing.end=0.02")
    frames = series(folder / "swing.pvd")
    with h5py.File(folder / "results.h5") as results:
        model = Model(results["drawing/model1"])
        t, q = results["analysis/swing/t"][:], results["analysis/swing/q"][:]
        table = results["drawing/model1/analysis/swing"]
        sheet = next(d for d in model.parts["drawables"] if d["kind"] == "surface")
        others = [d for d in model.parts["drawables"] if d["kind"] != "surface"]
        assert [time for time, _ in frames] == list(t)
        for row in (0, len(t) - 1):
            frame = Frame(frames[row][1])
            frame.check()
            assert frame.points == sum(d["position"][1] for d in model.parts["drawables"])
            assert frame.cells == sheet["quads"][1] // 4 + len(others)
            begin, count = sheet["position"][0], sheet["position"][1]
            assert begin == 0, "the plate comes first"
            places = model.places(sheet["position"], q[row])
            np.testing.assert_allclose(frame.arrays["Points"][:count], places, atol=1e-6)
            for name, unit in (("speed", "m/s"), ("von Mises stress", "Pa"), ("membrane force", "N/m")):
                first, points = sheet["field"]
                np.testing.assert_array_equal(
                    frame.arrays[f"{name} [{unit}]"][:count], table[name][row, first : first + points]
                )
            speed = np.linalg.norm(frame.arrays["velocity [m/s]"][:count], axis=1)
            np.testing.assert_allclose(speed, table["speed"][row, first : first + points], atol=1e-5)
            np.testing.assert_allclose(frame.arrays["thickness [m]"][:count], 0.01)


def test_shapes_of_bodies_are_closed_surfaces(flexura):
    """Divergence theorem over the faces of a body: the volume of its shape."""
    flexura.write(
        "block.toml",
        """
space = "spatial"
[body.block]
shape = { type = "box", size = [1, 2, 3] }
density = 1.0
[body.ball]
shape = { type = "sphere", radius = 1.0 }
density = 1.0
position = [5, 0, 0]
[body.cone]
shape = { type = "cone", radius = 1.0, height = 3.0 }
density = 1.0
position = [9, 0, 0]
[[analysis]]
name = "fly"
type = "dynamic"
end = 0.1
step = 0.1
""",
    )
    flexura("run", "block.toml", "--vtk", "--output", "run")
    frame = Frame(series(flexura.folder / "run/fly.pvd")[0][1])
    frame.check()
    points, ends = frame.arrays["Points"].astype(float), frame.arrays["offsets"]
    volume = dict.fromkeys(map(int, frame.arrays["part"]), 0.0)
    for part, end, begin in zip(frame.arrays["part"], ends, [0, *ends[:-1]], strict=True):
        corners = points[frame.arrays["connectivity"][begin:end]]
        for k in range(1, len(corners) - 1):
            volume[int(part)] += np.dot(corners[0], np.cross(corners[k], corners[k + 1])) / 6
    bodies = sorted(v for v in volume.values() if abs(v) > 1e-3)
    assert len(bodies) == 3
    assert bodies[0] == pytest.approx(np.pi, rel=0.03)  # cone: polygons of 24 corners lie within
    assert bodies[1] == pytest.approx(4 / 3 * np.pi, rel=0.05)
    assert bodies[2] == pytest.approx(6, rel=1e-5)


def test_a_file_of_an_earlier_version_of_the_format_opens_without_its_scene(flexura):
    assert FROZEN.stat().st_size < 300_000
    shown = flexura("info", FROZEN).stdout
    assert "finished" in shown and "/drawing/model1/parts" in shown
    flexura("view", FROZEN, "--no-open", "--output", "report.html")
    assert "nothing can be drawn" not in (flexura.folder / "report.html").read_text()
