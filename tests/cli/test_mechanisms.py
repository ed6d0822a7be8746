"""Mechanisms with known motions: the IFToMM library, Andrews' squeezing mechanism, a free body and a heavy top."""

import math
import re

import h5py
import numpy
import pytest
from conftest import ROOT

G = 9.81


@pytest.fixture
def run(flexura):
    """Runs a shipped mechanism with changes; returns its summary and its results file."""

    def run(scene, *changes):
        settings = [word for change in changes for word in ("--set", change)]
        path = ROOT / "examples" / f"{scene}.toml"
        summary = flexura.summary(path, "--no-csv", "--force", "--output", scene, *settings)
        return summary, h5py.File(flexura.folder / scene / "results.h5")

    return run


def last(summary, sensor):
    return numpy.atleast_1d(summary["sensors"][sensor]["last"])


def order(errors):
    return math.log2(errors[0] / errors[1])


def integrate(rate, y, end, steps):
    """Classical Runge-Kutta of fourth order."""
    y, h = numpy.array(y, dtype=float), end / steps
    for _ in range(steps):
        a = rate(y)
        b = rate(y + h / 2 * a)
        c = rate(y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))
    return y


# IFToMM A01, exact to ten digits. 8(5,3) at 1e-11 is 3e-11 off (measured); generalized-alpha is second order.
def test_simple_pendulum(run):
    exact = {1: [0.9862917511, -0.1650108531], 10: [-0.2750874626, -0.9614192051]}
    for end, place in exact.items():
        assert last(run("swinging_mass", f"analysis.swing.end={end}")[0], "bob") == pytest.approx(place, abs=1e-9)
    errors = []
    for step in (2e-3, 1e-3):
        summary, _ = run(
            "swinging_mass",
            "analysis.swing.end=1",
            f"analysis.swing.step={step}",
            'analysis.swing.integrator={ type = "generalized-alpha" }',
        )
        errors.append(abs(last(summary, "bob") - exact[1]).max())
    assert errors[1] < 2e-5
    assert order(errors) == pytest.approx(2, abs=0.1)


# IFToMM A02, exact to ten digits; second order, and better where what is left comes from the singular positions passed.
def test_two_windows(run):
    exact = {1: [-0.1950203019, -0.9807992057], 5: [-0.8113104610, -0.5846155454], 10: [0.3284581115, 0.9445185382]}
    for end, place in exact.items():
        errors = []
        for step in (2e-3, 1e-3):
            summary, _ = run("windows_2", f"analysis.turn.end={end}", f"analysis.turn.step={step}")
            errors.append(abs(last(summary, "B0") - place).max())
        assert errors[1] < 1.2e-5
        assert order(errors) > 1.9


# Explicit steps end near singular positions too: what is left of the constraints there is all rounding.
def test_two_windows_by_runge_kutta(run):
    precise = 'analysis.turn.integrator={ type = "rk853", rtol = 1e-9, atol = 1e-11 }'
    summary, _ = run("windows_2", precise)
    assert last(summary, "B0") == pytest.approx([0.3284581115, 0.9445185382], abs=1e-8)


# Singular twice each turn. A parallelogram: theta'' = -(W/I) g cos(theta). Newton failed at half a millisecond once: its
# stop rule asked for less than the rounding of a length near the singular position.
@pytest.mark.parametrize("step", [2e-3, 1e-3, 5e-4])
def test_forty_windows_pass_their_singular_positions(run, step):
    n = 40
    weight, inertia = (n + 1) / 2 + n, (n + 1) / 3 + n

    def rate(y):
        return numpy.array([y[1], -weight / inertia * G * math.cos(y[0])])

    angle, _ = integrate(rate, [math.pi / 2, -1], 10, 20000)
    summary, file = run("windows_40", f"analysis.turn.step={step}")
    # Measured 2.1e-4 at 1 ms.
    assert last(summary, "B0") == pytest.approx([math.cos(angle), math.sin(angle)], abs=2.5e2 * step**2)
    first, other = (file[f"/sensors/{name}/position"][()] for name in ("B0", "BN"))
    assert abs(other - first - [n, 0]).max() < 1e-9
    assert abs(file["/sensors/B0/position"][:, 1]).min() < 0.05, "it comes near where all rods are on a line"
    assert summary["violation"] < 1e-12


def andrews_table():
    """q and v at 0.03 s; the table is good to 1.4e-9 in q."""
    q = [15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948]
    q += [0.5244099658805304, 0.5347301163226948, 1.048080741042263]
    return numpy.array(q)


