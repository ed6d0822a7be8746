"""The examples in docstrings run, beside the shipped scenes."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest
from conftest import EXAMPLES

import flexura

MODULES = ["flexura", *(f"flexura.{info.name}" for info in pkgutil.iter_modules(flexura.__path__))]


def examples(module: str) -> list[doctest.DocTest]:
    names = {**vars(flexura), "flexura": flexura}
    found = doctest.DocTestFinder().find(importlib.import_module(module), module, extraglobs=names)
    return [test for test in found if test.examples]


@pytest.mark.parametrize("module", [module for module in MODULES if examples(module)])
def test_the_examples_of_a_module_print_what_they_say(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    runner = doctest.DocTestRunner()
    assert sum(runner.run(test).failed for test in examples(module)) == 0


def test_there_are_examples() -> None:
    assert {"flexura", "flexura.scene", "flexura.simulation"} <= {module for module in MODULES if examples(module)}
