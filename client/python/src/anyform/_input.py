"""The files that the client sends."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from typing import IO, Iterator, Mapping, Tuple, TypedDict, Union, cast

Content = Union[bytes, IO[bytes]]
"""Bytes, or a file object that is opened in binary mode. A file object is sent from its current position."""


class UploadReference(TypedDict):
    """A file that is already uploaded. ``upload`` returns one."""

    upload_id: str


class WebPage(TypedDict):
    """A web page that the service loads in a browser, for the targets pdf, png, jpg and webp."""

    page: str


class _StoredObjectRequired(TypedDict):
    storage: str
    key: str


class StoredObject(_StoredObjectRequired, total=False):
    """An object of a saved storage of the account, which the service fetches."""

    filename: str


FileInput = Union[str, "os.PathLike[str]", Content, Tuple[str, Content], UploadReference, StoredObject, WebPage]
"""A path, content, ``(filename, content)``, a URL that the service fetches, a result of ``upload``, an object of a storage,
or a web page."""

_CHUNK_BYTES = 256 * 1024
_NAME_DEFAULT = "file"


class Window(io.RawIOBase):
    """A part of a seekable file, which can be read again and again."""

    def __init__(self, file: IO[bytes], start: int, size: int) -> None:
        super().__init__()
        self._file, self._start, self.size, self._at = file, start, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        origin = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self.size}[whence]
        self._at = max(0, origin + offset)
        return self._at

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast(bytearray, buffer))
        wanted = max(0, min(len(view), self.size - self._at))
        self._file.seek(self._start + self._at)
        data = self._file.read(wanted)
        view[: len(data)] = data
        self._at += len(data)
        return len(data)

    def part(self, offset: int, size: int) -> Window:
        return Window(self._file, self._start + offset, size)

    def chunks(self) -> Iterator[bytes]:
        self.seek(0)
        while True:
            chunk = self.read(_CHUNK_BYTES)
            if not chunk:
                return
            yield chunk

    def hash(self) -> str:
        """Returns the SHA-256 in hexadecimal."""
        hasher = sha256()
        for chunk in self.chunks():
            hasher.update(chunk)
        return hasher.hexdigest()


@dataclass(frozen=True)
class LocalFile:
    name: str
    content: Window


@dataclass(frozen=True)
class RemoteFile:
    """``body`` is the part of the request that says where the file is."""

    body: Mapping[str, str]


@dataclass(frozen=True)
class UploadedFile:
    upload_id: str


@dataclass(frozen=True)
class PageSource:
    url: str


Source = Union[LocalFile, RemoteFile, UploadedFile, PageSource]


def opened(file: FileInput, stack: ExitStack) -> Source:
    """Opens an input. The stack closes it.

    Raises ``OSError`` if a file cannot be read, and ``TypeError`` for a value that is not an input.
    """
    if isinstance(file, str) and file.lower().startswith(("http://", "https://")):
        return RemoteFile({"url": file})
    if isinstance(file, Mapping):
        named = cast(Mapping[str, object], file)
        upload_id, page = named.get("upload_id"), named.get("page")
        if isinstance(upload_id, str):
            return UploadedFile(upload_id)
        if isinstance(page, str):
            return PageSource(page)
        if isinstance(named.get("storage"), str) and isinstance(named.get("key"), str):
            fields = ("storage", "key", "filename")
            return RemoteFile({field: str(named[field]) for field in fields if field in named})
    if isinstance(file, (str, os.PathLike)):
        path = os.fspath(file)
        return LocalFile(os.path.basename(path), _window(stack.enter_context(open(path, "rb")), stack))
    name, content = file if isinstance(file, tuple) and len(file) == 2 else (None, file)
    return LocalFile(name or _name_of(content), _window(_file_of(content), stack))


def _file_of(content: object) -> IO[bytes]:
    if isinstance(content, (bytes, bytearray, memoryview)):
        return io.BytesIO(content)
    if not hasattr(content, "read") or isinstance(content, io.TextIOBase):
        kind = type(content).__name__
        raise TypeError(f"A file must be a path, bytes, a file object in binary mode, a URL or an upload, not {kind}.")
    return cast(IO[bytes], content)


def _name_of(content: object) -> str:
    name = getattr(content, "name", None)
    return os.path.basename(name) if isinstance(name, str) and os.path.basename(name) else _NAME_DEFAULT


def _window(file: IO[bytes], stack: ExitStack) -> Window:
    """A retry reads the file again, so a pipe or socket is copied to a temporary file first."""
    if file.seekable():
        start = file.tell()
        return Window(file, start, file.seek(0, os.SEEK_END) - start)
    copy = stack.enter_context(tempfile.TemporaryFile())
    shutil.copyfileobj(file, copy, _CHUNK_BYTES)
    return Window(copy, 0, copy.tell())
