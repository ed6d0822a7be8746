"""Tables of a scene as Python objects: keys, parts and the collections that hold them by name."""

from __future__ import annotations

import difflib
import math
import numbers
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import NDArray
from tomlkit.items import Item

from .document import Path
from .places import CodePlace, code_place

if TYPE_CHECKING:
    from .functions import ForceLaw, SignalFunction
    from .scene import Scene

Number: TypeAlias = "float | str | np.floating[Any] | np.integer[Any]"
"""A number in SI, a text with a unit, "30 g", or an expression over the parameters, "= L / 2"."""
Integer: TypeAlias = "int | str | np.integer[Any]"
Vector: TypeAlias = "Sequence[Number] | NDArray[Any]"
"""2 components in planar scenes, 3 in spatial ones."""
Points: TypeAlias = "Sequence[Vector] | NDArray[Any]"
"""Points by rows."""
Name: TypeAlias = "str | Part"
"""The name of a table, or the table itself, taken from the scene."""
Place: TypeAlias = "str | Part | Vector"
""" "ground", a part "payload", "actuator.end", "actuator@0.5", "actuator@60 mm"; coordinates: a point of the ground."""
Places: TypeAlias = "Sequence[Place] | NDArray[Any]"
Table: TypeAlias = "Mapping[str, Any]"
Time: TypeAlias = "float | str | np.floating[Any]"
"""Seconds, or the name of an analysis."""
File: TypeAlias = "str | os.PathLike[str]"
"""Relative to the folder of the scene."""

FunctionKey: TypeAlias = "Callable[..., Any] | SignalFunction | ForceLaw | int | str"
"""A function, Python or compiled; or the name of one in `Scene.functions`."""

T = TypeVar("T")


def nearest_text(name: str, known: Sequence[str]) -> str:
    """ "; did you mean 'EI'?", or "" where nothing is near."""
    by_case = {other.lower(): other for other in known}
    found = difflib.get_close_matches(name.lower(), list(by_case), 1, 0.5)
    return f"; did you mean '{by_case[found[0]]}'?" if found else "."


class Holder:
    """What has keys: a part, and the scene for those of its head."""

    _keys: ClassVar[dict[str, Key[Any]]] = {}
    _keywords: ClassVar[list[str]] = []  # the same as Python writes them: "from_"

    def __init_subclass__(cls) -> None:
        members = {name: key for base in reversed(cls.__mro__) for name, key in vars(base).items()}
        keys = {name: key for name, key in members.items() if isinstance(key, Key)}
        cls._keys = {key.name: key for key in keys.values()}
        cls._keywords = list(keys)

    def _read(self, key: Key[Any]) -> Any:
        raise NotImplementedError

    def _write(self, key: Key[Any], value: Any) -> None:
        raise NotImplementedError


class Key(Generic[T]):
    """A key of a table: reads None where it is left out, and is left out again where None is assigned."""

    def __init__(self, unit: str = "", *, required: bool = False, form: str = "value", table: str = "") -> None:
        self.unit = unit
        self.required = required
        self.form = form
        self.table = table
        self.name = ""

    def __set_name__(self, owner: type[Holder], name: str) -> None:
        self.name = name.rstrip("_")

    @overload
    def __get__(self, part: None, owner: type[Holder]) -> Key[T]: ...
    @overload
    def __get__(self, part: Holder, owner: type[Holder]) -> Any: ...
    def __get__(self, part: Holder | None, owner: type[Holder]) -> Any:
        return self if part is None else part._read(self)

    def __set__(self, part: Holder, value: T | None) -> None:
        part._write(self, value)

    def __delete__(self, part: Holder) -> None:
        part._write(self, None)


_classes: dict[str, dict[str, type[Part]]] = {}


