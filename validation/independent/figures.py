"""Computes with ancf_cable.py the figures that Flexura's reproductions and tests are held against.

    python figures.py          all of them (about 3 minutes); writes figures.json and the table in README.md
    python figures.py NAME     one part: static, cantilever, elastica, roll_up, release, sines, limit, driven, realtime, moments

Needs NumPy only.
"""

import json
import pathlib
import sys

import numpy as np

from ancf_cable import Cable, cross, dynamics, statics

HERE = pathlib.Path(__file__).parent
ACTUATOR = dict(L=0.175, EA=2000.0, EI=0.0186, rhoA=0.12)
CURVATURES = ("material", "geometric", "simplified")


def row(figure, definition, value, stated=None):
    """stated: the figure given elsewhere (paper, table, closed form) or None."""
    flat = [float(f"{x:.12g}") for x in np.atleast_1d(value)]
    print(f"  {figure}: {flat} | {definition} | {stated}", flush=True)
    return {"figure": figure, "definition": definition, "value": flat, "stated": stated}


def dead(Q):
    """A load that does not depend on q."""
    K = np.zeros((Q.size, Q.size))
    return lambda q, factor: (factor * Q, K)


def constant(Q):
    K = np.zeros((Q.size, Q.size))
    return lambda q, t: (Q, K)


def with_payload(cable, mass):
    Q = cable.gravity((0, -9.81))
    Q[-3] -= mass * 9.81
    return Q


def scheme(rho_inf):
    return "Newmark" if rho_inf is None else f"generalized-α {rho_inf}"


def static():
    def drop(n=15, curvature="material", axial="green", axial_points=5, bending_points=3, rhoA=0.12):
        c = Cable(n, **{**ACTUATOR, "rhoA": rhoA}, curvature=curvature, axial=axial, axial_points=axial_points,
                  bending_points=bending_points)
        return -1e3 * statics(c, dead(with_payload(c, 0.03)), steps=4)[-3]

    name, stated = "static-30g tip drop [mm]", "34.35 ± 0.05; paper 34.37"
    rows = [row(name, f"n = 15, {k}, green", drop(curvature=k), stated) for k in CURVATURES]
    rows.append(row(name, "n = 15, material, engineering", drop(axial="engineering"), stated))
    rows.append(row(name, "n = 15, simplified, chord", drop(curvature="simplified", axial="chord"), stated))
    rows.append(row(name, "n = 15, material, green, 5 bending points", drop(bending_points=5), stated))
    rows.append(row(name, "n = 15, material, green, 2 bending points", drop(bending_points=2), stated))
    rows.append(row(name, "n = 1, 2, 4, 8, 30, material, green", [drop(n) for n in (1, 2, 4, 8, 30)]))
    rows.append(row("tip drop without self-weight [mm]", "n = 15, material, green", drop(rhoA=1e-12), "27.54"))
    return rows


def cantilever():
    b, L, E = 0.1, 2.0, 2.07e11
    EA, EI = E * b * b, E * b**4 / 12

    def tip(n, curvature, axial, clamp):
        c = Cable(n, L, EA, EI, 78.5, curvature, axial, clamp=clamp)
        Q = np.zeros(c.size)
        Q[-3] = -3 * EI / L**2
        q = statics(c, dead(Q), steps=10)
        return q[-4] - L, q[-3]

    stated = {1: "-.362244730 -.994144759", 16: "-.508536580 -1.207238895"}
    rows = []
    for n in (1, 16):
        name = f"third-party cantilever, {n} element{'s' * (n > 1)}, (ux, uy) [m]"
        rows.append(row(name, "material, engineering, clamp_direction", tip(n, "material", "engineering", "direction"),
                        stated[n]))
        for other in (("material", "green", "direction"), ("material", "engineering", "weld"),
                      ("geometric", "engineering", "direction")):
            rows.append(row(name, "not it: " + ", ".join(other), tip(n, *other)))
    return rows


