package io.slipstream.sim.cluster;

import io.slipstream.cluster.log.Entry;
import io.slipstream.cluster.log.EvenHost;
import io.slipstream.cluster.log.Replicated;
import io.slipstream.cluster.log.ReplicatedService;
import io.slipstream.core.thread.Worker;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.host.Host;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A machine of the cluster: what its disk has of snapshots, and the process that runs there, if there is one. */
final class Member {
    private static final long LONGEST_ABSENCE_NANOS = 3_000_000_000L;
    /* Timers wait for as long until the time of the log goes on. */
    private static final long MOST_AHEAD_NANOS = 40_000_000_000L;
    private static final long RETRY_NANOS = 100_000_000;
    private static final int MOST_AT_ONCE = 20;

    private final ClusterSimulation world;
    private final Schedule schedule;
    private final Chance chance;
    private final int id;
    private final String name;
    /* What its disk has. */
    private @Nullable StoredSnapshot snapshot;
    private long life;
    /* How far its clock is ahead. */
    private long aheadNanos;
    /* What its process has. */
    private @Nullable SimulatedHost host;
    private @Nullable EvenHost even;
    private @Nullable ReplicatedService service;
    private Diary machine = new Diary(0);
    private int next;
    private int recovered;

    Member(ClusterSimulation world, int id) {
        this.world = world;
        this.schedule = world.schedule();
        this.id = id;
        this.name = "member-" + id;
        this.chance = schedule.chance(name);
    }

    /** Returns the process that runs there; null if there is none. */
    @Nullable
    SimulatedHost running() {
        SimulatedHost present = host;
        return present == null || present.isDead() ? null : present;
    }

    /** Returns the time that the member goes by. */
    long timeNanos() {
        EvenHost present = even;
        return present == null ? 0 : present.epochNanos();
    }

    Diary machine() {
        return machine;
    }

    @Nullable
    ReplicatedService service() {
        return service;
    }

    boolean isInDoubt() {
        ReplicatedService present = service;
        return present != null && present.replicated().isInDoubt();
    }

    /** Returns whether it has applied all there is, no timer is to fire, and it lets clients in. */
    boolean isAtRest() {
        ReplicatedService present = service;
        return running() != null
                && present != null
                && present.isPresent()
                && next == world.log().committed()
                && machine.timers() == 0;
    }

    void boot() {
        if (host != null || world.isOver()) {
            return;
        }
        SimulatedHost process = new SimulatedHost(schedule, world.network(), name);
        process.jump(aheadNanos);
        ClusterSettings settings = world.settings();
        ServiceConfig config = settings.service(process, id);
        EvenHost steady = new EvenHost(
                process,
                config.maxClockLeap(),
                ahead -> schedule.trace().note(name, "clock is ahead", ahead.toNanos()));
        machine = new Diary(world.version());
        life = Math.max(life + 1, steady.epochNanos());
        host = process;
        even = steady;
        ReplicatedService made;
        try {
            made = new ReplicatedService(
                    settings.cluster(config, id), config, machine, steady, life, _ -> false, this::failed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        service = made;
        StoredSnapshot from = snapshot;
        next = from == null ? 0 : from.next();
        recovered = world.log().committed();
        schedule.trace().note(name, "starts at item", next);
        if (made.replicated().start(from == null ? null : from.source())) {
            Host.Task container = process.task(Worker.builder("container", List.of(() -> apply(made.replicated())))
                    .onFailure(this::failed));
            made.start(new SimulatedTap(world, id), () -> 0, () -> 0);
            container.start();
        }
    }

    private int apply(Replicated replicated) {
        int most = 1 + chance.random().nextInt(MOST_AT_ONCE);
        int done = 0;
        while (done < most && world.log().isConnected(id)) {
            LogItem item = world.log().next(next);
            if (item == null) {
                break;
            }
            int index = next++;
            done++;
            switch (item) {
                case LogItem.Batch batch -> {
                    if (!replicated.apply(batch.timeNanos(), new Bytes(batch.bytes()))) {
                        return done;
                    }
                }
                case LogItem.Term term -> {
                    replicated.follows(term.leader());
                    replicated.leads(term.leader() == id && world.log().isPresentTerm(index));
                }
                case LogItem.Snapshot _ -> save(replicated, index);
            }
        }
        return done + replicated.work(next);
    }

    /** Aeron takes none while it goes through what was recorded before the start. */
    private void save(Replicated replicated, int index) {
        if (index < recovered) {
            return;
        }
        StoredSnapshot taken = new StoredSnapshot(index + 1);
        replicated.save(taken);
        snapshot = taken;
        schedule.trace().fault(name, "SNAPSHOT", index);
    }

    private void failed(Throwable cause) {
        SimulatedHost present = running();
        if (present != null) {
            world.require(false, name + " has ended by itself: " + cause);
        }
    }

    /** The process is no more, at once and without a word. */
    void dies() {
        SimulatedHost dying = running();
        if (dying == null) {
            return;
        }
        dying.die();
        world.log().hasEnded(id);
        world.network().kill(dying);
        schedule.trace().note(name, "is dead", 0);
        schedule.after(0, () -> leave(dying));
    }

    /** Ends in order and starts again. */
    void restarts() {
        SimulatedHost present = running();
        ReplicatedService open = service;
        if (present == null || open == null) {
            return;
        }
        if (schedule.isWaitedFor() || present.isInRound() || present.pausedUntil() > schedule.nanos()) {
            schedule.after(RETRY_NANOS, this::restarts);
            return;
        }
        open.stop();
        present.die();
        world.log().hasEnded(id);
        world.network().kill(present);
        leave(present);
    }

    /** Starts again without the snapshot, so that it replays all of the log. */
    void forgets() {
        snapshot = null;
        dies();
    }

    /** Its clock is set forward, or back. */
    void leaps(long nanos) {
        long ahead = Math.clamp(aheadNanos + nanos, -MOST_AHEAD_NANOS, MOST_AHEAD_NANOS);
        SimulatedHost present = running();
        if (present != null) {
            present.jump(ahead - aheadNanos);
        }
        aheadNanos = ahead;
    }

    /** Its clocks run faster by so many millionths, or slower, until it starts again. */
    void drifts(long ppm) {
        SimulatedHost present = running();
        if (present != null) {
            present.drift(ppm);
        }
    }

    void pauses(long nanos) {
        SimulatedHost present = running();
        if (present != null) {
            present.stop(nanos);
        }
    }

    /** Ends it for good. */
    void ends() {
        SimulatedHost present = host;
        if (present != null) {
            present.die();
            world.network().kill(present);
            giveBack(present);
        }
    }

    private void leave(SimulatedHost left) {
        giveBack(left);
        schedule.after(chance.someNanos(LONGEST_ABSENCE_NANOS), this::boot);
    }

    private void giveBack(SimulatedHost left) {
        ReplicatedService open = service;
        if (open != null) {
            open.stop();
            left.unwind();
            open.close();
        }
        service = null;
        even = null;
        host = null;
    }

    private record Bytes(byte[] bytes) implements Entry {
        @Override
        public int length() {
            return bytes.length;
        }

        @Override
        public void copy(int at, ByteBuffer to, int count) {
            to.put(0, bytes, at, count);
        }
    }
}
