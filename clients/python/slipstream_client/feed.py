"""What is published to a topic, as it comes."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Union

from . import protocol
from .errors import Busy, Failed, OutcomeUnknown, SlipstreamError
from .protocol import Message

if TYPE_CHECKING:
    from .aio import AsyncClient

_PAUSE = 0.1


class _State(Enum):
    WANTED, ASKED, LIVE, BEHIND = range(4)


@dataclass(frozen=True)
class Item:
    """Something that was published; sequence and index are its place in the log."""

    sequence: int
    index: int
    payload: bytes


@dataclass(frozen=True)
class Snapshot:
    """What is there already, up to that place. It takes the place of everything that came before."""

    sequence: int
    index: int
    payloads: tuple[bytes, ...]


Update = Union[Item, Snapshot]


class AsyncFeed:
    """One topic's updates, in order and each once, also across cuts: ``async for update in feed``.

    ::

        WANTED --SUBSCRIBE--> ASKED --SUBSCRIBED--> LIVE --too many wait to be read--> BEHIND
           ^                    ^                     | cut                              | all are read
           +--------------------|---------------------+                                  |
                                +--------------------------------------------------------+

    A feed whose reader falls behind by more than ``capacity`` updates leaves the topic, and asks for what is missing
    once they are read. The service then sends the missing items, or a snapshot if it no longer keeps them all.
    """

    def __init__(self, client: AsyncClient, topic: int, after: tuple[int, int], capacity: int) -> None:
        self._client = client
        self.topic = topic
        self._place = after
        self._capacity = capacity
        self._updates: deque[Update] = deque()
        self._snapshot: list[bytes] = []
        self._state = _State.WANTED
        self._ended = False
        self._why: SlipstreamError | None = None
        self._wanted = asyncio.Event()
        self._readable = asyncio.Event()
        self._drained = asyncio.Event()
        self._started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._want(_State.WANTED)
        self._task = asyncio.create_task(self._run())

    @property
    def place(self) -> tuple[int, int]:
        """Sequence and index of the newest update that has come, to subscribe behind it another time."""
        return self._place

    def __aiter__(self) -> AsyncFeed:
        return self

    async def __anext__(self) -> Update:
        update = await self.take()
        if update is None:
            raise StopAsyncIteration
        return update

    async def take(self) -> Update | None:
        """Waits for the next update; None when the feed was closed. Raises why the service or client ended it."""
        while not self._updates:
            if self._ended:
                if self._why is not None:
                    raise self._why
                return None
            self._readable.clear()
            await self._readable.wait()
        update = self._updates.popleft()
        if not self._updates:
            self._drained.set()
        return update

    async def close(self) -> None:
        """Leaves the topic."""
        if not self._ended:
            self.end(None)
            try:
                await self._ask(protocol.UNSUBSCRIBE)
            except Failed:
                pass  # Whoever may not leave a topic is not in it.

    async def started(self) -> None:
        """Waits until the feed is live for the first time; raises why it will never be."""
        await asyncio.shield(self._started)

    async def _run(self) -> None:
        try:
            while True:
                await self._wanted.wait()
                self._wanted.clear()
                if self._state == _State.BEHIND:
                    # What the service has sent before its answer must not be taken for what it sends afterwards.
                    await self._ask(protocol.UNSUBSCRIBE)
                    await self._drained.wait()
                self._state = _State.ASKED
                await self._ask(protocol.SUBSCRIBE)
        except Failed as failed:
            self.end(failed)

    async def _ask(self, kind: int) -> None:
        """Asks until there is an answer. The client itself asks again after a cut."""
        while not self._client.ended:
            try:
                await self._client._request(kind, protocol.SUBSCRIPTION.pack(self.topic, *self._place, 0),
                                            timeout=math.inf)
                return
            except Busy as busy:
                await asyncio.sleep(busy.retry_after)
            except OutcomeUnknown:
                await asyncio.sleep(_PAUSE)
            except Failed as failed:
                if failed.code != protocol.CLOSING:
                    raise
                await asyncio.sleep(_PAUSE)

    def _want(self, state: _State) -> None:
        self._state = state
        self._wanted.set()

    def on_item(self, message: Message) -> None:
        if self._state == _State.BEHIND:
            return
        if message.flags & protocol.OF_SNAPSHOT:
            self._snapshot.append(message.payload)
        elif (message.sequence, message.index) > self._place:
            self._place = (message.sequence, message.index)
            self._add(Item(message.sequence, message.index, message.payload))

    def on_subscribed(self, payload: bytes) -> None:
        _, sequence, index, mode = protocol.SUBSCRIPTION.unpack_from(payload)
        if mode == protocol.SNAPSHOT_SENT:
            self._place = (sequence, index)
            self._add(Snapshot(sequence, index, tuple(self._snapshot)))
        self._snapshot.clear()
        self._state = _State.LIVE
        if not self._started.done():
            self._started.set_result(None)

    def on_renewed(self, payload: bytes) -> None:
        """The service has paused the topic while too much was unread, and goes on with what was missed."""
        if self._state == _State.LIVE:
            self._state = _State.ASKED
            self.on_subscribed(payload)

    def on_cut(self) -> None:
        self._snapshot.clear()
        if self._state == _State.LIVE:
            self._want(_State.WANTED)

    def _add(self, update: Update) -> None:
        if self._ended:
            return
        self._updates.append(update)
        self._readable.set()
        if len(self._updates) >= self._capacity and self._state == _State.LIVE:
            self._drained.clear()
            self._want(_State.BEHIND)

    def end(self, why: SlipstreamError | None) -> None:
        if not self._ended:
            self._ended = True
            self._why = why
            self._readable.set()
            self._task.cancel()
            if not self._started.done():
                self._started.set_exception(why if why is not None else OutcomeUnknown("the feed was closed"))
                self._started.exception()
