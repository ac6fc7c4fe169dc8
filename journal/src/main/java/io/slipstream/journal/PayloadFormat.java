package io.slipstream.journal;

import java.lang.foreign.MemorySegment;

/** Turns payloads into text for the tools; found by {@link java.util.ServiceLoader}. */
public interface PayloadFormat {
    /** Returns whether this format knows payloads of records of this type and version. */
    boolean knows(short type, byte version);

    /**
     * Returns the payload as a text of one line.
     *
     * @param memory where the record is
     * @param offset of the record's header
     * @param length of header and payload in bytes
     */
    String toText(MemorySegment memory, long offset, int length);
}
