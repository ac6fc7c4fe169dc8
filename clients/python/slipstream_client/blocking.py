"""The client for threads: an AsyncClient on a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from .aio import AsyncClient
from .errors import OutcomeUnknown
from .feed import AsyncFeed, Update
from .protocol import Reply, Status

_T = TypeVar("_T")


class Feed:
    """One topic's updates, in order and each once: ``for update in feed``. See AsyncFeed."""

    def __init__(self, feed: AsyncFeed, client: Client) -> None:
        self._feed = feed
        self._client = client

    @property
    def place(self) -> tuple[int, int]:
        """Sequence and index of the newest update that has come, to subscribe behind it another time."""
        return self._feed.place

    def __iter__(self) -> Iterator[Update]:
        while (update := self.take()) is not None:
            yield update

    def take(self, timeout: float | None = None) -> Update | None:
        """Waits for the next update, so many seconds at most; None when the client was closed.

        Raises TimeoutError, or why the service or the client ended the feed.
        """
        if self._client._closed:
            return None
        try:
            return self._client._wait(asyncio.wait_for(self._feed.take(), timeout))
        except OutcomeUnknown:
            if self._client._closed:
                return None
            raise
        except asyncio.TimeoutError:
            raise TimeoutError(f"nothing was published to topic {self._feed.topic} within {timeout} s") from None


class Client:
    """One session with a service; any thread may use it. The arguments are those of AsyncClient."""

    def __init__(self, host: str, port: int, **options: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="slipstream-client", daemon=True)
        self._thread.start()
        try:
            self._client = self._wait(AsyncClient.connect(host, port, **options))
        except BaseException:
            self._stop()
            raise

    @classmethod
    def connect(cls, host: str, port: int, **options: Any) -> Client:
        """Connects."""
        return cls(host, port, **options)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, payload: bytes) -> Reply:
        """Sends a command and waits for its reply."""
        return self._wait(self._client.call(payload))

    def query(self, payload: bytes) -> Reply:
        """Asks the state machine a question; it is not in the log."""
        return self._wait(self._client.query(payload))

    def status(self) -> Status:
        """Asks the service how it is."""
        return self._wait(self._client.status())

    @contextmanager
    def subscribe(self, topic: int, after: tuple[int, int] = (0, 0), *, capacity: int = 10_000) -> Iterator[Feed]:
        """Subscribes to a topic, behind the place that was seen last, if there is one; see Feed."""
        subscription = self._client.subscribe(topic, after, capacity=capacity)
        feed = Feed(self._wait(subscription.__aenter__()), self)
        try:
            yield feed
        finally:
            with suppress(OutcomeUnknown):  # The client was closed, and so was the feed.
                self._wait(subscription.__aexit__(None, None, None))

    def close(self) -> None:
        """Ends the session, if the service can be reached, and the client."""
        try:
            self._wait(self._client.close())
        except OutcomeUnknown:
            return  # It was closed before.
        self._stop()

    def _wait(self, work: Coroutine[Any, Any, _T]) -> _T:
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("on_event runs on the thread that receives the answers, and must not wait for one")
        with self._lock:
            if self._closed:
                work.close()
                raise OutcomeUnknown("the client is closed")
            result = asyncio.run_coroutine_threadsafe(work, self._loop)
        return result.result()

    def _run(self) -> None:
        self._loop.run_forever()
        # Other threads wait for what they have begun: the client has ended, and so does that.
        self._loop.run_until_complete(self._end_of_all())

    async def _end_of_all(self) -> None:
        await asyncio.sleep(0)
        if left := asyncio.all_tasks() - {asyncio.current_task()}:
            _, left = await asyncio.wait(left, timeout=1.0)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    def _stop(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
