"""Forces of kinematic analyses, filter states, modes and linear models: inputs of tests/cases/studies and their relatives."""

import csv
import json
import math
import random

import pytest
from conftest import BAD_INPUT, ROOT

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


# ── Filter states ────────────────────────────────────────────────────────────────────────────────────────────────────


def lag_of_sine(t: float, w: float = 10 * math.pi, tau: float = 0.05) -> float:
    return (math.sin(w * t) - w * tau * math.cos(w * t) + w * tau * math.exp(-t / tau)) / (1 + (w * tau) ** 2)


METHODS = [
    '{ type = "rk853", rtol = 1e-10, atol = 1e-12 }',
    '{ type = "rk45", rtol = 1e-9, atol = 1e-11 }',
    '{ type = "adams", rtol = 1e-10, atol = 1e-12 }',
    '"rk4"',
    '"generalized-alpha"',
    '"energy-momentum"',
]


@pytest.mark.parametrize("method", METHODS)
def test_lag_of_a_sine(flexura, method):
    """Closed form; the filter is integrated by itself, to 1e-12 whatever the step."""
    case(flexura, "lag_rk853", ('{ type = "rk853", rtol = 1e-10, atol = 1e-12 }', method))
    for t, value in columns(flexura, "l"):
        assert value == pytest.approx(lag_of_sine(t), abs=2e-12)


def test_motion_behind_a_lag(flexura):
    """v = ∫ l dt in closed form: the error of the integrator's own control."""
    case(flexura, "lag_rk853")
    w, tau = 10 * math.pi, 0.05
    for t, v, *_ in columns(flexura, "v"):
        integral = ((1 - math.cos(w * t)) / w - tau * math.sin(w * t) + w * tau * tau * (1 - math.exp(-t / tau))) / (
            1 + (w * tau) ** 2
        )
        assert v == pytest.approx(integral, abs=1e-9)


