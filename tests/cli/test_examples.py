"""The examples against closed forms, and the bounds that their comments state."""

import json
import math
import pathlib

import h5py
import numpy
import pytest


@pytest.fixture
def run(flexura):
    """Runs an example with changes; returns its results file and its summary."""

    def run(scene, *changes, folder=None):
        if not (flexura.folder / f"{scene}.toml").exists():
            flexura("example", scene)
        folder = folder or scene
        settings = [word for change in changes for word in ("--set", change)]
        summary = flexura.summary(f"{scene}.toml", "--no-csv", "--output", folder, *settings)
        return h5py.File(flexura.folder / folder / "results.h5"), summary

    return run


def period(t, x):
    """Twice the mean distance of the zero crossings."""
    k = numpy.flatnonzero(x[:-1] * x[1:] < 0)
    zeros = t[k] - x[k] * (t[k + 1] - t[k]) / (x[k + 1] - x[k])
    return 2 * numpy.diff(zeros).mean()


def tip(file, sensor="tip"):
    return file[f"/sensors/{sensor}/t"][()], file[f"/sensors/{sensor}/position"][()]


def last(summary, sensor):
    return numpy.array(summary["sensors"][sensor]["last"])


# Elastica (Bisshopp and Drucker), P L^2 / EI = 4. Left: stretch 2.6e-6 and the elements' 1e-6.
def test_cantilever_is_the_elastica(run):
    _, summary = run("cantilever_tip_force")
    assert last(summary, "tip") == pytest.approx([1 - 0.328941242, -0.669964181], abs=6e-6)
    assert last(summary, "slope") == pytest.approx(-1.121239347, abs=6e-6)
    # The clamp carries the moment of the force about it.
    assert last(summary, "root_moment") == pytest.approx(4 * (1 - 0.328941242), abs=3e-5)


# ∫ P (L − x)² cos²/(E I) dx of a cone: P L³/(3 E I_R) R/r, here across a rod that stands at 0.5 rad; 24 elements with the mean
# section leave 1.4e-3 (second order: 3.3e-3 with 16).
def test_fishing_rod_gives_way_as_a_cone(run):
    weightless = ["gravity=[0, 0]", "parameters.P=1e-4", "analysis.swing.end=0.001"]
    file, _ = run("fishing_rod", *weightless)
    stiffness = 30e9 * math.pi / 4 * 6e-3**4
    drop = file["/analysis/pull/sensors/tip/position"][-1] - 2.4 * numpy.array([math.cos(0.5), math.sin(0.5)])
    exact = 1e-4 * math.cos(0.5) * 2.4**3 / (3 * stiffness) * 4
    assert numpy.hypot(*drop) == pytest.approx(exact, rel=2e-3)
    _, summary = run("fishing_rod", folder="bent")
    distance = summary["sensors"]["line"]
    assert distance["min"] < 2.2
    assert distance["max"] == pytest.approx(2.4, abs=2e-3)


# Circle: the tip's error falls with the fourth power of the elements (measured 9.6e-5 L with 16).
def test_roll_up_closes_with_fourth_order(run):
    errors = [
        math.hypot(*last(run("roll_up", f"cable.strip.elements={n}", folder=f"n{n}")[1], "end")) for n in (8, 16, 32)
    ]
    assert errors[1] < 2e-4
    orders = [math.log2(errors[i] / errors[i + 1]) for i in (0, 1)]
    assert orders == pytest.approx([4, 4], abs=0.2)
    _, summary = run("roll_up", "cable.strip.elements=64", folder="fine")
    assert last(summary, "turn") == pytest.approx(2 * math.pi, abs=1e-5)
    # The curvature at a point is only second order (measured 1.5e-3 with 64).
    assert last(summary, "curvature") == pytest.approx(2 * math.pi, abs=3e-3)


# Castigliano; the force is small enough that second-order effects stay below 1e-3 of the displacement.
def test_quarter_ring_moves_as_castigliano_says(run):
    _, summary = run("curved_cable")
    moved = last(summary, "end") - [1, 1]
    assert moved == pytest.approx([1e-3 * (3 * math.pi / 4 - 2), -0.5e-3], rel=2e-3)
    assert last(summary, "foot_moment") == pytest.approx(1e-3, rel=1e-3)


# A pendulum of 90 degrees: 2 K(sin 45) / pi = 1.18034 times the small period; numerical damping and h^2 leave 1e-5.
def test_pendulum_has_the_period_of_its_amplitude(run):
    file, summary = run("pendulum")
    t, x = tip(file, "bob")
    # Sensors come every 25 ms: linear interpolation of the crossings leaves 1e-4.
    assert period(t, x[:, 0]) == pytest.approx(1.180340599 * 2 * math.pi * math.sqrt(1 / 9.81), rel=3e-4)
    assert summary["violation"] < 1e-12
    assert summary["sensors"]["tension"]["max"][1] == pytest.approx(3 * 9.81, rel=1e-4)
    energy = summary["sensors"]["energy"]
    assert max(abs(energy["min"]), abs(energy["max"])) < 1e-4 * 9.81


