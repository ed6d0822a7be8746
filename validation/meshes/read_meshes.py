#!/usr/bin/env python3
"""Reads Gmsh files of other projects and compares their volume or area with those of meshio.

    read_meshes.py FLEXURA [FOLDER...] [--downloads DIRECTORY] [--processes 2] [--seconds 60]

Each file becomes a scene of one part: a solid where the file has volumes, else a membrane; its volume or area comes from its kinetic
energy at 1 m/s. The independent figure is that of the cells that meshio reads, or Gmsh where meshio cannot; relative tolerance 1e-9.
Without folders the files come from source packages of Debian and PyPI and from Gmsh's own tutorials, which its Python package carries.
The first folder below each FOLDER names the project in the table. Exit status: 0, 1 where a figure differs, a file crashes the program
or fewer than 94 % are read, 77 without network.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import dataclasses
import hashlib
import io
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

import meshio
import numpy

DEBIAN = {  # source packages; the newest version that the machine's release has
    "gmsh": "4.8.4",
    "getfem": "5.4.2",
    "dune-grid": "2.9.0",
    "petsc": "3.18.5",
    "python-escript": "5.6",
    "getdp": "3.2.0",
}
PYPI = {"sfepy": "2026.3", "meshio": "5.3.5", "meshmode": "2021.2"}
FORMATS = [(1, 0), (2.2, 0), (2.2, 1), (4.0, 0), (4.1, 0), (4.1, 1)]  # version, binary
TOLERANCE = 1e-9
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


def extract(archive: pathlib.Path, folder: pathlib.Path) -> None:
    """The Gmsh files of a source archive."""
    with tarfile.open(archive) as archived:
        members = [m for m in archived if m.isfile() and m.name.endswith(".msh")]
        archived.extractall(folder, members, filter="data")


def debian_sources(folder: pathlib.Path) -> list[str]:
    """Options of apt for the source packages of the machine's own mirrors; its own lists stay as they are."""
    folder = folder.resolve()
    (folder / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    (folder / "parts").mkdir(exist_ok=True)
    etc = pathlib.Path("/etc/apt")
    for source in [etc / "sources.list", *etc.glob("sources.list.d/*")]:
        if source.suffix not in (".list", ".sources") or not source.is_file():
            continue
        text = source.read_text(encoding="utf-8")
        if "debian" in source.read_text(encoding="utf-8"):
            text = re.sub(r"^Types:.*$", "Types: deb-src", text, flags=re.M)
            text = re.sub(r"^deb(?=\s)", "deb-src", text, flags=re.M)
            (folder / "parts" / source.name).write_text(text, encoding="utf-8")
    places = {"Etc::SourceList": "/dev/null", "Etc::SourceParts": folder / "parts", "State::Lists": folder / "lists"}
    places |= {"Cache::pkgcache": "", "Cache::srcpkgcache": ""}
    return [f"-oDir::{name}={value}" for name, value in places.items()]


def fetch(folder: pathlib.Path, downloads: pathlib.Path) -> None:
    """Downloads each package once; one that cannot be had is named and left out."""
    downloads.mkdir(parents=True, exist_ok=True)
    options = debian_sources(downloads / "apt")
    silent = {"check": True, "capture_output": True, "cwd": downloads}
    try:
        subprocess.run(["apt-get", *options, "update"], **silent)
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        print(f"source packages of Debian left out: {error}")
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:"]
    commands = {name: ["apt-get", *options, "source", "-q", "--download-only", name] for name in DEBIAN}
    commands |= {name: [*pip, f"{name}=={version}"] for name, version in PYPI.items()}
    for name, command in commands.items():
        if (folder / name).exists():
            continue
        pattern = f"{name}_*.orig.tar.*" if name in DEBIAN else f"{name}-*.tar.*"
        try:
            if not list(downloads.glob(pattern)):
                subprocess.run(command, **silent)
        except (subprocess.CalledProcessError, FileNotFoundError) as error:
            print(f"{name}: {error}")  # of a source package one of several files may be there already
        for archive in downloads.glob(pattern):
            extract(archive, folder / name)
    if not (folder / "gmsh-tutorials").exists():
        tutorials(folder / "gmsh-tutorials")


def tutorials(folder: pathlib.Path) -> None:
    """Meshes Gmsh's tutorials and writes each in all formats."""
    import gmsh

    folder.mkdir(parents=True, exist_ok=True)
    sources = sorted(pathlib.Path(gmsh.__file__).resolve().parents[3].glob("share/doc/gmsh/tutorials/t*.geo"))
    for source in sources:
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


FACES = {  # that look outwards
    "wedge": ([0, 2, 1], [3, 4, 5], [0, 1, 4, 3], [1, 2, 5, 4], [2, 0, 3, 5]),
    "pyramid": ([0, 3, 2, 1], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]),
}


