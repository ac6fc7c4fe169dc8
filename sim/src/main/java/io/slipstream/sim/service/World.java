package io.slipstream.sim.service;

import io.slipstream.journal.RecoveryReport;
import io.slipstream.journal.errors.JournalFailedException;
import io.slipstream.service.Service;
import io.slipstream.service.ServiceConfig;
import io.slipstream.service.ServiceEvents;
import io.slipstream.service.SlowEntry;
import io.slipstream.service.host.FaultPoint;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.service.snapshot.SnapshotReport;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.network.NetworkFaults;
import io.slipstream.sim.network.SimulatedNetwork;
import io.slipstream.sim.storage.DiskFaults;
import io.slipstream.sim.storage.SimulatedCrash;
import io.slipstream.sim.storage.SimulatedDisk;
import io.slipstream.sim.storage.SimulatedStorage;
import io.slipstream.sim.witness.Applied;
import io.slipstream.sim.witness.Findings;
import io.slipstream.sim.witness.Witness;
import io.slipstream.sim.workload.Workload;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Principals;
import io.slipstream.sim.world.Schedule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A service, its clients and their disasters, from one seed. First anything may go wrong; then nothing does any more,
 * and all must come to a good end.
 */
final class World<M extends StateMachine> {
    static final int PORT = 7000;

    /** Where the other protocol is spoken, if there is one. */
    static final int GUEST_PORT = 7001;

    private static final long SECOND = 1_000_000_000;
    private static final long STEP_NANOS = SECOND / 10;
    private static final long LONGEST_BURST_NANOS = SECOND / 100;
    static final long LONGEST_ABSENCE_NANOS = 3 * SECOND;
    private static final long LATEST_END_NANOS = 10 * SECOND;

    private final Simulation<M> plan;
    private final List<Disaster> disasters;
    private final Schedule schedule;
    private final Chance disks;
    private final Chance starts;
    private final Chance code;
    private final Chance clientCode;
    private final SimulatedNetwork network;
    private final boolean asksForTokens;
    private final Settings settings;
    private final Findings findings = new Findings();
    private final History history = new History(findings);
    private final List<User> users = new ArrayList<>();
    private final Guests guests = new Guests();
    private final Rot rot;
    private final Strikes strikes;
    private final Slowness<M> slowness;
    private final Map<FaultPoint, Long> faultPoints = new EnumMap<>(FaultPoint.class);
    private final Set<String> held = new HashSet<>();
    private SimulatedDisk disk = new SimulatedDisk();
    private DiskFaults diskFaults = DiskFaults.NONE;
    private long longestDelayNanos;
    private double rareWays;
    private boolean isResending;
    private @Nullable ServiceProcess<M> process;
    private boolean wasDiskFaulty;

    /** Until then an operation of the disk may take longer than a service waits when it closes. */
    private long stuckUntilNanos;

    private long closingSinceNanos;
    private boolean hasGivenUp;
    private boolean isUpgraded;
    private boolean hasNextServed;
    private boolean isDowngradePlanned;
    private boolean isFormerTried;
    private boolean isCalm;
    private long lastId;
    private long snapshots;
    private int mostSockets;
    private boolean isClosedInOrder;
    private boolean isSkipPlanned;
    private List<Applied> appliedBefore = List.of();
    private long leaptNanos;

    World(Simulation<M> plan, long seed, List<Disaster> disasters, @Nullable Consumer<String> listener) {
        this.plan = plan;
        this.disasters = disasters;
        this.schedule = new Schedule(seed);
        this.disks = schedule.chance("disk");
        this.starts = schedule.chance("starts");
        this.code = schedule.chance("code");
        this.clientCode = schedule.chance("code of clients");
        this.network = new SimulatedNetwork(schedule);
        this.asksForTokens = schedule.chance("who gets in").random().nextBoolean();
        this.settings = new Settings(
                schedule.chance("settings").random(),
                schedule.chance("sizes").random(),
                schedule.chance("how the journal writes").random(),
                plan.clientCount(),
                asksForTokens ? new Principals() : null,
                plan.protocol(),
                plan.configuration());
        network.twist((sender, bytes) ->
                plan.network().apply(sender, isResending && sender.startsWith("client") ? Resend.twice(bytes) : bytes));
        this.rot = new Rot(schedule, findings, settings::isForced);
        this.strikes = new Strikes(this);
        this.slowness = new Slowness<>(this, findings);
        schedule.trace().listener(listener);
    }

