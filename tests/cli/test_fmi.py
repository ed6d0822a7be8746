"""export-fmu: FMUs in FMPy, which knows nothing of Flexura, beside runs of the program."""

import csv
import re
import shutil
import subprocess
import zipfile

import pytest
from conftest import BAD_INPUT, IO_FAILURE, PROGRAM, ROOT

fmpy = pytest.importorskip("fmpy")
np = pytest.importorskip("numpy")

from fmpy.fmi2 import FMU2Slave  # noqa: E402
from fmpy.fmi3 import FMU3Slave  # noqa: E402
from fmpy.validation import validate_fmu  # noqa: E402

VERSIONS = (2, 3)
ACTUATOR = ROOT / "examples/soft_actuator.toml"
# Steps of 1 ms, as coarse as the actuator bears here, and 0.1 s of it.
SHORT = ["--set", "analysis.move.end=0.1", "--set", "analysis.move.step=1e-3", "--set", "cable.actuator.elements=4"]
SAMPLES = ["--set", "output.sensor_interval=1e-3"]


def table(path):
    with path.open(encoding="utf-8") as file:
        lines = [line for line in csv.reader(file) if line and not line[0].startswith("#")]
    return np.array([[float(x) for x in line] for line in lines[1:]])


def exported(flexura, name, version, *words):
    file = flexura.folder / f"{name}{version}.fmu"
    flexura("export-fmu", *words, "--fmi", version, "-o", file)
    assert validate_fmu(str(file)) == []
    return str(file)


class Slave:
    """An instance of either version."""

    def __init__(self, file, folder, logged=None):
        self.folder = folder
        fmpy.extract(file, folder)
        self.model = fmpy.read_model_description(file)
        self.references = {v.name: v.valueReference for v in self.model.modelVariables}
        two = self.model.fmiVersion == "2.0"
        self.fmu = (FMU2Slave if two else FMU3Slave)(
            guid=self.model.guid if two else self.model.instantiationToken,
            unzipDirectory=str(folder),
            modelIdentifier=self.model.coSimulation.modelIdentifier,
            instanceName="one",
        )
        self.two = two
        if two:
            self.fmu.instantiate(callbacks=self._callbacks(logged) if logged is not None else None)
        else:
            told = None if logged is None else (lambda _, status, category, text: logged.append(text.decode()))
            self.fmu.instantiate(logMessage=told) if told else self.fmu.instantiate()

    def _callbacks(self, logged):
        from fmpy.fmi2 import fmi2CallbackFunctions, fmi2CallbackLoggerTYPE

        self._logger = fmi2CallbackLoggerTYPE(lambda _, name, status, category, text: logged.append(text.decode()))
        self._functions = fmi2CallbackFunctions()
        self._functions.logger = self._logger
        return self._functions

    def begin(self, start=0.0, **values):
        if self.two:
            self.fmu.setupExperiment(startTime=start)
            self.fmu.enterInitializationMode()
        else:
            self.fmu.enterInitializationMode(startTime=start)
        self.set(**values)
        self.fmu.exitInitializationMode()

    def set(self, **values):
        for name, value in values.items():
            put = self.fmu.setReal if self.two else self.fmu.setFloat64
            put([self.references[name]], [value])

    def get(self, *names):
        read = self.fmu.getReal if self.two else self.fmu.getFloat64
        return list(read([self.references[name] for name in names]))

    def step(self, t, h):
        self.fmu.doStep(currentCommunicationPoint=t, communicationStepSize=h)

    def end(self):
        self.fmu.terminate()
        self.fmu.freeInstance()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_pendulum_is_that_of_run_to_the_bit(pendulum, version):
    file = exported(pendulum, "pendulum", version, "pendulum.toml", "--set", "analysis.swing.end=1")
    pendulum("run", "pendulum.toml", "-q", "--no-report", "--set", "analysis.swing.end=1", *SAMPLES)
    got = fmpy.simulate_fmu(file, output_interval=1e-3)
    bob, energy = table(pendulum.folder / "pendulum/bob.csv"), table(pendulum.folder / "pendulum/energy.csv")
    assert len(got) == len(bob) == 1001
    assert (
        (got["bob.x"] == bob[:, 1]).all()
        and (got["bob.y"] == bob[:, 2]).all()
        and (got["energy"] == energy[:, 1]).all()
    )
    every_fifth = fmpy.simulate_fmu(file, output_interval=5e-3)
    assert (every_fifth["bob.x"] == bob[::5, 1]).all()


@pytest.mark.parametrize("version", VERSIONS)
def test_inputs_and_parameters_before_the_start_are_those_of_the_scene(flexura, version):
    words = ["--input", "upper", "lower", "--parameter", "mass.payload.m", "parameters.L"]
    file = exported(flexura, "soft", version, ACTUATOR, *SHORT, *words)
    values = {"upper": 3e4, "mass.payload.m": 0.02, "parameters.L": 0.2}
    got = fmpy.simulate_fmu(file, output_interval=1e-3, start_values=values)
    changes = ['signal.upper={type="constant",value=3e4}', 'signal.lower={type="constant",value=15e3}']
    changes += ["mass.payload.m=0.02", "parameters.L=0.2"]
    settings = [word for change in changes for word in ("--set", change)]
    flexura("run", ACTUATOR, "-q", "--no-report", "-o", "run", *SHORT, *SAMPLES, *settings)
    tip = table(flexura.folder / "run/tip.csv")[-len(got) :]
    assert (got["tip.x"] == tip[:, 1]).all() and (got["tip.y"] == tip[:, 2]).all()


