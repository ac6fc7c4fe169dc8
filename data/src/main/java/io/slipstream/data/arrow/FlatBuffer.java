package io.slipstream.data.arrow;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a table and what it refers to as a FlatBuffer. Each node comes before those that it refers to, as their
 * offsets count forward from where they stand; the offsets within a table come right before it.
 */
final class FlatBuffer {
    private static final int OFFSET_BYTES = 4;

    private ByteBuffer bytes = ByteBuffer.allocate(1 << 10).order(ByteOrder.LITTLE_ENDIAN);
    private int end = OFFSET_BYTES;

    private FlatBuffer() {}

    /** What an offset can lead to. */
    sealed interface Node {}

    /** A text. */
    record Text(String value) implements Node {}

    /** A vector of nodes. */
    record Nodes(List<? extends Node> nodes) implements Node {}

    /** A vector of structs, each of them of {@code longsEach} longs. */
    record Structs(int longsEach, long[] values) implements Node {}

    /** A table, whose fields have the numbers of their order in the schema. */
    static final class Table implements Node {
        private final List<Slot> slots = new ArrayList<>();

        /** Adds a number, or an enum, boolean or kind of a union, of 1, 2, 4 or 8 bytes. */
        Table number(int field, int size, long value) {
            slots.add(new Slot(field, size, value, null));
            return this;
        }

        /** Adds a text, vector or table. */
        Table node(int field, Node node) {
            slots.add(new Slot(field, OFFSET_BYTES, 0, node));
            return this;
        }
    }

    private record Slot(
            int field, int size, long value, @Nullable Node node) {}

    /** Returns the bytes of a root table. They are to stand at a multiple of eight. */
    static byte[] of(Table root) {
        FlatBuffer buffer = new FlatBuffer();
        buffer.refer(0, buffer.write(root));
        byte[] written = new byte[buffer.end];
        buffer.bytes.get(0, written);
        return written;
    }

    private void refer(int from, int to) {
        bytes.putInt(from, to - from);
    }

    /** Returns where the node begins. */
    private int write(Node node) {
        return switch (node) {
            case Table table -> write(table);
            case Text(String value) -> {
                byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
                int at = reserve(0, OFFSET_BYTES, OFFSET_BYTES + utf8.length + 1);
                bytes.putInt(at, utf8.length);
                bytes.put(at + OFFSET_BYTES, utf8);
                yield at;
            }
            case Nodes(List<? extends Node> nodes) -> {
                int at = reserve(0, OFFSET_BYTES, OFFSET_BYTES * (1 + nodes.size()));
                bytes.putInt(at, nodes.size());
                for (int i = 0; i < nodes.size(); i++) {
                    refer(at + OFFSET_BYTES * (1 + i), write(nodes.get(i)));
                }
                yield at;
            }
            case Structs(int longsEach, long[] values) -> {
                int at = reserve(OFFSET_BYTES, Long.BYTES, OFFSET_BYTES + Long.BYTES * values.length);
                bytes.putInt(at, values.length / longsEach);
                for (int i = 0; i < values.length; i++) {
                    bytes.putLong(at + OFFSET_BYTES + Long.BYTES * i, values[i]);
                }
                yield at;
            }
        };
    }

    private int write(Table table) {
        // The longest first, behind an offset that ends at a multiple of eight: so all are aligned without gaps.
        List<Slot> slots = table.slots.stream()
                .sorted(Comparator.comparingInt(Slot::size).reversed())
                .toList();
        int fields = slots.stream().mapToInt(Slot::field).max().orElse(-1) + 1;
        int offsets = reserve(0, Short.BYTES, Short.BYTES * (2 + fields));
        int at = reserve(
                OFFSET_BYTES,
                Long.BYTES,
                OFFSET_BYTES + slots.stream().mapToInt(Slot::size).sum());
        bytes.putInt(at, at - offsets);
        bytes.putShort(offsets, (short) (Short.BYTES * (2 + fields)));
        bytes.putShort(offsets + Short.BYTES, (short) (end - at));
        int place = at + OFFSET_BYTES;
        for (Slot slot : slots) {
            bytes.putShort(offsets + Short.BYTES * (2 + slot.field()), (short) (place - at));
            put(place, slot);
            place += slot.size();
        }
        place = at + OFFSET_BYTES;
        for (Slot slot : slots) {
            if (slot.node() != null) {
                refer(place, write(slot.node()));
            }
            place += slot.size();
        }
        return at;
    }

    private void put(int at, Slot slot) {
        switch (slot.size()) {
            case 1 -> bytes.put(at, (byte) slot.value());
            case 2 -> bytes.putShort(at, (short) slot.value());
            case 4 -> bytes.putInt(at, (int) slot.value());
            default -> bytes.putLong(at, slot.value());
        }
    }

    /** Takes so many zeros from the next place on that is {@code rest} above a multiple of {@code alignment}. */
    private int reserve(int rest, int alignment, int size) {
        int at = end + Math.floorMod(rest - end, alignment);
        end = at + size;
        if (end > bytes.capacity()) {
            bytes = ByteBuffer.allocate(Math.max(end, 2 * bytes.capacity()))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(0, bytes, 0, bytes.capacity());
        }
        return at;
    }
}
