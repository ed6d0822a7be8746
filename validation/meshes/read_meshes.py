#!/usr/bin/env python3
"""Reads Gmsh files of other projects and compares their volume or area with those of meshio.

    read_meshes.py FLEXURA [FOLDER...]

Each file becomes a scene of one part: a solid where the file has volumes, else a membrane; its volume or area comes from its kinetic
energy at 1 m/s. The independent figure is that of the cells that meshio reads, or Gmsh where meshio cannot; relative tolerance 1e-9. Without folders the
files come from clones of the projects below and from Gmsh's own tutorials, which its Python package carries; all lie under
build/meshes. Exit status: 0, 1 where a figure differs, a file crashes the program or fewer than 94 % are read, 77 without network.
"""

import argparse
import collections
import contextlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import meshio
import numpy

PROJECTS = {  # sparse clones: the .msh files alone
    "mfem": "https://github.com/mfem/mfem",
    "elmer": "https://github.com/ElmerCSC/elmerfem",
    "deal.II": "https://github.com/dealii/dealii",
    "sfepy": "https://github.com/sfepy/sfepy",
    "meshio": "https://github.com/nschloe/meshio",
}
FORMATS = [(1, 0), (2.2, 0), (2.2, 1), (4.0, 0), (4.1, 0), (4.1, 1)]  # version, binary
TOLERANCE = 1e-9
SECONDS = 300  # for the motion of one file; what takes longer is read, not compared
TOO_LARGE = "read, too large to be moved"
PART_READ = 240 / 254

DENSITY = 1000
MOTION = """velocity = [1, 0, 0]
[sensor.T]
type = "energy"
of = "kinetic"
[[analysis]]
name = "go"
type = "dynamic"
end = 1e-9
step = 1e-9
"""
SCENES = {
    "solid": """
space = "spatial"
[material.m]
type = "neo-hooke"
rho = 1000
E = 1e6
nu = 0.3
[solid.p]
shape = {{ type = "gmsh", file = "{file}", scale = 1 }}
material = "m"
"""
    + MOTION,
    "membrane": """
space = "spatial"
[material.m]
rho = 1000
E = 1e6
nu = 0.3
[membrane.p]
shape = {{ type = "gmsh", file = "{file}", scale = 1 }}
material = "m"
thickness = 1
"""
    + MOTION,
}


def is_gmsh(path: pathlib.Path) -> bool:
    """Other programs use .msh too (Ansys, Medit, GiD, Git LFS pointers)."""
    with path.open("rb") as file:
        return file.read(4096).lstrip().startswith((b"$MeshFormat", b"$NOD", b"$Comments", b"$PhysicalNames"))


def fetch(folder: pathlib.Path) -> None:
    for name, url in PROJECTS.items():
        target = folder / name
        if not target.exists():
            clone = ["git", "clone", "-q", "--depth", "1", "--filter=blob:none", "--no-checkout", url, str(target)]
            subprocess.run(clone, check=True)
            subprocess.run(["git", "-C", target, "sparse-checkout", "set", "--no-cone", "*.msh"], check=True)
            subprocess.run(["git", "-C", target, "checkout", "-q"], check=True)
    tutorials(folder / "gmsh")


def tutorials(folder: pathlib.Path) -> None:
    """Meshes Gmsh's first tutorials in all of its formats."""
    import gmsh

    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted(pathlib.Path(gmsh.__file__).resolve().parents[3].glob("share/doc/gmsh/tutorials/t*.geo"))
    for number in (1, 2, 3, 5, 6, 18):
        for source in [s for s in sources if s.stem == f"t{number}"]:
            gmsh.initialize()
            try:
                gmsh.option.setNumber("General.Terminal", 0)
                gmsh.open(str(source))
                gmsh.model.mesh.generate(3)
                for version, binary in FORMATS:
                    gmsh.option.setNumber("Mesh.MshFileVersion", version)
                    gmsh.option.setNumber("Mesh.Binary", binary)
                    gmsh.write(str(folder / f"{source.stem}_{version}{'_binary' if binary else ''}.msh"))
            finally:
                gmsh.finalize()


