"""Reactions that rigid-body mechanics cannot determine are named by joint and component, whatever the method and the order.

Expected components: null space of the equations of balance, worked out by hand. A door on two balls turns about z: six
unknown forces, five equations, and the pair +-z is balanced by itself. Two hinges hold two moments each besides: five
self-balanced sets, of all components that they hold. Around a planar loop of hinges runs any force along z with moments
about x and y.
"""

import itertools
import re

import pytest

HEAD = 'space = "spatial"\ngravity = [0, 0, -9.81]\n'
DYNAMIC = '[[analysis]]\nname = "m"\ntype = "dynamic"\nend = 0.002\nstep = 0.001\n'


def body(name, *at):
    return f'[body.{name}]\nposition = {list(at)}\nshape = {{ type = "box", size = [1, 0.05, 0.6] }}\nm = 20\n'


def joint(name, kind, first, second, at, axis=(0, 0, 1), method="eliminated"):
    along = "" if kind == "spherical" else f"axis = {list(axis)}\n"
    return (
        f'[joint.{name}]\ntype = "{kind}"\nof = ["{first}", "{second}"]\nat = {list(at)}\n{along}method = "{method}"\n'
    )


def sensors(name, moment=True):
    kinds = ["reaction", "reaction_moment"] if moment else ["reaction"]
    return "".join(f'[sensor.{kind}_{name}]\ntype = "{kind}"\nof = "{name}"\n' for kind in kinds)


def found(flexura, tables, read):
    """Joint -> components, of the warnings of a run that reads these sensors."""
    flexura.write("x.toml", HEAD + "".join(tables) + read + DYNAMIC)
    summary = flexura.summary("x.toml", "-o", "out", "--force")
    texts = [re.search(r"reaction of joint\.(\w+) is not determined along ([^:]*):", w) for w in summary["warnings"]]
    return {t[1]: t[2] for t in texts if t}


def door(kinds, method, axis=(0, 0, 1)):
    places = [[0.2 * a for a in axis], [1.8 * a for a in axis]]
    return [body("door", 0.5, 0, 1)] + [
        joint(f"h{k}", kind, "ground", "door", at, axis, method)
        for k, (kind, at) in enumerate(zip(kinds, places, strict=True))
    ]


HINGE = "force x, force y, force z, moment x, moment y"
DOORS = [
    (["spherical", "spherical"], ["force z", "force z"]),
    (["revolute", "revolute"], [HINGE, HINGE]),
    (["revolute", "spherical"], [HINGE, "force x, force y, force z"]),
    (["spherical", "point_on_line"], [None, None]),
    (["revolute", "point_on_line"], ["force x, force y, moment x, moment y", "force x, force y"]),
    (["spherical", "cylindrical"], ["force x, force y", "force x, force y, moment x, moment y"]),
]


@pytest.mark.parametrize("method", ["eliminated", "multipliers"])
@pytest.mark.parametrize(("kinds", "expected"), DOORS)
def test_door_on_two_joints(flexura, kinds, expected, method):
    wants = {f"h{k}": text for k, text in enumerate(expected) if text}
    read = "".join(sensors(f"h{k}", moment=kind in ("revolute", "cylindrical")) for k, kind in enumerate(kinds))
    for order in itertools.permutations(door(kinds, method)):
        assert found(flexura, order, read) == wants


def test_only_what_a_sensor_reads_is_named(flexura):
    tables = door(["revolute", "revolute"], "eliminated")
    assert found(flexura, tables, "") == {}
    assert found(flexura, tables, sensors("h1", moment=False)) == {"h1": "force x, force y, force z"}


def test_oblique_axis(flexura):
    tables = door(["spherical", "spherical"], "eliminated", (0.6, 0, 0.8))
    assert found(flexura, tables, sensors("h0", moment=False)) == {"h0": "force x, force z"}


@pytest.mark.parametrize("method", ["eliminated", "multipliers"])
@pytest.mark.parametrize("kind", ["revolute", "spherical", "cylindrical"])
def test_single_joint_is_determinate(flexura, kind, method):
    tables = door([kind, kind], method)[:2]
    assert found(flexura, tables, sensors("h0", moment=kind != "spherical")) == {}


@pytest.mark.parametrize("method", ["eliminated", "multipliers"])
def test_planar_loop_of_hinges(flexura, method):
    corners = [[0, 0, 0], [0, 1, 0], [2, 1.5, 0], [2, 0, 0]]
    chain = ["ground", "a", "b", "c", "ground"]
    tables = [body("a", 0, 0.5, 0), body("b", 1, 1.25, 0), body("c", 2, 0.75, 0)]
    tables += [joint(f"h{k}", "revolute", chain[k], chain[k + 1], corners[k], method=method) for k in range(4)]
    read = "".join(sensors(f"h{k}") for k in range(4))
    for order in (tables, tables[::-1], tables[3:] + tables[:3]):
        assert found(flexura, order, read) == {f"h{k}": "force z, moment x, moment y" for k in range(4)}


def test_loop_with_two_balls_is_determinate(flexura):
    corners = [[0, 0, 0], [0, 1, 0], [2, 1.5, 0], [2, 0, 0]]
    chain = ["ground", "a", "b", "c", "ground"]
    kinds = ["revolute", "spherical", "spherical", "revolute"]
    tables = [body("a", 0, 0.5, 0), body("b", 1, 1.25, 0), body("c", 2, 0.75, 0)]
    tables += [joint(f"h{k}", kinds[k], chain[k], chain[k + 1], corners[k]) for k in range(4)]
    assert found(flexura, tables, sensors("h0") + sensors("h3")) == {}


@pytest.mark.parametrize("is_beam", [True, False])
def test_a_beam_between_two_held_bodies_determines_what_a_rigid_link_does_not(flexura, is_beam):
    between = (
        '[material.steel]\nE = "210 GPa"\nnu = 0.3\nrho = 7800\n'
        '[section.wire]\nshape = { type = "circle", radius = "5 mm" }\nmaterial = "steel"\n'
        '[beam.link]\nsection = "wire"\npath = [[0, 1, 0], [2, 1, 0]]\nelements = 2\n'
        if is_beam
        else body("link", 1, 1, 0)
    )
    tables = [body("a", 0, 0.5, 0).replace("[1, 0.05", "[0.1, 1"), body("b", 2, 0.5, 0), between]
    tables += [joint("h0", "revolute", "ground", "a", [0, 0, 0]), joint("h1", "revolute", "ground", "b", [2, 0, 0])]
    for side, at, end in (("a", [0, 1, 0], "start"), ("b", [2, 1, 0], "end")):
        tables.append(
            f'[joint.w{side}]\ntype = "weld"\nof = ["link.{end}", "{side}.tip"]\n'
            if is_beam
            else f'[joint.w{side}]\ntype = "weld"\nof = ["link", "{side}"]\nat = {at}\n'
        )
    tables[0] += "points = { tip = [0, 0.5, 0] }\n"
    tables[1] += "points = { tip = [0, 0.5, 0] }\n"
    pushed_apart = "force x, force z, moment x, moment y"  # in the plane of motion: a pair along the line of the hinges
    wants = {} if is_beam else {"h0": pushed_apart, "h1": pushed_apart}
    assert found(flexura, tables, sensors("h0") + sensors("h1")) == wants
