"""Signals and force laws written in Python, or compiled."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from . import _core

__all__ = ["ForceLaw", "SignalFunction"]

_CTYPES_FUNCTION: type = ctypes.CFUNCTYPE(None).__mro__[1]  # of all functions of ctypes

Code: TypeAlias = "Callable[..., Any] | int"


@dataclass(frozen=True)
class SignalFunction:
    """A signal of type "external".

    A Python function costs about a microsecond a call (it takes the interpreter's lock); a compiled one (numba's
    ``@cfunc("float64(float64)")``, a ctypes function, an address) is called directly. It must give the same value for the
    same time: it is called several times a step, and again after a run is resumed. What it raises, whatever it is, ends
    the run and is raised where the run or the step was asked for.

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


_POINTER = ctypes.POINTER(ctypes.c_double)
_SIGNAL = (ctypes.c_double, (ctypes.c_double,))
_FORCE = (None, (ctypes.c_double, *[_POINTER] * 3))
_TANGENT = (None, (ctypes.c_double, *[_POINTER] * 4))
_WRITTEN: dict[Any, str] = {ctypes.c_double: "double", _POINTER: "double*", ctypes.c_void_p: "double*", None: "void"}


def _code(function: Any, signature: tuple[Any, tuple[Any, ...]]) -> Any:
    """(address, its owner) for what is compiled, else the function itself. Raises TypeError, ValueError."""
    if isinstance(function, int) and not isinstance(function, bool):
        if not 0 < function < 2**64 or not _core.is_code(function):
            raise ValueError(f"there is no compiled function at the address {function}")
        return function, None
    address = getattr(function, "address", None)  # numba
    if isinstance(address, int):
        _expect(getattr(function, "ctypes", None), signature)
        return address, function
    if isinstance(function, _CTYPES_FUNCTION):
        _expect(function, signature)
        return ctypes.cast(cast(Any, function), ctypes.c_void_p).value, function
    if not callable(function):
        raise TypeError(f"a function or the address of one is needed, not {type(function).__name__}")
    return function


class _OtherSignature(TypeError):
    pass


def _expect(function: Any, signature: tuple[Any, tuple[Any, ...]]) -> None:
    """The arguments of a ctypes function, where they are declared, are those with which it will be called."""
    result, arguments = signature
    given = getattr(function, "argtypes", None)
    if given is None:
        return

    def text(kinds: Sequence[Any]) -> list[str]:
        return [_WRITTEN.get(kind, getattr(kind, "__name__", str(kind))) for kind in kinds]

    declared, wanted = text([function.restype, *given]), text([result, *arguments])
    if declared != wanted:
        shown, needed = (f"{kinds[0]}({', '.join(kinds[1:])})" for kinds in (declared, wanted))
        raise _OtherSignature(f"the compiled function is {shown}, not {needed}")


def prepared(functions: Mapping[str, Any]) -> _core.Functions:
    """What the engine wants: a signal, a law, or what can be both, by name. Raises TypeError, ValueError."""
    out: dict[str, tuple[SignalFunction | None, ForceLaw | None]] = {}
    for name, given in functions.items():
        if not isinstance(name, str):
            raise TypeError(f"functions: names are texts, not {name!r}")
        try:
            out[name] = _signal_or_law(given)
        except (TypeError, ValueError) as error:
            kind = ValueError if isinstance(error, ValueError) else TypeError
            raise kind(f'functions["{name}"]: {error}') from None
    return _core.Functions(cast(Any, out))


def _signal_or_law(given: Any) -> tuple[SignalFunction | None, ForceLaw | None]:
    if isinstance(given, SignalFunction):
        return _signal(given), None
    if isinstance(given, ForceLaw):
        return None, _law(given)
    signal: SignalFunction | None = None
    other = ""
    try:
        signal = _signal(SignalFunction(given))
    except _OtherSignature as error:
        other = str(error)
    try:
        return signal, _law(ForceLaw(given))
    except _OtherSignature as error:
        if other:
            raise TypeError(f"{other}, nor {str(error).rpartition(' not ')[2]}") from None
        return signal, None


def _signal(s: SignalFunction) -> SignalFunction:
    rate, acceleration = (None if f is None else _code(f, _SIGNAL) for f in (s.rate, s.acceleration))
    breakpoints = [float(t) for t in s.breakpoints]
    if not all(map(math.isfinite, breakpoints)):
        raise ValueError("its breakpoints must be finite [s]")
    return SignalFunction(_code(s.value, _SIGNAL), rate, acceleration, breakpoints, float(s.difference))


def _law(w: ForceLaw) -> ForceLaw:
    force, tangent = _code(w.force, _FORCE), None if w.tangent is None else _code(w.tangent, _TANGENT)
    if tangent is not None and isinstance(force, tuple) != isinstance(tangent, tuple):
        raise TypeError("force and tangent must both be compiled, or both Python functions")
    return ForceLaw(force, tangent)
