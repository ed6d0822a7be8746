"""A scene as a linear system: state-space matrices and frequency responses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._source import Functions, SceneSource
from .errors import warn_of
from .simulation import Simulation

__all__ = ["FrequencyResponse", "LinearModel", "frequency_response", "linearise"]

Array = NDArray[np.float64]
Names = str | Sequence[str]


@dataclass(frozen=True)
class LinearModel:
    """δẋ = A δx + B δu, δy = C δx + D δu about a state.

    Attributes
    ----------
    A, B, C, D : array
    states, inputs, outputs : list of str
        Coordinates of the model, ``"hose.node2.y"``, their rates ``"d(hose.node2.y)/dt"`` and lags; signals; columns of
        sensors, ``"tip.y"``.
    state_units, input_units, output_units : list of str
        Of an input "" : the unit of what the signal drives.
    x, u, y : array
        At the state.
    drift : array
        ẋ there: zero at an equilibrium.
    t : float
        Time of the state [s].
    constraints : int
        Independent ones that were projected out.
    without_inertia : list of str
        Coordinates that follow the others at once: no states.
    shifted : bool
        Inputs prescribe motions: states are coordinates less multiples of the inputs.
    """

    A: Array
    B: Array
    C: Array
    D: Array
    states: list[str]
    inputs: list[str]
    outputs: list[str]
    state_units: list[str]
    input_units: list[str]
    output_units: list[str]
    x: Array
    u: Array
    y: Array
    drift: Array
    t: float
    constraints: int
    without_inertia: list[str] = field(default_factory=list)
    shifted: bool = False

    @property
    def poles(self) -> NDArray[np.complex128]:
        """Eigenvalues of A [1/s], by their size."""
        values = np.linalg.eigvals(self.A).astype(np.complex128)
        ordered: NDArray[np.complex128] = values[np.argsort(np.abs(values), kind="stable")]
        return ordered

    def response(self, frequencies: ArrayLike) -> NDArray[np.complex128]:
        """C (iω − A)⁻¹ B + D at frequencies [Hz], (frequency, output, input)."""
        s = 2j * np.pi * np.atleast_1d(np.asarray(frequencies, dtype=float))
        eye = np.eye(len(self.A))
        out: NDArray[np.complex128] = np.array([self.C @ np.linalg.solve(w * eye - self.A, self.B) + self.D for w in s])
        return out

    def to_control(self) -> Any:
        """The same as a ``control.StateSpace`` of python-control, which is not installed with flexura. Its names have "_"
        for ".", which that package keeps for itself."""
        import control

        def plain(names: list[str]) -> list[str]:
            return [name.replace(".", "_") for name in names]

        return control.ss(
            self.A,
            self.B,
            self.C,
            self.D,
            states=plain(self.states),
            inputs=plain(self.inputs),
            outputs=plain(self.outputs),
        )

    def __repr__(self) -> str:
        return (
            f"<flexura.LinearModel at t = {self.t:.6g} s: {len(self.states)} states, "
            f"{len(self.inputs)} inputs, {len(self.outputs)} outputs>"
        )


@dataclass(frozen=True)
class FrequencyResponse:
    """How one sensor follows one input.

    Attributes
    ----------
    frequencies : array
        [Hz]
    response : complex array
    coherence : array
        1 of the linear method; of chirps of three amplitudes how far they give the same response.
    input, output, unit : str
        `unit` is that of the output.
    """

    frequencies: Array
    response: NDArray[np.complex128]
    coherence: Array
    input: str
    output: str
    unit: str

    @property
    def magnitude(self) -> Array:
        """|H|, in the output's unit over the input's."""
        return np.asarray(np.abs(self.response), dtype=float)

    @property
    def phase(self) -> Array:
        """Of H, going on across whole turns [rad]."""
        return np.asarray(np.unwrap(np.angle(self.response)), dtype=float)

    def plot(self, axes: Any = None) -> Any:
        """Magnitude and phase over the frequency, with matplotlib; returns the two axes."""
        import matplotlib.pyplot as plt

        if axes is None:
            axes = plt.subplots(2, 1, sharex=True)[1]
        axes[0].loglog(self.frequencies, self.magnitude)
        axes[0].set_ylabel(f"|{self.output} / {self.input}|")
        axes[1].semilogx(self.frequencies, np.degrees(self.phase))
        axes[1].set_ylabel("phase [°]")
        axes[1].set_xlabel("frequency [Hz]")
        return axes


def _names(given: Names | None) -> list[str]:
    return [] if given is None else [given] if isinstance(given, str) else list(given)


def _at(
    scene: SceneSource | Simulation,
    at: float | str | None,
    settings: Iterable[str] | Mapping[str, object],
    functions: Functions | None,
) -> Simulation:
    """A simulation there: by default behind the analyses without time that come first."""
    if isinstance(scene, Simulation):
        if at is not None or settings or functions:
            raise TypeError("at, set and functions are for scenes: a simulation is taken as it is")
        return scene
    simulation = Simulation(scene, set=settings, functions=functions)
    if isinstance(at, str):
        if at != "start":
            _pass(simulation, at)
        return simulation
    while not simulation.finished and not simulation.moving:
        simulation.step()
    if at is not None and not simulation.t - 1e-9 * max(1e-3, abs(at)) <= at < math.inf:
        raise ValueError(f"at: {at:.6g} s is no time of the run, which begins at {simulation.t:.6g} s")
    if at is not None and not simulation.run_until(at):
        raise ValueError(f"at: the run ends at {simulation.t:.6g} s, before {at:.6g} s")
    return simulation


def _pass(simulation: Simulation, analysis: str) -> None:
    """Goes on until the analysis of this name is done."""
    known: list[str] = []
    while not simulation.finished:
        now = simulation.analysis
        if now not in known:
            if known and known[-1] == analysis:
                return
            known.append(now)
        over_time = simulation.over_time
        if now == analysis and over_time:
            simulation.run_until(simulation.end_time)
            return
        simulation.step()
        if now == analysis and not over_time:
            return
    if analysis not in known:
        raise ValueError(f'at: "start", a time or an analysis: {", ".join(map(repr, known))}; not {analysis!r}')


def linearise(
    scene: SceneSource | Simulation,
    *,
    at: float | str | None = None,
    inputs: Names | None = None,
    outputs: Names | None = None,
    set: Iterable[str] | Mapping[str, object] = (),
    functions: Functions | None = None,
) -> LinearModel:
    """The linear system about an equilibrium or a state along a motion, in as few coordinates as there are freedoms.

    Constraints are projected out exactly, what has no mass is in equilibrium with the rest. The equations are differentiated
    by dual numbers; sensors by differences of sixth order, which leave 1e-11.

    Parameters
    ----------
    scene : path, TOML text, Scene, or Simulation where it is
    at : float or str, optional
        Time [s]; ``"start"``; or behind an analysis by name. By default behind the analyses without time that come first, at the
        equilibrium of a static one.
    inputs : str or list of str, optional
        Signals by name; by default those of type "input", and where there are none all that something feels.
    outputs : str or list of str, optional
        Sensors, ``"tip"``, or numbers of them, ``"tip.y"``; by default all that the state decides.

    Raises
    ------
    SceneError
        For names that are not there, contacts, and outputs that are no function of states and inputs.
    SolverError
        Where the equations have no such form, with the reason.

    Examples
    --------
    >>> model = flexura.linearise("pendulum.toml", outputs="bob")
    >>> model
    <flexura.LinearModel at t = 0 s: 2 states, 0 inputs, 2 outputs>
    """
    simulation = _at(scene, at, set, functions)
    t, states, ins, outs, A, B, C, D, x, u, y, drift, constraints, light, shifted, warnings = (
        simulation.linear_matrices(_names(inputs), _names(outputs), at == "start")
    )
    for text in warnings:
        warn_of(text)
    names = [[name for name, _ in named] for named in (states, ins, outs)]
    units = [[unit for _, unit in named] for named in (states, ins, outs)]
    return LinearModel(
        A,
        B,
        C,
        D,
        names[0],
        names[1],
        names[2],
        units[0],
        units[1],
        units[2],
        x,
        u,
        y,
        drift,
        t,
        constraints,
        light,
        shifted,
    )


def frequency_response(
    scene: SceneSource | Simulation,
    *,
    input: str,
    output: str,
    frequencies: ArrayLike,
    method: Literal["linear", "chirp"] = "linear",
    amplitude: float | None = None,
    duration: float | None = None,
    at: float | str | None = None,
    set: Iterable[str] | Mapping[str, object] = (),
    functions: Functions | None = None,
) -> FrequencyResponse:
    """How a sensor follows an input that swings about a state at rest.

    Parameters
    ----------
    scene : path, TOML text, Scene, or (linear) Simulation where it is
    input, output : str
        A signal; a number of a sensor, ``"tip.y"``.
    frequencies : array
        [Hz]
    method : "linear" or "chirp"
        By the sparse complex matrix of all unknowns, (K + iω D − ω² M); or measured on the motion itself, with an input of
        type "input" that sweeps over the frequencies.
    amplitude : float
        Of the chirp, in the input's unit.
    duration : float, optional
        Of the sweep [s]; by default 20 periods of the lowest frequency. The scene's analysis must be a quarter longer, in which the
        motion comes to rest.

    Returns
    -------
    FrequencyResponse
    """
    f = np.atleast_1d(np.asarray(frequencies, dtype=float))
    simulation = _at(scene, at, set, functions)
    if method == "linear":
        _, outs, response, warnings = simulation.linear_response([input], [output], f.tolist(), at == "start")
        if len(outs) != 1:
            raise ValueError(f"output: one number of a sensor, as {outs[0][0]!r}, not all {len(outs)} of {output!r}")
        for text in warnings:
            warn_of(text)
        return FrequencyResponse(f, response[:, 0, 0], np.ones(len(f)), input, outs[0][0], outs[0][1])
    if method != "chirp":
        raise ValueError(f'method: "linear" or "chirp", not {method!r}')
    if amplitude is None or not float(amplitude) > 0:
        raise ValueError("amplitude: above 0, in the unit of the input")
    if not np.all(f > 0):
        raise ValueError("frequencies: above 0 Hz for a chirp")
    return _chirp(simulation, input, output, f, float(amplitude), duration)


def _chirp(
    simulation: Simulation, input: str, output: str, f: Array, amplitude: float, duration: float | None
) -> FrequencyResponse:
    """H = Σ conj(U) Y / Σ |U|² of whole records, sweeps of amplitudes a, -a and a/2 that begin and end at rest. The coherence
    |Σ conj(U) Y|² / (Σ |U|² Σ |Y|²) says how far they give the same H: it is below 1 where the motion is not linear or does
    not come to rest within a quarter of the sweep."""
    sensor, _, component = output.partition(".")
    view = simulation.sensor(sensor)
    place = 0 if view.ndim == 0 else _component(component, view.size, output)
    length = 20 / f.min() if duration is None else float(duration)
    low, high, end = 0.7 * f.min(), 1.3 * f.max(), 1.25 * length
    start, bias = simulation.save(), simulation.input(input)
    uu, yy, uy = np.zeros(len(f)), np.zeros(len(f)), np.zeros(len(f), dtype=np.complex128)
    for size in (amplitude, -amplitude, 0.5 * amplitude):
        simulation.restore(start)
        begin, still, step = simulation.t, float(view.flat[place]), 0.0
        t, u, y = [0.0], [0.0], [0.0]
        while t[-1] < end:
            ahead = t[-1] + step
            sweep = 2 * math.pi * (low * ahead + (high - low) / (2 * length) * ahead**2)
            u.append(size * math.sin(sweep) if 0 < ahead < length else 0.0)
            simulation.set(input, bias + u[-1])
            if not simulation.step() and simulation.t < begin + end * (1 - 1e-9):
                raise ValueError(
                    f"the analysis ends at {simulation.t:.6g} s, before the sweep and a quarter of it for rest: "
                    f"{begin + end:.6g} s; give it a later end, or a shorter duration"
                )
            t.append(simulation.t - begin)
            y.append(float(view.flat[place]) - still)
            step = t[-1] - t[-2]
        if f.max() > 0.1 / step:
            raise ValueError(f"frequencies: at most {0.1 / step:.6g} Hz with steps of {step:.6g} s")
        turn = np.exp(-2j * np.pi * np.outer(f, t))
        U, Y = turn @ np.asarray(u), turn @ np.asarray(y)
        uu, yy, uy = uu + np.abs(U) ** 2, yy + np.abs(Y) ** 2, uy + np.conj(U) * Y
    simulation.restore(start)
    coherence = np.abs(uy) ** 2 / np.maximum(uu * yy, 1e-300)
    response: NDArray[np.complex128] = np.asarray(uy / uu, dtype=np.complex128)
    return FrequencyResponse(f, response, coherence, input, output, simulation.unit(sensor))


def _component(name: str, size: int, output: str) -> int:
    axes = ["x", "y", "z"][:size]
    if name in axes:
        return axes.index(name)
    if name.isdigit() and int(name) < size:
        return int(name)
    raise ValueError(f"output: one number of a sensor, as {output.partition('.')[0] + '.x'!r}, not {output!r}")
