"""The page of a report, as a user meets it."""

from __future__ import annotations

import base64
import csv
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import h5py
import numpy as np
import pytest
from conftest import VIEWPORT, Opened, Pages, Reports, Visit, run
from playwright.sync_api import Page, expect

SCENES = ["soft_actuator", "andrews", "delta_robot", "modes"]

#: Pixels of a picture (a data URL of a PNG): [height, width, 4], 0 to 255.
PIXELS = """async (url) => {
  const image = new Image();
  await new Promise((done, failed) => { image.onload = done; image.onerror = failed; image.src = url; });
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  const bytes = pen.getImageData(0, 0, image.width, image.height).data;
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return { width: image.width, height: image.height, data: btoa(text) };
}"""


def read_csv(path: Path) -> tuple[list[str], np.ndarray]:
    """Names of the columns, and the numbers [row, column]."""
    with path.open(encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    return names, np.array(rows, dtype=float)


def pixels(page: Page, url: str) -> np.ndarray:
    picture = page.evaluate(PIXELS, url)
    values = np.frombuffer(base64.b64decode(picture["data"]), dtype=np.uint8).astype(float)
    return values.reshape(picture["height"], picture["width"], 4)[:, :, :3]


def frame(opened: Opened, width: int = 160, height: int = 100, **options: bool) -> np.ndarray:
    """The view as a picture [height, width, 3]."""
    url = opened.ask("([w, h, options]) => flexura.frame(w, h, options)", [width, height, {"legend": False, **options}])
    return pixels(opened.page, url)


def difference(a: np.ndarray, b: np.ndarray) -> float:
    """Share of the pixels that differ by more than the noise of edges."""
    return float((np.abs(a - b).max(axis=2) > 24).mean())


def series(opened: Opened, table: str, column: str) -> tuple[np.ndarray, np.ndarray]:
    found = json.loads(opened.ask("([t, c]) => JSON.stringify(flexura.series(t, c))", [table, column]))
    return np.array(found["x"], dtype=float), np.array(found["y"], dtype=float)


def card(page: Page, plot: str) -> Any:
    return page.locator(f'.plot[aria-label="Plot of {plot}"]:not([hidden])')


# Opening ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scene", [*SCENES, "beam"])
def test_opens_from_disk_alone_and_in_silence(pages: Pages, scene: str) -> None:
    opened = pages[scene]
    assert not opened.messages
    assert opened.requests == [opened.report.as_uri()]
    stats = opened.ask("flexura.stats()")
    assert stats["webgl"] and stats["message"] == "" and stats["drawCalls"] > 3
    expect(opened.page.locator("h1")).to_have_text(re.compile(r"\w+"))
    expect(opened.page.locator(".badge.finished")).to_have_text("Finished")
    views = opened.ask("flexura.views()")
    assert ("iso" in views) == (scene == "delta_robot") and ("fit" in views) == (scene != "delta_robot")


def test_a_damaged_report_says_so(browser: Any, reports: Reports, tmp_path: Path) -> None:
    text = (reports["andrews"] / "report.html").read_text(encoding="utf-8")
    broken = tmp_path / "report.html"
    broken.write_text(text.replace('"format":"flexura-report"', '"format":"something"'), encoding="utf-8")
    page = browser.new_page()
    page.goto(broken.as_uri())
    expect(page.get_by_role("alert")).to_contain_text("flexura view results.h5")
    page.close()


def test_hostile_texts_are_shown_as_texts(visit: Visit, browser: Any, tmp_path: Path) -> None:
    title = """</script><script>window.hurt = 1</script> "quoted" 'single' & <b>bold</b> ünïcödé 漢字 -->"""
    scene = f"""# </script><img src=x onerror="window.hurt = 2"> <!-- ]]>
title = {json.dumps(title, ensure_ascii=False)}
space = "planar"
gravity = [0, -9.81]
point.bob.position = [1, 0]
mass.bob_mass = {{ at = "bob", m = 1 }}
joint.rod = {{ type = "distance", of = [[0, 0], "bob"] }}
sensor.hostile_name = {{ type = "position", at = "bob" }}
analysis = [{{ name = "swing", type = "dynamic", end = 0.1, step = 1e-3 }}]
"""
    (tmp_path / "scene & <b>.toml").write_text(scene, encoding="utf-8")
    run("run", "scene & <b>.toml", "-o", "out", folder=tmp_path)
    # Scenes allow no such name of a sensor; a report might come from elsewhere.
    report = tmp_path / "out/report.html"
    text = report.read_text(encoding="utf-8")
    name = '<img src=x onerror="window.hurt = 3">'
    assert "hostile_name" in text
    report.write_text(text.replace('"hostile_name"', json.dumps(name).replace("<", "\\u003c")), encoding="utf-8")
    opened = visit(report)
    assert not opened.messages and opened.requests == [report.as_uri()]
    assert opened.page.title().startswith("</script><script>") or title in opened.page.title()
    expect(opened.page.locator("h1")).to_have_text(title)
    expect(opened.page.locator(".plot h3", has_text="onerror")).to_have_text(name)
    for tab in ("Summary", "Scene", "About"):
        opened.page.get_by_role("tab", name=tab).click()
    opened.page.get_by_role("tab", name="Scene").click()
    expect(opened.page.locator(".code").filter(has_text="window.hurt = 2").first).to_be_visible()
    assert opened.ask("window.hurt") is None
    assert opened.page.locator("img").count() == 0


# Playback --------------------------------------------------------------------------------------------------------------


def test_plays_pauses_and_starts_over(actuator: Opened) -> None:
    actuator.set_time(1, 0.0)
    actuator.page.get_by_role("button", name="Play (space)").click()
    actuator.wait("flexura.time().value > 0.05")
    assert actuator.ask("flexura.isPlaying()")
    actuator.page.get_by_role("button", name="Pause (space)").click()
    stopped = actuator.ask("flexura.time()")
    actuator.page.wait_for_timeout(300)
    assert not actuator.ask("flexura.isPlaying()") and actuator.ask("flexura.time()") == stopped
    actuator.set_time(2, 9.99)
    actuator.ask("flexura.play()")
    actuator.wait("!flexura.isPlaying()")
    assert actuator.ask("flexura.time().value") == 10
    actuator.ask("flexura.play()")
    actuator.wait("flexura.time().stretch === 0")
    actuator.ask("flexura.pause()")


def test_scrubs(actuator: Opened) -> None:
    stretches = actuator.ask("flexura.stretches()")
    assert [(s["analysis"], s["axis"]) for s in stretches] == [("hang", "load_factor"), ("move", "t"), ("move", "t")]
    assert stretches[1]["end"] == 6 and stretches[2]["start"] == pytest.approx(6.01)
    for stretch, asked, value in [(0, 0.5, 0.5), (1, 2.345, 2.345), (2, 7, 7), (2, 99, 10), (1, -1, 0)]:
        actuator.set_time(stretch, asked)
        now = actuator.ask("flexura.time()")
        assert now["stretch"] == stretch and now["value"] == pytest.approx(value, abs=1e-12)
    # By hand: the middle of the time line.
    bar = actuator.page.get_by_role("slider", name="Time line").bounding_box()
    actuator.page.mouse.click(bar["x"] + 0.75 * bar["width"], bar["y"] + 0.5 * bar["height"])
    assert actuator.ask("flexura.time().stretch") == 2
    assert 5.9 < actuator.ask("flexura.time().value") < 8


def test_keyboard(actuator: Opened) -> None:
    page = actuator.page
    page.locator("h1").click()
    actuator.set_time(1, 1.0)

    def press(key: str) -> dict[str, Any]:
        page.keyboard.press(key)
        return actuator.ask("flexura.time()")

    assert press("ArrowRight")["frame"] == 101 and press("Shift+ArrowRight")["frame"] == 111
    assert press("ArrowLeft")["frame"] == 110 and press("Shift+ArrowLeft")["frame"] == 100
    assert press("Home")["stretch"] == 0 and press("End") == {"stretch": 2, "value": 10, "frame": 399}
    actuator.set_time(1, 1.0)
    press("Space")
    actuator.wait("flexura.time().value > 1")
    press("Space")
    assert not actuator.ask("flexura.isPlaying()")
    speed = page.get_by_label("Speed: times real time")
    before = speed.input_value()
    press("-")
    assert float(speed.input_value()) < float(before)
    press("+")
    assert speed.input_value() == before
    colour = page.get_by_label("Colour by")
    first = colour.input_value()
    press("c")
    assert colour.input_value() != first
    colour.select_option(first)
    page.locator("h1").click()
    page.get_by_title("What is shown").click()
    ghost = page.get_by_role("checkbox", name=re.compile("Reference shape"))
    assert not ghost.is_checked()
    page.keyboard.press("Escape")
    press("g")
    assert page.locator("label", has_text="Reference shape").locator("input").is_checked()
    press("g")
    press("?")
    expect(page.get_by_role("dialog", name="Keyboard and mouse")).to_be_visible()
    press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # Tabs by arrows, as the pattern for tabs has it; the time stays.
    time = actuator.ask("flexura.time()")
    page.get_by_role("tab", name="Plots").focus()
    press("ArrowRight")
    expect(page.get_by_role("tab", name="Summary")).to_have_attribute("aria-selected", "true")
    press("ArrowLeft")
    assert actuator.ask("flexura.time()") == time


def test_modes_swing_at_the_frequencies_of_the_results(pages: Pages, reports: Reports) -> None:
    opened = pages["modes"]
    with h5py.File(reports["modes"] / "results.h5") as results:
        frequencies = results["analysis/hanging/frequency"][:]
    last = len(opened.ask("flexura.stretches()")) - 1
    opened.set_time(last, 2, np.pi / 2)
    shown = opened.page.get_by_label("Mode", exact=True).locator("option").all_text_contents()
    found = [float(re.fullmatch(r"Mode \d: ([\d.]+) Hz", text)[1]) for text in shown]
    np.testing.assert_allclose(found, frequencies, rtol=5e-4)  # four digits
    up = frame(opened)
    opened.set_time(last, 2, -np.pi / 2)
    assert difference(up, frame(opened)) > 0.01
    opened.ask("flexura.play()")
    opened.page.wait_for_timeout(300)
    assert opened.ask("flexura.isPlaying()") and opened.ask("flexura.time().value") == 2
    assert not opened.messages


def test_modes_are_a_list_to_choose_from(pages: Pages) -> None:
    opened = pages["modes"]
    last = len(opened.ask("flexura.stretches()")) - 1
    opened.set_time(last, 1)
    modes = opened.page.get_by_role("region", name="Modes of hanging")
    expect(modes).to_contain_text("Frequency [Hz]")
    modes.get_by_role("button", name="Mode 3").click()
    assert opened.ask("flexura.time()")["value"] == 3
    expect(modes.locator("tr[aria-current]")).to_contain_text("Mode 3")
    expect(opened.page.get_by_role("region", name="Modes of straight")).to_be_hidden()


def test_the_camera_goes_along_with_a_part(visit: Visit, tmp_path: Path) -> None:
    run("example", "tumbling_bracket", folder=tmp_path)
    run("run", "tumbling_bracket.toml", folder=tmp_path)
    opened = visit(tmp_path / "tumbling_bracket/report.html")
    assert "body.bracket" in opened.ask("flexura.followable(0)")
    for layer in ("trails", "grid", "axes", "sensors"):
        opened.ask("(layer) => flexura.show(layer, false)", layer)
    end = opened.ask("flexura.stretches()")[0]["end"]

    def middle(value: float) -> np.ndarray:
        opened.set_time(0, value)
        drawn = np.abs(frame(opened, 480, 300) - 255).max(axis=2) > 90  # darker than the stage
        assert drawn.sum() > 30
        return np.argwhere(drawn).mean(axis=0)

    times = [0, 0.5 * end, end]
    free = np.ptp([middle(t) for t in times], axis=0)
    opened.ask("flexura.follow('body.bracket')")
    kept = np.ptp([middle(t) for t in times], axis=0)
    assert kept.max() < 0.5 * free.max()  # it turns about its middle
    opened.ask("flexura.follow('')")
    assert np.ptp([middle(t) for t in times], axis=0) == pytest.approx(free, abs=6)


# Numbers ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scene", SCENES)
def test_plots_hold_the_numbers_of_the_run(pages: Pages, reports: Reports, scene: str) -> None:
    """Equal, bit for bit: tables of up to 20 000 rows are not thinned."""
    folder = reports[scene]
    opened = pages[scene]
    tables = set(opened.ask("flexura.tables()"))
    compared = 0
    for path in sorted(folder.glob("*.csv")):
        names, numbers = read_csv(path)
        if names[0].startswith("mode"):
            continue
        by_load = names[0].startswith("load_factor")  # "hang.tip": of analysis 'hang'
        analysis, sensor = path.stem.split(".", 1) if by_load else ("", path.stem)
        for c, name in enumerate(names[1:], 1):
            quantity, component = re.fullmatch(r"([^.\[\]]+)(?:\.(\w+))? \[.*\]", name).groups()
            stem = (
                f"{analysis}/{sensor}"
                if by_load and any(t.startswith(f"{analysis}/{sensor}") for t in tables)
                else sensor
            )
            table = stem if stem in tables else f"{stem}.{quantity}"
            x, y = series(opened, table, component or quantity)
            np.testing.assert_array_equal(x, numbers[:, 0], err_msg=f"{path.stem} {name}")
            np.testing.assert_array_equal(y, numbers[:, c], err_msg=f"{path.stem} {name}")
            compared += 1
    assert compared >= 2
    with h5py.File(folder / "results.h5") as results:
        for name in ("kinetic", "strain", "gravity"):
            x, y = series(opened, "energies", name)
            np.testing.assert_array_equal(x, results["energies/t"][:])
            np.testing.assert_array_equal(y, results[f"energies/{name}"][:])


#: Place of a sensor in each state of a stretch, as the page decodes it.
DRAWN = """([stretch, name]) => {
  const run = flexura.report.runs[0], s = run.playback[stretch], model = run.models[s.model];
  const { start, slot, weight } = model.drawables.find((d) => d.kind === 'sensor' && d.name === name).position;
  const q = new Float64Array(s.q.columns);
  return Array.from({ length: s.frames }, (_, i) => {
    s.q.row(i, q);
    const at = (k, c) => (k < model.slots ? (c < s.dim ? q[s.dim * k + c] : 0) : model.reference[3 * k + c]);
    return [0, 1, 2].map((c) => { let x = 0; for (let k = start[0]; k < start[1]; ++k) x += weight[k] * at(slot[k], c); return x; });
  });
}"""


@pytest.mark.parametrize(
    ("scene", "sensor"), [("soft_actuator", "tip"), ("andrews", "HE"), ("delta_robot", "platform")]
)
def test_drawn_states_are_within_the_stated_error(pages: Pages, reports: Reports, scene: str, sensor: str) -> None:
    folder = reports[scene]
    opened = pages[scene]
    allowed = opened.ask("flexura.report.runs[0].accuracy.position")
    with h5py.File(folder / "results.h5") as results:
        times, places = results[f"sensors/{sensor}/t"][:], results[f"sensors/{sensor}/position"][:]
    names = opened.ask(
        "flexura.report.runs[0].models.flatMap(m => m.drawables.filter(d => d.kind === 'sensor').map(d => d.name))"
    )
    name = next(n for n in names if n.split(".", 1)[-1] == sensor)
    worst, states = 0.0, 0
    for i, stretch in enumerate(opened.ask("flexura.stretches()")):
        if stretch["axis"] != "t":
            continue
        drawn = np.array(opened.ask(DRAWN, [i, name]))[:, : places.shape[1]]
        for t, place in zip(stretch["at"], drawn, strict=True):
            rows = np.flatnonzero(np.abs(times - t) < 1e-9)
            if rows.size:
                worst = max(worst, np.abs(places[rows] - place).max(axis=1).min())
                states += 1
    assert states > 50
    # Weights of places are stored in single precision.
    size = np.abs(places).max()
    assert 0 < allowed < 1e-4 * size
    assert worst <= allowed + 1e-6 * size


def test_values_at_the_cursor_are_those_of_the_row(actuator: Opened, reports: Reports) -> None:
    _, tip = read_csv(reports["soft_actuator"] / "tip.csv")
    row = tip[1000]
    actuator.set_time(1, row[0])
    values = actuator.ask("flexura.cursorValues().tip")
    assert values["x"] == pytest.approx(row[1], rel=1e-12) and values["y"] == pytest.approx(row[2], rel=1e-12)
    legend = card(actuator.page, "tip").locator(".legend-item")
    expect(legend).to_have_count(2)
    shown = float(legend.nth(0).locator(".value").inner_text().replace("−", "-"))
    assert shown == pytest.approx(row[1], rel=1e-4)


def test_a_click_in_a_plot_goes_to_that_time_and_a_drag_zooms(actuator: Opened) -> None:
    page = actuator.page
    page.get_by_role("button", name="Time", exact=True).click()
    box = card(page, "tip").locator(".u-over").bounding_box()
    y = box["y"] + 0.5 * box["height"]
    page.mouse.click(box["x"] + 0.25 * box["width"], y)
    assert actuator.ask("flexura.time().value") == pytest.approx(2.5, abs=0.05)
    reset = page.get_by_role("button", name="Reset zoom")
    expect(reset).to_be_hidden()
    page.mouse.move(box["x"] + 0.5 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.8 * box["width"], y, steps=4)
    page.mouse.up()
    expect(reset).to_be_visible()
    reset.click()
    expect(reset).to_be_hidden()


def test_download_of_a_table_reads_back_as_the_run_wrote_it(actuator: Opened, reports: Reports, tmp_path: Path) -> None:
    with actuator.page.expect_download() as waiting:
        card(actuator.page, "tip").get_by_role("button", name="Download as CSV").click()
    assert waiting.value.suggested_filename == "tip.csv"
    waiting.value.save_as(tmp_path / "tip.csv")
    names, numbers = read_csv(tmp_path / "tip.csv")
    assert names == ["t [s]", "x [m]", "y [m]"]
    np.testing.assert_array_equal(numbers, read_csv(reports["soft_actuator"] / "tip.csv")[1])


def test_measured_data_lie_over_a_plot_in_its_units(actuator: Opened, reports: Reports, tmp_path: Path) -> None:
    _, tip = read_csv(reports["soft_actuator"] / "tip.csv")
    measured = tmp_path / "camera <1>.csv"
    rows = "".join(f"{1e3 * t};{1e3 * y + 1}\n".replace(".", ",") for t, _, y in tip[::50])
    measured.write_text("Zeit [ms];y [mm]\n" + rows, encoding="utf-8")
    page = actuator.page
    actuator.set_time(1, 0)  # the plot over time, not that over the load factor
    with page.expect_file_chooser() as waiting:
        card(page, "tip").get_by_role("button", name="Lay measured data over this plot (CSV)").click()
    waiting.value.set_files(measured)
    dialog = page.get_by_role("dialog", name="Measured data")
    expect(dialog.get_by_role("status")).to_contain_text("ms")
    dialog.get_by_role("button", name="Show in plot").click()
    actuator.set_time(1, tip[1000, 0])
    item = card(page, "tip").locator(".legend-item", has_text="camera <1>.csv")
    expect(item).to_have_count(1)
    shown = float(item.locator(".value").inner_text().replace("−", "-"))
    assert shown == pytest.approx(tip[1000, 2] + 1e-3, abs=2e-6)


# Pictures --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scene", ["soft_actuator", "delta_robot"])
def test_the_view_shows_something_that_moves(pages: Pages, scene: str) -> None:
    opened = pages[scene]
    opened.page.set_viewport_size({"width": 400, "height": 420})  # small: the processor draws
    stretch = 1 if scene == "soft_actuator" else 0
    start, end = (opened.ask("flexura.stretches()")[stretch][key] for key in ("start", "end"))
    pictures = []
    for share in (0.0, 0.55):
        opened.set_time(stretch, start + share * (end - start))
        pictures.append(frame(opened))
    assert pictures[0].shape == (100, 160, 3)
    assert pictures[0].var() > 60  # an empty stage with its grid: 30 at most
    assert difference(*pictures) > 0.002
    # What is on the screen, too.
    shot = opened.page.locator(".stage canvas").screenshot()
    assert pixels(opened.page, "data:image/png;base64," + base64.b64encode(shot).decode()).var() > 60
    opened.page.set_viewport_size(VIEWPORT)


def test_a_field_changes_the_colours_and_its_legend_has_the_unit(actuator: Opened) -> None:
    page = actuator.page
    actuator.set_time(1, 0.5)
    field = page.get_by_label("Colour by")
    field.select_option("")
    expect(page.locator(".legend")).to_be_hidden()
    plain = frame(actuator)
    field.select_option("bending moment")
    expect(page.locator(".legend")).to_contain_text("bending moment [N m]")
    expect(page.locator(".legend-note")).to_be_visible()  # what it is, in words
    signed = frame(actuator)
    field.select_option("speed")
    expect(page.locator(".legend-title")).to_have_text(re.compile(r"^speed \[m?m/s\]$"))
    assert difference(plain, signed) > 0.01 and difference(signed, frame(actuator)) > 0.01
    low, middle, high = (float(t.replace("−", "-")) for t in page.locator(".legend-marks span").all_inner_texts())
    assert low == 0 and middle == pytest.approx(high / 2, rel=0.01)
    field.select_option("curvature")


def test_light_and_dark(visit: Visit, reports: Reports) -> None:
    opened = visit(reports["andrews"] / "report.html", color_scheme="dark", viewport={"width": 400, "height": 420})
    page = opened.page
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    dark = frame(opened)
    button = page.get_by_role("button", name=re.compile("^Colours: "))
    button.click()  # from the system's to light
    expect(root).to_have_attribute("data-theme", "light")
    assert frame(opened).mean() > dark.mean() + 100
    button.click()
    expect(root).to_have_attribute("data-theme", "dark")
    button.click()  # back to the system's
    page.emulate_media(color_scheme="light")
    expect(root).to_have_attribute("data-theme", "light")


def test_a_picture_can_do_without_background_and_layers(pages: Pages) -> None:
    opened = pages["delta_robot"]
    opened.set_time(0, 0.2)
    assert {"reference", "loads", "joints", "axes"} <= set(opened.ask("flexura.layers()"))
    url = opened.ask("flexura.frame(160, 100, {legend: false, transparent: true})")
    data = base64.b64decode(opened.page.evaluate(PIXELS, url)["data"])
    alpha = np.frombuffer(data, dtype=np.uint8).reshape(100, 160, 4)[:, :, 3]
    assert alpha[0, 0] < 4 and alpha.max() == 255 and 0.02 < (alpha == 255).mean() < 0.6
    before = frame(opened, 480, 300)
    opened.ask("flexura.show('axes', false)")
    changed = np.argwhere(np.abs(before - frame(opened, 480, 300)).max(axis=2) > 24)
    assert len(changed) > 100 and changed[:, 0].min() > 150  # at the bottom, nowhere else
    opened.ask("flexura.show('axes', true)")
    assert difference(before, frame(opened, 480, 300)) == 0


def test_arrows_cast_no_shadows(visit: Visit, tmp_path: Path) -> None:
    scene = """title = "A force on a ball"
space = "spatial"
point.ball.position = [0, 0, 0]
mass.weight = { at = "ball", m = 1 }
load.push = { type = "force", at = "ball", force = [1, 0, 0] }
analysis = [{ name = "go", type = "dynamic", end = 2, step = 1e-2 }]
"""
    (tmp_path / "push.toml").write_text(scene, encoding="utf-8")
    run("run", "push.toml", folder=tmp_path)
    opened = visit(tmp_path / "push/report.html")
    opened.set_time(0, 1)
    for layer in ("grid", "axes"):
        opened.ask("(layer) => flexura.show(layer, false)", layer)
    shown = frame(opened, 480, 300)
    opened.ask("flexura.show('loads', false)")
    without = frame(opened, 480, 300)
    gone = np.abs(shown - without).max(axis=2) > 12
    grey = np.ptp(shown, axis=2) < 25  # what has no colour of its own: shadows
    assert gone.sum() > 5 and (gone & grey).sum() < 0.15 * gone.sum()


def test_a_plot_is_saved_as_a_drawing(actuator: Opened, tmp_path: Path) -> None:
    with actuator.page.expect_download() as waiting:
        card(actuator.page, "tip").get_by_role("button", name="Download as drawing (SVG)").click()
    assert waiting.value.suggested_filename == "tip.svg"
    waiting.value.save_as(tmp_path / "tip.svg")
    root = ElementTree.parse(tmp_path / "tip.svg").getroot()
    name = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in root.iter(f"{name}text")]
    assert "tip" in texts and "x" in texts and "time [s]" in texts
    curves = [path.get("d") for path in root.iter(f"{name}path") if len(path.get("d")) > 500]
    assert len(curves) == 2


