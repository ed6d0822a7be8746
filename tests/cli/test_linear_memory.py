"""Linear models through what remembers: gas that has passed a line, nuts of drives with limits.

A chamber of constant volume holds C = dm/dP = m/(n P) more gas by each pascal: lines and chambers are a network of
resistances and capacities. The walls here, of 2 TPa, give way by 1e-12 of the volume by each pascal, 2e-7 of what the
gas does. Of three chambers in series that is 1.3e-6 (measured): the tolerance of closed forms is 3e-6. Statics lets
10⁴ s pass by each load step, of which up to 1e-4 of a pressure is left: closed forms are those of the pressures that
are there.
"""

import json
import math
import random

import numpy as np
import pytest
from conftest import BAD_INPUT, PROGRAM

pytestmark = pytest.mark.skipif(
    not PROGRAM.with_name("flexura-study").exists(), reason="flexura-study is not built here"
)

AMBIENT = 101325.0
WALLS = 3e-6  # of closed forms: walls that give way

HEAD = """space = "spatial"
gravity = [0, 0, 0]
[material.steel]
type = "yeoh"
c10 = 1e12
nu = 0.3
rho = 1100.0
"""


def chamber(name: str, n: float = 1.4, dead: float = 1e-5, overpressure: float = 0.0, at: float = 0.0) -> str:
    return f"""
[solid.wall_{name}]
shape = {{ type = "tube", inner = 0.02, outer = 0.025, height = 0.06 }}
elements = [1, 3, 1]
material = "steel"
position = [{at}, 0, 0]
[joint.hold_{name}]
type = "weld"
of = ["ground", "wall_{name}.bottom"]
[chamber.{name}]
surfaces = ["wall_{name}.inner"]
lids = true
overpressure = {overpressure}
exponent = {n}
dead_volume = {dead}
[sensor.p_{name}]
type = "pressure"
of = "{name}"
[sensor.m_{name}]
type = "gas_mass"
of = "{name}"
"""


def table(path: str, **entries) -> str:
    rows = [f"{key} = {json.dumps(value)}" for key, value in entries.items()]
    return f"\n[{path}]\n" + "\n".join(rows) + "\n"


def signal(name: str, value: float) -> str:
    return table(f"signal.{name}", type="input", value=value)


STATIC = '\n[[analysis]]\nname = "rest"\ntype = "static"\n'


def motion(end: float = 1.0, step: float = 0.01, more: str = "") -> str:
    return f'\n[[analysis]]\nname = "go"\ntype = "dynamic"\nend = {end}\nstep = {step}\n{more}'


class Linear:
    """A linear model and the responses at frequencies, by the command."""

    def __init__(self, flexura, text: str, *arguments: str, frequencies: str | None = "0.05:2:3", status: int = 0):
        flexura.write("scene.toml", text)
        said = flexura(
            "linearise",
            "scene.toml",
            "--json",
            "-q",
            *(["--frequency-response", frequencies] if frequencies else []),
            *arguments,
            status=status,
        )
        self.said = said.stderr
        if status:
            return
        self.model = json.loads(said.stdout)
        n, m, k = (len(self.model[x]) for x in ("states", "inputs", "outputs"))
        self.A, self.B, self.C, self.D = (
            np.array(self.model[x]).reshape(shape) for x, shape in zip("ABCD", [(n, n), (n, m), (k, n), (k, m)])
        )
        if not frequencies:
            return
        response = self.model["response"]
        self.frequencies = np.array(response["frequencies"])
        self.sparse = np.array(response["real"]) + 1j * np.array(response["imag"])

    def gas(self) -> list[str]:
        return [name for name in self.model["states"] if name.startswith("line.")]

    def output(self, name: str) -> int:
        return self.model["outputs"].index(name)

    def y(self, name: str) -> float:
        return self.model["y"][self.output(name)]

    def dense(self) -> np.ndarray:
        eye = np.eye(len(self.A))
        return np.array(
            [self.C @ np.linalg.solve(2j * np.pi * f * eye - self.A, self.B) + self.D for f in self.frequencies]
        )

    def check(self, output: str, exact, rel: float, of_input: int = 0) -> None:
        """Both the matrices and the sparse response, against a function of s."""
        expected = np.array([exact(2j * np.pi * f) for f in self.frequencies])
        assert np.all(np.abs(expected) > 0)
        for found in (self.dense(), self.sparse):
            got = found[:, self.output(output), of_input]
            assert got == pytest.approx(expected, rel=rel, abs=0)