def triangles(points, *corners):
    a, b, c = (points[k] for k in corners)
    return numpy.linalg.norm(numpy.cross(b - a, c - a), axis=-1) / 2


def tetrahedra(points, *corners):
    a, b, c, d = (points[k] for k in corners)
    return numpy.einsum("ij,ij->i", numpy.cross(b - a, c - a), d - a) / 6


def hexahedra(points, cells):
    """Of trilinear cells, by 2 x 2 x 2 Gauss points, which are exact."""
    x = points[cells]
    signs = numpy.array(
        [[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]]
    )
    out = numpy.zeros(len(cells))
    for at in signs / numpy.sqrt(3):
        factor = 1 + signs * at
        slope = (
            numpy.stack(
                [
                    signs[:, 0] * factor[:, 1] * factor[:, 2],
                    factor[:, 0] * signs[:, 1] * factor[:, 2],
                    factor[:, 0] * factor[:, 1] * signs[:, 2],
                ]
            )
            / 8
        )
        out += numpy.linalg.det(numpy.einsum("da,nai->ndi", slope, x))
    return out


def quadrilaterals(points, cells):
    """Two triangles along the shorter diagonal; of equal ones along that from the first corner."""
    n = cells.T
    first, second = (numpy.linalg.norm(points[n[a]] - points[n[b]], axis=-1) for a, b in ((0, 2), (1, 3)))
    along = triangles(points, n[0], n[1], n[2]) + triangles(points, n[0], n[2], n[3])
    across = triangles(points, n[1], n[2], n[3]) + triangles(points, n[1], n[3], n[0])
    return numpy.where(first <= second * (1 + 1e-9), along, across)


CORNERS = {"tetra": 4, "hexahedron": 8, "wedge": 6, "pyramid": 5, "triangle": 3, "quad": 4}
CURVED = ("tetra10", "hexahedron20", "hexahedron27")  # the program takes the middles of their sides


def meshio_cells(path: pathlib.Path):
    """Points, and (type, nodes) of each block of cells."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        mesh = meshio.read(path, file_format="gmsh")
    points = numpy.zeros((len(mesh.points), 3))
    points[:, : mesh.points.shape[1]] = mesh.points
    return points, [(block.type, block.data) for block in mesh.cells]


# In a process of its own: Gmsh ends it at some files.
GMSH_CELLS = """
import sys, gmsh, numpy
names = {"Tetrahedron": "tetra", "Hexahedron": "hexahedron", "Prism": "wedge", "Pyramid": "pyramid"}
names |= {"Triangle": "triangle", "Quadrilateral": "quad"}
gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
gmsh.open(sys.argv[1])
tags, coordinates, _ = gmsh.model.mesh.getNodes()
place = {tag: k for k, tag in enumerate(tags)}
out = {"points": coordinates.reshape(-1, 3)}
for kind, nodes in zip(*gmsh.model.mesh.getElements()[::2]):
    name, _, _, count, _, _ = gmsh.model.mesh.getElementProperties(kind)
    out[f"{names.get(name.split()[0], '')}{count}"] = numpy.array([place[n] for n in nodes]).reshape(-1, count)
numpy.savez(sys.argv[2], **out)
"""


def gmsh_cells(path: pathlib.Path):
    """The same by Gmsh itself, which reads formats 1 and 4.0 too."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "cells.npz"
        subprocess.run([sys.executable, "-c", GMSH_CELLS, path, out], check=True, capture_output=True, timeout=SECONDS)
        with numpy.load(out) as arrays:
            return arrays["points"], [(name, arrays[name]) for name in arrays.files if name != "points"]


