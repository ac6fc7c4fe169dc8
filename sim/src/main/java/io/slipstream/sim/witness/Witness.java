package io.slipstream.sim.witness;

import io.slipstream.core.frame.Frame;
import io.slipstream.service.machine.Output;
import io.slipstream.service.machine.Request;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.pressure.CommandKinds;
import io.slipstream.service.protocol.FailureNotice;
import io.slipstream.service.protocol.Message;
import io.slipstream.sim.world.Hash;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Stands around a user's state machine and remembers all that it was given and has said. What it remembers is a part of
 * the state: it is saved, loaded and replayed with it.
 *
 * <p>Each command begins with eight bytes that the simulation tells it by; the machine does not see them.
 */
public final class Witness<M extends StateMachine> implements StateMachine, CommandKinds {
    public static final int ID_BYTES = Long.BYTES;

    /** What messages of clients begin with, beside the id: what another protocol puts into the log does not. */
    public static final long MARK = 0x0A5A_5EED_0000_0000L;

    /** Without the bits of an id that count, or say of what kind it is. */
    private static final long MARK_MASK = 0x1FFF_FFFF_0000_0000L;

    /** A command with this bit in its id is one of an examination, of a kind of its own. */
    public static final long EXAMINED = 1L << 62;

    /* What the text of an exception may take. */
    private static final int MOST_FAILURE_BYTES = 512;
    private static final long LONGEST_LEAP_NANOS = Duration.ofDays(1).toNanos();
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final M machine;
    private final Findings findings;
    private final Consumer<? super M> invariant;
    private final LongFunction<@Nullable String> principals;
    private final CommandTime<M> time;
    private final List<Applied> applied = new ArrayList<>();
    private final List<Item> items = new ArrayList<>();
    private final List<Item> events = new ArrayList<>();
    private final TreeMap<Long, Long> timers = new TreeMap<>();
    private final TreeSet<Long> sessions = new TreeSet<>();
    private final TreeMap<Long, Long> kept = new TreeMap<>();
    private final WitnessedOutput output = new WitnessedOutput(this);
    private long hash;
    private long sequence;
    private long timeNanos;
    private boolean isLoaded;

    /** What a command takes, besides what the machine needs. */
    public interface CommandTime<M extends StateMachine> {
        /** The witness is about to hand that command to its machine; the time of the log is {@code timeNanos}. */
        void pass(Witness<M> witness, long id, long sequence, long timeNanos);
    }

    /**
     * Creates it around a machine.
     *
     * @param principals the name of whoever has offered that command, if somebody has
     */
    public Witness(
            M machine,
            Findings findings,
            Consumer<? super M> invariant,
            LongFunction<@Nullable String> principals,
            CommandTime<M> time) {
        this.principals = principals;
        this.time = time;
        this.machine = machine;
        this.findings = findings;
        this.invariant = invariant;
    }

    /** Returns the log's entry of the last command. */
    public long sequence() {
        return sequence;
    }

    /** Returns whether it began with a snapshot. */
    public boolean isLoaded() {
        return isLoaded;
    }

    /** Returns the commands that were applied, in order. */
    public List<Applied> applied() {
        return applied;
    }

    /** Returns the items that were published, in order. */
    public List<Item> items() {
        return items;
    }

    /** Returns the events that were sent to sessions, in order. */
    public List<Item> events() {
        return events;
    }

    /** Returns when each timer is due that is set. */
    public TreeMap<Long, Long> timers() {
        return timers;
    }

    /** Returns whether that command was applied in a session that has not ended. */
    public boolean isInOpenSession(long id) {
        return applied.stream().anyMatch(each -> each.id() == id && sessions.contains(each.session()));
    }

    void published(long topic, long itemHash) {
        items.add(new Item(topic, itemHash));
        hash = Hash.mix(hash ^ itemHash);
    }

    /** Returns how many bytes of outputs the service has had to keep for that session, at the most. */
    private long keptBytes(long session) {
        return kept.getOrDefault(session, 0L);
    }

    /** Returns how many of them belong to that command, or to what came after it. */
    public long keptBytesSince(Applied command) {
        return keptBytes(command.session()) - command.kept();
    }

    private void keeps(long session, int length) {
        kept.merge(session, (long) Frame.align(Message.HEADER_BYTES + FailureNotice.HEADER_BYTES + length), Long::sum);
    }

