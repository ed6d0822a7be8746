"""Two planar cables in Exudyn, timed on one thread without output or graphics, beside Flexura's figures.

    actuator    4 elements, 0.175 m, hanging, end moment 1.0179e-6 m^3 * 20 kPa (1 - cos 2 pi t), damping c M q', 10 s
    cable       200 elements, 2 m, clamped horizontally, released under gravity, undamped, 1 s

EA = 2000 N, EI = 0.0186 N m^2, rhoA = 0.12 kg/m; strain |r_x| - 1, curvature r_x x r_xx/|r_x|^2, 5 and 3 Gauss points;
generalized-alpha with rho_inf = 0.9. Exudyn's settings are the fastest of those tried here: its build without range checks
(`exudynFast`, AVX2), dense and sparse solvers, full and modified Newton, and the largest tolerance of Newton's method that
changes the tip error by less than a twentieth (its default is 1e-8; Flexura keeps its own default). Processor time counts
on both sides. The moment is a symbolic user function, evaluated in C++ without Python. The damping c M q' has no
counterpart in its cable element; it is a GenericODE2 with damping matrix c M. That object costs time, so the time that
counts is the one without damping, and the damped model serves for the tip error.

Tip error: largest distance of the tip to the same model's at 1/32 ms, every 0.1 s; of the actuator from 5 s on, when
the axial ringing of the sudden start, which no such step resolves, has died.

    ./run.sh cable [--quick] [--json FILE] [FLEXURA.json]     makes the environment in build/peers-venv, then runs this

FLEXURA.json holds Flexura's figures for the same two models (axial = "engineering"), at 1 ms unless it says otherwise:

    {"us_per_step_4": ..., "tip_error_4": ..., "us_per_step_200": ..., "us_per_element_iteration_200": ...,
     "tip_error_200": ..., "step": 1e-3}                                     times in us, errors in m; step optional
"""

import argparse
import json
import os
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

sys.exudynFast = True  # type: ignore[attr-defined]  # Exudyn's build without range checks, with AVX2

import exudyn as exu  # noqa: E402
import numpy as np  # noqa: E402
from exudyn.advancedUtilities import CreateSymbolicUserFunction  # noqa: E402
from exudyn.itemInterface import (CoordinateConstraint, LoadMassProportional, LoadTorqueVector,  # noqa: E402
                                  MarkerBodyMass, MarkerBodyRigid, MarkerNodeCoordinate, NodePoint2DSlope1,
                                  NodePointGround, ObjectANCFCable2D, ObjectGenericODE2, SensorNode)

EA, EI, RHOA, GRAVITY, DAMPING = 2000.0, 0.0186, 0.12, 9.81, 2.4


def element_mass(l):
    """rhoA int S^T S dx of one element, 8 x 8."""
    m = np.array([[13 / 35, 11 * l / 210, 9 / 70, -13 * l / 420],
                  [11 * l / 210, l * l / 105, 13 * l / 420, -l * l / 140],
                  [9 / 70, 13 * l / 420, 13 / 35, -11 * l / 210],
                  [-13 * l / 420, -l * l / 140, -11 * l / 210, l * l / 105]])
    return RHOA * l * np.kron(m, np.eye(2))


