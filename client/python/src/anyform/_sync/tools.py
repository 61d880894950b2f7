"""What differs between the synchronous and the asynchronous client."""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Callable, Deque, Iterable, Iterator, TypeVar

from .._input import Window

Item = TypeVar("Item")
Result = TypeVar("Result")

sleep = time.sleep


def chunks_of(window: Window) -> Iterator[bytes]:
    return window.chunks()


def concurrently(task: Callable[[Item], Result], items: Iterable[Item], limit: int) -> Iterator[Result]:
    """Returns the results in the order of the items. At most ``limit`` are unfinished or not yet taken."""
    running: Deque[Future[Result]] = deque()
    with ThreadPoolExecutor(limit) as pool:
        try:
            for item in items:
                if len(running) >= limit:
                    yield running.popleft().result()
                running.append(pool.submit(task, item))
            while running:
                yield running.popleft().result()
        finally:
            for future in running:
                future.cancel()
