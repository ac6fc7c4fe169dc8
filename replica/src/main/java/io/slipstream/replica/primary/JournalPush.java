package io.slipstream.replica.primary;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Signal;
import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.errors.JournalException;
import io.slipstream.replica.site.FencedException;
import io.slipstream.replica.site.Role;
import io.slipstream.replica.site.Site;
import io.slipstream.replica.wire.Kind;
import io.slipstream.replica.wire.Link;
import io.slipstream.replica.wire.WireException;
import io.slipstream.service.host.Host;
import io.slipstream.service.host.Threads;
import io.slipstream.service.spi.LogGate;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Pushes the journal of a service to its backup site; give it to {@code ServiceConfig.withLogGate}.
 *
 * <p>The service asks the backup before it serves: a former primary learns there that the backup was promoted, and
 * serves no more. One that hears of it while it runs ends with {@link FencedException}.
 */
public final class JournalPush implements LogGate {
    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;
    private static final long LONGEST_PING_NANOS = 1_000_000_000;
    private static final int PINGS_IN_SILENCE = 4;
    private static final long LONGEST_SLEEP_NANOS = 100_000_000;
    private static final int LEAST_BATCH_BYTES = 1 << 10;

    private final PushConfig config;
    private final Host host;
    private final Signal signal;
    private final Sequence acknowledged = new Sequence();
    private final PushCounters counters;
    private volatile @Nullable FencedException fenced;
    private volatile boolean closed;
    private volatile @Nullable Link link;
    private volatile long sent;
    private volatile long bytesSent;
    private volatile long connections;
    private volatile long alerts;
    private volatile boolean hasProgress;
    private int batchBytes = Batch.TARGET_BYTES;
    private Runnable wake = () -> {};
    private long behindSinceNanos;
    private boolean alerted;
    private @Nullable Journal journal;
    private @Nullable Site site;
    private @Nullable Retained retained;
    private Threads.@Nullable Running pusher;

    /** Creates a push that begins when its service starts. */
    public JournalPush(PushConfig config) {
        this.config = config;
        this.host = config.host();
        this.signal = host.threads().signal();
        this.counters = new PushCounters(config.counters(), this, config.alertRecords());
    }

    @Override
    public void open(Journal opened, Runnable newWake) throws IOException {
        journal = opened;
        wake = newWake;
        Site found = Site.read(host, config.folder());
        if (found.role() == Role.BACKUP || found.role() == Role.FENCED) {
            throw new FencedException("the journal in " + config.folder() + " is not served: " + found.refusal());
        }
        // From the first record on: what is trimmed before the backup is there could never be pushed.
        retained = new Retained(opened, host);
        Site present = Site.primary(
                Math.max(Site.FIRST_TERM, found.term()), config.backup().toString());
        site = present;
        BackupAddress.Agreement first = null;
        try {
            first = new BackupAddress(config, opened).agree(present);
        } catch (FencedException e) {
            throw e;
        } catch (IOException e) {
            if (!config.mayStartAlone()) {
                throw new IOException(
                        "the backup site could not be asked whether it has taken over: " + e.getMessage()
                                + ". Start it first, or make sure that it was not promoted and start alone",
                        e);
            }
            config.events().onDisconnected(config.backup().toString(), e);
        }
        try {
            if (first != null) {
                requireSendable(opened, first.nextSequence());
            }
            present.write(host, config.folder());
        } finally {
            if (first != null) {
                first.link().close();
            }
        }
        behindSinceNanos = host.nanoTime();
        pusher = host.threads().start("slipstream-push", this::run);
    }

    /** At the start, since a record that cannot be sent would keep the backup where it is for ever. */
    private void requireSendable(Journal opened, long from) throws IOException {
        try (JournalReader reader = opened.reader(from)) {
            Batch.requireSendable(reader);
        } catch (JournalException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(
                    "the journal in " + config.folder() + " cannot have a backup site: " + e.getMessage()
                            + ". Let a snapshot trim the log behind that record, and seed the backup with a copy:"
                            + " `slipstream journal copy`",
                    e);
        }
    }

    @Override
    public void committed() {
        signal.wake();
    }

    @Override
    public boolean passes(long sequence) throws IOException {
        requireOpen();
        return config.level() == PushLevel.ASYNC || acknowledged.getAcquire() >= sequence;
    }

    @Override
    public void requireOpen() throws IOException {
        FencedException reason = fenced;
        if (reason != null) {
            throw new FencedException(String.valueOf(reason.getMessage()));
        }
    }

    /** Returns the sequence up to which the backup has everything durably. Any thread may ask. */
    public long acknowledgedSequence() {
        return acknowledged.getAcquire();
    }

    /** Returns how many durable records the backup has not acknowledged. Any thread may ask. */
    public long lag() {
        Journal of = journal;
        return of == null ? 0 : Math.max(0, of.durableSequence().getAcquire() - acknowledged.getAcquire());
    }

    /** Returns how often the backup has agreed to get records. Any thread may ask. */
    public long connections() {
        return connections;
    }

    /** Returns how many bytes of records were sent. Any thread may ask. */
    public long bytesSent() {
        return bytesSent;
    }

    /** Returns how often there was an alert; see {@link PushConfig#withAlert}. Any thread may ask. */
    public long alerts() {
        return alerts;
    }

    /** Returns whether the backup is there at the moment. Any thread may ask. */
    public boolean isConnected() {
        return link != null;
    }