def independent(path: pathlib.Path) -> tuple[str, float | None]:
    """The part's kind, and the volume or area of its cells; rows with the same nodes count once. None: cells may be curved."""
    try:
        points, cells = meshio_cells(path)
    except (Exception, SystemExit):  # meshio ends the program where no reader fits
        points, cells = gmsh_cells(path)
    blocks = collections.defaultdict(list)
    curved = False
    for kind, data in cells:
        name = kind.rstrip("0123456789")
        if name in CORNERS and len(data) > 0:
            blocks[name].append(data[:, : CORNERS[name]])
            curved = curved or kind in CURVED
    once = {}
    for name, parts in blocks.items():
        rows = numpy.concatenate(parts)
        _, first = numpy.unique(numpy.sort(rows, axis=1), axis=0, return_index=True)
        once[name] = rows[numpy.sort(first)]
    if any(name in once for name in ("tetra", "hexahedron", "wedge", "pyramid")):
        total = numpy.abs(tetrahedra(points, *once["tetra"].T)).sum() if "tetra" in once else 0.0
        total += numpy.abs(hexahedra(points, once["hexahedron"])).sum() if "hexahedron" in once else 0.0
        return "solid", None if curved else total
    total = triangles(points, *once["triangle"].T).sum() if "triangle" in once else 0.0
    total += quadrilaterals(points, once["quad"]).sum() if "quad" in once else 0.0
    return "membrane", total


def run(program: str, path: pathlib.Path, kind: str) -> tuple[float | None, str]:
    """Volume or area from the kinetic energy of the part at 1 m/s, and why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        scene = pathlib.Path(folder) / "scene.toml"
        scene.write_text(SCENES[kind].format(file=path.resolve()), encoding="utf-8")
        try:
            done = subprocess.run(
                [program, "run", scene, "-o", pathlib.Path(folder) / "out", "--json", "--no-csv"],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            checked = subprocess.run([program, "check", scene], capture_output=True, text=True, check=False)
            return None, TOO_LARGE if checked.returncode == 0 else checked.stderr[:200]
    if done.returncode == 0:
        return 2 * json.loads(done.stdout)["sensors"]["T"]["last"] / DENSITY, ""
    if done.returncode != 2:
        return None, f"CRASH: exit status {done.returncode}: {done.stderr[-200:]}"
    error = next((line for line in done.stderr.splitlines() if "error: " in line), done.stderr[:200])
    return None, error.split("error: ", 1)[1]


def reason_class(reason: str) -> str:
    """The reason without the numbers of one file."""
    return re.sub(r"[0-9][0-9.e+-]*", "N", reason.split(": ", 1)[-1])[:110]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("flexura")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    folders = arguments.folders
    if not folders:
        folders = [pathlib.Path("build/meshes")]
        try:
            fetch(folders[0])
        except subprocess.CalledProcessError as error:
            print(f"no network: {error}")
            return 77
    files = sorted(path for folder in folders for path in folder.rglob("*.msh") if is_gmsh(path))
    read, compared, others = 0, 0, 0
    refused, differing, crashed = collections.defaultdict(list), [], []
    for path in files:
        try:
            kind, figure = independent(path)
        except Exception as error:  # whatever the other readers raise
            print(f"{path}: other readers: {str(error)[:100]}")
            kind, figure = "solid", None
        value, reason = run(arguments.flexura, path, kind)
        if reason == TOO_LARGE:
            read += 1
            print(f"{path}: {reason}")
            continue
        if value is None and "has no triangles" in reason:
            print(f"{path}: lines and points alone")
            others += 1
            continue
        if value is None:
            (crashed if reason.startswith("CRASH") else refused[reason_class(reason)]).append(f"{path}: {reason}")
            continue
        read += 1
        if figure is None:
            continue
        compared += 1
        if abs(value - figure) > TOLERANCE * abs(figure):
            differing.append(f"{path}: {value:.12g}, others {figure:.12g}")
    print(f"{read} of {len(files) - others} files read, {compared} compared to {TOLERANCE:g}, {len(differing)} differ")
    for reason, paths in sorted(refused.items(), key=lambda item: -len(item[1])):
        print(f"\n{len(paths)} refused: {reason}")
        for path in paths:
            print(f"    {path}")
    for title, lines in (("differ", differing), ("crashed", crashed)):
        for line in lines:
            print(f"{title}: {line}")
    return 0 if not differing and not crashed and read >= PART_READ * (len(files) - others) else 1


if __name__ == "__main__":
    sys.exit(main())