# Frequencies: mass on a spring with damping ratio c / (2 sqrt(k m)) = 0.02; bar with k = 20, J = 1/3 about its end.
def test_springs_have_their_frequencies(run):
    file, summary = run("springs", "output.sensor_interval=0.001")
    t, x = tip(file, "mass")
    damped = math.sqrt(100) * math.sqrt(1 - 0.02**2)
    assert period(t, x[:, 1] + 1) == pytest.approx(2 * math.pi / damped, rel=1e-4)
    angle = file["/sensors/bar/angle"][()]
    assert period(file["/sensors/bar/t"][()], angle) == pytest.approx(2 * math.pi / math.sqrt(20 * 3), rel=1e-4)
    assert abs(angle).max() == pytest.approx(0.5 / math.sqrt(60), rel=1e-3)
    # Amplitude after 5 s: 0.1 exp(-0.2 t).
    late = x[t > 4, 1] + 1
    assert abs(late).max() == pytest.approx(0.1 * math.exp(-0.2 * t[t > 4][abs(late).argmax()]), rel=2e-3)


# Euler-Bernoulli; the element's first four modes of 20 elements are within 1e-4; axial stretch adds 1e-5.
def test_modes_of_a_straight_cantilever(run):
    file, _ = run("modes")
    beam = numpy.array([1.875104069, 4.694091133, 7.854757438, 10.99554073]) ** 2 / (2 * math.pi)
    assert file["/analysis/straight/frequency"][:4] == pytest.approx(beam, rel=5e-4)
    hanging = file["/analysis/hanging/frequency"][()]
    assert (hanging > 0).all()
    assert hanging[0] > 1.2 * beam[0], "the weight stiffens what hangs"


# A signal's lag, tau y' = u - y, after a jump; the oscillator follows k x = f at rest.
def test_signals_do_what_their_formulas_say(run):
    file, summary = run("signals")
    t, valve = file["/sensors/valve/t"][()], file["/sensors/valve/signal"][()]
    expected = numpy.where(t < 0.5, 0, 4 * (1 - numpy.exp(-(t - 0.5) / 0.4)))
    assert valve == pytest.approx(expected, abs=1e-5)
    sweep = file["/sensors/sweep/signal"][()]
    inside = t < 5
    chirp = numpy.sin(2 * math.pi * (0.5 * t + 0.5 * (8 - 0.5) / 5 * t**2))
    assert sweep[inside] == pytest.approx(chirp[inside], abs=1e-9)
    mixed = file["/sensors/mixed/signal"][()]
    later = t > 2
    assert mixed[later] == pytest.approx((valve * numpy.cos(math.pi * t))[later], abs=1e-9)
    assert last(summary, "a") == pytest.approx([0, -1.01], abs=1e-4)


# A force that stays across the end: bending moment balance of the inextensible cable, integrated from the free end:
# theta'' = -P sin(phi)/EI with phi the angle back from the end; here by fine integration in this test.
def test_follower_force_bends_as_the_elastica_of_its_frame(run):
    _, summary = run("follower_force")
    # In the frame of the end: s from the end, phi(0) = 0, phi'(0) = 0, phi'' = P cos(phi).
    n = 20000
    h, phi, rate, x, y = 1 / n, 0.0, 0.0, 0.0, 0.0
    for _ in range(n):
        rate_middle = rate + 0.5 * h * 6 * math.cos(phi)
        middle = phi + 0.5 * h * rate
        rate += h * 6 * math.cos(middle)
        phi += h * rate_middle
        x += h * math.cos(middle)
        y += h * math.sin(middle)
    turn = phi
    assert last(summary, "turn") == pytest.approx(turn, abs=1e-4)
    # From the clamp, direction 0: the end lies at the integral of the direction turn - phi(s).
    end = [x * math.cos(turn) + y * math.sin(turn), x * math.sin(turn) - y * math.cos(turn)]
    assert last(summary, "tip") == pytest.approx(end, abs=1e-4)


# The hand's work is what the air takes and what the cord still holds.
def test_prescribed_motion_follows_its_signal_and_balances_its_energy(run):
    file, summary = run("prescribed_motion")
    t, x = tip(file, "hand")
    late = t > 0.5
    assert x[late, 0] == pytest.approx(0.02 * numpy.sin(2 * math.pi * 1.2 * t[late]), abs=1e-12)
    energy = summary["energy"]
    assert abs(energy["numerical"]) < 1e-3 * energy["work"]
    assert energy["dissipated"] > 0


def test_release_springs_up_and_comes_to_rest(run):
    file, summary = run("release")
    t, x = tip(file)
    # 32 elements: 79.769 mm under 100 g, 7.41 mm without; the independent program's four, integrated in full, 79.70.
    assert x[0, 1] == pytest.approx(-79.769e-3, abs=0.01e-3)
    full, _ = run("release", "section.wall.integration=full", folder="full")
    assert tip(full)[1][0, 1] == pytest.approx(-79.70e-3, abs=0.05e-3)
    assert x[t > 1.5, 1].mean() == pytest.approx(-7.41e-3, abs=0.3e-3)
    assert period(t[t > 0.3], x[t > 0.3, 1] + 7.41e-3) == pytest.approx(0.139, abs=1e-3)


