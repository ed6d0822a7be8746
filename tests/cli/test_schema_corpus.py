"""The JSON Schema refuses each bad scene whose fault it can express, and no good one.

tests/scene/corpus/refused_by_schema.txt lists those it must refuse. What it cannot express: names of other things,
dimensions of units, expressions, files, geometry, and what follows from several tables together.
"""

import json
import os
import pathlib
import subprocess
import tomllib

import jsonschema
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = ROOT / "tests/scene/corpus"
FLEXURA = os.environ.get("FLEXURA", str(ROOT / "build/release/flexura"))


@pytest.fixture(scope="module")
def validator():
    schema = json.loads(subprocess.run([FLEXURA, "schema"], check=True, capture_output=True, text=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def bad_scenes():
    """Of the corpus those that are TOML; where --set makes the fault, the scene itself is good."""
    for path in sorted(CORPUS.glob("*.toml")):
        text = path.read_text()
        try:
            yield path.stem, tomllib.loads(text), "# set:" in text
        except tomllib.TOMLDecodeError:
            assert path.stem.startswith("syntax_"), path


def test_refuses_what_it_can_express(validator):
    listed = set((CORPUS / "refused_by_schema.txt").read_text().split())
    scenes = list(bad_scenes())
    assert listed <= {name for name, _, _ in scenes}
    refused = {name for name, scene, _ in scenes if not validator.is_valid(scene)}
    assert refused == listed
    assert not {name for name, _, is_set in scenes if is_set} & refused
    assert len(refused) >= 100


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.toml")), ids=lambda path: path.stem)
def test_lets_good_scenes_pass(validator, path):
    errors = [
        f"{'.'.join(map(str, error.absolute_path))}: {error.message[:200]}"
        for error in validator.iter_errors(tomllib.loads(path.read_text()))
    ]
    assert errors == []


STUDIES = {
    "examples/studies/bending.toml": "sweep",
    "docs/studies/identify_arm.toml": "identify",
    "examples/studies/inverse_statics.toml": "inverse-statics",
    "examples/studies/follow_eight.toml": "inverse-dynamics",
    "examples/studies/workspace.toml": "workspace",
}


@pytest.mark.parametrize(("study", "command"), STUDIES.items())
def test_studies_have_a_schema(study, command):
    words = [FLEXURA, "schema", "--study", command]
    schema = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    good = tomllib.loads((ROOT / study).read_text(encoding="utf-8"))
    assert [error.message for error in validator.iter_errors(good)] == []
    del good["scene"]
    name, parameter = next(iter(good.get("parameter", good.get("input")).items()))
    parameter["range"] = [1, 2]
    messages = [error.message for error in validator.iter_errors(good)]
    assert any("'scene' is a required property" in message for message in messages)
    assert any("'range'" in message for message in messages), name