    /** Lives it from the beginning to the end; returns the first broken promise, or null. */
    @Nullable
    String run() {
        try {
            boot();
            // Clients and guests have the same chance, so that they know the same of their life.
            long shared = schedule.chance("what clients share").random().nextLong();
            IntFunction<Workload> workloads = plan.workloads(new SplittableRandom(shared));
            for (int i = 1; i <= plan.clientCount(); i++) {
                users.add(new User(
                        schedule,
                        network,
                        i,
                        plan,
                        workloads.apply(i),
                        history,
                        findings,
                        this::newId,
                        point -> strikes(clientCode, point),
                        asksForTokens));
            }
            if (plan.mostGuests() > 0) {
                int count = schedule.chance("how many guests come").random().nextInt(plan.mostGuests() + 1);
                guests.come(this, count, plan.guests().apply(new SplittableRandom(shared)));
            }
            disasters.forEach(disaster -> {
                // Disasters hurt most when much is under way.
                schedule.after(
                        disaster.atNanos()
                                - schedule.chance("burst before " + disaster).someNanos(LONGEST_BURST_NANOS),
                        () -> users.forEach(User::burst));
                schedule.after(disaster.atNanos(), () -> {
                    if (!isCalm) {
                        strikes.strike(disaster);
                    }
                });
            });
            runUntil(plan.disasterNanos());
            new Ending<>(this).come();
        } finally {
            happens(Sometimes.COMMAND_REFUSED, history.refused() > 0);
            happens(Sometimes.COMMAND_FAILED, history.failed() > 0);
            happens(Sometimes.OUTCOME_UNKNOWN, history.unknown() > 0);
            happens(Sometimes.SESSION_ENDED, users.stream().anyMatch(user -> user.sessionsEnded() > 0));
            users.forEach(User::abandon);
            guests.leave();
            ServiceProcess<M> left = process;
            if (left != null && !left.host().isDead()) {
                left.host().die();
                left.storage().crash();
                left.close();
            }
        }
        return findings.first();
    }

    Schedule schedule() {
        return schedule;
    }

    SimulatedNetwork network() {
        return network;
    }

    Settings settings() {
        return settings;
    }

    Findings findings() {
        return findings;
    }

    Guests guests() {
        return guests;
    }

    Rot rot() {
        return rot;
    }

    /** Returns whether something of that kind may have happened in this life. */
    boolean has(Disaster.Kind kind) {
        return disasters.stream().anyMatch(each -> each.kind() == kind);
    }

    History history() {
        return history;
    }

    /** Returns how often the code has behaved as it rarely does, for each of these points. */
    Map<FaultPoint, Long> faultPoints() {
        return faultPoints;
    }

    /** Returns, for each thing that should happen sometimes, whether it has in this life. */
    Map<String, Boolean> sometimes() {
        Map<String, Boolean> all = new LinkedHashMap<>();
        for (Sometimes each : Sometimes.values()) {
            all.put(each.toString(), held.contains(each.toString()));
        }
        plan.sometimes().keySet().forEach(name -> all.put(name, held.contains(name)));
        return all;
    }

    /** Returns whether clients are asked who they are. */
    boolean asksForTokens() {
        return asksForTokens;
    }

    /** Returns the token of the client with that name; empty if nobody is asked for one. */
    String token(String name) {
        return asksForTokens ? Principals.token(name) : "";
    }

    /** Returns what no other command is told by. */
    long newId() {
        return ++lastId;
    }

    /** Returns whether nothing may go wrong any more. */
    boolean isCalm() {
        return isCalm;
    }

    /** Notes a promise that was broken. */
    void finds(String what) {
        findings.add(what);
    }

