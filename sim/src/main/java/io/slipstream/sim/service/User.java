package io.slipstream.sim.service;

import io.slipstream.service.client.BusyException;
import io.slipstream.service.client.ClientThread;
import io.slipstream.service.client.Feed;
import io.slipstream.service.client.Reply;
import io.slipstream.service.client.ReplyHandler;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.client.ServiceException;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.network.SimulatedNetwork;
import io.slipstream.sim.witness.Findings;
import io.slipstream.sim.witness.Witness;
import io.slipstream.sim.workload.Answer;
import io.slipstream.sim.workload.Workload;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Hash;
import io.slipstream.sim.world.Principals;
import io.slipstream.sim.world.Schedule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Somebody who uses the service: a real client, what it says and hears, and a note of each answer. */
final class User implements ReplyHandler {
    private static final String NO_ROOM = "the client has no room for it";
    private static final String GIVEN_UP = "the client has given up its connection";
    private static final String BUSY = "the service is busy";
    private static final String FORGOTTEN = "forgotten the session";
    private static final String SUPERSEDED = "another connection has resumed";
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    /** What it has said with this bit in its id is a query. */
    private static final long ASKED = 1L << 61;

    private static final int MEAN_OFFERS = 2;
    private static final double LEAVES = 0.02;
    private static final double CALLS = 0.25;

    /** How often its client is on a thread that others could share. */
    private static final double SHARES = 0.25;

    private static final int EXAMINED_COMMANDS = 16;
    private static final int SLOW_BYTES = 1024;
    private static final long SHORTEST_READ_NANOS = 1_000_000;
    private static final long LONGEST_READ_NANOS = 300_000_000;

    private final Schedule schedule;
    private final Chance chance;
    private final Chance payloads;
    private final Chance leaves;
    private final Chance isCalling;
    private final Chance isSharing;
    private final SimulatedNetwork network;
    private final String name;
    private final Workload workload;
    private final History history;
    private final Findings findings;
    private final long[] topics;
    private final LongSupplier ids;
    private final Predicate<FaultPoint> rareWays;
    private final String token;
    private final String principal;
    private final int mostOpen;
    private final long thinkNanos;
    private final List<UserFeed> feeds = new ArrayList<>();
    private SimulatedHost host;
    private UserEvents events;
    private ServiceClient client;
    private @Nullable ClientThread thread;
    private final Map<Long, Examined> examined = new HashMap<>();
    private final Map<Long, byte[]> said = new HashMap<>();
    private long longestWaitNanos;
    private BooleanSupplier isServed = () -> true;
    private int open;
    private int queries;
    private int left;
    private boolean isDone;
    private boolean hasLeft;
    private boolean isLeaving;
    private boolean isRobbed;
    private int sessionsEnded;

    /** A command of an examination, and whether the process still serves that has got it. */
    private record Examined(long sinceNanos, BooleanSupplier isServed) {}

    User(
            Schedule schedule,
            SimulatedNetwork network,
            int number,
            Simulation<?> plan,
            Workload workload,
            History history,
            Findings findings,
            LongSupplier ids,
            Predicate<FaultPoint> rareWays,
            boolean asksForTokens) {
        this.schedule = schedule;
        this.name = "client-" + number;
        this.chance = schedule.chance(name + " acts");
        this.payloads = schedule.chance(name + " says");
        this.leaves = schedule.chance(name + " leaves");
        this.network = network;
        this.workload = workload;
        this.history = history;
        this.findings = findings;
        this.topics = plan.topicNumbers();
        this.ids = ids;
        this.rareWays = rareWays;
        this.token = asksForTokens ? Principals.token(name) : "";
        this.principal = asksForTokens ? name : "";
        this.isCalling = schedule.chance(name + " calls");
        this.isSharing = schedule.chance(name + " shares");
        this.mostOpen = 1 + chance.random().nextInt(16);
        this.left = plan.commandCount();
        this.thinkNanos = Math.max(1, plan.disasterNanos() * MEAN_OFFERS / left)
                << chance.random().nextInt(2);
        this.host = newHost();
        this.events = new UserEvents(findings);
        this.client = connect();
        tell(Workload::onSession);
        schedule.after(0, this::use);
    }

    String name() {
        return name;
    }

