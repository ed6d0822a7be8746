"""Meshes of other programs: formats, signs of groups, rows of the same nodes, partitions, parametric nodes."""

import itertools
import pathlib
import random
import shutil

import pytest

MESHES = pathlib.Path(__file__).resolve().parent.parent / "cases" / "mesh"


def read(flexura, scene: str) -> tuple[list[float], list[str]]:
    """What the scene's only sensor reads last, and the warnings."""
    for file in (MESHES / scene).parent.glob(pathlib.Path(scene).stem + ".*"):
        shutil.copy(file, flexura.folder)
    summary = flexura.summary(pathlib.Path(scene).name, "--no-csv", "--force")
    (sensor,) = summary["sensors"].values()
    return sensor["last"], summary["warnings"]


# The same mesh, which Gmsh 4.13 wrote in two formats: results differ by the rounding of another order of the nodes alone.
@pytest.mark.parametrize(
    "name",
    [
        "gmsh_reversed/plate_p",
        "gmsh_reversed/plate_m",
        "gmsh_reversed/mem_p",
        "gmsh_reversed/mem_m",
        "gmsh_two_groups_22/plate_two",
        "gmsh_two_groups_22/mem_two",
        "gmsh_partitioned_41/plate_part1",
        "gmsh_partitioned_41/sol_part",
        "gmsh_parametric_22/plate_param",
    ],
)
def test_formats_give_the_same_result(flexura, name):
    (old, before), (new, after) = (read(flexura, f"{name}_{version}.toml") for version in ("2.2", "4.1"))
    assert old == pytest.approx(new, rel=1e-9, abs=1e-12)
    assert before == after == []


# The group [-1] of format 4.1 reverses the surface: pressure acts to the other side, by as much.
@pytest.mark.parametrize("kind", ["plate", "mem"])
@pytest.mark.parametrize("version", ["2.2", "4.1"])
def test_reversed_groups_bend_to_the_other_side(flexura, kind, version):
    up, down = (read(flexura, f"gmsh_reversed/{kind}_{sign}_{version}.toml")[0][2] for sign in "pm")
    assert up > 1e-3
    assert down == pytest.approx(-up, rel=1e-9)


SOLID = """
space = "spatial"
[material.m]
type = "neo-hooke"
rho = 1000
E = 1e6
nu = 0.3
[solid.p]
shape = {{ type = "gmsh", file = "{file}" }}
material = "m"
velocity = [1, 0, 0]
[sensor.T]
type = "energy"
of = "kinetic"
[[analysis]]
name = "go"
type = "dynamic"
end = 1e-9
step = 1e-9
"""


# Two tetrahedra of 1/6 and 1/3 m³ at 1 m/s: T = ½ · 1000 kg/m³ · 0.5 m³ · 1 m²/s² = 250 J, to rounding.
@pytest.mark.parametrize("file", sorted(path.name for path in MESHES.glob("*.msh")))
def test_files_of_two_tetrahedra_have_half_a_cubic_metre(flexura, file):
    shutil.copy(MESHES / file, flexura.folder)
    flexura.write("two.toml", SOLID.format(file=file))
    summary = flexura.summary("two.toml", "--no-csv", "--force")
    assert summary["sensors"]["T"]["last"] == pytest.approx(250, rel=1e-12)
    assert summary["warnings"] == []