class Model:
    """A straight clamped cable of n elements along `direction`, at rest at the start."""

    def __init__(self, n, L, direction, moment, damping):
        self.n = n
        self.SC = exu.SystemContainer()
        self.mbs = mbs = self.SC.AddSystem()
        d = np.asarray(direction, float)
        l = L / n
        nodes = [mbs.AddNode(NodePoint2DSlope1(referenceCoordinates=[*(d * l * i), *d])) for i in range(n + 1)]
        cables = []
        for i in range(n):
            cable = mbs.AddObject(ObjectANCFCable2D(length=l, massPerLength=RHOA, bendingStiffness=EI, axialStiffness=EA,
                                              nodeNumbers=[nodes[i], nodes[i + 1]], useReducedOrderIntegration=0))
            cables.append(cable)
            body = mbs.AddMarker(MarkerBodyMass(bodyNumber=cable))
            mbs.AddLoad(LoadMassProportional(markerNumber=body, loadVector=[0, -GRAVITY, 0]))
        ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
        for k in range(4):
            held = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=k))
            mbs.AddObject(CoordinateConstraint(markerNumbers=[ground, held]))
        if moment:
            def torque(mbs, t, load):
                return [0.0, 0.0, 1.0179e-6 * 20e3 * (1.0 - exu.symbolic.cos(2 * np.pi * t))]

            tip = mbs.AddMarker(MarkerBodyRigid(bodyNumber=cables[-1], localPosition=[l, 0, 0]))
            load = mbs.AddLoad(LoadTorqueVector(markerNumber=tip, loadVector=[0, 0, 0]))
            self.torque = CreateSymbolicUserFunction(mbs, torque, "loadVectorUserFunction", load)
            mbs.SetLoadParameter(load, "loadVectorUserFunction", self.torque)
        if damping:
            D = np.zeros((4 * (n + 1), 4 * (n + 1)))
            for i in range(n):
                D[4 * i:4 * i + 8, 4 * i:4 * i + 8] += DAMPING * element_mass(l)
            zero = np.zeros_like(D)
            mbs.AddObject(ObjectGenericODE2(nodeNumbers=nodes, massMatrix=zero, stiffnessMatrix=zero, dampingMatrix=D))
        self.sensor = mbs.AddSensor(SensorNode(nodeNumber=nodes[-1], outputVariableType=exu.OutputVariableType.Position,
                                               storeInternal=True, writeToFile=False))
        mbs.Assemble()

    def run(self, h, end, solver, modified, tolerance, record=None):
        """Returns (seconds of processor time, Newton iterations); keeps the tip every `record` seconds in self.tip."""
        s = exu.SimulationSettings()
        s.timeIntegration.numberOfSteps = round(end / h)
        s.timeIntegration.endTime = end
        s.timeIntegration.verboseMode = 0
        s.timeIntegration.generalizedAlpha.spectralRadius = 0.9
        s.timeIntegration.newton.useModifiedNewton = modified
        s.timeIntegration.newton.relativeTolerance = tolerance
        s.timeIntegration.adaptiveStep = False
        s.timeIntegration.stepInformation = 0
        s.solution.file.write = False
        s.solution.sensors.active = record is not None
        s.solution.sensors.writePeriod = record or end
        s.linearSolver.solverType = solver
        s.linearSolver.reuseAnalyzedPattern = solver == exu.LinearSolverType.EigenSparse
        s.parallel.numberOfThreads = 1
        start = time.process_time()
        good = self.mbs.SolveDynamic(s, storeSolver=True, autoAssemble=False, updateInitialValues=False)
        seconds = time.process_time() - start
        if not good:
            raise RuntimeError("Exudyn did not converge")
        self.tip = np.asarray(self.mbs.GetSensorStoredData(self.sensor))[:, 1:3] if record else None
        return seconds, self.mbs.sys["dynamicSolver"].it.newtonStepsCount


def actuator(damping):
    return Model(4, 0.175, (0, -1), True, damping)


def cable(n=200):
    return Model(n, 2.0, (1, 0), False, False)