    @Override
    public void close() {
        closed = true;
        signal.wake();
        Link open = link;
        if (open != null) {
            open.close();
        }
        Threads.Running running = pusher;
        try {
            if (running != null) {
                running.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Retained kept = retained;
        if (kept != null) {
            kept.close();
        }
    }

    private void run() {
        Journal of = journal;
        Site present = site;
        Retained kept = retained;
        if (of == null || present == null || kept == null) {
            throw new IllegalStateException("not opened");
        }
        BackupAddress address = new BackupAddress(config, of);
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (!closed && fenced == null) {
            hasProgress = false;
            try {
                push(of, kept, address.agree(present));
            } catch (FencedException e) {
                fenced = e;
                wake.run();
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                if (!closed) {
                    config.events().onDisconnected(config.backup().toString(), e);
                    watchLag();
                    // Who greets and then fails must not be asked fifty times a second.
                    pauseMillis = hasProgress ? FIRST_PAUSE_MILLIS : pauseMillis;
                    // A message that is cut is lost as a whole: what is short may arrive where what is long never does.
                    batchBytes = hasProgress ? batchBytes : Math.max(batchBytes / 2, LEAST_BATCH_BYTES);
                    pause(pauseMillis * 1_000_000);
                    pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
                }
            }
        }
        counters.stop();
    }

    private void push(Journal of, Retained kept, BackupAddress.Agreement agreed) throws IOException {
        try (Link open = agreed.link();
                JournalReader reader = of.reader(agreed.nextSequence())) {
            begin(open, agreed.nextSequence() - 1);
            connections++;
            config.events().onConnected(config.backup().toString(), agreed.nextSequence() - 1);
            AtomicReference<@Nullable IOException> ending = new AtomicReference<>();
            host.threads().start("slipstream-push-acks", () -> receiveAcks(open, ending));
            try {
                send(of, kept, open, reader);
            } catch (IOException e) {
                // What the backup has said tells more than that it is gone.
                IOException reason = ending.get();
                throw reason == null ? e : reason;
            }
        } finally {
            lose(agreed.link());
        }
    }

    private void send(Journal of, Retained kept, Link open, JournalReader reader) throws IOException {
        long pingNanos = Math.min(LONGEST_PING_NANOS, config.silenceMillis() * 1_000_000L / PINGS_IN_SILENCE);
        Batch batch = new Batch();
        Bandwidth bandwidth = new Bandwidth(host, config.bytesPerSecond());
        long begun = reader.nextSequence();
        long lastSent = host.nanoTime();
        while (!closed && link == open) {
            long next = reader.nextSequence();
            int target = bandwidth.batchBytes(batchBytes);
            long waitNanos = bandwidth.waitNanos();
            int count = waitNanos > 0 ? 0 : batch.read(reader, target);
            if (count > 0) {
                sent = next + count - 1;
                if (next > begun && acknowledged.getAcquire() == next - 1) {
                    batchBytes = Math.min(2 * batchBytes, Batch.TARGET_BYTES);
                }
                batch.send(open, next, of.durableSequence().getAcquire(), target);
                bandwidth.sent(batch.size());
                bytesSent += batch.size();
                lastSent = host.nanoTime();
            } else if (host.nanoTime() - lastSent > pingNanos) {
                open.send(Kind.PING, of.durableSequence().getAcquire());
                lastSent = host.nanoTime();
            } else if (waitNanos > 0) {
                pause(Math.min(waitNanos, LONGEST_SLEEP_NANOS));
            } else {
                awaitRecord(of, next);
            }
            kept.advance(acknowledged.getAcquire());
            watchLag();
        }
        if (!closed) {
            throw new IOException("the connection to the backup site has ended");
        }
    }

    private void awaitRecord(Journal of, long sequence) {
        signal.arm();
        if (of.durableSequence().getAcquire() < sequence && !closed) {
            signal.sleep(LONGEST_SLEEP_NANOS);
        }
        signal.disarm();
    }

    private void receiveAcks(Link open, AtomicReference<@Nullable IOException> ending) {
        try (open) {
            while (true) {
                Kind kind = open.receive(Link.MAX_BYTES_OF_STRANGERS);
                if (kind == Kind.ACK) {
                    acknowledge(open, open.number());
                } else if (kind == Kind.REFUSED) {
                    throw new IOException("the backup site stops: " + open.text());
                } else {
                    throw new IOException("the backup site sends " + kind);
                }
            }
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            // The sender finds the link lost, and says why.
            ending.set(e instanceof IOException known ? known : new IOException("no acknowledgements: " + e, e));
            lose(open);
            signal.wake();
        }
    }

    /** From here on this link alone says what the backup has; one of before may still have something to tell. */
    private synchronized void begin(Link open, long sequence) {
        link = open;
        hasProgress = sequence > acknowledged.getAcquire();
        sent = sequence;
        acknowledged.setRelease(sequence);
        wake.run();
    }

    private synchronized void acknowledge(Link open, long sequence) throws WireException {
        if (link == open) {
            long before = acknowledged.getAcquire();
            if (sequence < before || sequence > sent) {
                throw new WireException("the backup site acknowledges record " + sequence + "; it has acknowledged "
                        + before + ", and was sent records up to " + sent);
            }
            hasProgress |= sequence > acknowledged.getAcquire();
            acknowledged.setRelease(sequence);
            wake.run();
        }
    }

    private synchronized void lose(Link lost) {
        if (link == lost) {
            link = null;
        }
    }

    private void watchLag() {
        counters.work();
        long lag = lag();
        long now = host.nanoTime();
        if (isConnected() && lag <= config.alertRecords()) {
            behindSinceNanos = now;
            alerted = false;
        } else if (!alerted && now - behindSinceNanos > config.alertAfter().toNanos()) {
            alerted = true;
            alerts++;
            config.events().onLag(lag, Duration.ofNanos(now - behindSinceNanos));
        }
    }

    private void pause(long nanos) {
        signal.arm();
        if (!closed) {
            signal.sleep(nanos);
        }
        signal.disarm();
    }
}
