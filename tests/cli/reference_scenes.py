"""Scenes whose true sensor values are known, on steps and meshes that leave errors: for the estimated errors of `run --verify`.

True values are closed forms, or those of the same scene with steps and meshes that are finer by factors of 4 to 16 (`finer`), whose own errors are below
1/16 of the errors here where the order is 2, and which share the model: plane sections, linear strains or not, lumped or distributed.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

Key = tuple[str, str, int]  # sensor; last, min or max; component


@dataclass(frozen=True)
class Reference:
    name: str
    text: str
    exact: dict[Key, float] = field(default_factory=dict)
    finer: tuple[str, ...] = ()  # settings of the converged run; empty where `exact` holds closed forms
    long: bool = False  # of scripts/validate verify only


# ---- motions ---------------------------------------------------------------------------------------------------------

RAIL = """
space = "planar"
[point.p]
position = [1, 0]
[mass.m]
at = "p"
m = 1
[joint.rail]
type = "prescribed"
of = ["ground", "p"]
y = 0
[sensor.x]
type = "position"
at = "p"
[sensor.v]
type = "velocity"
at = "p"
"""
SPRING = '[spring.s]\ntype = "linear"\nbetween = [[0, 0], "p"]\nstiffness = 100\nfree_length = 0.75\n'


def motion(end: float, step: float, more: str = "") -> str:
    return f'[[analysis]]\nname = "move"\ntype = "dynamic"\nend = {end}\nstep = {step}\n{more}\n'


def oscillators() -> Iterator[Reference]:
    # x = 0.75 + 0.25 cos 10 t: phases at the end where the value or the rate is small, too.
    for end, step in ((1, 0.02), (1, 0.01), (0.6, 0.01), (math.pi / 10, 0.01), (2, 0.005)):
        exact = {("x", "last", 0): 0.75 + 0.25 * math.cos(10 * end), ("v", "last", 0): -2.5 * math.sin(10 * end)}
        exact |= {("x", "max", 0): 1.0, ("x", "min", 0): 0.5 if 10 * end >= math.pi else exact["x", "last", 0]}
        yield Reference(f"oscillator to {end:.3g} s by {step} s", RAIL + SPRING + motion(end, step), exact)
    for method in ("hht", "newmark", "energy-momentum", "rk4"):
        exact = {("x", "last", 0): 0.75 + 0.25 * math.cos(8), ("v", "last", 0): -2.5 * math.sin(8)}
        text = RAIL + SPRING + motion(0.8, 0.01, f'integrator = "{method}"')
        yield Reference(f"oscillator by {method}", text, exact)
    # x = 0.75 + 0.25 e^(-d t) (cos w t + d/w sin w t), d = c/2m
    for damping, step in ((2, 0.01), (2, 0.005), (8, 0.01)):
        d, t = damping / 2, 0.7
        w = math.sqrt(100 - d * d)
        decay = math.exp(-d * t)
        x = 0.75 + 0.25 * decay * (math.cos(w * t) + d / w * math.sin(w * t))
        v = -decay * 25 / w * math.sin(w * t)
        text = RAIL + SPRING + f"damping = {damping}\n" + motion(t, step)
        yield Reference(
            f"damped oscillator c = {damping} by {step} s", text, {("x", "last", 0): x, ("v", "last", 0): v}
        )
    # From rest in x = 1 under F sin W t at stiffness k about 1: x - 1 = F/(k - W^2) (sin W t - W/w sin w t)
    force = '[load.f]\ntype = "force"\nat = "p"\nforce = [5, 0]\nsignal = "wave"\n[signal.wave]\ntype = "expression"\nformula = "sin(4*t)"\n'
    for step in (0.02, 0.01):
        t, w, drive = 1.3, 10, 4
        a = 5 / (100 - drive**2)
        x = 1 + a * (math.sin(drive * t) - drive / w * math.sin(w * t))
        v = a * drive * (math.cos(drive * t) - math.cos(w * t))
        text = RAIL + SPRING.replace("free_length = 0.75", "free_length = 1") + force + motion(t, step)
        yield Reference(f"driven oscillator by {step} s", text, {("x", "last", 0): x, ("v", "last", 0): v})
    # v = F/c (1 - e^(-c t/m)) of a damper whose other end is far away
    pull = '[load.f]\ntype = "force"\nat = "p"\nforce = [3, 0]\n'
    damper = '[spring.s]\ntype = "linear"\nbetween = [[0, 0], "p"]\nstiffness = 0\ndamping = 4\n'
    for step in (0.05, 0.02):
        fall = math.exp(-4)
        exact = {("v", "last", 0): 0.75 * (1 - fall), ("x", "last", 0): 1 + 0.75 - 0.75 / 4 * (1 - fall)}
        yield Reference(f"damper by {step} s", RAIL + pull + damper + motion(1, step), exact)
    adaptive = {("x", "last", 0): 0.75 + 0.25 * math.cos(10), ("v", "last", 0): -2.5 * math.sin(10)}
    yield Reference("oscillator by adaptive steps", RAIL + SPRING + motion(1, 0.01, "adaptive = {}"), adaptive)
    loose = RAIL + SPRING + motion(1, 0.01, 'integrator = { type = "rk45", rtol = 1e-4, atol = 1e-6 }')
    yield Reference("oscillator by rk45", loose, adaptive)


FALL = """
space = "spatial"
gravity = [0, 0, -9.81]
[body.b]
m = 2
inertia = [1, 2, 3]
velocity = [1, 0, 3]
angular_velocity = [0.3, 5, 0.1]
[sensor.x]
type = "position"
at = "b"
[sensor.w]
type = "angular_velocity"
at = "b"
[sensor.f]
type = "frame"
at = "b"
"""
ROD = """
space = "planar"
gravity = [0, -9.81]
[body.rod]
shape = { type = "rod", length = "1 m", center = [0.5, 0] }
density = "1 kg/m"
points = { tip = [1, 0] }
[joint.pin]
type = "revolute"
of = ["ground", "rod"]
at = [0, 0]
[sensor.tip]
type = "position"
at = "rod.tip"
[sensor.turn]
type = "angle"
of = "pin"
[sensor.pin]
type = "reaction"
of = "pin"
[sensor.E]
type = "energy"
of = "kinetic"
"""
SECOND = """
[body.second]
position = [1, 0]
shape = { type = "rod", length = "1 m", center = [0.5, 0] }
density = "1 kg/m"
points = { tip = [1, 0] }
[joint.elbow]
type = "revolute"
of = ["rod.tip", "second"]
[sensor.second]
type = "position"
at = "second.tip"
"""
CRANK = """
space = "planar"
gravity = [0, -9.81]
[body.crank]
m = 0.1
inertia = 1e-4
points = { end = [0.1, 0] }
[body.rod]
position = [0.1, 0]
m = 0.3
inertia = 2e-3
points = { end = [0.3, 0] }
[mass.block]
at = "rod.end"
m = 0.5
[joint.motor]
type = "revolute"
of = ["ground", "crank"]
at = [0, 0]
angle = "= 6*t + 0.5*t^2"
[joint.pin]
type = "revolute"
of = ["crank.end", "rod"]
[joint.slide]
type = "prescribed"
of = ["ground", "rod.end"]
y = 0
[sensor.block]
type = "position"
at = "rod.end"
[sensor.rate]
type = "velocity"
at = "rod.end"
[sensor.torque]
type = "drive_torque"
of = "motor"
"""
TOP = """
space = "spatial"
gravity = [0, 0, -9.81]
[body.top]
axes = [[1, 0, 0], [0, "= cos(1)", "= sin(1)"]]
m = 1
center = [0, 0, 0.4]
inertia = [0.04, 0.04, 0.05]
angular_velocity = [0, "= -40 * sin(1)", "= 40 * cos(1)"]
[joint.tip]
type = "spherical"
of = ["ground", "top"]
at = [0, 0, 0]
[sensor.c]
type = "position"
at = "top.center"
"""
HAMMER = """
space = "planar"
[body.bar]
shape = { type = "rod", length = "1 m" }
density = "1 kg/m"
[joint.pin]
type = "revolute"
of = ["ground", "bar"]
at = [0, 0]
[spring.s]
type = "joint"
at = "pin"
stiffness = 20
rest = 0.8
[sensor.turn]
type = "angle"
of = "pin"
[sensor.rate]
type = "angular_velocity"
at = "bar"
"""
BALL = """
space = "spatial"
gravity = [0, 0, -9.81]
[sphere.ball]
radius = 0.1
m = 1
position = [0, 0, 1]
velocity = [0.5, 0, 0]
[plane.floor]
point = [0, 0, 0]
normal = [0, 0, 1]
[contact.c]
between = ["ball", "floor"]
restitution = 0.8
[sensor.x]
type = "position"
at = "ball"
"""


def rigid_bodies() -> Iterator[Reference]:
    # x = 0.7, z = 3 t - g t^2/2, exact by any method of second order
    exact = {("x", "last", 0): 0.7, ("x", "last", 2): 2.1 - 9.81 * 0.245}
    yield Reference("free fall", FALL + motion(0.7, 0.01), exact)
    for step in (0.02, 0.01):
        yield Reference(
            f"tumbling body by {step} s", FALL + motion(2, step), finer=(f"analysis.move.step={step / 16}",)
        )
    for step in (0.02, 0.01, 0.005):
        # A quarter period of 90 degrees amplitude: K(1/2) sqrt(2 L/3 g); the rod hangs and has m g L/2, the pin bears 5/2 m g.
        end = 1.8540746773013719 * math.sqrt(2 / (3 * 9.81))
        exact = {("tip", "last", 0): 0.0, ("tip", "last", 1): -1.0, ("E", "last", 0): 9.81 / 2}
        exact |= {("turn", "last", 0): -math.pi / 2, ("turn", "max", 0): 0.0, ("pin", "last", 1): 2.5 * 9.81}
        steps = round(end / step)
        yield Reference(f"pendulum by {step} s", ROD + motion(end, end / steps), exact)
        finer = (f"analysis.move.step={step / 16}",)
        yield Reference(f"long swing by {step} s", ROD + motion(3, step), finer=finer, long=step < 0.01)
        yield Reference(f"double pendulum by {step} s", ROD + SECOND + motion(1.5, step), finer=finer, long=step < 0.01)
    for step in (0.02, 0.01):
        # t = 1: the crank stands at 6.5 rad and turns with 7 rad/s
        angle, rate = 6.5, 7
        rod = math.sqrt(0.09 - 0.01 * math.sin(angle) ** 2)
        x = 0.1 * math.cos(angle) + rod
        v = (-0.1 * math.sin(angle) - 0.01 * math.sin(angle) * math.cos(angle) / rod) * rate
        finer = (f"analysis.move.step={step / 16}",)
        yield Reference(
            f"crank by {step} s", CRANK + motion(1, step), {("block", "last", 0): x, ("rate", "last", 0): v}
        )
        yield Reference(f"crank's torque by {step} s", CRANK + motion(1, step), finer=finer)
        yield Reference(f"top by {step / 4} s", TOP + motion(0.5, step / 4), finer=(f"analysis.move.step={step / 64}",))
        w, t = math.sqrt(20 * 12), 0.9
        turn, speed = 0.8 * (1 - math.cos(w * t)), 0.8 * w * math.sin(w * t)
        exact = {("turn", "last", 0): turn, ("rate", "last", 0): speed, ("turn", "max", 0): 1.6}
        yield Reference(f"bar on a spring by {step / 2} s", HAMMER + motion(t, step / 2), exact)
        # It falls 0.9 m, leaves with 0.8 of its velocity and is on its way down after 0.9 s.
        down = math.sqrt(1.8 / 9.81)
        up = 0.8 * 9.81 * down
        z = 0.1 + up * (0.9 - down) - 9.81 / 2 * (0.9 - down) ** 2
        exact = {("x", "last", 0): 0.45, ("x", "last", 2): z, ("x", "min", 2): 0.1}
        yield Reference(f"bouncing ball by {step} s", BALL + motion(0.9, step), exact)


# ---- cables and beams ------------------------------------------------------------------------------------------------

CABLE = """
space = "planar"
gravity = [0, GRAVITY]
[section.s]
EA = EA_
EI = 1
rhoA = RHO
DAMP
[cable.c]
section = "s"
path = PATH
elements = N
[joint.wall]
type = "weld"
of = ["ground", "c.start"]
[sensor.tip]
type = "position"
at = "c.end"
[sensor.turn]
type = "angle"
at = "c.end"
[sensor.moment]
type = "reaction_moment"
of = "wall"
[sensor.E]
type = "energy"
of = "strain"
"""
STATIC = '[[analysis]]\nname = "rest"\ntype = "static"\n'


def cable(elements: int, *, path="[[0, 0], [1, 0]]", stiff="1e4", gravity="0", mass="1", damping="") -> str:
    text = CABLE.replace("EA_", stiff).replace("GRAVITY", gravity).replace("RHO", mass).replace("DAMP", damping)
    return text.replace("PATH", path).replace("= N\n", f"= {elements}\n")


def cables() -> Iterator[Reference]:
    converged = ("cable.c.elements=64",)
    for n in (2, 3, 4, 8):
        tip = f'[load.f]\ntype = "force"\nat = "c.end"\nforce = [0, -{0.5 * n}]\n'
        yield Reference(f"cantilever, {n} elements", cable(n) + tip + STATIC, finer=converged)
        follower = f'[load.f]\ntype = "follower_force"\nat = "c.end"\nforce = [0, {0.4 * n}]\n'
        yield Reference(f"follower force, {n} elements", cable(n) + follower + STATIC, finer=converged)
        arc = '{ arc = { center = [1, 0], radius = 1, from = "180 deg", to = "90 deg" } }'
        pull = '[load.f]\ntype = "force"\nat = "c.end"\nforce = [0.3, 0]\n'
        yield Reference(f"quarter ring, {n} elements", cable(n, path=arc) + pull + STATIC, finer=converged)
        weight = cable(n, gravity="-9.81", stiff="2e3") + STATIC
        yield Reference(f"cantilever under its weight, {n} elements", weight, finer=converged)
    for n in (6, 8, 16):
        # A circle of circumference L: the end is at the start, the moment is 2 pi EI/L, the energy (2 pi)^2 EI/2 L
        roll = f'[load.m]\ntype = "moment"\nat = "c.end"\nmoment = {2 * math.pi}\n'
        exact = {("tip", "last", 0): 0.0, ("tip", "last", 1): 0.0, ("turn", "last", 0): 2 * math.pi}
        exact |= {("moment", "last", 0): -2 * math.pi, ("E", "last", 0): 2 * math.pi**2}
        yield Reference(f"roll-up, {n} elements", cable(n) + roll + STATIC, exact)
    for n in (4, 8, 12):
        hang = cable(n, gravity="-9.81", mass="20", stiff="2e4").replace("EI = 1\n", "EI = 0.5\n")
        pin = '[joint.far]\ntype = "pin"\nof = [[0.8, 0], "c.end"]\n[sensor.middle]\ntype = "position"\nat = "c@0.5"\n'
        path = hang.replace('type = "weld"', 'type = "pin"').replace(
            "[[0, 0], [1, 0]]", "{ spline = [[0, 0], [0.2, -0.25], [0.6, -0.25], [0.8, 0]] }"
        )
        path = path[: path.index("[sensor.moment]")] + '[sensor.E]\ntype = "energy"\nof = "strain"\n'
        yield Reference(f"hanging cable, {n} elements", path + pin + STATIC, finer=converged)
    for n, step in ((2, 0.01), (4, 0.01), (4, 0.005)):
        swing = cable(n, gravity="-9.81", damping='damping_bend = "10 ms"', stiff="1e3")
        finer = ("cable.c.elements=32", f"analysis.move.step={step / 16}")
        yield Reference(f"cantilever let go, {n} elements by {step} s", swing + motion(0.6, step), finer=finer)
    for n, step in ((2, 0.005), (4, 0.005), (4, 0.0025)):
        soft = cable(n, gravity="-9.81", stiff="500", damping='damping_bend = "20 ms"').replace(
            "EI = 1\n", "EI = 0.05\n"
        )
        soft = soft.replace('type = "weld"', 'type = "pin"').replace("[sensor.moment]", "[sensor.pin]")
        soft = soft.replace("reaction_moment", "reaction")
        finer = ("cable.c.elements=32", f"analysis.move.step={step / 16}")
        yield Reference(f"soft pendulum, {n} elements by {step} s", soft + motion(0.5, step), finer=finer)


BEAM = """
space = "spatial"
gravity = GRAVITY
[material.rubber]
E = 3e5
nu = 0.48
rho = 1100
[section.s]
shape = { type = "rectangle", height = "20 mm", width = "12 mm" }
material = "rubber"
damping_bend = "20 ms"
[beam.arm]
section = "s"
element = "ELEMENT"
path = PATH
elements = N
[joint.clamp]
type = "weld"
of = ["ground", "arm.start"]
[sensor.tip]
type = "position"
at = "arm.end"
[sensor.moment]
type = "reaction_moment"
of = "clamp"
[sensor.stretch]
type = "stretch"
at = "arm@0.1"
"""


def beam(elements: int, *, kind="director", path="[[0, 0, 0], [0.5, 0, 0]]", gravity="[0, 0, -9.81]") -> str:
    text = BEAM if kind == "director" else BEAM.replace("damping_bend", "damping_stretch")
    text = text.replace("ELEMENT", kind).replace("PATH", path).replace("GRAVITY", gravity)
    return text.replace("= N\n", f"= {elements}\n")


def beams() -> Iterator[Reference]:
    none = "[0, 0, 0]"
    for kind, n in [(kind, n) for kind in ("director", "full") for n in (2, 4, 8)]:
        fine, long = (f"beam.arm.elements={48 if kind == 'director' else 32}",), kind == "full" and n > 2 or n == 8
        push = '[load.f]\ntype = "force"\nat = "arm.end"\nforce = [0, 0.004, 0.006]\n'
        straight = beam(n, kind=kind, gravity=none) + push + STATIC
        yield Reference(f"{kind} beam, {n} elements", straight, finer=fine, long=long)
        bow = "{ spline = [[0, 0, 0], [0.1, 0.05, 0], [0.2, 0.08, 0.05], [0.3, 0.1, 0.12]] }"
        curved = beam(n, kind=kind, gravity=none, path=bow) + push + STATIC
        yield Reference(f"{kind} bow, {n} elements", curved, finer=fine, long=long)
    for n in (3, 4, 8):
        hang = beam(n) + '[[analysis]]\nname = "rest"\ntype = "static"\n'
        yield Reference(f"director beam that hangs, {n} elements", hang, finer=("beam.arm.elements=48",), long=n == 8)
    for n, step in ((4, 0.004), (8, 0.004)):
        fall = beam(n).replace("[0.5, 0, 0]", "[0.3, 0, 0]") + motion(0.4, step)
        finer = ("beam.arm.elements=32", f"analysis.move.step={step / 8}")
        yield Reference(f"beam let go, {n} elements", fall, finer=finer, long=True)


# ---- plates, membranes, solids, chambers -----------------------------------------------------------------------------

PLATE = """
space = "spatial"
[material.steel]
E = "200 GPa"
nu = 0.3
rho = 7800
[plate.p]
shape = { type = "flat", size = [1, 0.6] }
elements = [NX, NY]
material = "steel"
thickness = "5 mm"
[joint.wall]
type = "weld"
of = ["ground", "p.start"]
[load.q]
type = "pressure"
on = "p"
pressure = LOAD
[sensor.tip]
type = "position"
at = "p@(1, 0.5)"
[sensor.m]
type = "bending_moment"
at = "p@(0.3, 0.4)"
[sensor.E]
type = "energy"
of = "strain"
"""
MEMBRANE = """
space = "spatial"
[material.fabric]
type = "linear"
E = "40 MPa"
nu = 0.3
rho = 1200
[membrane.a]
shape = { type = "flat", size = [2, 1.2] }
elements = [NX, NY]
material = "fabric"
thickness = "0.6 mm"
prestress = "600 N/m"
[joint.one]
type = "weld"
of = ["ground", "a.start"]
[joint.two]
type = "weld"
of = ["ground", "a.end"]
[load.snow]
type = "pressure"
on = "a"
pressure = "-150 Pa"
[sensor.middle]
type = "position"
at = "a@(0.5, 0.5)"
[sensor.rail]
type = "reaction"
of = "one"
[sensor.E]
type = "energy"
of = "strain"
"""
BLOCK = """
space = "spatial"
[material.rubber]
type = "neo-hooke"
mu = "0.4 MPa"
nu = 0.45
rho = 1000
[solid.b]
shape = { type = "block", size = [0.2, 0.03, 0.03] }
elements = [NX, 1, 1]
element = "KIND"
material = "rubber"
[joint.wall]
type = "weld"
of = ["ground", "b.left"]
[load.q]
type = "pressure"
on = "b.top"
pressure = 150
[sensor.tip]
type = "position"
at = "b@(1, 0.5, 0.5)"
[sensor.E]
type = "energy"
of = "strain"
"""
SHELL = """
space = "spatial"
[material.rubber]
type = "neo-hooke"
mu = "0.4 MPa"
nu = 0.49
rho = 1000
[solid.skin]
shape = { type = "sphere", inner = "50 mm", outer = "60 mm", part = "octant" }
elements = [N, M, M]
material = "rubber"
[joint.x]
type = "point_on_plane"
of = ["ground", "skin.left"]
normal = [1, 0, 0]
[joint.y]
type = "point_on_plane"
of = ["ground", "skin.front"]
normal = [0, 1, 0]
[joint.z]
type = "point_on_plane"
of = ["ground", "skin.bottom"]
normal = [0, 0, 1]
[plane.x]
point = [0, 0, 0]
normal = [1, 0, 0]
[plane.y]
point = [0, 0, 0]
normal = [0, 1, 0]
[plane.z]
point = [0, 0, 0]
normal = [0, 0, 1]
[chamber.air]
type = "pressure"
surfaces = ["skin.inner"]
planes = ["x", "y", "z"]
pressure = "40 kPa"
[sensor.volume]
type = "volume"
of = "air"
[sensor.radius]
type = "position"
at = "skin@(0, 0, 0)"
"""


def surfaces() -> Iterator[Reference]:
    for n, load in ((2, 100), (4, 100), (4, 2000), (6, 2000)):
        text = PLATE.replace("NX, NY", f"{n}, {n}").replace("LOAD", str(load)) + STATIC
        finer = ("plate.p.elements=[20, 20]",)
        yield Reference(f"plate {n} x {n} under {load} Pa", text, finer=finer, long=n > 2)
    for n in (4, 6, 8):
        text = MEMBRANE.replace("NX, NY", f"{n}, {n}") + STATIC
        yield Reference(f"membrane {n} x {n}", text, finer=("membrane.a.elements=[32, 32]",), long=True)


def solids() -> Iterator[Reference]:
    for kind, n in (("hexahedra-20", 2), ("hexahedra-20", 4), ("hexahedra-8", 4), ("hexahedra-27", 2)):
        text = BLOCK.replace("NX, 1, 1", f"{n}, 2, 2").replace("KIND", kind) + STATIC
        finer = ("solid.b.elements=[12, 6, 6]",)
        yield Reference(f"block of {n} x 2 x 2 {kind}", text, finer=finer, long=kind != "hexahedra-8")
    for n in (2, 4):  # one element across has no coarser mesh, n along have
        text = BLOCK.replace("NX", f"{n}").replace("KIND", "hexahedra-20") + STATIC
        yield Reference(f"block of {n} x 1 x 1", text, finer=("solid.b.elements=[16, 4, 4]",), long=n == 4)
    for n, m in ((1, 2), (2, 2), (1, 4)):
        text = SHELL.replace("N, M, M", f"{n}, {m}, {m}") + STATIC
        finer = ("solid.skin.elements=[4, 8, 8]",)
        yield Reference(f"balloon {n} x {m}", text, finer=finer, long=True)


# ---- studies of gas, relaxation, signals -----------------------------------------------------------------------------

RELAX = """
space = "planar"
[point.p]
position = [1, 0]
[mass.m]
at = "p"
m = 1
[joint.rail]
type = "prescribed"
of = ["ground", "p"]
y = 0
x = "= 0.1*t"
[spring.s]
type = "linear"
between = [[0, 0], "p"]
stiffness = 100
relaxation = [[0.5, 0.2]]
[sensor.f]
type = "force"
of = "s"
"""


def others() -> Iterator[Reference]:
    for step in (0.04, 0.02, 0.01):
        # A ramp of 0.1 m/s: k (1 - g) 0.1 t + k g 0.1 T (1 - e^(-t/T))
        force = 5 * 1 + 5 * 0.2 * (1 - math.exp(-5))
        yield Reference(f"relaxing spring by {step} s", RELAX + motion(1, step), {("f", "last", 0): force})


def linkages() -> Iterator[Reference]:
    # By 4 ms the linkage leaves the motion after 1.5 s, as it passes its dead points, and ends on the other side.
    for step in (0.002, 0.001):
        text = (EXAMPLES / "peaucellier.toml").read_text(encoding="utf-8").replace("step = 0.002", f"step = {step}")
        yield Reference(f"Peaucellier's linkage by {step} s", text, finer=("analysis.draw.step=1.25e-4",))


def references() -> list[Reference]:
    rooms = (oscillators, rigid_bodies, cables, beams, surfaces, solids, others, linkages)
    return [scene for room in rooms for scene in room()]