class Part(Holder):
    """A table of a scene: free when it is made, a view of the scene's text when it is taken from a scene."""

    _table: ClassVar[str] = ""  # "joint", "analysis.integrator"
    _type: ClassVar[str] = ""
    _writes_type: ClassVar[bool] = False

    _values: dict[str, Any]
    _code: dict[str, CodePlace | None]
    _made: CodePlace | None
    _scene: Scene | None
    _path: Path

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls._table and "_type" in vars(cls):
            _classes.setdefault(cls._table, {})[cls._type] = cls

    def __new__(cls, *values: object, **keys: object) -> Self:
        """Checks the call, so that its message names what is allowed."""
        name, known = cls.__name__, cls._keywords
        if values:
            example = ", ".join(f"{key}=..." for key in known[:3])
            raise TypeError(f"{name} takes keywords only: {name}({example}).")
        for key in keys:
            if key not in known:
                raise TypeError(f"{name} has no '{key}'{nearest_text(key, known)} It has {_listed(known)}.")
        missing = [k for k in known if cls._keys[k.rstrip("_")].required and keys.get(k) is None]
        if missing:
            raise TypeError(f"{name} needs {_listed([f'{key}=' for key in missing])}.")
        part = super().__new__(cls)
        object.__setattr__(part, "_scene", None)
        object.__setattr__(part, "_path", ())
        object.__setattr__(part, "_values", {})
        object.__setattr__(part, "_code", {})
        object.__setattr__(part, "_made", code_place())
        return part

    def _fill(self, values: Mapping[str, Any]) -> None:
        """Of the constructor, with its local variables: the keys that were given."""
        for name, value in values.items():
            if value is not None and name in self._keywords:
                key = self._keys[name.rstrip("_")]
                self._values[key.name] = plain(value, f"{type(self).__name__}: {key.name}", key)
                self._code[key.name] = self._made

    @classmethod
    def _view(cls, scene: Scene, path: Path) -> Self:
        part = object.__new__(cls)
        object.__setattr__(part, "_scene", scene)
        object.__setattr__(part, "_path", path)
        object.__setattr__(part, "_values", {})
        object.__setattr__(part, "_code", {})
        object.__setattr__(part, "_made", None)
        return part

    # Reading and writing ----------------------------------------------------------------------------------------------

    def _read(self, key: Key[Any]) -> Any:
        if self._scene is None:
            return self._values.get(key.name)
        return self._scene._value((*self._path, key.name), key)

    def _write(self, key: Key[Any], value: Any) -> None:
        where = f"{self._title()}.{key.name}"
        if self._scene is not None:
            if value is None:
                self._scene._remove((*self._path, key.name))
            else:
                self._scene._assign((*self._path, key.name), plain(value, where, key), code_place(), key)
        elif value is None:
            self._values.pop(key.name, None)
        else:
            self._values[key.name] = plain(value, where, key)
            self._code[key.name] = code_place()

    def _title(self) -> str:
        """ "joint.clamp" in a scene, else the name of the class."""
        return self._scene._dotted(self._path) if self._scene is not None else type(self).__name__

    def _key_of(self, name: str) -> Key[Any]:
        key = self._keys.get(name)
        if key is None:
            known = list(self._keys)
            raise KeyError(f"{self._title()} has no '{name}'{nearest_text(name, known)} It has {_listed(known)}.")
        return key

    def __getitem__(self, name: str) -> Any:
        return self._read(self._key_of(name))

    def __setitem__(self, name: str, value: Any) -> None:
        self._write(self._key_of(name), value)

    def __delitem__(self, name: str) -> None:
        self._write(self._key_of(name), None)

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def keys(self) -> list[str]:
        """The keys that are given."""
        if self._scene is None:
            return list(self._values)
        return self._scene._document.keys(self._path)

    def to_dict(self) -> dict[str, Any]:
        """The table as plain Python, as it stands in the TOML text."""
        if self._scene is not None:
            return dict(self._scene._plain(self._path))
        values: dict[str, Any] = {"type": self._type} if self._writes_type else {}
        for name, value in self._values.items():
            values[name] = value.to_dict() if isinstance(value, Part) else value
        return values

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            known = self._keywords
            raise AttributeError(
                f"{self._title()} has no '{name}'{nearest_text(name, known)} It has {_listed(known)}."
            ) from None

        def __setattr__(self, name: str, value: Any) -> None:
            if name not in self._keywords:
                self.__getattr__(name)
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        values = self._values if self._scene is None else {k: v for k, v in self.to_dict().items() if k != "type"}
        return _free, (type(self), dict(values))

    def __repr__(self) -> str:
        values = {**self._values} if self._scene is None else self.to_dict()
        values.pop("type", None)
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in values.items())})"

    def __eq__(self, other: object) -> bool:
        return self.to_dict() == other.to_dict() if isinstance(other, Part) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def _free(cls: type[Part], values: dict[str, Any]) -> Part:
    """A free part with these values, for copies and pickles."""
    part = object.__new__(cls)
    for name, value in {"_scene": None, "_path": (), "_values": values, "_code": {}, "_made": code_place()}.items():
        object.__setattr__(part, name, value)
    return part


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "no keys"


