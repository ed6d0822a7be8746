"""Reports of the program under test ($FLEXURA, or build/release/flexura), opened in Chromium without a window.

The browser is $FLEXURA_BROWSER, else the first of those that Debian installs. It draws by the processor alone, so times
are longer than any user's.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("FLEXURA", ROOT / "build/release/flexura")).resolve()
FLAGS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
#: Within which a report must be ready, drawn by a processor that others share [ms].
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)

VIEWPORT = {"width": 900, "height": 600}

#: Lines for the end of the session: what each report weighs, and how long it took to open.
opened: list[str] = []


def run(*arguments: str | Path, folder: Path) -> None:
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stdout}\n{done.stderr}"


class Reports:
    """Folders of runs of example scenes, each run once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __getitem__(self, scene: str) -> Path:
        made = self.folder / scene
        if not (made / "report.html").exists():
            run("example", scene, folder=self.folder)
            run("run", f"{scene}.toml", folder=self.folder)
        return made


class Opened:
    """A page with what happened in it."""

    def __init__(self, page: Page, report: Path) -> None:
        self.page = page
        self.report = report
        self.messages: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.messages.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.messages.append(f"error: {error}"))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("requestfailed", lambda request: self.messages.append(f"failed: {request.url}"))

    def open(self, ready: str) -> Opened:
        """Opens the page; the seconds until `ready` holds are kept for the end of the session."""
        start = time.perf_counter()
        self.page.goto(self.report.as_uri())
        self.wait(ready)
        seconds = time.perf_counter() - start
        opened.append(
            f"{self.report.parent.name:<24} {self.report.stat().st_size / 1e6:6.2f} MB   ready in {seconds:5.2f} s"
        )
        return self

    def wait(self, condition: str) -> None:
        """Until an expression holds. The page allows no script to be made from text, so that it is asked from here."""
        end = time.perf_counter() + PATIENCE / 1000
        while not self.page.evaluate(condition):
            assert time.perf_counter() < end, f"{condition} does not come true: {self.messages}"
            time.sleep(0.02)

    def ask(self, script: str, argument: Any = None) -> Any:
        return self.page.evaluate(script, argument)

    def set_time(self, stretch: int, value: float, phase: float | None = None) -> None:
        self.ask("([s, v, p]) => flexura.setTime(s, v, p ?? undefined)", [stretch, value, phase])


Visit = Callable[..., Opened]


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Reports:
    return Reports(tmp_path_factory.mktemp("reports"))


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(driver: Playwright) -> Iterator[Browser]:
    names = [os.environ.get("FLEXURA_BROWSER", "chromium"), "chromium-browser", "google-chrome"]
    program = next((found for name in names if (found := shutil.which(name))), None)
    assert program, "no Chromium: scripts/setup test"
    browser = driver.chromium.launch(executable_path=program, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def visit(browser: Browser) -> Iterator[Visit]:
    """visit(page, options of the context): a page of its own, opened; a report stands still. `script` runs before it."""
    contexts = []

    def visit(report: Path, ready: str = "window.flexura !== undefined", script: str = "", **options: Any) -> Opened:
        options.setdefault("viewport", VIEWPORT)
        context = browser.new_context(**options)
        if script:
            context.add_init_script(script)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        opened = Opened(context.new_page(), report).open(ready)
        opened.ask("window.flexura?.pause()")
        return opened

    yield visit
    for context in contexts:
        context.close()


class Pages:
    """Reports of scenes, each opened once, for tests that put back what they change."""

    def __init__(self, visit: Visit, reports: Reports) -> None:
        self.visit = visit
        self.reports = reports
        self.pages: dict[str, Opened] = {}

    def __getitem__(self, scene: str) -> Opened:
        if scene not in self.pages:
            self.pages[scene] = self.visit(self.reports[scene] / "report.html")
        return self.pages[scene]


@pytest.fixture(scope="session")
def pages(visit: Visit, reports: Reports) -> Pages:
    return Pages(visit, reports)


@pytest.fixture
def actuator(pages: Pages) -> Opened:
    return pages["soft_actuator"]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if opened:
        terminalreporter.section("reports, drawn by the processor")
        for line in opened:
            terminalreporter.write_line(line)
