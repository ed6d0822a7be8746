"""Robots of public packages: which are read, and their masses, frames and gravity torques against Pinocchio.

    python read_robots.py PROGRAM [FOLDER...] [--processes 2] [--downloads DIRECTORY]

Reads every *.urdf below the folders, files with the same contents once; without folders those of the Python packages in packages.txt.
What is refused as it is, is read once more with inertia = "mended"; what is refused then is listed with the reason. Of the others the
total mass, the places of all links with all joints at 0, and the torques that hold the joints against gravity at other places are those
of Pinocchio. Mended files are not compared: Pinocchio takes any numbers. Nor are
torques of robots with mimics or with joints of several coordinates.
Fails where they differ by more than 1e-9 of the mass, of the extent, or of the largest torque.
"""

import argparse
import csv
import itertools
import math
import re
import subprocess
import sys
import tempfile
import tomllib
import xml.etree.ElementTree as ET
import zipfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pinocchio

OBJECTS = "random_urdfs"  # of pybullet: 1000 shapes of one link, a row of their own
TOLERANCE = 1e-9  # rounding: scenes hold 15 digits, and constraints are closed to 1e-14


@dataclass
class Result:
    file: Path
    package: str = ""
    state: str = "read"  # or "mended", "refused"
    reason: str = ""
    differences: dict[str, float] = field(default_factory=dict)  # relative


def convert(program: str, file: Path, folder: Path, *options: str) -> tuple[dict | None, str]:
    scene = folder / "robot.toml"
    command = [program, "convert", file, "-o", scene, "--force", "--limits", "none", "--collision", "none", *options]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300)
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "error: " in line] or done.stderr.splitlines()
        return None, errors[0].split("error: ", 1)[-1] if errors else f"exit status {done.returncode}"
    return tomllib.loads(scene.read_text()), ""


def joint_places(model: pinocchio.Model, file: Path) -> dict[str, float]:
    """Where each joint with a coordinate is put; those that mimic others follow."""
    # Prefixes that nothing declares, and what stands before the declaration.
    text = re.sub(r"(</?|\s)\w+:(?=\w+[\s=>/])", r"\1", file.read_text(errors="replace").strip())
    mimics = {}
    for joint in ET.fromstring(text).iter("joint"):
        if (mimic := joint.find("mimic")) is not None:
            mimics[joint.get("name")] = (
                mimic.get("joint"),
                float(mimic.get("multiplier", 1)),
                float(mimic.get("offset", 0)),
            )
    names = [name for k, name in enumerate(model.names) if k and model.joints[k].nv == 1]
    places = {name: 0.3 * math.sin(1 + 1.7 * k) for k, name in enumerate(names) if name not in mimics}

    def place(name: str) -> float:
        if name not in places:
            other, multiplier, offset = mimics[name]
            places[name] = multiplier * place(other) + offset
        return places[name]

    return {name: place(name) for name in names}


def configuration(model: pinocchio.Model, places: dict[str, float]) -> np.ndarray:
    q = pinocchio.neutral(model)
    for k, name in enumerate(model.names):
        joint = model.joints[k]
        if name not in places:
            continue
        if joint.nq == 2:  # a continuous joint: cosine and sine
            q[joint.idx_q : joint.idx_q + 2] = math.cos(places[name]), math.sin(places[name])
        else:
            q[joint.idx_q] = places[name]
    return q


def torques(program: str, file: Path, folder: Path, places: dict[str, float], scene: dict) -> dict[str, float] | None:
    """That hold the joints, by the analysis `inverse_dynamics`."""
    driven = [name for name in places if name in scene["joint"]]
    lines = ['space = "spatial"', "gravity = [0, 0, -9.81]", "[use.arm]", f'urdf = "{file}"']
    lines += ['limits = "none"', 'collision = "none"', "[use.arm.set]"]
    sensors = []
    for name in driven:
        turns = scene["joint"][name]["type"] == "revolute"
        lines.append(f"joint.{name}.{'angle' if turns else 'displacement'} = {places[name]!r}")
        sensors += [f"[sensor.{name}]", f'type = "{"drive_torque" if turns else "drive_force"}"', f'of = "arm.{name}"']
    lines += [*sensors, '[[analysis]]\nname = "hold"\ntype = "inverse_dynamics"\nend = 0.01\nstep = 0.01']
    (folder / "hold.toml").write_text("\n".join(lines) + "\n")
    command = [program, "run", folder / "hold.toml", "--quiet", "--force", "-o", folder / "out"]
    if subprocess.run(command, capture_output=True, timeout=600).returncode != 0:
        return None
    read = {}
    for name in driven:
        with open(folder / "out" / f"{name}.csv") as rows:
            read[name] = float(list(csv.reader(rows))[1][1])
    return read