def test_adaptive_step_changes_its_size(run):
    file, summary = run("adaptive_step")
    t, h = file["/solver/t"][()], file["/solver/step"][()]
    assert abs(t - 0.2).min() < 1e-12, "a step ends where the kick begins"
    assert abs(t - 0.21).min() < 1e-12, "and where it ends"
    quiet, kick = h[t > 2.9].min(), h[(t > 0.2) & (t < 0.25)].min()
    assert quiet > 4 * kick
    assert abs(summary["energy"]["numerical"]) < 0.01 * summary["energy"]["work"]


# All that the moment does goes into the beam; up to the release nothing moves fast.
def test_beam_stores_the_work_of_its_moment(run):
    _, summary = run("beam", 'analysis.bend-hold-release.end="4.4 s"')
    assert summary["energy"]["strain"] == pytest.approx(summary["energy"]["work"], rel=1e-3)
    assert last(summary, "node_6") == pytest.approx(4.5, rel=2e-3)
    # Constant moment: a circle; 4.5 N m / EI = 3.26 1/m over 0.5 m. 20 elements are 1 mm off (5 are 7 mm), and it
    # still swings by 2 mm from the end of the ramp.
    changes = ("analysis.bend-hold-release.end=4.4", "analysis.bend-hold-release.step=1e-3", "cable.beam.elements=20")
    _, summary = run("beam", *changes, folder="fine")
    inertia = 0.03 * 0.0021**3 / 12
    turn = 4.5 / (59.6e9 * inertia) * 0.5
    assert last(summary, "neck") == pytest.approx(
        [-0.5 * (1 - math.cos(turn)) / turn, 0.5 * math.sin(turn) / turn], abs=3e-3
    )


# The bounds stated in examples/soft_actuator.toml.
def test_soft_actuator_hardly_depends_on_step_and_mesh(run):
    t, base = tip(run("soft_actuator")[0])
    for folder, change, free in (
        ("step", 'analysis.move.step="0.25 ms"', 0.25e-3),
        ("mesh", "cable.actuator.elements=30", 0.01e-3),
    ):
        time, changed = tip(run("soft_actuator", change, folder=folder)[0])
        assert time == pytest.approx(t, abs=1e-9)
        distance = numpy.linalg.norm(changed - base, axis=1)
        assert distance[t < 6].max() < 0.01e-3
        assert distance.max() < free


def test_soft_actuator_balances_its_energy(run):
    _, summary = run("soft_actuator")
    energy = summary["energy"]
    assert abs(energy["numerical"]) < 5e-3 * energy["dissipated"]
    # Under 30 g and its own weight: static-30g of the paper, 34.35 mm.
    file, _ = run("soft_actuator", "analysis.move.end=0.01", folder="short")
    assert file["/analysis/hang/sensors/tip/position"][-1, 1] == pytest.approx(-34.35e-3, abs=0.05e-3)


# M L / EI, exact for a moment without weight; the swing has died down to 1e-5 rad by then.
def test_finger_bends_by_its_moment(run):
    _, summary = run("finger", "gravity=[0, 0]", "analysis.close.end=8", folder="weightless")
    moment = math.pi * 6e-3**2 * 9e-3 * 50e3
    assert last(summary, "bend") == pytest.approx(moment * 0.1 / 5e-3, abs=2e-5)


# Mirror images up to rounding: one is the other with opposite arm.
def test_two_fingers_are_mirror_images(run):
    file, _ = run("two_fingers")
    left, right = tip(file, "left.tip")[1], tip(file, "right.tip")[1]
    assert left[0] == pytest.approx([-0.04, -0.1], abs=1e-15)
    assert left[-1, 0] > -0.02
    assert numpy.abs(left * [-1, 1] - right).max() < 1e-12


def rotated(angle):
    c, s = math.cos(angle), math.sin(angle)
    return numpy.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def delta_platform(angles, base=0.2, crank=0.15, rod=0.35, platform=0.05):
    """The lower of the two points where three spheres about the elbows, moved inward by the platform, meet."""
    centers = []
    for k, angle in enumerate(angles):
        reach = base - platform + crank * math.cos(angle)
        centers.append(rotated(2 * math.pi * k / 3) @ [reach, 0, -crank * math.sin(angle)])
    a, b, c = centers
    # Equal distances: (b - a).p = (|b|^2 - |a|^2) / 2, the same for c; p = start + s * line.
    line = numpy.cross(b - a, c - a)
    matrix = numpy.array([b - a, c - a, line])
    start = numpy.linalg.solve(matrix, [(b @ b - a @ a) / 2, (c @ c - a @ a) / 2, line @ a])
    half = math.sqrt((rod**2 - (start - a) @ (start - a)) / (line @ line))
    return min(start + half * line, start - half * line, key=lambda p: p[2])


