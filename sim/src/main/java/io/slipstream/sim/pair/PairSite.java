package io.slipstream.sim.pair;

import io.slipstream.journal.errors.JournalFullException;
import io.slipstream.service.Service;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.storage.DiskFaults;
import io.slipstream.sim.storage.SimulatedCrash;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import io.slipstream.sim.tally.Tally;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** One of two sites: a machine with a disk, and the process that runs there at present, if there is one. */
abstract class PairSite {
    private static final long RETRY_NANOS = 100_000_000;
    private static final long LONGEST_ABSENCE_NANOS = 3_000_000_000L;
    private static final long REFUSED_NANOS = 1_500_000_000;
    private static final int MOST_OPERATIONS = 40;

    final PairSimulation world;
    final Schedule schedule;
    final String name;

    private final Chance disks;
    private final Chance starts;
    private SimulatedDisk disk = new SimulatedDisk();
    private @Nullable SimulatedHost host;
    private @Nullable SimulatedStorage storage;
    private DiskFaults faults = DiskFaults.NONE;
    private long longestDelayNanos;
    private boolean isPowerCutPlanned;
    private boolean isStarting;
    private boolean isClosing;

    PairSite(PairSimulation world, String name) {
        this.world = world;
        this.schedule = world.schedule();
        this.name = name;
        this.disks = schedule.chance(name + " disk");
        this.starts = schedule.chance(name + " starts");
    }

    /**
     * Starts what runs there.
     *
     * @throws IOException if it refuses to
     */
    abstract void start(SimulatedHost on) throws IOException;

    /** Ends what runs there; on a dead machine gives back its memory. */
    abstract void close() throws IOException;

    /** It has refused to start. */
    abstract void refused(Throwable reason);

    /** Returns the service that runs there. */
    abstract @Nullable Service service();

    /** Returns the machine of that service. */
    abstract Tally live();

    SimulatedDisk disk() {
        return disk;
    }

    /** Returns the process that runs there; null if there is none, or it is dead. */
    @Nullable
    SimulatedHost running() {
        SimulatedHost present = host;
        return present == null || present.isDead() || isStarting || isClosing ? null : present;
    }

    Chance starts() {
        return starts;
    }

    void boot() {
        if (host != null || world.isOver()) {
            return;
        }
        world.network().powerOn(name);
        SimulatedStorage view = new SimulatedStorage(disk, disks.random());
        view.holdTasks();
        view.setFaults(faults);
        SimulatedHost next = new SimulatedHost(schedule, world.network(), name).withStorage(view);
        next.betweenRounds(() -> background(view));
        view.onCrash(() -> dies(isPowerCutPlanned));
        host = next;
        storage = view;
        isStarting = true;
        try {
            start(next);
            schedule.trace().note(name, "has started", 0);
        } catch (SimulatedCrash e) {
            schedule.trace().note(name, "dies while it starts", 0);
        } catch (IOException | RuntimeException | Error e) {
            if (!next.isDead()) {
                schedule.trace().note(name, "does not start: " + e.getMessage(), 0);
                refused(e);
                next.die();
                world.network().kill(next);
                // Whoever is refused asks again after a while.
                leave(next, view, false, REFUSED_NANOS + starts.someNanos(LONGEST_ABSENCE_NANOS));
            }
        } finally {
            isStarting = false;
        }
    }

    /** The process is no more, at once and without a word. */
    void dies(boolean isPowerCut) {
        SimulatedHost dying = host;
        SimulatedStorage view = storage;
        if (dying == null || view == null || dying.isDead()) {
            return;
        }
        dying.die();
        if (isPowerCut) {
            world.network().powerOff(dying);
        } else {
            world.network().kill(dying);
        }
        schedule.trace().note(name, isPowerCut ? "has lost power" : "is dead", 0);
        schedule.after(0, () -> {
            view.crash();
            leave(dying, view, isPowerCut, starts.someNanos(LONGEST_ABSENCE_NANOS));
        });
    }