def enclosed(points, cells, faces):
    """Of prisms and pyramids by the divergence theorem; faces of four corners are cut from their smallest node."""
    out = numpy.zeros(len(cells))
    origin = points[cells[:, 0]]
    for face in faces:
        nodes = cells[:, face]
        if len(face) == 4:
            first = numpy.argmin(nodes, axis=1)
            nodes = numpy.take_along_axis(nodes, (first[:, None] + numpy.arange(4)) % 4, axis=1)
        for k in range(1, len(face) - 1):
            a, b, c = (points[nodes[:, i]] - origin for i in (0, k, k + 1))
            out += numpy.einsum("ij,ij->i", numpy.cross(a, b), c) / 6
    return out


CORNERS = {"tetra": 4, "hexahedron": 8, "wedge": 6, "pyramid": 5, "triangle": 3, "quad": 4}
CURVED = ("tetra10", "hexahedron20", "hexahedron27")  # the program takes the middles of their sides


def meshio_cells(path: pathlib.Path):
    """Points, and (type, nodes) of each block of cells."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        mesh = meshio.read(path, file_format="gmsh")
    points = numpy.zeros((len(mesh.points), 3))
    points[:, : mesh.points.shape[1]] = mesh.points
    return points, [(block.type, block.data) for block in mesh.cells]


TYPES = {2: ("triangle", 3), 3: ("quad", 4), 4: ("tetra", 4), 5: ("hexahedron", 8), 6: ("wedge", 6), 7: ("pyramid", 5)}


def cells_from_node_0(path: pathlib.Path):
    """Of text files in format 2 with a node 0, which meshio takes for another one and Gmsh refuses; None of others."""
    lines = path.read_text(encoding="latin1").split("\n")
    if not lines[1:2] or not re.match(r"2(\.\d)? 0 ", lines[1]) or "$Nodes" not in lines:
        return None
    start = lines.index("$Nodes") + 2
    rows = [line.split() for line in lines[start : start + int(lines[start - 1])]]
    row_of = {int(row[0]): k for k, row in enumerate(rows)}
    if 0 not in row_of:
        return None
    cells = collections.defaultdict(list)
    start = lines.index("$Elements") + 2
    for line in lines[start : start + int(lines[start - 1])]:
        _, kind, tags, *rest = map(int, line.split())
        if kind in TYPES:
            name, count = TYPES[kind]
            cells[name].append([row_of[n] for n in rest[tags : tags + count]])
    points = numpy.array([[float(x) for x in row[1:4]] for row in rows])
    return points, [(name, numpy.array(found)) for name, found in cells.items()]


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


def gmsh_cells(path: pathlib.Path, seconds: float):
    """The same by Gmsh itself, which reads formats 1 and 4.0 too."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "cells.npz"
        subprocess.run([sys.executable, "-c", GMSH_CELLS, path, out], check=True, capture_output=True, timeout=seconds)
        with numpy.load(out) as arrays:
            return arrays["points"], [(name, arrays[name]) for name in arrays.files if name != "points"]


def independent(path: pathlib.Path, seconds: float, by_gmsh: bool = False) -> tuple[str, float | None]:
    """The part's kind, and the volume or area of its cells, of rows with the same nodes once. None: cells may be curved."""
    try:
        points, cells = gmsh_cells(path, seconds) if by_gmsh else cells_from_node_0(path) or meshio_cells(path)
    except (Exception, SystemExit):  # meshio ends the program where no reader fits
        if by_gmsh:
            raise
        points, cells = gmsh_cells(path, seconds)
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
        for name, faces in FACES.items():
            if name in once:
                total += numpy.abs(enclosed(points, once[name], faces)).sum()
        return "solid", None if curved else total
    total = triangles(points, *once["triangle"].T).sum() if "triangle" in once else 0.0
    total += quadrilaterals(points, once["quad"]).sum() if "quad" in once else 0.0
    return "membrane", total


