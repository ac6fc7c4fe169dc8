package io.slipstream.service.logic;

import io.slipstream.core.frame.Frame;
import io.slipstream.core.ring.FrameRing;
import io.slipstream.service.machine.Prefetching;
import io.slipstream.service.machine.StateFormatException;
import io.slipstream.service.machine.StateInput;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.machine.StateOutput;
import io.slipstream.service.pressure.CommandKinds;
import io.slipstream.service.protocol.Busy;
import io.slipstream.service.protocol.Message;
import io.slipstream.service.protocol.MessageType;
import io.slipstream.service.protocol.Start;
import io.slipstream.service.protocol.Status;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a log means: it applies entries in order to the state machine and to all that stands around it. Sessions,
 * timers, feeds, random numbers and checks of the state follow from the log alone, so a replay leads to the same again.
 *
 * <p>For one thread. A service has one behind its journal; a snapshot is taken of a second one; a test has one alone.
 */
public final class Logic {
    /** As many timers fire at one entry at most; the others fire at the entries behind it. */
    static final int TIMERS_AT_ONCE = 1024;

    /* Format 1 has one version, and no rules. Format 2 has no hash of the state, and no bytes of checks. In format 3
    sessions do not tell their connections apart. */
    private static final int FORMAT = 4;

    private final StateMachine machine;
    private final @Nullable Prefetching prefetching;
    private final Sessions sessions;
    private final TimerQueue timers = new TimerQueue();
    private final Feeds feeds;
    private final LogRandom random = new LogRandom();
    private final Outputs outputs;
    private final SessionEntries sessionEntries;
    private final SessionRequests requests;
    private final StateChecks checks;
    private final Failures failures = new Failures();
    private final Pulse pulse;
    private final String skipCommand;
    private long lastSequence;
    private long lastTimeNanos;
    private int version = -1;
    private byte rules;
    private boolean firesAgain;
    private long savedHash;
    private boolean isLoadedOtherwise;

    /**
     * Creates the logic of an empty log.
     *
     * @param machine  in its initial state
     * @param limits   what is kept for clients, and what they may send
     * @param ring     takes the outputs, from {@link #goLive} on
     * @param whileFull run again and again while that ring is full
     */
    public Logic(StateMachine machine, LogicLimits limits, FrameRing ring, Runnable whileFull) {
        this.machine = machine;
        this.prefetching = machine instanceof Prefetching asked ? asked : null;
        this.skipCommand = limits.skipCommand();
        this.pulse = new Pulse(machine instanceof CommandKinds kinds ? kinds : CommandKinds.ALIKE);
        this.sessions = new Sessions(limits.outboxBytes());
        this.feeds = new Feeds(limits.feedBytes());
        this.outputs = new Outputs(ring, whileFull, sessions, timers, feeds, random);
        this.sessionEntries = new SessionEntries(machine, sessions, outputs, failures, limits.maxFrameLength());
        this.requests = new SessionRequests(machine, sessions, outputs, failures);
        this.checks = new StateChecks(machine);
    }

    /**
     * Sends outputs to another ring, before {@link #goLive}: a logic that has followed a log goes on in a service.
     *
     * @param whileFull run again and again while that ring is full
     */
    public void sendTo(FrameRing ring, Runnable whileFull) {
        outputs.sendTo(ring, whileFull);
    }

    /** Returns the state machine that it leads. */
    public StateMachine machine() {
        return machine;
    }

    /** From now on outputs are sent. */
    public void goLive() {
        outputs.goLive();
    }

    /** Returns the sequence of the last log entry that was applied. */
    public long lastSequence() {
        return lastSequence;
    }

    /** Returns the time of the last log entry that was applied, in nanoseconds since 1970. */
    public long lastTimeNanos() {
        return lastTimeNanos;
    }

    /** Returns the hash of the machine's state. */
    public long stateHash() {
        return machine.stateHash();
    }

    /**
     * Returns whether timers that fired in the last entry have set others for the same time, which fire in the next
     * one. Who writes an entry for them waits a little, or a timer that does so each time would fill the log.
     */
    public boolean firesAgain() {
        return firesAgain;
    }

    /** Returns how many sessions are remembered. */
    public int sessionCount() {
        return sessions.count();
    }

    /** Returns when the next timer is due, in nanoseconds since 1970; {@link Long#MAX_VALUE} if none is set. */
    public long nextDeadline() {
        return timers.nextDeadline();
    }

    /** Returns the checks of the state, for whoever writes them into the log. */
    public StateChecks checks() {
        return checks;
    }

    /** Returns what to call with what the machine throws. */
    public Failures failures() {
        return failures;
    }

