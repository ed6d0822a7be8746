from __future__ import annotations

import warnings

import numpy as np
import pytest
from conftest import EXAMPLES, ROOT

import flexura as fx

STRETCH = np.linspace(1.1, 3, 12)


def neo_hooke(mu: float, power: int) -> np.ndarray:
    return mu * (STRETCH - STRETCH**power)


def test_treloars_rubber():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = fx.fit_material(sorted(EXAMPLES.glob("treloar_*.csv")), relative=True)
    assert fit.best.law == "ogden"
    assert fit.best.constants["alpha1"] == pytest.approx(1.3, abs=0.1)
    assert 0 < fit.best.standard_errors["alpha1"] < 0.3
    assert fit.best.correlation.shape == (6, 6)
    assert sorted(len(r) for r in fit.best.residuals) == [13, 16, 24]
    assert fit.warnings == []


def test_arrays_and_curves():
    fit = fx.fit_material(
        {"uniaxial": (STRETCH, neo_hooke(4e5, -2)), "planar": (STRETCH, neo_hooke(4e5, -3))}, laws="neo-hooke"
    )
    assert fit.best.constants == {"mu": pytest.approx(4e5)}
    assert fit.stress("equibiaxial", STRETCH) == pytest.approx(neo_hooke(4e5, -5))
    assert fit.stress("planar", 2.0).shape == ()
    assert 'mu = "0.4 MPa"' in fit.toml
    assert fit.best.stable["uniaxial"] == (0, np.inf)
    assert fit.stability_searched == (0.1, 10)


def test_page(tmp_path):
    fit = fx.fit_material(
        {"uniaxial": EXAMPLES / "treloar_uniaxial.csv", "planar": EXAMPLES / "treloar_planar.csv"},
        laws=["yeoh", "gent"],
    )
    fit.save(tmp_path / "fit.html")
    assert "[material.rubber]" in (tmp_path / "fit.html").read_text(encoding="utf-8")
    with pytest.raises(fx.ResultsError):
        fit.save(tmp_path / "no" / "fit.html")


def test_fixed_constants():
    with pytest.warns(fx.SimulationWarning, match="only uniaxial tension"):
        fit = fx.fit_material({"uniaxial": (STRETCH, neo_hooke(4e5, -2))}, laws=["mooney-rivlin"], fixed={"c01": 0})
    assert fit.best.constants == {"c10": pytest.approx(2e5), "c01": 0}
    assert np.isnan(fit.best.standard_errors["c01"])


def test_what_is_wrong(tmp_path):
    (tmp_path / "a.csv").write_text("# test: uniaxial\nstrech,stress [MPa]\n1.1,x\n", encoding="utf-8")
    with pytest.raises(fx.SceneError) as caught:
        fx.fit_material(tmp_path / "a.csv")
    assert [(p.line, p.column, p.nearest) for p in caught.value.problems] == [(2, 1, "stretch"), (3, 5, "")]
    with pytest.raises(fx.ResultsError):
        fx.fit_material(tmp_path / "nothing.csv")
    with pytest.raises(fx.SceneError, match="there is no law"):
        fx.fit_material({"uniaxial": (STRETCH, neo_hooke(4e5, -2))}, laws="yeo")
    with pytest.raises(fx.SceneError, match="12 stretches and 11 stresses"):
        fx.fit_material({"uniaxial": (STRETCH, STRETCH[1:])})
    with pytest.raises(ValueError, match="there is no test"):
        fx.fit_material({"shear": (STRETCH, STRETCH)})
    with pytest.raises(TypeError, match="a pair of stretches"):
        fx.fit_material({"uniaxial": STRETCH})


def test_units_that_are_off():
    with pytest.warns(fx.SimulationWarning, match="Is the unit of stress right"):
        fx.fit_material(
            {"uniaxial": (STRETCH, neo_hooke(4e2, -2)), "planar": (STRETCH, neo_hooke(4e2, -3))}, laws="neo-hooke"
        )


# P = 0.1 MPa (λ − λ⁻²) as an engineering strain and stress of a testing machine.
def test_exports_of_testing_machines():
    file = ROOT / "tests/cases/records/bluehill.csv"
    for columns in (None, {"strain": 4, "stress": "Tensile stress"}):
        with pytest.warns(fx.SimulationWarning, match="only uniaxial tension"):
            fit = fx.fit_material({"uniaxial": file}, laws="neo-hooke", columns=columns, decimal="point")
        assert fit.best.constants["mu"] == pytest.approx(1e5, rel=1e-4)
    with pytest.raises(ValueError, match="decimal: there is no"):
        fx.fit_material({"uniaxial": file}, decimal="dot")
    with pytest.raises(fx.SceneError, match="there is no measure"):
        fx.fit_material({"uniaxial": file}, columns={"strian": 4})


def test_loading_and_unloading():
    stretch = np.concatenate([STRETCH, STRETCH[:-1][::-1]])
    stress = np.concatenate([neo_hooke(4e5, -2), 0.5 * neo_hooke(4e5, -2)[:-1][::-1]])
    with pytest.warns(fx.SimulationWarning, match="loading and unloading"):
        fit = fx.fit_material({"uniaxial": (stretch, stress)}, laws="neo-hooke")
    assert fit.best.constants["mu"] == pytest.approx(4e5)
    with pytest.warns(fx.SimulationWarning, match="only uniaxial"):
        fit = fx.fit_material({"uniaxial": (stretch, stress)}, laws="neo-hooke", branch="unloading")
    assert fit.best.constants["mu"] == pytest.approx(2e5)


# C₁₀ = 85 kPa, C₀₁ = −101 kPa: μ = −32 kPa.
def test_a_law_without_stiffness_is_no_result():
    stretch = np.linspace(1.3, 10, 30)
    stress = 2 * (stretch - stretch**-2) * (85e3 - 101e3 / stretch)
    with pytest.warns(fx.SimulationWarning, match="no result"):
        fit = fx.fit_material({"uniaxial": (stretch, stress)}, laws="mooney-rivlin")
    assert "must be positive" in fit.best.failure
    assert "[material" not in fit.toml


def test_a_law_with_fewer_terms_has_a_stress():
    with pytest.warns(fx.SimulationWarning, match="only uniaxial"):
        fit = fx.fit_material({"uniaxial": (STRETCH, neo_hooke(4e5, -2))}, laws="ogden")
    assert fit.best.constants == {"mu1": pytest.approx(4e5), "alpha1": pytest.approx(2)}
    assert fit.stress("uniaxial", STRETCH) == pytest.approx(neo_hooke(4e5, -2))