def elastica():
    stated = {1: ".461351950 .056433236 .301720774", 4: "1.121239347 .328941242 .669964181",
              10: "1.430285539 .554995598 .810609025"}
    rows = []
    for alpha, text in stated.items():
        for EA in (1e6, 1e8):
            c = Cable(64, 1.0, EA, 1.0, 1.0)
            Q = np.zeros(c.size)
            Q[-3] = alpha
            q = statics(c, dead(Q), steps=20)
            rows.append(row(f"elastica, PL²/EI = {alpha}: tip angle, shortening/L, drop/L",
                            f"n = 64, material, green, EA L²/EI = {EA:.0e}",
                            (np.arctan2(q[-1], q[-2]), 1 - q[-4], q[-3]), text))
    return rows


def roll_up():
    rows = []
    for label, L, EA, EI in (("L = 1, EA = 1e4, EI = 1", 1.0, 1e4, 1.0), ("the actuator", 0.175, 2000.0, 0.0186)):
        for curvature in CURVATURES:
            for points in (3, 5, 2) if curvature == "material" else (3,):
                error = []
                for n in (8, 16, 32):
                    c = Cable(n, L, EA, EI, 1.0, curvature, bending_points=points)
                    q = statics(c, lambda q, f, c=c: c.end_moment(q, f * 2 * np.pi * EI / L), steps=20)
                    error.append(np.hypot(q[-4], q[-3]) / L)
                order = np.log2(np.array(error[:-1]) / error[1:])
                rows.append(row("roll-up, tip error/L at 8, 16, 32 elements, then both orders",
                                f"{curvature}, green, {points} bending points, {label}", [*error, *order],
                                "0" if curvature == "material" else "not a circle closed by 2π EI/L"))
    return rows


def release():
    rows = []
    for curvature, n, h, rho_inf in (("material", 4, 1e-3, 0.9), ("simplified", 4, 1e-3, 0.9), ("geometric", 4, 1e-3, 0.9),
                                     ("material", 4, 1e-3, None), ("simplified", 4, 1e-3, None),
                                     ("material", 4, 1e-4, 0.9), ("material", 15, 1e-3, 0.9)):
        c = Cable(n, **ACTUATOR, curvature=curvature)
        rest = statics(c, dead(with_payload(c, 0.0)), steps=4)
        q = statics(c, dead(with_payload(c, 0.1)), steps=10)
        t, y = [], []
        dynamics(c, constant(c.gravity((0, -9.81))), q, h, 1.0, 2.4, rho_inf,
                watch=lambda s, q, v, f: (t.append(s), y.append(q[-3] - rest[-3])))
        t, y = np.array(t), np.array(y)
        k = np.where(y[:-1] * y[1:] < 0)[0]
        zeros = t[k] - y[k] * h / (y[k + 1] - y[k])
        rows.append(row("release: rest [mm], with 100 g [mm], period [s], first overshoot above rest [mm]",
                        f"n = {n}, {curvature}, green, {scheme(rho_inf)} {h * 1e3:g} ms; period = 2 × mean distance of the zero "
                        "crossings about rest in the first second", (-1e3 * rest[-3], -1e3 * q[-3],
                                                                     2 * np.diff(zeros).mean(), 1e3 * y[t < 0.12].max()),
                        "7.41, 79.71, 0.139, 67.3"))
    return rows


def hanging(n=4, curvature="material"):
    return Cable(n, **ACTUATOR, curvature=curvature, direction=(0, -1))


def drive(cable, f, form="exact"):
    g = cable.gravity((0, -9.81))

    def load(q, t):
        Q, K = cable.end_moment(q, 1.0179e-6 * 20e3 * (1 - np.cos(2 * np.pi * f * t)), form)
        return g + Q, K

    return load


FORMS = ("simplified", "exact")  # of the moment: the paper's equations (18) and (17)