def run(program: str, path: pathlib.Path, kind: str, seconds: float) -> tuple[float | None, str]:
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
                timeout=seconds,
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


@dataclasses.dataclass
class Result:
    path: pathlib.Path
    project: str
    state: str  # "compared", "read", "lines", "refused", "differs" or "crashed"
    reason: str = ""


def examine(program: str, path: pathlib.Path, project: str, seconds: float) -> Result:
    result = compare(program, path, project, seconds)
    print(f"{path}: {result.state}: {result.reason}", file=sys.stderr, flush=True)
    return result


def compare(program: str, path: pathlib.Path, project: str, seconds: float) -> Result:
    note = ""
    try:
        kind, figure = independent(path, seconds)
    except Exception as error:  # whatever the other readers raise
        kind, figure, note = "solid", None, f"other readers: {str(error)[:100]}"
    value, reason = run(program, path, kind, seconds)
    if value is None and note and "has no hexahedra" in reason:
        value, reason = run(program, path, "membrane", seconds)
    if reason == TOO_LARGE:
        return Result(path, project, "read", reason)
    if value is None and "has no triangles" in reason:
        return Result(path, project, "lines", "lines and points alone")
    if value is None:
        return Result(path, project, "crashed" if reason.startswith("CRASH") else "refused", reason)
    if figure is None:
        return Result(path, project, "read", note or "cells may be curved")
    if abs(value - figure) <= TOLERANCE * abs(figure):
        return Result(path, project, "compared")
    try:
        _, other = independent(path, seconds, by_gmsh=True)
    except Exception:  # whatever stops Gmsh
        other = None
    if other is not None and abs(value - other) <= TOLERANCE * abs(other):
        return Result(path, project, "compared", f"Gmsh has {other:.12g} as well, meshio {figure:.12g}")
    return Result(path, project, "differs", f"{value:.12g}, meshio {figure:.12g}, Gmsh {other}")


def print_table(results: list[Result]) -> None:
    print("| project | files | lines and points alone | read | of these compared | refused |")
    print("|---|---|---|---|---|---|")
    rows = [(name, list(group)) for name, group in itertools.groupby(results, lambda result: result.project)]
    for name, group in [*rows, ("all", results)]:
        count = collections.Counter(result.state for result in group)
        compared = count["compared"] + count["differs"]
        read = compared + count["read"]
        refused = count["refused"] + count["crashed"]
        print(f"| {name} | {len(group)} | {count['lines']} | {read} | {compared} | {refused} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("flexura")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--downloads", type=pathlib.Path, default=pathlib.Path("build/downloads"))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60, help="for the motion of one file; then it is not compared")
    arguments = parser.parse_args()
    folders = arguments.folders
    if not folders:
        folders = [pathlib.Path("build/meshes")]
        fetch(folders[0], arguments.downloads)
    files = {  # by their contents: packages hold copies
        hashlib.sha256(path.read_bytes()).digest(): (path, path.relative_to(folder).parts[0])
        for folder in folders
        for path in sorted(folder.rglob("*.msh"), reverse=True)
        if is_gmsh(path)
    }
    ordered = sorted(files.values(), key=lambda entry: (entry[1], entry[0]))
    if not ordered:
        print("no files: there is no network")
        return 77
    # Processes, not threads: what meshio prints is taken from the standard streams.
    with concurrent.futures.ProcessPoolExecutor(arguments.processes) as pool:
        paths, projects = zip(*ordered, strict=True)
        same = (itertools.repeat(value) for value in (arguments.flexura, arguments.seconds))
        results = list(pool.map(examine, next(same), paths, projects, next(same)))
    print_table(results)
    for state in ("refused", "differs", "crashed", "read", "lines", "compared"):
        reasons = collections.defaultdict(list)
        for result in results:
            if result.state == state and result.reason:
                reasons[reason_class(result.reason)].append(result)
        for reason, found in sorted(reasons.items(), key=lambda item: -len(item[1])):
            print(f"\n{len(found)} {state}: {reason}")
            for result in found:
                print(f"    {result.path}: {result.reason}")
    count = collections.Counter(result.state for result in results)
    read = count["compared"] + count["differs"] + count["read"]
    enough = read >= PART_READ * (len(results) - count["lines"])
    return 0 if not count["differs"] and not count["crashed"] and enough else 1


if __name__ == "__main__":
    sys.exit(main())
