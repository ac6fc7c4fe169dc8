package io.slipstream.benchmarks.journal;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.core.frame.Frame;
import io.slipstream.journal.GroupCommit;
import io.slipstream.journal.Journal;
import io.slipstream.journal.config.JournalConfig;
import io.slipstream.journal.record.JournalRecord;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Many threads append, each the next record when its last one is durable; in records a second. */
final class AppendersContest implements Contest {
    private final JournalConfig config;
    private final int payloadBytes;
    private final int appenders;
    private final long nanos;
    private long appended;

    AppendersContest(JournalConfig config, int payloadBytes, int appenders, int seconds) {
        this.config = config;
        this.payloadBytes = payloadBytes;
        this.appenders = appenders;
        this.nanos = seconds * 1_000_000_000L;
    }

    @Override
    public double ours() throws Exception {
        Path folder = Folders.create();
        double figure;
        try (Journal journal = Journal.open(folder, config)) {
            GroupCommit group = new GroupCommit(journal);
            figure = run(() -> {
                GroupCommit.Member member = group.join();
                MemorySegment frame = Payload.frames(payloadBytes, 1);
                int bytes = (int) frame.byteSize();
                return () -> member.append(frame, 0, bytes);
            });
            if (journal.read(1, (memory, offset, length) -> {}) != appended) {
                throw new IllegalStateException("not all of the " + appended + " records are there");
            }
        }
        Folders.remove(folder);
        return figure;
    }

    @Override
    public double peer() throws Exception {
        Path folder = Folders.create();
        double figure;
        int bytes = Frame.align(JournalRecord.HEADER_BYTES + payloadBytes);
        try (FileChannel channel =
                FileChannel.open(folder.resolve("raw"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer megabyte = ByteBuffer.allocateDirect(1 << 20);
            for (int i = 0; i < 16; i++) {
                channel.write(megabyte.rewind(), (long) i << 20);
            }
            channel.force(true);
            ByteBuffer frame = Payload.frames(payloadBytes, 1).asByteBuffer();
            long[] position = {0};
            figure = run(() -> () -> {
                synchronized (channel) {
                    channel.write(frame.rewind(), position[0]);
                    channel.force(false);
                    position[0] += bytes;
                }
            });
        }
        Folders.remove(folder);
        return figure;
    }

    private double run(Appender appender) throws Exception {
        long begin = System.nanoTime();
        long[] counts = new long[appenders * 16];
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < appenders; i++) {
            int number = i * 16;
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    Append append = appender.create();
                    while (System.nanoTime() - begin < nanos) {
                        append.run();
                        counts[number]++;
                    }
                } catch (Exception e) {
                    failure.set(e);
                }
            }));
        }
        long sum = 0;
        for (int i = 0; i < appenders; i++) {
            threads.get(i).join();
            sum += counts[i * 16];
        }
        if (failure.get() != null) {
            throw new IllegalStateException(failure.get());
        }
        appended = sum;
        return sum * 1e9 / (System.nanoTime() - begin);
    }

    /** What each thread appends with, made by itself. */
    private interface Appender {
        Append create() throws Exception;
    }

    private interface Append {
        void run() throws Exception;
    }
}
