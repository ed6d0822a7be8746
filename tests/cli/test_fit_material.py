"""fit-material: constants of rubber from measured tension."""

import json
import math

import pytest
import tomllib
from conftest import BAD_INPUT, IO_FAILURE, ROOT, UNSUCCESSFUL

RECORDS = ROOT / "tests/cases/records"
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
    assert ogden["stable"]["uniaxial"] == [None, None]
    assert fit["stability_searched"] == [0.1, pytest.approx(7.6**1.2)]
    assert all(law["failure"] is None for law in laws.values())
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


def test_every_problem_of_all_files_is_reported(flexura):
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


# Files of tests/cases/records hold P = μ (λ − λ⁻²) with μ = 0.1 MPa, printed to 6 digits, as testing machines write it; points of
# swapped.txt are off by up to 1.6 %, one of load_unload.csv by 0.8 %.
@pytest.mark.parametrize(
    ("file", "options"),
    [
        ("bluehill.csv", ["--uniaxial"]),
        ("comma_semicolon.csv", []),
        ("true_true.csv", []),
        ("load_unload.csv", []),
        ("nh_to_13.csv", []),
        ("swapped.txt", ["--unit", "MPa", "--column", "stress=1", "--column", "stretch=2", "--uniaxial"]),
    ],
)
def test_exports_of_testing_machines(flexura, file, options):
    done = flexura("fit-material", *options, RECORDS / file, "--law", "neo-hooke", "--json")
    fit = json.loads(done.stdout)
    tolerances = {"swapped.txt": 0.02, "load_unload.csv": 5e-3}
    assert fit["laws"][0]["constants"]["mu"]["value"] == pytest.approx(1e5, rel=tolerances.get(file, 1e-4))
    assert fit["laws"][0]["stable_over_data"]
    assert ("loading and unloading" in done.stderr) == (file == "load_unload.csv")
    assert fit["tests"][0]["points"] == {"bluehill.csv": 5, "load_unload.csv": 4, "swapped.txt": 6}.get(file, 24)


def test_loading_and_unloading(flexura):
    def points(branch):
        done = flexura("fit-material", RECORDS / "load_unload.csv", "--law", "neo-hooke", "--branch", branch, "--json")
        return json.loads(done.stdout)["tests"][0]["points"]

    assert [points(branch) for branch in ("loading", "unloading", "all")] == [4, 3, 7]


# Quoted cells with grouped thousands of kPa: 1.25 MPa at a stretch of 1.1.
def test_grouped_thousands(flexura):
    done = flexura("fit-material", RECORDS / "thousands.csv", "--law", "neo-hooke", "--json")
    fit = json.loads(done.stdout)
    mu = fit["laws"][0]["constants"]["mu"]["value"]
    assert fit["laws"][0]["residuals"][0][1] == pytest.approx(mu * (1.1 - 1.1**-2) - 1.25e6)


# The law of these data has a negative shear modulus: no body has it, and a law with a positive one is chosen.
@pytest.mark.parametrize("file", ["late_rise_to_9.csv", "late_rise_to_10.csv"])
def test_a_law_without_stiffness_is_not_chosen(flexura, file):
    fit = json.loads(flexura("fit-material", RECORDS / file, "--json").stdout)
    best = next(law for law in fit["laws"] if law["law"] == fit["best"])
    assert best["shear_modulus"] > 0
    assert best["stable_over_data"]
    material = tomllib.loads(fit["toml"])["material"]["rubber"]
    assert not material["bulk"].startswith("-")
    done = flexura("fit-material", RECORDS / file, "--law", "mooney-rivlin", "--toml", "law.toml", status=UNSUCCESSFUL)
    assert "mooney-rivlin: no result: the shear modulus at rest comes out at" in done.stderr
    assert "[material" not in done.stdout
    assert not (flexura.folder / "law.toml").exists()


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("a.csv", (), "column 2 looks like the stretch and column 1 like the stress: give --column stretch=2 and"),
        (
            "Time (s),Load (N)\n1,2\n2,3\n3,4\n",
            (),
            'the columns are 1 "Time (s)", 2 "Load (N)": choose one, as in --column stress=2',
        ),
        (
            "Axial strain,Video strain,Stress [MPa]\n0.1,0.1,1\n0.2,0.2,2\n0.3,0.3,3\n",
            (),
            'a second column of deformation: 1 "Axial strain", 2 "Video strain"; choose one, as in --column strain=1',
        ),
        (
            'stretch;stress [kPa]\n"1,100";"1,250"\n"1,200";"2,450"\n',
            (),
            "say which with --decimal point or --decimal comma",
        ),
        ("stretch,stress [MPa]\n1.1,1\n1.2,2\n1.3,3\n", ("--column", "strech=1"), 'nearest: "stretch"'),
        ("stretch,stress [MPa]\n1.1,1\n1.2,2\n1.3,3\n", ("--column", "strain=5"), 'there is no column "5"'),
        ("stretch,stress [MPa]\n1.1,1\n1.2,2\n1.3,3\n", ("--column", "strain"), "a measure and its column"),
        ("stretch,stress [m]\n1.1,1\n1.2,2\n1.3,3\n", (), '"m" has the wrong dimension; expected [Pa]'),
    ],
)
def test_what_cannot_be_known_is_one_message(flexura, text, options, message):
    flexura.write("a.csv", (RECORDS / "swapped.txt").read_text() if text == "a.csv" else text)
    done = flexura("fit-material", "--uniaxial", "a.csv", *options, status=BAD_INPUT)
    assert message in done.stderr
    assert done.stderr.count("error:") <= 2


# 200 rows without a number in the stress: five are named.
def test_many_problems_are_not_all_listed(flexura):
    rows = "".join(f"{1 + 0.01 * i},x\n" for i in range(1, 200))
    flexura.write("a.csv", "stretch,stress [MPa]\n1.1,1\n1.2,2\n" + rows)
    done = flexura("fit-material", "--uniaxial", "a.csv", status=BAD_INPUT)
    assert done.stderr.count("error:") == 6
    assert "194 further cells are like that" in done.stderr
