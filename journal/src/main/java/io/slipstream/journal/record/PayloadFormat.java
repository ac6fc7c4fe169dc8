package io.slipstream.journal.record;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Turns payloads into text for the tools; found by {@link java.util.ServiceLoader}. */
public interface PayloadFormat {
    /** Returns whether this format knows payloads of records of this type and version. */
    boolean knows(short type, byte version);

    /**
     * Returns the payload as a text of one line, or null if it is none that this format can decode: then another one
     * may, or it is shown in hexadecimal. The bytes may be anything.
     *
     * @param memory where the record is
     * @param offset of the record's header
     * @param length of header and payload in bytes
     */
    @Nullable
    String toText(MemorySegment memory, long offset, int length);
}
