"""What sensors of a run feel of numbers of its scene."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._source import Functions, SceneSource, Source
from .errors import SceneError

__all__ = ["Gradient", "ModeGradient", "gradient", "jax_function", "torch_function"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ModeGradient:
    """Frequencies of an analysis of modes, and their slopes by numbers of the scene.

    Attributes
    ----------
    analysis : str
    frequencies : array (mode)
        [Hz]; negative where the mode grows.
    slopes : array (mode, number)
        [Hz per unit of the number]; NaN of motions as a whole, and where `problem` says why there are none.
    first_of_equal : array (mode)
        Index of the first mode that shares the frequency. Slopes of modes that do say how they part along one number.
    problem : str
    """

    analysis: str
    frequencies: Array
    slopes: Array
    first_of_equal: NDArray[np.intp]
    problem: str


@dataclass(frozen=True)
class Gradient:
    """Sensors, and their slopes by numbers of the scene.

    Attributes
    ----------
    of, wrt : list of str
        Columns of sensors, ``"tip.y"``, and paths of numbers.
    units : list of str
        Of the columns.
    times : array
        When they are read [s].
    numbers : array
        Of the scene.
    values : array (time, column)
    jacobian : array (time, column, number)
    analyses : list of str
        Of which each time is a state.
    modes : list of ModeGradient
        Of each analysis of modes.
    """

    of: list[str]
    wrt: list[str]
    units: list[str]
    times: Array
    numbers: Array
    values: Array
    jacobian: Array
    analyses: list[str] = field(default_factory=list)
    modes: list[ModeGradient] = field(default_factory=list)

    def __getitem__(self, column: str) -> Array:
        """Slopes of a column at the last time, or at all times where there are several (time, number)."""
        if column not in self.of:
            raise KeyError(f"{column!r}: not among {self.of}")
        slopes: Array = self.jacobian[:, self.of.index(column), :]
        return slopes[0] if len(self.times) == 1 else slopes


class _Scene:
    """A scene whose numbers are set and differentiated."""

    def __init__(
        self,
        scene: SceneSource,
        of: str | Sequence[str],
        wrt: str | Sequence[str],
        times: Iterable[float],
        set: Iterable[str] | Mapping[str, object],
        functions: Functions | None,
        relative_step: float,
        after: str | Sequence[str],
    ) -> None:
        self.source = Source(scene, set, functions)
        self.of = [of] if isinstance(of, str) else list(of)
        self.wrt = [wrt] if isinstance(wrt, str) else list(wrt)
        self.times = [float(t) for t in times]
        self.after = [after] if isinstance(after, str) else list(after)
        self.step = float(relative_step)
        self.start = self.source.document()

    def asked(self, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except SceneError as error:
            raise self.source.reraise(error) from None

    def numbers(self) -> Array:
        return np.asarray(self.asked(lambda: _core.scene_numbers(self.start, self.wrt, []))[0])

    def at(self, numbers: ArrayLike) -> _core.Document:
        x = np.asarray(numbers, dtype=float).ravel()
        if len(x) != len(self.wrt):
            raise ValueError(f"{len(x)} numbers for {len(self.wrt)} paths")
        settings = self.asked(lambda: _core.scene_numbers(self.start, self.wrt, x.tolist()))[1]
        before = self.source.settings
        self.source.settings = [*before, *settings]
        try:
            return self.source.document()
        finally:
            self.source.settings = before

    def forwards(self, document: _core.Document, wrt: list[str]) -> Gradient:
        of, units, times, numbers, values, jacobian, analyses, modes = self.asked(
            lambda: _core.differentiate(document, wrt, self.of, self.times, self.after, self.step)
        )
        told = [
            ModeGradient(name, f, slopes, np.asarray(first, dtype=np.intp), why)
            for name, f, first, slopes, why in modes
        ]
        return Gradient(of, wrt, units, times, numbers, values, jacobian, analyses, told)

    def backwards(self, document: _core.Document, weights: ArrayLike) -> tuple[Array, Array]:
        """Values, and the gradient of their weighted sum."""
        w = np.asarray(weights, dtype=float).ravel().tolist()
        values, slopes, _, _ = self.asked(
            lambda: _core.differentiate_backwards(document, self.wrt, self.of, self.times, self.after, self.step, w)
        )
        return values, slopes


def gradient(
    scene: SceneSource,
    *,
    wrt: str | Sequence[str],
    of: str | Sequence[str] = (),
    times: Iterable[float] = (),
    after: str | Sequence[str] = (),
    weights: ArrayLike | Callable[[Array], ArrayLike] | None = None,
    relative_step: float = 1e-3,
    set: Iterable[str] | Mapping[str, object] = (),
    functions: Functions | None = None,
) -> Gradient | Array:
    """Slopes of sensors by numbers of the scene, and of frequencies where it has analyses of modes.

    Equilibria and steps are differentiated exactly, by dual numbers and the factors of the equations; the building of
    the model, its start and sensors by differences of sixth order, which cost no solution.

    Parameters
    ----------
    scene : path, TOML text or Scene
    wrt : str or list of str
        Paths of numbers as ``set`` takes them; in lists with the place, ``"signal.pump.points[12][1]"``.
    of : str or list of str
        Sensors, ``"tip"``, or numbers of them, ``"tip.y"``; by default all.
    times : list of float
        Ends of steps [s]; by default where the run ends.
    after : str or list of str
        Analyses at whose ends sensors are read, so equilibria too.
    weights : array (time, column), or a function of the values, optional
        Backwards instead: the gradient of the weighted sum, at one cost for any number of samples of a signal. A
        function gets the values (time, column) of one more run and returns the slopes of an objective by them.
    relative_step : float
        Of the differences, to each number.

    Returns
    -------
    Gradient, or with `weights` an array (number)

    Raises
    ------
    SceneError
        For paths that are no numbers, sensors and analyses that are not there, and what has no derivative, with the reason.
    SolverError
        Where the run fails.

    Examples
    --------
    >>> slopes = flexura.gradient("finger.toml", of="tip.y", wrt=["section.wall.EI"])
    """
    asked = _Scene(scene, of, wrt, times, set, functions, relative_step, after)
    if weights is None:
        return asked.forwards(asked.start, asked.wrt)
    if callable(weights):
        weights = weights(asked.forwards(asked.start, []).values)
    return asked.backwards(asked.start, weights)[1]


def torch_function(
    scene: SceneSource,
    *,
    wrt: str | Sequence[str],
    of: str | Sequence[str] = (),
    times: Iterable[float] = (),
    after: str | Sequence[str] = (),
    relative_step: float = 1e-3,
    set: Iterable[str] | Mapping[str, object] = (),
    functions: Functions | None = None,
) -> Callable[[Any], Any]:
    """The run as a function for PyTorch: numbers (number) to sensors (time, column), differentiated backwards, once.

    Parameters as for `gradient`. Takes PyTorch, which is not installed with flexura. Whole numbers and truth values count as
    numbers of `torch.get_default_dtype()`. `torch.func.vmap` and `jacrev` do one run, or
    way back, after the other. Second derivatives raise RuntimeError.
    """
    import torch

    asked = _Scene(scene, of, wrt, times, set, functions, relative_step, after)

    def one_by_one(apply: Callable[..., Any]) -> Any:
        def vmap(info: Any, in_dims: tuple[int | None, ...], *given: Any) -> tuple[Any, int]:
            rows = [g if d is None else g.movedim(d, 0) for g, d in zip(given, in_dims, strict=True)]
            each = [
                apply(*(row if d is None else row[k] for row, d in zip(rows, in_dims, strict=True)))
                for k in range(info.batch_size)
            ]
            return torch.stack(each), 0

        return staticmethod(vmap)

    def array(tensor: Any) -> Array:
        return np.asarray(tensor.detach().cpu().to(torch.float64).numpy(), dtype=float)  # NumPy has no bfloat16

    def values(numbers: Any) -> Any:
        return torch.as_tensor(asked.forwards(asked.at(array(numbers)), []).values).to(numbers)

    def slopes(numbers: Any, felt: Any) -> Any:
        return (
            torch.as_tensor(asked.backwards(asked.at(array(numbers)), array(felt))[1]).to(felt).reshape(numbers.shape)
        )

    def keep(ctx: Any, inputs: tuple[Any, ...], _: Any) -> None:
        ctx.save_for_backward(*inputs)

    def no_second(ctx: Any, felt: Any) -> Any:
        raise RuntimeError("a run is differentiated once: it has no second derivatives")

    def function(name: str, forward: Callable[..., Any], backward: Callable[..., Any]) -> Any:
        made: Any = type(
            name,
            (torch.autograd.Function,),
            {
                "forward": staticmethod(forward),
                "setup_context": staticmethod(keep),
                "backward": staticmethod(backward),
                "vmap": one_by_one(lambda *given: made.apply(*given)),
            },
        )
        return made

    way_back = function("WayBack", slopes, no_second)
    run = function("Run", values, lambda ctx, felt: way_back.apply(*ctx.saved_tensors, felt))

    def function_of(numbers: Any) -> Any:
        given = torch.as_tensor(numbers)
        if given.is_complex():
            raise TypeError(f"parameters of a scene are real numbers, not {given.dtype}")
        return run.apply(given if given.is_floating_point() else given.to(torch.get_default_dtype()))

    return function_of


def jax_function(
    scene: SceneSource,
    *,
    wrt: str | Sequence[str],
    of: str | Sequence[str] = (),
    times: Iterable[float] = (),
    after: str | Sequence[str] = (),
    relative_step: float = 1e-3,
    set: Iterable[str] | Mapping[str, object] = (),
    functions: Functions | None = None,
) -> Callable[[Any], Any]:
    """The run as a function for JAX: numbers (number) to sensors (time, column), differentiated backwards, once.

    Parameters as for `gradient`. Takes JAX, which is not installed with flexura. Numbers are of the precision that JAX is set to,
    whole numbers and truth values as well.
    `jax.vmap` and `jacrev` do one run, or way back, after the other.
    """
    import jax
    import jax.numpy as jnp

    asked = _Scene(scene, of, wrt, times, set, functions, relative_step, after)
    shape = asked.forwards(asked.start, []).values.shape
    array_of: Any = jax.ShapeDtypeStruct

    def values(numbers: Any) -> Any:
        return asked.forwards(asked.at(numbers), []).values.astype(np.asarray(numbers).dtype)

    def slopes(numbers: Any, felt: Any) -> Any:
        return asked.backwards(asked.at(numbers), felt)[1].astype(np.asarray(numbers).dtype).reshape(np.shape(numbers))

    def plain(numbers: Any) -> Any:
        return jax.pure_callback(values, array_of(shape, numbers.dtype), numbers, vmap_method="sequential")

    run: Any = jax.custom_vjp(plain)

    def forward(numbers: Any) -> Any:
        return run(numbers), numbers

    def backward(numbers: Any, felt: Any) -> Any:
        return (
            jax.pure_callback(slopes, array_of(numbers.shape, numbers.dtype), numbers, felt, vmap_method="sequential"),
        )

    run.defvjp(forward, backward)

    def function_of(numbers: Any) -> Any:
        given = jnp.asarray(numbers)
        if jnp.issubdtype(given.dtype, jnp.complexfloating):
            raise TypeError(f"parameters of a scene are real numbers, not {given.dtype}")
        return run(given if jnp.issubdtype(given.dtype, jnp.floating) else given.astype(jnp.result_type(float)))

    return function_of
