"""`flexura render`: pictures and videos by headless Chromium, of a page with the interface of a report and of real runs."""

import os
import pathlib
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import zlib

import pytest
from conftest import BAD_INPUT, INTERRUPTED, IO_FAILURE, OK, PROGRAM, UNSUCCESSFUL

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER = os.environ.get("FLEXURA_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed (apt install chromium)")

# Answers as a report does: two analyses, two views, two fields; a frame is one bar whose place is the time.
PAGE = """<!doctype html><meta charset="utf-8"><script>
let stretch = 0, time = 0, field = 'speed', view = 'iso', theme = 'light', followed = '';
const layers = { reference: false, loads: true, grid: true };
window.flexura = {
  ready: new Promise((done) => setTimeout(done, DELAY)),
  stretches: () => [
    { analysis: 'hang', type: 'static', axis: 'load_factor', unit: '1', start: 0, end: 1 },
    { analysis: 'move', type: 'dynamic', axis: 't', unit: 's', start: 0, end: 2 },
  ],
  views: () => ['iso', 'front'],
  fields: () => [{ name: 'speed', unit: 'm/s' }, { name: 'axial strain', unit: '1' }],
  setTime: (s, value) => { stretch = s; time = value; },
  layers: () => Object.keys(layers),
  show: (layer, on) => { layers[layer] = on; },
  followable: () => ['body.crank', 'sensor.tip'],
  follow: (name) => { followed = name; },
  setView: (name) => { view = name; },
  setField: (name) => { field = name; },
  setTheme: (name) => { theme = name; },
  frame: async (width, height, options) => {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    const g = canvas.getContext('2d');
    g.fillStyle = theme === 'dark' ? '#000000' : '#ffffff';
    g.fillRect(0, 0, width, height);
    const code = [stretch, Math.round(100 * time), view === 'front', field === 'axial strain', field === null, options.legend];
    g.fillStyle = `rgb(${code.map(Number).slice(0, 3).join(',')})`;
    g.fillRect(0, 0, 1, 1);
    g.fillStyle = `rgb(${code.map(Number).slice(3).join(',')})`;
    g.fillRect(1, 0, 1, 1);
    g.fillStyle = `rgb(${[layers.reference, layers.loads, followed === 'body.crank'].map(Number).join(',')})`;
    g.fillRect(2, 0, 1, 1);
    g.fillStyle = `rgb(${Number(options.transparent)},${Number(layers.grid)},0)`;
    g.fillRect(3, 0, 1, 1);
    return canvas.toDataURL('image/png');
  },
};
</script>"""


def write_page(flexura, delay_ms=0, name="page.html"):
    flexura.write(name, PAGE.replace("DELAY", str(delay_ms)))