    /** Returns what another thread sees of this one. */
    public Pulse pulse() {
        return pulse;
    }

    /** Returns what sends answers that are not the machine's own. */
    Outputs outputs() {
        return outputs;
    }

    /** Returns whether the machine wants to know what comes next. */
    public boolean looksAhead() {
        return prefetching != null;
    }

    /** The message at {@code offset} comes soon, and takes so many bytes with its header; {@link #prefetch} follows. */
    public void expect(MemorySegment memory, long offset, int length) {
        Prefetching to = prefetching;
        short type = Message.type(memory, offset);
        if (to != null && (type == MessageType.COMMAND || type == MessageType.QUERY)) {
            to.expect(memory, offset + Message.HEADER_BYTES, length - Message.HEADER_BYTES);
        }
    }

    /** What was expected, at most {@link Prefetching#MOST} messages, is about to be applied. */
    public void prefetch() {
        Prefetching to = prefetching;
        if (to != null) {
            to.prefetch();
        }
    }

    /**
     * Applies the message whose header is at {@code offset}: an entry of the log, or a question that is not in it.
     *
     * @throws LogicError         if the machine has thrown an {@link Error}; the state is lost
     * @throws WrongLogException  if the log is not that of this machine
     * @throws DivergedException  if the state is not the one that was in the log
     */
    public void apply(MemorySegment memory, long offset) {
        short type = Message.type(memory, offset);
        if (version < 0 && type != MessageType.START) {
            throw new WrongLogException("the log does not say whose it is: it begins with a message of type " + type
                    + ". It is not the log of a service");
        }
        if (!MessageType.isLogged(type)) {
            pulse.begin(0, type, memory, offset);
            requests.ask(memory, offset);
            return;
        }
        lastSequence = Message.sequence(memory, offset);
        pulse.begin(lastSequence, type, memory, offset);
        lastTimeNanos = Message.timeNanos(memory, offset);
        outputs.lastEntryAt(lastTimeNanos);
        random.begin(lastSequence);
        beginTimers();
        try {
            if (type == MessageType.CHECK) {
                checks.onCheck(memory, offset);
            }
            if (fires(type) && fireTimers(memory, offset) > 0) {
                pulse.begin(lastSequence, type, memory, offset);
            }
            enter(memory, offset, type);
        } catch (OutputEndedError | LogicError e) {
            throw e;
        } catch (Error e) {
            String session = pulse.isTimer() ? "" : ", session " + Message.session(memory, offset);
            throw new LogicError(lastSequence, pulse.text() + session, skipCommand, e);
        }
        if (type != MessageType.CHECK) {
            // A check behind each check would never end.
            checks.onEntry(lastSequence, Frame.length(memory, offset));
        }
    }

    /**
     * Applies an entry that came through another gateway: what it sends to its own client is kept for that one, but
     * sent by that gateway alone. Events and items are sent as ever.
     *
     * @throws LogicError as {@link #apply} does, and the others
     */
    public void follow(MemorySegment memory, long offset) {
        outputs.answers(false);
        try {
            apply(memory, offset);
        } finally {
            outputs.answers(true);
        }
    }

    /** Notes that the connections which {@code ended} knows have ended, in the order of the sessions' last activity. */
    public void detachAll(LongPredicate ended) {
        sessions.detachAll(ended);
    }

    /** Returns the version of the machine that the log has come to; negative before its first entry. */
    public int version() {
        return version;
    }

    /** Answers the request for the status of the service whose header is at {@code offset}; a failure if it throws. */
    public void answer(MemorySegment memory, long offset, Supplier<Status> status) {
        outputs.begin(memory, offset, null, Outputs.Mode.QUERY);
        try {
            outputs.status(status.get());
        } catch (Exception e) {
            failures.failed(outputs, e, false);
        }
    }

    /**
     * Passes over an entry that is marked as one to be skipped: the machine does not hear of it, nor of the timers that
     * were due with it, which are set no more. What the entry says of sessions and versions holds, and its client is
     * told that it was skipped, should it ask.
     *
     * @return how many timers did not fire
     */
    public int skip(MemorySegment memory, long offset) {
        lastSequence = Message.sequence(memory, offset);
        lastTimeNanos = Message.timeNanos(memory, offset);
        outputs.lastEntryAt(lastTimeNanos);
        int passed = fires(Message.type(memory, offset)) ? passTimers() : 0;
        switch (Message.type(memory, offset)) {
            case MessageType.COMMAND -> requests.skipCommand(memory, offset);
            case MessageType.BYE -> sessionEntries.skipBye(memory, offset);
            case MessageType.DETACH -> sessionEntries.detach(memory, offset);
            case MessageType.START -> start(memory, offset, false);
            default -> {
                // It has said nothing else.
            }
        }
        checks.onSkip();
        checks.onEntry(lastSequence, Frame.length(memory, offset));
        return passed;
    }

