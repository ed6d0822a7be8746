"""Cells and fields of frames for ParaView, by a reader of our own: what PyVista and meshio make of them."""

import base64
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from conftest import ROOT

SCENE = (ROOT / "tests/cases/bridges/hollow.toml").read_text(encoding="utf-8")
LINE, POLYLINE = 3, 4
TYPES = {"Float32": np.float32, "Float64": np.float64, "Int64": np.int64, "UInt8": np.uint8}
VOLUMES = {
    "hexahedra-8": (12, 8),
    "hexahedra-20": (25, 20),
    "hexahedra-27": (29, 27),
    "tetrahedra-4": (10, 4),
    "tetrahedra-10": (24, 10),
}


def read_frame(path):
    """Arrays by section and name."""
    out = {}
    for section in ElementTree.parse(path).getroot().iter():
        for array in section.findall("DataArray"):
            data = base64.b64decode(array.text)[8:] if array.get("format") == "binary" else None
            values = (
                np.frombuffer(data, TYPES[array.get("type")]) if data is not None else np.array([float(array.text)])
            )
            components = int(array.get("NumberOfComponents", 1))
            out[section.tag, array.get("Name")] = values.reshape(-1, components) if components > 1 else values
    return out


def cells_of(frame):
    """Type and points of each cell."""
    nodes, ends = frame["Cells", "connectivity"], frame["Cells", "offsets"]
    return list(zip(frame["Cells", "types"], np.split(nodes, ends[:-1]), strict=True))


def tetrahedron(p):
    return np.dot(np.cross(p[1] - p[0], p[2] - p[0]), p[3] - p[0]) / 6


def volume(kind, points):
    """By corners: exact for cells with flat faces."""
    if kind in (10, 24):
        return tetrahedron(points)
    parts = [(0, 1, 3, 4), (1, 2, 3, 6), (1, 3, 4, 6), (4, 6, 5, 1), (3, 4, 6, 7)]
    return sum(abs(tetrahedron(points[list(part)])) for part in parts)


def frames_of(flexura, text):
    flexura.write("scene.toml", text)
    flexura("run", "scene.toml", "--vtk", "--no-report", "--no-csv", "--output", "out")
    return [read_frame(path) for path in sorted((flexura.folder / "out/hang").glob("*.vtu"))]


# 0.02 x 0.02 x 0.06 m; incompressible to k/mu = 1000 and hanging under its own weight it keeps its volume to 1e-4.
@pytest.mark.parametrize("element", VOLUMES)
def test_solids_are_volume_cells(flexura, element):
    text = SCENE.replace("elements = [2, 2, 6]", f'elements = [2, 2, 6]\nelement = "{element}"')
    frames = frames_of(flexura, text)
    kind, count = VOLUMES[element]
    for frame in frames:
        cells = [(k, nodes) for k, nodes in cells_of(frame) if k == kind]
        assert len(cells) == (24 if kind in (12, 25, 29) else 6 * 24)
        assert all(len(nodes) == count for _, nodes in cells)
        points = frame["Points", "Points"].astype(float)
        volumes = [volume(k, points[nodes]) for k, nodes in cells]
        assert min(volumes) > 0
        assert sum(volumes) == pytest.approx(0.02 * 0.02 * 0.06, rel=2e-3)
        displacement = frame["PointData", "displacement [m]"]
        reference = points - displacement
        nodes = np.unique(np.concatenate([nodes for _, nodes in cells]))
        corner = reference[nodes].min(axis=0)
        np.testing.assert_allclose(np.ptp(reference[nodes], axis=0), [0.02, 0.02, 0.06], atol=1e-7)
        stress = frame["PointData", "von Mises stress [Pa]"][nodes]
        on_face = (np.abs(reference[nodes] - corner) < 1e-6) | (
            np.abs(reference[nodes] - corner - [0.02, 0.02, 0.06]) < 1e-6
        )
        np.testing.assert_array_equal(np.isfinite(stress), on_face.any(axis=1))
    assert np.abs(frames[-1]["PointData", "displacement [m]"]).max() > 1e-5
    assert not frames[0]["PointData", "displacement [m]"].any()


def test_cables_are_lines_of_two_points(flexura):
    (*_, frame) = frames_of(flexura, SCENE)
    kinds = [kind for kind, _ in cells_of(frame)]
    assert POLYLINE not in kinds
    points = frame["Points", "Points"]
    lines = [
        nodes for kind, nodes in cells_of(frame) if kind == LINE and (frame["PointData", "radius [m]"][nodes] > 0).all()
    ]
    assert len(lines) >= 4
    assert all(len(nodes) == 2 for nodes in lines)
    length = sum(np.linalg.norm(points[b] - points[a]) for a, b in lines)
    assert length == pytest.approx(0.2, rel=1e-2)
    for (_, end), (start, _) in zip(lines[:-1], lines[1:], strict=True):
        assert end == start
