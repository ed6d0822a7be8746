"""Meshes of other programs: formats, signs of groups, rows of the same nodes, partitions, parametric nodes."""

import pathlib
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
