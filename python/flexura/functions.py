"""Signals and force laws written in Python, or compiled."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

__all__ = ["ForceLaw", "SignalFunction"]

_CTYPES_FUNCTION: type = ctypes.CFUNCTYPE(None).__mro__[1]  # of all functions of ctypes

Code: TypeAlias = "Callable[..., Any] | int"


@dataclass(frozen=True)
class SignalFunction:
    """A signal of type "external".

    A Python function costs about a microsecond a call (it takes the interpreter's lock); a compiled one (numba's
    ``@cfunc("float64(float64)")``, a ctypes function, an address) is called directly. It must give the same value for the
    same time: it is called several times a step, and again after a run is resumed. An exception ends the step and is
    raised where the step was asked for.

    Parameters
    ----------
    value : callable
        ``f(t)`` -> value, t in s.
    rate, acceleration : callable, optional
        First and second derivative; without them by central differences.
    breakpoints : sequence of float
        Times at which a step shall end, because the value or a derivative jumps, ascending [s].
    difference : float
        Step of the differences [s].
    """

    value: Code
    rate: Code | None = None
    acceleration: Code | None = None
    breakpoints: Sequence[float] = ()
    difference: float = 1e-5


@dataclass(frozen=True)
class ForceLaw:
    """The law of a load of type "external" or "external_effort".

    Parameters
    ----------
    force : callable
        ``f(t, x, v)`` -> force [N]: position [m] and velocity [m/s] are arrays of 2 or 3 numbers, as the force is. For
        "external_effort" they are floats: angle or displacement, and its rate, for a moment or force. Compiled, for
        numba: ``@cfunc("void(float64, CPointer(float64), CPointer(float64), CPointer(float64))")`` with the force last.
    tangent : callable, optional
        ``g(t, x, v)`` -> (df/dx, df/dv), each (n, n). Compiled it takes five arguments, the two matrices last, by rows.
        Without it differences are used: 4 n + 1 calls per tangent.
    """

    force: Code
    tangent: Code | None = None


def _code(function: Any) -> Any:
    """An address for what is compiled, else the function itself."""
    if function is None or isinstance(function, int):
        return function
    address = getattr(function, "address", None)  # numba
    if isinstance(address, int):
        return address
    if isinstance(function, _CTYPES_FUNCTION):
        return ctypes.cast(cast(Any, function), ctypes.c_void_p).value
    if not callable(function):
        raise TypeError(f"a function or the address of one is needed, not {type(function).__name__}")
    return function


def prepared(functions: Mapping[str, Any]) -> dict[str, tuple[SignalFunction | None, ForceLaw | None]]:
    """What the engine wants: a signal, a law, or what can be both, by name."""
    out: dict[str, tuple[SignalFunction | None, ForceLaw | None]] = {}
    for name, given in functions.items():
        signal: SignalFunction | None = None
        law: ForceLaw | None = None
        try:
            if not isinstance(given, ForceLaw):
                s = given if isinstance(given, SignalFunction) else SignalFunction(given)
                value, rate, acceleration = (_code(x) for x in (s.value, s.rate, s.acceleration))
                signal = SignalFunction(
                    value, rate, acceleration, [float(t) for t in s.breakpoints], float(s.difference)
                )
            if not isinstance(given, SignalFunction):
                w = given if isinstance(given, ForceLaw) else ForceLaw(given)
                parts: list[Any] = [_code(w.force), _code(w.tangent)]
                if parts[1] is not None and isinstance(parts[0], int) != isinstance(parts[1], int):
                    raise TypeError("force and tangent must both be compiled, or both Python functions")
                law = ForceLaw(*parts)
        except TypeError as error:
            raise TypeError(f'functions["{name}"]: {error}') from None
        out[name] = (signal, law)
    return out
