package io.slipstream.data.wire;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * What a generated flyweight knows of the bytes that it looks at. The names begin with a dollar sign, as those of the
 * getters beside them are the user's.
 */
public abstract class View {
    /** Where the message is. */
    protected MemorySegment $memory = MemorySegment.NULL;

    /** Offset of the message. */
    protected long $base;

    /** Offset of the block. */
    protected long $block;

    /** Length of the message. */
    protected int $length;

    /** Version of the message. */
    protected int $version;

    private final Struct<?> struct;
    private int room;
    private int lastPart;

    /** Creates a view of nothing. */
    protected View(Struct<?> struct) {
        this.struct = struct;
    }

    /** Looks at a message. */
    public abstract void $wrap(MemorySegment memory, long offset, int length);

    /** Begins a message all of whose fields are zero, empty or absent. */
    public abstract void $begin(MemorySegment memory, long offset, int atMost);

    /**
     * Does what {@link #$wrap} does.
     *
     * @param ownHeader that messages of this version have; a constant of the generated class, as all that is known of
     *                  the schema, so that the compiler knows it
     * @param ownVersion of the schema
     */
    protected final void $wrap(MemorySegment memory, long offset, int length, long ownHeader, int ownVersion) {
        Objects.checkFromIndexSize(offset, length, memory.byteSize());
        if (length < Struct.HEADER_BYTES) {
            throw struct.endsBefore(Struct.HEADER_BYTES, length);
        }
        long header = Bytes.getLong(memory, offset);
        int version = header == ownHeader ? ownVersion : struct.version(header, 0);
        if (length < Struct.HEADER_BYTES + Header.blockBytes(header)) {
            throw struct.endsBefore(Struct.HEADER_BYTES + Header.blockBytes(header), length);
        }
        $version = version;
        moveTo(memory);
        $base = offset;
        $block = offset + Struct.HEADER_BYTES;
        $length = length;
        room = 0;
    }

    /** Does what {@link #$begin} does; with the constants of the generated class, as in {@link #$wrap}. */
    protected final void $begin(MemorySegment memory, long offset, int atMost, long ownHeader, int ownVersion) {
        Objects.checkFromIndexSize(offset, atMost, memory.byteSize());
        int blockBytes = Header.blockBytes(ownHeader);
        int end = Struct.HEADER_BYTES + blockBytes;
        if (atMost < end) {
            throw struct.noRoom(end, atMost);
        }
        Bytes.putLong(memory, offset, ownHeader);
        Bytes.clear(memory, offset + Struct.HEADER_BYTES, blockBytes);
        $version = ownVersion;
        moveTo(memory);
        $base = offset;
        $block = offset + Struct.HEADER_BYTES;
        $length = end;
        room = atMost;
        lastPart = -1;
    }

    /** Most messages lie in the memory of the one before, and to store a reference costs the collector's barrier. */
    @SuppressWarnings("MemorySegmentReferenceEquality")
    private void moveTo(MemorySegment memory) {
        if ($memory != memory) {
            $memory = memory;
        }
    }

    /** Returns the length of the message. */
    public final int $length() {
        return $length;
    }

    /** Returns an input that reads any one part. */
    protected final Input $input() {
        return new Input($memory, $base, $length, Struct.HEADER_BYTES);
    }

    /** Before a field is set that version {@code since} added: the block of an older message ends before it. */
    protected final void $requireVersion(int since, String field) {
        if ($version < since) {
            throw struct.tooOld($version, since, field);
        }
    }

    /** Appends a part. */
    protected final void $append(PartSlot slot, Object value) {
        Place place = slot.place();
        if (room == 0) {
            throw place.wrong(
                    "has no fixed size, so it can be set only in a message that is being written," + " after begin");
        }
        if (place.offset() <= lastPart) {
            throw place.wrong("was set after a field that follows it; set the fields that have no fixed size"
                    + " in their order,"
                    + " and once");
        }
        $length = slot.write(value, $memory, $base, Struct.HEADER_BYTES, $length, room, 0);
        lastPart = place.offset();
    }

    @Override
    public final String toString() {
        return $memory.equals(MemorySegment.NULL) ? struct.definition().name() + " of nothing" : struct.text(this);
    }
}