    void sent(long session, long eventHash, int length) {
        keeps(session, length);
        events.add(new Item(session, eventHash));
        hash = Hash.mix(hash ^ eventHash);
    }

    @Override
    public void onCommand(Request command, Output real) {
        if (!isOurs(command.memory(), command.offset(), command.length())) {
            onForeign(command, real);
            return;
        }
        sequence = command.sequence();
        requireTimeGoesOn(real);
        long id = command.memory().get(LONG, command.offset()) ^ MARK;
        findings.require(
                sessions.contains(command.session()), "command " + id + " was applied in a session that is not open");
        String principal = principals.apply(id);
        findings.require(
                principal == null || principal.equals(command.principal()),
                "command " + id + " of '" + principal + "' was applied as that of '" + command.principal() + "'");
        time.pass(this, id, sequence, real.timeNanos());
        long keptBefore = keptBytes(command.session());
        long before = applied.isEmpty() ? 0 : applied.getLast().sequence();
        findings.require(
                sequence > before,
                "command " + id + " was applied as entry " + sequence + " of the log, behind entry " + before);
        long commandHash = Hash.of(command.memory(), command.offset() + ID_BYTES, command.length() - ID_BYTES);
        long reply = Applied.THROWN;
        int replyBytes = MOST_FAILURE_BYTES;
        try {
            machine.onCommand(new Unwrapped(command), output.of(real, true));
            reply = output.reply();
            replyBytes = output.replyBytes();
        } finally {
            keeps(command.session(), replyBytes);
            applied.add(new Applied(sequence, command.session(), id, commandHash, reply, keptBefore));
            hash = Hash.mix(hash ^ id ^ Hash.mix(commandHash ^ Hash.mix(reply ^ sequence)));
        }
        check();
    }

    /** Another protocol has commands of its own, which nobody here knows by an id. */
    private void onForeign(Request command, Output real) {
        sequence = command.sequence();
        requireTimeGoesOn(real);
        try {
            machine.onCommand(command, output.of(real, true));
        } finally {
            hash = Hash.mix(hash ^ Hash.of(command.memory(), command.offset(), command.length()) ^ sequence);
        }
        check();
    }

    private static boolean isOurs(MemorySegment memory, long offset, int length) {
        return length >= ID_BYTES && (memory.get(LONG, offset) & MARK_MASK) == MARK;
    }

    @Override
    public int kind(MemorySegment memory, long offset, int length) {
        return isOurs(memory, offset, length) && (memory.get(LONG, offset) & EXAMINED) != 0 ? 1 : 0;
    }

    @Override
    public void onQuery(Request query, Output real) {
        boolean isOurs = isOurs(query.memory(), query.offset(), query.length());
        long before = machine.stateHash();
        machine.onQuery(isOurs ? new Unwrapped(query) : query, real);
        requireUnchanged(before, "a query");
    }

    /** A replay would lack what is not in the log. */
    private void requireUnchanged(long before, String by) {
        long now = machine.stateHash();
        findings.require(
                now == before,
                by + " has changed the state: its hash was " + Long.toHexString(before) + " and is "
                        + Long.toHexString(now));
    }

    @Override
    public void onTimer(long timer, Output real) {
        requireTimeGoesOn(real);
        Long due = timers.remove(timer);
        findings.require(due != null, "timer " + timer + " has fired, and was not set");
        findings.require(
                due == null || real.timeNanos() >= due,
                "timer " + timer + " has fired at " + real.timeNanos() + ", and was due at " + due);
        hash = Hash.mix(hash ^ timer);
        machine.onTimer(timer, output.of(real, true));
        check();
    }

    @Override
    public void onSubscribe(long topic, Request command, Output real) {
        long before = machine.stateHash();
        machine.onSubscribe(topic, command, output.of(real, false));
        requireUnchanged(before, "a subscription");
    }

    @Override
    public void onSessionOpen(long session, String principal, Output real) {
        requireTimeGoesOn(real);
        machine.onSessionOpen(session, principal, output.of(real, true));
        findings.require(sessions.add(session), "session " + session + " was opened twice");
        hash = Hash.mix(hash ^ session);
    }

