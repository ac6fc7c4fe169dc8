package io.slipstream.data.wire;

import io.slipstream.data.DecodeException;
import io.slipstream.data.EncodeException;
import io.slipstream.data.schema.Definition;
import java.lang.foreign.MemorySegment;

/**
 * How values of one record are written and read: a header of eight bytes, a block in which every field has its place,
 * and behind it the parts of which the block says where they begin. Generated classes extend it.
 *
 * @param <T> the Java type
 */
public abstract class Struct<T> {
    /** Bytes of the header. */
    public static final int HEADER_BYTES = Long.BYTES;

    private final Definition definition;
    private final long[] headers;
    private final Place place;

    /** Creates it for a definition. */
    protected Struct(Definition definition) {
        this.definition = definition;
        headers = new long[definition.version() + 1];
        for (int version = 1; version < headers.length; version++) {
            headers[version] = definition.header(version);
        }
        place = new Place(definition.name(), 0, -1, false);
    }

    /** Returns what the bytes look like. */
    public final Definition definition() {
        return definition;
    }

    /** Returns the header of the newest version. */
    protected abstract long header();

    /** Returns what a view shows, as text. */
    protected String text(Object view) {
        return definition.name();
    }

    /** Returns the bytes of the block of the newest version. */
    protected abstract int blockBytes();

    /**
     * Writes block and parts.
     *
     * @param value to be written
     * @param m where to write
     * @param base offset of the message
     * @param block offset of the block from {@code base}
     * @param end of what is written so far, the block counted in, from {@code base}
     * @param limit of the message's length
     * @param depth of records within each other
     * @return the new end
     */
    protected abstract int write(T value, MemorySegment m, long base, int block, int end, int limit, int depth);

    /**
     * Reads block and parts.
     *
     * @param in the message
     * @param block offset of the block in the message; it lies within the message
     * @param version of the value
     */
    protected abstract T read(Input in, int block, int version);

    /** Returns the bytes of the parts of a value. */
    protected abstract int tail(T value, int depth);

    /** Writes a whole value at {@code end}; returns the new end. */
    protected int writeWhole(T value, MemorySegment m, long base, int end, int limit, int depth) {
        int block = end + HEADER_BYTES;
        int tail = block + blockBytes();
        if (tail > limit || tail < 0) {
            throw noRoom(tail, limit);
        }
        Bytes.putLong(m, base + end, header());
        return write(value, m, base, block, tail, limit, depth);
    }

    /** Reads a whole value that begins at {@code start}. */
    protected T readWhole(Input in, int start) {
        int block = start + HEADER_BYTES;
        if (block > in.length) {
            throw place.endsBefore(start, block, in.length);
        }
        long header = Bytes.getLong(in.memory, in.base + start);
        int version = version(header, start);
        int tail = block + Header.blockBytes(header);
        if (tail > in.length) {
            throw place.endsBefore(start, tail, in.length);
        }
        in.cursor = tail;
        return read(in, block, version);
    }

    /** Returns the bytes of a whole value. */
    protected int wholeBytes(T value, int depth) {
        return HEADER_BYTES + blockBytes() + tail(value, depth);
    }

    /** Returns the version that a header names, unless it is that of something else. */
    protected final int version(long header, int start) {
        return header == header() ? headers.length - 1 : otherVersion(header, start);
    }

    private int otherVersion(long header, int start) {
        if (Header.typeId(header) != definition.id()) {
            throw place.bad(start, "the bytes are of type " + Header.typeId(header) + ", not " + definition.id());
        }
        int version = Header.version(header);
        if (version == 0) {
            throw place.bad(start, "the bytes are of version 0, but versions count from 1");
        }
        if (version < headers.length && header != headers[version]) {
            throw place.bad(
                    start,
                    "the bytes are of version " + version + " of another schema: its fingerprint is "
                            + Integer.toHexString(Header.fingerprint(header)) + " and its block has "
                            + Header.blockBytes(header)
                            + " bytes, not " + Integer.toHexString(Header.fingerprint(headers[version])) + " and "
                            + Header.blockBytes(headers[version]));
        }
        if (version >= headers.length && Header.blockBytes(header) < blockBytes()) {
            throw place.bad(
                    start,
                    "the bytes are of the newer version " + version + ", but their block of "
                            + Header.blockBytes(header) + " bytes is shorter than the " + blockBytes() + " of version "
                            + (headers.length - 1));
        }
        return version;
    }

    /** Returns the exception for a message that is longer than the room for it. */
    protected final EncodeException noRoom(long needed, int limit) {
        return place.noRoom(needed, limit);
    }

    /** Returns the exception for a message that ends before its block does. */
    protected final DecodeException endsBefore(long needed, int length) {
        return place.endsBefore(0, needed, length);
    }

    final EncodeException tooOld(int version, int since, String field) {
        return new EncodeException(
                definition.name() + "." + field,
                "is there since version " + since + ", but the message is of version " + version
                        + "; decode it, and encode it anew to set this field");
    }

    final EncodeException tooDeep() {
        return place.wrong("is nested deeper than " + Input.MAX_DEPTH + " records");
    }
}
