package io.slipstream.cli.keyvalue;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The elements that Redis packs into one string of an image: listpack, ziplist and intset, as the comments of its
 * {@code listpack.c}, {@code ziplist.c} and {@code intset.c} describe them. A string that is none of them ends in a
 * {@link RuntimeException}.
 */
final class RdbPacked {
    private static final int END = 0xFF;

    private RdbPacked() {}

    static List<byte[]> listpack(byte[] packed) {
        ByteBuffer in = buffer(packed).position(6);
        List<byte[]> elements = new ArrayList<>();
        for (int head = unsigned(in); head != END; head = unsigned(in)) {
            int start = in.position() - 1;
            elements.add(listpackElement(in, head));
            in.position(in.position() + backLengthBytes(in.position() - start));
        }
        return elements;
    }

    private static byte[] listpackElement(ByteBuffer in, int head) {
        if (head < 0x80) {
            return text(head);
        }
        if (head < 0xC0) {
            return bytes(in, head & 0x3F);
        }
        if (head < 0xE0) {
            return text((((head & 0x1F) << 8 | unsigned(in)) << 19) >> 19);
        }
        if (head < 0xF0) {
            return bytes(in, (head & 0x0F) << 8 | unsigned(in));
        }
        return switch (head) {
            case 0xF0 -> bytes(in, in.getInt());
            case 0xF1 -> text(in.getShort());
            case 0xF2 -> text(int24(in));
            case 0xF3 -> text(in.getInt());
            case 0xF4 -> text(in.getLong());
            default -> throw new IllegalArgumentException("no listpack has an element that begins with " + head);
        };
    }

    private static int backLengthBytes(int length) {
        return length < 1 << 7
                ? 1
                : length < (1 << 14) - 1 ? 2 : length < (1 << 21) - 1 ? 3 : length < (1 << 28) - 1 ? 4 : 5;
    }

    static List<byte[]> ziplist(byte[] packed) {
        ByteBuffer in = buffer(packed).position(10);
        List<byte[]> elements = new ArrayList<>();
        for (int before = unsigned(in); before != END; before = unsigned(in)) {
            if (before == 0xFE) {
                in.getInt();
            }
            elements.add(ziplistElement(in, unsigned(in)));
        }
        return elements;
    }

    private static byte[] ziplistElement(ByteBuffer in, int head) {
        switch (head >> 6) {
            case 0 -> {
                return bytes(in, head);
            }
            case 1 -> {
                return bytes(in, (head & 0x3F) << 8 | unsigned(in));
            }
            case 2 -> {
                return bytes(in, Integer.reverseBytes(in.getInt()));
            }
            default -> {
                // A number.
            }
        }
        return switch (head) {
            case 0xC0 -> text(in.getShort());
            case 0xD0 -> text(in.getInt());
            case 0xE0 -> text(in.getLong());
            case 0xF0 -> text(int24(in));
            case 0xFE -> text(in.get());
            default -> {
                if (head < 0xF1 || head > 0xFD) {
                    throw new IllegalArgumentException("no ziplist has an element that begins with " + head);
                }
                yield text(head - 0xF1);
            }
        };
    }

    static List<byte[]> intset(byte[] packed) {
        ByteBuffer in = buffer(packed);
        int width = in.getInt();
        int count = in.getInt();
        List<byte[]> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            elements.add(text(
                    switch (width) {
                        case 2 -> in.getShort();
                        case 4 -> in.getInt();
                        case 8 -> in.getLong();
                        default -> throw new IllegalArgumentException("no intset has numbers of " + width + " bytes");
                    }));
        }
        return elements;
    }

    private static ByteBuffer buffer(byte[] packed) {
        return ByteBuffer.wrap(packed).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int unsigned(ByteBuffer in) {
        return in.get() & 0xFF;
    }

    private static int int24(ByteBuffer in) {
        return unsigned(in) | unsigned(in) << 8 | in.get() << 16;
    }

    private static byte[] bytes(ByteBuffer in, int length) {
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static byte[] text(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }
}