def class_of(table: str, type_: str | None) -> type[Part] | None:
    """The class of a table of a kind and a type; the first type where none is written."""
    types = _classes.get(table)
    if not types:
        return None
    return types.get(type_ or "", next(iter(types.values())) if type_ is None else None)


def plain(value: Any, where: str, key: Key[Any] | None = None) -> Any:
    """A value as TOML can hold it; functions and free parts stay as they are. Raises TypeError, ValueError."""
    if isinstance(value, Part):
        if value._scene is None:
            return value
        refers = key is None or key.form in ("name", "names", "place", "places", "signal")
        return str(value._path[1]) if refers and len(value._path) == 2 else value.to_dict()
    if key is not None and key.form == "function" and not isinstance(value, str):
        return value
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{where}: {value!r} is no text: half of a pair stands alone in it.") from None
        return str(value)
    if isinstance(value, Item):
        return plain(value.unwrap(), where, key)
    if isinstance(value, np.floating):
        value = float(value)
    elif isinstance(value, np.ndarray | np.generic):
        listed = value.astype(float).tolist() if value.dtype.kind == "f" else value.tolist()
        if not isinstance(listed, np.generic):
            return plain(listed, where, key)
    if isinstance(value, numbers.Integral):
        if not -(2**63) <= int(value) < 2**63:
            raise ValueError(f"{where}: {value} does not fit into 64 bits; write a float.")
        return int(value)
    if isinstance(value, numbers.Real):
        if not math.isfinite(value):
            raise ValueError(f"{where}: {value} is not a finite number.")
        return float(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {str(k): plain(v, f"{where}.{k}", key) for k, v in value.items()}
    if isinstance(value, Sequence | range) and not isinstance(value, bytes):
        return [plain(entry, f"{where}[{i}]", key) for i, entry in enumerate(value)]
    hint = " It is a function: give it to ExternalSignal or ExternalLoad." if callable(value) else ""
    raise TypeError(
        f"{where} cannot be a {type(value).__name__}; a number, a text with a unit, a list, an array or a table can.{hint}"
    )


S = TypeVar("S")
G = TypeVar("G")


class Parts(Generic[S, G]):
    """The tables of one kind by their names, in the order of the text: `scene.cable.hose`, `scene.cable["hose"]`."""

    _scene: Scene
    _kind: str

    def __init__(self, scene: Tables, kind: str) -> None:
        object.__setattr__(self, "_scene", scene)
        object.__setattr__(self, "_kind", kind)

    def keys(self) -> list[str]:
        return self._scene._document.keys((self._kind,))

    def values(self) -> list[G]:
        return [self[name] for name in self.keys()]

    def items(self) -> list[tuple[str, G]]:
        return [(name, self[name]) for name in self.keys()]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._scene._document.has((self._kind, name))

    def __getitem__(self, name: str) -> G:
        if name not in self:
            raise KeyError(self._no(name))
        return self._scene._part((self._kind, name), self._kind)  # type: ignore[return-value]

    def __setitem__(self, name: str, value: S | Table) -> None:
        self._scene.add(self._kind, name, value)  # type: ignore[arg-type]

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(self._no(name))
        self._scene._remove((self._kind, name))

    def _no(self, name: str) -> str:
        names = self.keys()
        has = f" There is {_listed(names)}." if names else f" There is no {self._kind} yet."
        return f"there is no {self._kind} '{name}'{nearest_text(name, names)}{has}"

    def __getattr__(self, name: str) -> G:
        if name.startswith("_"):  # also of a copy that is not complete yet
            raise AttributeError(name)
        if name not in self:
            raise AttributeError(self._no(name))
        return self[name]

    def __setattr__(self, name: str, value: S | Table) -> None:
        if hasattr(type(self), name):
            raise AttributeError(f"'{name}' is a method here; write scene.{self._kind}['{name}'] = ...")
        self[name] = value

    def __delattr__(self, name: str) -> None:
        if name not in self:
            raise AttributeError(self._no(name))
        del self[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.keys()]

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{name!r}: {part!r}' for name, part in self.items())}}}"


class Analyses(Generic[S, G]):
    """The analyses in their order: `scene.analysis[0]`, `scene.analysis["move"]`, `scene.analysis.move`."""

    _scene: Scene

    def __init__(self, scene: Tables) -> None:
        object.__setattr__(self, "_scene", scene)

    def names(self) -> list[str]:
        document = self._scene._document
        return [str(document.get(("analysis", i, "name"))) for i in range(len(self))]

    def append(self, value: S | Table) -> None:
        """Adds an analysis after the others."""
        self._scene._add_analysis(value)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return self._scene._document.count("analysis")

    def __iter__(self) -> Iterator[G]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, name: object) -> bool:
        return name in self.names()

    def _index(self, at: int | str) -> int:
        names = self.names()
        if isinstance(at, str):
            if at not in names:
                has = f" There is {_listed(names)}." if names else " There is no analysis yet."
                raise KeyError(f"there is no analysis '{at}'{nearest_text(at, names)}{has}")
            return names.index(at)
        if not -len(names) <= at < len(names):
            raise IndexError(f"there is no analysis {at}: there are {len(names)}.")
        return at % len(names)

    def __getitem__(self, at: int | str) -> G:
        return self._scene._part(("analysis", self._index(at)), "analysis")  # type: ignore[return-value]

    def __setitem__(self, at: int | str, value: S | Table) -> None:
        if isinstance(at, str) and at not in self:
            self._scene._add_analysis(value, name=at)  # type: ignore[arg-type]
        else:
            self._scene._add_analysis(value, name=at, index=self._index(at))  # type: ignore[arg-type]

    def __delitem__(self, at: int | str) -> None:
        self._scene._remove(("analysis", self._index(at)))

    def __getattr__(self, name: str) -> G:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __setattr__(self, name: str, value: S | Table) -> None:
        if hasattr(type(self), name):
            raise AttributeError(f"'{name}' is a method here; write scene.analysis['{name}'] = ...")
        self[name] = value

    def __delattr__(self, name: str) -> None:
        del self[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.names()]

    def __repr__(self) -> str:
        return f"[{', '.join(repr(analysis) for analysis in self)}]"