# Test set for initial value problems; beta and Theta by an extrapolation in 80 bits too, from which 1e-13 is left.
def test_andrews_squeezer_has_the_digits_of_its_table(run):
    summary, _ = run("andrews")
    turn = {name: last(summary, name)[2] for name in ("OF", "EF", "EBD", "GE", "AG", "HE", "AH")}
    quarter = math.pi / 2
    delta, epsilon = turn["AG"], turn["AH"] + quarter
    q = [turn["OF"], turn["EF"] - turn["OF"], turn["EBD"], turn["GE"] + quarter - delta, delta]
    q += [turn["HE"] - epsilon, epsilon]
    assert q == pytest.approx(andrews_table(), abs=2e-9)
    assert q[:2] == pytest.approx([15.810771195153704, -15.756371058411836], abs=1e-11)
    assert last(summary, "crank_rate")[0] == pytest.approx(1139.920302151208, rel=1e-9)
    assert abs(summary["energy"]["numerical"]) < 1e-11


# IFToMM A04, exact to nine digits. Energy: within 1e-5 J of what it was (measured 7.7e-6), energy-momentum 1e-9 J.
def test_bricard(run):
    exact = {
        1: [0.274481319, -0.886707939, -0.462330003],
        5: [0.999932742, -0.999999998, -0.000067255],
        10: [0.999730987, -0.999999964, -0.000268976],
    }
    for end, place in exact.items():
        errors = []
        for step in (4e-3, 2e-3, 1e-3):
            summary, _ = run("bricard", f"analysis.swing.end={end}", f"analysis.swing.step={step}")
            errors.append(abs(last(summary, "P3") - place).max())
            assert summary["model"]["redundant"] == 1
        if end == 1:
            assert order(errors[1:]) == pytest.approx(2, abs=0.1)
        assert errors[-1] < 5e-6
    energy = summary["sensors"]["energy"]
    assert energy["max"] - energy["min"] < 1e-5
    summary, _ = run("bricard", 'analysis.swing.integrator={ type = "energy-momentum" }')
    energy = summary["sensors"]["energy"]
    assert energy["max"] - energy["min"] < 1e-9
    assert last(summary, "P3") == pytest.approx(exact[10], abs=1e-5)


# IFToMM A05: the same by three equations for shaft, rods and slider (symmetric), in this test. J: of everything about the
# shaft with the rods at the angle b below the horizontal; P = J w stays.
def test_governor_follows_its_three_equations(run):
    rod, ball, slider, width = 0.3, 5.0, 3.0, 0.01
    about_hinge = rod / 3 + rod * width**2 / 12 + ball
    moment = rod / 2 + ball

    def inertia(b):
        return (
            0.3 * width**2 / 6
            + slider * 0.1**2 / 6
            + 2 * (rod * (0.05**2 + 0.05 * math.cos(b) + math.cos(b) ** 2 / 3) + ball * (0.05 + math.cos(b)) ** 2)
            + rod * width**2 / 6 * (1 + math.sin(b) ** 2)
        )

    def slope(b):
        arm = rod * (0.05 + 2 / 3 * math.cos(b)) + 2 * ball * (0.05 + math.cos(b))
        return -2 * arm * math.sin(b) + rod * width**2 / 3 * math.sin(b) * math.cos(b)

    spin = 2 * math.pi * inertia(math.pi / 6)

    def rate(y):
        b, z, db, dz, _ = y
        down = 1 - 0.5 * math.sin(b) - z
        length = math.hypot(0.5 * math.cos(b), down)
        by_b = (-0.25 * math.cos(b) * math.sin(b) - 0.5 * down * math.cos(b)) / length
        by_z = -down / length
        force = 8e5 * (length - 0.5) + 4e4 * (by_b * db + by_z * dz)
        turning = 0.5 * (spin / inertia(b)) ** 2 * slope(b)
        ddb = (turning + 2 * G * moment * math.cos(b) - 2 * force * by_b) / (2 * about_hinge)
        ddz = -G - 2 * force * by_z / slider
        return numpy.array([db, dz, ddb, ddz, spin / inertia(b)])

    b, z, _, _, turn = integrate(rate, [math.pi / 6, 0.5, 0, 0, 0], 1, 10000)
    errors = []
    for step in (2e-3, 1e-3):
        summary, _ = run("governor", "analysis.turn.end=1", f"analysis.turn.step={step}")
        place = (0.05 + math.cos(b)) * numpy.array([math.cos(turn), math.sin(turn), 0]) + [0, 0, 1 - math.sin(b)]
        errors.append(abs(last(summary, "right_ball") - place).max())
        assert last(summary, "slider")[:2] == pytest.approx([0, 0], abs=1e-12)
        assert last(summary, "slider")[2] == pytest.approx(z, abs=40 * step**2)
    assert errors[1] < 2e-4
    assert order(errors) == pytest.approx(2, abs=0.15)