# Exact where the spline passes through rows of the table: the projection on the constraints leaves 1e-15 m.
def test_delta_robot_is_where_its_spheres_meet(run):
    file, summary = run("delta_robot")
    table = pathlib.Path(file.filename).parent.parent / "pick_and_place.csv"
    rows = numpy.genfromtxt(table, delimiter=",", skip_header=2)
    times, position, quat = (file[f"/sensors/platform/{key}"][()] for key in ("t", "position", "quat_xyzw"))
    count = 0
    for time, *degrees in rows:
        for k in numpy.flatnonzero(abs(times - time) < 1e-9):
            assert position[k] == pytest.approx(delta_platform(numpy.radians(degrees)), abs=1e-12)
            assert abs(quat[k, :3]).max() < 1e-12  # it only translates
            count += 1
    assert count >= 80
    # At rest at the end the motors hold half of each crank and a third of the platform each.
    hold = 9.81 * (0.16 * 0.075 + 0.25 / 3 * 0.15)
    for k, name in enumerate(("first", "second", "third")):
        moment = rotated(2 * math.pi * k / 3) @ [0, -hold, 0]
        assert last(summary, f"{name}.torque") == pytest.approx(moment, abs=1e-9)


def test_four_bar_closes_as_its_triangles_say(run):
    file, _ = run("four_bar")
    t, angles = file["/sensors/rocker/t"][()], file["/sensors/rocker/angle"][()].ravel()
    crank, coupler, rocker, ground = 0.1, 0.3, 0.25, 0.3
    for time, angle in zip(t, angles, strict=True):
        d = numpy.array([crank * math.cos(2 * math.pi * time) - ground, crank * math.sin(2 * math.pi * time)])
        inner = math.acos((rocker**2 + d @ d - coupler**2) / (2 * rocker * math.hypot(*d)))
        assert math.remainder(angle - math.atan2(d[1], d[0]) + inner, 2 * math.pi) == pytest.approx(0, abs=1e-10)


def test_gears_turn_by_their_ratios(run):
    file, summary = run("gear_train")
    motor = file["/sensors/motor/angle"][()].ravel()
    assert motor[-1] == pytest.approx(math.pi, rel=1e-12)
    assert file["/sensors/idler/angle"][()].ravel() == pytest.approx(-motor / 2, abs=1e-12)
    assert file["/sensors/rack/displacement"][()].ravel() == pytest.approx(0.05 * motor, abs=1e-12)
    # 2 pi rad/s at the end: the wheels' and the rack's energy, to the second order of the step.
    energy = (1e-4 + 1e-3 / 4 + 1e-4 + 0.05**2) / 2 * (2 * math.pi) ** 2
    assert last(summary, "energy") == pytest.approx(energy, rel=1e-5)


def test_double_pendulum_keeps_its_energy(run):
    file, summary = run("double_pendulum")
    energy = summary["sensors"]["energy"]
    assert max(abs(energy["min"]), abs(energy["max"])) < 1e-10  # J, of 15 J in play; Newton leaves 4e-12
    assert abs(file["/sensors/elbow/angle"][()]).max() > 2 * math.pi  # it whirls


# It rests until 0.2 s; then a physical pendulum from the horizontal, measured 3e-4 J of 25 J.
def test_trapdoor_swings_once_it_is_let_go(run):
    file, summary = run("trapdoor")
    t, angle = file["/sensors/angle/t"][()], file["/sensors/angle/angle"][()].ravel()
    assert abs(angle[t < 0.2 + 1e-9]).max() < 1e-12
    assert angle.min() == pytest.approx(-math.pi, abs=1e-3)
    energy = summary["sensors"]["energy"]
    assert max(abs(energy["min"]), abs(energy["max"])) < 1e-3


def test_elephant_brings_the_food_to_its_mouth(run):
    _, summary = run("elephant")
    sensors = summary["sensors"]
    assert sensors["tip"]["min"][2] < -1.7  # hangs
    assert sensors["tip"]["max"][0] > 0.3  # reaches out
    assert sensors["to_mouth"]["last"] < 0.1  # [m]; the food's radius is 0.055
    assert abs(sensors["tip"]["last"][1]) < 1e-9  # symmetric: nothing moves it sideways
    assert summary["violation"] < 1e-9
    assert summary["warnings"] == []


# The right side is the mirror image of the left one: the head's mesh exactly, the ears as they swing.
def test_elephant_is_symmetric(flexura):
    flexura("example", "elephant")
    lines = (flexura.folder / "elephant_head.obj").read_text().splitlines()
    vertices = {tuple(float(x) for x in line.split()[1:]) for line in lines if line.startswith("v ")}
    assert len(vertices) > 1000
    assert all((x, -y, z) in vertices for x, y, z in vertices)
    scene = flexura.folder / "elephant.toml"
    ears = "".join(f'[sensor.{s}_ear]\ntype = "position"\nat = "{s}_ear@(1, 0.6)"\n' for s in ("left", "right"))
    scene.write_text(scene.read_text() + ears)
    flexura.summary("elephant.toml", "--no-csv", "--set", "analysis.feed.end=0.3")
    with h5py.File(flexura.folder / "elephant/results.h5") as file:
        left, right = (file[f"/sensors/{s}_ear/position"][()] for s in ("left", "right"))
    assert numpy.ptp(left[:, 0]) > 0.01  # [m]; they swing
    assert left * [1, -1, 1] == pytest.approx(right, abs=1e-9)


