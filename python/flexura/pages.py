"""Pages of reports and sweeps: inside a notebook, else in the browser."""

from __future__ import annotations

import html
import webbrowser
from pathlib import Path
from typing import Any

__all__ = ["in_notebook", "show_page"]


def in_notebook() -> bool:
    """Whether what is shown goes into a notebook."""
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell: Any = get_ipython()
    return any(cls.__name__ == "ZMQInteractiveShell" for cls in type(shell).__mro__)


def show_page(path: Path, height: int, text: str) -> None:
    """Shows a page that stands by itself. `height`: of its frame in a notebook [px]; `text`: what stands for it there without HTML."""
    if not in_notebook():
        webbrowser.open(path.resolve().as_uri())
        return
    from IPython.display import display

    show: Any = display  # of a package without types
    show(_Frame(path.read_text(encoding="utf-8"), height, text))


class _Frame:
    """A page inside a notebook, which keeps all of it. Notebooks show it where they are trusted."""

    def __init__(self, page: str, height: int, text: str) -> None:
        self._page, self._height, self._text = page, height, text

    def _repr_html_(self) -> str:
        style = f"width:100%;height:{self._height}px;border:0"
        return f'<iframe srcdoc="{html.escape(self._page)}" style="{style}" title="report" allowfullscreen></iframe>'

    def __repr__(self) -> str:
        return self._text