    /** Dies at one of its next operations on its disk. */
    void diesInWrite(boolean isPowerCut) {
        SimulatedStorage view = storage;
        if (running() != null && view != null) {
            isPowerCutPlanned = isPowerCut;
            view.crashAt(view.operations() + 1 + disks.random().nextInt(MOST_OPERATIONS));
        }
    }

    /** Ends in order and starts again. */
    void restarts() {
        SimulatedHost present = running();
        SimulatedStorage view = storage;
        if (present == null || view == null) {
            return;
        }
        if (schedule.isWaitedFor() || present.isInRound() || present.pausedUntil() > schedule.nanos()) {
            schedule.after(RETRY_NANOS, this::restarts);
            return;
        }
        isClosing = true;
        try {
            close();
        } catch (SimulatedCrash e) {
            // It has died meanwhile.
        } catch (IOException | RuntimeException e) {
            world.require(present.isDead(), name + " does not end in order: " + e);
        } finally {
            isClosing = false;
        }
        if (!present.isDead()) {
            present.die();
            world.network().kill(present);
            leave(present, view, false, starts.someNanos(LONGEST_ABSENCE_NANOS));
        }
    }

    void pauses(long nanos) {
        SimulatedHost present = host;
        if (present != null) {
            present.stop(nanos);
        }
    }

    /** Its disk is slow from now on; not any more for 0. */
    void slowsDown(long newLongestDelayNanos) {
        longestDelayNanos = newLongestDelayNanos;
    }

    /** Its disk has room for so many bytes more from now on. */
    void fills(int bytes) {
        fails(DiskFaults.NONE.withCapacityBytes(disk.usedBytes() + bytes));
    }

    /** Its disk has room again. */
    void empties() {
        fails(DiskFaults.NONE);
    }

    boolean isFull() {
        return faults != DiskFaults.NONE;
    }

    /** Returns whether a service has ended since its log has no room to begin; it can be started again and again. */
    boolean isForRoom(Throwable failure) {
        Throwable reason =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return isFull() && reason instanceof JournalFullException;
    }

    /** Its process has ended by itself, and is started again. */
    void hasEnded(SimulatedHost on) {
        schedule.after(0, () -> {
            if (!on.isDead()) {
                dies(false);
            }
        });
    }

    private void fails(DiskFaults newFaults) {
        faults = newFaults;
        SimulatedStorage view = storage;
        if (view != null) {
            view.setFaults(newFaults);
        }
    }

    /** Nothing fails there any more. */
    void mends() {
        slowsDown(0);
        empties();
        SimulatedStorage view = storage;
        if (view != null && running() != null) {
            view.crashAt(Long.MAX_VALUE);
        }
    }

    /** Ends it for good. */
    void ends() {
        SimulatedHost present = host;
        SimulatedStorage view = storage;
        if (present != null && view != null) {
            present.die();
            world.network().kill(present);
            view.crash();
            giveBack(present, view);
        }
    }

    private void leave(SimulatedHost left, SimulatedStorage view, boolean isPowerCut, long absenceNanos) {
        giveBack(left, view);
        disk = isPowerCut ? disk.powerLoss(disks.random()) : disk.kill(disks.random());
        schedule.after(absenceNanos, this::boot);
    }

    private void giveBack(SimulatedHost left, SimulatedStorage view) {
        try {
            close();
        } catch (SimulatedCrash | IOException | RuntimeException e) {
            // Its disk is no more.
        }
        left.unwind();
        view.end();
        host = null;
        storage = null;
    }

    /** What the disk does after each round of a thread; returns for how long that thread hangs. */
    private long background(SimulatedStorage view) {
        if (disks.random().nextInt(4) == 0) {
            try {
                view.runTask();
            } catch (SimulatedCrash e) {
                // The storage has told already.
            }
        }
        return longestDelayNanos > 0 ? disks.someNanos(longestDelayNanos) : 0;
    }
}