    /**
     * As {@link #skip(MemorySegment, long)}.
     *
     * @param answers whether the client came through this gateway
     */
    public int skip(MemorySegment memory, long offset, boolean answers) {
        outputs.answers(answers);
        try {
            return skip(memory, offset);
        } finally {
            outputs.answers(true);
        }
    }

    /**
     * Answers a request that is not in the log, because that had no room or the request has waited too long; it
     * therefore changes nothing. Of a command that came before, and was logged then, it tells what became of it. One
     * that came on an earlier connection is passed over, as it would be if it were in the log.
     *
     * @param retryAfterNanos after how long to come back
     */
    public void refuse(MemorySegment memory, long offset, Busy.Reason reason, long retryAfterNanos) {
        requests.refuse(memory, offset, reason, retryAfterNanos);
    }

    private void enter(MemorySegment memory, long offset, short type) {
        switch (type) {
            case MessageType.COMMAND -> requests.command(memory, offset);
            case MessageType.HELLO -> sessionEntries.hello(memory, offset);
            case MessageType.BYE -> sessionEntries.bye(memory, offset);
            case MessageType.DETACH -> sessionEntries.detach(memory, offset);
            case MessageType.START -> start(memory, offset, true);
            case MessageType.CHECK, MessageType.TICK -> {
                // The state was checked, and of a tick its time is what it is for.
            }
            default -> throw new IllegalStateException("a message of type " + type + " passed the gateway");
        }
    }

    private void start(MemorySegment memory, long offset, boolean machineHears) {
        Start start = Start.decode(memory, offset);
        if (!start.name().equals(machine.name())) {
            throw new WrongLogException("this is the log of '" + start.name() + "', and the state machine is '"
                    + machine.name() + "'; give it the folder of its own");
        }
        if (start.version() > machine.version()) {
            throw new WrongLogException("the log was written by version " + start.version() + " of '" + start.name()
                    + "', and this is version " + machine.version() + "; serve it with the newer one");
        }
        requireUnderstood("the log", start.version());
        if (!start.has(Start.UPGRADES)) {
            begin(start, memory, offset, machineHears);
        }
        int former = version;
        version = start.version();
        outputs.version(version);
        outputs.begin(memory, offset, null, Outputs.Mode.COMMAND);
        outputs.beginUnasked();
        if (machineHears && former >= 0 && former != version) {
            upgrade(former);
        }
    }

    private void upgrade(int former) {
        try {
            machine.onUpgrade(former, outputs);
        } catch (Exception e) {
            throw new LogicError(lastSequence, "the upgrade from version " + former, skipCommand, e);
        }
    }

    /** Notes that a service starts, and how it is set up. */
    private void begin(Start start, MemorySegment memory, long offset, boolean machineHears) {
        if (version < 0) {
            random.seed(start.seed());
        }
        rules = start.rules();
        sessions.limit(start.sessions());
        if (start.has(Start.ENDS_SESSIONS)) {
            if (machineHears) {
                sessionEntries.endEphemeral(memory, offset);
            } else {
                sessionEntries.forgetEphemeral();
            }
        }
        sessions.detachAll();
        tellConnections();
        checks.every(start.checkEvery(), start.has(Start.CHECKS_BYTES));
    }

    private void tellConnections() {
        sessions.tellConnections((rules & Start.LATEST_CONNECTION) != 0);
    }

    private void requireUnderstood(String what, int written) {
        if (written < machine.oldestVersion()) {
            throw new WrongLogException(what + " was written by version " + written + " of '" + machine.name()
                    + "', and this version " + machine.version() + " acts as version " + machine.oldestVersion()
                    + " and newer alone; serve it with the older one, or give this one a folder of its own");
        }
    }

    private boolean fires(short type) {
        return type != MessageType.CHECK || (rules & Start.CHECKS_FIRE_NOTHING) == 0;
    }

    private void beginTimers() {
        if ((rules & Start.TIMERS_WAIT) != 0) {
            timers.beginEntry(lastTimeNanos);
        }
    }

    private int passTimers() {
        beginTimers();
        int passed = 0;
        while (passed < TIMERS_AT_ONCE && timers.isDue(lastTimeNanos)) {
            timers.removeNext();
            passed++;
        }
        firesAgain = false;
        return passed;
    }

