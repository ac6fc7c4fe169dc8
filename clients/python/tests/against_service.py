"""Speaks with a service that counts commands, PORT, one that publishes them, FEED_PORT, and the golden file."""

import asyncio
import struct
import sys
import threading
import time
import unittest
import unittest.mock
from pathlib import Path

# Behind what PYTHONPATH names, such as the installed wheel.
sys.path.append(str(Path(__file__).parent.parent))

from slipstream_client import AsyncClient, Client, Failed, Item, OutcomeUnknown  # noqa: E402
from slipstream_client import SlipstreamError, Snapshot, protocol  # noqa: E402

PORT = int(sys.argv[1])
FEED_PORT = int(sys.argv[2])
GOLDEN = Path(sys.argv[3])
THROW = -1
NOTIFY = -3
TOPIC = 7
FORBIDDEN = 13
UNAUTHENTICATED = 15


def number(value: int) -> bytes:
    return struct.pack("<q", value)


class Sum:
    """What a subscriber of TOPIC knows: how many numbers there were, and their sum."""

    def __init__(self) -> None:
        self.count = self.sum = self.snapshots = 0
        self.places: list[tuple[int, int]] = []

    def add(self, update) -> None:
        if isinstance(update, Snapshot):
            self.snapshots += 1
            self.count, self.sum = struct.unpack("<2q", update.payloads[0])
        else:
            assert isinstance(update, Item)
            self.count += 1
            self.sum += struct.unpack("<q", update.payload)[0]
            self.places.append((update.sequence, update.index))

    def check(self, case: unittest.TestCase) -> None:
        case.assertEqual(self.places, sorted(set(self.places)))