def capacity(mass: float, overpressure: float, n: float) -> float:
    return mass / (n * (AMBIENT + overpressure))


# ── Laminar lines: networks of R and C ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("n", [1.0, 1.4])
@pytest.mark.parametrize("base", [0.0, 40e3])
def test_supply_through_a_resistance(flexura, n, base):
    """p/u = 1/(1 + R C s): a first-order lag of corner frequency 1/(2π R C)."""
    text = HEAD + chamber("a", n) + table("line.s", type="supply", of="a", pressure="u", resistance=2e9)
    linear = Linear(flexura, text + signal("u", base) + STATIC + motion(), "--input", "u", "--sensor", "p_a,m_a")
    C = capacity(linear.y("m_a"), linear.y("p_a"), n)
    corner = 1 / (2 * math.pi * 2e9 * C)
    assert linear.gas() == ["line.s.passed"]
    assert linear.model["state_units"][linear.model["states"].index("line.s.passed")] == "kg"
    assert linear.y("p_a") == pytest.approx(base, rel=1e-4)
    linear.check("p_a", lambda s: 1 / (1 + 2e9 * C * s), WALLS)
    linear.check("m_a", lambda s: C / (1 + 2e9 * C * s), WALLS)
    slowest = min(abs(complex(p["real"], p["imag"])) for p in linear.model["eigenvalues"])
    assert slowest / (2 * math.pi) == pytest.approx(corner, rel=WALLS)
    assert linear.model["warnings"] == [] and "warning" not in linear.said


def ladder(values: list[tuple[float, float]]):
    """p of the last of chambers in series behind resistances, by chain matrices."""

    def response(s: complex) -> complex:
        chain = np.eye(2, dtype=complex)
        for resistance, C in values:
            chain = chain @ np.array([[1, resistance], [0, 1]]) @ np.array([[1, 0], [s * C, 1]])
        return 1 / chain[0, 0]

    return response


def test_lines_in_series(flexura):
    """A supply, and chambers behind each other: the network's chain matrices."""
    text = HEAD + chamber("a") + chamber("b", dead=3e-5, at=1.0) + chamber("c", at=2.0)
    text += table("line.s", type="supply", of="a", pressure="u", resistance=2e9)
    text += table("line.ab", type="between", of="a", to="b", resistance=1e9)
    text += table("line.cb", type="between", of="c", to="b", resistance=3e9)
    linear = Linear(flexura, text + signal("u", 1e3) + STATIC + motion(), "--sensor", "p_a,p_b,p_c,m_a,m_b,m_c")
    C = [capacity(linear.y(f"m_{x}"), linear.y(f"p_{x}"), 1.4) for x in "abc"]
    assert len(linear.gas()) == 3
    linear.check("p_c", ladder([(2e9, C[0]), (1e9, C[1]), (3e9, C[2])]), WALLS)


