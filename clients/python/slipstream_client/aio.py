"""The client for asyncio."""

from __future__ import annotations

import asyncio
import secrets
import ssl as tls
import struct
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from . import protocol
from .errors import Busy, Failed, OutcomeUnknown, SlipstreamError
from .feed import AsyncFeed
from .protocol import Message, Reply, Status

_SIGN_OF_LIFE = 4.0
_SILENT_SIGNS = 3


@dataclass
class _Request:
    kind: int
    payload: bytes
    future: asyncio.Future[Reply]
    sent: bool = False


class AsyncClient:
    """One session with a service. All calls are made on the loop that it was connected on."""

    def __init__(self, host: str, port: int, *, token: str = "", ssl: tls.SSLContext | None = None,
                 timeout: float = 10.0, reconnect_timeout: float = 30.0, schema: str = "",
                 on_event: Callable[[bytes], None] | None = None) -> None:
        self._host = host
        self._port = port
        self._token = token.encode()
        self._ssl = ssl
        self._timeout = timeout
        self._patience = reconnect_timeout
        self._schema = protocol.schema(schema)
        self._on_event = on_event
        self._key = secrets.randbits(64) or 1
        # Who counts the connections, and the count: of two, the service knows the later one.
        self._connection = secrets.randbits(39) << 24
        self._seen = (0, 0)
        self._session = 0
        self._window = 1
        self._longest = protocol.MAX_FRAME
        self._following = 0
        self._heard = 0
        self._silent = False
        self._correlation = 0
        self._requests: dict[int, _Request] = {}
        self._feeds: dict[int, AsyncFeed] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._ready = False
        self._asks_schema = False
        self._welcomed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._end: SlipstreamError | None = None
        self._retry_after = 0.0
        self._task = asyncio.create_task(self._run())

    @classmethod
    async def connect(cls, host: str, port: int, **options) -> AsyncClient:
        """Connects; options are those of the constructor."""
        client = cls(host, port, **options)
        try:
            await asyncio.shield(client._welcomed)
        except BaseException:
            await client.disconnect()
            raise
        return client

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def call(self, payload: bytes) -> Reply:
        """Sends a command and waits for its reply."""
        return await self._request(protocol.COMMAND, payload)

    async def query(self, payload: bytes) -> Reply:
        """Asks the state machine a question; it is not in the log."""
        return await self._request(protocol.QUERY, payload)

    async def status(self) -> Status:
        """Asks the service how it is."""
        reply = await self._request(protocol.STATUS, b"")
        return Status(*struct.unpack_from("<5q", reply.payload))

    @asynccontextmanager
    async def subscribe(self, topic: int, after: tuple[int, int] = (0, 0), *,
                        capacity: int = 10_000) -> AsyncIterator[AsyncFeed]:
        """Subscribes to a topic, behind the place that was seen last, if there is one; see AsyncFeed."""
        if topic in self._feeds:
            raise ValueError(f"this client has a feed of topic {topic} already; read that one, or close it first")
        if self._end is not None:
            raise self._end
        feed = AsyncFeed(self, topic, after, capacity)
        self._feeds[topic] = feed
        try:
            await feed.started()
            yield feed
        finally:
            await feed.close()
            del self._feeds[topic]

    async def close(self) -> None:
        """Ends the session, if the service can be reached, and the client."""
        if self._ready and self._end is None:
            try:
                await asyncio.wait_for(self._request(protocol.BYE, b""), 1.0)
            except (SlipstreamError, asyncio.TimeoutError):
                pass
        await self.disconnect()

    async def disconnect(self) -> None:
        """Ends the client and leaves the session behind, as a crash would."""
        for feed in self._feeds.values():
            feed.end(None)
        self._fail(OutcomeUnknown("the client was closed"))
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    @property
    def ended(self) -> bool:
        """Whether the client is closed or has given up: it will never send anything again."""
        return self._end is not None

    async def _request(self, kind: int, payload: bytes, timeout: float | None = None) -> Reply:
        if len(payload) > self._longest - protocol.HEADER.size:
            raise ValueError(f"this service takes payloads of up to {self._longest - protocol.HEADER.size} bytes")
        timeout = self._timeout if timeout is None else timeout
        deadline = time.monotonic() + timeout
        while self._requests and self._correlation + 1 - next(iter(self._requests)) >= self._window:
            oldest = next(iter(self._requests.values())).future
            await asyncio.wait([oldest], timeout=max(0.0, deadline - time.monotonic()))
            if time.monotonic() >= deadline:
                raise OutcomeUnknown("the window was full; the request was not sent")
        if self._end is not None:
            raise self._end
        self._correlation += 1
        request = _Request(kind, payload, asyncio.get_running_loop().create_future())
        self._requests[self._correlation] = request
        if self._ready:
            self._send(self._correlation, request)
        try:
            # Shielded: a command that nobody waits for any longer is still sent again, and applied once.
            remaining = max(0.0, deadline - time.monotonic())
            return await asyncio.wait_for(asyncio.shield(request.future), remaining)
        except asyncio.TimeoutError:
            request.future.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise OutcomeUnknown(f"no reply within {timeout} s") from None

    def _send(self, correlation: int, request: _Request) -> None:
        if self._writer is not None:
            flags = protocol.RESENT if request.sent else 0
            request.sent = True
            self._writer.write(protocol.encode(request.kind, correlation, request.payload, flags))

    async def _run(self) -> None:
        lost = time.monotonic()
        pause = 0.01
        why = "not connected yet"
        while self._end is None:
            try:
                await self._converse()
            except tls.SSLError as error:
                if not self._welcomed.done():
                    self._fail(Failed(15, f"no TLS with {self._host}:{self._port}: {error}"))
                why = str(error)
            except (OSError, EOFError, asyncio.TimeoutError) as error:
                why = str(error) or "it does not answer"
            except asyncio.CancelledError:
                raise
            except Exception as error:  # What a service would never send.
                self._fail(Failed(0, f"the conversation failed: {error!r}"))
            if self._ready:
                lost, pause = time.monotonic(), 0.01
            self._ready = False
            self._writer = None
            for feed in self._feeds.values():
                feed.on_cut()
            if time.monotonic() - lost > self._patience:
                self._fail(OutcomeUnknown(f"no connection to {self._host}:{self._port}: {why}"))
            if self._end is None:
                await asyncio.sleep(max(pause, self._retry_after))
                pause = min(2 * pause, 0.5)
                self._retry_after = 0.0

    async def _converse(self) -> None:
        reader, writer = await asyncio.wait_for(
            asyncio.open_connection(self._host, self._port, ssl=self._ssl), 5.0)
        self._silent = False
        self._asks_schema = False
        signs = asyncio.create_task(self._give_signs_of_life(writer))
        try:
            self._writer = writer
            self._connection += 1
            writer.write(protocol.hello(self._key, *self._seen, self._token, protocol.REVISION, self._connection))
            while self._end is None:
                header = await self._read(reader, protocol.HEADER.size)
                body = await self._read(reader, protocol.body_bytes(header))
                self._on_message(protocol.decode(header, body))
        except EOFError:
            if self._silent:
                raise ConnectionError(f"the service was silent for {_SIGN_OF_LIFE * _SILENT_SIGNS} s") from None
            raise
        finally:
            signs.cancel()
            writer.close()

    async def _read(self, reader: asyncio.StreamReader, count: int) -> bytes:
        """Reads so many bytes; each piece of them counts as a sign of life of the service."""
        parts = []
        while count > 0:
            part = await reader.read(count)
            if not part:
                raise EOFError("the service has closed the connection")
            self._heard += 1
            count -= len(part)
            parts.append(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    async def _give_signs_of_life(self, writer: asyncio.StreamWriter) -> None:
        """A service takes a client that says nothing for dead, and so does the client with a service."""
        silent = 0
        while True:
            heard = self._heard
            await asyncio.sleep(_SIGN_OF_LIFE)
            silent = 0 if self._heard != heard else silent + 1
            if silent >= _SILENT_SIGNS:
                self._silent = True
                writer.transport.abort()
                return
            if self._ready:
                self._correlation += 1
                writer.write(protocol.encode(protocol.STATUS, self._correlation, b""))

    def _on_message(self, message: Message) -> None:
        if self._asks_schema and self._answers_schema(message):
            self._asks_schema = False
            self._become_ready()
        elif message.type == protocol.WELCOME:
            self._on_welcome(message)
        elif message.type == protocol.ERROR:
            code, text = protocol.failure(message.payload)
            if code not in protocol.RETRIED:
                self._fail(Failed(code, text))
            raise ConnectionError(text)
        elif message.type == protocol.BUSY:
            self._on_busy(message)
        elif message.type in (protocol.REPLY, protocol.EVENT, protocol.FAILED):
            self._on_output(message)
        elif message.type == protocol.ITEM:
            feed = self._feeds.get(message.correlation)
            if feed is not None:
                feed.on_item(message)
        elif message.type in (protocol.SUBSCRIBED, protocol.UNSUBSCRIBED):
            self._on_subscription(message)

    def _on_welcome(self, message: Message) -> None:
        if self._session not in (0, message.session):
            for correlation in [number for number, request in self._requests.items() if request.sent]:
                self._answer(correlation, OutcomeUnknown("the service has forgotten the session"))
        self._session = message.session
        self._following, _, self._window, self._longest = struct.unpack_from("<4i", message.payload)
        self._caught_up()

    def _caught_up(self) -> None:
        if self._ready or self._asks_schema or self._following > 0:
            return
        if self._writer is not None and 0 < len(self._schema) <= self._longest:
            self._asks_schema = True
            self._writer.write(self._schema)
        else:
            self._become_ready()

    def _become_ready(self) -> None:
        self._ready = True
        for correlation, request in self._requests.items():
            self._send(correlation, request)
        if not self._welcomed.done():
            self._welcomed.set_result(None)

    @staticmethod
    def _answers_schema(message: Message) -> bool:
        """Whether that says that the service can read this client, or is too old to look."""
        if message.correlation != 0:
            return False
        return message.type == protocol.REPLY or (
            message.type == protocol.FAILED and protocol.failure(message.payload)[0] == protocol.UNKNOWN_TYPE)

    def _on_busy(self, message: Message) -> None:
        nanos, _, _, reason = struct.unpack_from("<3qi", message.payload)
        if message.correlation == 0:
            self._retry_after = nanos / 1e9
            raise ConnectionError("the service is busy")
        self._answer(message.correlation, Busy(nanos / 1e9, reason))

    def _on_output(self, message: Message) -> None:
        if message.index > 0:
            # The answer to a command that was sent again may be an older output, which takes nothing back.
            self._seen = max(self._seen, (message.sequence, message.index))
        if message.type == protocol.EVENT:
            self._hand_over(message.payload)
        elif message.type == protocol.REPLY:
            self._answer(message.correlation, Reply(message.sequence, message.payload))
        else:
            self._answer(message.correlation, Failed(*protocol.failure(message.payload)))
        if not self._ready and self._following > 0:
            self._following -= 1
            self._caught_up()

    def _hand_over(self, event: bytes) -> None:
        if self._on_event is not None:
            try:
                self._on_event(event)
            except Exception as error:  # The event counts as received; replies still come.
                asyncio.get_running_loop().call_exception_handler(
                    {"message": "on_event of a Slipstream client has thrown", "exception": error})

    def _on_subscription(self, message: Message) -> None:
        feed = self._feeds.get(protocol.topic(message.payload))
        if message.type == protocol.SUBSCRIBED and feed is not None:
            if message.correlation == 0:
                feed.on_renewed(message.payload)
            elif message.correlation in self._requests:
                feed.on_subscribed(message.payload)
        self._answer(message.correlation, Reply(message.sequence, message.payload))

    def _answer(self, correlation: int, answer: Reply | SlipstreamError) -> None:
        request = self._requests.pop(correlation, None)
        if request is not None and not request.future.done():
            if isinstance(answer, Reply):
                request.future.set_result(answer)
            else:
                request.future.set_exception(answer)

    def _fail(self, why: SlipstreamError) -> None:
        if self._end is None:
            self._end = why
            for feed in self._feeds.values():
                feed.end(why)
            if not self._welcomed.done():
                self._welcomed.set_exception(why)
                self._welcomed.exception()
            unknown = why if isinstance(why, OutcomeUnknown) else OutcomeUnknown(f"it was sent, and then: {why}")
            for correlation, request in list(self._requests.items()):
                self._answer(correlation, unknown if request.sent else why)
