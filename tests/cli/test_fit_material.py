"""fit-material: constants of rubber from measured tension."""

import json
import math

import pytest
import tomllib
from conftest import BAD_INPUT, IO_FAILURE, ROOT

TRELOAR = [ROOT / f"examples/treloar_{test}.csv" for test in ("uniaxial", "equibiaxial", "planar")]


def table(test: str, rows: list[tuple[float, float]], unit: str = "MPa") -> str:
    return f"# test: {test}\nstretch,stress [{unit}]\n" + "".join(f"{a},{b}\n" for a, b in rows)


def neo_hooke(mu: float, stretches=(1.1, 1.3, 1.6, 2.0, 2.5)) -> list[tuple[float, float]]:
    return [(x, mu * (x - x**-2)) for x in stretches]


def test_treloars_rubber(flexura):
    done = flexura("fit-material", *TRELOAR, "--relative", "--json")
    fit = json.loads(done.stdout)
    assert done.stderr == ""
    assert fit["best"] == "ogden"
    assert [t["points"] for t in fit["tests"]] == [24, 16, 13]
    laws = {law["law"]: law for law in fit["laws"]}
    assert set(laws) == {"neo-hooke", "mooney-rivlin", "yeoh", "ogden", "gent", "arruda-boyce"}
    ogden = laws["ogden"]
    assert ogden["rms_relative"] < 0.06 < laws["neo-hooke"]["rms_relative"]
    assert ogden["constants"]["alpha1"]["value"] == pytest.approx(1.3, abs=0.1)
    assert 0 < ogden["constants"]["alpha1"]["standard_error"] < 0.3
    assert ogden["correlation"][0][0] == pytest.approx(1)
    assert ogden["stable"]["uniaxial"] == [0.1, 10]
    assert [len(r) for r in ogden["residuals"]] == [24, 16, 13]
    material = tomllib.loads(fit["toml"])["material"]["rubber"]
    assert material["type"] == "ogden"
    page = (flexura.folder / "fit-material.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 5
    assert "[material.rubber]" in page


def test_prints_a_block_for_scenes(flexura):
    flexura.write("pull.csv", table("uniaxial", neo_hooke(0.4)))
    done = flexura(
        "fit-material", "pull.csv", "--law", "neo-hooke", "--name", "wall", "--toml", "wall.toml", "-o", "wall.html"
    )
    assert '[material.wall]\ntype = "neo-hooke"\nmu = "0.4 MPa"\n' in done.stdout
    assert "wrote wall.html" in done.stdout
    assert "only uniaxial tension was measured" in done.stderr
    written = tomllib.loads((flexura.folder / "wall.toml").read_text(encoding="utf-8"))
    assert written["material"]["wall"]["mu"] == "0.4 MPa"


def test_tests_may_be_named_on_the_command_line(flexura):
    flexura.write("a.csv", "".join(f"{x} {1000 * y}\n" for x, y in neo_hooke(0.4)))
    flexura.write(
        "b.csv", "strain [%], stress\n" + "".join(f"{100 * (x - 1)}, {400 * (x - x**-3)}\n" for x in (1.2, 1.5, 2))
    )
    done = flexura(
        "fit-material", "--uniaxial", "a.csv", "--planar", "b.csv", "--unit", "kPa", "--law", "neo-hooke", "--json"
    )
    fit = json.loads(done.stdout)
    assert [t["test"] for t in fit["tests"]] == ["uniaxial", "planar"]
    assert fit["laws"][0]["constants"]["mu"]["value"] == pytest.approx(4e5)
    assert fit["warnings"] == []


def test_constants_may_be_known(flexura):
    flexura.write("pull.csv", table("uniaxial", neo_hooke(0.4)))
    done = flexura("fit-material", "pull.csv", "--law", "mooney-rivlin", "--fix", "c01=20 kPa", "--json")
    constants = json.loads(done.stdout)["laws"][0]["constants"]
    assert constants["c01"] == {
        "unit": "Pa",
        "value": 2e4,
        "standard_error": None,
        "standard_error_reason": "fixed",
        "fixed": True,
        "at_bound": False,
    }
    assert constants["c10"]["value"] < 2e5


def test_every_problem_of_all_files_is_told(flexura):
    flexura.write("a.csv", "# test: uniaxal\nstrech,stress [MPa]\n1.1,0.1\n")
    flexura.write("b.csv", "stretch,stress [MPa]\n1.1,x\n")
    done = flexura("fit-material", "a.csv", "b.csv", "nothing.csv", status=BAD_INPUT)
    for message in (
        'a.csv:1:9: error: there is no test "uniaxal"',
        'nearest: "uniaxial"',
        "a.csv:2:1: error: there is no column of deformation",
        "b.csv: error: nothing says which test this is",
        "b.csv:2:5: error: 'x' is not a number",
        "nothing.csv: error: cannot open",
        "5 errors",
    ):
        assert message in done.stderr
    assert done.stdout == ""
    assert not (flexura.folder / "fit-material.html").exists()


def test_a_missing_file_is_a_failure_of_files(flexura):
    assert "cannot open" in flexura("fit-material", "nothing.csv", status=IO_FAILURE).stderr


def test_a_page_that_cannot_be_written(flexura):
    flexura.write("pull.csv", table("uniaxial", neo_hooke(0.4)))
    flexura("fit-material", "pull.csv", "--law", "neo-hooke", "-o", "pull.csv/page.html", status=IO_FAILURE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "a file of measured tension is missing"),
        (["pull.csv", "--law", "yeo"], 'nearest: "yeoh"'),
        (["pull.csv", "--law", "st-venant-kirchhoff"], "does not tell the constants of st-venant-kirchhoff"),
        (["pull.csv", "--fix", "mu"], "a constant and its value"),
        (["pull.csv", "--fix", "mu=3 m"], "m is not a unit of stress"),
        (["pull.csv", "--fix", "nu=0.3"], 'none of these laws has a constant "nu"'),
        (["pull.csv", "--laws", "yeoh"], "--law"),
    ],
)
def test_wrong_command_lines(flexura, arguments, message):
    flexura.write("pull.csv", table("uniaxial", neo_hooke(0.4)))
    assert message in flexura("fit-material", *arguments, status=BAD_INPUT).stderr


def test_units_that_are_off_are_noticed(flexura):
    flexura.write("pull.csv", table("uniaxial", neo_hooke(0.4), unit="GPa"))
    done = flexura("fit-material", "pull.csv", "--law", "neo-hooke", "--json")
    assert "the shear modulus comes out at 400 MPa" in done.stderr
    assert any("Is the unit of stress right?" in w for w in json.loads(done.stdout)["warnings"])


def test_a_law_that_gives_way_is_noticed(flexura):
    rows = [
        (x, 2 * (x - x**-2) * (0.2712 + 0.06106 * i1 - 0.0012039 * i1 * i1))
        for x in (1.5, 2, 3, 4, 5, 6, 7, 8)
        for i1 in [x * x + 2 / x - 3]
    ]
    flexura.write("pull.csv", table("uniaxial", rows))
    done = flexura("fit-material", "pull.csv", "--law", "yeoh", "--json")
    fit = json.loads(done.stdout)["laws"][0]
    assert not fit["stable_over_data"]
    assert math.isclose(fit["constants"]["c30"]["value"], -401.3, rel_tol=1e-3)
    assert "unstable in uniaxial tension" in done.stderr
