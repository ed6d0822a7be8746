"""linearise: a scene as a linear system, and its files."""

import json

import numpy as np
import pytest
from conftest import BAD_INPUT, PROGRAM, ROOT, UNSUCCESSFUL

pytestmark = pytest.mark.skipif(
    not PROGRAM.with_name("flexura-study").exists(), reason="flexura-study is not built here"
)

# m = 2 kg, c = 0.4 N s/m, k = 50 N/m: 5 rad/s, let go 0.1 m below its rest.
OSCILLATOR = """
space = "planar"
[point.bob]
position = [0, -1.1]
[mass.bob_mass]
at = "bob"
m = 2.0
[joint.guide]
type = "prescribed"
of = ["ground", "bob"]
x = 0
[spring.coil]
type = "linear"
between = [[0, 0], "bob"]
stiffness = 50
damping = 0.4
free_length = 1
[signal.push]
type = "input"
[load.force]
type = "force"
at = "bob"
force = [0, 1]
signal = "push"
[sensor.place]
type = "position"
at = "bob"
[[analysis]]
name = "hang"
type = "static"
[[analysis]]
name = "move"
type = "dynamic"
end = "1 s"
step = "1 ms"
"""


@pytest.fixture
def oscillator(flexura):
    flexura.write("oscillator.toml", OSCILLATOR)
    return flexura


def said(flexura, *words):
    return json.loads(flexura("linearise", "oscillator.toml", "--json", "-q", *words).stdout)


def test_matrices_and_eigenvalues_of_an_oscillator(oscillator):
    model = said(oscillator)
    assert model["states"] == ["bob[1]", "d(bob[1])/dt"]  # y is what the guide leaves of the point
    assert np.array(model["A"]) == pytest.approx(np.array([[0, 1], [-25, -0.2]]), abs=1e-12)
    assert [pole["frequency"] for pole in model["eigenvalues"]] == pytest.approx([5 / (2 * np.pi)] * 2)
    assert model["eigenvalues"][0]["damping_ratio"] == pytest.approx(0.02)
    text = oscillator("linearise", "oscillator.toml").stdout
    assert "-0.1 ± 4.999i" in text


def test_start_time_and_analysis(oscillator):
    # At the start 0.1 m below rest: 50 N/m · 0.1 m / 2 kg upwards.
    start = said(oscillator, "--at", "start")
    assert start["drift"] == pytest.approx([0, 2.5])
    assert start["y"] == pytest.approx([0, -1.1])
    assert said(oscillator, "--at", "hang")["y"] == pytest.approx([0, -1.0])
    assert said(oscillator, "--at", "100 ms")["t"] == pytest.approx(0.1)
    assert said(oscillator, "--at", "move")["t"] == pytest.approx(1)
    stderr = oscillator("linearise", "oscillator.toml", "--at", "hung", status=BAD_INPUT).stderr
    assert 'no analysis "hung"' in stderr
    assert 'nearest: "hang"' in stderr
    for time in ("-1 s", "nan", "inf s"):
        stderr = oscillator("linearise", "oscillator.toml", "--at", time, status=BAD_INPUT).stderr
        assert "is no time of the run, which begins at 0 s" in stderr
    assert "the run ends at 1 s" in oscillator("linearise", "oscillator.toml", "--at", "2", status=BAD_INPUT).stderr


def test_files_for_other_programs(oscillator):
    files = ["-o", "model.json", "-o", "model.npz", "-o", "model.m", "-o", "tables"]
    oscillator("linearise", "oscillator.toml", "--frequency-response", "0.1:10:5", *files)
    model = json.loads((oscillator.folder / "model.json").read_text(encoding="utf-8"))
    arrays = np.load(oscillator.folder / "model.npz")
    assert arrays["A"].tolist() == model["A"]
    assert arrays["B"].shape == (2, 1)
    assert arrays["states"].tolist() == model["states"]
    assert arrays["state_units"].tolist() == ["m", "m/s"]
    f = arrays["frequencies"]
    assert f == pytest.approx(np.geomspace(0.1, 10, 5))
    s = 2j * np.pi * f
    assert arrays["response"][:, 1, 0] == pytest.approx(1 / (2 * s**2 + 0.4 * s + 50), rel=1e-9)
    matlab = (oscillator.folder / "model.m").read_text(encoding="utf-8")
    rows = matlab[matlab.index("A = [\n") + 6 : matlab.index("];")].split()
    assert [float(x) for x in rows] == np.ravel(model["A"]).tolist()
    assert "state_names = {'bob[1]'; 'd(bob[1])/dt'; };" in matlab
    rows = (oscillator.folder / "tables/response.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("f [Hz],")
    assert len(rows) == 6
    assert (oscillator.folder / "tables/A.csv").read_text(encoding="utf-8").startswith("name,bob[1],d(bob[1])/dt\n")
    stderr = oscillator("linearise", "oscillator.toml", "-o", "model.txt", status=BAD_INPUT).stderr
    assert ".json, .m and .npz" in stderr
    files = ["-o", "early.json", "-o", "model.txt"]
    oscillator("linearise", "oscillator.toml", "--at", "2", *files, status=BAD_INPUT)
    # Before anything is read or computed.
    stderr = oscillator("linearise", "none.toml", *files, status=BAD_INPUT).stderr
    assert ".json, .m and .npz" in stderr
    assert not (oscillator.folder / "early.json").exists()


def test_all_that_is_wrong_at_once(oscillator):
    words = ["--input", "pull,shove", "--sensor", "plaice"]
    stderr = oscillator("linearise", "oscillator.toml", *words, status=BAD_INPUT).stderr
    for expected in ("pull", "shove", 'nearest: "place"'):
        assert expected in stderr
    for words in (["--frequency-response", "1:2"], ["--frequency-response", "2:1:5"], ["--at", "3 kg"]):
        oscillator("linearise", "oscillator.toml", *words, status=BAD_INPUT)


def test_contacts_and_large_models_are_told(flexura):
    assert "contact" in flexura("linearise", ROOT / "examples/balls.toml", status=BAD_INPUT).stderr
    stderr = flexura("linearise", ROOT / "examples/silicone_finger.toml", status=UNSUCCESSFUL).stderr
    assert "too many for dense matrices" in stderr
