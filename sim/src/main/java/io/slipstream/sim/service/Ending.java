package io.slipstream.sim.service;

import io.slipstream.service.Service;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.protocol.Hello;
import io.slipstream.sim.network.SimulatedNetwork;
import io.slipstream.sim.witness.Findings;
import io.slipstream.sim.witness.Witness;
import io.slipstream.sim.world.Schedule;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** How a life ends: nothing goes wrong any more, all is answered, all clients leave, and others read what is left. */
final class Ending<M extends StateMachine> {
    private static final long SECOND = 1_000_000_000;
    private static final long STEP_NANOS = SECOND / 10;
    private static final int EXAMINATIONS = 3;
    private static final long LIVENESS_NANOS = 120 * SECOND;
    /** Longer than a client takes to find out that a service which says nothing is gone. */
    private static final long SETTLE_NANOS = 17 * SECOND;

    private static final long LATEST_TIMER_NANOS = SECOND;

    private final World<M> world;
    private final Schedule schedule;
    private final SimulatedNetwork network;
    private final Settings settings;
    private final Findings findings;
    private final History history;
    private final Slowness<M> slowness;
    private final List<User> users;
    private int itemsUntilLeft;
    private int eventsUntilLeft;

    Ending(World<M> world) {
        this.world = world;
        this.schedule = world.schedule();
        this.network = world.network();
        this.settings = world.settings();
        this.findings = world.findings();
        this.history = world.history();
        this.slowness = world.slowness();
        this.users = world.users();
    }

    /** Comes to it, until the first finding. */
    void come() {
        List<Runnable> parts = List.of(
                this::comeToRest,
                this::examine,
                this::requireOnlyTheDeadAreGone,
                () -> users.forEach(User::end),
                this::requireNoLeak,
                this::compareWithReplay);
        for (Runnable each : parts) {
            if (findings.first() != null) {
                return;
            }
            each.run();
        }
    }

    private void comeToRest() {
        world.calm();
        Guests guests = world.guests();
        long deadline = schedule.nanos() + LIVENESS_NANOS;
        while ((history.open() > 0 || queries() > 0 || guests.open() > 0 || slowness.isLooping())
                && schedule.nanos() < deadline
                && findings.first() == null) {
            schedule.runUntil(schedule.nanos() + STEP_NANOS);
        }
        requireNone(history.open(), "commands");
        requireNone(guests.open(), "requests of guests");
        requireNone(queries(), "queries");
        world.runUntil(schedule.nanos() + World.LONGEST_ABSENCE_NANOS + SETTLE_NANOS);
    }

    private void requireNone(int open, String what) {
        findings.require(
                open == 0,
                open + " " + what + " are not answered " + LIVENESS_NANOS / SECOND + " s after the last disaster");
    }

    private int queries() {
        return users.stream().mapToInt(User::queries).sum();
    }

    /** Commands take long, or a client reads slowly, and all else is well: what is accepted is answered in time. */
    private void examine() {
        boolean isReaderSlow = world.has(Disaster.Kind.SLOW_READER);
        if (!world.has(Disaster.Kind.SLOW_COMMANDS) && !isReaderSlow) {
            return;
        }
        User reader = users.getFirst();
        if (isReaderSlow) {
            reader.readsSlowly(schedule.chance("slow reader"), () -> {});
        }
        long most = settings.maxResponseNanos() + 2 * slowness.chooseExamined() + STEP_NANOS;
        schedule.trace().note("world", "examines", most);
        for (int i = 0; i < EXAMINATIONS; i++) {
            // What a fault of the disk has left behind may end the service at its next write: that is no delay.
            ServiceProcess<M> examined = world.process();
            BooleanSupplier isServed = () -> stillServes(examined);
            // Who reads slowly hears late of what was answered in time.
            users.stream()
                    .filter(user -> !isReaderSlow || user != reader)
                    .forEach(user -> user.examine(most, isServed));
            world.runUntil(schedule.nanos() + SECOND);
        }
        if (isReaderSlow) {
            reader.readsOn();
            world.runUntil(schedule.nanos() + SECOND);
        }
        long deadline = schedule.nanos() + LIVENESS_NANOS;
        while (history.open() > 0 && schedule.nanos() < deadline && findings.first() == null) {
            world.runUntil(schedule.nanos() + STEP_NANOS);
        }
        findings.require(history.open() == 0, "commands are not answered although nothing but slow commands is wrong");
    }

    /** A client that is gone for good loses its connection in time, and nobody else does. */
    private void requireOnlyTheDeadAreGone() {
        if (!world.has(Disaster.Kind.VANISHED_CLIENT)) {
            return;
        }
        ServiceProcess<M> served = world.process();
        int sockets = network.sockets();
        world.runUntil(schedule.nanos() + Hello.SILENCE_NANOS + SETTLE_NANOS);
        findings.require(
                network.deafEnds() == 0,
                network.deafEnds() + " connections of machines that are gone are still open "
                        + (Hello.SILENCE_NANOS + SETTLE_NANOS) / SECOND + " s later");
        // The farewell of who is gone is a write, and may be the one that a broken disk ends the service at.
        findings.require(
                network.sockets() == sockets || !stillServes(served),
                "clients that were only silent had to connect again");
    }

    private boolean stillServes(@Nullable ServiceProcess<M> process) {
        return process != null && process == world.process() && !process.host().isDead();
    }

    /** All clients leave: nothing of theirs must stay. */
    private void requireNoLeak() {
        ServiceProcess<M> running = world.process();
        Witness<M> live = running == null ? null : running.live();
        itemsUntilLeft = live == null ? 0 : live.items().size();
        eventsUntilLeft = live == null ? 0 : live.events().size();
        // What the machine publishes because one of them leaves is heard by those who have not left yet.
        users.forEach(User::stopListening);
        for (User user : users) {
            long answered = user.leave();
            if (live != null && stillServes(running)) {
                findings.require(
                        answered == 0 || !live.isInOpenSession(answered),
                        "a client has ended its session, and the machine has not heard of it");
            }
        }
        world.guests().leave();
        network.cutAll();
        world.runUntil(schedule.nanos() + SETTLE_NANOS);
        ServiceProcess<M> present = world.process();
        Service service = present == null ? null : present.service();
        if (service != null) {
            findings.require(
                    service.connectionBytes() == 0,
                    service.connectionBytes()
                            + " bytes of memory are held for connections after all clients have left");
        }
    }

    private void compareWithReplay() {
        ServiceProcess<M> present = world.process();
        Witness<M> live = present == null ? null : present.live();
        if (present == null || live == null || present.host().isDead()) {
            findings.add("the service does not run " + LIVENESS_NANOS / SECOND + " s after the last disaster");
            return;
        }
        long now = present.host().epochNanos();
        live.timers()
                .forEach((timer, due) -> findings.require(
                        due > now - LATEST_TIMER_NANOS || slowness.mayHaveSkipped(due),
                        "timer " + timer + " is late by " + (now - due) / 1e9 + " s"));
        schedule.trace().note("service", "ends behind entry", live.sequence(), live.stateHash());
        world.ends(present);
        Comparison<M> comparison = new Comparison<>(world);
        if (world.rot().isThere()) {
            comparison.tryDamaged(live);
            world.rot().mend(world.disk());
        }
        comparison.compare(live, history, itemsUntilLeft, eventsUntilLeft);
    }
}
