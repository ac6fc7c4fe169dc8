package io.slipstream.benchmarks.journal;

import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;

/** Chronicle Queue as its manual shows it: bytes written and read through one reused native buffer. */
final class ChronicleJournal {
    private ChronicleJournal() {}

    static ChronicleQueue open(Path folder) {
        return ChronicleQueue.singleBuilder(folder.toFile()).build();
    }

    /** Appends {@code records} records and returns the nanoseconds. */
    static long append(Path folder, int payloadBytes, int records) {
        Bytes<?> bytes = Bytes.allocateDirect(payloadBytes);
        for (int i = 0; i < payloadBytes; i++) {
            bytes.writeByte((byte) i);
        }
        try (ChronicleQueue queue = open(folder);
                ExcerptAppender appender = queue.createAppender()) {
            long begin = System.nanoTime();
            for (long number = 0; number < records; number++) {
                bytes.readPosition(0).writePosition(payloadBytes);
                bytes.writeLong(0, number);
                appender.writeBytes(bytes);
            }
            return System.nanoTime() - begin;
        } finally {
            bytes.releaseLast();
        }
    }

    /** Reads everything and returns the sum. */
    static long read(ChronicleQueue queue, int payloadBytes) {
        Bytes<?> bytes = Bytes.allocateDirect(payloadBytes);
        try (ExcerptTailer tailer = queue.createTailer()) {
            long sum = 0;
            while (tailer.readBytes(bytes)) {
                sum = sum * 31 + bytes.readLong(0) * Payload.SUM_FACTOR;
                bytes.clear();
            }
            return sum;
        } finally {
            bytes.releaseLast();
        }
    }
}