def compare(program: str, file: Path, folder: Path, scene: dict, result: Result) -> None:
    model = pinocchio.buildModelFromUrdf(str(file))
    data = model.createData()
    links = [frame for frame in model.frames if frame.type == pinocchio.FrameType.BODY]
    bodies = scene.get("body", {})
    mass = sum(body.get("m", 0) for body in bodies.values()) + sum(m["m"] for m in scene.get("mass", {}).values())
    expected = sum(inertia.mass for inertia in model.inertias)
    result.differences["mass"] = abs(mass - expected) / max(expected, 1e-12)

    pinocchio.framesForwardKinematics(model, data, pinocchio.neutral(model))
    extent, open_by = 0.0, 0.0
    for frame in links:
        if frame.name not in bodies:
            continue  # a name that is not one of a scene
        place = data.oMf[model.getFrameId(frame.name, pinocchio.FrameType.BODY)].translation
        extent = max(extent, np.linalg.norm(place))
        open_by = max(open_by, np.linalg.norm(place - np.array(bodies[frame.name].get("position", [0, 0, 0]))))
    result.differences["frames"] = open_by / max(extent, 1e-3)

    places = joint_places(model, file)
    others = any(model.joints[k].nv != 1 for k in range(1, model.njoints))
    followers = any(joint.get("type") == "gear" for joint in scene.get("joint", {}).values())
    if not places or others or followers or any(name not in scene["joint"] for name in places):
        return
    read = torques(program, file, folder, places, scene)
    if read is None:
        result.differences["torques"] = math.inf
        return
    zero = np.zeros(model.nv)
    held = pinocchio.rnea(model, data, configuration(model, places), zero, zero)
    at = {name: held[model.joints[k].idx_v] for k, name in enumerate(model.names) if name in read}
    largest = max([abs(x) for x in at.values()] + [1e-6 * max(expected, 1e-3)])
    result.differences["torques"] = max(abs(at[name] - read[name]) for name in at) / largest


def examine(program: str, file: Path, package: str) -> Result:
    result = Result(file, package)
    try:
        with tempfile.TemporaryDirectory() as folder:
            scene, result.reason = convert(program, file, Path(folder))
            if scene is None:
                result.state = "mended"
                mended, reason = convert(program, file, Path(folder), "--inertia", "mended")
                if mended is None:
                    result.state, result.reason = "refused", reason
                return result
            compare(program, file, Path(folder), scene, result)
    except (subprocess.TimeoutExpired, ValueError, KeyError, ET.ParseError) as error:
        result.reason = f"not compared: {type(error).__name__}: {error}".splitlines()[0]
    return result


def fetch(folder: Path, downloads: Path) -> None:
    """Downloads each package once and takes its URDF files; one that cannot be had is named and left out."""
    downloads.mkdir(parents=True, exist_ok=True)
    lines = (Path(__file__).parent / "packages.txt").read_text().splitlines()
    for package in [line for line in lines if line and not line.startswith("#")]:
        name = package.split("==")[0].replace("-", "_")
        if (folder / name).exists():
            continue
        if not list(downloads.glob(f"{name}-*.whl")):
            command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", package]
            done = subprocess.run(command, cwd=downloads, capture_output=True, text=True)
            if done.returncode != 0:
                print(f"left out: {package}: {done.stderr.strip().splitlines()[-1]}")
                continue
        for wheel in downloads.glob(f"{name}-*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(folder / name, [entry for entry in archive.namelist() if entry.endswith(".urdf")])


def package_of(file: Path) -> str:
    return f"{file.parts[0]}, {OBJECTS}" if OBJECTS in file.parts else file.parts[0]


def print_table(results: list[Result]) -> None:
    print("| package | files | read | with mended inertia | refused | compared | torques compared |")
    print("|---|---|---|---|---|---|---|")
    rows = [(name, list(group)) for name, group in itertools.groupby(results, lambda result: result.package)]
    for name, group in [*rows, ("all", results)]:
        count = Counter(result.state for result in group)
        compared, torques = (sum(key in result.differences for result in group) for key in ("mass", "torques"))
        states = f"{count['read']} | {count['mended']} | {count['refused']}"
        print(f"| {name} | {len(group)} | {states} | {compared} | {torques} |")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--downloads", type=Path, default=Path("build/downloads"))
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    folders = given.folders or [Path("build/robots")]
    if not given.folders:
        fetch(folders[0], given.downloads)
    once = {  # packages hold copies
        file.read_bytes(): (file.resolve(), package_of(file.relative_to(folder)))
        for folder in folders
        for file in sorted(folder.rglob("*.urdf"), reverse=True)
    }
    if not once:
        print("no files: there is no network")
        return 77
    files = sorted(once.values(), key=lambda entry: (entry[1], entry[0]))
    with ThreadPoolExecutor(given.processes) as pool:
        results = list(pool.map(lambda entry: examine(given.program, *entry), files))
    print_table(results)
    print(f"{len(results)} files: {dict(Counter(result.state for result in results))}")
    for name in ("mass", "frames", "torques"):
        found = [result.differences[name] for result in results if name in result.differences]
        if found:
            equal = sum(x <= TOLERANCE for x in found)
            print(f"{name}: {equal} of {len(found)} within {TOLERANCE:g}, largest difference {max(found):.1e}")
    wrong = [r for r in results if any(not x <= TOLERANCE for x in r.differences.values())]
    for result in results:
        if result.reason:
            print(f"{result.state}: {result.file}: {result.reason}")
    for result in wrong:
        print(f"differs: {result.file}: {result.differences}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
