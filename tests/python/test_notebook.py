"""In a notebook: the report stands in the output, whole, and progress and messages fit."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")


def run(*cells: str) -> Any:
    """The executed cells."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=120).execute()
    nbformat.validate(notebook)
    return notebook.cells


def test_show_puts_the_report_into_the_output(pendulum: str) -> None:
    cells = run(
        f"import flexura\nresult = flexura.simulate({pendulum!r}, progress=False)",
        "for _ in range(1):\n    result.show(height=400)",
        "print(result.report().read_text(), end='')",
        "result",
    )
    assert cells[0].outputs == []
    (shown,) = cells[1].outputs  # and no warning
    assert shown.output_type == "display_data" and "pendulum on a cord" in shown.data["text/plain"]
    frame = re.fullmatch(
        r'<iframe srcdoc="([^"]*)" style="width:100%;height:400px;border:0"[^>]*></iframe>', shown.data["text/html"]
    )
    assert frame is not None
    page = html.unescape(frame.group(1))
    assert page == cells[2].outputs[0].text and page.lower().startswith("<!doctype html>")
    assert "<td>tip</td>" in cells[3].outputs[0].data["text/html"]


def test_a_wrong_value_is_named_with_its_line_in_the_cell() -> None:
    with pytest.raises(nbclient.exceptions.CellExecutionError) as caught:
        run(
            "import flexura as fx\nscene = fx.Scene(gravity=[0, -9.81])",
            "scene.section.wall = fx.Section(\n    EA=2000, EI='3 kg', rhoA=0.12\n)",
            "scene.check()",
        )
    assert "this cell:2" in str(caught.value) and "section.wall.EI" in str(caught.value)
