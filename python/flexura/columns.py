"""Tables of a study: columns by name."""

from __future__ import annotations

import os
from typing import Any

__all__ = ["ColumnTable"]


class ColumnTable:
    """What has `columns`, a dict of arrays and lists of one length, for other programs."""

    columns: dict[str, Any]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, column: str) -> Any:
        return self.columns[column]

    def to_pandas(self) -> Any:
        """The table as a DataFrame; needs pandas."""
        import pandas

        return pandas.DataFrame(self.columns)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as Parquet; needs pyarrow."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise ImportError("Parquet is written by pyarrow: pip install pyarrow") from None
        pyarrow.parquet.write_table(pyarrow.table(self.columns), os.fspath(path))