    /** Notes what should happen sometimes, if it has. */
    void happens(Sometimes what, boolean has) {
        if (has) {
            held.add(what.toString());
        }
    }

    /** Returns how many snapshots have become durable. */
    long snapshots() {
        return snapshots;
    }

    Slowness<M> slowness() {
        return slowness;
    }

    List<User> users() {
        return users;
    }

    SimulatedDisk disk() {
        return disk;
    }

    /** Returns the process that runs at present. */
    @Nullable
    ServiceProcess<M> process() {
        return process;
    }

    /** Lets the disk fail in this way, now and after the next start. */
    void diskFails(DiskFaults faults, long newLongestDelayNanos) {
        diskFaults = faults;
        if (longestDelayNanos >= SECOND) {
            stuckUntilNanos = schedule.nanos() + longestDelayNanos;
        }
        longestDelayNanos = newLongestDelayNanos;
        wasDiskFaulty |= faults.capacityBytes() < Long.MAX_VALUE
                || faults.writeError() > 0
                || faults.forceError() > 0
                || faults.readError() > 0;
        ServiceProcess<M> present = process;
        if (present != null) {
            present.storage().setFaults(faults);
        }
    }

    /** The disk is sound again. */
    void diskMends() {
        diskFails(DiskFaults.NONE, 0);
    }

    /** A file of the disk is damaged while the service runs, or it is killed and then started with a damaged one. */
    void rots(ServiceProcess<M> present, Chance chance) {
        if (chance.random().nextBoolean()) {
            rot.strike(disk, chance);
        } else {
            rot.plan(chance);
            dies(present, false);
        }
    }

    /** Clients send their commands twice, or not any more. */
    void resends(boolean isOn) {
        isResending = isOn;
        history.sendsTwice(isOn);
    }

    /** The code of the service behaves as it rarely does with this probability. */
    void strikesRareWays(double probability) {
        rareWays = probability;
    }

    /** The process is no more, at once and without a word. */
    void dies(ServiceProcess<M> dead, boolean isPowerCut) {
        if (dead.host().isDead()) {
            return;
        }
        dead.host().die();
        isDowngradePlanned = false;
        if (isPowerCut) {
            network.powerOff(dead.host());
        } else {
            network.kill(dead.host());
        }
        schedule.trace().note("service", isPowerCut ? "has lost power" : "is dead", 0);
        schedule.after(0, () -> {
            dead.storage().crash();
            dead.close();
            if (isPowerCut ? !settings.isForced() : !settings.isWritten()) {
                losesWhatWasAnswered(dead);
            }
            leave(dead, isPowerCut);
        });
    }

    /** The clients' machines have lost their power, too: nobody is left who would ask for what is gone. */
    private void losesWhatWasAnswered(ServiceProcess<M> dead) {
        Witness<M> live = dead.live();
        appliedBefore = live == null
                ? List.of()
                : live.applied().stream()
                        .filter(each -> !slowness.isFromLoopOn(each.sequence()))
                        .toList();
        users.forEach(User::abandon);
        history.mayBeLost();
        users.forEach(User::loses);
        guests.lose();
        users.forEach(User::die);
    }

    /** What is left is how it began: nothing of it is another entry, and nothing is missing within. */
    private void requirePrefix(ServiceProcess<M> started) {
        Witness<M> live = started.live();
        if (live != null) {
            List<Applied> left = live.applied();
            int both = Math.min(left.size(), appliedBefore.size());
            happens(Sometimes.LOST_ENTRIES, left.size() < appliedBefore.size());
            findings.require(
                    left.subList(0, both).equals(appliedBefore.subList(0, both)),
                    "behind a loss the log is no beginning of what it was");
        }
        appliedBefore = List.of();
    }

