package io.slipstream.replica.backup;

import io.slipstream.core.ring.FrameRing;
import io.slipstream.journal.Journal;
import io.slipstream.journal.JournalReader;
import io.slipstream.journal.SnapshotWriter;
import io.slipstream.journal.record.JournalRecord;
import io.slipstream.journal.record.RecordHandler;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.host.Threads;
import io.slipstream.service.logic.Logic;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.snapshot.ChunkedOutput;
import io.slipstream.service.snapshot.Recovery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A state machine that follows the backup's journal on a thread of its own, so that a take-over need not replay the
 * log, and answers queries meanwhile. One that fails keeps nothing from the journal; it says so to whoever asks.
 */
final class WarmState implements AutoCloseable {
    private static final int RECORDS_AT_ONCE = 256;
    private static final long LONGEST_WAIT_MILLIS = 100;
    private static final long MOST_DEFERRED_RECORDS = 1_000_000;

    private final Journal journal;
    private final StateMachine machine;
    private final Logic logic;
    private BooleanSupplier isCatchingUp = () -> false;
    private final FrameRing nowhere = new FrameRing(1 << 12);
    private final ConcurrentLinkedQueue<Query> queries = new ConcurrentLinkedQueue<>();
    private final Threads threads;
    private final Lock lock;
    private final Condition news;
    private volatile Threads.@Nullable Running thread;
    private volatile long applied;
    private volatile long stateHash;
    private volatile @Nullable Throwable failure;
    private volatile boolean closed;
    /* Guarded by lock. */
    private boolean over;
    private volatile int hurries;

    private record Query(byte[] payload, Outcome<SiteClient.Answer> answer) {}

    WarmState(Journal journal, ServiceConfig config, StateMachine machine) {
        this.journal = journal;
        this.machine = machine;
        this.threads = config.host().threads();
        this.lock = threads.lock();
        this.news = lock.newCondition();
        this.logic = new Logic(machine, config.logicLimits(), nowhere, () -> {});
    }

    /**
     * Begins to follow.
     *
     * @param says while it is true, records are left for later, but no more than a take-over can well replay
     */
    void start(BooleanSupplier says) {
        isCatchingUp = says;
        thread = threads.start("slipstream-warm", this::run);
    }

    /** Returns the sequence of the last record that was applied. */
    long applied() {
        return applied;
    }

    /** Returns the hash of the machine's state there. */
    long stateHash() {
        return stateHash;
    }

    /** Says that there is more in the journal. */
    void wake() {
        lock.lock();
        try {
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Asks the machine, and waits for its answer. */
    SiteClient.Answer query(byte[] payload) throws IOException {
        Query query = new Query(payload, new Outcome<>(threads));
        lock.lock();
        try {
            // Under the lock with which the thread takes leave: what is added is answered, if only with a failure.
            if (over) {
                throw dead();
            }
            queries.add(query);
            news.signalAll();
        } finally {
            lock.unlock();
        }
        return query.answer.get("the state machine does not answer the query: ");
    }

    /**
     * Waits until all that was durable before the call is applied, and goes on following.
     *
     * @throws IOException if the machine has stopped: a service would, too, at the same record
     */
    void catchUp() throws IOException {
        long due = journal.durableSequence().getAcquire();
        lock.lock();
        try {
            hurries++;
            news.signalAll();
            try {
                while (applied < due && !over) {
                    awaitNews();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            } finally {
                hurries--;
            }
            // Over without a failure is one that another promotion has ended, when all was applied.
            if (failure != null) {
                throw dead();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the logic, for a service to go on with; after {@link #finish} has returned. */
    Logic logic() {
        return logic;
    }

    /** Waits until all that is durable was applied, and ends the thread. The journal gets no more meanwhile. */
    void finish() throws IOException {
        closed = true;
        wake();
        try {
            join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (failure != null) {
            throw dead();
        }
    }

    /** Writes a snapshot of the machine, so that the next start need not replay; after {@link #finish}. */
    boolean save() throws IOException {
        if (logic.lastSequence() == 0) {
            return false;
        }
        try (SnapshotWriter writer = journal.snapshots().begin(logic.lastSequence())) {
            ChunkedOutput output = new ChunkedOutput(writer::append);
            logic.save(output);
            output.finish();
            writer.commit();
            return true;
        } catch (UnsupportedOperationException e) {
            return false;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public void close() {
        closed = true;
        wake();
        try {
            join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        nowhere.close();
    }

    private void join() throws InterruptedException {
        Threads.Running running = thread;
        if (running != null) {
            running.join();
        }
    }

    private void run() {
        try {
            new Recovery(journal, Recovery.Progress.NONE)
                    .recover(logic, journal.durableSequence().getAcquire());
            follow();
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
            if (!closed) {
                System.getLogger("io.slipstream.replica")
                        .log(System.Logger.Level.ERROR, "the warm state machine has stopped; the journal goes on", e);
            }
        } finally {
            lock.lock();
            try {
                over = true;
                news.signalAll();
            } finally {
                lock.unlock();
            }
            Query query;
            while ((query = queries.poll()) != null) {
                query.answer.fails(dead());
            }
        }
    }

    private void follow() throws IOException {
        RecordHandler apply = this::apply;
        try (JournalReader reader = journal.reader(logic.lastSequence() + 1)) {
            publish();
            while (true) {
                boolean last = closed;
                boolean defers = !last
                        && hurries == 0
                        && isCatchingUp.getAsBoolean()
                        && journal.durableSequence().getAcquire() - logic.lastSequence() < MOST_DEFERRED_RECORDS;
                int count = defers ? 0 : reader.poll(apply, RECORDS_AT_ONCE);
                if (count > 0) {
                    publish();
                }
                answer();
                if (count == 0) {
                    if (last) {
                        return;
                    }
                    await(defers);
                }
            }
        }
    }

    private void apply(MemorySegment memory, long offset, int length) {
        if (journal.skips().contains(JournalRecord.sequence(memory, offset))) {
            logic.skip(memory, offset);
        } else {
            logic.apply(memory, offset);
        }
    }

    private void publish() {
        stateHash = logic.stateHash();
        applied = logic.lastSequence();
    }

    private void answer() {
        Query query;
        while ((query = queries.poll()) != null) {
            try {
                QueryOutput output = new QueryOutput(logic.lastTimeNanos(), logic.version());
                machine.onQuery(
                        new QueryCommand(
                                MemorySegment.ofArray(query.payload), logic.lastSequence(), logic.lastTimeNanos()),
                        output);
                query.answer.is(new SiteClient.Answer(logic.lastSequence(), output.reply()));
            } catch (RuntimeException e) {
                query.answer.fails(e);
            } catch (Error e) {
                // It ends the warm state; who asked has to hear of it, too.
                query.answer.fails(e);
                throw e;
            }
        }
    }

    private void await(boolean defers) throws IOException {
        lock.lock();
        try {
            if (!closed
                    && queries.isEmpty()
                    && (defers || journal.durableSequence().getAcquire() == logic.lastSequence())) {
                awaitNews();
            }
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for news, or a moment; with the lock. */
    private void awaitNews() throws InterruptedException {
        boolean ignored = news.await(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private IOException dead() {
        Throwable reason = failure;
        return new IOException("the warm state machine has stopped" + (reason == null ? "" : ": " + reason), reason);
    }
}
