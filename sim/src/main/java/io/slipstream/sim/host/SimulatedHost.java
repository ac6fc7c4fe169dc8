package io.slipstream.sim.host;

import io.slipstream.core.thread.Signal;
import io.slipstream.core.thread.Worker;
import io.slipstream.journal.storage.Storage;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.host.Host;
import io.slipstream.service.host.Threads;
import io.slipstream.sim.network.Node;
import io.slipstream.sim.network.SimulatedNetwork;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The machine that one simulated process runs on, from its start to its death: its clocks, its threads, which are turns
 * of the one real thread, and its view of network and disk.
 */
public final class SimulatedHost implements Host, Node {
    private static final long EPOCH_NANOS =
            Instant.parse("2026-01-01T00:00:00Z").getEpochSecond() * 1_000_000_000;

    private static final long GIVEN_NANOS = 20_000;

    private final Schedule schedule;
    private final String name;
    private final Chance chance;
    private final SelectorProvider provider;
    private final List<SimulatedTask> tasks = new ArrayList<>();
    private final SimulatedThreads threads = new SimulatedThreads(this);
    private @Nullable Storage storage;
    private LongSupplier betweenRounds = () -> 0;
    private Predicate<FaultPoint> faultPoints = point -> false;
    private LongSupplier deadline = () -> Long.MAX_VALUE;
    private long driftPpm;
    private long epochOffset;
    private long standsSince;
    private long standsUntil;
    private long pausedUntil;
    private long firstSecret;
    private long stolen;
    private long afterDeath;
    private int mostUnread = Integer.MAX_VALUE;
    private Runnable onOverrun = () -> {};
    private boolean isDead;

    /** Creates a machine whose clocks are right. */
    public SimulatedHost(Schedule schedule, SimulatedNetwork network, String name) {
        this.schedule = schedule;
        this.name = name;
        this.chance = schedule.chance(name);
        this.provider = network.provider(this);
    }

    /** Gives it a disk. */
    public SimulatedHost withStorage(Storage newStorage) {
        storage = newStorage;
        return this;
    }

    /**
     * Sets what the system does after a round of some task.
     *
     * @param action returns for how many nanoseconds the thread of that task hangs
     */
    public void betweenRounds(LongSupplier action) {
        betweenRounds = action;
    }

    /** Sets where the code behaves as it rarely does. */
    public void faultPoints(Predicate<FaultPoint> strikes) {
        faultPoints = strikes;
    }

    /** Has the first secret of {@code other}, its key: who connects from here takes itself for a client there. */
    public SimulatedHost impersonating(SimulatedHost other) {
        stolen = other.firstSecret;
        return this;
    }

    /** Lets both clocks go faster by so many millionths, or slower. */
    public void drift(long ppm) {
        driftPpm = ppm;
    }

    /** Sets the time of day forward, or back. */
    public void jump(long nanos) {
        epochOffset += nanos;
    }

    /** Lets the time of day stand still for so long; it stays behind by that. */
    public void stopClock(long nanos) {
        long now = schedule.nanos();
        epochOffset -= Math.min(now, standsUntil) - standsSince;
        standsSince = now;
        standsUntil = now + nanos;
    }

    /** Lets none of its threads run for so long. */
    public void stop(long nanos) {
        pausedUntil = Math.max(pausedUntil, schedule.nanos() + nanos);
    }

    /**
     * Lets its sockets take so many bytes only before it reads on.
     *
     * @param action what happens each time that somebody would have sent it more
     */
    public void takes(int bytes, Runnable action) {
        mostUnread = bytes;
        onOverrun = action;
    }

    @Override
    public int mostUnread() {
        return mostUnread;
    }

    @Override
    public void overrun() {
        onOverrun.run();
    }

    /** Ends it: no duty does anything any more. */
    public void die() {
        isDead = true;
    }

    /** Lets its threads that block end, once it is dead and its disk is gone: each hears that in what it waits for. */
    public void unwind() {
        threads.unwind();
    }