def test_line_between_two_closed_chambers(flexura):
    """What one loses the other gains: a pole −(1/C_a + 1/C_b)/R and no other of the gas."""
    text = HEAD + chamber("a") + chamber("b", dead=3e-5, at=1.0)
    text += table("line.ab", type="between", of="a", to="b", resistance=1e9, opening="u")
    text += signal("u", 1.0) + motion()
    linear = Linear(flexura, text, "--sensor", "p_a,m_a,m_b", frequencies="0.2:2:2")
    C = [capacity(linear.y(f"m_{x}"), 0, 1.4) for x in "ab"]
    poles = sorted(abs(complex(p["real"], p["imag"])) for p in linear.model["eigenvalues"])
    assert poles[0] == pytest.approx((1 / C[0] + 1 / C[1]) / 1e9, rel=WALLS)
    assert linear.sparse[0, 0, 0] == 0  # no pressure drives anything through the opening: rightly


def test_inflow_is_an_integral(flexura):
    """p/u = 1/(C s), m/u = 1/s."""
    text = HEAD + chamber("a") + table("line.i", type="inflow", of="a", rate="u") + signal("u", 0.0) + STATIC + motion()
    linear = Linear(flexura, text, "--sensor", "p_a,m_a")
    C = capacity(linear.y("m_a"), 0, 1.4)
    linear.check("p_a", lambda s: 1 / (C * s), WALLS)
    linear.check("m_a", lambda s: 1 / s, 1e-9)


def test_lines_side_by_side_share_a_state(flexura):
    """Supply, vent and inflow of one chamber: its gas is the one state. p/u = R_2/(R_1 + R_2) in the end."""
    base, R1, R2 = 30e3, 2e9, 1e9
    text = HEAD + chamber("a")
    text += table("line.s", type="supply", of="a", pressure="u", resistance=R1)
    text += table("line.v", type="vent", of="a", resistance=R2)
    text += table("line.i", type="inflow", of="a", rate="i")
    text += signal("u", base) + signal("i", 0.0) + STATIC + motion()
    linear = Linear(flexura, text, "--sensor", "p_a,m_a", "--input", "u,i", frequencies="0.01:1:3")
    assert len(linear.gas()) == 1
    C = capacity(linear.y("m_a"), linear.y("p_a"), 1.4)
    parallel = 1 / (1 / R1 + 1 / R2)
    assert linear.y("p_a") == pytest.approx(base * R2 / (R1 + R2), rel=1e-4)
    linear.check("p_a", lambda s: parallel / R1 / (1 + parallel * C * s), WALLS, 0)
    linear.check("p_a", lambda s: parallel / (1 + parallel * C * s), WALLS, 1)
    assert max(map(abs, linear.model["drift"])) < 1e-4 * base / R1  # gas runs through, none stays


def test_supply_behind_a_lag(flexura):
    """The supply follows an expression of a lag of the input: 2/(1 + T s) of the chamber's lag, and a state more."""
    text = HEAD + chamber("a") + table("line.s", type="supply", of="a", pressure="double", resistance=2e9)
    text += table("signal.l", type="lag", of="u", time_constant=0.3)
    text += table("signal.double", type="expression", formula="2 * signal(l)")
    linear = Linear(flexura, text + signal("u", 0.0) + STATIC + motion(), "--input", "u", "--sensor", "p_a,m_a")
    C = capacity(linear.y("m_a"), linear.y("p_a"), 1.4)
    linear.check("p_a", lambda s: 2 / (1 + 0.3 * s) / (1 + 2e9 * C * s), WALLS)


def test_opening_as_an_input(flexura):
    """A vent that opens by u lets p/R out: p/u = −(p/R) R′/(1 + R′ C s), R′ of both lines; shut, it is an integral."""
    base, R1, R2 = 30e3, 2e9, 1e9
    text = HEAD + chamber("a", overpressure=base)
    supply = table("line.s", type="supply", of="a", pressure="w", resistance=R1) + signal("w", base)
    vent = table("line.v", type="vent", of="a", resistance=R2, opening="u")
    linear = Linear(
        flexura, text + supply + vent + signal("u", 0.5) + STATIC + motion(), "--sensor", "p_a,m_a", "--input", "u"
    )
    p, C = linear.y("p_a"), capacity(linear.y("m_a"), linear.y("p_a"), 1.4)
    parallel = 1 / (1 / R1 + 0.5 / R2)
    linear.check("p_a", lambda s: -p / R2 * parallel / (1 + parallel * C * s), WALLS)
    shut = Linear(flexura, text + vent + signal("u", 0.0) + motion(), "--sensor", "p_a,m_a")
    p, C = shut.y("p_a"), capacity(shut.y("m_a"), shut.y("p_a"), 1.4)
    shut.check("p_a", lambda s: -p / R2 / (C * s), WALLS)


