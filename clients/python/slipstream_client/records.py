"""Records as bytes, as docs/data-format.md says: what 'slipstream schema python' builds upon.

A generated module has a dataclass for each record, with ``encode`` and ``decode``, and a Layout that says where its
fields lie. Instants are nanoseconds since 1970 and durations nanoseconds, as ``int``; arrays of bytes are ``bytes``.
"""

from __future__ import annotations

import datetime
import decimal
import struct
import uuid
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Protocol, TypeVar

from .protocol import Reply

_HEADER = struct.Struct("<HHHH")
_INT = struct.Struct("<i")
_NANOS = 1_000_000_000
_EPOCH = datetime.date(1970, 1, 1).toordinal()
_DEEPEST = 64

_R = TypeVar("_R", bound="Record")


class EncodeError(ValueError):
    """A value does not fit its schema."""


class DecodeError(ValueError):
    """Bytes are not a value of the schema."""


class _Input:
    """A message that is being read. Its parts lie one behind the other: none begins before the end of the last."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.cursor = 0
        self.depth = 0

    def need(self, start: int, size: int) -> None:
        if size > len(self.data) - start:
            raise DecodeError(f"the message ends at {len(self.data)}, before {start + size}")

    def count(self, start: int, size: int, most: int) -> int:
        """Returns the number that a part begins with, of elements that take at least that size."""
        self.need(start, _INT.size)
        count = _INT.unpack_from(self.data, start)[0]
        if count < 0 or count * size > len(self.data) - start - _INT.size:
            raise DecodeError(f"{count} elements of {size} bytes do not fit behind byte {start}")
        if most and count > most:
            raise DecodeError(f"there are {count} elements, more than {most}")
        return count


class Fixed(Protocol):
    """A type whose values all have the same size, and lie in the block of their record."""

    size: int

    def put(self, out: bytearray, at: int, value: Any) -> None: ...

    def get(self, data: bytes, at: int) -> Any: ...

    def empty(self) -> Any: ...


class Part(Protocol):
    """A type whose values lie behind the block, which says where they begin."""

    def is_empty(self, value: Any) -> bool: ...

    def write(self, out: bytearray, value: Any, depth: int) -> None: ...

    def read(self, source: _Input, start: int) -> Any: ...

    def empty(self) -> Any: ...


class Scalar:
    """A number, a boolean or a character; ``form`` is that of the module struct."""

    def __init__(self, form: str, zero: Any) -> None:
        self.form = form
        self._struct = struct.Struct("<" + form)
        self.size = self._struct.size
        self._zero = zero

    def put(self, out: bytearray, at: int, value: Any) -> None:
        self._struct.pack_into(out, at, value)

    def get(self, data: bytes, at: int) -> Any:
        return self._struct.unpack_from(data, at)[0]

    def empty(self) -> Any:
        return self._zero


class _Char(Scalar):
    """A character of the first 65,536."""

    def put(self, out: bytearray, at: int, value: str) -> None:
        super().put(out, at, ord(value))

    def get(self, data: bytes, at: int) -> str:
        return chr(super().get(data, at))


class _Time(Scalar):
    """Nanoseconds, as seconds within bounds and nanoseconds."""

    def __init__(self, least: int, most: int) -> None:
        super().__init__("qi", None)
        self._least = least
        self._most = most

    def put(self, out: bytearray, at: int, value: int) -> None:
        seconds, nanos = divmod(value, _NANOS)
        self._struct.pack_into(out, at, self._checked(seconds), nanos)

    def get(self, data: bytes, at: int) -> int:
        seconds, nanos = self._struct.unpack_from(data, at)
        if not 0 <= nanos < _NANOS:
            raise ValueError(f"has {nanos} nanoseconds of a second")
        return self._checked(seconds) * _NANOS + nanos

    def _checked(self, seconds: int) -> int:
        if not self._least <= seconds <= self._most:
            raise ValueError(f"{seconds} seconds are not from {self._least} to {self._most}")
        return seconds


class _Date(Scalar):
    def put(self, out: bytearray, at: int, value: datetime.date) -> None:
        super().put(out, at, value.toordinal() - _EPOCH)

    def get(self, data: bytes, at: int) -> datetime.date:
        return datetime.date.fromordinal(super().get(data, at) + _EPOCH)


class _Uuid(Scalar):
    def put(self, out: bytearray, at: int, value: uuid.UUID) -> None:
        self._struct.pack_into(out, at, value.int >> 64, value.int & (1 << 64) - 1)

    def get(self, data: bytes, at: int) -> uuid.UUID:
        most, least = self._struct.unpack_from(data, at)
        return uuid.UUID(int=most << 64 | least)


BOOLEAN = Scalar("?", False)
BYTE = Scalar("b", 0)
SHORT = Scalar("h", 0)
CHAR = _Char("H", "\0")
INT = Scalar("i", 0)
LONG = Scalar("q", 0)
FLOAT = Scalar("f", 0.0)
DOUBLE = Scalar("d", 0.0)
INSTANT = _Time(-31_557_014_167_219_200, 31_556_889_864_403_199)
DURATION = _Time(-(1 << 63), (1 << 63) - 1)
DATE = _Date("i", None)
UUID = _Uuid("QQ", None)


class Decimal:
    """An amount with so many decimal places."""

    size = 8

    def __init__(self, scale: int) -> None:
        self._scale = scale

    def put(self, out: bytearray, at: int, value: decimal.Decimal) -> None:
        scaled = value.scaleb(self._scale)
        if scaled != scaled.to_integral_value():
            raise ValueError(f"{value} has more than {self._scale} decimal places")
        LONG.put(out, at, int(scaled))

    def get(self, data: bytes, at: int) -> decimal.Decimal:
        return decimal.Decimal(LONG.get(data, at)).scaleb(-self._scale)

    def empty(self) -> decimal.Decimal:
        return decimal.Decimal(0).scaleb(-self._scale)


class Enumeration:
    """A constant of an enum whose values are the indexes."""

    def __init__(self, constants: type[Enum]) -> None:
        self._constants = constants
        self._index = Scalar("B" if len(constants) <= 256 else "H", 0)
        self.size = self._index.size

    def put(self, out: bytearray, at: int, value: Enum) -> None:
        self._index.put(out, at, self._constants(value).value)

    def get(self, data: bytes, at: int) -> Enum:
        return self._constants(self._index.get(data, at))

    def empty(self) -> None:
        return None


class FixedArray:
    """An array of exactly so many primitives, which lies in the block."""

    def __init__(self, element: Scalar, length: int) -> None:
        self._element = element
        self._length = length
        self.size = length * element.size

    def put(self, out: bytearray, at: int, value: Any) -> None:
        if len(value) != self._length:
            raise ValueError(f"there are {len(value)} elements, not {self._length}")
        out[at : at + self.size] = _elements(self._element, value)

    def get(self, data: bytes, at: int) -> Any:
        return _array(self._element, data, at, self._length)

    def empty(self) -> Any:
        return self.get(bytes(self.size), 0)


class Text:
    """A text of up to so many bytes in UTF-8; 0 for any."""

    def __init__(self, most: int = 0) -> None:
        self._most = most

    def is_empty(self, value: str) -> bool:
        return not value

    def write(self, out: bytearray, value: str, depth: int) -> None:
        data = value.encode()
        _limit(len(data), self._most)
        out += _INT.pack(len(data)) + data

    def read(self, source: _Input, start: int) -> str:
        length = source.count(start, 1, self._most)
        source.cursor = start + _INT.size + length
        return bytes(source.data[start + _INT.size : source.cursor]).decode()

    def empty(self) -> str:
        return ""


class Array:
    """An array of up to so many primitives; 0 for any."""

    def __init__(self, element: Scalar, most: int = 0) -> None:
        self._element = element
        self._most = most

    def is_empty(self, value: Any) -> bool:
        return len(value) == 0

    def write(self, out: bytearray, value: Any, depth: int) -> None:
        _limit(len(value), self._most)
        out += _INT.pack(len(value)) + _elements(self._element, value)

    def read(self, source: _Input, start: int) -> Any:
        count = source.count(start, self._element.size, self._most)
        source.cursor = start + _INT.size + count * self._element.size
        return _array(self._element, source.data, start + _INT.size, count)

    def empty(self) -> Any:
        return _array(self._element, b"", 0, 0)


class FixedList:
    """A list of values of one size."""

    def __init__(self, element: Fixed, most: int = 0) -> None:
        self._element = element
        self._most = most

    def is_empty(self, value: list[Any]) -> bool:
        return not value

    def write(self, out: bytearray, value: list[Any], depth: int) -> None:
        _limit(len(value), self._most)
        at = len(out) + _INT.size
        out += _INT.pack(len(value)) + bytes(len(value) * self._element.size)
        for each in value:
            self._element.put(out, at, each)
            at += self._element.size

    def read(self, source: _Input, start: int) -> list[Any]:
        count = source.count(start, self._element.size, self._most)
        at = start + _INT.size
        source.cursor = at + count * self._element.size
        return [self._element.get(source.data, each) for each in range(at, source.cursor, self._element.size)]

    def empty(self) -> list[Any]:
        return []


class PartList:
    """A list of values of any size."""

    def __init__(self, element: Part, most: int = 0) -> None:
        self._element = element
        self._most = most

    def is_empty(self, value: list[Any]) -> bool:
        return not value

    def write(self, out: bytearray, value: list[Any], depth: int) -> None:
        _limit(len(value), self._most)
        slot = len(out) + _INT.size
        out += _INT.pack(len(value)) + bytes(len(value) * _INT.size)
        for each in value:
            _write_part(out, slot, self._element, each, False, depth)
            slot += _INT.size

    def read(self, source: _Input, start: int) -> list[Any]:
        count = source.count(start, _INT.size, self._most)
        slot = start + _INT.size
        source.cursor = slot + count * _INT.size
        return [_read_part(source, each, self._element, False) for each in range(slot, source.cursor, _INT.size)]

    def empty(self) -> list[Any]:
        return []


class RecordList:
    """A list of records of one type."""

    def __init__(self, element: type[Record], most: int = 0) -> None:
        self._element = element
        self._most = most

    def is_empty(self, value: list[Any]) -> bool:
        return not value

    def write(self, out: bytearray, value: list[Any], depth: int) -> None:
        layout = self._element.LAYOUT
        _limit(len(value), self._most)
        block = len(out) + _INT.size + _HEADER.size
        out += _INT.pack(len(value)) + layout.header + bytes(len(value) * layout.block)
        for each in value:
            layout.write(out, block, each, depth + 1)
            block += layout.block

    def read(self, source: _Input, start: int) -> list[Any]:
        layout = self._element.LAYOUT
        source.need(start, _INT.size + _HEADER.size)
        version, size = layout.version(source.data, start + _INT.size)
        count = source.count(start, size, self._most)
        block = start + _INT.size + _HEADER.size
        source.need(block, count * size)
        source.cursor = block + count * size
        return [layout.read(source, each, version) for each in range(block, block + count * size, size)]

    def empty(self) -> list[Any]:
        return []


class OneOf:
    """A record of one of these types."""

    def __init__(self, *types: type[Record]) -> None:
        self._types = types

    def is_empty(self, value: Record) -> bool:
        return False

    def write(self, out: bytearray, value: Record, depth: int) -> None:
        if type(value) not in self._types:
            raise ValueError(f"a {type(value).__name__} is none of {_names(self._types)}")
        value.LAYOUT.write_whole(out, value, depth + 1)

    def read(self, source: _Input, start: int) -> Record:
        source.need(start, _HEADER.size)
        number = _HEADER.unpack_from(source.data, start)[0]
        for each in self._types:
            if each.LAYOUT.id == number:
                return each.LAYOUT.read_whole(source, start)
        raise DecodeError(f"the bytes are of type {number}, which is none of {_names(self._types)}")

    def empty(self) -> None:
        return None


@dataclass(frozen=True)
class Field:
    """A field and its place: ``offset`` of its slot in the block, ``bit`` of it that is set if the field is there."""

    name: str
    type: Any
    offset: int
    bit: int = -1
    optional: bool = False
    since: int = 1
    default: Any = None


class Layout:
    """What the bytes of a record look like; ``versions`` are length of the block and fingerprint of each."""

    def __init__(self, record: type[Record], number: int, versions: tuple[tuple[int, int], ...],
                 fields: tuple[Field, ...]) -> None:
        self.id = number
        self.block = versions[-1][0]
        self.header = _HEADER.pack(number, len(versions), *versions[-1])
        self._record = record
        self._versions = versions
        self._fields = fields

    def write_whole(self, out: bytearray, value: Record, depth: int) -> None:
        out += self.header + bytes(self.block)
        self.write(out, len(out) - self.block, value, depth)

    def write(self, out: bytearray, block: int, value: Record, depth: int) -> None:
        if type(value) is not self._record:
            raise EncodeError(f"a {type(value).__name__} is no {self._record.__name__}")
        if depth > _DEEPEST:
            raise EncodeError(f"{self._record.__name__} is nested deeper than {_DEEPEST} records")
        for field in self._fields:
            try:
                self._write_field(out, block, field, getattr(value, field.name), depth)
            except EncodeError:
                raise
            except (struct.error, ValueError, TypeError, ArithmeticError, AttributeError) as error:
                raise EncodeError(f"{self._record.__name__}.{field.name}: {error}") from error

    @staticmethod
    def _write_field(out: bytearray, block: int, field: Field, value: Any, depth: int) -> None:
        if not hasattr(field.type, "size"):
            _write_part(out, block + field.offset, field.type, value, field.optional, depth)
        elif value is not None:
            if field.bit >= 0:
                out[block + (field.bit >> 3)] |= 1 << (field.bit & 7)
            field.type.put(out, block + field.offset, value)
        elif not field.optional:
            raise ValueError("is None")

    def version(self, data: bytes, start: int) -> tuple[int, int]:
        """Returns version and length of the block that a header names."""
        name = self._record.__name__
        number, version, block, fingerprint = _HEADER.unpack_from(data, start)
        if number != self.id:
            raise DecodeError(f"the bytes are of type {number}, not {self.id} ({name})")
        if not 1 <= version <= len(self._versions):
            if version == 0 or block < self.block:
                raise DecodeError(f"{name} has no version {version} with a block of {block} bytes")
        elif self._versions[version - 1] != (block, fingerprint):
            raise DecodeError(f"the bytes are of version {version} of another {name}; generate this module anew")
        return version, block

    def read_whole(self, source: _Input, start: int) -> Any:
        source.need(start, _HEADER.size)
        version, size = self.version(source.data, start)
        block = start + _HEADER.size
        source.need(block, size)
        source.cursor = block + size
        return self.read(source, block, version)

    def read(self, source: _Input, block: int, version: int) -> Any:
        source.depth += 1
        if source.depth > _DEEPEST + 1:
            raise DecodeError(f"{self._record.__name__} is nested deeper than {_DEEPEST} records")
        values = {}
        for field in self._fields:
            try:
                values[field.name] = self._read_field(source, block, field, version)
            except DecodeError:
                raise
            except (struct.error, ValueError, ArithmeticError) as error:
                raise DecodeError(f"{self._record.__name__}.{field.name}: {error}") from error
        source.depth -= 1
        return self._record(**values)

    @staticmethod
    def _read_field(source: _Input, block: int, field: Field, version: int) -> Any:
        if field.since > version:
            return field.default if field.default is not None or field.optional else field.type.empty()
        if not hasattr(field.type, "size"):
            return _read_part(source, block + field.offset, field.type, field.optional)
        if field.bit >= 0 and not source.data[block + (field.bit >> 3)] & 1 << (field.bit & 7):
            return None
        return field.type.get(source.data, block + field.offset)


class Record:
    """What generated dataclasses extend."""

    LAYOUT: ClassVar[Layout]
    REPLY: ClassVar[type[Record]]

    def encode(self) -> bytes:
        """Returns the bytes, which the service takes as a payload; raises EncodeError."""
        out = bytearray()
        self.LAYOUT.write_whole(out, self, 0)
        return bytes(out)

    @classmethod
    def decode(cls: type[_R], data: bytes) -> _R:
        """Returns what the bytes say; raises DecodeError."""
        return cls.LAYOUT.read_whole(_Input(data), 0)

    def reply(self, answer: Reply) -> Any:
        """Returns the reply to this command or query: ``command.reply(client.call(command.encode()))``."""
        return self.REPLY.decode(answer.payload)


def decode_one(data: bytes, *types: type[Record]) -> Any:
    """Returns the record of one of these types, such as the events of a service; raises DecodeError."""
    return OneOf(*types).read(_Input(data), 0)


def _write_part(out: bytearray, slot: int, part: Part, value: Any, optional: bool, depth: int) -> None:
    if value is None:
        if not optional:
            raise ValueError("is None")
    elif optional or not part.is_empty(value):
        _INT.pack_into(out, slot, len(out))
        part.write(out, value, depth)


def _read_part(source: _Input, slot: int, part: Part, optional: bool) -> Any:
    start = _INT.unpack_from(source.data, slot)[0]
    if start == 0:
        empty = None if optional else part.empty()
        if empty is None and not optional:
            raise ValueError("is missing")
        return empty
    if not source.cursor <= start <= len(source.data):
        raise ValueError(
            f"byte {slot} says that it begins at byte {start}, which lies within something else, or beyond"
        )
    return part.read(source, start)


def _elements(element: Scalar, value: Any) -> bytes:
    if element is BYTE:
        return bytes(value)
    if element is CHAR:
        value = [ord(each) for each in value]
    return struct.pack(f"<{len(value)}{element.form}", *value)


def _array(element: Scalar, data: bytes, at: int, count: int) -> Any:
    if element is BYTE:
        return bytes(data[at : at + count])
    values = struct.unpack_from(f"<{count}{element.form}", data, at)
    return [chr(each) for each in values] if element is CHAR else list(values)


def _limit(length: int, most: int) -> None:
    if most and length > most:
        raise ValueError(f"has a length of {length}, more than {most}")


def _names(types: tuple[type[Record], ...]) -> str:
    return ", ".join(each.__name__ for each in types)
