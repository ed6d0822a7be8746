"""Damped modes of chains of masses against NumPy's eigenvalues of their own matrices, with stiffnesses and dampers over many decades."""

import csv
import math

import numpy
import pytest


def scene(masses, springs, dampers, count) -> str:
    """A chain on rails: spring k joins mass k - 1, the first one the ground, with mass k; a last one may join the end to the ground."""
    text = ""
    for k, m in enumerate(masses):
        text += f"[body.b{k}]\nposition = [{k + 1}, 0]\nm = {m}\ninertia = 1\n"
        text += f'[joint.j{k}]\ntype = "prismatic"\nof = ["ground", "b{k}"]\naxis = [1, 0]\n'
    for k, (stiffness, damping) in enumerate(zip(springs, dampers, strict=True)):
        first = "[0, 0]" if k == 0 else f'"b{k - 1}"'
        second = f'"b{k}"' if k < len(masses) else f"[{k + 1}, 0]"
        text += f'[spring.s{k}]\ntype = "linear"\nbetween = [{first}, {second}]\n'
        text += f"stiffness = {stiffness}\ndamping = {damping}\n"
    return text + f'[[analysis]]\nname = "m"\ntype = "modes"\ncount = {count}\ndamped = true\n'


def exponents(masses, springs, dampers) -> list[complex]:
    """s with Im s >= 0 by |s|, of the chain's M, C, K."""
    n = len(masses)
    tie = numpy.zeros((len(springs), n))
    for k in range(len(springs)):
        if k > 0:
            tie[k, k - 1] = -1
        if k < n:
            tie[k, k] = 1
    inverse = numpy.diag(1 / numpy.array(masses))
    rate, stiffness = (inverse @ tie.T @ numpy.diag(x) @ tie for x in (dampers, springs))
    matrix = numpy.block([[numpy.zeros((n, n)), numpy.eye(n)], [-stiffness, -rate]])
    return sorted((s for s in numpy.linalg.eigvals(matrix) if s.imag >= 0), key=abs)


def read(flexura) -> list[complex]:
    with (flexura.folder / "out" / "m.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return [complex(float(row[3]), 2 * math.pi * max(float(row[1]), 0)) for row in rows]


# From one shift exponents were known within some three decades; what was beyond was left out, or counted as a rigid motion of 0 Hz.
@pytest.mark.parametrize("seed", range(20))
def test_all_modes_of_a_chain(flexura, seed):
    random = numpy.random.default_rng(seed)
    n = int(random.integers(1, 8))
    masses = random.uniform(0.3, 3, n)
    springs, dampers = 10 ** random.uniform(0, 7, n), 10 ** random.uniform(-2, 3, n)
    expected = exponents(masses, springs, dampers)
    largest = abs(expected[-1])
    for count in {1, len(expected) // 2 + 1, len(expected)}:
        flexura.write("scene.toml", scene(masses, springs, dampers, count))
        summary = flexura.summary("scene.toml", "-o", "out", "--force")
        found = read(flexura)
        assert len(found) == count
        for k, s in enumerate(found):
            # NumPy's have an error of the size of the largest; those of nearly equal size may change their order.
            nearest = min(expected, key=lambda e, s=s: abs(e - s))
            assert abs(s - nearest) <= 1e-6 * abs(nearest) + 1e-12 * largest
            assert abs(abs(s) - abs(expected[k])) <= 1e-6 * abs(s) + 1e-12 * largest
        assert not [text for text in summary["warnings"] if "inexact" in text]
        damping = summary["modes"][0]["damping"]  # was left out where all modes are overdamped
        assert damping == pytest.approx([-s.real / abs(s) for s in found], abs=1e-9)


# 60 equal masses between two springs to the ground: omega_j = 2 sqrt(k/m) sin(j pi / 122), zeta = c omega / 2 k. The growing space did not
# converge from eight modes on, by multipliers.
@pytest.mark.parametrize("count", [8, 20])
def test_modes_of_a_long_chain_by_multipliers(flexura, count):
    n, k, m, c = 60, 100.0, 1.0, 0.378
    text = scene([m] * n, [k] * (n + 1), [c] * (n + 1), count).replace(
        "axis = [1, 0]", 'axis = [1, 0]\nmethod = "multipliers"'
    )
    flexura.write("scene.toml", text)
    flexura.summary("scene.toml", "-o", "out", "--force")
    omega = 2 * math.sqrt(k / m) * numpy.sin(numpy.arange(1, count + 1) * math.pi / (2 * (n + 1)))
    assert [abs(s) for s in read(flexura)] == pytest.approx(omega, rel=1e-8)
    assert [-s.real / abs(s) for s in read(flexura)] == pytest.approx(c * omega / (2 * k), rel=1e-6)