# The benchmark's library, to nine digits.
def test_spatial_slider_crank(run):
    summary, _ = run("slider_crank")
    assert last(summary, "crank") == pytest.approx([10.913590730], abs=2e-9)
    assert last(summary, "crank_rate")[0] == pytest.approx(10.427593000, abs=2e-8)
    assert last(summary, "block")[0] == pytest.approx(0.211721661, abs=1e-9)
    exact = [0.560031482, 5.828888135, 0.226787189]
    changes = ("analysis.start.end=0.05", "analysis.turn.end=0.1")

    def found(*more):
        summary, _ = run("slider_crank", *changes, *more)
        return numpy.array([last(summary, name)[0] for name in ("crank", "crank_rate", "block")])

    assert found() == pytest.approx(exact, abs=1e-9)
    errors = []
    for step in (1e-3, 5e-4):
        implicit = [f"analysis.{name}.{rest}" for name in ("start", "turn") for rest in (f"step={step}", METHOD)]
        errors.append(abs(found(*implicit) - exact).max())
    assert errors[1] < 1e-4
    assert order(errors) == pytest.approx(2, abs=0.15)


METHOD = 'integrator={ type = "generalized-alpha" }'


def euler(inertia, moment):
    """Rates of angular velocity (body axes) and quat_xyzw; gravity's moment with the centre on the third axis."""

    def rate(y):
        w, (i, j, k, s) = y[:3], y[3:]
        up = [2 * (i * k - s * j), 2 * (j * k + s * i)]  # the vertical in body axes
        turned = numpy.cross(inertia * w, w) + moment * numpy.array([up[1], -up[0], 0])
        v = numpy.array([i, j, k])
        return numpy.concatenate([turned / inertia, 0.5 * (s * w + numpy.cross(v, w)), [-0.5 * v @ w]])

    return rate


def same_orientation(a, b, tolerance):
    a, b = numpy.array(a), numpy.array(b) / numpy.linalg.norm(b)
    return min(abs(a - b).max(), abs(a + b).max()) < tolerance


# The reference is good to 1e-10; the unstable axis amplifies errors by 1e5 in 4 s.
def test_free_body_turns_over_and_keeps_energy_and_momentum(run):
    exact = integrate(euler(numpy.array([1.0, 2, 3]), 0), [0.02, 5, 0.01, 0, 0, 0, 1], 4, 16000)
    summary, file = run("free_body")
    energy = summary["sensors"]["energy"]
    assert energy["max"] - energy["min"] < 1e-10 * energy["max"]
    frame = last(summary, "racket")
    assert frame[:3] == pytest.approx([4, -8, 2], abs=1e-11)
    errors = []
    for step in (1e-3, 5e-4):
        summary, _ = run("free_body", f"analysis.fly.step={step}")
        quat = last(summary, "racket")[3:] * math.copysign(1, last(summary, "racket")[3:] @ exact[3:])
        errors.append(abs(quat - exact[3:]).max())
    assert order(errors) == pytest.approx(2, abs=0.15)
    precise = 'analysis.fly.integrator={ type = "rk853", rtol = 1e-12, atol = 1e-12 }'
    assert same_orientation(last(run("free_body", precise)[0], "racket")[3:], exact[3:], 1e-7)


# Reference: good to 1e-9 at 40 rad/s.
def test_heavy_top(run):
    start = [0, 0, 40, math.sin(0.5), 0, 0, math.cos(0.5)]
    exact = integrate(euler(numpy.array([0.2, 0.2, 0.05]), G * 0.4), start, 2, 20000)
    summary, _ = run("top")
    assert same_orientation(last(summary, "top")[3:], exact[3:], 1e-7)
    assert abs(summary["energy"]["numerical"]) < 1e-8


# Joints by elimination or by multipliers: the same motion. By a method whose formulas are the same for every combination of
# coordinates; generalized-alpha lets each body turn, and others of the same order where another body has a shared vector.
@pytest.mark.parametrize("scene", ["windows_2", "bricard", "slider_crank", "governor"])
def test_multiplied_joints_move_like_eliminated_ones(run, scene):
    text = (ROOT / "examples" / f"{scene}.toml").read_text(encoding="utf-8")
    changes = [f'joint.{name}.method="multipliers"' for name in re.findall(r"\[joint\.(\w+)\]", text)]
    common = []
    if "rk853" not in text:
        name = re.search(r'\[\[analysis\]\]\nname = "(\w+)"', text)[1]
        common = [f'analysis.{name}.integrator="energy-momentum"', f"analysis.{name}.end=2"]
    one, other = run(scene, *common)[0], run(scene, *common, *changes)[0]
    assert other["model"]["multipliers"] > one["model"]["multipliers"]
    places = [k for k in one["sensors"] if k not in ("energy", "open", "dissipated")]
    for sensor in places:
        assert last(other, sensor) == pytest.approx(last(one, sensor), abs=1e-9), sensor


def test_the_shipped_scene_of_windows_is_what_its_script_writes():
    import subprocess
    import sys

    for n in (2, 40):
        script = ROOT / "validation" / "iftomm" / "windows.py"
        done = subprocess.run([sys.executable, script, str(n)], capture_output=True, text=True, check=True)
        assert done.stdout == (ROOT / "examples" / f"windows_{n}.toml").read_text(encoding="utf-8")
