package io.slipstream.service.host;

import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.Worker;
import io.slipstream.journal.storage.FileStorage;
import io.slipstream.journal.storage.Storage;
import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** The clock, the sockets, the disk and the threads of this process. */
final class SystemHost implements Host {
    static final SystemHost INSTANCE = new SystemHost();

    private final SecureRandom secrets = new SecureRandom();

    private SystemHost() {}

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long epochNanos() {
        Instant now = Instant.now();
        try {
            return Math.addExact(Math.multiplyExact(now.getEpochSecond(), 1_000_000_000L), now.getNano());
        } catch (ArithmeticException e) {
            // Nanoseconds count from 1677 to 2262.
            return now.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    @Override
    public long secret() {
        return secrets.nextLong();
    }

    @Override
    public SelectorProvider network() {
        return SelectorProvider.provider();
    }

    @Override
    public Storage storage(Path directory) throws IOException {
        return FileStorage.open(directory);
    }

    @Override
    public Task task(Worker.Builder worker) {
        return new WorkerTask(worker.build());
    }

    @Override
    public void run(String name, Runnable action) {
        Thread.ofPlatform().name(name).start(action);
    }

    @Override
    public Alarm alarm(LongSupplier deadline, Signal signal) {
        TimerAlarm alarm = new TimerAlarm(deadline, signal, this);
        alarm.start();
        return alarm;
    }

    @Override
    public Alarm watch(String name, long pauseNanos, Runnable look) {
        RepeatedLook watch = new RepeatedLook(name, pauseNanos, look);
        watch.start();
        return watch;
    }

    @Override
    public void pause(long nanos) {
        LockSupport.parkNanos(nanos);
    }
}
