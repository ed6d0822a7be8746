"""The examples in Python run to their end, quickly, and write nothing that they are not told to."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("matplotlib")
root = Path(__file__).resolve().parents[2]
scripts = ["soft_actuator", "feedback_control", "parameter_study", "compare_measurement", "external_force"]
says = {
    "soft_actuator": "the tip goes from",
    "feedback_control": "t = 4.99 s: target  20.0°, angle  20.00°",
    "parameter_study": "EI = 0.0186 N m²: the payload is level with the clamp at 42.5 kPa",
    "compare_measurement": "EI       0.0172018  9.9e-06",
    "external_force": "with tangent",
}


@pytest.mark.parametrize("name", scripts)
def test_an_example_runs(name, tmp_path):
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    for arguments in ([], ["figure.png"])[name != "soft_actuator" :]:
        command = [sys.executable, root / "examples" / f"{name}.py", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert says[name] in done.stdout and not done.stderr
        assert [file.name for file in tmp_path.iterdir()] == arguments


def test_an_arm_floats(tmp_path):
    command = [sys.executable, root / "examples" / "gravity_compensation.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert "drift of the tool" in done.stdout and not list(tmp_path.iterdir())


def test_a_cluster_shares_a_sweep(tmp_path):
    pytest.importorskip("dask.distributed")
    command = [sys.executable, root / "examples" / "sweep_on_cluster.py", "32"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert "32 runs, 0 failed" in done.stdout and not list(tmp_path.iterdir())


def test_an_fmu_is_controlled(tmp_path):
    command = [sys.executable, root / "examples" / "co_simulation.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert "the tip is at -4" in done.stdout and not list(tmp_path.iterdir())


def test_a_pendulum_swings_up(tmp_path):
    command = [sys.executable, root / "examples" / "swing_up.py", "--quick"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert "the tip ends at" in done.stdout and not list(tmp_path.iterdir())


def test_an_actuator_learns_to_hold(tmp_path):
    pytest.importorskip("gymnasium")
    command = [sys.executable, root / "examples" / "learn_to_hold.py", "--short"]
    told = []
    for _ in range(2):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and not done.stderr, done.stderr
        told.append([line for line in done.stdout.splitlines() if "learning included" not in line])
    assert told[0] == told[1] and not list(tmp_path.iterdir())
    assert [line.split()[0] for line in told[0][-5:]] == ["nothing", "constant", "PI", "PID", "learnt"]


def first_code(page):
    return (root / page).read_text().split("```python\n")[1].split("```")[0]


def test_the_readme_shows_the_fifteen_lines_of_the_first_example():
    text = (root / "examples" / "soft_actuator.py").read_text()
    cell = text.split("# %%\n")[1].split("# %%")[0]
    assert first_code("README.md").strip() == cell.strip()
    lines = [line for line in cell.splitlines() if line.strip() and not line.startswith("#")]
    assert len(lines) <= 15 and max(map(len, lines)) <= 120


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_first_code_of_a_page_runs(page, tmp_path):
    code = first_code(page) + "print(tip.shape, tip[-1], len(plt.gcf().axes[0].lines))\n"
    done = subprocess.run(
        [sys.executable, "-c", "import matplotlib.pyplot as plt\n" + code],
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert done.stdout.startswith("(201, 2)") and done.stdout.endswith(" 2\n")
    assert not list(tmp_path.iterdir())


def test_notebooks_are_made_of_the_scripts():
    pytest.importorskip("jupytext")
    pytest.importorskip("nbclient")
    done = subprocess.run(
        [sys.executable, root / "scripts" / "build_notebooks", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
