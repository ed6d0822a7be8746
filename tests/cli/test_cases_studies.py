"""Forces of kinematic analyses, filter states, modes and linear models: inputs of tests/cases/studies and their relatives."""

import csv
import math
import random

import pytest
from conftest import ROOT

CASES = ROOT / "tests/cases/studies"


def case(flexura, name: str, *changes: tuple[str, str]) -> str:
    text = (CASES / f"{name}.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    flexura.write("scene.toml", text)
    return text


def columns(flexura, sensor: str, analysis: str = "", scene: str = "scene.toml") -> list[list[float]]:
    """Rows of a sensor's table, the time first."""
    flexura("run", scene, "-o", "out", "--force", "-q", "--no-report")
    return table(flexura, sensor, analysis)


def table(flexura, sensor: str, analysis: str = "") -> list[list[float]]:
    name = f"{analysis}.{sensor}" if analysis else sensor
    with open(flexura.folder / "out" / f"{name}.csv", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return [[float(x) for x in row] for row in rows[1:]]


# ── Forces in kinematic analyses ─────────────────────────────────────────────────────────────────────────────────────


def test_drive_torque_of_a_kinematic_analysis(flexura):
    """By Lagrange's equation: J φ̈ + m g … + k φ, the same to rounding as inverse dynamics."""
    case(flexura, "kinematic_drive_torque")
    assert columns(flexura, "d")[-1][1] == pytest.approx(15.1547, abs=5e-5)


def random_chain(rng: random.Random, kind: str) -> str:
    """Links whose joints are all driven, with springs, relaxation, friction, loads and every sensor of a force."""
    spatial = rng.random() < 0.5
    number = rng.uniform
    out = [f'space = "{"spatial" if spatial else "planar"}"', f"gravity = {[0.0, -9.81] + [0.0] * spatial}"]
    zero = [0.0] * (3 if spatial else 2)
    at, before = [0.0] * len(zero), "ground"
    for k in range(rng.randint(1, 4)):
        length = number(0.2, 0.5)
        inertia = [0.03, 0.04, 0.05] if spatial else number(0.01, 0.1)
        center = [number(0, 0.3)] + [number(-0.05, 0.05) for _ in zero[1:]]
        out.append(
            f"[body.b{k}]\nposition = {at}\nm = {number(0.5, 3)}\ninertia = {inertia}\ncenter = {center}\n"
            f"points = {{ tip = {[length] + zero[1:]} }}"
        )
        axis = rng.choice(["[0, 0, 1]", "[0, 1, 0]", "[1, 0, 0]", "[0.6, 0, 0.8]"])
        drive = f'"= {number(0.1, 0.6)} * sin({number(2, 12)} * t)"'
        slides = rng.random() < 0.2
        out.append(
            f'[joint.j{k}]\ntype = "{"prismatic" if slides else "revolute"}"\nof = ["{before}", "b{k}"]\nat = {at}\n'
            + (f"axis = {axis}\n" if spatial else "axis = [1, 0]\n" if slides else "")
            + (f'method = "{rng.choice(["eliminated", "multipliers"])}"\n' if rng.random() < 0.5 else "")
            + f"{'displacement' if slides else 'angle'} = {drive}"
        )
        if rng.random() < 0.6:
            out.append(
                f'[spring.s{k}]\ntype = "joint"\nat = "j{k}"\nstiffness = {number(1, 60)}\ndamping = {number(0, 2)}'
                + ("\nrelaxation = [[0.4, 0.1]]" if rng.random() < 0.5 else "")
            )
            out.append(f'[sensor.spring{k}]\ntype = "{"force" if slides else "torque"}"\nof = "s{k}"')
        out.append(f'[sensor.drive{k}]\ntype = "drive_{"force" if slides else "torque"}"\nof = "j{k}"')
        out.append(f'[sensor.reaction{k}]\ntype = "reaction"\nof = "j{k}"')
        out.append(f'[sensor.moment{k}]\ntype = "reaction_moment"\nof = "j{k}"')
        at = [at[0] + length] + at[1:]
        before = f"b{k}"
    out.append(
        f'[load.f]\ntype = "force"\nat = "{before}.tip"\nforce = {[5.0] + [2.0] * len(zero[1:])}\nsignal = "= cos(3 * t)"'
    )
    out.append(f'[[analysis]]\nname = "go"\ntype = "{kind}"\nend = 0.3\nstep = 0.01\n')
    return "\n".join(out)


@pytest.mark.parametrize("seed", range(20))
def test_forces_of_random_chains(flexura, seed):
    read = {}
    for kind in ["kinematic", "inverse_dynamics"]:
        flexura.write("scene.toml", random_chain(random.Random(seed), kind))
        flexura("run", "scene.toml", "-o", "out", "--force", "-q", "--no-report")
        read[kind] = {f.name: f.read_text() for f in sorted((flexura.folder / "out").glob("*.csv"))}
    assert len(read["kinematic"]) >= 3
    assert read["kinematic"] == read["inverse_dynamics"]
