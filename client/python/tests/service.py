"""The service that the tests use: ``ANYFORM_URL`` and ``ANYFORM_API_KEY``. Also a server with scripted responses."""

from __future__ import annotations

import os
import struct
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Tuple

FIXTURES = Path(__file__).parents[3] / "test" / "fixtures"
PICTURE = FIXTURES / "sample.png"
JPEG = b"\xff\xd8\xff"


def bitmap(side: int, *, noise: bool = False) -> bytes:
    """Returns a square BMP image of three bytes per pixel. ``side`` is its height in pixels, a multiple of four."""
    size = side * side * 3
    head = struct.pack("<IHHIIiiHHIIiiII", 54 + size, 0, 0, 54, 40, side, side, 1, 24, 0, size, 2835, 2835, 0, 0)
    return b"BM" + head + (os.urandom(size) if noise else bytes(size))


@dataclass
class Reply:
    """A scripted response. ``cut`` closes the connection after this many bytes of the body."""

    status: int = 200
    body: bytes = b"{}"
    headers: Dict[str, str] = field(default_factory=dict)
    cut: Optional[int] = None


@dataclass
class Received:
    method: str
    path: str
    headers: Dict[str, str]
    body: bytes


@dataclass
class Scripted:
    url: str
    replies: List[Reply]
    received: List[Received]


@contextmanager
def scripted(*replies: Reply) -> Iterator[Scripted]:
    """Starts a server that sends the replies in this order, and records the requests."""
    state = Scripted("", list(replies), [])

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _respond(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", "0")))
            headers = {name.lower(): value for name, value in self.headers.items()}
            state.received.append(Received(self.command, self.path, headers, body))
            reply = state.replies.pop(0) if state.replies else Reply(500)
            self.send_response(reply.status)
            for name, value in {"content-length": str(len(reply.body)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body[: reply.cut])
            if reply.cut is not None:
                self.close_connection = True

        do_GET = do_POST = do_PUT = do_DELETE = _respond

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    address: Tuple[str, int] = server.server_address[:2]  # type: ignore[assignment]
    state.url = f"http://127.0.0.1:{address[1]}"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
