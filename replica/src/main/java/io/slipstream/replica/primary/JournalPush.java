package io.slipstream.replica.primary;

import io.slipstream.core.sequence.Sequence;
import io.slipstream.core.thread.Signal;
import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.replica.site.FencedException;
import io.slipstream.replica.site.Role;
import io.slipstream.replica.site.Site;
import io.slipstream.replica.wire.Kind;
import io.slipstream.replica.wire.Link;
import io.slipstream.service.spi.LogGate;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Pushes the journal of a service to its backup site; give it to {@code ServiceConfig.withLogGate}.
 *
 * <p>The service asks the backup before it serves: a former primary learns there that the backup was promoted, and
 * serves no more. One that hears of it while it runs ends with {@link FencedException}.
 */
public final class JournalPush implements LogGate {
    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;
    private static final long PING_NANOS = 1_000_000_000;

    private final PushConfig config;
    private final Signal signal = new Signal();
    private final Sequence acknowledged = new Sequence();
    private final Retained retained = new Retained();
    private final Thread pusher = Thread.ofPlatform().daemon().name("slipstream-push").unstarted(this::run);
    private volatile @Nullable FencedException fenced;
    private volatile boolean closed;
    private volatile @Nullable Link link;
    private volatile boolean hasProgress;
    private Runnable wake = () -> { };
    private long behindSinceNanos;
    private boolean alerted;
    private @Nullable Journal journal;
    private @Nullable Site site;

    /** Creates a push that begins when its service starts. */
    public JournalPush(PushConfig config) {
        this.config = config;
    }

    @Override
    public void open(Journal opened, Runnable newWake) throws IOException {
        journal = opened;
        wake = newWake;
        Site found = Site.read(config.folder());
        if (found.role() == Role.BACKUP || found.role() == Role.FENCED) {
            throw new FencedException("the journal in " + config.folder() + " is not served: " + found.refusal());
        }
        Site present = Site.primary(Math.max(1, found.term()), config.backup().toString());
        site = present;
        BackupAddress.Agreement first = null;
        try {
            first = new BackupAddress(config, opened).agree(present);
        } catch (FencedException e) {
            throw e;
        } catch (IOException e) {
            if (!config.mayStartAlone()) {
                throw new IOException("the backup site could not be asked whether it has taken over: "
                        + e.getMessage() + ". Start it first, or make sure that it was not promoted and start alone",
                        e);
            }
            config.events().onDisconnected(config.backup().toString(), e);
        }
        try {
            present.write(config.folder());
        } finally {
            if (first != null) {
                first.link().close();
            }
        }
        behindSinceNanos = System.nanoTime();
        pusher.start();
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
        try {
            if (pusher.getState() != Thread.State.NEW) {
                pusher.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        Journal of = journal;
        Site present = site;
        if (of == null || present == null) {
            throw new IllegalStateException("not opened");
        }
        BackupAddress address = new BackupAddress(config, of);
        long pauseMillis = FIRST_PAUSE_MILLIS;
        while (!closed && fenced == null) {
            hasProgress = false;
            try {
                push(of, address.agree(present));
            } catch (FencedException e) {
                fenced = e;
                wake.run();
            } catch (IOException | RuntimeException e) {
                if (!closed) {
                    config.events().onDisconnected(config.backup().toString(), e);
                    watchLag();
                    // Who greets and then fails must not be asked fifty times a second.
                    pauseMillis = hasProgress ? FIRST_PAUSE_MILLIS : pauseMillis;
                    pause(pauseMillis);
                    pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
                }
            }
        }
        retained.close();
    }

    private void push(Journal of, BackupAddress.Agreement agreed) throws IOException {
        try (Link open = agreed.link(); JournalReader reader = of.reader(agreed.nextSequence())) {
            begin(open, agreed.nextSequence() - 1);
            config.events().onConnected(config.backup().toString(), agreed.nextSequence() - 1);
            AtomicReference<@Nullable IOException> ending = new AtomicReference<>();
            Thread.ofPlatform().daemon().name("slipstream-push-acks").start(() -> receiveAcks(open, ending));
            try {
                send(of, open, reader);
            } catch (IOException e) {
                // What the backup has said tells more than that it is gone.
                IOException reason = ending.get();
                throw reason == null ? e : reason;
            }
        } finally {
            lose(agreed.link());
        }
    }

    private void send(Journal of, Link open, JournalReader reader) throws IOException {
        Batch batch = new Batch();
        Bandwidth bandwidth = new Bandwidth(config.bytesPerSecond(), () -> closed);
        long lastSent = System.nanoTime();
        while (!closed && link == open) {
            long next = reader.nextSequence();
            if (batch.read(reader) > 0) {
                bandwidth.sent(batch.send(open, next, of.durableSequence().getAcquire()));
                lastSent = System.nanoTime();
            } else if (System.nanoTime() - lastSent > PING_NANOS) {
                open.send(Kind.PING, of.durableSequence().getAcquire());
                lastSent = System.nanoTime();
            } else {
                retained.advance(of, acknowledged.getAcquire());
                signal.arm();
                if (of.durableSequence().getAcquire() < reader.nextSequence() && !closed) {
                    signal.sleep(PING_NANOS / 10);
                }
                signal.disarm();
            }
            watchLag();
        }
        if (!closed) {
            throw new IOException("the connection to the backup site has ended");
        }
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
        } catch (IOException e) {
            // The sender finds the link lost, and says why.
            ending.set(e);
            lose(open);
            signal.wake();
        }
    }

    /** From here on this link alone says what the backup has; one of before may still have something to tell. */
    private synchronized void begin(Link open, long sequence) {
        link = open;
        acknowledged.setRelease(sequence);
        wake.run();
    }

    private synchronized void acknowledge(Link open, long sequence) {
        if (link == open) {
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
        long lag = lag();
        long now = System.nanoTime();
        if (isConnected() && lag <= config.alertRecords()) {
            behindSinceNanos = now;
            alerted = false;
        } else if (!alerted && now - behindSinceNanos > config.alertAfter().toNanos()) {
            alerted = true;
            config.events().onLag(lag, Duration.ofNanos(now - behindSinceNanos));
        }
    }

    private void pause(long millis) {
        signal.arm();
        if (!closed) {
            signal.sleep(millis * 1_000_000);
        }
        signal.disarm();
    }
}
