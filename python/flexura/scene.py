"""A scene in Python: the TOML text with names, from code or from a file."""

from __future__ import annotations

import dataclasses
import difflib
import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, Literal, overload

from tomlkit.exceptions import TOMLKitError

from . import _core
from ._source import encodable
from .document import Document, Path
from .errors import Problem, SceneError
from .files import written_whole
from .frame import FrameStates
from .functions import prepared
from .parts import Load, SceneTables
from .places import CodePlace, CodePlaces, code_place
from .tables import Key, Number, Part, Parts, Table, Vector, _classes, class_of, nearest_text, plain

__all__ = ["Scene"]

_name = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class _Load:
    """`Scene.load(file)` reads a scene; `scene.load` holds the loads of one."""

    @overload
    def __get__(self, scene: None, owner: type[Scene]) -> Callable[[str | os.PathLike[str]], Scene]: ...
    @overload
    def __get__(self, scene: Scene, owner: type[Scene]) -> Parts[Load, Any]: ...
    def __get__(self, scene: Scene | None, owner: type[Scene]) -> Any:
        return owner._load if scene is None else Parts(scene, "load")


class Scene(SceneTables):
    """A machine, what acts on it, what is measured and what is computed, with the names of the scene format.

    Parameters
    ----------
    title : str, optional
        One line for reports.
    space : {"planar", "spatial"}
    gravity : vector [m/s²], or `Gravity`, optional
        Acceleration of gravity; default: none.
    mass_damping : number [1/s], optional
        c of the force -c M v on all that has mass.
    assemble : bool, optional
        Initial positions are a guess: brought together before the first analysis.
    parameters : mapping of names to numbers, optional
        Numbers that expressions may use.

    Attributes
    ----------
    section, cable, joint, ... : collections of tables by name
        ``scene.cable.hose = Cable(...)``, ``scene.cable["hose"].elements = 8``, ``del scene.cable.hose``. Assigning a
        part copies its values into the scene.
    analysis : the analyses in order
    functions : dict of str to callable
        Python functions by the names under which the text refers to them.
    folder : pathlib.Path
        Where relative files are looked for: that of the scene's file, else the current one.

    Examples
    --------
    >>> scene = Scene(title="A mass on a spring", gravity=[0, -9.81])
    >>> scene.point.bob = Point(position=[0, -1])
    >>> scene.mass.weight = PointMass(at="bob", m="30 g")
    >>> scene.spring.coil = LinearSpring(between=[[0, 0], "bob"], stiffness=100)
    >>> print(scene.spring.coil.stiffness)
    100
    """

    functions: dict[str, Any]

    def __init__(
        self,
        *,
        title: str | None = None,
        space: Literal["planar", "spatial"] = "planar",
        gravity: Vector | Part | Table | None = None,
        mass_damping: Number | None = None,
        assemble: bool | None = None,
        parameters: Mapping[str, Number] | None = None,
    ) -> None:
        self._start(Document(), None)
        for key, value in {
            "title": title,
            "space": space,
            "gravity": gravity,
            "mass_damping": mass_damping,
            "assemble": assemble,
        }.items():
            if value is not None:
                setattr(self, key, value)
        if parameters is not None and not isinstance(parameters, Mapping):
            raise TypeError(f"parameters: a mapping of names to numbers, not {_article(parameters)}")
        for name, number in (parameters or {}).items():
            self.parameters[name] = number

    def _start(self, document: Document, file: FilePath | None, text: str = "") -> None:
        values: dict[str, Any] = {
            "_document": document,
            "_file": file,
            "_read_text": text,
            "_code": CodePlaces(),
            "functions": {},
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    _document: Document
    _file: FilePath | None
    _read_text: str
    _code: CodePlaces

    # Text and files ---------------------------------------------------------------------------------------------------

    @classmethod
    def loads(cls, text: str, *, file: str | os.PathLike[str] | None = None) -> Scene:
        """Makes a scene of a TOML text; `file` is its name in messages, relative files are looked for beside it.

        Raises
        ------
        SceneError
            The text is not TOML, or holds values or lists where tables by name are to be. What else is wrong with it,
            `check` says.
        """
        if not isinstance(text, str):
            raise TypeError(f"the text of a scene is needed, not {type(text).__name__}")
        scene = cls.__new__(cls)
        path = None if file is None else FilePath(os.fsdecode(file)).absolute()  # wherever the program goes
        try:
            document = Document(encodable(text))
            misplaced = document.misplaced([kind for kind in cls._tables if kind != "output"])
        except (tomllib.TOMLDecodeError, TOMLKitError, RecursionError) as error:
            misplaced = f"not TOML that can be edited: {error}"
        if misplaced:
            name = _shown(path)
            found = _problems(text, name, {})
            wrong = any(not problem.warning for problem in found)
            raise SceneError(found if wrong else [Problem("", misplaced, file=name)])
        scene._start(document, path, text)
        return scene

    load = _Load()

    @classmethod
    def _load(cls, file: str | os.PathLike[str]) -> Scene:
        """Reads a scene's file; raises OSError, SceneError."""
        content = FilePath(os.fsdecode(file)).read_bytes()
        try:
            return cls.loads(content.decode(), file=file)
        except UnicodeDecodeError as error:
            problem = Problem(
                "", f"not UTF-8: {error.reason}", os.fsdecode(file), content.count(b"\n", 0, error.start) + 1
            )
            raise SceneError([problem]) from None

    def to_toml(self) -> str:
        """The scene's text: what was not changed since it was read stays as it was written."""
        return self._document.as_string()

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes the scene's text; names of files that it reads are made relative to the new folder.

        A file that is there is replaced when the new one is complete. Raises OSError."""
        path = FilePath(file)
        saved = self
        if path.parent.resolve() != self.folder.resolve():
            saved = self.copy()
            saved._move_files(path.parent.resolve())
        text = saved.to_toml().encode()
        written_whole(path, lambda file: file.write(text))

    def copy(self) -> Scene:
        """An independent scene with the same text, functions and places in code."""
        other = Scene.loads(self.to_toml(), file=self._file)
        object.__setattr__(other, "_read_text", self._read_text)
        object.__setattr__(other, "_code", self._code.copy())
        other.functions.update(self.functions)
        return other

    def __copy__(self) -> Scene:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Scene:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return {"text": self.to_toml(), "file": self._file, "functions": self.functions, "code": self._code}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._start(Document(state["text"]), state["file"], state["text"])
        self.functions.update(state["functions"])
        object.__setattr__(self, "_code", state["code"])

    @property
    def folder(self) -> FilePath:
        return FilePath.cwd() if self._file is None else self._file.parent

    @property
    def file(self) -> str:
        """The name of the text in messages, beside which relative files are looked for: relative to the current folder
        where the file lies below it."""
        return _shown(self._file)

    def _move_files(self, folder: FilePath) -> None:
        """Names of files that are there are made relative to another folder."""

        def moved(value: Any, key: str) -> Any:
            if isinstance(value, Mapping):
                return {k: moved(v, k) for k, v in value.items()}
            if isinstance(value, str) and key in ("file", "scene", "urdf") and not os.path.isabs(value):
                if (self.folder / value).is_file():
                    return FilePath(os.path.relpath((self.folder / value).resolve(), folder)).as_posix()
            return value

        for kind in self._document.keys(()):
            if kind in ("analysis", "parameters"):
                continue
            for name in self._document.keys((kind,)):
                table = self._plain((kind, name))
                for key, value in table.items() if isinstance(table, dict) else ():
                    new = moved(value, key)
                    if new != value:
                        self._document.set((kind, name, key), new)

    # Tables -----------------------------------------------------------------------------------------------------------

    def add(self, kind: str, name: str, part: Part | Table) -> Any:
        """Writes a table in place of one of the same name, or after the others of its kind; returns it."""
        kinds = [kind for kind in self._tables if kind not in ("analysis", "output")]
        if kind == "analysis":
            return self._add_analysis(part, name=name)
        if kind not in kinds:
            raise ValueError(f"scenes have no '{kind}'{nearest_text(kind, kinds)}")
        if not isinstance(name, str) or _name.fullmatch(name) is None:
            raise ValueError(
                f"{kind}: {name!r} is no name; names begin with a letter and hold letters, digits, _ and -."
            )
        if isinstance(part, Part) and part._table != kind:
            class_name = type(part).__name__
            raise TypeError(f"{kind}.{name} cannot be a {class_name}; that is for scene.{part._table}.")
        if not isinstance(part, Part | Mapping):
            allowed = ", ".join(cls.__name__ for cls in _classes_of(kind))
            raise TypeError(f"{kind}.{name} cannot be a {type(part).__name__}; it can be {allowed}, or a table.")
        self._write_table((kind, name), part)
        return self._part((kind, name), kind)

    def _add_analysis(self, part: Part | Table, name: str | int | None = None, index: int | None = None) -> Any:
        if not isinstance(part, Part | Mapping) or (isinstance(part, Part) and part._table != "analysis"):
            allowed = ", ".join(cls.__name__ for cls in _classes_of("analysis"))
            raise TypeError(f"an analysis cannot be a {type(part).__name__}; it can be {allowed}, or a table.")
        own = part["name"] if isinstance(part, Part) else part.get("name")
        if isinstance(name, int):
            name = own or str(self._document.get(("analysis", name, "name")))
        name = name or own
        if name is None:
            raise TypeError('an analysis needs a name: name="move", or scene.analysis.move = ...')
        if not isinstance(name, str) or _name.fullmatch(name) is None:
            raise ValueError(f"{name!r} is no name; names begin with a letter and hold letters, digits, _ and -.")
        names = self.analysis.names()
        if index is None and name in names:
            raise ValueError(f"there is an analysis '{name}' already; scene.analysis['{name}'] = ... replaces it.")
        at = len(names) if index is None else index
        self._write_table(("analysis", at), part, {"name": name})
        return self._part(("analysis", at), "analysis")

    def _write_table(self, path: Path, part: Part | Table, first: Mapping[str, Any] | None = None) -> None:
        values: dict[str, Any] = dict(first or {})
        made: CodePlace | None = code_place()
        code: Mapping[str, CodePlace | None] = {}
        if isinstance(part, Part):
            if part._writes_type or (part._scene is not None and "type" in part.to_dict()):
                values["type"] = part._type
            code = part._code
            given = part._values if part._scene is None else part.to_dict()
        else:
            given = {
                str(k): plain(v, f"{self._dotted(path)}.{k}", self._key(path, str(k), part)) for k, v in part.items()
            }
        for key, value in given.items():
            if key not in values:
                values[key] = self._written((*path, key), value, self._key(path, key, part))
        self._code.forget(path)
        self._document.add_table(path, values, is_list=isinstance(path[-1], int))
        if isinstance(part, Part):
            made = part._made or made
        self._code.note(path, made)
        for key in values:
            self._code.note((*path, key), code.get(key) or made)

    def _read(self, key: Key[Any]) -> Any:
        return self._value((key.name,), key)

    def _write(self, key: Key[Any], value: Any) -> None:
        if value is None:
            self._remove((key.name,))
        elif key.name == "output" and isinstance(value, Part | Mapping):
            self._write_table(("output",), value)
        else:
            self._assign((key.name,), plain(value, key.name, key), code_place(), key)

    def _key(self, path: Path, name: str, part: Part | Table) -> Key[Any] | None:
        cls = type(part) if isinstance(part, Part) else class_of(str(path[0]), part.get("type"))
        return None if cls is None else cls._keys.get(name)

    def _written(self, path: Path, value: Any, key: Key[Any] | None) -> Any:
        """A plain value with free parts as tables and functions by their names."""
        if isinstance(value, Part):
            table = {"type": value._type} if value._writes_type else {}
            for name, entry in value._values.items():
                table[name] = self._written((*path, name), entry, value._keys.get(name))
            return table
        if isinstance(value, Mapping):
            return {name: self._written((*path, name), entry, None) for name, entry in value.items()}
        if key is not None and key.form == "function" and not isinstance(value, str):
            return self._function_name(path, value)
        return value

    def _function_name(self, path: Path, function: Any) -> str:
        kind, name = str(path[0]), str(path[1])
        old = self._document.get(path)
        if isinstance(old, str) and old in self.functions:
            del self.functions[str(old)]
        if len(path) > 3:
            name = "_".join(str(key) for key in path[1:-1])
        if self.functions.get(name, function) is not function:
            name = f"{kind}_{name}"
        self.functions[name] = function
        return name

    # Single values ----------------------------------------------------------------------------------------------------

    def get(self, key: str) -> Any:
        """The value at a dotted key, ``"section.wall.EI"``, ``"analysis.move.end"``; None where it is left out."""
        return self._value(self._path_of(key), None)

    def set(self, key: str, value: Any) -> None:
        """Writes the value at a dotted key, as ``--set`` of the program does; the key need not be there yet.

        Raises
        ------
        KeyError
            Scenes have no such table, or this one no such analysis.
        TypeError, ValueError
            The value does not fit there: a number where tables are, a key of what is no table.
        """
        path = self._path_of(key)
        is_table = isinstance(value, Part | Mapping)
        kinds = [kind for kind in self._tables if kind != "output"]
        if path[0] in kinds:
            if len(path) == 1:
                raise TypeError(f"scene.{key} holds tables by name: set('{key}.NAME.KEY', ...).")
            if len(path) == 2 and not is_table:
                raise TypeError(f"{self._dotted(path)} is a table and cannot be {_article(value)}.")
            if isinstance(path[1], str) and _name.fullmatch(path[1]) is None:
                raise ValueError(
                    f"{path[1]!r} is no name; names begin with a letter and hold letters, digits, _ and -."
                )
        elif path == ("parameters",) or (path == ("output",) and not is_table):
            raise TypeError(f"{key} is a table and cannot be {_article(value)}: set('{key}.NAME', ...).")
        for length in range(1, len(path)):
            above = self._document.get(path[:length])
            if above is not None and not isinstance(above, Mapping):
                raise ValueError(f"{key}: {self._dotted(path[:length])} is {_article(_unwrapped(above))}, not a table.")
        if len(path) == 2 and path[0] == "analysis":
            self.analysis[int(path[1])] = value
        elif len(path) == 2 and path[0] in kinds:
            self.add(str(path[0]), str(path[1]), value)
        else:
            self._assign(path, plain(value, key), code_place())

    def _path_of(self, key: str) -> Path:
        if not isinstance(key, str):
            raise TypeError(f"a dotted key is a text, such as 'section.wall.EI', not {key!r}.")
        parts = tuple(key.split("."))
        if not all(parts):
            raise ValueError(f"{key!r} is no dotted key, such as 'section.wall.EI'.")
        if parts[0] == "analysis" and len(parts) > 1:
            count = len(self.analysis)
            index = int(parts[1]) if re.fullmatch("[0-9]{1,9}", parts[1]) else self.analysis._index(parts[1])
            if index >= count:
                raise KeyError(f"there is no analysis {index}: there {'is' if count == 1 else 'are'} {count}.")
            return ("analysis", index, *parts[2:])
        known = [*self._keys, *self._tables, "parameters"]
        if parts[0] not in known:
            raise KeyError(f"scenes have no '{parts[0]}'{nearest_text(parts[0], known)}")
        return parts

    def _dotted(self, path: Path) -> str:
        """ "analysis.move.end" for ("analysis", 0, "end")."""
        if len(path) > 1 and isinstance(path[1], int):
            name = self._document.get((*path[:2], "name"))
            path = ("analysis", str(name) if name else f"[{path[1]}]", *path[2:])
        return ".".join(str(key) for key in path)

    def _part(self, path: Path, table: str) -> Part:
        type_ = self._document.get((*path, "type"))
        cls = class_of(table, None if type_ is None else str(type_)) or class_of(table, None) or Part
        return cls._view(self, path)

    def _value(self, path: Path, key: Key[Any] | None) -> Any:
        value = self._document.get(path)
        if value is None:
            return None if not self._document.has(path) else self._plain(path)
        if isinstance(value, Mapping):
            table = key.table if key is not None else ""
            return self._part(path, table) if table else self._plain(path)
        if key is not None and key.form == "function":
            return self.functions.get(str(value), str(value))
        return value if isinstance(value, list) else _unwrapped(value)

    def _plain(self, path: Path) -> Any:
        """A table with all tables below it as plain Python."""
        value = self._document.get(path)
        if value is not None and not isinstance(value, Mapping):
            return _unwrapped(value)
        return {key: self._plain((*path, key)) for key in self._document.keys(path)}

    def _assign(self, path: Path, value: Any, code: CodePlace | None, key: Key[Any] | None = None) -> None:
        self._code.forget(path)
        self._document.set(path, self._written(path, value, key))
        self._code.note(path, code)

    def _remove(self, path: Path) -> None:
        self._document.remove(path)
        self._code.forget(path)
        if len(path) == 2 and isinstance(path[1], int):
            self._code.close_gap(str(path[0]), path[1])

    # Problems ---------------------------------------------------------------------------------------------------------

    def check(self) -> list[Problem]:
        """Looks for everything that is wrong, without running the scene.

        Returns
        -------
        list of Problem
            The warnings.

        Raises
        ------
        SceneError
            With every problem and its place in the Python code or in the scene's file.
        """
        problems = self.named_problems(_problems(self.to_toml(), self.file, self.functions))
        if any(not problem.warning for problem in problems):
            raise SceneError(problems)
        return problems

    def frame_states(self) -> FrameStates:
        """Counts states of self-stress and mechanisms where the scene starts: constraints and elastic trusses are its members.

        A scene without an analysis starts as one whose first analysis is static.

        Returns
        -------
        FrameStates
            As `flexura check --frame` has it.

        Raises
        ------
        SceneError
            As `check`.
        """
        scene = self
        if not len(self.analysis):
            scene = self.copy()
            scene.add("analysis", "start", {"type": "static"})
        scene.check()
        return FrameStates.of(_core.frame_states(scene.to_toml(), scene.file, [], prepared(scene.functions)))

    def named_problems(self, problems: Sequence[Problem]) -> list[Problem]:
        """The same problems; those of values that were given in Python name the file and line of the code."""
        text = self.to_toml()
        lines = _line_numbers(self._read_text, text) if self._file is not None and text != self._read_text else None
        named = [self._named(problem, lines) for problem in problems]
        return sorted(named, key=lambda problem: (problem.file, problem.line, problem.column))

    def _named(self, problem: Problem, lines: Mapping[int, int] | None) -> Problem:
        if problem.file not in ("", self.file) and FilePath(problem.file) != FilePath(self.file):
            return problem
        path = self._problem_path(problem.path)
        found = self._code.find(path)
        if found is not None:
            place, length = found
            key = str(path[min(2, len(path) - 1)])
            place = place.of_keyword(key)
            code = place.text()
            match = re.search(rf"\b{re.escape(key)}(?=_?\b)", code) or re.search(re.escape(str(path[length - 1])), code)
            return dataclasses.replace(
                problem,
                file=place.name,
                line=place.line,
                column=match.start() + 1 if match else 0,
                length=len(match.group()) if match else 1,
                line_text=code,
            )
        if lines is not None and problem.line > 0:
            return dataclasses.replace(problem, line=lines.get(problem.line, problem.line))
        return problem

    def _problem_path(self, dotted: str) -> Path:
        keys = re.findall(r"[^.\[\]]+", dotted)
        if len(keys) > 1 and keys[0] == "analysis":
            names = self.analysis.names()
            index = names.index(keys[1]) if keys[1] in names else int(keys[1]) if keys[1].isdigit() else 0
            return ("analysis", index, *keys[2:])
        return tuple(keys)

    def __repr__(self) -> str:
        counts = [(kind, len(self._document.keys((kind,)))) for kind in self._tables if kind != "output"]
        parts = ", ".join(f"{count} {kind}" for kind, count in counts if count)
        title = self._document.get(("title",))
        return f"<Scene {str(title)!r}: {parts or 'empty'}>" if title else f"<Scene: {parts or 'empty'}>"

    def __str__(self) -> str:
        return self.to_toml()

    def __eq__(self, other: object) -> bool:
        return self.to_toml() == other.to_toml() if isinstance(other, Scene) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def _shown(file: FilePath | None) -> str:
    if file is None:
        return "scene.toml"
    try:
        return str(file.relative_to(FilePath.cwd()))
    except ValueError:
        return str(file)


def _article(value: Any) -> str:
    kind = type(value).__name__
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _unwrapped(value: Any) -> Any:
    return value.unwrap() if hasattr(value, "unwrap") else value


def _classes_of(table: str) -> list[type[Part]]:
    return list(_classes.get(table, {}).values())


def _problems(text: str, file: str, functions: Mapping[str, Any]) -> list[Problem]:
    return list(_core.check(text, file, [], prepared(functions)))


def _line_numbers(old: str, new: str) -> dict[int, int]:
    """Lines of the new text in the old one, where they are the same."""
    matcher = difflib.SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
    return {b + i + 1: a + i + 1 for a, b, size in matcher.get_matching_blocks() for i in range(size)}