def bar_of(kind: str, count: tuple[int, int, int], size: tuple[float, float, float], seed: int) -> str:
    """A block of prisms or pyramids in Gmsh's format 2.2, its inner nodes moved and all nodes in random order."""
    rng = random.Random(seed)
    number, nodes = {}, []
    steps = [range(2 * n + 1) for n in count]  # middles of cells have odd indices
    for at in itertools.product(*steps):
        odd = {k % 2 for k in at}
        if odd == {0} or odd == {1} and kind == "pyramid":
            number[at] = len(nodes) + 1
            inner = all(0 < k < 2 * n for k, n in zip(at, count))
            moved = [k + (rng.uniform(-0.3, 0.3) if inner else 0) for k in at]
            nodes.append([x / (2 * n) * length for x, n, length in zip(moved, count, size)])
    order = list(range(1, len(nodes) + 1))
    rng.shuffle(order)
    elements = []
    for cell in itertools.product(*(range(0, 2 * n, 2) for n in count)):
        corner = [tuple(a + 2 * b for a, b in zip(cell, at)) for at in CORNERS]
        if kind == "prism":
            elements += [(6, 9, [corner[k] for k in half]) for half in ([0, 1, 2, 4, 5, 6], [0, 2, 3, 4, 6, 7])]
        else:
            middle = tuple(k + 1 for k in cell)
            elements += [(7, 9, [*(corner[k] for k in face), middle]) for face in INWARD]
        for group, axis, end in ((1, 0, 0), (2, 1, 0), (3, 2, 0), (4, 0, 2 * count[0])):
            for face in INWARD:
                if all(corner[k][axis] == end for k in face):
                    elements.append((3, group, [corner[k] for k in face]))
    elements.append((15, 5, [tuple(2 * n for n in count)]))
    names = [(2, 1, "left"), (2, 2, "front"), (2, 3, "bottom"), (2, 4, "right"), (0, 5, "corner"), (3, 9, "all")]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", len(names)]
    lines += [f'{dim} {tag} "{name}"' for dim, tag, name in names]
    lines += ["$EndPhysicalNames", "$Nodes", len(nodes)]
    lines += [f"{order[k]} {' '.join(map(repr, nodes[k]))}" for k in sorted(range(len(nodes)), key=lambda k: order[k])]
    lines += ["$EndNodes", "$Elements", len(elements)]
    for tag, (type_, group, of) in enumerate(elements, 1):
        lines.append(f"{tag} {type_} 2 {group} 1 {' '.join(str(order[number[at] - 1]) for at in of)}")
    return "\n".join(map(str, [*lines, "$EndElements\n"]))


CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
INWARD = [(0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0)]

PATCH = """
space = "spatial"
[material.m]
type = "linear"
rho = 1000
E = 2e6
nu = 0.3
[solid.p]
shape = { type = "gmsh", file = "bar.msh", scale = 1 }
material = "m"
[joint.x]
type = "point_on_plane"
of = ["ground", "p.left"]
normal = [1, 0, 0]
[joint.y]
type = "point_on_plane"
of = ["ground", "p.front"]
normal = [0, 1, 0]
[joint.z]
type = "point_on_plane"
of = ["ground", "p.bottom"]
normal = [0, 0, 1]
[load.along]
type = "force"
at = "p.right"
force = [8000, 0, 0]
[sensor.corner]
type = "position"
at = "p.corner"
[[analysis]]
name = "pull"
type = "static"
tolerance = 1e-12
"""


# Patch test: uniform stress. F/A = λ E (λ² − 1)/2 of linear material, across 1 − ν (λ² − 1) = μ²; to the tolerance of statics.
# Prisms and pyramids were refused before.
@pytest.mark.parametrize("kind", ["prism", "pyramid"])
@pytest.mark.parametrize("seed", range(4))
def test_bars_of_prisms_and_pyramids_stretch_evenly(flexura, kind, seed):
    size = (0.3, 0.2, 0.1)
    flexura.write("bar.msh", bar_of(kind, (3, 2, 2), size, seed))
    flexura.write("bar.toml", PATCH)
    summary = flexura.summary("bar.toml", "--no-csv")
    stress, stretch = 8000 / (0.2 * 0.1), 1.0
    for _ in range(100):
        stretch -= (stretch * 2e6 * (stretch**2 - 1) / 2 - stress) / (2e6 * (3 * stretch**2 - 1) / 2)
    across = (1 - 0.3 * (stretch**2 - 1)) ** 0.5
    expected = [size[0] * stretch, size[1] * across, size[2] * across]
    assert summary["sensors"]["corner"]["last"] == pytest.approx(expected, rel=1e-9)
