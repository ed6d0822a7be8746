"""The page of a sweep, as a user meets it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import ROOT, Opened, Visit, run
from playwright.sync_api import expect

#: 24 runs, six of which cannot hang: nothing carries so much.
STUDY = f"""title = "Bending </script><b>of</b> the actuator"
scene = "{ROOT}/examples/soft_actuator.toml"
[set]
cable.actuator.elements = 4
analysis.move.end = "0.2 s"
analysis.move.step = "1 ms"
[design]
type = "grid"
[parameter.EI]
path = "section.wall.EI"
low = "0.012 N m^2"
high = "0.028 N m^2"
count = 6
[parameter.payload]
path = "mass.payload.m"
values = ["10 g", "20 g", "50 g", 1e200]
[output.lowest]
sensor = "tip"
component = "y"
take = "min"
[output.path]
sensor = "tip"
take = "series"
interval = "10 ms"
"""


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sweep")
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    run("sweep", "study.toml", "-q", folder=folder)
    return folder / "study/index.html"


@pytest.fixture
def page(visit: Visit, swept: Path) -> Opened:
    return visit(swept, viewport={"width": 1280, "height": 900}, ready="window.flexuraSweep !== undefined")


def test_opens_from_disk_alone_and_in_silence(page: Opened) -> None:
    assert not page.messages
    assert page.requests == [page.report.as_uri()]
    expect(page.page.locator("h1")).to_have_text("Bending </script><b>of</b> the actuator")
    expect(page.page.locator(".badge.failed")).to_have_text("6 failed")
    assert page.page.locator("b").count() == 0
    assert page.page.locator(".axis").count() == 3 and page.page.locator(".band").count() == 2


def test_a_drag_on_an_axis_keeps_the_runs_between(page: Opened) -> None:
    box = page.page.get_by_role("group", name="EI: all").bounding_box()
    assert box is not None
    mouse = page.page.mouse
    x, top, low = box["x"] + box["width"] / 2, box["y"] + 2, box["y"] + box["height"] / 2
    mouse.move(x, top)
    mouse.down()
    mouse.move(x, low, steps=4)
    mouse.up()
    assert page.ask("flexuraSweep.active()") == list(range(12, 24))
    expect(page.page.locator(".sweep-tools")).to_contain_text("12 of 24 runs")
    mouse.click(x, low + 100)
    assert len(page.ask("flexuraSweep.active()")) == 24


def test_axes_stand_in_their_places_before_the_first_frame(visit: Visit, swept: Path, page: Opened) -> None:
    # A page whose observers never report is one that has drawn no frame yet.
    script = "window.ResizeObserver = class { observe() {} unobserve() {} disconnect() {} }"
    early = visit(
        swept, viewport={"width": 1280, "height": 900}, ready="window.flexuraSweep !== undefined", script=script
    )
    assert not early.messages
    for name in ("EI", "payload", "lowest"):
        axis = re.compile(f"^{name}: ")
        places = [opened.page.get_by_role("group", name=axis).bounding_box() for opened in (early, page)]
        assert places[0] == places[1]


def test_brushes_obey_the_keyboard(page: Opened) -> None:
    axis = page.page.get_by_role("group", name=re.compile("^EI: "))
    axis.focus()
    axis.press("ArrowUp")
    assert page.ask("flexuraSweep.active()") == list(range(12, 24))
    axis.press("Escape")
    assert len(page.ask("flexuraSweep.active()")) == 24
    axis.press("ArrowRight")
    expect(page.page.get_by_role("group", name=re.compile("^payload: "))).to_be_focused()


def test_a_row_shows_its_run_and_what_repeats_it(page: Opened) -> None:
    page.page.locator("tr[data-row='1']").click()
    card = page.page.get_by_label("Run", exact=True)
    expect(card.locator("h3")).to_have_text("Run 1")
    command = card.locator(".command").text_content()
    assert command is not None
    assert command.startswith(f"flexura run {ROOT}/examples/soft_actuator.toml --set cable.actuator.elements=4")
    assert command.endswith("--set section.wall.EI=0.012 --set mass.payload.m=0.02 --output study/runs/1")


def test_a_run_that_failed_says_why(page: Opened) -> None:
    page.page.get_by_role("button", name="Failed").click()
    assert page.ask("flexuraSweep.active()") == [3, 7, 11, 15, 19, 23]
    page.page.locator("tr.failed").first.click()
    expect(page.page.locator(".run-message.bad")).to_contain_text("no equilibrium")
    expect(page.page.get_by_label("Run", exact=True).locator(".badge")).to_have_text("Failed")


def test_a_click_on_a_line_chooses_its_run(page: Opened) -> None:
    # Run 0 begins at the low end of the axis EI, and of those there it alone has the least payload.
    boxes = [page.page.get_by_role("group", name=f"{name}: all").bounding_box() for name in ("EI", "payload")]
    assert boxes[0] is not None and boxes[1] is not None
    page.ask("flexuraSweep.brush('payload', 0, 0.015)")
    page.ask("flexuraSweep.brush('EI', 0, 0.013)")
    assert page.ask("flexuraSweep.active()") == [0]
    # Its line is where both axes have their margin of 7 % of the range, on 114 %.
    y = boxes[0]["y"] + boxes[0]["height"] * (1 - 0.07 / 1.14)
    page.page.mouse.click((boxes[0]["x"] + boxes[1]["x"] + boxes[1]["width"]) / 2, y)
    assert page.ask("flexuraSweep.selected()") == 0


def test_the_table_is_sorted_by_a_heading_and_obeys_the_arrows(page: Opened) -> None:
    page.page.get_by_role("button", name="payload").click()
    page.page.get_by_role("button", name="payload").click()
    expect(page.page.locator("tr[data-row]").first.locator("th")).to_have_text("3")
    page.page.locator(".runs-scroll").press("ArrowDown")
    assert page.ask("flexuraSweep.selected()") == 3
    page.page.locator(".runs-scroll").press("ArrowDown")
    assert page.ask("flexuraSweep.selected()") == 7


def test_fits_a_phone(visit: Visit, swept: Path) -> None:
    opened = visit(swept, viewport={"width": 390, "height": 844}, ready="window.flexuraSweep !== undefined")
    assert opened.ask("document.documentElement.scrollWidth") <= 390
    opened.ask("flexuraSweep.select(2)")
    assert opened.ask("document.documentElement.scrollWidth") <= 390
