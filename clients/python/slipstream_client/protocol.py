"""Messages of version 1 of the native protocol, as bytes."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass

HEADER = struct.Struct("<iihbbiqqqq")
SUBSCRIPTION = struct.Struct("<qqii")
MAGIC = b"SLIPSTRM"
VERSION = 1
REVISION = 1
RESENT = 1
ALIGNMENT = 16
MAX_FRAME = 1 << 18
MAX_SCHEMA = 1 << 16

HELLO, COMMAND, QUERY, BYE, STATUS, SUBSCRIBE, UNSUBSCRIBE, SCHEMA = 1, 2, 3, 4, 5, 10, 11, 12
WELCOME, REPLY, EVENT, BUSY, FAILED, ERROR, ITEM, SUBSCRIBED, UNSUBSCRIBED = 16, 17, 18, 19, 20, 21, 23, 24, 25

OF_SNAPSHOT = 2
SNAPSHOT_SENT = 1

UNKNOWN_TYPE = 4
CLOSING, SLOW_CONSUMER, TOO_MANY_CONNECTIONS, TOO_MANY_SESSIONS = 10, 12, 13, 14
RETRIED = frozenset((CLOSING, SLOW_CONSUMER, TOO_MANY_CONNECTIONS, TOO_MANY_SESSIONS))


@dataclass(frozen=True)
class Reply:
    """The answer to a request; sequence is the place of its command in the log."""

    sequence: int
    payload: bytes


@dataclass(frozen=True)
class Status:
    """How a service is."""

    sequence: int
    state_hash: int
    sessions: int
    replayed: int
    recovery_nanos: int


@dataclass(frozen=True)
class Message:
    """What a service has sent."""

    type: int
    flags: int
    index: int
    sequence: int
    session: int
    correlation: int
    payload: bytes


def aligned(length: int) -> int:
    """Returns the length of a message with its padding."""
    return (length + ALIGNMENT - 1) & -ALIGNMENT


def encode(kind: int, correlation: int, payload: bytes, flags: int = 0) -> bytes:
    """Returns a message of a client, padded."""
    length = HEADER.size + len(payload)
    header = HEADER.pack(length, 0, kind, VERSION, flags, 0, 0, 0, correlation, 0)
    return header + payload + bytes(aligned(length) - length)


def hello(key: int, sequence: int, index: int, token: bytes, revision: int = 0, number: int = 0) -> bytes:
    """Returns the message that opens or resumes a session.

    The revision says which later rules the client keeps. The number of the connection tells the service which of two
    connections of a client is the later one: who counts, in the upper 40 bits, and the count in the lower 24; 0 for none.
    """
    return encode(HELLO, number, MAGIC + struct.pack("<Qqii", key, sequence, index, revision) + token)


def schema(definitions: str) -> bytes:
    """Returns the message that says what the records of the client look like; none if there is nothing to say."""
    text = definitions.encode()
    if not 0 < len(text) <= MAX_SCHEMA:
        return b""
    return encode(SCHEMA, 0, hashlib.sha256(text).digest()[7::-1] + text)


def body_bytes(header: bytes) -> int:
    """Returns how many bytes, padding included, follow the header of a message."""
    length = HEADER.unpack(header)[0]
    if not HEADER.size <= length <= MAX_FRAME:
        raise ConnectionError(f"a message of {length} bytes; this is no Slipstream service")
    return aligned(length) - HEADER.size


def decode(header: bytes, body: bytes) -> Message:
    """Returns the message of that header and what follows it."""
    length, _, kind, _, flags, index, sequence, session, correlation, _ = HEADER.unpack(header)
    return Message(kind, flags, index, sequence, session, correlation, body[: length - HEADER.size])


def topic(payload: bytes) -> int:
    """Returns the topic of SUBSCRIBED."""
    return SUBSCRIPTION.unpack_from(payload)[0]


def failure(payload: bytes) -> tuple[int, str]:
    """Returns code and text of FAILED or ERROR."""
    code, length = struct.unpack_from("<ii", payload)
    return code, payload[8 : 8 + length].decode("utf-8", "replace")
