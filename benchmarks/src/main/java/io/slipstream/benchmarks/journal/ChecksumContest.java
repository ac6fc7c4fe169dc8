package io.slipstream.benchmarks.journal;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.core.frame.Frame;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.record.JournalRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** Appending beside computing the same checksums and nothing else: how much of the time they are. */
final class ChecksumContest implements Contest {
    private static final int FRAMES = 1000;

    private final JournalConfig config;
    private final int payloadBytes;
    private final int records;
    private final ByteBuffer frames;
    private long sum;

    ChecksumContest(JournalConfig config, int payloadBytes, int records) {
        this.config = config;
        this.payloadBytes = payloadBytes;
        this.records = records / FRAMES * FRAMES;
        this.frames = Payload.frames(payloadBytes, FRAMES).asByteBuffer();
    }

    @Override
    public double ours() throws IOException {
        Path folder = Folders.create();
        long nanos = OurJournal.append(folder, config, payloadBytes, records, 1);
        Folders.remove(folder);
        return records * 1_000.0 / nanos;
    }

    @Override
    public double peer() {
        CRC32C crc = new CRC32C();
        int aligned = Frame.align(JournalRecord.HEADER_BYTES + payloadBytes);
        long begin = System.nanoTime();
        for (int i = 0; i < records; i++) {
            int at = i % FRAMES * aligned;
            crc.reset();
            frames.limit(at + aligned).position(at + JournalRecord.TYPE_OFFSET);
            crc.update(frames);
            sum += crc.getValue();
        }
        long nanos = System.nanoTime() - begin;
        if (sum == 0) {
            throw new IllegalStateException("no checksum was computed");
        }
        return records * 1_000.0 / nanos;
    }
}