# ── Orifices ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def orifice(pa: float, pb: float, conductance: float, b: float, n: float, opening: float = 1.0) -> float:
    """ISO 6358 between a supply as warm as the filling (a) and a chamber of exponent n filled at 1 atm (b) [kg/s]."""
    A, B = AMBIENT + pa, AMBIENT + pb
    up, down, T = (A, B, 293.15) if A > B else (B, A, 293.15 * (B / AMBIENT) ** ((n - 1) / n))
    r = down / up
    psi = lambda x: math.sqrt(1 - (max(x - b, 0) / (1 - b)) ** 2)  # noqa: E731
    shape = psi(r) if r < 0.999 else psi(0.999) * (1 - r) / 0.001
    return math.copysign(opening * conductance * 1.185 * up * math.sqrt(293.15 / T) * shape, A - B)


def derivative(f, x: float, step: float) -> float:
    """Of sixth order."""
    return sum(w * (f(x + k * step) - f(x - k * step)) for k, w in ((1, 0.75), (2, -0.15), (3, 1 / 60))) / step


@pytest.mark.parametrize("n", [1.0, 1.4])
def test_orifice_about_no_flow(flexura, n):
    """Above a ratio of 0.999 ψ is its chord [iso6358]: a resistance, where √ would have an infinite derivative."""
    Cv, b = 1e-9, 0.3
    text = HEAD + chamber("a", n)
    text += table("line.s", type="supply", of="a", pressure="u", law="orifice", conductance=Cv, critical_ratio=b)
    linear = Linear(flexura, text + signal("u", 0.0) + STATIC + motion(), "--sensor", "p_a,m_a")
    chord = math.sqrt(1 - ((0.999 - b) / (1 - b)) ** 2) / 0.001
    conductance = Cv * 1.185 * chord
    tau = capacity(linear.y("m_a"), 0, n) / conductance
    linear.check("p_a", lambda s: 1 / (1 + tau * s), WALLS)


@pytest.mark.parametrize("b", [0.2, 0.6])
@pytest.mark.parametrize("n", [1.0, 1.4])
def test_orifices_about_a_flow(flexura, b, n):
    """Supply and vent by orifices, run into their equilibrium; derivatives of the law by differences of sixth order."""
    base, C1, C2 = 60e3, 2e-9, 1e-9
    text = HEAD + chamber("a", n)
    text += table("line.s", type="supply", of="a", pressure="u", law="orifice", conductance=C1, critical_ratio=b)
    text += table("line.v", type="vent", of="a", law="orifice", conductance=C2, critical_ratio=b, opening="o")
    text += signal("u", base) + signal("o", 1.0) + motion(3.0, 0.02)
    linear = Linear(flexura, text, "--at", "3", "--sensor", "p_a,m_a", "--input", "u,o")
    p = linear.y("p_a")
    into = lambda u, p: orifice(u, p, C1, b, n)  # noqa: E731
    out = lambda p, o: -orifice(0, p, C2, b, n, o)  # noqa: E731
    assert into(base, p) == pytest.approx(out(p, 1), rel=1e-6)  # at rest by then
    C = capacity(linear.y("m_a"), p, n)
    g = derivative(lambda x: out(x, 1) - into(base, x), p, 20)
    linear.check("p_a", lambda s: derivative(lambda x: into(x, p), base, 20) / (g + C * s), 2e-6, 0)
    linear.check("p_a", lambda s: -out(p, 1) / (g + C * s), 2e-6, 1)


