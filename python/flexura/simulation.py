"""Stepping a scene from Python: controllers, interactive programs."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._source import Functions, SceneSource, Source
from .errors import ResultsError, SceneError
from .files import TemporaryFolder
from .result import Result
from .run import output_folder, thread_count

__all__ = ["Simulation", "State"]


@dataclass(frozen=True)
class State:
    """Everything that a simulation is at a moment; it can be pickled.

    Attributes
    ----------
    t : float
        Time [s].
    data : bytes
        For `Simulation.restore`.
    """

    t: float
    data: bytes


class _Inputs(MutableMapping[str, float]):
    """Values of the input signals by name."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def __getitem__(self, name: str) -> float:
        return self._simulation.input(name)

    def __setitem__(self, name: str, value: float) -> None:
        self._simulation.set(name, value)

    def __delitem__(self, name: str) -> None:
        raise TypeError("inputs cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._simulation.input_names)

    def __len__(self) -> int:
        return len(self._simulation.input_names)

    def __repr__(self) -> str:
        return repr(dict(self))


class Simulation(_core.Session):
    """A scene that is stepped from Python, with the same steps as `simulate`, bit for bit.

    ``sim["tip"]``, ``sim.q`` and ``sim.v`` are read-only arrays that follow the simulation: they hold the numbers of
    the present state after every step, as long as they are kept. ``.copy()`` keeps the numbers of a moment. While a step
    works, other Python threads run; they can read these arrays, and use the rest of the simulation when the step is done.

    Parameters
    ----------
    scene : path, TOML text or Scene
        What to simulate.
    output : path, optional
        Folder into which the run is recorded; `finish` writes the results. By default nothing is recorded.
    record : bool
        Records into a temporary folder where `output` is not given.
    threads : int
        Changes the time only.
    overwrite : bool
        Replaces a run that is in the folder.
    set, functions
        As for `simulate`.

    Examples
    --------
    >>> scene = flexura.Scene.load("soft_actuator.toml")
    >>> scene.signal.upper = flexura.InputSignal(value=2e4)
    >>> sim = flexura.Simulation(scene)
    >>> tip = sim["tip"]
    >>> while sim.t < 0.1 and sim.step():
    ...     sim.set("upper", 2e4 * (1 - tip[1]))
    >>> sim
    <flexura.Simulation at t = 0.1 s, in "move">
    """

    def __init__(
        self,
        scene: SceneSource,
        *,
        output: str | os.PathLike[str] | None = None,
        record: bool = False,
        threads: int = 1,
        overwrite: bool = False,
        report: bool | None = None,
        csv: bool = False,
        vtk: bool = False,
        plots: bool = False,
        set: Iterable[str] | Mapping[str, object] = (),
        functions: Functions | None = None,
    ) -> None:
        threads = thread_count(threads)
        source = Source(scene, set, functions)
        document = source.document()
        self._folder = ""
        self._temporary: TemporaryFolder | None = None
        if output is not None or record:
            self._folder, self._temporary = output_folder(output, overwrite=overwrite, resume=False)
        self._result: Result | None = None
        try:
            super().__init__(
                document,
                self._folder,
                threads=threads,
                csv=bool(csv),
                vtk=bool(vtk),
                plots=bool(plots),
                report=bool(report) if report is not None else output is not None,
            )
        except SceneError as error:
            raise source.reraise(error) from None

    @property
    def inputs(self) -> MutableMapping[str, float]:
        """Values of the input signals by name; assigning one is `set`."""
        return _Inputs(self)

    def picture(self, size: tuple[int, int] = (640, 480)) -> NDArray[np.uint8]:
        """The parts as they are now, (height, width, 3) of red, green and blue.

        Drawn by the program itself in some milliseconds, without a browser: parts alone, seen by a camera that stands still, from the
        front of planar scenes and from above one side of spatial ones. ``flexura render`` draws more, of runs that are recorded.

        Parameters
        ----------
        size : tuple of int
            Width and height, pixels.
        """
        width, height = size
        return self.picture_of(width, height)

    def save(self) -> State:
        """Everything that the simulation is now. The solver forgets what it had kept, so that this simulation and one
        that is restored from the state go on alike, bit for bit."""
        return State(self.t, self.save_bytes())

    def restore(self, state: State) -> None:
        """Goes back, or on, to a state that this or another simulation of the same scene has saved.

        Raises
        ------
        ValueError
            The state is of another scene, or this simulation is recorded.
        """
        if not isinstance(state, State):
            raise TypeError(f"a flexura.State is needed, as save() gives it, not {type(state).__name__}")
        self.restore_bytes(state.data)

    def run(
        self,
        controller: Callable[[Simulation], object] | None = None,
        *,
        every: float = 1e-3,
        until: float | None = None,
    ) -> bool:
        """Runs to the end, or until a time, with a controller that is called at a fixed rate.

        Parameters
        ----------
        controller : callable, optional
            Called as ``controller(sim)`` at every multiple of `every`, before the step from there. It reads sensors and
            sets inputs. Analyses without time that come first are done before its first call.
        every : float
            Time between two calls [s]; a multiple of the step for calls at exact times, and at most one call per step.
        until : float, optional
            Time to stop at [s]; by default the end.

        Returns
        -------
        bool
            False: nothing is left.
        """
        every, end = float(every), math.inf if until is None else float(until)
        if not every > 0:
            raise ValueError(f"every: a time above 0 s, not {every}")
        if math.isnan(end):
            raise ValueError("until: a time [s], not nan")
        while not self.finished and not self.moving:
            self.step()
        if controller is None:
            self.run_until(end)
            return not self.finished
        begin = self.t
        while not self.finished and self.t < end and not math.isclose(self.t, end, rel_tol=1e-9):
            controller(self)
            t = self.t
            passed = (t - begin) / every + 1e-6
            self.run_until(min(begin + (math.floor(passed) + 1) * every if passed < 2**52 else t, end))
            if self.t == t:  # calls are closer than steps
                self.step()
        return not self.finished

    def finish(self) -> Result:
        """Ends the record and writes the results.

        Raises
        ------
        ValueError
            Nothing was recorded.
        """
        if not self._folder:
            raise ValueError("nothing was recorded: give Simulation(output=...) a folder, or record=True")
        if self._result is None:
            summary, text, unwritten = self.end_record()
            if unwritten:
                raise ResultsError("\n".join(unwritten))
            path = Path(self._folder) / "results.h5"
            self._result = Result(path, summary=json.loads(summary), text=text, temporary=self._temporary)
        return self._result

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._folder:
            self.finish()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a simulation cannot be copied or pickled; save() gives its state, for another one to restore")

    def __repr__(self) -> str:
        state = "finished" if self.finished else f'in "{self.analysis}"'
        return f"<flexura.Simulation at t = {self.t:.6g} s, {state}>"