def read_png(path: pathlib.Path) -> tuple[int, int, list[list[tuple[int, ...]]]]:
    """Width, height and rows of pixels of a PNG file with 8 bits per channel."""
    data, at, size, packed = path.read_bytes(), 8, (0, 0), b""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack_from(">IIBB", body)
            assert depth == 8
            size, channels = (width, height), {2: 3, 6: 4}[colour]
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    raw, stride, rows = zlib.decompress(packed), size[0] * channels, []
    before = bytearray(stride)
    for y in range(size[1]):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        for i in range(stride):
            left = line[i - channels] if i >= channels else 0
            up, corner = before[i], before[i - channels] if i >= channels else 0
            nearest = min((left, up, corner), key=lambda value, p=left + up - corner: abs(p - value))
            line[i] = (line[i] + (0, left, up, (left + up) // 2, nearest)[kind]) % 256
        rows.append([tuple(line[x : x + channels]) for x in range(0, stride, channels)])
        before = line
    return *size, rows


def drawn(path: pathlib.Path) -> dict:
    """What the page says with its first two pixels, and the colour of the ground."""
    width, height, rows = read_png(path)
    (stretch, hundredths, front), (strain, none, legend) = (pixel[:3] for pixel in rows[0][:2])
    return {
        "size": (width, height),
        "stretch": stretch,
        "time": hundredths / 100,
        "front": front,
        "field": "axial strain" if strain else None if none else "speed",
        "legend": legend,
        "ground": rows[height // 2][width // 2][:3],
    }


@needs_browser
def test_picture_of_the_end_by_default(flexura):
    write_page(flexura, delay_ms=200)
    done = flexura("render", "page.html", "--png", "end.png", "--size", "64x48")
    assert done.stdout == "wrote end.png\n"
    assert done.stderr == ""
    assert drawn(flexura.folder / "end.png") == {
        "size": (64, 48),
        "stretch": 1,
        "time": 2,
        "front": 0,
        "field": "speed",
        "legend": 1,
        "ground": (255, 255, 255),
    }


@needs_browser
def test_options_reach_the_page(flexura):
    write_page(flexura)
    looks = ("--view", "front", "--field", "axial strain", "--theme", "dark", "--no-legend", "--size", "40x30")
    flexura("render", "page.html", "--png", "new/a.png", "--analysis", "hang", "--at", "0.25", *looks, "--quiet")
    found = drawn(flexura.folder / "new/a.png")
    assert (found["stretch"], found["time"], found["front"], found["legend"]) == (0, 0.25, 1, 0)
    assert found["field"] == "axial strain"
    assert found["ground"] == (0, 0, 0)
    flexura("render", "page.html", "--png", "b.png", "--t", "0.5", "--field", "none", "--size", "40x30")
    found = drawn(flexura.folder / "b.png")
    assert (found["time"], found["field"]) == (0.5, None)


@needs_browser
def test_layers_following_and_background_reach_the_page(flexura):
    write_page(flexura)
    looks = (
        "--show",
        "reference",
        "--hide",
        "loads,grid",
        "--follow",
        "body.crank",
        "--transparent",
        "--size",
        "40x30",
    )
    flexura("render", "page.html", "--png", "a.png", *looks)
    flexura("render", "page.html", "--png", "b.png", "--size", "40x30")
    a, b = (read_png(flexura.folder / name)[2][0] for name in ("a.png", "b.png"))
    assert [pixel[:3] for pixel in a[2:4]] == [(1, 0, 1), (1, 0, 0)]
    assert [pixel[:3] for pixel in b[2:4]] == [(0, 1, 0), (0, 1, 0)]


@needs_browser
def test_several_times_are_numbered(flexura):
    write_page(flexura)
    done = flexura("render", "page.html", "--png", "p.png", "--times", "0,0.5,2", "--size", "16x16")
    assert done.stdout.split() == ["wrote", "p-001.png", "wrote", "p-002.png", "wrote", "p-003.png"]
    assert [drawn(flexura.folder / f"p-00{k}.png")["time"] for k in (1, 2, 3)] == [0, 0.5, 2]


@pytest.fixture
def encoder(flexura, monkeypatch):
    """In place of ffmpeg: keeps what it was sent, the pictures one after the other."""
    tools = flexura.folder / "tools"
    tools.mkdir()
    program = tools / "ffmpeg"
    program.write_text('#!/bin/sh\nfor last; do :; done\necho "$@" >arguments\ncat >"$last"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")


@needs_browser
def test_video_frames_go_to_the_encoder_at_equal_steps(flexura, encoder):
    write_page(flexura)
    done = subprocess.run(
        [PROGRAM, "render", "page.html", "--mp4", "m.mp4", "--fps", "5", "--speed", "2", "--size", "32x16"],
        cwd=flexura.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == OK, done.stderr
    arguments = (flexura.folder / "arguments").read_text(encoding="utf-8")
    for expected in ("-framerate 5", "libx264", "yuv420p"):
        assert expected in arguments
    pictures = (flexura.folder / "m.mp4").read_bytes().split(b"\x89PNG\r\n\x1a\n")[1:]
    times = []
    for k, picture in enumerate(pictures):
        path = flexura.folder / f"{k}.png"
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + picture)
        times.append(drawn(path)["time"])
    # 2 s of motion, 2 per second of video, 5 frames a second: 5 steps, 6 frames.
    assert times == [0, 0.4, 0.8, 1.2, 1.6, 2]
    assert not list(flexura.folder.glob("*.part"))


@needs_browser
@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg is installed (apt install ffmpeg)")
def test_video_plays(flexura):
    write_page(flexura)
    flexura("render", "page.html", "--mp4", "m.mp4", "--fps", "10", "--size", "64x48")
    ask = "-v error -count_frames -show_entries stream=codec_name,pix_fmt,width,height,nb_read_frames -of csv=p=0"
    done = subprocess.run(
        ["ffprobe", *ask.split(), flexura.folder / "m.mp4"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "h264,64,48,yuv420p,21"


@needs_browser
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--png", "a.png", "--field", "speeed"], ['"speeed"', 'nearest: "speed"', "speed, axial strain"]),
        (["--png", "a.png", "--view", "fornt"], ['nearest: "front"', "iso, front"]),
        (["--png", "a.png", "--analysis", "swing"], ["hang, move"]),
        (["--png", "a.png", "--hide", "lods"], ['"lods"', 'nearest: "loads"']),
        (["--png", "a.png", "--follow", "crank"], ["body.crank, sensor.tip"]),
        (["--png", "a.png", "--t", "2.5"], ["2.5", "from 0 to 2"]),
        (["--png", "a.png", "--t", "nan"], ["nan", "from 0 to 2"]),
        (["--mp4", "a.mp4", "--speed", "1e-9"], ["2e+09 s", "--speed 0.4 makes one of 5 s"]),
    ],
)
def test_what_the_report_has_not_is_named(flexura, encoder, arguments, said):
    write_page(flexura)
    message = flexura("render", "page.html", *arguments, status=BAD_INPUT).stderr
    for text in said:
        assert text in message
    assert not (flexura.folder / "a.png").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--png FILE"),
        (["--png", "a.png", "--size", "big"], "1280x720"),
        (["--png", "a.png", "--size", "9x9"], "16 to 8192"),
        (["--mp4", "a.mp4", "--size", "641x480"], "642x480"),
        (["--png", "a.png", "--at", "middle"], "start, end"),
        (["--png", "a.png", "--t", "1", "--times", "1,2"], "--t"),
        (["--png", "a.png", "--theme", "blue"], "dark"),
        (["--mp4", "a.mp4", "--transparent"], "a video has a background"),
    ],
)
def test_wrong_options_say_what_is_allowed(flexura, arguments, said):
    write_page(flexura)
    assert said in flexura("render", "page.html", *arguments, status=BAD_INPUT).stderr


def test_missing_files_and_programs(flexura):
    write_page(flexura)
    flexura("render", "nothing.html", "--png", "a.png", status=IO_FAILURE)
    done = flexura("render", "page.html", "--png", "a.png", "--browser", "./none", status=UNSUCCESSFUL)
    assert "./none" in done.stderr
    done = subprocess.run(
        [PROGRAM, "render", "page.html", "--png", "a.png"],
        env={"PATH": "/nowhere"},
        cwd=flexura.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == UNSUCCESSFUL
    assert "apt install chromium" in done.stderr
    done = subprocess.run(
        [PROGRAM, "render", "page.html", "--mp4", "a.mp4"],
        env={"PATH": "/nowhere", "FLEXURA_BROWSER": BROWSER or ""},
        cwd=flexura.folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == UNSUCCESSFUL
    assert "apt install ffmpeg" in done.stderr


def test_browser_that_is_none(flexura):
    write_page(flexura)
    assert "ended" in flexura("render", "page.html", "--png", "a.png", "--browser", "/bin/true", status=1).stderr


@needs_browser
def test_page_that_is_no_report(flexura):
    flexura.write("other.html", "<script>throw new Error('out of order')</script>")
    message = flexura("render", "other.html", "--png", "a.png", status=UNSUCCESSFUL).stderr
    assert "no report" in message
    assert "out of order" in message


@needs_browser
@pytest.mark.parametrize("path", ["pendulum", "pendulum/results.h5", "pendulum/run.journal"])
def test_run_without_a_report_gets_one_for_the_pictures_only(pendulum, path):
    pendulum("run", "pendulum.toml", "--no-report", "--quiet")
    before = sorted((pendulum.folder / "pendulum").iterdir())
    pendulum("render", path, "--png", "p.png", "--size", "64x48")
    assert read_png(pendulum.folder / "p.png")[:2] == (64, 48)
    assert sorted((pendulum.folder / "pendulum").iterdir()) == before


@needs_browser
def test_report_older_than_the_results_is_not_drawn(pendulum):
    pendulum("run", "pendulum.toml", "--no-report", "--quiet")
    write_page(pendulum, name="pendulum/report.html")
    pendulum("render", "pendulum", "--png", "a.png", "--size", "16x16")
    assert drawn(pendulum.folder / "a.png")["stretch"] == 1, "that of the test's page"
    os.utime(pendulum.folder / "pendulum/report.html", (1, 1))
    message = pendulum("render", "pendulum", "--png", "a.png", "--analysis", "move", status=BAD_INPUT).stderr
    assert "it has: swing" in message


def test_what_is_no_run_is_not_drawn(pendulum):
    assert "holds no run" in pendulum("render", ".", "--png", "a.png", status=BAD_INPUT).stderr
    assert "nothing.h5" in pendulum("render", "nothing.h5", "--png", "a.png", status=IO_FAILURE).stderr
    assert "pendulum.toml" in pendulum("render", "pendulum.toml", "--png", "a.png", status=IO_FAILURE).stderr


@needs_browser
def test_temporary_folder_may_have_a_long_path(flexura):
    write_page(flexura)
    temporary = flexura.folder / ("long" * 25)  # a socket in it would have a path beyond the system's 107 characters
    temporary.mkdir()
    done = subprocess.run(
        [PROGRAM, "render", "page.html", "--png", "a.png"],
        env={**os.environ, "TMPDIR": str(temporary)},
        cwd=flexura.folder,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert list(temporary.iterdir()) == []


@pytest.fixture
def short_folder():
    """A folder whose path is short enough for the browser's folder to lie in it."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield pathlib.Path(folder)


def processes_of(folder: pathlib.Path) -> list[str]:
    """Command lines that name `folder`."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes()
        except OSError:
            continue
        if str(folder).encode() in command:
            found.append(command.decode(errors="replace"))
    return found


@needs_browser
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_leaves_neither_processes_nor_files(flexura, short_folder, number):
    write_page(flexura, delay_ms=60_000)
    temporary = short_folder
    process = subprocess.Popen(
        [PROGRAM, "render", "page.html", "--png", "a.png"],
        env={**os.environ, "TMPDIR": str(temporary)},
        cwd=flexura.folder,
        stderr=subprocess.PIPE,
        text=True,
    )
    for _ in range(1000):
        if any(temporary.glob("*/profile/*")):
            break
        time.sleep(0.01)
    assert processes_of(temporary), "the browser runs"
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == INTERRUPTED, err
    assert "interrupted" in err
    for _ in range(1000):  # what the browser itself started ends a little later
        if not processes_of(temporary):
            break
        time.sleep(0.01)
    assert processes_of(temporary) == []
    assert list(temporary.iterdir()) == []
    assert not (flexura.folder / "a.png").exists()