# Centre of the two bars that make the L; the method keeps the energy.
def test_bracket_from_a_file_tumbles(run):
    file, summary = run("tumbling_bracket")
    center = numpy.array([19500 / 900, 10500 / 900, 10]) * 1e-3
    velocity = file["/sensors/center/velocity"][()]
    assert velocity == pytest.approx(numpy.tile(numpy.cross([3.8, 9.2, 0.1], center), (len(velocity), 1)), abs=1e-12)
    energy = summary["sensors"]["energy"]
    assert energy["max"] - energy["min"] < 1e-12 * energy["max"]
    axis = numpy.array([math.cos(3 * math.pi / 8), math.sin(3 * math.pi / 8), 0])  # of the middle moment, in the body
    x, y, z, w = file["/sensors/pose/quat_xyzw"][()].T
    columns = [[1 - 2 * (y * y + z * z), 2 * (x * y + w * z)], [2 * (x * y - w * z), 1 - 2 * (x * x + z * z)]]
    along = axis[0] * (axis[0] * columns[0][0] + axis[1] * columns[0][1])
    along += axis[1] * (axis[0] * columns[1][0] + axis[1] * columns[1][1])
    assert along.min() < -0.9 and along.max() > 0.99  # turned over and back


# The table of another program's beam, to the differences of the formulations (as in tests/element/spatial_beams_test.cpp).
def test_princeton_beam_meets_its_table(run):
    tip_at = last(run("princeton_beam")[1], "tip")
    assert tip_at[1] == pytest.approx(8.837226e-3, abs=1.5e-2 * 10.714e-3)
    assert tip_at[2] == pytest.approx(108.987937e-3, abs=5e-3 * 146.246e-3)


def test_block_stays_where_the_shaft_holds_it(run):
    file, _ = run("block_on_beam")
    hole, middle = file["/sensors/hole/position"][()], file["/sensors/middle/position"][()]
    assert abs(hole - middle).max() < 1e-14
    assert hole[:, 2].min() < -1e-3