@pytest.mark.parametrize("version", VERSIONS)
def test_units_causalities_and_the_step_are_declared(flexura, version):
    file = exported(
        flexura,
        "soft",
        version,
        ACTUATOR,
        "--input",
        "upper",
        "--parameter",
        "section.wall.EI",
        "--output",
        "tip",
        "bend",
    )
    model = fmpy.read_model_description(file)
    said = [(v.name, v.causality, v.unit, v.start) for v in model.modelVariables]
    assert said == [
        ("time", "independent", "s", None),
        ("section.wall.EI", "parameter", "N m^2", "0.0186"),
        ("upper", "input", "Pa", "15000"),
        ("tip.x", "output", "m", None),
        ("tip.y", "output", "m", None),
        ("bend", "output", "rad", None),
    ]
    assert (model.defaultExperiment.stopTime, model.defaultExperiment.stepSize) == ("10", "0.0005")
    if version == 3:
        assert model.coSimulation.fixedInternalStepSize == "0.0005"
    names = zipfile.ZipFile(file).namelist()
    binary = {2: "binaries/linux64/soft_actuator.so", 3: "binaries/x86_64-linux/soft_actuator.so"}[version]
    assert {"resources/scene.toml", "resources/files/1", "documentation/index.html", binary} <= set(names)


def test_the_same_scene_gives_the_same_file_and_another_another_token(pendulum):
    one, two = exported(pendulum, "one", 2, "pendulum.toml"), exported(pendulum, "two", 2, "pendulum.toml")
    assert open(one, "rb").read() == open(two, "rb").read()
    other = exported(pendulum, "other", 2, "pendulum.toml", "--set", "mass.bob_mass.m=2")
    assert fmpy.read_model_description(one).guid != fmpy.read_model_description(other).guid


@pytest.mark.parametrize("version", VERSIONS)
def test_between_the_ends_of_steps_outputs_are_interpolated(pendulum, version):
    file = exported(pendulum, "pendulum", version, "pendulum.toml")
    slave = Slave(file, pendulum.folder / f"at{version}")
    slave.begin()
    slave.step(0, 0.0100)
    first = slave.get("bob.x", "bob.y")
    slave.step(0.01, 0.00025)
    quarter = slave.get("bob.x", "bob.y")
    slave.step(0.01025, 0.00075)
    last = slave.get("bob.x", "bob.y")
    slave.end()
    assert quarter == pytest.approx([0.75 * a + 0.25 * b for a, b in zip(first, last, strict=True)], abs=1e-15)
    alone = fmpy.simulate_fmu(file, output_interval=1e-3, stop_time=0.011)
    assert last == [alone["bob.x"][-1], alone["bob.y"][-1]]


@pytest.mark.parametrize("version", VERSIONS)
def test_two_instances_reset_and_a_shifted_start(flexura, version):
    file = exported(flexura, "soft", version, ACTUATOR, *SHORT, "--input", "upper")
    one, two = (Slave(file, flexura.folder / f"{name}{version}") for name in ("a", "b"))
    one.begin()
    two.begin(start=5.0, upper=4e4)
    for k in range(20):  # by turns
        one.step(k * 1e-3, 1e-3)
        two.step(5 + k * 1e-3, 1e-3)
        if k == 9:
            one.set(upper=4e4)
    bent, more = one.get("bend"), two.get("bend")
    assert bent != more
    one.fmu.reset()
    one.begin(upper=4e4)
    for k in range(20):
        one.step(k * 1e-3, 1e-3)
    assert one.get("bend") == more
    one.end()
    two.end()


@pytest.mark.parametrize("version", VERSIONS)
def test_states_go_back_to_the_bit_also_through_bytes(flexura, version):
    file = exported(flexura, "soft", version, ACTUATOR, *SHORT, "--input", "upper")
    slave = Slave(file, flexura.folder / f"s{version}")
    fmu = slave.fmu
    save, go, free = (
        (fmu.getFMUstate, fmu.setFMUstate, fmu.freeFMUstate)
        if version == 2
        else (fmu.getFMUState, fmu.setFMUState, fmu.freeFMUState)
    )
    write, read = (
        (fmu.serializeFMUstate, fmu.deSerializeFMUstate)
        if version == 2
        else (fmu.serializeFMUState, fmu.deserializeFMUState)
    )

    def go_on():
        slave.set(upper=4e4)
        for k in range(5):
            slave.step(0.0105 + k * 1e-3, 1e-3)
        return slave.get("tip.x", "tip.y", "bend", "upper")

    slave.begin()
    slave.step(0, 0.0105)  # within a step
    state = save()
    first = go_on()
    go(state)
    assert slave.get("upper") == [15e3]
    assert go_on() == first
    copy = read(write(state))
    go(copy)
    assert go_on() == first
    free(state)
    free(copy)
    slave.end()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("when", ["before", "within", "between"])
