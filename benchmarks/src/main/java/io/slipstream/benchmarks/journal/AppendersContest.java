package io.slipstream.benchmarks.journal;

import io.slipstream.benchmarks.Contest;
import io.slipstream.core.ring.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.ring.SmartBatcher;
import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.WaitStrategy;
import io.slipstream.core.thread.Worker;
import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalConfig;
import io.slipstream.journal.Record;
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
    private static final int RING_BYTES = 1 << 20;

    private final JournalConfig config;
    private final int payloadBytes;
    private final int appenders;
    private final long nanos;

    AppendersContest(JournalConfig config, int payloadBytes, int appenders, int seconds) {
        this.config = config;
        this.payloadBytes = payloadBytes;
        this.appenders = appenders;
        this.nanos = seconds * 1_000_000_000L;
    }

    @Override
    public double ours() throws Exception {
        Path folder = Folders.create();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        double figure;
        try (Journal journal = Journal.open(folder, config); FrameRing ring = new FrameRing(RING_BYTES)) {
            FramePoller poller = new FramePoller(ring);
            Signal signal = new Signal();
            Object committed = new Object();
            ring.addGating(poller.sequence());
            ring.addSignal(signal);
            SmartBatcher batcher = new SmartBatcher(ring, poller, RING_BYTES / 2, (memory, offset, bytes) -> {
                journal.append(memory, offset, bytes);
                journal.commit();
            });
            try (Worker worker = new Worker("journal", WaitStrategy.parking(), signal, List.of(() -> {
                int bytes = batcher.work();
                if (bytes > 0) {
                    synchronized (committed) {
                        committed.notifyAll();
                    }
                }
                return bytes;
            }), failure::set)) {
                worker.start();
                figure = run(() -> {
                    long position = append(ring);
                    long end = position + Frame.align(Record.HEADER_BYTES + payloadBytes);
                    synchronized (committed) {
                        while (poller.sequence().getAcquire() < end && failure.get() == null) {
                            committed.wait(1000);
                        }
                    }
                });
            }
            if (failure.get() != null || journal.read(1, (memory, offset, length) -> { }) == 0) {
                throw new IllegalStateException("the journal has failed", failure.get());
            }
        }
        Folders.remove(folder);
        return figure;
    }

    @Override
    public double peer() throws Exception {
        Path folder = Folders.create();
        double figure;
        int bytes = Frame.align(Record.HEADER_BYTES + payloadBytes);
        try (FileChannel channel = FileChannel.open(folder.resolve("raw"), StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE)) {
            ByteBuffer megabyte = ByteBuffer.allocateDirect(1 << 20);
            for (int i = 0; i < 16; i++) {
                channel.write(megabyte.rewind(), (long) i << 20);
            }
            channel.force(true);
            ByteBuffer frame = Payload.frames(payloadBytes, 1).asByteBuffer();
            long[] position = {0};
            figure = run(() -> {
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

    private long append(FrameRing ring) {
        long position = ring.tryClaim(Record.HEADER_BYTES + payloadBytes - Frame.HEADER_BYTES);
        if (position == FrameRing.NO_ROOM) {
            throw new IllegalStateException("no room in the ring");
        }
        MemorySegment memory = ring.memory();
        long offset = ring.offset(position);
        Record.header(memory, offset, Record.HEADER_BYTES + payloadBytes, (short) 1, (byte) 1, (byte) 0);
        Payload.number(memory, offset, position);
        ring.publish(position);
        return position;
    }

    private double run(Append append) throws Exception {
        long begin = System.nanoTime();
        long[] counts = new long[appenders * 16];
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < appenders; i++) {
            int number = i * 16;
            threads.add(Thread.ofPlatform().start(() -> {
                try {
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
        return sum * 1e9 / (System.nanoTime() - begin);
    }

    private interface Append {
        void run() throws Exception;
    }
}
