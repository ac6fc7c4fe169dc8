"""Speaks with a service that counts commands: PORT, the port of a proxy that cuts, and the golden file."""

import asyncio
import struct
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from slipstream_client import AsyncClient, Client, Failed, SlipstreamError, protocol  # noqa: E402

PORT = int(sys.argv[1])
GOLDEN = Path(sys.argv[2])
THROW = -1
NOTIFY = -3


def number(value: int) -> bytes:
    return struct.pack("<q", value)


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

    def test_nobody_there_is_an_error(self) -> None:
        with self.assertRaises(SlipstreamError):
            Client.connect("127.0.0.1", 1, reconnect_timeout=0.1)

    def test_messages_are_the_golden_bytes(self) -> None:
        text = GOLDEN.read_text()
        first = "".join(text[text.index("\n> ") + 3:text.index("\n< ")].split())
        self.assertEqual(protocol.hello(1001, 0, 0, b"").hex(), first)
        self.assertIn(protocol.encode(protocol.COMMAND, 1, number(5)).hex(), "".join(text.replace("> ", "").split()))


unittest.main(argv=sys.argv[:1])