    @Override
    public void onSessionClose(long session, Output real) {
        requireTimeGoesOn(real);
        findings.require(sessions.remove(session), "session " + session + " has ended, and was not open");
        hash = Hash.mix(hash ^ ~session);
        machine.onSessionClose(session, output.of(real, true));
    }

    @Override
    public void onUpgrade(int formerVersion, Output real) {
        machine.onUpgrade(formerVersion, output.of(real, true));
    }

    @Override
    public long stateHash() {
        return Hash.mix(hash ^ machine.stateHash());
    }

    @Override
    public void save(StateOutput state) {
        state.writeLong(hash);
        state.writeLong(sequence);
        state.writeLong(timeNanos);
        state.writeInt(applied.size());
        for (Applied each : applied) {
            state.writeLong(each.sequence());
            state.writeLong(each.session());
            state.writeLong(each.id());
            state.writeLong(each.command());
            state.writeLong(each.reply());
            state.writeLong(each.kept());
        }
        save(items, state);
        save(events, state);
        state.writeInt(timers.size());
        timers.forEach((timer, due) -> {
            state.writeLong(timer);
            state.writeLong(due);
        });
        state.writeInt(sessions.size());
        sessions.forEach(state::writeLong);
        state.writeInt(kept.size());
        kept.forEach((session, bytes) -> {
            state.writeLong(session);
            state.writeLong(bytes);
        });
        machine.save(state);
    }

    @Override
    public void load(StateInput state, int version) {
        isLoaded = true;
        hash = state.readLong();
        sequence = state.readLong();
        timeNanos = state.readLong();
        for (int i = state.readInt(); i > 0; i--) {
            applied.add(new Applied(
                    state.readLong(),
                    state.readLong(),
                    state.readLong(),
                    state.readLong(),
                    state.readLong(),
                    state.readLong()));
        }
        load(items, state);
        load(events, state);
        for (int i = state.readInt(); i > 0; i--) {
            timers.put(state.readLong(), state.readLong());
        }
        for (int i = state.readInt(); i > 0; i--) {
            sessions.add(state.readLong());
        }
        for (int i = state.readInt(); i > 0; i--) {
            kept.put(state.readLong(), state.readLong());
        }
        machine.load(state, version);
    }

    private static void save(List<Item> list, StateOutput state) {
        state.writeInt(list.size());
        for (Item each : list) {
            state.writeLong(each.topic());
            state.writeLong(each.hash());
        }
    }

    private static void load(List<Item> list, StateInput state) {
        for (int i = state.readInt(); i > 0; i--) {
            list.add(new Item(state.readLong(), state.readLong()));
        }
    }

    @Override
    public String name() {
        return machine.name();
    }

    @Override
    public int version() {
        return machine.version();
    }

    @Override
    public int oldestVersion() {
        return machine.oldestVersion();
    }

    @Override
    public void close() {
        machine.close();
    }

    private void requireTimeGoesOn(Output real) {
        findings.require(
                real.timeNanos() >= timeNanos,
                "the time of the log went back behind entry " + sequence + ", from " + timeNanos + " to "
                        + real.timeNanos());
        findings.require(
                timeNanos == 0 || real.timeNanos() - timeNanos <= LONGEST_LEAP_NANOS,
                "the time of the log has leapt behind entry " + sequence + ", from " + timeNanos + " to "
                        + real.timeNanos());
        timeNanos = real.timeNanos();
    }

    private void check() {
        try {
            invariant.accept(machine);
        } catch (RuntimeException | AssertionError e) {
            findings.add("an invariant of the machine does not hold behind entry " + sequence + ": " + e.getMessage());
        }
    }

    /** A command as the machine knows it. */
    private record Unwrapped(Request command) implements Request {
        @Override
        public MemorySegment memory() {
            return command.memory();
        }

        @Override
        public long offset() {
            return command.offset() + ID_BYTES;
        }

        @Override
        public int length() {
            return command.length() - ID_BYTES;
        }

        @Override
        public long session() {
            return command.session();
        }

        @Override
        public String principal() {
            return command.principal();
        }

        @Override
        public long correlation() {
            return command.correlation();
        }

        @Override
        public long sequence() {
            return command.sequence();
        }

        @Override
        public long timeNanos() {
            return command.timeNanos();
        }
    }
}