# ── Against the motion itself ────────────────────────────────────────────────────────────────────────────────────────


def random_network(rng: random.Random) -> tuple[str, list[float]]:
    """Chambers, and lines of every type and law between them and outside; inputs are pressures, rates or openings."""
    count = rng.randint(1, 3)
    names = "abc"[:count]
    out = [HEAD.replace("1e12", "1e7")]  # beside walls of 2 TPa Newton's method takes such flows for rounding
    bases = []
    n = rng.choice([1.0, 1.4])
    for k, name in enumerate(names):
        out.append(chamber(name, n, dead=rng.uniform(1e-5, 5e-5), overpressure=0.0, at=k))

    def given(base: float) -> str:
        bases.append(base)
        return f"u{len(bases) - 1}"

    def law() -> dict:
        if rng.random() < 0.5:
            return {"resistance": rng.uniform(0.5e9, 3e9)}
        return {"law": "orifice", "conductance": rng.uniform(5e-10, 3e-9), "critical_ratio": rng.uniform(0.1, 0.6)}

    lines = rng.randint(count, count + 2)
    for k in range(lines):
        kind = rng.choice(["supply", "vent", "inflow"] + ["between"] * 2 * (count > 1)) if k > 0 else "supply"
        entries: dict = {"type": kind, "of": rng.choice(names)}
        if kind == "inflow":
            entries["rate"] = given(rng.uniform(0, 2e-6))
        else:
            entries |= law()
        if kind == "supply":
            entries["pressure"] = given(rng.uniform(5e3, 80e3))
        if kind == "between":
            entries["to"] = rng.choice([x for x in names if x != entries["of"]])
        if kind in ("vent", "between") and rng.random() < 0.5:
            entries["opening"] = given(rng.uniform(0.3, 1.0))
        out.append(table(f"line.l{k}", **entries))
    return "".join(out), bases