S = exu.LinearSolverType
TOLERANCES = (1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
NAMES = {S.EXUdense: "dense", S.EigenDense: "Eigen dense", S.EigenSparse: "Eigen sparse"}


def largest_tolerance(make, h, end, since, solver, exact):
    """The largest tolerance of Newton's method with nearly the tip error of the default, and [(tolerance, error)]."""
    tried = []
    for tolerance in TOLERANCES:
        model = make()
        try:
            model.run(h, end, solver, True, tolerance, record=0.1)
        except RuntimeError:
            break
        path = model.tip[round(since / 0.1):]
        tried.append((tolerance, float(np.linalg.norm(path - exact, axis=1).max())))
        if tried[-1][1] > 1.05 * tried[0][1]:
            break
    return max(t for t, error in tried if error <= 1.05 * tried[0][1]), tried


def fastest(make, h, end, repeats, solvers, tolerance):
    """Least time of each variant, as rows; the variants take turns so that a slow moment hits all."""
    rows = {}
    for _ in range(repeats):
        for solver in solvers:
            for modified in (True, False):
                model = make()
                seconds, iterations = model.run(h, end, solver, modified, tolerance)
                key = (NAMES[solver], "modified" if modified else "full")
                if key not in rows or seconds < rows[key]["seconds"]:
                    rows[key] = {"solver": key[0], "newton": key[1], "seconds": seconds, "iterations": iterations}
    steps = round(end / h)
    for row in rows.values():
        row["us_per_step"] = row["seconds"] / steps * 1e6
        row["iterations_per_step"] = row["iterations"] / steps
        row["us_per_element_iteration"] = row["seconds"] / row["iterations"] / make.elements * 1e6
    return sorted(rows.values(), key=lambda row: row["seconds"])


def tip_path(make, h, end, since, solver, tolerance):
    """Tips every 0.1 s from t = since on, and the processor time of the run."""
    model = make()
    seconds, _ = model.run(h, end, solver, True, tolerance, record=0.1)
    if len(model.tip) != round(end / 0.1) + 1:
        raise RuntimeError(f"{len(model.tip)} tip samples at step {h}")
    return model.tip[round(since / 0.1):], seconds


def errors(make, end, since, solver, steps, exact):
    """[(step, us per simulated ms, tip error, tolerance)] that no other setting beats in both; errors from t = since on."""
    table = []
    for h in steps:
        for tolerance in TOLERANCES:
            path, seconds = tip_path(make, h, end, since, solver, tolerance)
            error = float(np.linalg.norm(path - exact, axis=1).max())
            table.append((h, seconds / end * 1e3, error, tolerance))
    return sorted((row for row in table if not any(r[1] < row[1] and r[2] < row[2] for r in table)),
                  key=lambda row: -row[2])


def cost_at_error(table, error, scale):
    """Cost of the error by log-log interpolation; None beyond the table. scale: fastest over recorded cost."""
    if not min(row[2] for row in table) <= error <= max(row[2] for row in table):
        return None
    e, c = np.log([row[2] for row in table][::-1]), np.log([row[1] * scale for row in table][::-1])
    k = int(np.clip(np.searchsorted(e, np.log(error)) - 1, 0, len(e) - 2))
    return float(np.exp(c[k] + (c[k + 1] - c[k]) * (np.log(error) - e[k]) / (e[k + 1] - e[k])))


def show(title, rows):
    print(f"\n{title}\n{'solver':14}{'Newton':10}{'us/step':>10}{'it/step':>9}{'us/(element iteration)':>24}")
    for row in rows:
        print(f"{row['solver']:14}{row['newton']:10}{row['us_per_step']:10.2f}{row['iterations_per_step']:9.2f}"
              f"{row['us_per_element_iteration']:24.3f}")


def show_errors(title, table):
    print(f"\n{title}\n{'step [ms]':>10}{'us per simulated ms':>22}{'tip error [m]':>16}{'tolerance':>12}")
    for h, cost, error, tolerance in table:
        print(f"{h * 1e3:10.3f}{cost:22.2f}{error:16.3e}{tolerance:12g}")


def side_by_side(result, path):
    with open(path, encoding="utf-8") as file:
        ours = json.load(file)
    step = ours.get("step", 1e-3)
    print(f"\n{'side by side':44}{'Exudyn':>12}{'Flexura':>12}{'ratio':>8}")

    def line(label, theirs, mine, unit):
        if mine is not None:
            print(f"{label:44}{theirs:12.4g}{mine:12.4g}{theirs / mine:8.2f}  {unit}")

    a, c = result["actuator"], result["cable"]
    line("4 elements, equal step, no damping term", a["us_per_step"], ours.get("us_per_step_4"), "us/step")
    line("4 elements, equal step, damped", a["us_per_step_damped"], ours.get("us_per_step_4"), "us/step")
    line("4 elements, tip error at this step", a["tip_error"], ours.get("tip_error_4"), "m")
    line("200 elements, per element and iteration", c["us_per_element_iteration"],
         ours.get("us_per_element_iteration_200"), "us")
    line("200 elements, equal step", c["us_per_step"], ours.get("us_per_step_200"), "us/step")
    line("200 elements, tip error at this step", c["tip_error"], ours.get("tip_error_200"), "m")
    for name, key, part in (("4", "us_per_step_4", a), ("200", "us_per_step_200", c)):
        error, mine = ours.get(f"tip_error_{name}"), ours.get(key)
        if error and mine:
            theirs = cost_at_error(part["errors"], error, part["scale"])
            if theirs is None:
                print(f"{name} elements: {error:.2e} m is beyond the errors measured here")
            else:
                line(f"{name} elements, equal tip error {error:.2e} m", theirs, mine / (step * 1e3),
                     "us per simulated ms")


def main():
    parser = argparse.ArgumentParser(description="Exudyn's figures for two cables")
    parser.add_argument("flexura", nargs="?", help="Flexura's figures (JSON)")
    parser.add_argument("--quick", action="store_true", help="fewer repeats, coarser reference")
    parser.add_argument("--json", help="write the figures here")
    args = parser.parse_args()
    repeats, fine = (2, 1e-3 / 8) if args.quick else (7, 1e-3 / 32)

    def plain():
        return actuator(False)

    def damped():
        return actuator(True)

    plain.elements = damped.elements = 4
    cable.elements = 200
    print(f"Exudyn {exu.config.Version() if hasattr(exu, 'config') else exu.__version__}, one thread, processor time, "
          f"best of {repeats}")
    exact_few, _ = tip_path(damped, fine, 10.0, 5.0, S.EXUdense, TOLERANCES[0])
    exact_many, _ = tip_path(cable, fine, 1.0, 0.0, S.EigenSparse, TOLERANCES[0])
    few_tolerance, few_tried = largest_tolerance(damped, 1e-3, 10.0, 5.0, S.EXUdense, exact_few)
    many_tolerance, many_tried = largest_tolerance(cable, 1e-3, 1.0, 0.0, S.EigenSparse, exact_many)
    for name, tried in (("4", few_tried), ("200", many_tried)):
        print(f"{name} elements, tip error at 1 ms by tolerance: " + ", ".join(f"{t:g}: {e:.3e} m" for t, e in tried))
    few = fastest(plain, 1e-3, 10.0, repeats, (S.EXUdense, S.EigenDense, S.EigenSparse), few_tolerance)
    show(f"actuator, 4 elements, 10 s at 1 ms, without c M q', tolerance {few_tolerance:g}", few)
    few_damped = fastest(damped, 1e-3, 10.0, max(2, repeats // 2), (S.EXUdense,), few_tolerance)
    show("actuator, 4 elements, 10 s at 1 ms, with c M q'", few_damped)
    many = fastest(cable, 1e-3, 1.0, repeats, (S.EigenSparse,), many_tolerance)
    show(f"cable, 200 elements, 1 s at 1 ms, tolerance {many_tolerance:g}", many)
    few_errors = errors(damped, 10.0, 5.0, S.EXUdense, (4e-3, 2e-3, 1e-3, 0.5e-3, 0.25e-3), exact_few)
    show_errors("actuator: tip error, 5 to 10 s", few_errors)
    many_errors = errors(cable, 1.0, 0.0, S.EigenSparse, (2e-3, 1e-3, 0.5e-3, 0.25e-3), exact_many)
    show_errors("cable: tip error over 1 s", many_errors)

    def scale(best, variants):
        """Time of the best variant over that of the one of the error tables."""
        return best["us_per_step"] / next(v["us_per_step"] for v in variants if v["newton"] == "modified")

    best = min(many, key=lambda row: row["us_per_element_iteration"])
    result = {
        "actuator": {"us_per_step": few[0]["us_per_step"], "us_per_step_damped": few_damped[0]["us_per_step"],
                     "tip_error": dict(few_tried)[few_tolerance], "errors": few_errors, "variants": few,
                     "scale": scale(few[0], few_damped)},
        "cable": {"us_per_step": many[0]["us_per_step"], "us_per_element_iteration": best["us_per_element_iteration"],
                  "tip_error": dict(many_tried)[many_tolerance], "errors": many_errors, "variants": many,
                  "scale": scale(many[0], many)},
    }
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
    if args.flexura:
        side_by_side(result, args.flexura)
    return 0


if __name__ == "__main__":
    sys.exit(main())
