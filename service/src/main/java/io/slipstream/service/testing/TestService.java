package io.slipstream.service.testing;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FramePoller;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.core.thread.Patience;
import io.slipstream.service.logic.Logic;
import io.slipstream.service.logic.LogicLimits;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.Hello;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Start;
import io.slipstream.service.protocol.Status;
import io.slipstream.service.snapshot.Recovery;
import io.slipstream.service.typed.Contract;
import io.slipstream.service.typed.TypedMachine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A service without threads, sockets, disk or clock, for tests of a state machine.
 *
 * <pre>{@code
 *   try (TestService<Bank> service = TestService.of(Bank::new)) {
 *       TestClient client = service.connect();
 *       assertEquals(new Balance(7, 100), client.call(new Deposit(7, 100)));
 *       service.advance(Duration.ofDays(1));          // timers fire on the way
 *       service.restart();                            // replays the log, and compares the state behind every entry
 *       service.restartFromSnapshot();                // saves, loads, and compares
 *       assertEquals(new Balance(7, 100), client.query(new BalanceOf(7)));
 *   }
 * }</pre>
 *
 * <p>What is between the log and the machine is what a real service has there. For one thread.
 *
 * <p>Every now and then the state is saved and loaded into a second machine, which then gets the same entries: a
 * difference in the hash of the state, or in what is sent, is an {@link AssertionError}. {@link #compareLoaded} ends
 * that.
 *
 * @param <M> the state machine
 */
public final class TestService<M extends StateMachine> implements AutoCloseable {
    private static final LogicLimits LIMITS = new LogicLimits(1 << 16, 1 << 16, 1 << 20, "");
    private static final int RING_BYTES = 1 << 20;
    private static final int MAX_SESSIONS = 1024;
    private static final int FIRST_GAP = 8;
    private static final int MAX_TIMERS_AGAIN = 10_000;

    private final FrameRing ring = new FrameRing(RING_BYTES);
    private final FramePoller outputs = ring.newPoller();
    private final TestLog log = new TestLog();
    private final Map<Long, TestClient> connections = new LinkedHashMap<>();
    private final SplittableRandom gaps = new SplittableRandom(1);
    private final List<byte[]> sent = new ArrayList<>();
    private boolean comparesLoaded = true;
    private @Nullable LoadedTwin twin;
    private long nextTwin = 1;
    private Supplier<? extends M> machines;
    private M machine;
    private Logic logic;
    private long timeNanos;
    private long connectionCount;
    private long lastConnection;
    private long lastKey;

    private TestService(Supplier<? extends M> machines, long timeNanos) {
        this.machines = machines;
        this.timeNanos = timeNanos;
        this.machine = machines.get();
        this.logic = newLogic(machine);
        this.logic.goLive();
        start();
    }

    /** Starts a service at the beginning of 2026. {@code machines} makes a machine in its initial state. */
    public static <M extends StateMachine> TestService<M> of(Supplier<? extends M> machines) {
        return at(Instant.parse("2026-01-01T00:00:00Z"), machines);
    }

    /** As {@link #of}, at another time. */
    public static <M extends StateMachine> TestService<M> at(Instant time, Supplier<? extends M> machines) {
        return new TestService<>(machines, time.getEpochSecond() * 1_000_000_000 + time.getNano());
    }

    /** Opens a session of nobody in particular. */
    public TestClient connect() {
        return connect("");
    }

    /**
     * Opens a session.
     *
     * @param principal who it belongs to, as a gateway would have found out
     * @throws io.slipstream.service.client.ServiceException if the machine threw on it
     */
    public TestClient connect(String principal) {
        TestClient client = new TestClient(this, principal, ++lastKey);
        client.reconnect();
        return client;
    }

    /** Returns the time. */
    public Instant now() {
        return Instant.ofEpochSecond(0, timeNanos);
    }

    /** Returns the time in nanoseconds since 1970. */
    public long timeNanos() {
        return timeNanos;
    }

    /**
     * Moves time. Timers that become due fire on the way, each at its time.
     *
     * @throws AssertionError if timers that fire set others for the same time, 10,000 times in a row
     */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time goes forward, not by " + time);
        }
        long nanos = Patience.nanos(time);
        if (nanos > Long.MAX_VALUE - timeNanos) {
            throw new IllegalArgumentException("time in nanoseconds since 1970 ends in 2262, before " + time + " more");
        }
        long target = timeNanos + nanos;
        int again = 0;
        while (logic.nextDeadline() <= target) {
            timeNanos = Math.max(timeNanos, logic.nextDeadline());
            again = logic.firesAgain() ? again + 1 : 0;
            if (again > MAX_TIMERS_AGAIN) {
                throw new AssertionError("timers set themselves for the present time again and again, now at " + now()
                        + ": a timer that is to repeat needs a later time");
            }
            enter(log.frame(MessageType.TICK, 0, 0, 0, timeNanos));
        }
        timeNanos = target;
    }

    /**
     * Says whether the state is saved and loaded now and then, and what the loaded one does compared with the live
     * one; it is from the beginning, unless the machine does not save its state.
     */
    public TestService<M> compareLoaded(boolean compares) {
        comparesLoaded = compares;
        dropTwin();
        return this;
    }

    /** Returns the machine, to be looked at. */
    public M machine() {
        return machine;
    }

    /** Returns the hash of its state. */
    public long stateHash() {
        return logic.stateHash();
    }

    /** Returns how many entries the log has. */
    public long entries() {
        return log.entries().size();
    }

    /**
     * Stops and starts with a new machine, which replays the log. Clients that were connected connect again.
     *
     * @throws AssertionError if it ends in another state; the message names the first entry behind which it differs
     */
    public void restart() {
        M next = machines.get();
        Logic replayed = newLogic(next);
        for (TestLog.Entry entry : log.entries()) {
            replayed.apply(entry.frame(), 0);
            if (replayed.stateHash() != entry.hash()) {
                throw new AssertionError("replay led to another state behind entry "
                        + EntryText.of(entry.frame(), 0, machine) + ": its hash is "
                        + Long.toHexString(replayed.stateHash()) + ", and was " + Long.toHexString(entry.hash())
                        + ". Something besides commands, time and random numbers of the"
                        + " service decides what the machine does, or stateHash does not depend on the state alone");
            }
        }
        SavedState.requireSameOwn(logic, replayed, "replay");
        goOnWith(next, replayed);
    }

    /**
     * Stops and starts with a new version of the machine; see {@link StateMachine#onUpgrade}. It must replay the log to
     * the states that the old one was in.
     *
     * @throws AssertionError as {@link #restart}
     */
    public void restartWith(Supplier<? extends M> newMachines) {
        machines = newMachines;
        restart();
    }

    /**
     * Saves the state, loads it into a new machine, and goes on with that one. Clients that were connected connect
     * again.
     *
     * @throws AssertionError if the loaded state has another hash than the saved one
     */
    public void restartFromSnapshot() {
        SavedState saved = new SavedState();
        logic.save(saved.output());
        M next = machines.get();
        Logic loaded = newLogic(next);
        loaded.load(saved.input());
        if (saved.input().remaining() > 0) {
            throw new AssertionError("load has left " + saved.input().remaining() + " bytes of what save has written");
        }
        if (loaded.stateHash() != logic.stateHash()) {
            throw new AssertionError("load led to a state with the hash " + Long.toHexString(loaded.stateHash())
                    + ", and the one that was saved has " + Long.toHexString(logic.stateHash()));
        }
        SavedState.requireSameOwn(logic, loaded, "load");
        goOnWith(next, loaded);
    }

    /**
     * Holds the log of a real service that does not run against the present machine: replays all of it twice, from its
     * first entry or, if it was trimmed, its oldest snapshot, and compares the state with all that the log says of it;
     * see {@link ReplayCheck}. A service that was closed has said what its last state was. Of one that was killed, what
     * is behind the last check or snapshot is compared between the two replays alone.
     *
     * @throws AssertionError if the machine diverges from the log, or from itself in the second replay
     * @throws IOException    if there is no log, or it cannot be read
     */
    public static Status assertReplays(Path folder, Supplier<? extends StateMachine> machines) throws IOException {
        try {
            ReplayCheck.Proof first = proof(folder, machines);
            long startNanos = System.nanoTime();
            ReplayCheck.Proof second = proof(folder, machines);
            if (first.stateHash() != second.stateHash()) {
                throw new AssertionError(
                        "two replays of " + folder + " led to two states behind entry " + first.last());
            }
            return new Status(
                    second.last(),
                    second.stateHash(),
                    second.sessions(),
                    second.last() - second.after(),
                    System.nanoTime() - startNanos);
        } catch (RuntimeException e) {
            throw new AssertionError("the log in " + folder + " does not replay: " + e.getMessage(), e);
        }
    }

    private static ReplayCheck.Proof proof(Path folder, Supplier<? extends StateMachine> machines) throws IOException {
        return switch (ReplayCheck.run(folder, machines, Recovery.Progress.NONE)) {
            case ReplayCheck.Proof proof -> proof;
            case ReplayCheck.Diverged diverged ->
                throw new AssertionError("the log in " + folder + " does not replay: " + diverged.text());
        };
    }

    /** Frees the memory. */
    @Override
    public void close() {
        dropTwin();
        ring.close();
    }

    TestLog log() {
        return log;
    }

    @Nullable
    Contract contract() {
        return machine instanceof TypedMachine typed ? typed.contract() : null;
    }

    /** Opens or resumes the session of that key; returns the number of the connection. */
    long connect(TestClient client, String principal, long key, long seenSequence, int seenIndex) {
        byte[] name = principal.getBytes(StandardCharsets.UTF_8);
        // Sessions of tests outlive their connections.
        lastConnection = Hello.correlation(++connectionCount, false);
        MemorySegment frame = log.frame(MessageType.HELLO, Hello.BYTES + name.length, 0, lastConnection, timeNanos);
        long sequence = Message.sequence(frame, 0);
        Hello.encode(frame, 0, key, seenSequence, seenIndex);
        Message.header(frame, 0, MessageType.HELLO, Hello.BYTES + name.length, 0, lastConnection);
        Message.sequence(frame, 0, sequence);
        Message.timeNanos(frame, 0, timeNanos);
        MemorySegment.copy(MemorySegment.ofArray(name), 0, frame, Message.HEADER_BYTES + Hello.BYTES, name.length);
        connections.put(lastConnection, client);
        long connection = lastConnection;
        enter(frame);
        return connection;
    }

    void forget(long connection) {
        connections.remove(connection);
    }

    /** Applies a frame, adds it to the log if it belongs there, and hands out what comes of it. */
    void enter(MemorySegment frame) {
        sent.clear();
        // The twin gets no hints, so its state tells of one that changes something.
        logic.expect(frame, 0, Frame.length(frame, 0));
        logic.prefetch();
        if (!MessageType.isLogged(Message.type(frame, 0))) {
            look(frame);
            return;
        }
        logic.apply(frame, 0);
        log.add(frame, logic.stateHash());
        drain();
        if (twin != null) {
            twin.apply(frame, logic.stateHash(), sent);
        }
        if (comparesLoaded && entries() >= nextTwin) {
            newTwin();
        }
    }

    /** Queries and subscriptions are not in the log, so a replay would lack what they change. */
    private void look(MemorySegment frame) {
        long before = logic.stateHash();
        logic.apply(frame, 0);
        drain();
        if (logic.stateHash() != before) {
            throw new AssertionError((Message.type(frame, 0) == MessageType.QUERY ? "a query" : "a subscription")
                    + " has changed the state: its hash was " + Long.toHexString(before) + " and is "
                    + Long.toHexString(logic.stateHash()) + ". It is not in the log, so a replay leads to another"
                    + " state; only commands may change it");
        }
    }

    /** At gaps that grow, so that a long test spends as much on the states as a short one. */
    private void newTwin() {
        if (twin != null) {
            twin.requireSameOwn(logic, "what came behind a snapshot");
        }
        dropTwin();
        nextTwin = entries() + 1 + gaps.nextLong(FIRST_GAP + entries() / 4);
        try {
            twin = new LoadedTwin(logic, machines.get(), LIMITS, RING_BYTES);
        } catch (UnsupportedOperationException e) {
            comparesLoaded = false;
        }
    }

    private void dropTwin() {
        if (twin != null) {
            twin.close();
            twin = null;
        }
    }

    private void goOnWith(M next, Logic newLogic) {
        dropTwin();
        machine = next;
        logic = newLogic;
        logic.goLive();
        List<TestClient> clients = List.copyOf(connections.values());
        connections.clear();
        start();
        clients.forEach(TestClient::lostConnection);
        clients.forEach(TestClient::reconnect);
    }

    private void start() {
        Start start = new Start(machine.name(), machine.version(), MAX_SESSIONS, 1, 0, Start.ALL_RULES);
        MemorySegment frame = log.frame(MessageType.START, start.bytes(), 0, 0, timeNanos);
        start.encodePayload(frame, 0);
        enter(frame);
    }

    private Logic newLogic(StateMachine of) {
        return new Logic(of, LIMITS, ring, this::drain);
    }

    private void drain() {
        while (outputs.poll(this::route, Integer.MAX_VALUE) > 0) {
            // All of it.
        }
    }

    private void route(MemorySegment memory, long offset, int length, boolean endOfBatch) {
        if (twin != null) {
            sent.add(LoadedTwin.copy(memory, offset));
        }
        short type = Message.type(memory, offset);
        if (type == MessageType.WELCOME || type == MessageType.ERROR) {
            TestClient client = connections.get(Message.correlation(memory, offset));
            if (client != null) {
                client.onOutput(memory, offset);
            }
            return;
        }
        long session = Message.session(memory, offset);
        boolean toAll = type == MessageType.ITEM && session == 0;
        for (TestClient client : connections.values()) {
            if (toAll || client.session() == session) {
                client.onOutput(memory, offset);
            }
        }
    }
}