    SimulatedHost host() {
        return host;
    }

    private SimulatedHost newHost() {
        SimulatedHost machine = new SimulatedHost(schedule, network, name);
        machine.faultPoints(rareWays);
        return machine;
    }

    /** Somebody else has its key, and may hear what is for it. */
    void isRobbed() {
        isRobbed = true;
        events.robbed();
        tell(Workload::onMissedEvents);
    }

    /**
     * Its process ends, and perhaps it says so.
     *
     * @return the last command that was answered in the session that it has ended, or 0
     */
    long leave() {
        hasLeft = true;
        boolean says = client.isOpen() && leaves.random().nextBoolean();
        if (!client.isOpen()) {
            events.abandon();
        }
        if (says) {
            endSession();
        }
        host.die();
        return says ? events.answered() : 0;
    }

    /** What it has heard until now is all that is compared with what was sent. */
    void stopListening() {
        feeds.forEach(UserFeed::leaves);
        events.leaves();
    }

    /** Returns how often it has ended its session. */
    int sessionsEnded() {
        return sessionsEnded;
    }

    /** Ends its session, as clients should, and waits for that. */
    private void endSession() {
        schedule.trace().note(name, "ends its session", open);
        isLeaving = true;
        stopListening();
        client.close();
        isLeaving = false;
        sessionsEnded++;
    }

    /** Ends its session and begins anew, unless it died before that was done. */
    private void leaveAndComeBack() {
        ServiceClient ending = client;
        endSession();
        if (client == ending) {
            begin();
        }
    }

    /** What it was answered may be gone. */
    void loses() {
        tell(Workload::onLoss);
    }

    /** Nothing more comes. */
    void end() {
        tell(Workload::onEnd);
    }

    /** Returns how many queries have no answer yet. */
    int queries() {
        return queries;
    }

    /** Offers nothing any more. */
    void finish() {
        isDone = true;
    }

    /** Its process dies, and it begins anew with another one. */
    void die() {
        network.kill(host);
        begin();
    }

    private void begin() {
        abandon();
        host = newHost();
        events = new UserEvents(findings);
        isRobbed = false;
        client = connect();
        tell(Workload::onSession);
    }

    /** Its machine is gone, and its connection is not reset; it begins anew. Returns whether it had a connection. */
    boolean vanish() {
        boolean had = network.vanish(host);
        if (had) {
            begin();
        }
        return had;
    }

    /** From now on its machine takes little at a time, and reads now and then; tells when that was too little first. */
    void readsSlowly(Chance pace, Runnable onOverrun) {
        SimulatedHost slow = host;
        slow.takes(SLOW_BYTES, () -> {
            slow.takes(SLOW_BYTES, () -> {});
            onOverrun.run();
        });
        host.betweenRounds(() -> pace.someNanos(SHORTEST_READ_NANOS, LONGEST_READ_NANOS));
    }

    /** It reads as all others do again. */
    void readsOn() {
        host.takes(Integer.MAX_VALUE, () -> {});
        host.betweenRounds(() -> 0);
        host.wake();
    }

    /**
     * Offers commands that take long, as many at once as it can, and measures how long each has to wait. Those that
     * wait behind others which are sent again may take longer: what may have been applied is not refused.
     *
     * @param served whether the process still serves that has got them
     */
    void examine(long mostNanos, BooleanSupplier served) {
        longestWaitNanos = mostNanos;
        isServed = open == 0 ? served : () -> false;
        for (int i = 0; i < EXAMINED_COMMANDS && client.isOpen() && offer(Witness.EXAMINED); i++) {
            open++;
        }
        host.wake();
    }

    private void examined(long id) {
        Examined offered = examined.remove(id);
        if (offered != null) {
            long took = schedule.nanos() - offered.sinceNanos;
            findings.require(
                    took <= longestWaitNanos || !offered.isServed.getAsBoolean(),
                    "a command was neither answered nor refused for " + took / 1_000_000 + " ms while commands were "
                            + "slow, and " + longestWaitNanos / 1_000_000 + " ms are the most");
        }
    }

    /** Leaves without a word. */
    void abandon() {
        host.die();
        feeds.forEach(UserFeed::abandon);
        feeds.clear();
        events.abandon();
        ClientThread shared = thread;
        if (shared != null) {
            shared.close();
        }
        client.disconnect();
    }