# Sticks for 2 D/V, slips for 2/w (pi - atan(D w/V)), as the scene's header says; the friction sensor: on the belt at most 6 N.
def test_stick_slip_has_its_period_and_the_slope_holds(run):
    file, summary = run("stick_slip", "output.sensor_interval=0.001")
    t, x = file["/sensors/block/t"][()], file["/sensors/block/position"][()][:, 0]
    tops = t[1:-1][(x[1:-1] > x[:-2]) & (x[1:-1] >= x[2:]) & (x[1:-1] > 0.05)]
    assert len(tops) == 3
    assert numpy.diff(tops) == pytest.approx(1.163, abs=5e-3)
    force = summary["sensors"]["friction"]
    assert 6 * (1 - 1e-3) < force["max"] <= 6 * (1 + 1e-9)
    # Let go at once it swings up to twice the weight along the slope, more than friction, and slips a little; then it is held.
    weight = 9.81 * 0.2924 / math.hypot(0.9563, 0.2924)
    assert summary["sensors"]["held"]["last"] == pytest.approx(-weight, rel=1e-6)
    rest = file["/sensors/resting/displacement"][()].ravel()
    assert 1e-4 * weight / 4 < rest[-1] < 2e-4
    assert abs(rest[len(rest) // 2 :] - rest[-1]).max() < 1e-15


def left(t, series=((0.3, 0.1), (0.2, 5.0))):
    """Share of the stiffness t after a sudden strain."""
    return 1 + sum(g * numpy.expm1(-t / tau) for g, tau in series)


# Without its weight the strip keeps its shape, so that all forces fall as the series says: the stamp's is the convolution of
# the shares that are left with the rate of the press. The weight on the band: its four equations, integrated here.
def test_relaxation_follows_its_series(run):
    file, _ = run("relaxation", "gravity=[0, 0]", folder="weightless")
    t, force = file["/sensors/reaction/t"][()], file["/sensors/reaction/reaction"][()][:, 1]
    moment = file["/sensors/moment/moment"][()].ravel()
    middles = (numpy.arange(2000) + 0.5) / 2000
    rate = 30 * middles**2 * (1 - middles) ** 2  # of 10 s^3 - 15 s^4 + 6 s^5
    late = t > 10  # what swings has died down to 1e-5 by then
    expected = numpy.array([(left(at - 0.2 * middles) * rate).mean() for at in t[late]])
    assert expected[0] > 1.04 * expected[-1]
    for found in (force[late], moment[late]):
        assert found / found[-1] == pytest.approx(expected / expected[-1], rel=3e-5)

    file, summary = run("relaxation")
    assert summary["sensors"]["pull"]["last"] == pytest.approx(9.81, rel=1e-4)
    t, y = file["/sensors/load/t"][()], file["/sensors/load/position"][()][:, 1] + 0.2
    k, c = 200.0, 2.0

    def change(s):
        x, v, a, b = s
        pull = k * (0.5 * x + 0.3 * a + 0.2 * b) + c * v
        return numpy.array([v, -9.81 - pull, v - a / 0.1, v - b / 5.0])

    s, h, wanted = numpy.zeros(4), 1e-3, {}
    for n in range(20000):
        k1 = change(s)
        k2 = change(s + 0.5 * h * k1)
        k3 = change(s + 0.5 * h * k2)
        s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + change(s + h * k3))
        wanted[n + 1] = s[0]
    for at in (1.0, 5.0, 20.0):
        near = abs(t - at).argmin()
        assert y[near] == pytest.approx(wanted[round(t[near] * 1000)], abs=2e-5)
    assert y[-1] == pytest.approx(-9.81 / 200 / 0.5, rel=0.04)


# The fan against the seams: 300 Pa / (1 + 20/100). Statics stand for 1e4 s a load step, which leaves 3e-5 of it.
def test_air_dome_stands_between_its_fan_and_its_seams(run):
    file, summary = run("air_dome")
    assert file["/analysis/blow-up/sensors/pressure/pressure"][-1] == pytest.approx(250, rel=1e-4)
    sensors = summary["sensors"]
    assert 0 < sensors["pressure"]["min"] < 20  # while the door is open
    assert sensors["pressure"]["last"] > 200
    # P V = m R T of 20 °C with V^1.4: the amount of air that is there.
    mass, volume, p = (sensors[name]["last"] for name in ("air", "volume", "pressure"))
    state = (101325 + p) * (volume / mass) ** 1.4
    filling = (101325 + 250) * (287.05 * 293.15 / (101325 + 250)) ** 1.4
    assert state == pytest.approx(filling, rel=1e-7)


def test_bellows_finger_curls_up_and_lets_go(run):
    file, summary = run("bellows_finger")
    t, z = file["/sensors/tip/t"][()], file["/sensors/tip/position"][()][:, 2]
    assert z[0] < -0.06  # it hangs
    assert z[(t > 1) & (t < 1.4)].min() > 0.06
    assert z[-1] < -0.06
    assert summary["sensors"]["pressure"]["last"] < 1000


def test_tendon_finger_bends_towards_its_tendon(run):
    _, summary = run("tendon_finger")
    sensors = summary["sensors"]
    assert abs(sensors["length"]["last"] - 0.85 * 0.12) < 1e-12  # a length that is kept at the end of each step
    assert sensors["tip"]["last"][2] > 0.03
    assert sensors["tension"]["last"] > 0 and sensors["strip"]["last"] > 0
    energy = summary["energy"]
    assert abs(energy["numerical"]) < 1e-3 * energy["work"]  # what the tendon does is accounted for


def test_silicone_finger_curls(run):
    file, summary = run("silicone_finger")
    low, high = (file[f"/sensors/{name}/position"][()] for name in ("tip_low", "tip_high"))
    angle = numpy.degrees(numpy.arctan2(high[:, 0] - low[:, 0], high[:, 2] - low[:, 2]))
    assert abs(angle[0]) < 1e-6
    assert 150 < angle[-1] < 180  # of the tip's face
    assert 36e3 < summary["sensors"]["pressure"]["last"] < 40e3


# Flattening at half the length: 0.196 by elements of 20 nodes on the same mesh, which go as far before the kink; 8 points lock the wall and leave
# 0.10. By Brazier's formula, of thin walls and small strains, the moment is below the largest, 6.84 mN m.
def test_hose_becomes_oval(run):
    _, summary = run("hose")
    flattening = 1 - numpy.linalg.norm(last(summary, "inside") - last(summary, "outside")) / 0.020
    assert flattening == pytest.approx(0.196, abs=0.015)


# Limit points of the sphere that keeps its volume: 15.590 kPa at a stretch of 1.406, 11.613 kPa at 2.73. The wall is curved between
# six elements of a quarter of the girth.
def test_balloon_goes_through_both_limit_points(run):
    file, summary = run("balloon")
    factors = file["/analysis/inflate/critical/load_factor"][()]
    assert factors[0] * 16e3 == pytest.approx(15590, rel=0.005)
    assert factors[1] * 16e3 == pytest.approx(11613, rel=0.015)
    volume = file["/analysis/inflate/sensors/volume/volume"][()]
    assert numpy.all(numpy.diff(volume) > 0)
    assert summary["sensors"]["pressure"]["last"] == pytest.approx(16e3, rel=1e-6)


# At rest p(stretch), its pressure by the closed form, and the gas of the balloon and the tank, (p₀ + p) V = m R T, give the stretch inside. A
# bulk modulus of 2 GPa leaves 2e-3 of it (with 200 MPa, ten times as soft, 19e-3 were measured).
def test_balloon_snaps_to_the_other_branch(run):
    file, summary = run("balloon_snap")
    inner, outer = 0.05, 0.052

    def slope(x):
        return (0.16e6 + 3 * 100 * (2 * x**2 + x**-4 - 3) ** 2) * 4 * (x - x**-5)

    points, weights = numpy.polynomial.legendre.leggauss(12)

    def pressure(stretch):
        outside = (outer**3 - inner**3 + (stretch * inner) ** 3) ** (1 / 3) / outer
        x = outside + (stretch - outside) * (points + 1) / 2
        return (stretch - outside) / 2 * numpy.sum(weights * slope(x) / (x**3 - 1))

    def gas(stretch):
        volume = math.pi / 6 * (stretch * inner) ** 3 + 0.125
        return (101325 + pressure(stretch)) * volume / (287.05 * 293.15)

    low, high = 2.74, 5.0  # beyond the least pressure
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if gas(middle) < summary["sensors"]["gas"]["last"] else (low, middle)
    t, radius = file["/sensors/radius/t"][()], file["/sensors/radius/position"][()][:, 0]
    assert radius[-1] / inner == pytest.approx(low, rel=3e-3)
    assert summary["sensors"]["pressure"]["last"] == pytest.approx(pressure(low), rel=3e-3)
    assert numpy.ptp(radius[t > 0.8]) < 1e-4 * inner  # at rest
    assert summary["sensors"]["radius"]["max"][0] > 1.01 * radius[-1]  # by inertia
    assert radius[t < 0.48].max() < 1.41 * inner  # on the first branch as long as it can be


# Without friction the tips carry the ball only from below its middle: at rest in the grip the table has nothing of its weight.
def test_soft_gripper_lifts_its_ball(run):
    file, summary = run("soft_gripper")
    z = file["/sensors/ball/position"][()][:, 2]
    tip = file["/sensors/tip/position"][()][:, 2]
    table = file["/sensors/table/contact_force"][()][:, 2]
    assert z[5] == pytest.approx(0.06, abs=1e-9)  # not yet touched
    assert table[5] == pytest.approx(-0.04 * 9.81, rel=1e-6)
    assert z[-1] > 0.12 and table[-1] == 0  # by more than its radius
    assert 0 < tip[-1] < z[-1] - 0.06 * math.sin(math.radians(45))  # far below the ball's middle
    assert numpy.hypot(*file["/sensors/ball/position"][()][:, :2].T).max() < 1e-4  # three alike push it nowhere
    assert summary["sensors"]["pressure"]["last"] == pytest.approx(200e3, rel=0.02)


def test_bellows_gripper_lifts_its_ball(run):
    file, summary = run("bellows_gripper")
    z = file["/sensors/ball/position"][()][:, 2]
    table = file["/sensors/table/contact_force"][()][:, 2]
    assert z[5] == pytest.approx(0.04, abs=1e-9)  # not yet touched
    assert table[5] == pytest.approx(-0.06 * 9.81, rel=1e-6)
    assert z[-1] - 0.04 > 0.07 and table[-1] == 0  # the lift, and what the jaws raise it by
    left, right = (summary["sensors"][name]["last"] for name in ("left_hinge", "right_hinge"))
    assert left == pytest.approx(-right, abs=1e-9)
    assert 0.2 < right < 0.35
    assert summary["sensors"]["closed"]["last"] == 4
    energy = summary["energy"]
    assert abs(energy["numerical"]) < 1e-3 * energy["work"]


# Its pumps press and hurry no more than they can; at the end they hold the arm against its weight with kp times what is missing.
def test_excavator_moves_by_its_cylinders(run):
    file, summary = run("excavator")
    length, force = (file[f"/sensors/boom_{name}"][()] for name in ("length/displacement", "force/force"))
    assert summary["sensors"]["boom_force"]["max"] == pytest.approx(90e3, rel=1e-9)
    assert summary["sensors"]["stick_force"]["min"] == pytest.approx(-60e3, rel=1e-9)
    assert abs(file["/sensors/boom_rate/displacement_rate"][()]).max() < 0.3
    assert length[-1] == pytest.approx(-0.1 - force[-1] / 4e6, abs=2e-4)
    assert length.max() == pytest.approx(0.25, abs=0.02)


# Forces per length of the prism that stands by its prestress: 400 N/m times the struts' length, against 6.6 N of weight.
def test_tensegrity_stands_up(run):
    file, summary = run("tensegrity")
    strut = file["/analysis/rest/sensors/strut/force"][-1]
    length = file["/sensors/length/distance"][()]
    assert strut == pytest.approx(-400 * length[0], rel=0.02)
    assert length[-1] == pytest.approx(length[0] + 0.006, abs=1e-12)
    assert file["/sensors/top/position"][-1, 2] > 0.206
    assert file["/sensors/cable/force"][()].min() > 0


# Each rail has half of the weight and of the snow, which presses along the normal of what has sagged.
def test_awning_bears_snow(run):
    file, summary = run("membrane")
    rail = file["/analysis/snow/sensors/rail/reaction"][-1]
    assert abs(rail[2]) == pytest.approx((1200 * 0.6e-3 * 9.81 + 150) * 2.4 / 2, rel=0.01)
    assert abs(rail[1]) < 1e-6
    height = file["/sensors/middle/position"][:, 2]
    assert height.max() > 0.02  # the gust
    assert -0.2 < file["/analysis/snow/sensors/middle/position"][-1, 2] < -0.03
    assert file["/analysis/snow/sensors/stress/cauchy_stress"][-1, 0] > 600 / 0.6e-3
    assert abs(summary["energy"]["numerical"]) < 1e-2 * abs(summary["energy"]["work"])


# It is pitched with 2 kN/m along all directions, of 1 mm; what bears snow is its threads along one diagonal, and in the end a fifth has
# relaxed.
def test_tent_bears_a_gust_and_snow(run):
    file, summary = run("tent")
    gust, snow = (file[f"{where}/sensors/stress/cauchy_stress"][()] for where in ("", "/analysis/snow"))
    assert gust[0, :2] == pytest.approx([2e6, 2e6], rel=1e-9)
    assert abs(gust[:, 2]).max() < 2e3  # along Z: nothing where it is level
    low = file["/analysis/snow/sensors/middle/position"][-1, 2]
    assert -0.05 < low < -0.03
    assert file["/sensors/middle/position"][:, 2].max() > 0.02
    assert snow[-1, 0] + snow[-1, 5] > 3e6  # pulled along y = x
    assert summary["status"] == "finished"


# At rest the jack carries dV/dh: 2 kg and the members' nodes, tops by 1, middles by 1/2, apexes by 1/4 and 3/4 with what they lean.
def test_sarrus_lifts(run):
    file, summary = run("sarrus_lift")
    corner = file["/sensors/corner/position"][()]
    assert abs(corner[:, :2] - [0, 0.2]).max() < 1e-13
    assert corner[-1, 2] == pytest.approx(0.45, abs=1e-12)
    fold = math.sqrt(0.25**2 - 0.45**2 / 4)
    lean = 0.06 / 0.25 * 0.45 / (4 * fold)
    halves = {"middle": (24, 0.5), "low": (8, 0.25 + lean), "high": (8, 0.75 - lean), "top": (20, 1)}
    rate = sum(0.03 / 2 * count * by for count, by in halves.values())
    assert last(summary, "push") == pytest.approx(-9.81 * (2 + rate), rel=1e-6)


# Lifted as one; then torques about the left end, 400 + 300 · 2² kg m²: its right end falls with 5.5 m/s², and the screw keeps the left one.
def test_a_screw_holds_and_a_cylinder_gives_way(run):
    file, summary = run("screw_jack")
    left, right = (file[f"/sensors/{name}/position"][:, 1] for name in ("left", "right"))
    assert max(left) == pytest.approx(1.4, abs=4e-4)  # W/(2 k) = 0.3 mm lower
    assert last(summary, "cylinder") == pytest.approx(-1900, abs=1e-6)
    fall = 4 * (300 * 9.81 * 2 + 981 * 4 - 1900 * 4) / 1600
    assert right[-1] == pytest.approx(1.4 - fall * 0.3**2 / 2, abs=3e-3)  # it turns by 0.06 rad, and its spring fills
    assert left[-1] == pytest.approx(1.4, abs=4e-4)


# Inversion at the circle of radius² long² − side²: the circle through O becomes a line.
def test_peaucellier_draws_a_line(run):
    file, _ = run("peaucellier")
    C, D = (file[f"/sensors/{name}/position"][()] for name in "CD")
    assert abs(D[:, 0] - 0.2625).max() < 1e-12
    assert numpy.ptp(D[:, 1]) > 0.4
    assert numpy.hypot(*C.T) * numpy.hypot(*D.T) == pytest.approx(0.25**2 - 0.1**2, abs=1e-12)


# Figures of validation/independent/frames.py.
def test_star_dome_goes_through_its_limits(run):
    file, summary = run("star_dome")
    limits = [400 * point["load_factor"] for point in summary["critical_points"]]
    assert limits == pytest.approx([303.189396149, -265.100948209], abs=1e-6)
    assert {point["type"] for point in summary["critical_points"]} == {"limit point"}
    assert file["/analysis/push/sensors/apex/position"][-1, 2] < 0.04


# A scissor of halves a, b at an angle of 2 psi is turned by 2 atan((b - a)/(a + b) tan psi) against the next; six of them
# span 2 a sin psi sin(6 alpha / 2)/sin(alpha / 2) between the feet, at 15 degrees and at 65.
def test_scissor_arch_unfolds_without_dead_points(run, flexura):
    file, summary = run("scissor_arch")
    span = file["/sensors/span/position"][:, 0]
    for psi, reached in ((15, span[0]), (65, span[-1])):
        p = math.radians(psi)
        half = math.atan(0.1 * math.tan(p))
        assert reached == pytest.approx(0.9 * math.sin(p) * math.sin(6 * half) / math.sin(half), abs=1e-9)
    assert summary["warnings"] == []
    cable = file["/sensors/cable/force"][()]
    slack = 2 * 0.45 * math.sin(math.radians(65)) - 0.813677
    assert cable[0] == 0
    assert cable[-1] == pytest.approx(50e3 * slack / 0.813677, rel=1e-6)
    frame = json.loads(flexura("check", "scissor_arch.toml", "--frame", "--json").stdout)["frame"]
    assert (frame["self_stress"], frame["mechanisms"]) == (6, 0)
    assert sorted(len(state) > 1 for state in frame["states"]) == [True] * 6
