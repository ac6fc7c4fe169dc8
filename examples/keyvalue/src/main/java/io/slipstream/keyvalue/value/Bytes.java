package io.slipstream.keyvalue.value;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Some bytes that equal others by content, and are ordered as unsigned numbers are. */
public final class Bytes implements Comparable<Bytes> {
    private final byte[] array;
    /* Hash of the content, or 0 if it was not asked for yet: any thread comes to the same. */
    private long mixed;

    /**
     * Creates them.
     *
     * @param array which nobody changes any more
     */
    public Bytes(byte[] array) {
        this.array = array;
    }

    /** Returns the bytes; not to be changed. */
    public byte[] array() {
        return array;
    }

    /** Returns the bytes of a text in which a character is a byte. */
    public static Bytes of(String text) {
        return new Bytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Returns a copy of bytes that lie in memory. */
    public static byte[] copy(MemorySegment memory, long offset, int length) {
        byte[] copy = new byte[length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, copy, 0, length);
        return copy;
    }

    /** Returns a hash of 64 bits, the same on each machine. */
    public static long mix(byte[] bytes) {
        long hash = bytes.length;
        for (byte each : bytes) {
            hash = (hash ^ each & 0xFF) * 0x100_0000_01B3L;
        }
        return mix(hash);
    }

    /** Returns the {@link #hashCode()} of bytes that lie in memory. */
    public static int hashCode(MemorySegment memory, long offset, int length) {
        long hash = length;
        for (int i = 0; i < length; i++) {
            hash = (hash ^ memory.get(ValueLayout.JAVA_BYTE, offset + i) & 0xFF) * 0x100_0000_01B3L;
        }
        return (int) mix(hash);
    }

    /** Returns a hash of bytes that lie in memory. */
    public static long mix(MemorySegment memory, long offset, int length) {
        long mixed = length;
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            mixed = mix(mixed ^ memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + at));
        }
        for (; at < length; at++) {
            mixed = mixed * 31 + memory.get(ValueLayout.JAVA_BYTE, offset + at);
        }
        return mix(mixed);
    }

    /** Spreads the bits of a number. */
    public static long mix(long value) {
        long mixed = (value ^ value >>> 32) * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ mixed >>> 29) * 0xBF58_476D_1CE4_E5B9L;
        return mixed ^ mixed >>> 32;
    }

    /** Returns {@link #mix(byte[])} of these bytes. */
    public long mixed() {
        long known = mixed;
        if (known == 0) {
            known = mix(array);
            mixed = known;
        }
        return known;
    }

    /** Returns them as a text in which a character is a byte. */
    public String text() {
        return new String(array, StandardCharsets.ISO_8859_1);
    }

    /** Returns whether they are a number of 64 bits, written as a program would write it. */
    public boolean isInteger() {
        if (array.length == 0 || array.length > 20) {
            return false;
        }
        try {
            String text = text();
            return Long.toString(Long.parseLong(text)).equals(text);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(array, other.array);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
    }

    @Override
    public int hashCode() {
        return (int) mixed();
    }

    @Override
    public String toString() {
        return text();
    }
}