    private int fireTimers(MemorySegment memory, long offset) {
        int fired;
        for (fired = 0; fired < TIMERS_AT_ONCE && timers.isDue(lastTimeNanos); fired++) {
            if (fired == 0) {
                outputs.begin(memory, offset, null, Outputs.Mode.COMMAND);
            }
            outputs.beginUnasked();
            long dueNanos = timers.nextDeadline();
            long timer = timers.removeNext();
            pulse.timer(timer, dueNanos);
            try {
                machine.onTimer(timer, outputs);
            } catch (Exception e) {
                failures.timerFailed(outputs.sequence(), timer, dueNanos, e);
            }
        }
        firesAgain = fired > 0 && !timers.isDue(lastTimeNanos) && timers.nextDeadline() <= lastTimeNanos;
        return fired;
    }

    /**
     * Writes all that a later {@link #load} needs to go on from here, the machine's state last.
     *
     * <p>There are two versions in it: the one that the log has come to, so that an upgrade that is still to come is
     * not missed, and the one of the machine, which decides in what format its state is written. They differ between
     * the start of a newer machine and the {@code START} entry of that.
     */
    public void save(StateOutput to) {
        to.writeInt(FORMAT);
        to.writeString(machine.name());
        to.writeInt(version);
        to.writeInt(machine.version());
        to.writeInt(rules);
        to.writeLong(lastSequence);
        to.writeLong(lastTimeNanos);
        to.writeLong(random.seed());
        to.writeLong(machine.stateHash());
        saveOwn(to, true);
        machine.save(to);
    }

    /**
     * Writes what the runtime itself remembers. As the state of the machine, that follows from the log alone.
     *
     * @param withKept whether with the outputs that are kept: how many depends on the limits of the service as well
     */
    public void saveOwn(StateOutput to, boolean withKept) {
        checks.save(to);
        sessions.save(to, withKept);
        timers.save(to);
        feeds.save(to, withKept);
    }

    /**
     * Reads what {@link #save} has written, in place of the initial state.
     *
     * @throws StateFormatException if it is of another format, or the machine reads it otherwise than it was written
     * @throws WrongLogException    if it is the state of another machine
     */
    public void load(StateInput from) {
        Heading heading = Heading.read(from);
        String name = heading.name();
        if (!name.equals(machine.name())) {
            throw new WrongLogException("this is a snapshot of '" + name + "', and the state machine is '"
                    + machine.name() + "'; give it the folder of its own");
        }
        int format = heading.format();
        int writer = heading.writer();
        version = heading.version();
        outputs.version(version);
        rules = heading.rules();
        if (writer > machine.version()) {
            throw new WrongLogException("the snapshot was written by version " + writer + " of '" + name
                    + "', and this is version " + machine.version() + "; serve it with the newer one");
        }
        requireUnderstood("the snapshot", Math.min(version, writer));
        lastSequence = heading.lastSequence();
        lastTimeNanos = heading.lastTimeNanos();
        outputs.lastEntryAt(lastTimeNanos);
        random.seed(from.readLong());
        savedHash = format < 3 ? 0 : from.readLong();
        checks.load(from, format < 3);
        sessions.load(from, format >= 4);
        tellConnections();
        timers.load(from);
        feeds.load(from);
        machine.load(from, writer);
        // Another version may hash the same state otherwise.
        isLoadedOtherwise = format >= 3 && writer == machine.version() && machine.stateHash() != savedHash;
    }

    /**
     * Checks that what was loaded is the state that was saved.
     *
     * @throws DivergedException if it has another hash than the snapshot says
     */
    public void requireLoadedAsSaved() {
        if (isLoadedOtherwise) {
            throw new DivergedException(lastSequence, savedHash, machine.stateHash(), machine.name());
        }
    }

    /**
     * What a saved state begins with.
     *
     * @param format        of what follows
     * @param name          of the state machine
     * @param version       that the log had come to
     * @param writer        version of the state machine that has saved it
     * @param rules         of the log
     * @param lastSequence  of the last entry that was applied
     * @param lastTimeNanos of that entry, in nanoseconds since 1970
     */
    public record Heading(
            int format, String name, int version, int writer, byte rules, long lastSequence, long lastTimeNanos) {
        /**
         * Reads it.
         *
         * @throws StateFormatException if it is of another format
         */
        public static Heading read(StateInput from) {
            int format = from.readInt();
            if (format < 1 || format > FORMAT) {
                throw new StateFormatException(
                        "the snapshot has format " + format + ", and this version reads formats up to " + FORMAT);
            }
            String name = from.readString();
            int version = from.readInt();
            int writer = format == 1 ? version : from.readInt();
            byte rules = format == 1 ? 0 : (byte) from.readInt();
            return new Heading(format, name, version, writer, rules, from.readLong(), from.readLong());
        }
    }
}