def sines():
    stated = {0.4: "lag 0.14, RMS 0.04, p-p 31.9", 0.7: "lag 0.25, RMS 0.11", 1.0: "lag 0.37, RMS 0.21"}
    rows = []
    for f, form in ((f, form) for form in FORMS for f in (0.4, 0.7, 1.0)):
        c = hanging(curvature="simplified")
        load = drive(c, f, form)
        start = statics(c, dead(c.gravity((0, -9.81))), steps=2)
        t, x = [], []
        dynamics(c, load, start, 1e-3, 10.0, 2.4, watch=lambda s, q, v, g: (t.append(s), x.append(q[-4:-2].copy())))
        t, x = np.array(t), np.array(x)
        phase = np.linspace(0, 0.5 / f, 101)  # static tip at each pressure, interpolated in the pressure
        table, q = [], start
        for s in phase:
            q = statics(c, lambda q, factor, s=s: load(q, s), q)
            table.append(q[-4:-2])
        table, p = np.array(table), lambda s: 1 - np.cos(2 * np.pi * f * s)
        fit = [np.polynomial.Chebyshev.fit(p(phase), table[:, d], 12) for d in range(2)]
        still = np.stack([fit[d](p(t)) for d in range(2)], -1)
        whole = round(round(6 * f) / f / 1e-3)  # whole periods at the end
        e = np.exp(-2j * np.pi * f * t[-whole:])
        A, B = (x[-whole:, 0] * e).sum(), (still[-whole:, 0] * e).sum()
        d = x - still
        rms_x, rms_r = np.sqrt((d[:, 0] ** 2).mean()), np.sqrt((d**2).sum(1).mean())
        rows.append(row(f"sine-{f}: amplitude ratio, lag [deg], RMS of x and of the distance [mm], static p-p of x [mm]",
                        f"n = 4, simplified, green, {form} moment, from hanging equilibrium, Newmark 1 ms; ratio and lag of the "
                        "first harmonic of x in whole periods of the last 6 s; RMS from t = 0 to 10 s",
                        (abs(A / B), np.degrees(np.angle(B / A)), 1e3 * rms_x, 1e3 * rms_r, 1e3 * np.ptp(still[:, 0])),
                        stated[f]))
    return rows


def limit():
    rows = []
    for f, form in ((f, form) for form in FORMS for f in (1.6, 1.7)):
        c = hanging(curvature="simplified")
        load = drive(c, f, form)
        start = statics(c, dead(c.gravity((0, -9.81))), steps=2)
        t, x = [], []
        dynamics(c, load, start, 1e-3, 20.0, 2.4, watch=lambda s, q, v, g: (t.append(s), x.append(q[-4])))
        t, x = np.array(t), np.array(x)
        phase = np.linspace(0, 0.5 / f, 101)
        still, q = [], start
        for s in phase:
            q = statics(c, lambda q, factor, s=s: load(q, s), q)
            still.append(q[-4])
        def p(s):
            return 1 - np.cos(2 * np.pi * f * s)
        still = np.polynomial.Chebyshev.fit(p(phase), still, 12)(p(t))
        whole = round(np.floor(12 * f + 1e-9) / f / 1e-3)
        e = np.exp(-2j * np.pi * f * t[-whole:])
        rows.append(row(f"frequency-limit: amplitude ratio at {f} Hz",
                        f"n = 4, simplified, green, {form} moment, from hanging equilibrium, Newmark 1 ms, 20 s; first harmonic "
                        "of x in whole periods of the last 12 s, over the static one",
                        abs((x[-whole:] * e).sum() / (still[-whole:] * e).sum()), "1.05 at 1.70 Hz"))
    return rows


