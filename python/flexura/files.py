"""Files that are written whole, or not at all, and folders for the time being."""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import IO

__all__ = ["TemporaryFolder", "written_whole"]


def written_whole(path: str | os.PathLike[str], write: Callable[[IO[bytes]], object]) -> None:
    """Writes a file beside `path` and puts it in its place when it is complete, so that a full disk costs nothing.

    Links are followed, and the mode of a file that is there is kept; what is no file, a device or a pipe, is written to.
    Raises OSError.
    """
    target = os.path.realpath(path)
    try:
        old = os.stat(target)
    except FileNotFoundError:
        old = None
    if old is not None and not stat.S_ISREG(old.st_mode):
        with open(target, "wb") as file:
            write(file)
        return
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, os.strerror(13), os.fspath(path))
    beside = os.path.join(os.path.dirname(target), f".flexura-{secrets.token_hex(6)}.part")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    except FileNotFoundError:
        raise FileNotFoundError(2, os.strerror(2), os.fspath(path)) from None
    except PermissionError:
        if old is None:
            raise PermissionError(13, os.strerror(13), os.fspath(path)) from None
        with open(target, "wb") as file:  # of a folder that takes no files
            write(file)
        return
    try:
        with os.fdopen(descriptor, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if old is not None:
            os.chmod(beside, stat.S_IMODE(old.st_mode))
        os.replace(beside, target)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


class TemporaryFolder:
    """A folder that lives as long as this object, in the process that has made it: a forked one leaves it alone.

    Attributes
    ----------
    path : pathlib.Path
    """

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="flexura-"))
        weakref.finalize(self, _remove, str(self.path), os.getpid())


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
