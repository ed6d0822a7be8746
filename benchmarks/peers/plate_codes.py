"""The hinged plate of plate.py in Flexura, Exudyn and MuJoCo: one thread, no output, no graphics.

A plate is built once and run again and again from the start; only the steps are timed. Every class has

    run() -> Outcome        the processor and wall time of the steps to END and where the two free corners are then

The second corner is mirrored (y -> SIZE - y): in the exact solution both are at the same place.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
sys.exudynFast = True  # type: ignore[attr-defined]  # Exudyn's build without range checks, with AVX2

import numpy as np  # noqa: E402

SIZE, THICKNESS, DENSITY, YOUNG, POISSON, GRAVITY = 0.3, 0.01, 7810.0, 1e5, 0.3, 9.81  # SI
END = 0.2  # s


@dataclass(frozen=True)
class Case:
    """One point of a curve."""

    code: str
    variant: str
    mesh: int
    step: float
    options: dict[str, Any] = field(default_factory=dict, hash=False, compare=False)

    def steps(self) -> int:
        return round(END / self.step)


@dataclass(frozen=True)
class Outcome:
    cpu: float  # s, of this thread
    wall: float  # s
    corners: np.ndarray  # (2, 3) [m]


class Plate(Protocol):
    def run(self) -> Outcome: ...


def mirrored(corner: np.ndarray) -> np.ndarray:
    return np.array([corner[0], SIZE - corner[1], corner[2]])


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.process_time() - cpu, time.perf_counter() - wall


class FlexuraPlate:
    """Options: integrator, integration ("full", "reduced"), tolerance (of Newton's residual, relative to the forces)."""

    def __init__(self, case: Case) -> None:
        import flexura as fx

        o = case.options
        scene = fx.Scene(title="A sheet hinged along one edge", space="spatial", gravity=[0, 0, -GRAVITY])
        scene.add("material", "soft", {"E": YOUNG, "nu": POISSON, "rho": DENSITY})
        sheet = {"shape": {"type": "flat", "size": [SIZE, SIZE]}, "elements": [case.mesh, case.mesh],
                 "material": "soft", "thickness": THICKNESS, "integration": o.get("integration", "full")}
        scene.add("plate", "sheet", sheet)
        scene.add("joint", "hinge", {"type": "pin", "of": ["ground", "sheet.start"]})
        for corner in ("top", "bottom"):
            scene.add("sensor", corner, {"type": "position", "at": f"sheet.corner_end_{corner}"})
        swing: dict[str, Any] = {"type": "dynamic", "end": END, "step": case.step, "integrator": {"type": o["integrator"]}}
        if "tolerance" in o:
            swing["tolerance"] = o["tolerance"]
        scene.add("analysis", "swing", swing)
        scene.output = fx.Output(interval=END)  # nothing is recorded; the default looks at the energies at each of 200 times
        self.simulation = fx.Simulation(scene)
        self.start = self.simulation.save()
        self.steps = case.steps()

    def run(self) -> Outcome:
        self.simulation.restore(self.start)
        cpu, wall = timed(lambda: self.simulation.step(self.steps))
        top, bottom = (np.array(self.simulation[name]) for name in ("top", "bottom"))
        return Outcome(cpu, wall, np.array([top, mirrored(bottom)]))


class ExudynPlate:
    """ObjectANCFThinPlate. Options: reduced (3 x 3 Lobatto and 2 x 2 Gauss points in place of 5 x 5), tolerance.

    Generalized-alpha, rho_inf = 0.9, sparse factors with their pattern kept, modified Newton (the Jacobian is made of
    differences: 20 times the time of a residual; full Newton takes 3 to 20 times as long here).
    """

    def __init__(self, case: Case) -> None:
        import exudyn as exu
        from exudyn.itemInterface import (
            CoordinateConstraint,
            LoadMassProportional,
            MarkerBodyMass,
            MarkerNodeCoordinate,
            NodePointGround,
        )
        from exudyn.shells import ShellMesh

        self.exu, self.case = exu, case
        self.container = exu.SystemContainer()
        self.mbs = mbs = self.container.AddSystem()
        self.mesh = mesh = ShellMesh(
            vertices=[[0, 0, 0], [SIZE, 0, 0], [SIZE, SIZE, 0], [0, SIZE, 0]],
            numberOfElementsX=case.mesh,
            numberOfElementsY=case.mesh,
            youngsModulus=YOUNG,
            poissonsRatio=POISSON,
            density=DENSITY,
            thickness=THICKNESS,
        )
        mesh.CreateANCFThinPlateElements(mbs, useReducedOrderIntegration=int(case.options.get("reduced", False)))
        for element in mesh.elementNumbers:
            body = mbs.AddMarker(MarkerBodyMass(bodyNumber=element))
            mbs.AddLoad(LoadMassProportional(markerNumber=body, loadVector=[0, 0, -GRAVITY]))
        ground = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=mbs.AddNode(NodePointGround()), coordinate=0))
        for node in mesh.boundaryNodeNumbers["left"]:
            for k in (0, 1, 2, 6, 7, 8):  # place and the gradient along the edge
                held = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=k))
                mbs.AddObject(CoordinateConstraint(markerNumbers=[ground, held]))
        mbs.Assemble()
        self.settings = self._settings(case)

    def _settings(self, case: Case) -> Any:
        s = self.exu.SimulationSettings()
        s.timeIntegration.numberOfSteps = case.steps()
        s.timeIntegration.endTime = END
        s.timeIntegration.verboseMode = 0
        s.timeIntegration.stepInformation = 0
        s.timeIntegration.adaptiveStep = False
        s.timeIntegration.generalizedAlpha.spectralRadius = 0.9
        s.timeIntegration.newton.useModifiedNewton = True
        if "tolerance" in case.options:
            s.timeIntegration.newton.relativeTolerance = case.options["tolerance"]
        s.solution.file.write = False
        s.solution.sensors.active = False
        s.linearSolver.solverType = self.exu.LinearSolverType.EigenSparse
        s.linearSolver.reuseAnalyzedPattern = True
        s.parallel.numberOfThreads = 1
        return s

    def run(self) -> Outcome:
        done: list[bool] = []

        def solve() -> None:
            # The state at the start is not replaced, so that the next run begins there too.
            done.append(self.mbs.SolveDynamic(self.settings, storeSolver=True, autoAssemble=False, updateInitialValues=False))

        cpu, wall = timed(solve)
        if not done[0]:
            raise RuntimeError("does not converge")
        _, bottom, top, _ = self.mesh.vertexNodeNumbers
        place = self.exu.OutputVariableType.Position
        corners = [np.array(self.mbs.GetNodeOutput(node, place)) for node in (top, bottom)]
        return Outcome(cpu, wall, np.array([corners[0], mirrored(corners[1])]))