    /** Stops the service in order, and starts it again. */
    void restarts(ServiceProcess<M> present) {
        if (present.isLeaving() || present.host().isDead()) {
            return;
        }
        if (slowness.isBusy(present) || present.host().isInRound()) {
            // The thread that is to end would wait for this one, which is the same.
            schedule.after(STEP_NANOS, () -> restarts(present));
            return;
        }
        long stoppedNanos = present.host().pausedUntil() - schedule.nanos();
        if (stoppedNanos > 0) {
            // A process that is stopped does not hear that it is to end.
            schedule.after(stoppedNanos, () -> restarts(present));
            return;
        }
        hasGivenUp = false;
        closingSinceNanos = schedule.nanos();
        present.close();
        if (!present.host().isDead()) {
            present.host().die();
            network.kill(present.host());
            isClosedInOrder = !wasDiskFaulty && !hasGivenUp;
            isFormerTried = isDowngradePlanned;
            isDowngradePlanned = false;
            leave(present, false);
        }
    }

    /** Returns whether there is another version that it could be upgraded to. */
    boolean canBeUpgraded() {
        return plan.upgraded() != null && !isUpgraded;
    }

    /** Stops the service in order, and starts the next version of it. */
    void upgrades(ServiceProcess<M> present) {
        isUpgraded = true;
        restarts(present);
    }

    /** Returns whether the next version has served, and nothing can have taken that out of the log. */
    boolean mustRefuseFormerVersion() {
        return hasNextServed && settings.isForced() && !wasDiskFaulty;
    }

    /** Stops the service in order, tries to start its former version, and starts it again. */
    void downgrades(ServiceProcess<M> present) {
        isDowngradePlanned = true;
        restarts(present);
    }

    /** What the next version has written is not for the former one. */
    private void triesFormerVersion() {
        SimulatedStorage storage = new SimulatedStorage(disk, disks.random());
        SimulatedHost host = new SimulatedHost(schedule, network, "service");
        host.withStorage(plan.disk().apply(storage));
        try (Service former =
                Service.start(settings.next(host), watched(plan.machines().get(), (_, _, _, _) -> {}))) {
            findings.add("the former version of the machine serves on port " + former.port()
                    + " behind a log of the next one");
        } catch (IOException | RuntimeException e) {
            schedule.trace().note("service", "is refused as its former version: " + e.getMessage(), 0);
            findings.require(
                    String.valueOf(e.getMessage()).contains("written by version"),
                    "the former version of the machine does not start for another reason: " + e);
            schedule.trace().fault("world", Disaster.Kind.DOWNGRADE.name(), 0);
        } finally {
            host.die();
            network.kill(host);
            storage.end();
            disk = disk.kill(disks.random());
        }
    }

    /** An operator ends the process, perhaps to have the entry skipped that it does not get past. */
    void ends(ServiceProcess<M> hanging, boolean andSkips) {
        if (!hanging.host().isDead()) {
            isSkipPlanned = andSkips;
            dies(hanging, false);
        }
    }

    /** The clock of the service is set forward by more than anybody would believe, until nothing fails any more. */
    void leaps(ServiceProcess<M> present, long nanos) {
        leaptNanos += nanos;
        present.host().jump(nanos);
    }

    /** Loses all connections, unless nothing fails any more. */
    void cutsAll() {
        if (!isCalm) {
            network.cutAll();
        }
    }

    /** Clients lose their connections, and the service learns of it later, unless nothing fails any more. */
    void losesAll() {
        if (!isCalm) {
            network.loseAll();
        }
    }

    /** The process ends in order, and no other one comes. */
    void ends(ServiceProcess<M> last) {
        last.close();
        last.host().die();
        network.kill(last.host());
        process = null;
        last.storage().end();
    }

    private void leave(ServiceProcess<M> left, boolean isPowerCut) {
        left.storage().end();
        disk = isPowerCut ? disk.powerLoss(disks.random()) : disk.kill(disks.random());
        process = null;
        leaptNanos = 0;
        if (isSkipPlanned) {
            isSkipPlanned = false;
            boolean losesPower = slowness.losesPowerBehindSkip();
            // Else its clients went when it was killed.
            if (losesPower && !settings.isForced() && settings.isWritten()) {
                losesWhatWasAnswered(left);
            }
            rot.mend(disk);
            slowness.skip(disk);
            if (losesPower) {
                schedule.trace().note("service", "has lost power behind a skip", 0);
                disk = disk.powerLoss(disks.random());
            }
        }
        schedule.after(starts.someNanos(LONGEST_ABSENCE_NANOS), this::boot);
    }

