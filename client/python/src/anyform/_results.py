"""The files that the client receives."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import tempfile
import weakref
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import IO, Optional, Sequence, Type, Union, cast
from urllib.parse import unquote

from ._types import JobWarningsItem
from .errors import AnyformError

# A small result stays in memory; a large one is in a temporary file without a name.
_MEMORY_BYTES_MAX = 1_000_000
_CHUNK_BYTES = 1_000_000


class Sink:
    """Receives a file. An interrupted transfer can start again, or continue at ``size``."""

    def __init__(self) -> None:
        self.file = cast(IO[bytes], tempfile.SpooledTemporaryFile(max_size=_MEMORY_BYTES_MAX))
        # Python warns about files that are not closed, and users need not close results.
        weakref.finalize(self, self.file.close)
        self.size = 0
        self._hash = sha256()

    def restart(self) -> None:
        self.file.seek(0)
        self.file.truncate()
        self.size = 0
        self._hash = sha256()

    def write(self, chunk: bytes) -> None:
        self.file.write(chunk)
        self._hash.update(chunk)
        self.size += len(chunk)

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()

    def check(self, expected: Optional[str]) -> None:
        """Raises ``AnyformError`` if the bytes do not have the SHA-256; the next attempt starts again."""
        if expected is not None and expected != self.sha256:
            self.restart()
            raise AnyformError(
                "The downloaded bytes do not match the SHA-256 of the file.", code="checksum_mismatch", retryable=True
            )


class ConvertedFile:
    """The result of a conversion, already downloaded. It is deleted when it is closed or no longer used."""

    name: str
    """The filename."""
    size: int
    """Bytes."""
    media_type: str
    sha256: str
    """In hexadecimal."""
    warnings: Sequence[JobWarningsItem]
    """Content that was lost or replaced."""
    job_id: str
    """ID of the job: ``client.status(file.job_id)`` returns it."""

    def __init__(
        self, sink: Sink, *, name: str, media_type: str, warnings: Sequence[JobWarningsItem], job_id: str
    ) -> None:
        self.name, self.media_type, self.warnings, self.job_id = name, media_type, warnings, job_id
        self.size, self.sha256 = sink.size, sink.sha256
        self._sink, self._file = sink, sink.file

    def read(self) -> bytes:
        """Returns all bytes."""
        self._file.seek(0)
        return self._file.read()

    def save(self, path: Union[str, "os.PathLike[str]"], *, overwrite: bool = False) -> Path:
        """Writes the file and returns its path. In an existing directory, the file gets its ``name``.

        The file appears complete or not at all. Raises ``FileExistsError`` for an existing file without ``overwrite``.
        """
        target = Path(path)
        if target.is_dir():
            target = target / (re.split(r"[/\\]", self.name)[-1].strip(".") or "result")
        if not overwrite and os.path.lexists(target):
            raise FileExistsError(f"{target} already exists.")
        part = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.part")
        try:
            with open(part, "xb") as file:
                self._file.seek(0)
                shutil.copyfileobj(self._file, file, _CHUNK_BYTES)
            _place(part, target, overwrite)
        finally:
            part.unlink(missing_ok=True)
        return target

    def close(self) -> None:
        """Deletes the temporary data."""
        self._file.close()

    def __enter__(self) -> ConvertedFile:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<ConvertedFile {self.name!r}, {self.size} bytes, {self.media_type}>"


def _place(part: Path, target: Path, overwrite: bool) -> None:
    """A hard link fails if the name exists, so there is no race as with a check and a rename."""
    if overwrite:
        os.replace(part, target)
        return
    try:
        os.link(part, target)
    except FileExistsError:
        raise FileExistsError(f"{target} already exists.") from None
    except OSError:
        # Some file systems (FAT, some network drives) do not support hard links.
        if os.path.lexists(target):
            raise FileExistsError(f"{target} already exists.") from None
        os.replace(part, target)


def filename_in(header: str) -> Optional[str]:
    """Returns the filename of a ``Content-Disposition`` header (RFC 6266)."""
    extended = re.search(r"(?:^|;)\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)", header, re.IGNORECASE)
    if extended:
        return unquote(extended[1])
    plain = re.search(r'(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))', header, re.IGNORECASE)
    if plain is None:
        return None
    return plain[2] if plain[1] is None else re.sub(r"\\(.)", r"\1", plain[1])
