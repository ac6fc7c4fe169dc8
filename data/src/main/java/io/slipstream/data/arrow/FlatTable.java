package io.slipstream.data.arrow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A table of a FlatBuffer that is read. Nothing is trusted: what leads outside the bytes is an {@link
 * IndexOutOfBoundsException}.
 */
final class FlatTable {
    private static final int OFFSET_BYTES = 4;

    private final ByteBuffer bytes;
    private final int at;

    private FlatTable(ByteBuffer bytes, int at) {
        this.bytes = bytes;
        this.at = at;
    }

    /** Returns the root table of these bytes. */
    static FlatTable root(byte[] bytes) {
        ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return new FlatTable(all, all.getInt(0));
    }

    private int slot(int field) {
        int offsets = at - bytes.getInt(at);
        int place = OFFSET_BYTES + Short.BYTES * field;
        return place < Short.toUnsignedInt(bytes.getShort(offsets))
                ? Short.toUnsignedInt(bytes.getShort(offsets + place))
                : 0;
    }

    boolean has(int field) {
        return slot(field) != 0;
    }

    /** Returns a number of 1, 2, 4 or 8 bytes. */
    long number(int field, int size, long without) {
        int slot = slot(field);
        if (slot == 0) {
            return without;
        }
        return switch (size) {
            case 1 -> bytes.get(at + slot);
            case 2 -> bytes.getShort(at + slot);
            case 4 -> bytes.getInt(at + slot);
            default -> bytes.getLong(at + slot);
        };
    }

    private int refer(int place) {
        return place + bytes.getInt(place);
    }

    @Nullable
    FlatTable table(int field) {
        int slot = slot(field);
        return slot == 0 ? null : new FlatTable(bytes, refer(at + slot));
    }

    /** Returns a table that must be there. */
    FlatTable need(int field, String what) throws IOException {
        FlatTable table = table(field);
        if (table == null) {
            throw new IOException("the Arrow data is damaged: " + what + " is missing");
        }
        return table;
    }

    /** Returns a text; the empty one if there is none. */
    String text(int field) {
        int slot = slot(field);
        if (slot == 0) {
            return "";
        }
        int text = refer(at + slot);
        int length = count(text, 1);
        if (length < 0) {
            throw new IndexOutOfBoundsException("a text ends behind the bytes");
        }
        byte[] utf8 = new byte[length];
        bytes.get(text + OFFSET_BYTES, utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /** Returns how many elements a vector has; each takes at least {@code bytesEach}. */
    int count(int field, String what, int bytesEach) throws IOException {
        int slot = slot(field);
        if (slot == 0) {
            return 0;
        }
        int count = count(refer(at + slot), bytesEach);
        if (count < 0) {
            throw new IOException("the Arrow data is damaged: " + what + " are more than there are bytes");
        }
        return count;
    }

    /** Returns the count of a vector, or -1 if there are not so many bytes. */
    private int count(int vector, int bytesEach) {
        int count = bytes.getInt(vector);
        return count < 0 || count > (bytes.capacity() - vector - OFFSET_BYTES) / bytesEach ? -1 : count;
    }

    /** Returns a table of a vector. */
    FlatTable tableAt(int field, int index) {
        int element = refer(at + slot(field)) + OFFSET_BYTES * (1 + index);
        return new FlatTable(bytes, refer(element));
    }

    /** Returns a long of a vector of longs, or of structs that have nothing else. */
    long longAt(int field, int index) {
        return bytes.getLong(refer(at + slot(field)) + OFFSET_BYTES + Long.BYTES * index);
    }
}