    private void boot() {
        if (findings.first() != null || process != null) {
            return;
        }
        network.powerOn("service");
        if (isFormerTried && mustRefuseFormerVersion()) {
            rot.mend(disk);
            triesFormerVersion();
        }
        isFormerTried = false;
        rot.begin(disk);
        SimulatedStorage storage = new SimulatedStorage(disk, disks.random());
        storage.holdTasks();
        storage.setFaults(diskFaults);
        SimulatedHost host = new SimulatedHost(schedule, network, "service");
        host.withStorage(plan.disk().apply(storage));
        ServiceProcess<M> next = new ServiceProcess<>(host, storage);
        host.betweenRounds(new Background(storage));
        host.faultPoints(point -> strikes(code, point));
        storage.onCrash(() -> {
            strikes.crashed();
            dies(next, strikes.isPowerCutPlanned());
        });
        process = next;
        boolean mustBeClean = isClosedInOrder && !rot.isThere();
        isClosedInOrder = false;
        ServiceConfig config = settings.next(host).withEvents(events(next));
        try {
            next.start(config, witnesses(next), starts.random().nextBoolean());
            schedule.trace().note("service", "serves", history.offered());
            Service service = next.service();
            if (service != null && !host.isDead()) {
                hasNextServed |= isUpgraded;
                rot.started(disk);
                requirePrefix(next);
                Witness<M> live = next.live();
                slowness.serves(live == null ? 0 : live.sequence());
                RecoveryReport found = service.recovery();
                happens(Sometimes.SEVERAL_GATEWAYS, config.gatewayThreads() > 1);
                happens(Sometimes.TORN_TAIL, found.cut() != null);
                happens(Sometimes.TRIMMED_LOG, found.firstSequence() > 1 && found.records() > 0);
                happens(Sometimes.SNAPSHOT_LOADED, live != null && live.isLoaded());
                storage.endRound();
                findings.require(
                        !mustBeClean || service.recovery().clean(),
                        "a start after an orderly stop had to repair the log");
                service.ended().whenComplete((_, failure) -> ended(next, failure));
            }
        } catch (SimulatedCrash e) {
            schedule.trace().note("service", "dies while it starts", 0);
        } catch (IOException | RuntimeException | Error e) {
            if (host.isDead()) {
                // Somebody has ended it while it was starting, and its disk is no more.
                return;
            }
            schedule.trace().note("service", "does not start: " + e, 0);
            boolean isMended = rot.isWhy(disk, e);
            findings.require(isMended || wasDiskFaulty && !isCalm, "the service does not start: " + e);
            host.die();
            network.kill(host);
            leave(next, false);
        }
    }

    private ServiceEvents events(ServiceProcess<M> of) {
        return new ServiceEvents() {
            @Override
            public void onSnapshot(SnapshotReport report) {
                snapshots++;
                schedule.trace().note("service", "has a snapshot of", report.sequence());
            }

            @Override
            public void onSlowEntry(SlowEntry entry) {
                slowness.told(of, entry);
            }

            @Override
            public void onSnapshotFailed(Throwable reason) {
                schedule.trace().note("service", "has no snapshot: " + reason, 0);
                findings.require(
                        wasDiskFaulty || rot.explains(reason) || of.host().isDead(),
                        "a snapshot could not be taken: " + reason.getMessage());
                if (isCalm && reason instanceof JournalFailedException) {
                    requireEnds(of);
                }
            }
        };
    }

    /** Its journal has failed: it must not look alive until somebody sends the next command. */
    private void requireEnds(ServiceProcess<M> of) {
        schedule.after(
                LATEST_END_NANOS,
                () -> findings.require(
                        process != of || of.host().isDead(),
                        "the journal has failed, and the service goes on without it for " + LATEST_END_NANOS / SECOND
                                + " s"));
    }

