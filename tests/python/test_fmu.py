"""export_fmu: the file is that of the program."""

import zipfile

import flexura as fx
import pytest

SCENE = """
space = "planar"
point.bob.position = [1, 0]
mass.bob_mass = { at = "bob", m = 1 }
joint.rod = { type = "distance", of = [[0, 0], "bob"] }
signal.pull = { type = "input", value = 2 }
load.pull = { type = "force", at = "bob", force = [0, 1], signal = "pull" }
sensor.bob = { type = "position", at = "bob" }
analysis = [{ name = "swing", type = "dynamic", end = 0.1, step = 1e-3 }]
"""


def description(path):
    return zipfile.ZipFile(path).read("modelDescription.xml").decode()


def test_a_scene_of_python_becomes_an_fmu(tmp_path):
    path = fx.export_fmu(SCENE, tmp_path / "bob.fmu", fmi=3, parameters=["mass.bob_mass.m"])
    text = description(path)
    assert 'fmiVersion="3.0"' in text and 'name="bob.x"' in text and 'name="mass.bob_mass.m"' in text
    assert 'name="pull"' in text and 'start="2"' in text


def test_wrong_names_are_all_said(tmp_path):
    with pytest.raises(fx.SceneError, match="bop") as caught:
        fx.export_fmu(SCENE, tmp_path / "bob.fmu", outputs=["bop"], parameters=["mass.bob_mass.n"])
    assert len(caught.value.problems) == 2
    with pytest.raises(ValueError, match="fmi: 2 or 3"):
        fx.export_fmu(SCENE, fmi=1)
    with pytest.raises(TypeError, match="outputs: a list"):
        fx.export_fmu(SCENE, outputs="bob")
