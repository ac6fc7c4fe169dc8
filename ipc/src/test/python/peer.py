"""The other side of the tests in Python: peer.py publish FILE FROM COUNT MOST | peer.py subscribe FILE COUNT MOST FROM."""
import struct
import sys

from slipstream_ipc import Channel, ChannelError, OLDEST


def message_of(number, most):
    length = 8 + ((number * 0x9e3779b97f4a7c15 & (1 << 64) - 1) >> 7) % max(1, most - 7)
    return struct.pack("<q", number) + bytes((number + i) & 255 for i in range(8, length))


def publish(channel, first, count, most):
    publisher = channel.publisher("python")
    for number in range(first, first + count):
        message = message_of(number, most)
        while not publisher.publish(message):
            pass
    publisher.close()


def subscribe(channel, count, most, first):
    subscriber = channel.subscriber("python", OLDEST)
    print("attached", flush=True)
    number = first
    while number < first + count:
        message = subscriber.poll()
        if message is None:
            subscriber.sleep()
        elif message != message_of(number, most):
            sys.exit("message %d is not what it should be" % number)
        else:
            number += 1
    subscriber.close()
    print("seen", count)


try:
    with Channel(sys.argv[2]) as opened:
        (publish if sys.argv[1] == "publish" else subscribe)(opened, *map(int, sys.argv[3:]))
except ChannelError as error:
    sys.exit("refused: %s" % error)