    private boolean strikes(Chance chance, FaultPoint point) {
        boolean strikes = rareWays > 0 && chance.happens(rareWays);
        if (strikes) {
            faultPoints.merge(point, 1L, Long::sum);
        }
        return strikes;
    }

    /** What the disk does after each round of a thread; it delays the one that has asked something of it. */
    private final class Background implements LongSupplier {
        private final SimulatedStorage storage;
        private long operations;

        Background(SimulatedStorage storage) {
            this.storage = storage;
        }

        @Override
        public long getAsLong() {
            boolean hasAsked = storage.operations() != operations;
            operations = storage.operations();
            if (longestDelayNanos < SECOND && disks.random().nextInt(4) == 0) {
                try {
                    storage.runTask();
                } catch (SimulatedCrash e) {
                    // The storage has told already.
                }
            }
            happens(Sometimes.BATCH_IN_TWO_SEGMENTS, storage.endRound());
            return hasAsked && longestDelayNanos > 0 ? disks.someNanos(longestDelayNanos) : 0;
        }
    }

    private void ended(ServiceProcess<M> which, @Nullable Throwable failure) {
        if (which.host().isDead()) {
            return;
        }
        if (failure != null) {
            // Who closes waits for a disk that is stuck no longer than it was told.
            boolean hasWaited =
                    which.isLeaving() && (longestDelayNanos >= SECOND || stuckUntilNanos > closingSinceNanos);
            findings.require(
                    wasDiskFaulty || hasWaited || rot.explains(failure), "the service has ended by itself: " + failure);
            hasGivenUp = true;
        }
        if (!which.isLeaving()) {
            dies(which, false);
        }
    }

    /** Returns what makes machines of the present version, also after an upgrade: a process has one program. */
    Supplier<Witness<M>> witnesses(@Nullable ServiceProcess<M> of) {
        Supplier<? extends M> newer = plan.upgraded();
        Supplier<? extends M> machines = isUpgraded && newer != null ? newer : plan.machines();
        return () -> of == null
                ? watched(machines.get(), (_, _, _, _) -> {})
                : watched(
                        machines.get(),
                        (witness, id, sequence, nanos) -> slowness.pass(of, witness, id, sequence, nanos));
    }

    private Witness<M> watched(M machine, Witness.CommandTime<M> time) {
        return new Witness<>(machine, findings, this::check, history::principal, time);
    }

    /** Looks at a machine behind a command or a timer. */
    private void check(M machine) {
        plan.invariant().accept(machine);
        plan.sometimes().forEach((name, condition) -> {
            if (!held.contains(name) && condition.test(machine)) {
                held.add(name);
            }
        });
    }

    /** Lets the time pass, until the first finding. */
    void runUntil(long nanos) {
        while (schedule.nanos() < nanos && findings.first() == null) {
            schedule.runUntil(Math.min(nanos, schedule.nanos() + STEP_NANOS));
            requireBoundedMemory();
        }
    }

    /** Whatever clients do, each connection holds no more than its settings allow. */
    private void requireBoundedMemory() {
        mostSockets = Math.max(mostSockets, network.openSockets());
        ServiceProcess<M> present = process;
        Service service = present == null || present.host().isDead() ? null : present.service();
        if (service != null) {
            long most = (long) mostSockets * settings.mostBytesOfAConnection();
            findings.require(
                    service.connectionBytes() <= most,
                    service.connectionBytes() + " bytes of memory are held for at most " + mostSockets
                            + " connections");
        }
    }

    /** Nothing goes wrong any more. */
    void calm() {
        isCalm = true;
        schedule.trace().note("world", "calm", history.open());
        network.heal();
        network.setFaults(NetworkFaults.NONE);
        diskMends();
        strikesRareWays(0);
        resends(false);
        slowness.calm();
        users.forEach(User::finish);
        guests.finish();
        users.forEach(User::readsOn);
        ServiceProcess<M> present = process;
        if (present != null) {
            present.host().drift(0);
            present.host().jump(-leaptNanos);
            // A crash that waits for a write which has not come yet would come when nothing fails any more.
            present.storage().crashAt(present.host().isDead() ? 0 : Long.MAX_VALUE);
        }
    }
}