@pytest.mark.parametrize("seed", range(7))
def test_small_motions_of_random_networks(flexura, seed):
    """The linear model under a sine against the difference of two runs, with it and with its negative.

    The difference of amplitudes ±ε of 1e-3 of each input leaves terms of third order. Steps of 2.5 ms leave 2e-3 of
    the largest (measured: 1.4e-3 at most) and where lines are short against them (h/τ)², most of it of the first, by
    implicit Euler's rule.
    """
    rng = random.Random(seed)
    scene, bases = random_network(rng)
    start, end, step = 40.0, 40.5, 0.0025
    analyses = f'\n[[analysis]]\nname = "settle"\ntype = "dynamic"\nend = {start}\nstep = 0.2\n' + motion(
        end, step, "tolerance = 1e-13\n"
    )
    before = "".join(signal(f"u{k}", base) for k, base in enumerate(bases))
    sensors = [f"{x}_{name}" for name in "abc" if f"[chamber.{name}]" in scene for x in "pm"]
    linear = Linear(
        flexura,
        scene + before + analyses,
        "--at",
        "settle",
        "--sensor",
        ",".join(sensors),
        "--input",
        ",".join(f"u{k}" for k in range(len(bases))),
        frequencies=None,
    )
    omega = 2 * math.pi * 2

    def run(epsilon: float) -> np.ndarray:
        driven = "".join(
            table(
                f"signal.u{k}",
                type="expression",
                formula=f"{base} * (1 + {epsilon} * {0.5 + k} * if(t < {start}, 0, sin({omega} * (t - {start}))))",
            )
            for k, base in enumerate(bases)
        )
        flexura.write("scene.toml", scene + driven + analyses)
        flexura("run", "scene.toml", "-o", "out", "--force", "-q", "--no-report")
        tables = [np.loadtxt(flexura.folder / "out" / f"{s}.csv", delimiter=",", skiprows=1) for s in sensors]
        rows = round((end - start) / step) + 1
        assert tables[0][-rows, 0] == pytest.approx(start)
        return np.array([table[-rows:, 1] for table in tables])

    epsilon = 1e-3
    moved = run(epsilon) - run(-epsilon)
    moved /= 2 * epsilon
    # x′ = A x + B b sin ωt of the gas alone: walls follow at once
    gas = [linear.model["states"].index(name) for name in linear.gas()]
    others = [i for i in range(len(linear.A)) if i not in gas]
    A, B, C, D = linear.A, linear.B, linear.C, linear.D
    follow = np.linalg.solve(A[np.ix_(others, others)], np.hstack([A[np.ix_(others, gas)], B[others]]))
    A, B = (
        A[np.ix_(gas, gas)] - A[np.ix_(gas, others)] @ follow[:, : len(gas)],
        B[gas] - A[np.ix_(gas, others)] @ follow[:, len(gas) :],
    )
    C, D = C[:, gas] - C[:, others] @ follow[:, : len(gas)], D - C[:, others] @ follow[:, len(gas) :]
    fastest = np.abs(np.linalg.eigvals(A)).max(initial=0)
    weights = np.array([base * (0.5 + k) for k, base in enumerate(bases)])
    steps = moved.shape[1]
    fine = 10
    h = step / fine
    x = np.zeros(len(gas))
    eye = np.eye(len(gas))
    expected = [C @ x]
    for k in range((steps - 1) * fine):  # trapezoids of h/10
        u0, u1 = (weights * math.sin(omega * (k + i) * h) for i in (0, 1))
        x = np.linalg.solve(eye - 0.5 * h * A, (eye + 0.5 * h * A) @ x + 0.5 * h * B @ (u0 + u1))
        if (k + 1) % fine == 0:
            expected.append(C @ x + D @ u1)
    expected = np.array(expected).T
    for row, (got, exact) in enumerate(zip(moved, expected)):
        size = np.abs(exact).max()
        rounding = 1e-9 if sensors[row][0] == "m" else 1e-3
        assert got == pytest.approx(exact, abs=(2e-3 + (step * fastest) ** 2) * size + rounding), sensors[row]


# ── Drives with limits ───────────────────────────────────────────────────────────────────────────────────────────────

SLIDER = """space = "planar"
gravity = [0, 0]
[body.b]
m = 2.0
inertia = 0.1
position = [1, 0]
[joint.j]
type = "prismatic"
of = ["ground", "b"]
at = [1, 0]
axis = [1, 0]
[load.push]
type = "force"
at = "b.center"
force = [1, 0]
signal = "f"
[sensor.x]
type = "displacement"
of = "j"
[signal.f]
type = "input"
value = 0.0
[signal.u]
type = "input"
value = 0.0
"""
JOINT = """[load.d]
type = "drive"
at = "j"
target = "u"
limit = 100
"""
TRUSS = """[truss.d]
type = "drive"
between = [[0, 0], "b.center"]
extension = "u"
max_force = 100
"""
VALUES = "stiffness = 800.0\nsettling = 0.02\nmax_rate = 0.1\n"


def follows(s: complex) -> complex:
    return (800 + 16 * s) / (2 * s * s + 16 * s + 800)


def gives_way(s: complex) -> complex:
    return 1 / (2 * s * s + 16 * s + 800)


@pytest.mark.parametrize("overload", ["yields", "holds"])
@pytest.mark.parametrize("drive", [JOINT, TRUSS])
def test_drive_follows_its_target(flexura, drive, overload):
    """m ẍ = k (u − x) + k τ (u̇ − ẋ) + f below the limits of rate and force; sensors by differences, 1e-9."""
    text = SLIDER + drive + VALUES + f'overload = "{overload}"\n' + STATIC + motion()
    linear = Linear(flexura, text, "--input", "u,f", "--sensor", "x", frequencies="0.1:30:5")
    linear.check("x", follows, 1e-8, 0)
    linear.check("x", gives_way, 1e-8, 1)
    assert linear.model["warnings"] == []


