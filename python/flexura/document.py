"""A TOML text as a head and tables, edited in place: what is not touched stays as it was written.

Each table keeps the comment lines directly above its header. The keys of a table are a document of tomlkit; the
order and the bounds of the tables are kept here, so that a new table never comes between another and its comment.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import tomlkit
from tomlkit.items import Array, Float, InlineTable, Item, Trivia, Whitespace

Path = tuple[str | int, ...]

LINE_LENGTH = 110
_last_kinds = ("analysis", "output")
_bare_key = re.compile(r"[A-Za-z0-9_-]+")


def number_text(x: float) -> str:
    """The shortest text that reads back as the same double."""
    if math.isinf(x):
        return "inf" if x > 0 else "-inf"
    text = repr(float(x))
    mantissa, mark, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if mark else text


def item_of(value: Any, *, may_break: bool = True) -> Item:
    """A plain Python value as an item of tomlkit."""
    if isinstance(value, bool) or not isinstance(value, float | list | tuple | Mapping):
        return tomlkit.item(value)
    if isinstance(value, float):
        return Float(float(value), Trivia(), number_text(value))
    if isinstance(value, Mapping):
        table: InlineTable = tomlkit.inline_table()
        for key, entry in value.items():
            table.append(str(key), item_of(entry, may_break=False))
        return table
    rows = [item_of(entry, may_break=False) for entry in value]
    # Not by append(), which counts anew what is there.
    parts = [part for row in rows for part in (row, Whitespace(", "))]
    array = Array(parts[:-1], Trivia())
    if may_break and len(array.as_string()) > LINE_LENGTH:
        array.multiline(True)
    return array


def key_text(key: str) -> str:
    return key if _bare_key.fullmatch(key) else tomlkit.key(key).as_string()


@dataclass(eq=False)
class Block:
    """A header with the comments directly above it, the keys below it, and what stands between these and the next."""

    path: Path
    lead: str = ""
    body: tomlkit.TOMLDocument = field(default_factory=tomlkit.document)
    tail: str = ""

    def as_string(self) -> str:
        return self.lead + self.body.as_string() + self.tail


def _split_lines(text: str) -> Iterator[tuple[bool, str]]:
    """Lines of a valid TOML text with whether they are headers; a value over many lines is one line."""
    depth, quote, start, i = 0, "", 0, 0
    is_header = False
    while i < len(text):
        if i == start:
            is_header = text[i : i + 200].lstrip(" \t").startswith("[")
        c = text[i]
        if quote:
            if c == "\\" and quote[0] == '"':
                i += 1
            elif text.startswith(quote, i):
                i += len(quote) - 1
                if len(quote) == 3:  # up to two quotes may stand before the closing three
                    while text.startswith(quote[0], i + 1):
                        i += 1
                quote = ""
        elif c in "\"'":
            quote = c * 3 if text.startswith(c * 3, i) else c
            i += len(quote) - 1
        elif c == "#":
            end = text.find("\n", i)
            i = (len(text) if end < 0 else end) - 1
        elif c in "[{":
            depth += 1
        elif c in "]}":
            depth -= 1
        elif c == "\n" and depth == 0:
            yield is_header, text[start : i + 1]
            start = i + 1
        i += 1
    if start < len(text):
        yield is_header, text[start:]


def _header_path(line: str) -> tuple[list[str], bool]:
    node: Any = tomllib.loads(line)
    keys: list[str] = []
    is_array = False
    while node:
        ((key, node),) = node.items()
        keys.append(key)
        is_array = isinstance(node, list)
        if is_array:
            node = node[0]
    return keys, is_array


def _is_loose(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


class Document:
    """The tables of a scene. Paths are tuples of keys; tables of a list are counted: ("analysis", 0, "integrator")."""

    def __init__(self, text: str = "") -> None:
        """Splits a valid TOML text; raises tomllib.TOMLDecodeError where it is none."""
        tomllib.loads(text)
        self.blocks: list[Block] = []
        lines: list[str] = []
        header = ""
        path: Path = ()
        counts: dict[str, int] = {}
        for is_header, line in _split_lines(text):
            if not is_header:
                lines.append(line)
                continue
            lead = len(lines)
            while lead > 0 and lines[lead - 1].lstrip().startswith("#"):
                lead -= 1
            self._add_read(path, header, lines[:lead])
            header, lines = "".join(lines[lead:]) + line, []
            keys, is_array = _header_path(line)
            if is_array:
                counts[keys[0]] = counts.get(keys[0], -1) + 1
            path = (keys[0], counts[keys[0]], *keys[1:]) if keys[0] in counts else tuple(keys)
        self._add_read(path, header, lines)
        self._reindex()
        self._spread("analysis")

    def _spread(self, kind: str) -> None:
        """An array of tables in one value becomes one header each, which can be edited."""
        given = self.blocks[0].body.get(kind)
        if isinstance(given, list) and given and all(isinstance(table, Mapping) for table in given):
            array: Any = given  # of tomlkit
            tables: list[dict[str, Any]] = array.unwrap()
            del self.blocks[0].body[kind]
            for index, table in enumerate(tables):
                self.add_table((kind, index), table, is_list=True)

    def _add_read(self, path: Path, lead: str, lines: list[str]) -> None:
        end = len(lines)
        while end > 0 and _is_loose(lines[end - 1]):
            end -= 1
        self.blocks.append(Block(path, lead, tomlkit.parse("".join(lines[:end])), "".join(lines[end:])))

    def _reindex(self) -> None:
        self._index = {block.path: block for block in self.blocks}

    def as_string(self) -> str:
        return "".join(block.as_string() for block in self.blocks)

    # Reading ----------------------------------------------------------------------------------------------------------

    def get(self, path: Path) -> Any:
        """The item or the body of a table at a path, None if there is none."""
        for split in range(len(path), -1, -1):
            block = self._index.get(path[:split])
            if block is None:
                continue
            node: Any = block.body
            for key in path[split:]:
                node = node.get(key) if isinstance(node, Mapping) else None
            if node is not None:
                return node
        return None

    def has(self, path: Path) -> bool:
        return self.get(path) is not None or any(True for _ in self._blocks_below(path))

    def misplaced(self, kinds: list[str]) -> str:
        """What stands where tables of these kinds by name, or the list of analyses, is to be; "" where nothing does."""
        for kind in kinds:
            given = self.get((kind,))
            inside = [{}] if given is None else given if isinstance(given, list) else [given]
            if any(not isinstance(table, Mapping) for table in inside) or (
                isinstance(given, list) and kind != "analysis"
            ):
                return f"{kind}: a value where tables are to be"
            if kind != "analysis" and any(not isinstance(table, Mapping) for table in inside[0].values()):
                return f"{kind}: a value where tables by name are to be"
            for block in self._blocks_below((kind,)):
                if len(block.path) > 1 and isinstance(block.path[1], int) != (kind == "analysis"):
                    return f"{kind}: " + ("a table by name in a list" if kind == "analysis" else "a list of tables")
        return ""

    def _blocks_below(self, path: Path) -> Iterator[Block]:
        return (block for block in self.blocks if block.path[: len(path)] == path)

    def keys(self, path: Path) -> list[str]:
        """Keys and tables directly below a path, in their order."""
        keys: dict[str, None] = {}
        for block in self.blocks:
            if block.path[: len(path)] == path and len(block.path) > len(path):
                keys[str(block.path[len(path)])] = None
            elif path[: len(block.path)] == block.path:
                node: Any = block.body
                for key in path[len(block.path) :]:
                    node = node.get(key) if isinstance(node, Mapping) else None
                if isinstance(node, Mapping):
                    keys.update(dict.fromkeys(node))
        return list(keys)

    def count(self, kind: str) -> int:
        """Number of tables of a list."""
        return 1 + max((int(b.path[1]) for b in self.blocks if len(b.path) == 2 and b.path[0] == kind), default=-1)

    # Changing ---------------------------------------------------------------------------------------------------------

    def set(self, path: Path, value: Any) -> None:
        """Writes a plain value; the comment beside the old one stays."""
        for block in list(self._blocks_below(path)):
            self._remove_block(block)
        holder = self.get(path[:-1])
        if not isinstance(holder, Mapping):
            self.add_table(path[:-1], {})
            holder = self._index[path[:-1]].body
        key = str(path[-1])
        item = item_of(value, may_break=not isinstance(holder, InlineTable))
        if key in holder or not hasattr(holder, "append"):
            holder[key] = item
        else:
            holder.append(key, item)

    def add_table(self, path: Path, values: Mapping[str, Any], *, is_list: bool = False) -> None:
        """Writes `[path]` with its keys in place of what is there, or after the last of its kind."""
        body = tomlkit.document()
        for key, value in values.items():
            body.append(key, item_of(value))
        old = self._index.get(path)
        if old is not None:
            for block in [b for b in self._blocks_below(path) if b is not old]:
                self._remove_block(block)
            old.body = body
            return
        if self.get(path) is not None:  # an inline table
            self.set(path, values)
            return
        name = ".".join(key_text(key) for key in path if isinstance(key, str))
        self._insert(Block(path, f"[[{name}]]\n" if is_list else f"[{name}]\n", body), self._position(path))

    def _position(self, path: Path) -> int:
        """After the last table of the same kind; analyses and output stay last."""
        for i in range(len(self.blocks) - 1, 0, -1):
            if self.blocks[i].path[0] == path[0]:
                return i + 1
        if path[0] == "parameters":
            return 1
        end = len(self.blocks)
        if path[0] not in _last_kinds:
            while end > 1 and self.blocks[end - 1].path[0] in _last_kinds:
                end -= 1
        return end

    def _insert(self, block: Block, position: int) -> None:
        before = self.blocks[position - 1]
        text = before.as_string()
        if text and not text.endswith("\n"):
            before.tail += "\n"
        if text.strip() and not text.endswith("\n\n"):
            before.tail += "\n"
        if position < len(self.blocks):
            block.tail = "\n"
        self.blocks.insert(position, block)
        self._index[block.path] = block

    def remove(self, path: Path) -> None:
        """Removes a key or a table; tables of a list behind it are counted anew."""
        for block in list(self._blocks_below(path)):
            self._remove_block(block)
        for split in range(len(path)):
            block_above = self._index.get(path[:split])
            node: Any = None if block_above is None else block_above.body
            for key in path[split:-1]:
                node = node.get(key) if isinstance(node, Mapping) else None
            if isinstance(node, Mapping) and path[-1] in node:
                del node[path[-1]]  # type: ignore[attr-defined]
        if len(path) == 2 and isinstance(path[1], int):
            for block in self.blocks:
                if len(block.path) > 1 and block.path[0] == path[0] and int(block.path[1]) > path[1]:
                    block.path = (block.path[0], int(block.path[1]) - 1, *block.path[2:])
            self._reindex()

    def _remove_block(self, block: Block) -> None:
        if not block.path:
            return
        i = self.blocks.index(block)
        comments = block.tail.strip()
        if comments:  # not of this table alone
            self.blocks[i - 1].tail += block.tail.lstrip("\n")
        elif i + 1 == len(self.blocks):
            self.blocks[i - 1].tail = self.blocks[i - 1].tail.rstrip("\n")
            if not self.blocks[i - 1].as_string().endswith("\n"):
                self.blocks[i - 1].tail += "\n"
        del self.blocks[i]
        del self._index[block.path]