def driven():
    """Pressures of other shapes: the range of the tip across the actuator."""

    def tip_range(cable, pressure, payload, end, across, form):
        dead_load = cable.gravity((0, -9.81))
        dead_load[-3] -= payload * 9.81

        def load(q, t):
            Q, K = cable.end_moment(q, 1.0179e-6 * pressure(t), form)
            return dead_load + Q, K

        x = []
        dynamics(cable, load, statics(cable, dead(dead_load), steps=10), 1e-3, end, 2.4,
                 watch=lambda s, q, v, g: x.append(q[across]))
        return 1e3 * np.ptp(x)

    def chirp(t):
        return 20e3 * (1 - np.cos(2 * np.pi * (0.01 * t + (1.6 - 0.01) / 16 * t * t)))

    def pressure(t):
        return 10e3 * sum(np.sin(2 * np.pi * f * t) for f in (0.3, 0.7, 1.1))

    rows = []
    for form in FORMS:
        how = f"n = 4, simplified, green, {form} moment, from equilibrium, Newmark 1 ms"
        rows.append(row("chirp: range of the tip's x [mm]", how,
                        tip_range(hanging(curvature="simplified"), chirp, 0, 8.0, -4, form)))
        for clamp, direction, across in (("vertical", (0, -1), -4), ("horizontal", (1, 0), -3)):
            ranges = [tip_range(Cable(4, **ACTUATOR, curvature="simplified", direction=direction), pressure, 1e-3 * g, 10.0,
                                across, form) for g in range(0, 60, 10)]
            rows.append(row(f"complex-{clamp}: range of the tip across the actuator [mm]", how + ", payloads 0, 10 ... 50 g",
                            ranges))
    return rows


def realtime():
    rows = []
    for start, rho_inf, curvature, form in (("straight", 0.9, "material", "exact"), ("straight", None, "material", "exact"),
                                            ("equilibrium", 0.9, "material", "exact"),
                                            ("equilibrium", None, "material", "exact"),
                                            ("equilibrium", None, "simplified", "exact"),
                                            ("equilibrium", None, "simplified", "simplified")):
        c = hanging(curvature=curvature)
        q = c.q0 if start == "straight" else statics(c, dead(c.gravity((0, -9.81))), steps=2)
        tip = {}
        dynamics(c, drive(c, 1.0, form), q, 1e-3, 10.0, 2.4, rho_inf, tol=1e-12,
                 watch=lambda t, q, v, f: tip.__setitem__(round(t, 3), q[-4:-2]))
        for t in (1.0, 5.0, 9.5, 10.0):
            rows.append(row(f"realtime, tip at t = {t:g} s [m]",
                            f"n = 4, {curvature}, green, {form} moment, {scheme(rho_inf)} 1 ms, from {start}", tip[t]))
    return rows


