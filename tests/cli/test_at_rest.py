"""What analyses that take no time leave for people without HDF5: tables, plots, frequencies, critical points, work."""

import csv
import math
import re

import pytest

ARCH = """
space = "planar"
[section.rod]
EA = 1e4
EI = 10.0
rhoA = 1.0
[cable.arch]
section = "rod"
path = { arc = { center = [0, -3.25833333], radius = 3.40833333, from = 1.86856, to = 1.27303 } }
elements = 16
[joint.left]
type = "pin"
of = ["ground", "arch.start"]
[joint.right]
type = "pin"
of = ["ground", "arch.end"]
[load.push]
type = "force"
at = "arch@0.5"
force = [0, -200]
[sensor.crown]
type = "position"
at = "arch@0.5"
[[analysis]]
name = "snap"
type = "static"
arc_length = true
"""


def table(path):
    with path.open() as file:
        rows = list(csv.reader(file))
    return rows[0], [[float(x) for x in row] for row in rows[1:]]


def test_load_paths_are_tables_and_plots(flexura):
    flexura("example", "cantilever_tip_force")
    flexura("run", "cantilever_tip_force.toml", "--plots", "--output", "out")
    out = flexura.folder / "out"
    assert not (out / "tip.csv").exists(), "no sensor is read over time"
    heading, rows = table(out / "bend.tip.csv")
    assert heading == ["load_factor [1]", "position.x [m]", "position.y [m]"]
    assert rows[0] == [0, 1, 0] and rows[-1][0] == 1
    assert rows[-1][2] == pytest.approx(-0.669965, rel=1e-4)
    assert "load_factor" in (out / "bend.tip.svg").read_text()
    flexura("run", "cantilever_tip_force.toml", "--no-csv", "--force", "--output", "out")
    assert not list(out.glob("*.csv")) and not list(out.glob("*.svg")), "those of the earlier run are gone"


def test_frequencies_are_said_and_kept(flexura):
    flexura("example", "modes")
    done = flexura("run", "modes.toml", "--output", "out")
    summary = flexura.summary("modes.toml", "--output", "again")
    straight, hanging = summary["modes"]
    assert (straight["analysis"], hanging["analysis"]) == ("straight", "hanging")
    assert straight["frequency"][0] == pytest.approx(3.5160153 / (2 * math.pi), rel=1e-4)  # (β₁L)² of a cantilever
    assert f"straight: {straight['frequency'][0]:.6g}, " in done.stdout
    heading, rows = table(flexura.folder / "out/straight.csv")
    assert heading[:2] == ["mode [1]", "frequency [Hz]"]
    assert [row[1] for row in rows] == straight["frequency"]


def test_critical_points_are_numbers(flexura):
    flexura.write("arch.toml", ARCH)
    summary = flexura.summary("arch.toml", "--output", "out")
    first = summary["critical_points"][0]
    assert first["analysis"] == "snap" and first["type"] in ("limit point", "bifurcation")
    assert 0 < first["load_factor"] < 1 and first["unstable_before"] == 0 and first["unstable_after"] > 0
    heading, rows = table(flexura.folder / "out/snap.critical.csv")
    assert heading == ["load_factor [1]", "bifurcation [1]", "unstable_before [1]", "unstable_after [1]"]
    assert [row[0] for row in rows] == [point["load_factor"] for point in summary["critical_points"]]
    # The whole path, which goes back.
    assert min(row[0] for row in table(flexura.folder / "out/snap.crown.csv")[1]) < first["load_factor"]


@pytest.mark.parametrize(
    ("scene", "share"),
    # What the strain energy gains is the work of loads and weight, over steps of a tenth. roll_up turns an end by 36° in each.
    [
        ("cantilever_tip_force", 1e-3),
        ("follower_force", 1e-3),
        ("princeton_beam", 1e-3),
        ("roll_up", 5e-3),
        ("fishing_rod", 1e-3),
    ],
)
def test_loads_of_statics_do_work(flexura, scene, share):
    flexura("example", scene)
    name = re.search(r'\[\[analysis\]\]\s+name\s*=\s*"(\w+)"', (flexura.folder / f"{scene}.toml").read_text())[1]
    tenths = [k / 10 for k in range(1, 11)]
    summary = flexura.summary(
        f"{scene}.toml", "--no-csv", "--no-report", "--output", "out", "--set", f"analysis.{name}.load_levels={tenths}"
    )
    path = summary["statics"][0]
    assert path["load_factor"] == 1 and path["stored"] > 0
    assert abs(path["open"]) < share * path["stored"]
    assert path["open"] == pytest.approx(path["work"] + path["work_of_weight"] - path["stored"])
    if summary["steps"] == 0:
        assert summary["energy"]["work"] == path["work"]


def test_snapping_is_told_from_the_path_that_follows_it(flexura):
    flexura.write("arch.toml", ARCH)
    followed = flexura.summary("arch.toml", "--output", "followed")["statics"][0]
    pushed = flexura.summary("arch.toml", "--set", "analysis.snap.arc_length=false", "--output", "pushed")["statics"][0]
    assert followed["stored"] == pytest.approx(pushed["stored"], rel=1e-6)
    assert abs(followed["open"]) < 0.01 * abs(followed["work"])
    assert pushed["open"] > 0.2 * pushed["work"], "lost where it snapped"
