package io.slipstream.benchmarks.service;

import io.slipstream.benchmarks.suite.Contest;
import io.slipstream.journal.config.Durability;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.protocol.Status;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A snapshot is loaded and the log behind it applied, beside reading all these bytes once. */
final class StartContest implements Contest {
    private static final int FRAME_BYTES = 112;

    private final Scratch scratch = new Scratch();
    private final ServiceConfig config = NativeContest.config(scratch, Durability.PROCESS);
    private final long stateBytes;
    private final int tail;
    private final long hash;
    private final MemorySegment memory;

    StartContest(long stateBytes, int tail) throws Exception {
        this.stateBytes = stateBytes;
        this.tail = tail;
        this.memory = Large.memory(stateBytes);
        try (Service service = Service.start(config, new Large(memory));
                BareClients clients = new BareClients(service.port(), 4, 64, 64)) {
            clients.run(1000);
            service.snapshot().get();
            clients.run(tail);
        }
        this.hash = Service.replay(config, new Large(memory)).stateHash();
    }

    @Override
    public double ours() throws IOException {
        long begin = System.nanoTime();
        Status status = Service.replay(config, new Large(memory));
        double millis = (System.nanoTime() - begin) / 1e6;
        if (status.replayed() < tail || status.stateHash() != hash) {
            throw new IllegalStateException("another state, or not all was replayed: " + status);
        }
        return millis;
    }

    @Override
    public double peer() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(config.directory())) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
        long begin = System.nanoTime();
        // What was only made ready for the log counts for nobody.
        long left = stateBytes + (long) tail * FRAME_BYTES;
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file)) {
                boolean isSnapshot =
                        Files.size(file) >= stateBytes && file.toString().contains("snap");
                long most = isSnapshot ? Files.size(file) : Math.min(Files.size(file), (long) tail * FRAME_BYTES);
                while (most > 0 && left > 0) {
                    int read = channel.read(buffer.clear());
                    if (read <= 0) {
                        break;
                    }
                    most -= read;
                    left -= read;
                }
            }
        }
        if (left > stateBytes / 2) {
            throw new IllegalStateException(left + " bytes were not found in " + files);
        }
        return (System.nanoTime() - begin) / 1e6;
    }

    @Override
    public void close() throws IOException {
        scratch.close();
    }
}