def moments():
    b, thickness, E = 0.03, 0.0021, 59.6e9
    EA, EI, rhoA = E * b * thickness, E * b * thickness**3 / 12, 2200 * b * thickness

    def beam():
        return Cable(5, 0.5, EA, EI, rhoA, "simplified", "chord", direction=(0, 1))

    def bent(c, weight, moment):
        """Weight along the beam and a moment over time or by load factor."""
        def load(q, s):
            Q, K = c.end_moment(q, -moment(s))
            return weight + Q, K

        return load

    def record(c, load, q, h, end):
        t, m, n, x = [], [], [], []

        def watch(s, q, v, f):
            g, Q = q.reshape(-1, 4)[:, 2:], f.reshape(-1, 4)[:, 2:]
            t.append(s), m.append(np.abs(cross(g, Q))), n.append(np.linalg.norm(Q, axis=1))
            x.append((q.reshape(-1, 4)[:, 0].mean(), q[-4]))

        q = dynamics(c, load, q, h, end, watch=watch)[0]
        return np.array(t), np.array(m), np.array(n), np.array(x), q

    rows = []
    c = beam()
    weight = c.gravity((0, -9.81))
    paper = {(0, 4): "2.2908 .0006 .0006 .0006 .0006 2.2447", (4, 4.5): "4.5843 .0006 .0006 .0006 .0006 4.4810"}
    for gravity, h in ((weight, 1e-3), (weight, 1e-4), (0 * weight, 1e-4)):
        t, m, n, _, q = record(c, bent(c, gravity, lambda s: min(1.125 * s, 4.5)), c.q0, h, 4.5)
        how = (f"n = 5, simplified, chord, exact moment, Newmark {h * 1e3:g} ms, EI = E b t³/12, {'with' if gravity.any() else 'without'} "
               "weight; mean over samples, nodes 1 … 6")
        for (lo, hi), text in paper.items():
            s = (t > lo + 1e-9) & (t <= hi + 1e-9)
            rows.append(row(f"elastic_moment {lo}–{hi} s [N m]", how, m[s].mean(0), text))
            rows.append(row(f"elastic_force_norm {lo}–{hi} s [N m]", how, n[s].mean(0), text))
    q = statics(c, lambda q, f: c.end_moment(q, -4.5 * f), steps=10)
    circle = np.array([np.sin(4.5 / EI * 0.5), 1 - np.cos(4.5 / EI * 0.5)]) * EI / 4.5
    rows.append(row("strain energy at 4.5 N m [J], exact beam", "static, chord, without weight; M²L/2EI",
                    (c.elastic(q)[0], 4.5**2 * 0.5 / (2 * EI)), "3.575, 3.67"))
    rows.append(row("distance of the tip from the circle [mm]", "static at 4.5 N m, chord, without weight",
                    1e3 * np.hypot(q[-3] - circle[0], abs(q[-4]) - circle[1]), "7"))
    rows.append(row("|r_x| at nodes 1 … 6", "static at 4.5 N m, chord, without weight",
                    np.linalg.norm(q.reshape(-1, 4)[:, 2:], axis=1), "1.0042"))
    g = Cable(5, 0.5, EA, EI, rhoA, direction=(0, 1))
    qg = statics(g, lambda q, f: g.end_moment(q, -4.5 * f), steps=10)
    rows.append(row("distance of the tip from the circle [mm]", "static at 4.5 N m, material, green, without weight",
                    1e3 * np.hypot(qg[-3] - circle[0], abs(qg[-4]) - circle[1])))
    q = statics(c, bent(c, weight, lambda f: 4.5 * f), steps=10)
    rows.append(row("strain energy at 4.5 N m [J]", "static, chord, with weight", c.elastic(q)[0]))
    late = {0.03062: "6.3484 2.0090 1.9251 2.1164 2.6307 2.2436", 0.5: "5.0382 2.2731 2.0002 2.3620 2.7676 2.1269"}
    for h in (2e-5, 1e-5):
        t, m, n, x, _ = record(c, constant(weight), q, h, 0.5)
        how = f"the same with weight, released from the static shape, Newmark {h * 1e3:g} ms"
        for hi, text in late.items():
            s = (t > 1e-9) & (t <= hi + 1e-9)
            rows.append(row(f"elastic_moment 4.5–{4.5 + hi:g} s [N m]", how, m[s].mean(0), text))
            rows.append(row(f"elastic_force_norm 4.5–{4.5 + hi:g} s [N m]", how, n[s].mean(0), text))
        zero = [t[k] - x[k, d] * h / (x[k + 1, d] - x[k, d]) for d in range(2)
                for k in np.where(x[:-1, d] * x[1:, d] < 0)[0][:1]]
        rows.append(row("time from release to straight [s]: mean of the nodes, tip", how, zero, "0.03062"))
    return rows


PARTS = dict(static=static, cantilever=cantilever, elastica=elastica, roll_up=roll_up, release=release, sines=sines,
             limit=limit, driven=driven, realtime=realtime, moments=moments)


def write(rows):
    (HERE / "figures.json").write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    readme = HERE / "README.md"
    head = readme.read_text(encoding="utf-8").split("<!-- table -->")[0] if readme.exists() else ""
    lines = ["<!-- table -->", "", "| figure | definition | here | stated |", "|---|---|---|---|"]
    for r in rows:
        cell = [r["figure"], r["definition"], " ".join(f"{x:.9g}" for x in r["value"]), r["stated"] or ""]
        lines.append("| " + " | ".join(c.replace("|", "\\|") for c in cell) + " |")
    readme.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        PARTS[sys.argv[1]]()
    else:
        everything = []
        for name, part in PARTS.items():
            print(name, flush=True)
            everything += part()
        write(everything)
