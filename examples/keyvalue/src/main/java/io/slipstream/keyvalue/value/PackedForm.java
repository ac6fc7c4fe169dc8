package io.slipstream.keyvalue.value;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A small collection as bytes in a row, so that it can lie outside the heap; for one thread. Streams have none.
 *
 * <pre>
 *   list, set    element ...
 *   hash         field, value ...
 *   sorted set   member, score (8 bytes) ...
 *   element      length (1 byte below 128, else 2), bytes
 * </pre>
 */
public final class PackedForm {
    /** The longest form; a longer collection is on the heap. */
    public static final int MAX_BYTES = 1024;

    /** The most elements, or fields. */
    public static final int MAX_ELEMENTS = 32;

    private static final int LONG_LENGTH = 0x80;

    private final byte[] bytes = new byte[MAX_BYTES];
    private final MemorySegment memory = MemorySegment.ofArray(bytes);
    private int length;
    private MemorySegment in = memory;
    private long at;

    /** Creates a form to be used again and again. */
    public PackedForm() {}

    /** Returns what {@link #pack} has written. */
    public MemorySegment memory() {
        return memory;
    }

    /** Packs a collection; returns how many bytes that takes, or -1 if it is more than {@code limit}. */
    public int pack(Value value, int limit) {
        if (value.size() > MAX_ELEMENTS || value.bytes() > 8 * MAX_BYTES) {
            return -1;
        }
        length = 0;
        boolean fits = switch (value) {
            case ListValue list -> {
                boolean all = true;
                for (int i = 0; all && i < list.size(); i++) {
                    all = add(list.get(i), limit);
                }
                yield all;
            }
            case SetValue set -> set.members().stream().allMatch(member -> add(member.array(), limit));
            case HashValue hash ->
                hash.fields().stream().allMatch(field -> add(field.name().array(), limit) && add(field.value(), limit));
            case SortedSet sorted -> add(sorted, limit);
            case StreamValue _ -> false;
        };
        return fits ? length : -1;
    }

    private boolean add(SortedSet sorted, int limit) {
        for (SortedSet.Node node : sorted) {
            if (!add(node.member().array(), limit - Double.BYTES)) {
                return false;
            }
            memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, length, node.score());
            length += Double.BYTES;
        }
        return true;
    }

    private boolean add(byte[] element, int limit) {
        if (length + 2 + element.length > limit) {
            return false;
        }
        if (element.length < LONG_LENGTH) {
            bytes[length++] = (byte) element.length;
        } else {
            bytes[length++] = (byte) (LONG_LENGTH | element.length >>> 8);
            bytes[length++] = (byte) element.length;
        }
        System.arraycopy(element, 0, bytes, length, element.length);
        length += element.length;
        return true;
    }

    /** Makes a collection of a type from its packed form. */
    public Value unpack(byte type, MemorySegment from, long offset, int size) {
        in = from;
        at = offset;
        long end = offset + size;
        switch (type) {
            case ListValue.TYPE -> {
                ListValue list = new ListValue();
                while (at < end) {
                    list.addLast(next());
                }
                return list;
            }
            case SetValue.TYPE -> {
                SetValue set = new SetValue();
                while (at < end) {
                    set.add(new Bytes(next()));
                }
                return set;
            }
            case HashValue.TYPE -> {
                HashValue hash = new HashValue();
                while (at < end) {
                    hash.put(new Bytes(next()), next());
                }
                return hash;
            }
            case SortedSet.TYPE -> {
                SortedSet sorted = new SortedSet();
                while (at < end) {
                    Bytes member = new Bytes(next());
                    sorted.put(member, in.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at));
                    at += Double.BYTES;
                }
                return sorted;
            }
            default -> throw new IllegalArgumentException("there is no type " + type);
        }
    }

    private byte[] next() {
        int size = in.get(ValueLayout.JAVA_BYTE, at++) & 0xFF;
        if (size >= LONG_LENGTH) {
            size = (size & ~LONG_LENGTH) << 8 | in.get(ValueLayout.JAVA_BYTE, at++) & 0xFF;
        }
        byte[] element = new byte[size];
        MemorySegment.copy(in, ValueLayout.JAVA_BYTE, at, element, 0, size);
        at += size;
        return element;
    }
}