class Parameters:
    """Numbers that expressions may use: `scene.parameters.L = "175 mm"`; a later one may use an earlier one."""

    _scene: Scene

    def __init__(self, scene: Tables) -> None:
        object.__setattr__(self, "_scene", scene)

    def keys(self) -> list[str]:
        return self._scene._document.keys(("parameters",))

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            names = self.keys()
            raise KeyError(f"there is no parameter '{name}'{nearest_text(name, names)}")
        return self._scene._value(("parameters", name), None)

    def __setitem__(self, name: str, value: Number) -> None:
        self._scene._assign(("parameters", name), plain(value, f"parameters.{name}"), code_place())

    def __delitem__(self, name: str) -> None:
        self._scene._remove(("parameters", name))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __setattr__(self, name: str, value: Number) -> None:
        self[name] = value

    def __delattr__(self, name: str) -> None:
        del self[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.keys()]

    def __repr__(self) -> str:
        return repr({name: self[name] for name in self})


class Tables(Holder):
    """Keys of the head of a scene, and its tables."""

    _tables: ClassVar[tuple[str, ...]] = ()

    @property
    def parameters(self) -> Parameters:
        """Numbers that expressions may use."""
        return Parameters(self)

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None:
            if name in self._tables and name not in self._keywords:
                what = "append(...)" if name == "analysis" else "NAME = ..."
                raise AttributeError(f"scene.{name} holds tables by name: write scene.{name}.{what}")
            if name not in self._keywords:
                known = [*self._keywords, *self._tables, "parameters"]
                raise AttributeError(f"scenes have no '{name}'{nearest_text(name, known)}")
            object.__setattr__(self, name, value)

        def __getattr__(self, name: str) -> Any:
            known = [*self._keywords, *self._tables, "parameters"]
            raise AttributeError(f"scenes have no '{name}'{nearest_text(name, known)}")