def test_an_axis_has_room_for_its_numbers(pages: Pages) -> None:
    """The energy of a mechanism, -29.43 J, varies in its last digits: its sign was cut off."""
    opened = pages["bricard"]
    with_svg = card(opened.page, "energy").get_by_role("button", name="Download as drawing (SVG)")
    with opened.page.expect_download() as waiting:
        with_svg.click()
    root = ElementTree.parse(waiting.value.path()).getroot()
    ends = [t for t in root.iter("{http://www.w3.org/2000/svg}text") if t.get("text-anchor") == "end"]
    assert len(ends) > 2
    for tick in ends:
        assert tick.text.startswith("−") and float(tick.get("x")) > 6.5 * len(tick.text)


def test_saves_the_view_as_a_picture(actuator: Opened, tmp_path: Path) -> None:
    with actuator.page.expect_download() as waiting:
        actuator.page.get_by_role("button", name="Picture of the view (PNG)").click()
    name = waiting.value.suggested_filename
    assert name.startswith("Soft_pneumatic_actuator") and name.endswith(".png")
    waiting.value.save_as(tmp_path / "view.png")
    header = (tmp_path / "view.png").read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(header[16:20], "big") >= 1920


# For everybody ---------------------------------------------------------------------------------------------------------

WIDE = """() => [...document.querySelectorAll('body *')]
  .filter((e) => e.getClientRects().length > 0 && e.getBoundingClientRect().right > innerWidth + 0.5)
  .filter((e) => !e.closest('.code, .scroll-x, .tabs'))
  .map((e) => `${e.tagName}.${e.className} ${e.getBoundingClientRect().right}`)"""


