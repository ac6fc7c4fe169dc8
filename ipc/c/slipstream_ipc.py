"""Slipstream shared-memory channels in Python, over the C header.

    gcc -std=c11 -O2 -shared -fPIC -o libslipstream_ipc.so slipstream_ipc.c

    with Channel("/dev/shm/prices.ipc") as channel:
        subscriber = channel.subscriber("screen")
        message = subscriber.poll()          # bytes, or None
"""
import ctypes
import os
from pathlib import Path

NEWEST, OLDEST = 0, 1
SUBSCRIBER, OBSERVER, PATIENT_OBSERVER = 2, 3, 4


class ChannelError(OSError):
    """A file cannot be used as a channel, or not in this way."""


def _load():
    path = os.environ.get("SLIPSTREAM_IPC_LIBRARY", str(Path(__file__).parent / "libslipstream_ipc.so"))
    library = ctypes.CDLL(path)
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64
    signatures = {
        "open": (pointer, [text, text, ctypes.c_size_t]),
        "error": (text, [pointer]),
        "close": (None, [pointer]),
        "publisher": (pointer, [pointer, text]),
        "publish": (ctypes.c_int, [pointer, text, number]),
        "publisher_close": (None, [pointer]),
        "subscriber": (pointer, [pointer, text, ctypes.c_int, ctypes.c_int, number]),
        "poll": (ctypes.c_int, [pointer, ctypes.POINTER(pointer), ctypes.POINTER(number)]),
        "pass": (None, [pointer, number]),
        "sleep": (None, [pointer]),
        "missed": (number, [pointer]),
        "subscriber_close": (None, [pointer]),
    }
    functions = {}
    for name, (result, arguments) in signatures.items():
        function = getattr(library, "slipstream_" + name)
        function.restype, function.argtypes = result, arguments
        functions[name] = function
    return functions


_C = _load()


class Channel:
    """A channel that exists. Close its publishers and subscribers before it."""

    def __init__(self, path):
        error = ctypes.create_string_buffer(512)
        self._handle = _C["open"](os.fsencode(path), error, len(error))
        if not self._handle:
            raise ChannelError(error.value.decode())

    def publisher(self, name):
        return Publisher(self, name)

    def subscriber(self, name, start=NEWEST, kind=SUBSCRIBER, patience_nanos=0):
        return Subscriber(self, name, start, kind, patience_nanos)

    def close(self):
        if self._handle:
            _C["close"](self._handle)
            self._handle = None

    def error(self):
        return ChannelError(_C["error"](self._handle).decode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Publisher:
    """Publishes bytes; owned by one thread."""

    def __init__(self, channel, name):
        self._channel = channel
        self._handle = _C["publisher"](channel._handle, name.encode())
        if not self._handle:
            raise channel.error()

    def publish(self, message):
        """Returns whether there was room."""
        result = _C["publish"](self._handle, message, len(message))
        if result < 0:
            raise self._channel.error()
        return result == 1

    def close(self):
        if self._handle:
            _C["publisher_close"](self._handle)
            self._handle = None


class Subscriber:
    """Reads bytes; owned by one thread."""

    def __init__(self, channel, name, start, kind, patience_nanos):
        self._channel = channel
        self._handle = _C["subscriber"](channel._handle, name.encode(), kind, start, patience_nanos)
        if not self._handle:
            raise channel.error()

    def poll(self):
        """Returns the next message, or None if there is none now."""
        where, length = ctypes.c_void_p(), ctypes.c_int64()
        result = _C["poll"](self._handle, ctypes.byref(where), ctypes.byref(length))
        if result < 0:
            raise self._channel.error()
        if result == 0:
            return None
        message = ctypes.string_at(where, length.value)
        _C["pass"](self._handle, length.value)
        return message

    def sleep(self):
        """Sleeps until something is published, for at most 4 ms."""
        _C["sleep"](self._handle)

    def missed_bytes(self):
        return _C["missed"](self._handle)

    def close(self):
        if self._handle:
            _C["subscriber_close"](self._handle)
            self._handle = None
