"""The client for threads: an AsyncClient on a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from .aio import AsyncClient
from .protocol import Reply, Status

_T = TypeVar("_T")


class Client:
    """One session with a service; any thread may use it. The arguments are those of AsyncClient."""

    def __init__(self, host: str, port: int, **options: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="slipstream-client", daemon=True)
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

    def close(self) -> None:
        """Ends the session, if the service can be reached, and the client."""
        if self._thread.is_alive():
            self._wait(self._client.close())
            self._stop()

    def _wait(self, work: Coroutine[Any, Any, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