JUMPS = {
    "step": ('type = "ramp"\nto = 1.0\nstart = 0.1234\nduration = 0.0', 0.1234, 1e9),
    "pulse within a step": ('type = "expression"\nformula = "if(t < 0.1234, 0, if(t < 0.1240, 1, 0))"', 0.1234, 0.1240),
    "table": ('type = "piecewise"\npoints = [[0.0, 0.0], [0.1234, 0.0], [0.1234, 1.0], [0.3, 1.0]]', 0.1234, 1e9),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", JUMPS)
def test_lags_of_jumps_within_a_step(flexura, name, method):
    """A lag, and a lag of it by an expression, of what jumps at 0.1234 s in steps of 0.05 s; by their closed forms."""
    source, begin, end = JUMPS[name]
    sine = 'type = "sine"\namplitude = 1.0\nfrequency = 5.0'
    case(
        flexura,
        "lag_rk853",
        (sine, source),
        ('{ type = "rk853", rtol = 1e-10, atol = 1e-12 }', method),
        (
            "[point.a]",
            '[signal.twice]\ntype = "expression"\nformula = "2 * signal(l)"\n[signal.ll]\ntype = "lag"\nof = "twice"\n'
            'time_constant = 0.02\n[sensor.ll]\ntype = "signal"\nof = "ll"\n[point.a]',
        ),
    )

    def answer(t: float) -> tuple[float, float]:
        a, b = 0.05, 0.02
        if t <= 0:
            return 0.0, 0.0
        e, f = math.exp(-t / a), math.exp(-t / b)
        return 1 - e, 2 * (1 - (a * e - b * f) / (a - b))

    rows = columns(flexura, "l")
    for (t, one), (_, two) in zip(rows, table(flexura, "ll"), strict=True):
        up, down = answer(t - begin), answer(t - end)
        assert one == pytest.approx(up[0] - down[0], abs=2e-12)
        assert two == pytest.approx(up[1] - down[1], abs=4e-12)


def test_second_order_across_a_jump(flexura):
    """Generalized-α of a mass behind a lag of a jump inside a step: v by the closed form, second order."""
    errors = []
    for step in [0.04, 0.02, 0.01, 0.005]:
        case(
            flexura,
            "lag_rk853",
            ('type = "sine"\namplitude = 1.0\nfrequency = 5.0', JUMPS["step"][0]),
            ('{ type = "rk853", rtol = 1e-10, atol = 1e-12 }', '"generalized-alpha"'),
            ("step = 0.05", f"step = {step}"),
        )
        t, v, *_ = columns(flexura, "v")[-1]
        s = t - 0.1234
        errors.append(abs(v - (s - 0.05 * (1 - math.exp(-s / 0.05)))))
    assert errors[-1] < 2e-5  # h² k/12 of the kink, k = 1/τ: 4e-5 at most
    assert math.log2(errors[0] / errors[-1]) / 3 > 1.7  # of the place of the jump in its step some is left


# ── Modes ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def modes_of(summary) -> tuple[float, float]:
    found = summary["modes"][0]
    return 2 * math.pi * found["frequency"][0], found["damping"][0]


@pytest.mark.parametrize("target", ["0.3 * sin(20*t + 0.3)", "0.3 * sin(0.3)", "0.0886560620 + 500*t"])
def test_modes_with_time_standing_still(flexura, target):
    """J = 1, kp + k = 40, kd = 1: ω = √(40 − 1/4), damping 1/2/√40, whatever the rate of the target."""
    case(flexura, "modes_servo_target", ("0.3 * sin(20*t + 0.3)", target))
    frequency, damping = modes_of(flexura.summary("scene.toml", "-o", "out"))
    assert frequency == pytest.approx(math.sqrt(40 - 0.25), rel=1e-9)
    assert damping == pytest.approx(0.5 / math.sqrt(40), rel=1e-9)


def test_modes_name_lines_that_stay_shut(flexura):
    """Nothing flows while a mode swings: the same frequencies as without the line, and a warning that says so."""
    modes = '[[analysis]]\nname = "swing"\ntype = "modes"\ncount = 3\n[[analysis]]\nname = "st"'
    case(flexura, "linearise_supply", ('[[analysis]]\nname = "st"', modes))
    shut = flexura.summary("scene.toml", "-o", "out")
    assert any("gas lines stay shut while a mode swings (line.s)" in text for text in shut["warnings"])
    line = '[line.s]\ntype = "supply"\nof = "c"\npressure = "u"\nresistance = 2000000000.0\n'
    case(flexura, "linearise_supply", ('[[analysis]]\nname = "st"', modes), (line, ""))
    without = flexura.summary("scene.toml", "-o", "out", "--force")
    assert not any("gas lines" in text for text in without["warnings"])
    frequencies = [summary["modes"][0]["frequency"] for summary in (shut, without)]
    assert frequencies[0] == pytest.approx(frequencies[1], rel=1e-9)


# ── Orifices ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_other_gases_are_refused(flexura):
    """Orifices are measured with air; two gases in one line would mix."""
    text = case(
        flexura,
        "linearise_supply",
        ("resistance = 2000000000.0", 'law = "orifice"'),
        ("gas_constant = 287.05", "gas_constant = 188.9"),
    )
    assert "chamber.c is filled with a gas of 188.9 J/(kg K)" in flexura("check", "scene.toml", status=BAD_INPUT).stderr
    tube, rest = text.split("[joint.w]")[0].split("[solid.t]")[1], text.split("[chamber.c]")[1].split("[line.s]")[0]
    flexura.write(
        "scene.toml",
        text.replace('law = "orifice"', "resistance = 1e9")
        + f"[solid.t2]{tube.rstrip()}\nposition = [1, 0, 0]\n"
        + f"[chamber.d]{rest.replace('t.inner', 't2.inner').replace('188.9', '287.05')}"
        + '[line.l]\ntype = "between"\nof = "c"\nto = "d"\n',
    )
    said = flexura("check", "scene.toml", status=BAD_INPUT).stderr
    assert "line.l.to" in said and "mixtures of gases are not modelled" in said


@pytest.mark.parametrize("n", [1.0, 1.4])
def test_blow_down_through_an_orifice(flexura, n):
    """P = P₀ (1 + (n − 1)/2 t/τ)^(−2n/(n − 1)), or e^(−t/τ), τ = m₀/(C ρ₀ P₀ √(T₀/T)), while it is sonic [iso6358].

    The gas has 400 K at 10 bar; the wall, 6 GPa, gives way by 1e-3 of the volume.
    """
    case(
        flexura,
        "linearise_supply",
        ("c10 = 100000.0", "c10 = 1e9"),
        ("overpressure = 0.0", "overpressure = 9e5"),
        ("exponent = 1.4", f"exponent = {n}"),
        ("temperature = 293.15", "temperature = 400"),
        ('type = "supply"', 'type = "vent"\nopening = "o"'),
        ('pressure = "u"\nresistance = 2000000000.0', 'law = "orifice"\nconductance = 1e-9\ncritical_ratio = 0.3'),
        (
            '[signal.u]\ntype = "input"\nvalue = 0.0',
            '[signal.o]\ntype = "ramp"\nto = 1.0\nstart = 0.02\nduration = 0.0',
        ),
        ("end = 0.05\nstep = 0.001", "end = 0.32\nstep = 0.002"),
    )
    rows, masses = columns(flexura, "p"), table(flexura, "g")
    begin = next(k for k, row in enumerate(rows) if row[0] > 0.02 - 1e-9)
    start, mass = rows[begin][1] + 101325, masses[begin][1]
    warm = 400 * (start / (101325 + 9e5)) ** ((n - 1) / n)
    tau = mass / (1e-9 * 1.185 * start * math.sqrt(293.15 / warm))
    for t, p in rows[begin::10]:
        s = (t - 0.02) / tau
        exact = start * (math.exp(-s) if n == 1 else (1 + 0.5 * (n - 1) * s) ** (-2 * n / (n - 1)))
        assert p + 101325 == pytest.approx(exact, rel=1e-3)


# ── Linear models ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_linear_model_of_a_supply(flexura):
    """The gas is a state: p follows u at low frequencies, and (1 − p/u)/R = s g/u at all, whatever the walls do.

    Rounding of sums at 100 Hz, where s g/u is all of 1/R: 1e-6.
    """
    case(flexura, "linearise_supply")
    said = flexura(
        "linearise", "scene.toml", "--json", "-q", "--sensor", "p,g", "--frequency-response", "0.01:100:5"
    ).stdout
    model = json.loads(said)
    assert "line.s.passed" in model["states"]
    assert max(abs(x) for row in model["B"] for x in row) > 0
    response, walls = model["response"], []
    for f, real, imag in zip(response["frequencies"], response["real"], response["imag"], strict=True):
        s, (p, g) = 2j * math.pi * f, (complex(re[0], im[0]) for re, im in zip(real, imag, strict=True))
        assert s * g == pytest.approx((1 - p) / 2e9, rel=1e-6)
        walls.append(g / p)
    corner = 1 / (2 * math.pi * 2e9 * walls[0].real)  # of R and dm/dp of gas and walls
    first = complex(response["real"][0][0][0], response["imag"][0][0][0])
    assert first == pytest.approx(1 / (1 + 0.01j / corner), rel=1e-3)
    assert abs(first) == pytest.approx(1, abs=0.03)
    slowest = min((complex(e["real"], e["imag"]) for e in model["eigenvalues"]), key=abs)
    assert slowest.real / (-2 * math.pi) == pytest.approx(corner, rel=5e-3)  # the walls' own dampers
    assert "remembers" not in " ".join(model["warnings"])
