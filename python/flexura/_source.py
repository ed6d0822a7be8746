"""What `simulate` and its kin take as a scene."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

from . import _core
from .document import item_of
from .errors import NotFound, Problem, ResultsError, SceneError
from .functions import prepared
from .tables import plain

Functions: TypeAlias = Mapping[str, Any]


@runtime_checkable
class SceneLike(Protocol):
    """Anything that writes itself as a scene: `flexura.Scene`."""

    def to_toml(self) -> str: ...

    @property
    def file(self) -> str: ...


SceneSource: TypeAlias = "str | os.PathLike[str] | SceneLike"


class Source:
    """A scene's text, its name for messages, and who knows better where its parts were written.

    Parameters
    ----------
    scene : path, TOML text or Scene
        A text is a scene if it has more than one line or an ``=``.
    set : iterable of str or mapping
        Changed values, ``"section.wall.EI=0.02"`` or ``{"section.wall.EI": 0.02}``.
    functions : mapping
        Callables by the names that the scene gives them.
    """

    def __init__(
        self, scene: SceneSource, set: Iterable[str] | Mapping[str, object] = (), functions: Functions | None = None
    ) -> None:
        self.settings = settings_of(set)
        if functions is not None and not isinstance(functions, Mapping):
            raise TypeError(f"functions: a mapping of names to functions, not {type(functions).__name__}")
        self.functions: dict[str, Any] = dict(functions or {})
        self.scene = scene
        self.file, self.text = self._read(scene)
        if not isinstance(scene, str | os.PathLike):
            self.functions = {**getattr(scene, "functions", {}), **self.functions}

    @staticmethod
    def _read(scene: SceneSource) -> tuple[str, str]:
        if isinstance(scene, str) and ("\n" in scene or "=" in scene):
            return "scene.toml", encodable(scene)
        if isinstance(scene, str | bytes | os.PathLike):
            path = os.fsdecode(scene)
            try:
                return path, Path(path).read_bytes().decode("utf-8", errors="surrogateescape")
            except OSError as error:
                kind = NotFound if isinstance(error, FileNotFoundError) else ResultsError
                raise kind(error.errno, f"cannot read the scene: {error.strerror}", path) from None
        if isinstance(scene, SceneLike):
            return scene.file, scene.to_toml()
        raise TypeError(f"scene: a path, a TOML text or a flexura.Scene, not {type(scene).__name__}")

    def reraise(self, error: SceneError) -> SceneError:
        """The error with the places in Python code, where the scene knows them."""
        named = getattr(self.scene, "named_problems", None)
        if named is None:
            return error
        problems: list[Problem] = named(error.problems)
        return SceneError(problems)

    def document(self) -> _core.Document:
        """The scene, read and checked. Raises SceneError."""
        try:
            return _core.read_scene(self.text, self.file, self.settings, prepared(self.functions))
        except SceneError as error:
            raise self.reraise(error) from None


def encodable(text: str) -> str:
    """The text, if it can be that of a file. Raises ValueError."""
    try:
        text.encode("utf-8", errors="surrogateescape")
    except UnicodeEncodeError as error:
        raise ValueError(f"half of a pair stands alone in the text: {text[error.start]!r}") from None
    return text


def settings_of(set: Iterable[str] | Mapping[str, object]) -> list[str]:
    """``KEY=VALUE`` for each."""
    if isinstance(set, str):
        return [encodable(set)]
    if isinstance(set, Mapping):
        return [
            f"{key}={item_of(plain(value, f'set[{key!r}]'), may_break=False).as_string()}" for key, value in set.items()
        ]
    if not isinstance(set, Iterable):
        raise TypeError(f"set: texts such as 'section.wall.EI=0.02', or a mapping, not {set!r}")
    settings = list(set)
    for setting in settings:
        if not isinstance(setting, str):
            raise TypeError(f"set: texts such as 'section.wall.EI=0.02', or a mapping, not {setting!r}")
        encodable(setting)
    return settings
