package io.slipstream.benchmarks.journal;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.core.frame.Frame;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.record.JournalRecord;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Commits that are forced, one after another. With batches of a megabyte in MB/s, of frames and of raw bytes; with one
 * record a commit in commits a second, the raw ones with a block each.
 */
final class SyncContest implements Contest {
    private static final int BLOCK = 4096;
    private static final int MEGABYTE = 1 << 20;

    private final JournalConfig config;
    private final int commits;
    private final int perBatch;
    private final int batchBytes;
    private final int payloadBytes;
    private final MemorySegment frames;

    SyncContest(JournalConfig config, int payloadBytes, int batchBytes, int commits) {
        this.config = config;
        this.commits = commits;
        this.payloadBytes = payloadBytes;
        int aligned = Frame.align(JournalRecord.HEADER_BYTES + payloadBytes);
        this.perBatch = Math.max(1, (batchBytes - BLOCK) / aligned);
        this.batchBytes = perBatch * aligned;
        this.frames = Payload.frames(payloadBytes, perBatch);
    }

    @Override
    public double ours() throws Exception {
        Path folder = Folders.create();
        long nanos;
        try (Journal journal = Journal.open(folder, config)) {
            Folders.awaitSegments(folder, 1 + config.preparedSegments());
            long begin = System.nanoTime();
            for (int i = 0; i < commits; i++) {
                journal.append(frames, 0, batchBytes);
                journal.commit();
            }
            nanos = System.nanoTime() - begin;
            long count = journal.read(1, (memory, offset, length) -> {
                if (length != JournalRecord.HEADER_BYTES + payloadBytes) {
                    throw new IllegalStateException("a record has another length");
                }
            });
            if (count != (long) commits * perBatch) {
                throw new IllegalStateException("there are " + count + " records");
            }
        }
        Folders.remove(folder);
        return figure(nanos, batchBytes);
    }

    @Override
    public double peer() throws IOException {
        Path folder = Folders.create();
        int bytes = perBatch == 1 ? BLOCK : MEGABYTE;
        long nanos;
        try (FileChannel channel =
                FileChannel.open(folder.resolve("raw"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer block =
                    ByteBuffer.allocateDirect(bytes + BLOCK).alignedSlice(BLOCK).limit(bytes);
            for (long at = 0; at < (long) commits * bytes; at += bytes) {
                channel.write(block.rewind(), at);
            }
            channel.force(true);
            long begin = System.nanoTime();
            for (long at = 0; at < (long) commits * bytes; at += bytes) {
                channel.write(block.rewind(), at);
                channel.force(false);
            }
            nanos = System.nanoTime() - begin;
        }
        Folders.remove(folder);
        return figure(nanos, bytes);
    }

    private double figure(long nanos, int bytes) {
        return perBatch == 1 ? commits * 1e9 / nanos : (double) commits * bytes / MEGABYTE * 1e9 / nanos;
    }
}
