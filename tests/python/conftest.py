from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

PENDULUM = """
title = "pendulum on a cord"
space = "planar"
gravity = [0, -9.81]

[section.cord]
EA = "2 kN"
EI = "0.02 N m^2"
rhoA = "0.1 kg/m"

[cable.cord]
section = "cord"
path = [[0, 0], [0.2, 0]]
elements = 4

[joint.pin]
type = "pin"
of = ["ground", "cord.start"]

[sensor.tip]
type = "position"
at = "cord.end"

[sensor.bend]
type = "angle"
at = "cord.end"

[[analysis]]
name = "swing"
type = "dynamic"
end = "0.1 s"
step = "1 ms"

[output]
interval = "10 ms"
sensor_interval = "1 ms"
"""

PUSHED = (
    PENDULUM
    + """
[signal.push]
type = "input"
value = 0.0

[load.tip]
type = "force"
at = "cord.end"
force = ["0 N", "1 N"]
signal = "push"
"""
)


# A force that no step of this size can follow.
FAILING = (
    PENDULUM.replace('"1 ms"', '"0.1 s"', 1)
    + """
[load.blow]
type = "force"
at = "cord.end"
force = ["1 MN", "-3 MN"]
"""
)


@pytest.fixture
def heeds_ctrl_c() -> Iterator[None]:
    """Also where the tests were started in the background, whose programs ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def failing() -> str:
    return FAILING


@pytest.fixture
def pendulum() -> str:
    return PENDULUM


@pytest.fixture
def pushed() -> str:
    return PUSHED


@pytest.fixture
def actuator() -> Path:
    return EXAMPLES / "soft_actuator.toml"
