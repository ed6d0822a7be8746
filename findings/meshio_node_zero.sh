#!/bin/bash
# meshio 5.3.5: Gmsh files of format 4.1 whose nodes are numbered from 0.
#
# Guess before it was run: numbers of nodes are labels, so that a mesh reads the same from 0, from 1 or from 5; or 0 is refused.
#
# Seen: from 1 and from 5 a unit square of two triangles has the area 1. From 0 the node is taken for the last one, without a message:
# one triangle loses its area, the other keeps a wrong corner, and the area is 0.5. Files of Gmsh's and PETSc's own source
# packages are numbered so (partitions.msh, cow.msh): the unit square of the first has the area 1.089.
#
# Exit 0: as described; 1: it changed; 77: the packages cannot be installed.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv" >/dev/null 2>&1 &&
  "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check meshio==5.3.5 numpy==2.4.6 || exit 77
cat >"$folder/area.py" <<'PY'
import pathlib
import sys

import meshio
import numpy as np

CORNERS = [(0, 0), (1, 0), (1, 1), (0, 1)]
TRIANGLES = [(0, 1, 2), (0, 2, 3)]


def area_from(first):
    lines = ["$MeshFormat", "4.1 0 8", "$EndMeshFormat", "$Nodes", f"1 4 {first} {first + 3}", "2 1 0 4"]
    lines += [str(first + k) for k in range(4)] + [f"{x} {y} 0" for x, y in CORNERS]
    lines += ["$EndNodes", "$Elements", "1 2 1 2", "2 1 2 2"]
    lines += [f"{n + 1} " + " ".join(str(first + k) for k in t) for n, t in enumerate(TRIANGLES)] + ["$EndElements", ""]
    file = pathlib.Path(sys.argv[1]) / "square.msh"
    file.write_text("\n".join(lines), encoding="ascii")
    mesh = meshio.read(file)
    p = np.asarray(mesh.points)
    return sum(0.5 * np.linalg.norm(np.cross(p[b] - p[a], p[c] - p[a])) for a, b, c in mesh.cells_dict["triangle"])


areas = {first: area_from(first) for first in (0, 1, 5)}
print("meshio", meshio.__version__, {first: float(area) for first, area in areas.items()})
sys.exit(0 if abs(areas[0] - 0.5) < 1e-12 and abs(areas[1] - 1) < 1e-12 and abs(areas[5] - 1) < 1e-12 else 1)
PY
"$folder/venv/bin/python" "$folder/area.py" "$folder"
