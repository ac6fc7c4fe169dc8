package io.slipstream.journal;

import io.slipstream.core.frame.Frame;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.journal.record.JournalRecord;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Records whose payload is a text. */
final class Records {
    static final short TYPE = 7;

    private Records() {}

    /** Returns frames side by side. */
    static MemorySegment frames(List<String> payloads) {
        int bytes = payloads.stream()
                .mapToInt(p -> Frame.align(JournalRecord.HEADER_BYTES + bytes(p).length))
                .sum();
        MemorySegment memory = Arena.ofAuto().allocate(bytes, Frame.ALIGNMENT).fill((byte) 0x5A);
        long at = 0;
        for (String payload : payloads) {
            byte[] bytesOfPayload = bytes(payload);
            int length = JournalRecord.HEADER_BYTES + bytesOfPayload.length;
            JournalRecord.header(memory, at, length, TYPE, (byte) 1, (byte) 0);
            MemorySegment.copy(
                    bytesOfPayload,
                    0,
                    memory,
                    ValueLayout.JAVA_BYTE,
                    at + JournalRecord.HEADER_BYTES,
                    bytesOfPayload.length);
            at += Frame.align(length);
        }
        return memory;
    }

    static void append(Journal journal, String... payloads) throws JournalException {
        MemorySegment memory = frames(List.of(payloads));
        journal.append(memory, 0, (int) memory.byteSize());
    }

    static void appendAndCommit(Journal journal, String... payloads) throws JournalException {
        append(journal, payloads);
        journal.commit();
    }

    static List<String> read(Journal journal, long fromSequence) throws JournalException {
        List<String> payloads = new ArrayList<>();
        long[] due = {fromSequence};
        journal.read(fromSequence, (memory, offset, length) -> {
            if (JournalRecord.sequence(memory, offset) != due[0]++) {
                throw new AssertionError(
                        "sequence " + JournalRecord.sequence(memory, offset) + " instead of " + (due[0] - 1));
            }
            payloads.add(payload(memory, offset, length));
        });
        return payloads;
    }

    static String payload(MemorySegment memory, long offset, int length) {
        byte[] bytes = memory.asSlice(offset + JournalRecord.HEADER_BYTES, length - JournalRecord.HEADER_BYTES)
                .toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String payload) {
        return payload.getBytes(StandardCharsets.UTF_8);
    }
}