class MuJoCoPlate:
    """A 2D flex, stretching and bending. Options: integrator ("discrete", the one for flexes; "Euler", "RK4"), equal.

    The triangles are those of flexcomp's own grid, all diagonals one way. flexcomp gives all vertices the same mass, at
    edges and corners too, which costs an order in the mesh: 9 mm at 8 x 8, 4 ms. Here each has that of a third of its
    triangles, unless `equal`.
    """

    def __init__(self, case: Case) -> None:
        import mujoco

        mujoco.set_mju_user_warning(lambda text: None)  # which it would write into a file here; run() looks itself
        self.mujoco, self.case = mujoco, case
        n = case.mesh
        self.edge = n + 1
        points = " ".join(f"{i * SIZE / n!r} {j * SIZE / n!r} 0" for i in range(n + 1) for j in range(n + 1))
        triangles = []
        for i in range(n):
            for j in range(n):
                a, b = i * (n + 1) + j, (i + 1) * (n + 1) + j
                triangles += [a, b, b + 1, a, b + 1, a + 1]
        mass = DENSITY * THICKNESS * SIZE * SIZE
        self.model = model = mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <option timestep="{case.step!r}" integrator="{case.options["integrator"]}" solver="Newton" gravity="0 0 -{GRAVITY}">
    <flag contact="disable"/>
  </option>
  <size memory="400M"/>
  <worldbody>
    <flexcomp name="sheet" type="direct" dim="2" radius="{THICKNESS / 2}" mass="{mass!r}" point="{points}"
              element="{" ".join(map(str, triangles))}">
      <pin id="{" ".join(str(j) for j in range(n + 1))}"/>
      <contact selfcollide="none" contype="0" conaffinity="0"/>
      <elasticity young="{YOUNG}" poisson="{POISSON}" thickness="{THICKNESS}" elastic2d="both"/>
    </flexcomp>
  </worldbody>
</mujoco>""")
        self.data = mujoco.MjData(model)
        if not case.options.get("equal", False):
            share = np.bincount(model.flex_elem, minlength=(n + 1) ** 2) * mass / len(model.flex_elem)
            for vertex, body in enumerate(model.flex_vertbodyid):
                if body > 0:
                    model.body_mass[body] = share[vertex]
            mujoco.mj_setConst(model, self.data)

    def run(self) -> Outcome:
        mujoco = self.mujoco
        mujoco.mj_resetData(self.model, self.data)
        cpu, wall = timed(lambda: mujoco.mj_step(self.model, self.data, self.case.steps()))
        bad = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)
        if any(self.data.warning[int(kind)].number for kind in bad):
            raise RuntimeError("unstable")
        mujoco.mj_forward(self.model, self.data)
        x = self.data.flexvert_xpos.reshape(self.edge, self.edge, 3)[-1]
        return Outcome(cpu, wall, np.array([x[-1], mirrored(x[0])]))


CODES: dict[str, Callable[[Case], Plate]] = {"Flexura": FlexuraPlate, "Exudyn": ExudynPlate, "MuJoCo": MuJoCoPlate}


def versions() -> dict[str, str]:
    from importlib.metadata import version

    return {name: version(name) for name in ("flexura", "exudyn", "mujoco", "numpy")} | {"python": sys.version.split()[0]}