@pytest.mark.parametrize("drive", [JOINT, TRUSS])
def test_drive_behind_a_lag(flexura, drive):
    """The target is a lag of the input: a state, and 1/(1 + T s) of the drive's response."""
    lag = '[signal.l]\ntype = "lag"\nof = "u"\ntime_constant = 0.05\n'
    text = SLIDER + lag + drive.replace('"u"', '"l"') + VALUES + STATIC + motion()
    linear = Linear(flexura, text, "--input", "u", "--sensor", "x", frequencies="0.1:30:5")
    linear.check("x", lambda s: follows(s) / (1 + 0.05 * s), 1e-8)


@pytest.mark.parametrize("drive", [JOINT, TRUSS])
def test_drive_against_its_motion(flexura, drive):
    """A smooth target of 1 mm: a drive's rate is that over the step, so the run is of first order [load/drive.hpp].

    Half the step halves them (measured: 3.2e-3 of the largest, and 1.6e-3), and 2 x(h/2) − x(h) leaves 1e-4.
    """
    text = SLIDER + drive + VALUES.replace("max_rate = 0.1\n", "") + STATIC + motion(0.5, 5e-4)
    linear = Linear(flexura, text, "--input", "u", "--sensor", "x", frequencies=None)
    sine = table("signal.u", type="expression", formula="1e-3 * sin(15 * t)^2")
    runs = []
    for h in (5e-4, 2.5e-4):
        still = '[signal.u]\ntype = "input"\nvalue = 0.0\n'
        flexura.write("scene.toml", text.split("\n[[analysis]]")[0].replace(still, sine) + motion(0.5, h))
        flexura("run", "scene.toml", "-o", "out", "--force", "-q", "--no-report")
        runs.append(np.loadtxt(flexura.folder / "out/x.csv", delimiter=",", skiprows=1))
    assert runs[0][:, 0] == pytest.approx(runs[1][:, 0])
    A, B, C, D = linear.A, linear.B[:, 0], linear.C[0], linear.D[0, 0]
    x, h, eye = np.zeros(len(A)), runs[0][1, 0] / 50, np.eye(len(A))
    u = lambda t: 1e-3 * math.sin(15 * t) ** 2  # noqa: E731
    expected = [0.0]
    for k in range(50 * (len(runs[0]) - 1)):  # trapezoids
        x = np.linalg.solve(eye - h / 2 * A, x + h / 2 * (A @ x + B * (u(k * h) + u((k + 1) * h))))
        if (k + 1) % 50 == 0:
            expected.append(C @ x + D * u((k + 1) * h))
    errors = [np.abs(run[:, 1] - expected).max() / max(expected) for run in runs]
    assert errors[0] < 5e-3 and errors[0] / errors[1] == pytest.approx(2, abs=0.1)
    assert 2 * runs[1][:, 1] - runs[0][:, 1] == pytest.approx(expected, abs=1e-4 * max(expected))


@pytest.mark.parametrize("drive", [JOINT, TRUSS])
def test_drive_at_its_limit_is_refused(flexura, drive):
    """On its way, at its largest rate, it follows no input; by another input it stands still, which a warning names."""
    text = SLIDER.replace("value = 0.0\n", "value = 0.5\n") + drive + VALUES + motion()
    flexura.write("scene.toml", text)
    arguments = ("--at", "0.1", "--sensor", "x", "--input")
    name = "load.d" if drive == JOINT else "truss.d"
    said = flexura("linearise", "scene.toml", *arguments, "u", status=BAD_INPUT).stderr
    assert f"{name}: it, or a drive of its kind, has not reached its target" in said
    said = flexura("linearise", "scene.toml", *arguments, "f").stderr
    assert f"warning: {name}" in said and "stands still in the linear model" in said
