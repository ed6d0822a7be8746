"""check, example, info, schema, completion."""

import json
import pathlib
import re
import shutil
import subprocess

import jsonschema
import pytest
import tomllib
from conftest import BAD_INPUT, IO_FAILURE, PROGRAM, ROOT

SCENES = sorted(path.stem for path in (ROOT / "examples").glob("*.toml"))


def test_check_says_what_a_good_scene_holds(flexura):
    flexura("example", "soft_actuator")
    done = flexura("check", "soft_actuator.toml")
    assert done.stdout.startswith("ok: soft_actuator.toml, 2 analyses\n")
    assert "61 coordinates, 0 multipliers, 15 elements, 15 sensors" in done.stdout
    assert "121 coordinates" in flexura("check", "soft_actuator.toml", "--set", "cable.actuator.elements=30").stdout


def test_check_counts_self_stress_and_mechanisms(flexura):
    flexura("example", "tensegrity")
    said = flexura("check", "tensegrity.toml", "--frame").stdout
    assert "3 constraints + 6 elastic members − 9 coordinates = 0 = 1 − 1" in said
    assert "infinitesimal, prestress stiffens it; moves top_1, top_2, top_3" in said
    assert "frame" not in json.loads(flexura("check", "tensegrity.toml", "--json").stdout)


def test_check_lists_every_problem_with_its_line(flexura):
    flexura.write(
        "bad.toml",
        'space = "planar"\n[point.a]\npositon = [0, 0]\n[mass.m]\nat = "b"\nm = -1\n[[analysis]]\nname = "x"\ntype = "dynamic"\n',
    )
    done = flexura("check", "bad.toml", status=BAD_INPUT)
    assert done.stdout == ""
    for message in (
        "bad.toml:3:1: error: point.a.positon",
        'nearest: "position"',
        "bad.toml:5:",
        "bad.toml:6:",
        '"end"',
    ):
        assert message in done.stderr
    assert "errors" in done.stderr.splitlines()[-1]


def test_check_points_at_set(pendulum):
    done = pendulum(
        "check", "pendulum.toml", "--set", "parameters.K=1", "--set", "mass.bob_mass.m=zero", status=BAD_INPUT
    )
    assert done.stderr.count("--set") >= 2


def test_problems_of_the_model_are_shown_with_their_line(pendulum):
    done = pendulum("check", "pendulum.toml", "--set", 'analysis.swing.integrator="newmark"', status=BAD_INPUT)
    assert "generalized-alpha" in done.stderr


def test_check_of_a_missing_file(flexura):
    flexura("check", "nothing.toml", status=IO_FAILURE)


def test_examples_are_listed_with_their_titles(flexura):
    lines = flexura("example").stdout.splitlines()
    assert [line.split()[0] for line in lines] == SCENES
    assert all(len(line.split(maxsplit=1)) == 2 for line in lines)


@pytest.mark.parametrize("scene", SCENES)
def test_example_comes_with_its_files_and_passes_check(flexura, scene):
    flexura("example", scene)
    assert (flexura.folder / f"{scene}.toml").read_bytes() == (ROOT / f"examples/{scene}.toml").read_bytes()
    flexura("check", f"{scene}.toml")


def test_example_does_not_overwrite(flexura):
    flexura("example", "soft_actuator")
    flexura.write("pressure.csv", "mine\n")
    done = flexura("example", "soft_actuator", status=BAD_INPUT)
    assert "--force" in done.stderr
    assert (flexura.folder / "pressure.csv").read_text(encoding="utf-8") == "mine\n"
    flexura("example", "soft_actuator", "--force")
    assert (flexura.folder / "pressure.csv").read_text(encoding="utf-8") != "mine\n"


def test_unknown_example_names_the_nearest(flexura):
    assert '"pendulum"' in flexura("example", "pendulm", status=BAD_INPUT).stderr


def test_info_shows_what_a_run_holds(pendulum):
    pendulum("run", "pendulum.toml", "--quiet")
    for target in ("pendulum", "pendulum/results.h5", "pendulum/run.journal"):
        text = pendulum("info", target).stdout
        for expected in ("Pendulum on a rod", "finished", "swing", "/sensors/bob/position", "t = 5 s"):
            assert expected in text, (target, expected)
    content = json.loads(pendulum("info", "pendulum", "--json").stdout)
    position = next(d for d in content["datasets"] if d["path"] == "/sensors/bob/position")
    assert position["unit"] == "m"
    assert position["shape"][1] == 2
    assert content["checkpoint_t"] == 5


def test_info_of_the_build_lists_terms_and_fields(flexura):
    build = json.loads(flexura("info", "--json").stdout)
    terms = {term["name"]: term for term in build["terms"]}
    assert {field["name"] for field in terms["spring_damper_2d"]["fields"]} == {"stiffness", "damping", "free_length"}
    assert build["lanes"] in (4, 8)
    text = flexura("info").stdout
    assert build["instruction_set"] in text
    assert all(name in text for name in terms)


def test_info_of_what_is_no_result(flexura):
    flexura.write("some.h5", "not HDF5")
    flexura("info", "some.h5", status=IO_FAILURE)
    flexura("info", "nothing.h5", status=IO_FAILURE)
    flexura("info", ".", status=BAD_INPUT)


