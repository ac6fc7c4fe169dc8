package io.slipstream.sim.service;

import io.slipstream.journal.tool.JournalTool;
import io.slipstream.journal.tool.Report;
import io.slipstream.service.SlowEntry;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import io.slipstream.sim.witness.Findings;
import io.slipstream.sim.witness.Witness;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets commands take time in the machine that serves: some of them, or one that never ends. The rest of the world goes
 * on meanwhile, the other threads of the service included.
 *
 * <p>A loop cannot be simulated on one thread: a command that spends simulated hours takes its place. An operator who
 * was told of it ends the process, and the next one replays into the same entry; he ends that, too, once he was told
 * again, and has the entry skipped.
 *
 * <p>Its numbers are its own, so that a life without it is the same otherwise.
 */
final class Slowness<M extends StateMachine> {
    private static final long SECOND = 1_000_000_000;
    private static final long SHORTEST_NANOS = SECOND / 1000;
    private static final long LONGEST_NANOS = SECOND;
    private static final long LOOP_NANOS = 4 * 3600 * SECOND;
    private static final long OPERATOR_NANOS = SECOND;
    private static final long SHORTEST_EXAMINED_NANOS = SECOND / 100;
    private static final long LONGEST_EXAMINED_NANOS = SECOND / 25;

    private final World<M> world;
    private final Schedule schedule;
    private final Findings findings;
    private final Chance chance;
    private double share;
    private long examinedNanos;
    private boolean isCounted;
    private boolean loopsNext;
    private long loopEntry;
    private long loopId;
    private boolean isTold;
    private long skippedEntry;
    private long skippedTimeNanos;
    private @Nullable ServiceProcess<M> busy;

    Slowness(World<M> world, Findings findings) {
        this.world = world;
        this.schedule = world.schedule();
        this.findings = findings;
        this.chance = schedule.chance("slow commands");
    }

    /** From now on some commands are slow. */
    void begin(int number) {
        share = 0.02 + number / 5000.0;
        isCounted = false;
    }

    /** They are not any more. */
    void end() {
        share = 0;
    }

    /** The next command does not end; there is one of that kind in a life. */
    void loop() {
        loopsNext = loopEntry == 0 && skippedEntry == 0;
    }

    /** Nothing fails any more: none begins to loop. */
    void calm() {
        share = 0;
        loopsNext = false;
    }

    /** Returns whether there is a command that loops, and that was not skipped yet. */
    boolean isLooping() {
        return loopEntry != 0;
    }

    /** A process serves whose log ends behind that entry: a loss of power may have taken the one that loops. */
    void serves(long lastEntry) {
        if (loopEntry > lastEntry) {
            schedule.trace().note("service", "has lost the command that loops", loopEntry);
            loopEntry = 0;
        }
    }

    /** Returns whether the power fails when an entry was skipped, before anything else runs on that disk. */
    boolean losesPowerBehindSkip() {
        return chance.random().nextBoolean();
    }

    /** Returns whether a process that was killed in the loop cannot have come behind that entry. */
    boolean isFromLoopOn(long sequence) {
        return loopEntry != 0 && sequence >= loopEntry;
    }

    /** Returns whether timers that were due at that time may have gone with an entry that was skipped. */
    boolean mayHaveSkipped(long dueNanos) {
        return dueNanos <= skippedTimeNanos;
    }

    /** Returns whether that process is in the middle of a command. */
    boolean isBusy(ServiceProcess<M> process) {
        return busy == process;
    }

    /** Chooses how long each command of an examination takes. */
    long chooseExamined() {
        examinedNanos = chance.someNanos(SHORTEST_EXAMINED_NANOS, LONGEST_EXAMINED_NANOS);
        return examinedNanos;
    }

    /** The machine of that process is about to be given a command. */
    void pass(ServiceProcess<M> in, Witness<M> witness, long id, long sequence, long timeNanos) {
        if (in.live() != witness || in.host().isDead()) {
            return;
        }
        boolean serves = in.service() != null;
        findings.require(sequence != skippedEntry, "entry " + sequence + " of the log was skipped, and was applied");
        if (loopsNext && serves) {
            loopsNext = false;
            loopEntry = sequence;
            loopId = id;
        }
        if (sequence == loopEntry) {
            skippedTimeNanos = timeNanos;
            hang(in, serves);
        } else if (serves) {
            long nanos = (id & Witness.EXAMINED) != 0 ? examinedNanos : someNanos();
            if (nanos > 0) {
                spend(in, nanos);
            }
        }
    }

    private long someNanos() {
        if (!chance.happens(share)) {
            return 0;
        }
        if (!isCounted) {
            isCounted = true;
            schedule.trace().fault("world", Disaster.Kind.SLOW_COMMANDS.name(), 0);
        }
        return chance.someNanos(SHORTEST_NANOS, LONGEST_NANOS);
    }

    private void spend(ServiceProcess<M> in, long nanos) {
        busy = in;
        try {
            in.host().spend(nanos, () -> findings.first() != null);
        } finally {
            busy = null;
        }
    }

    private void hang(ServiceProcess<M> in, boolean serves) {
        schedule.trace().note("service", serves ? "loops in" : "loops at replay in", loopEntry);
        isTold = false;
        requireTold(in, 2 * world.settings().slowEntryNanos());
        spend(in, LOOP_NANOS);
        findings.require(
                in.host().isDead(),
                "a process that was in entry " + loopEntry + " of the log for hours was not ended by anybody");
    }

    /** Somebody must be told while the process is allowed to run. */
    private void requireTold(ServiceProcess<M> in, long nanos) {
        schedule.after(nanos, () -> {
            long since = schedule.nanos() - in.host().pausedUntil();
            if (in.host().isDead() || isTold) {
                return;
            }
            if (since < nanos) {
                requireTold(in, nanos - since);
            } else {
                findings.add("nobody was told of a command that loops, log entry " + loopEntry + ", for "
                        + nanos / SECOND + " s");
            }
        });
    }

    /** The service has told that the machine is in an entry for long. */
    void told(ServiceProcess<M> of, SlowEntry entry) {
        if (entry.sequence() != loopEntry || isTold || of.host().isDead()) {
            return;
        }
        isTold = true;
        findings.require(
                entry.replayed() == (of.service() == null),
                "a command that loops was told to be replayed, or not, and the contrary holds: " + entry.text());
        schedule.trace().note("service", "tells of an entry it is in", entry.sequence());
        schedule.after(chance.someNanos(OPERATOR_NANOS), () -> world.ends(of, entry.replayed()));
    }

    /** An operator has the entry skipped; nothing runs on this disk. */
    void skip(SimulatedDisk disk) {
        try (JournalTool tool = new JournalTool(
                new SimulatedStorage(disk, chance.random()),
                new Report(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8), false),
                List.of())) {
            tool.skip(loopEntry);
        } catch (IOException e) {
            findings.add("the command that loops, entry " + loopEntry + " of the log, cannot be skipped: " + e);
        }
        schedule.trace().fault("world", Disaster.Kind.LOOPING_COMMAND.name(), 0);
        world.history().skipped(loopId, loopEntry);
        skippedEntry = loopEntry;
        loopEntry = 0;
    }
}