@pytest.mark.parametrize("scene", SCENES)
def test_fits_a_phone(pages: Pages, scene: str) -> None:
    opened = pages[scene]
    opened.page.set_viewport_size({"width": 360, "height": 640})
    for tab in ("Plots", "Summary", "Scene", "About"):
        opened.page.get_by_role("tab", name=tab).click()
        assert opened.ask("document.documentElement.scrollWidth") <= 360
        assert opened.ask(WIDE) == []
    last = opened.ask("flexura.stretches()")[-1]
    opened.set_time(len(opened.ask("flexura.stretches()")) - 1, last["start"])
    opened.page.get_by_role("tab", name="Plots").click()
    assert opened.ask(WIDE) == []
    opened.page.set_viewport_size(VIEWPORT)


NAMED = {
    "button",
    "checkbox",
    "combobox",
    "slider",
    "searchbox",
    "textbox",
    "spinbutton",
    "tab",
    "separator",
    "image",
    "link",
}


@pytest.mark.parametrize("scene", ["soft_actuator", "delta_robot", "modes"])
def test_every_control_has_a_name(pages: Pages, scene: str) -> None:
    opened = pages[scene]
    page = opened.page
    page.get_by_role("tab", name="Scene").click()
    page.get_by_role("tab", name="Plots").click()
    page.get_by_title("What is shown").click()
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    controls = [n for n in nodes if not n["ignored"] and n["role"]["value"] in NAMED]
    assert len(controls) > 30
    unnamed = [n["role"]["value"] for n in controls if not n.get("name", {}).get("value", "").strip()]
    assert unnamed == []
    slider = page.get_by_role("slider", name="Time line")
    assert slider.get_attribute("aria-valuetext")
    assert opened.ask("document.documentElement.lang") == "en"
    page.keyboard.press("Escape")
    ids = opened.ask("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))


def test_two_runs_are_compared_in_one_page(visit: Visit, tmp_path: Path) -> None:
    run("example", "pendulum", folder=tmp_path)
    run("run", "pendulum.toml", "-o", "light", "--set", "analysis.swing.end=1", folder=tmp_path)
    run(
        "run",
        "pendulum.toml",
        "-o",
        "long",
        "--set",
        "analysis.swing.end=1",
        "--set",
        "parameters.L=1.1",
        folder=tmp_path,
    )
    run("compare", "light", "long", "--output", "both.html", folder=tmp_path)
    opened = visit(tmp_path / "both.html")
    assert not opened.messages
    of = {r: opened.ask("(r) => flexura.series('bob', 'x', r).y", r) for r in (0, 1)}
    assert of[0][0] == 1 and of[1][0] == 1.1
    page = opened.page
    page.get_by_role("button", name="Difference").click()
    expect(card(page, "bob").locator(".legend-item").first).to_contain_text("Δ x")
    page.get_by_role("tab", name="Comparison").click()
    expect(page.get_by_role("table")).to_contain_text("bob")