def test_schema_accepts_every_example(flexura):
    schema = json.loads(flexura("schema").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for scene in SCENES:
        with open(ROOT / f"examples/{scene}.toml", "rb") as file:
            problems = [error.message for error in validator.iter_errors(tomllib.load(file))]
        assert problems == [], scene
    flexura("schema", "--output", "schema.json")
    assert json.loads(pathlib.Path(flexura.folder, "schema.json").read_text(encoding="utf-8")) == schema


def test_reproduce_is_a_program_beside_this_one(flexura):
    papers = {case["paper"] for case in json.loads(flexura("reproduce", "--list", "--json").stdout)}
    assert papers == {"ghoneimy2025", "kato2020", "meijaard-truss", "rong2024", "xing2022"}
    assert 'nearest: "rong2024"' in flexura("reproduce", "rong2042", status=BAD_INPUT).stderr
    result = json.loads(flexura("reproduce", "rong2024", "--case", "static-30g", "--json").stdout)
    assert result["case"] == "static-30g" and result["quantities"]
    assert "name a paper, or --list" in flexura("reproduce", status=BAD_INPUT).stderr


def test_reproduce_says_where_its_program_is_missing(flexura):
    alone = flexura.folder / "bin" / "flexura"
    alone.parent.mkdir()
    shutil.copy(PROGRAM, alone)
    done = subprocess.run([alone, "reproduce", "--list"], capture_output=True, text=True, check=False)
    assert done.returncode == IO_FAILURE and done.stdout == ""
    assert f"'{alone}-reproduce'" in done.stderr and "`make build` compiles it" in done.stderr
    # Its words are known all the same.
    help = subprocess.run([alone, "reproduce", "--help"], capture_output=True, text=True, check=True).stdout
    assert "--case ID" in help
    assert "--case" in subprocess.run([alone, "completion", "bash"], capture_output=True, text=True, check=True).stdout


def test_bash_completion_completes(flexura):
    script = flexura("completion", "bash").stdout
    ask = """
{script}
complete_line() {{ COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _flexura 2>/dev/null; echo "${{COMPREPLY[*]}}"; }}
complete_line flexura rep
complete_line flexura run --th
complete_line flexura example soft_a
"""
    done = subprocess.run(["bash", "-c", ask.format(script=script)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["reproduce", "--threads", "soft_actuator"]


def test_completion_completes_files_where_one_is_asked_for(flexura):
    script = flexura("completion", "bash").stdout
    files = {
        name: flag == "1" for name, flag in re.findall(r"^    ([\w-]+)\) .* files=([01]) ;;$", script, re.MULTILINE)
    }
    assert [name for name in files if not files[name]] == ["example", "reproduce", "schema", "completion"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_names_all_commands_and_options(flexura, shell):
    script = flexura("completion", shell).stdout
    for word in ("run", "check", "example", "info", "schema", "completion", "resume", "soft_actuator"):
        assert word in script
    program = shutil.which(shell)
    if program is not None:
        subprocess.run([program, "-n"], input=script, text=True, check=True)


def test_completion_of_an_unknown_shell(flexura):
    flexura("completion", "tcsh", status=BAD_INPUT)


def test_without_a_command_or_with_a_wrong_one_the_program_helps(flexura):
    assert "Subcommands:" in flexura(status=BAD_INPUT).stdout
    assert 'no command "rnu", nearest: "run"' in flexura("rnu", status=BAD_INPUT).stderr
    assert 'no option --forse, nearest: "--force"' in flexura("run", "a.toml", "--forse", status=BAD_INPUT).stderr
    assert 'nearest: "pendulum"' in flexura("example", "pendulm", status=BAD_INPUT).stderr
    assert 'but "soft_actuator"' in flexura("example", "actuator", status=BAD_INPUT).stderr


def test_deep_keys_are_refused(flexura):
    # Tables of 20 000 levels ended in a stack overflow.
    deep = "a." * 20000
    for k, text in enumerate((f"{deep}b = 1", f"[{deep}b]", f"x = {{ {deep}b = 1 }}", f'"a".{deep}b = 1')):
        flexura.write(f"deep{k}.toml", text + "\n")
        assert "a key of more than 64 words" in flexura("check", f"deep{k}.toml", status=BAD_INPUT).stderr
    flexura.write("title.toml", f'title = "{"." * 100}" # {"." * 100}\n')
    assert "more than 64 words" not in flexura("check", "title.toml", status=BAD_INPUT).stderr
    flexura("check", "title.toml", "--set", f"{deep}b=1", status=BAD_INPUT)


def test_a_robot_becomes_a_scene_that_runs(flexura, tmp_path):
    shutil.copy(ROOT / "examples" / "six_axis_arm.urdf", tmp_path / "arm.urdf")
    done = flexura("convert", "arm.urdf", "--joint", "joint_2=30 deg", "--limits", "none")
    assert done.stdout == "wrote arm.toml\nrun it: flexura run arm.toml\n" and not done.stderr
    assert "6 degrees of freedom" in flexura("check", "arm.toml").stdout
    assert "is there already" in flexura("convert", "arm.urdf", status=BAD_INPUT).stderr
    flexura("convert", "arm.urdf", "--force")
    for wrong, said in ((["--joint", "joint_2"], "a joint and its place"), (["--joint", "j=1"], 'no joint "j"')):
        assert said in flexura("convert", "arm.urdf", "--force", *wrong, status=BAD_INPUT).stderr
    assert "cannot" in flexura("convert", "none.urdf", status=IO_FAILURE).stderr
