"""What differs between the asynchronous and the synchronous client."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import AsyncIterator, Awaitable, Callable, Deque, Iterable, TypeVar

from .._input import Window

Item = TypeVar("Item")
Result = TypeVar("Result")

sleep = asyncio.sleep


async def chunks_of(window: Window) -> AsyncIterator[bytes]:
    for chunk in window.chunks():
        yield chunk


async def concurrently(
    task: Callable[[Item], Awaitable[Result]], items: Iterable[Item], limit: int
) -> AsyncIterator[Result]:
    """Returns the results in the order of the items. At most ``limit`` are unfinished or not yet taken."""
    running: Deque[asyncio.Future[Result]] = deque()
    try:
        for item in items:
            if len(running) >= limit:
                yield await running.popleft()
            running.append(asyncio.ensure_future(task(item)))
        while running:
            yield await running.popleft()
    finally:
        for future in running:
            future.cancel()
        await asyncio.gather(*running, return_exceptions=True)