def test_states_go_back_with_inputs_that_were_set(flexura, version, when):
    """In this instance and in another one; the force is 1 N for all of the time from where it is set."""
    file = exported(flexura, "push", version, ROOT / "tests/cases/studies/fmu_goes_back.toml", "--input", "inp")
    slave = Slave(file, flexura.folder / f"p{version}")
    fmu = slave.fmu
    two = version == 2
    save, go = (fmu.getFMUstate, fmu.setFMUstate) if two else (fmu.getFMUState, fmu.setFMUState)
    write = fmu.serializeFMUstate if two else fmu.serializeFMUState
    if when == "before":
        slave.begin(inp=1.0)
    else:
        slave.begin()
    slave.step(0, 0.01)
    if when != "before":
        slave.set(inp=1.0)
    if when == "between":
        slave.step(0.01, 0.0105)
    at = {"before": 0.01, "within": 0.01, "between": 0.0205}[when]
    state = save()

    def go_on(one):
        one.step(at, 0.05)
        return one.get("p.x", "p.y", "inp")

    first = go_on(slave)
    assert first[0] > 0 and first[2] == 1
    slave.set(inp=-3.0)
    go(state)
    assert go_on(slave) == first
    go(state)
    data = write(state)
    other = Slave(file, flexura.folder / f"q{version}")
    other.begin()
    read = other.fmu.deSerializeFMUstate if two else other.fmu.deserializeFMUState
    (other.fmu.setFMUstate if two else other.fmu.setFMUState)(read(data))
    assert go_on(other) == first
    slave.end()
    other.end()


@pytest.mark.parametrize("version", VERSIONS)
def test_what_goes_wrong_is_told_to_the_logger(flexura, version):
    file = exported(flexura, "soft", version, ACTUATOR, *SHORT, "--input", "upper", "--parameter", "section.wall.EI")
    logged = []
    slave = Slave(file, flexura.folder / f"w{version}", logged)
    with pytest.raises(Exception, match="rror|tatus"):
        slave.get("tip.x")
    assert logged.pop() == "output 'tip.x' is known from initialization on"
    slave.begin()
    with pytest.raises(Exception, match="rror|tatus"):
        slave.set(**{"section.wall.EI": 1.0})
    assert logged.pop() == "parameter 'section.wall.EI' is fixed: it can be set until initialization ends"
    with pytest.raises(Exception, match="rror|tatus"):
        slave.step(0.05, 1e-3)
    assert logged.pop() == "a step from 0.05 s is asked for, and the FMU is at 0 s"
    slave.step(0, 0.1)
    with pytest.raises(Exception, match="rror|tatus"):
        slave.step(0.1, 1e-3)
    assert logged.pop() == 'the scene ends at t = 0.1 s: its analysis "move" has this `end`'
    slave.fmu.reset()
    with pytest.raises(Exception, match="rror|tatus"):
        slave.begin(**{"section.wall.EI": -1.0})
    assert re.search(r"section\.wall\.EI: -1 is out of range", logged.pop())
    slave.fmu.freeInstance()


def test_bad_words_are_all_said(flexura, pendulum):
    done = pendulum(
        *("export-fmu", "pendulum.toml", "--input", "pump", "--output", "bop", "--parameter", "mass.bob_mass.n"),
        status=BAD_INPUT,
    )
    assert "error: pump: the scene has no such signal" in done.stderr
    done = pendulum(
        "export-fmu", "pendulum.toml", "--output", "bop", "--parameter", "mass.bob_mass.n", status=BAD_INPUT
    )
    assert 'nearest: "bob"' in done.stderr and "mass.bob_mass.n" in done.stderr and "2 errors" in done.stderr
    done = flexura("export-fmu", ROOT / "examples/cantilever_tip_force.toml", "-o", "m.fmu", status=BAD_INPUT)
    assert "an FMU goes through time, and no analysis of the scene does" in done.stderr
    pendulum.write("wrong.toml", (pendulum.folder / "pendulum.toml").read_text().replace('m  = "1 kg"', 'm  = "1 km"'))
    assert "wrong.toml:" in pendulum("export-fmu", "wrong.toml", status=BAD_INPUT).stderr


def test_without_the_library_it_says_where_it_was_looked_for(pendulum):
    alone = shutil.copy(PROGRAM, pendulum.folder / "flexura")
    for missing in ("flexura-study", "flexura-fmu.so"):
        done = subprocess.run(
            [alone, "export-fmu", "pendulum.toml"], cwd=pendulum.folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == IO_FAILURE and missing in done.stderr and "`make build`" in done.stderr
        shutil.copy(PROGRAM.parent / "flexura-study", pendulum.folder / "flexura-study")