    private ServiceClient connect() {
        history.add(events);
        try {
            int windowBytes = 4096 << chance.random().nextInt(4);
            Duration patience = Duration.ofSeconds(5L << chance.random().nextInt(8));
            ServiceClient.Builder beginning = ServiceClient.builder("127.0.0.1", World.PORT)
                    .handler(this)
                    .windowBytes(windowBytes)
                    .token(token)
                    .connectTimeout(patience)
                    .reconnectTimeout(patience);
            thread = isSharing.happens(SHARES)
                    ? ClientThread.builder(name).machine(host).start()
                    : null;
            ServiceClient begun = (thread == null ? beginning.machine(host) : beginning.thread(thread)).begin();
            for (long topic : topics) {
                UserFeed handler = new UserFeed(topic, findings, this::tell);
                feeds.add(handler);
                history.add(handler);
                Feed ignored = begun.subscribe(topic, handler);
            }
            return begun;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void use() {
        if (isDone) {
            return;
        }
        if (!client.isOpen()) {
            String why = whyEnded();
            schedule.trace().note(name, "gives up and begins anew: " + why, 0);
            findings.require(
                    isRobbed || !why.contains(SUPERSEDED), name + " has lost the session to a stranger: " + why);
            die();
        } else if (leaves.happens(LEAVES) && !schedule.isWaitedFor()) {
            // Else a service that is being started, say, would go on only when this client has left.
            leaveAndComeBack();
        }
        offerSome();
        schedule.after(chance.random().nextLong(thinkNanos) + 1, this::use);
    }

    /** Returns why the client has given up its connection; one that has not is sent nothing. */
    private String whyEnded() {
        try {
            return client.isOpen() || client.offer(MemorySegment.ofArray(new byte[0]), 0, 0, 0) ? "it has not" : "";
        } catch (ServiceException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Offers as much as it may, perhaps, so that something is under way. */
    void burst() {
        if (!isDone && !isLeaving && client.isOpen() && chance.random().nextBoolean()) {
            offerSome();
        }
    }

    private void offerSome() {
        while (open < mostOpen && left > 0 && chance.random().nextInt(4) > 0 && offer(0)) {
            open++;
            left--;
        }
        ask();
        host.wake();
    }

    private void ask() {
        byte[] query = workload.ask(payloads.random());
        if (query == null) {
            return;
        }
        long id = ids.getAsLong() | ASKED;
        MemorySegment message = message(id, query);
        try {
            if (!client.offerQuery(message, 0, (int) message.byteSize(), id)) {
                hears(query, Answer.refused(NO_ROOM));
                return;
            }
        } catch (ServiceException e) {
            hears(query, Answer.refused(GIVEN_UP));
            return;
        }
        queries++;
        said.put(id, query);
        schedule.trace().note(name, "asks", id, Hash.of(message, Witness.ID_BYTES, query.length));
    }

    private static MemorySegment message(long id, byte[] payload) {
        MemorySegment message = MemorySegment.ofArray(new byte[Witness.ID_BYTES + payload.length]);
        message.set(LONG, 0, Witness.MARK | id);
        MemorySegment.copy(payload, 0, message, ValueLayout.JAVA_BYTE, Witness.ID_BYTES, payload.length);
        return message;
    }

    private boolean offer(long mark) {
        byte[] payload = workload.next(payloads.random());
        if (payload == null) {
            return false;
        }
        long id = ids.getAsLong() | mark;
        MemorySegment message = message(id, payload);
        CompletableFuture<Reply> sent = null;
        try {
            if (isCalling.happens(CALLS)) {
                sent = client.trySend(message.toArray(ValueLayout.JAVA_BYTE));
            }
            if (sent == null && !client.offer(message, 0, (int) message.byteSize(), id)) {
                hears(payload, Answer.refused(NO_ROOM));
                return false;
            }
        } catch (ServiceException e) {
            // It has given up its connection, which is seen at the next use.
            hears(payload, Answer.refused(GIVEN_UP));
            return false;
        }
        long command = Hash.of(message, Witness.ID_BYTES, payload.length);
        history.offered(id, command, principal);
        said.put(id, payload);
        if (mark != 0) {
            examined.put(id, new Examined(schedule.nanos(), isServed));
        }
        schedule.trace().note(name, "offers", id, command);
        if (sent != null) {
            answersTo(sent, id);
        }
        return true;
    }

    /** What comes as a future is heard as what comes to the handler. */
    private void answersTo(CompletableFuture<Reply> sent, long id) {
        CompletableFuture<Reply> ignored = sent.whenComplete((reply, failure) -> {
            if (failure instanceof BusyException busy) {
                onBusy(id, busy.retryAfterNanos());
            } else if (failure instanceof ServiceException failed) {
                onFailure(id, failed);
            } else if (failure != null) {
                findings.add("command " + id + " has failed with " + failure);
            } else {
                onReply(id, reply.sequence(), MemorySegment.ofArray(reply.payload()), 0, reply.payload().length);
            }
        });
    }

    @Override
    public void onReply(long id, long sequence, MemorySegment memory, long offset, int length) {
        long reply = Hash.of(memory, offset, length);
        schedule.trace().note(name, "reply to", id, reply);
        if (isQuery(id)) {
            asked(id, Answer.replied(bytes(memory, offset, length)));
            return;
        }
        open--;
        events.answered(id);
        examined(id);
        history.replied(id, sequence, reply);
        byte[] bytes = bytes(memory, offset, length);
        hears(id, Answer.replied(bytes));
    }

    @Override
    public void onEvent(long sequence, MemorySegment memory, long offset, int length) {
        long event = Hash.of(memory, offset, length);
        schedule.trace().note(name, "event of", sequence, event);
        events.add(sequence, event);
        byte[] bytes = bytes(memory, offset, length);
        tell(heard -> heard.onEvent(bytes));
    }

    @Override
    public void onMissedOutputs() {
        schedule.trace().note(name, "has missed outputs", 0);
        if (history.isForgetful()) {
            events = events.behindGap();
            history.add(events);
        } else {
            events.missed();
        }
        tell(Workload::onMissedEvents);
    }

    @Override
    public void onFailure(long id, ServiceException failure) {
        schedule.trace().note(name, "failure " + failure.code() + " of", id);
        if (isQuery(id)) {
            asked(id, Answer.failed(failure.code(), String.valueOf(failure.getMessage())));
            return;
        }
        open--;
        examined(id);
        // But for a crowd, there are fewer clients than sessions that the service remembers.
        findings.require(
                isLeaving
                        || history.isForgetful()
                        || !String.valueOf(failure.getMessage()).contains(FORGOTTEN),
                "command " + id + ": " + failure.getMessage());
        history.failed(id, failure.code(), String.valueOf(failure.getMessage()));
        hears(id, Answer.failed(failure.code(), String.valueOf(failure.getMessage())));
    }

    @Override
    public void onBusy(long id, long retryAfterNanos) {
        schedule.trace().note(name, "busy", id);
        if (isQuery(id)) {
            asked(id, Answer.refused(BUSY));
            return;
        }
        open--;
        examined(id);
        history.busy(id);
        hears(
                id,
                history.isSentTwice(id)
                        ? Answer.unknown("one of two copies was refused as busy")
                        : Answer.refused(BUSY));
    }

    private static boolean isQuery(long id) {
        return (id & ASKED) != 0;
    }

    private void asked(long id, Answer answer) {
        queries--;
        findings.require(said.containsKey(id), "an answer came for a query that nobody waits for");
        hears(id, answer);
    }

    private void hears(long id, Answer answer) {
        byte[] command = said.remove(id);
        if (command != null) {
            hears(command, answer);
        }
    }

    private void hears(byte[] command, Answer answer) {
        tell(heard -> heard.onAnswer(command, answer));
    }

    /** Lets the workload hear something; what it throws is a finding. */
    private void tell(Consumer<Workload> what) {
        if (hasLeft) {
            return;
        }
        try {
            what.accept(workload);
        } catch (RuntimeException | AssertionError e) {
            findings.add(name + " has heard what cannot be: " + (e.getMessage() == null ? e : e.getMessage()));
        }
    }

    private static byte[] bytes(MemorySegment memory, long offset, int length) {
        return memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }
}