class AgainstService(unittest.TestCase):
    def test_blocking_calls_count_and_queries_ask(self) -> None:
        with Client.connect("127.0.0.1", PORT) as client:
            first = client.call(number(1001))
            second = client.call(number(1001))
            self.assertEqual(struct.unpack("<q", second.payload)[0], struct.unpack("<q", first.payload)[0] + 1)
            self.assertGreater(second.sequence, first.sequence)
            self.assertEqual(client.query(number(1001)).payload, number(2))
            self.assertGreaterEqual(client.status().sequence, second.sequence)

    def test_many_at_once_are_applied_once_each(self) -> None:
        async def run() -> None:
            async with await AsyncClient.connect("127.0.0.1", PORT) as client:
                replies = await asyncio.gather(*(client.call(number(1002)) for _ in range(200)))
                self.assertEqual(len({reply.payload for reply in replies}), 200)
                self.assertEqual((await client.query(number(1002))).payload, number(200))

        asyncio.run(run())

    def test_what_is_cut_is_sent_again_and_applied_once(self) -> None:
        async def run() -> None:
            async with await AsyncClient.connect("127.0.0.1", PORT) as client:
                for _ in range(20):
                    calls = [asyncio.create_task(client.call(number(1003))) for _ in range(10)]
                    await asyncio.sleep(0)
                    client._writer.transport.abort()
                    await asyncio.gather(*calls)
                self.assertEqual((await client.query(number(1003))).payload, number(200))

        asyncio.run(run())

    def test_failures_and_events_arrive(self) -> None:
        events: list[bytes] = []
        with Client.connect("127.0.0.1", PORT, on_event=events.append) as client:
            with self.assertRaises(Failed) as failed:
                client.call(number(THROW))
            self.assertEqual(failed.exception.code, 9)
            client.call(number(NOTIFY))
            self.assertEqual(len(events), 1)

    def test_a_handler_that_throws_does_not_end_the_client(self) -> None:
        def on_event(_: bytes) -> None:
            raise ValueError("a handler of a test")

        async def run() -> None:
            thrown = []
            asyncio.get_running_loop().set_exception_handler(lambda _, context: thrown.append(context["exception"]))
            async with await AsyncClient.connect("127.0.0.1", PORT, on_event=on_event) as client:
                for _ in range(3):
                    await client.call(number(NOTIFY))
                await client.call(number(1004))
                self.assertEqual((await client.query(number(1004))).payload, number(1))
            self.assertEqual([str(error) for error in thrown], 3 * ["a handler of a test"])

        asyncio.run(run())

    def test_a_handler_that_waits_for_its_own_client_is_refused(self) -> None:
        thrown = []

        def on_event(_: bytes) -> None:
            try:
                client.call(number(1005))
            except RuntimeError as error:
                thrown.append(str(error))

        with Client.connect("127.0.0.1", PORT, on_event=on_event) as client:
            client.call(number(NOTIFY))
            client.call(number(1005))
            self.assertRegex(thrown[0], "must not wait")

    def test_nobody_waits_for_a_client_that_another_thread_closes(self) -> None:
        for _ in range(20):
            client = Client.connect("127.0.0.1", PORT)
            calls = 0

            def call() -> None:
                nonlocal calls
                with self.assertRaises(OutcomeUnknown):
                    while True:
                        client.call(number(1006))
                        calls += 1

            threads = [threading.Thread(target=call, daemon=True) for _ in range(4)]
            for thread in threads:
                thread.start()
            while calls < 10:
                time.sleep(0.001)
            closers = [threading.Thread(target=client.close, daemon=True) for _ in range(2)]
            for thread in closers:
                thread.start()
            for thread in threads + closers:
                thread.join(20)
                self.assertFalse(thread.is_alive())

    def test_what_was_sent_when_the_client_ends_is_unknown_and_not_failed(self) -> None:
        refused = protocol.encode(protocol.ERROR, 0, struct.pack("<ii", UNAUTHENTICATED, 2) + b"no")
        nonsense = protocol.encode(protocol.BUSY, 1, b"")
        for answer in (refused, nonsense):
            with self.subTest(answer=answer):
                asyncio.run(self.ends_with(answer))

    def test_a_schema_is_said_before_requests_and_a_service_that_is_too_old_for_it_is_served(self) -> None:
        asyncio.run(self.says_schema(protocol.encode(protocol.REPLY, 0, b"")))
        asyncio.run(self.says_schema(protocol.encode(protocol.FAILED, 0, struct.pack("<ii", 4, 0))))

    async def says_schema(self, answer: bytes) -> None:
        said = []

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            welcome = protocol.encode(protocol.WELCOME, 0, struct.pack("<4i", 0, 0, 64, 16384))
            for back in (welcome, answer, protocol.encode(protocol.REPLY, 1, number(5))):
                header = await reader.readexactly(protocol.HEADER.size)
                body = await reader.readexactly(protocol.body_bytes(header))
                said.append(protocol.decode(header, body))
                writer.write(back)
            await reader.read()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        client = await AsyncClient.connect("127.0.0.1", server.sockets[0].getsockname()[1], schema="record A id 1 {}")
        try:
            self.assertEqual((await client.call(number(1))).payload, number(5))
            self.assertEqual([message.type for message in said], [protocol.HELLO, protocol.SCHEMA, protocol.COMMAND])
            self.assertEqual(said[1].payload[8:], b"record A id 1 {}")
            self.assertEqual(said[1].payload[:8].hex(), "6ff68587d89b4f7d")
        finally:
            await client.disconnect()
            server.close()

    def test_a_service_without_records_takes_any_schema(self) -> None:
        with Client.connect("127.0.0.1", PORT, schema="what is this") as client:
            self.assertEqual(len(client.call(number(1011)).payload), 8)

    async def ends_with(self, answer: bytes) -> None:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            for said in (protocol.encode(protocol.WELCOME, 0, struct.pack("<4i", 0, 0, 64, 16384)), answer):
                header = await reader.readexactly(protocol.HEADER.size)
                await reader.readexactly(protocol.body_bytes(header))
                writer.write(said)
            await reader.read()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        client = await AsyncClient.connect("127.0.0.1", server.sockets[0].getsockname()[1])
        try:
            with self.assertRaises(OutcomeUnknown):
                await client.call(number(1))
            with self.assertRaises(Failed):
                await client.call(number(1))
        finally:
            await client.disconnect()
            server.close()

    def test_a_feed_begins_with_what_is_there_and_brings_each_item(self) -> None:
        async def run() -> None:
            async with await AsyncClient.connect("127.0.0.1", FEED_PORT) as client:
                await client.call(number(5))
                seen = Sum()
                async with client.subscribe(TOPIC) as feed:
                    seen.add(await feed.take())
                    before = (seen.count, seen.sum)
                    await asyncio.gather(*(client.call(number(2)) for _ in range(100)))
                    for _ in range(100):
                        seen.add(await feed.take())
                    place = feed.place
                    with self.assertRaises(ValueError):
                        async with client.subscribe(TOPIC):
                            pass
                seen.check(self)
                self.assertEqual((seen.count, seen.sum), (before[0] + 100, before[1] + 200))
                await client.call(number(3))
                async with client.subscribe(TOPIC, place) as feed:
                    seen.add(await feed.take())
                self.assertEqual((seen.count, seen.sum, seen.snapshots), (before[0] + 101, before[1] + 203, 1))

        asyncio.run(run())

    def test_a_feed_misses_nothing_across_cuts(self) -> None:
        async def run() -> None:
            async with await AsyncClient.connect("127.0.0.1", FEED_PORT) as client:
                async with client.subscribe(TOPIC) as feed:
                    seen = Sum()
                    seen.add(await feed.take())
                    goal = seen.count + 200
                    for _ in range(20):
                        calls = [asyncio.create_task(client.call(number(1))) for _ in range(10)]
                        await asyncio.sleep(0.002)
                        if client._writer is not None:
                            client._writer.transport.abort()
                        await asyncio.gather(*calls)
                    while seen.count < goal:
                        seen.add(await asyncio.wait_for(feed.take(), 20))
                    seen.check(self)
                    self.assertEqual(seen.count, goal)

        asyncio.run(run())

    def test_a_reader_that_falls_behind_catches_up(self) -> None:
        async def run() -> None:
            async with await AsyncClient.connect("127.0.0.1", FEED_PORT) as client:
                async with client.subscribe(TOPIC, capacity=4) as feed:
                    seen = Sum()
                    seen.add(await feed.take())
                    goal = seen.count + 1000
                    for _ in range(10):
                        await asyncio.gather(*(client.call(number(1)) for _ in range(100)))
                        seen.add(await feed.take())
                    self.assertLess(len(feed._updates), 900)
                    async for update in feed:
                        seen.add(update)
                        if seen.count >= goal:
                            break
                    seen.check(self)
                    self.assertEqual(seen.count, goal)

        asyncio.run(run())

    def test_a_feed_that_is_refused_or_ends_says_so(self) -> None:
        with Client.connect("127.0.0.1", FEED_PORT) as client:
            with self.assertRaises(Failed) as failed:
                with client.subscribe(FORBIDDEN):
                    pass
            self.assertEqual(failed.exception.code, 9)
            with client.subscribe(TOPIC) as feed:
                self.assertIsInstance(feed.take(20), Snapshot)
                with self.assertRaises(TimeoutError):
                    feed.take(0.05)
                client.call(number(4))
                self.assertEqual(feed.take(20).payload, number(4))
                client.close()
                self.assertEqual(list(feed), [])

    def test_nobody_there_is_an_error(self) -> None:
        with self.assertRaises(SlipstreamError):
            Client.connect("127.0.0.1", 1, reconnect_timeout=0.1)

    def test_a_service_that_is_silent_is_left(self) -> None:
        """Its machine is gone, or its process stands still: no system tells that for a long time."""
        async def run() -> None:
            connections = 0

            async def stand_still(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                nonlocal connections
                connections += 1
                await reader.read()
                writer.close()

            server = await asyncio.start_server(stand_still, "127.0.0.1", 0)
            port = server.sockets[0].getsockname()[1]
            with self.assertRaisesRegex(OutcomeUnknown, "silent"):
                await asyncio.wait_for(AsyncClient.connect("127.0.0.1", port, reconnect_timeout=0.5), 20)
            self.assertGreater(connections, 1)
            server.close()

        with unittest.mock.patch("slipstream_client.aio._SIGN_OF_LIFE", 0.05):
            asyncio.run(run())

    def test_a_service_that_answers_is_not_left(self) -> None:
        async def run() -> None:
            async with await AsyncClient.connect("127.0.0.1", PORT) as client:
                first = client._writer
                await asyncio.sleep(1.5)
                self.assertIs(client._writer, first)
                # While the program holds up its own loop nothing is asked, and nothing can be heard.
                time.sleep(1)
                await asyncio.sleep(0.2)
                self.assertIs(client._writer, first)

        with unittest.mock.patch("slipstream_client.aio._SIGN_OF_LIFE", 0.2):
            asyncio.run(run())

    def test_messages_are_the_golden_bytes(self) -> None:
        text = GOLDEN.read_text()
        first = "".join(text[text.index("\n> ") + 3:text.index("\n< ")].split())
        self.assertEqual(protocol.hello(1001, 0, 0, b"").hex(), first)
        said = "".join(text.replace("> ", "").split())
        self.assertIn(protocol.encode(protocol.COMMAND, 1, number(5)).hex(), said)
        self.assertIn(protocol.encode(protocol.SUBSCRIBE, 1, protocol.SUBSCRIPTION.pack(TOPIC, 0, 0, 0)).hex(), said)


unittest.main(argv=sys.argv[:1])