    /** Returns whether it has ended. */
    public boolean isDead() {
        return isDead;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long nanoTime() {
        return schedule.nanos() + schedule.nanos() / 1_000_000 * driftPpm + afterDeath;
    }

    @Override
    public long epochNanos() {
        long stood = Math.min(schedule.nanos(), standsUntil) - standsSince;
        return EPOCH_NANOS + schedule.nanos() + schedule.nanos() / 1_000_000 * driftPpm + epochOffset - stood;
    }

    @Override
    public long secret() {
        long secret = stolen != 0 ? stolen : chance.random().nextLong();
        firstSecret = firstSecret == 0 ? secret : firstSecret;
        return secret;
    }

    @Override
    public SelectorProvider network() {
        return provider;
    }

    @Override
    public Storage storage(Path directory) {
        Storage present = storage;
        if (present == null) {
            throw new IllegalStateException("the machine " + name + " has no disk");
        }
        return present;
    }

    @Override
    public Task task(Worker.Builder worker) {
        SimulatedTask task = new SimulatedTask(this, worker.buildCycle());
        tasks.add(task);
        return task;
    }

    @Override
    public Threads threads() {
        return threads;
    }

    @Override
    public void run(String thread, Runnable action) {
        schedule.after(0, action);
    }

    @Override
    public Alarm alarm(LongSupplier newDeadline, Signal signal) {
        deadline = newDeadline;
        return () -> deadline = () -> Long.MAX_VALUE;
    }

    /** Lets the rest of the world go on; on a dead machine only its own clock. */
    @Override
    public void pause(long nanos) {
        if (isDead) {
            afterDeath += nanos;
        } else if (SimulatedThread.isCurrent()) {
            SimulatedThread.await(this, () -> false, nanos);
        } else {
            schedule.runUntil(schedule.nanos() + nanos);
        }
    }

    @Override
    public void giveWay() {
        spend(GIVEN_NANOS, () -> false);
    }

    /**
     * Returns whether one of its threads is in the middle of a round, which goes on when whoever asks has returned.
     */
    public boolean isInRound() {
        return tasks.stream().anyMatch(SimulatedTask::isInRound);
    }

    /**
     * The thread that calls is busy for so long, in the middle of what it does, while all others go on. Ends early when
     * the process does, or when {@code isOver}.
     */
    public void spend(long nanos, BooleanSupplier isOver) {
        if (SimulatedThread.isCurrent()) {
            SimulatedThread.await(this, isOver, nanos);
            return;
        }
        BooleanSupplier ends = () -> isDead || isOver.getAsBoolean();
        schedule.runUntil(schedule.nanos() + nanos, ends);
        while (pausedUntil > schedule.nanos() && !ends.getAsBoolean()) {
            schedule.runUntil(pausedUntil, ends);
        }
    }

    @Override
    public Alarm watch(String thread, long pauseNanos, Runnable look) {
        return new SimulatedWatch(this, pauseNanos, look);
    }

    @Override
    public boolean strikes(FaultPoint point) {
        return faultPoints.test(point);
    }

    @Override
    public void wake() {
        if (!isDead) {
            for (int i = 0; i < tasks.size(); i++) {
                tasks.get(i).soon();
            }
            threads.wake();
        }
    }

    @Override
    public void blockedFor(long nanos) {
        if (SimulatedThread.isCurrent()) {
            SimulatedThread.await(this, () -> false, nanos);
        } else {
            stop(nanos);
        }
    }

    Chance chance() {
        return chance;
    }

    Schedule schedule() {
        return schedule;
    }

    /** Returns until when none of its threads runs. */
    public long pausedUntil() {
        return pausedUntil;
    }

    /** Returns in how many nanoseconds a timer is due, if nothing else happens. */
    long nanosToDeadline() {
        long due = deadline.getAsLong();
        return due == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, due - epochNanos());
    }

    /** Returns for how long the thread hangs that has done a round. */
    long roundDone() {
        return betweenRounds.getAsLong();
    }
}
