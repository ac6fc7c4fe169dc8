package io.slipstream.sim.service;

import io.slipstream.service.Service;
import io.slipstream.service.client.ServiceClient;
import io.slipstream.service.machine.StateMachine;
import io.slipstream.sim.host.SimulatedHost;
import io.slipstream.sim.network.NetworkFaults;
import io.slipstream.sim.storage.DiskFaults;
import io.slipstream.sim.world.Chance;
import io.slipstream.sim.world.Schedule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.EnumSet;
import java.util.Set;

/** Carries disasters out. */
final class Strikes {
    private static final long SECOND = 1_000_000_000;
    private static final long SHORTEST_PAUSE_NANOS = SECOND / 1000;
    private static final long LONGEST_PAUSE_NANOS = 12 * SECOND;
    private static final long LONGEST_THEFT_NANOS = 3 * SECOND;
    private static final long LONGEST_JUMP_NANOS = 7200 * SECOND;
    private static final long LEAST_LEAP_NANOS = 90_000 * SECOND;
    private static final long SLOW_NANOS = SECOND / 20;
    private static final long STUCK_NANOS = 5 * SECOND;
    private static final long LONGEST_UPGRADE_NANOS = 6 * SECOND;
    private static final int STORM_CUTS = 20;
    private static final String THIEF = "thief";
    private static final int HOSTILE_BYTES = 20_000;
    private static final int MOST_SESSIONS = 1_000;

    /** What strikes when the disk is written to next, or not at all, and what others do when they are asked. */
    private static final Set<Disaster.Kind> COUNTED_LATER = EnumSet.of(
            Disaster.Kind.KILL_IN_WRITE,
            Disaster.Kind.POWER_CUT_IN_WRITE,
            Disaster.Kind.SNAPSHOT,
            Disaster.Kind.DOWNGRADE,
            Disaster.Kind.SLOW_COMMANDS,
            Disaster.Kind.LOOPING_COMMAND,
            Disaster.Kind.SLOW_READER,
            Disaster.Kind.BIT_ROT);

    private final World<?> world;
    private final Schedule schedule;
    private Chance chance;
    private boolean isPowerCutPlanned;

    Strikes(World<?> world) {
        this.world = world;
        this.schedule = world.schedule();
        this.chance = schedule.chance("disasters");
    }

    /** Returns whether the next crash of the disk is that of the whole machine. */
    boolean isPowerCutPlanned() {
        return isPowerCutPlanned;
    }

    /** Lets it happen, if it can at present. What it chooses itself does not depend on any other disaster. */
    void strike(Disaster disaster) {
        int number = disaster.number();
        chance = schedule.chance(disaster.toString());
        boolean has = switch (disaster.kind()) {
            case CUT -> world.network().cutOne(false);
            case HALF_OPEN -> world.network().cutOne(true);
            case RECONNECT_STORM -> storm(number);
            case PARTITION -> {
                world.network().partition(chance.someNanos(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS));
                yield true;
            }
            case BAD_NETWORK -> {
                badNetwork(new NetworkFaults(
                        1_000L << chance.random().nextInt(17),
                        number % 3 == 0 ? 0.5 : 0,
                        number % 5 == 0 ? 0.5 : 0,
                        256 << chance.random().nextInt(11)));
                yield true;
            }
            case RESEND -> {
                world.resends(true);
                schedule.after(chance.random().nextLong(LONGEST_PAUSE_NANOS), () -> world.resends(false));
                yield true;
            }
            case CLIENT_PAUSE -> {
                user(number).host().stop(chance.someNanos(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS));
                yield true;
            }
            case CLIENT_DEATH -> {
                user(number).die();
                yield true;
            }
            case VANISHED_CLIENT -> user(number).vanish();
            case SLOW_READER -> {
                User reader = user(number);
                reader.readsSlowly(
                        chance,
                        () -> schedule.trace().fault("world", disaster.kind().name(), number));
                schedule.after(chance.random().nextLong(LONGEST_PAUSE_NANOS), reader::readsOn);
                yield true;
            }
            case CLIENT_CLOCK -> {
                clock(user(number).host(), number);
                yield true;
            }
            case ONE_WAY_PARTITION -> {
                world.network().partition(chance.someNanos(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS), number % 2 == 0);
                yield true;
            }
            case SLOW_COMMANDS -> {
                world.slowness().begin(number);
                schedule.after(chance.random().nextLong(LONGEST_PAUSE_NANOS), world.slowness()::end);
                yield true;
            }
            case LOOPING_COMMAND -> {
                world.slowness().loop();
                yield true;
            }
            case STOLEN_KEY -> stolenKey(user(number));
            case HOSTILE_BYTES -> hostileBytes();
            case CROWD -> crowd();
            case SLOW_DISK, STUCK_DISK, FULL_DISK, BROKEN_DISK -> disk(disaster.kind(), number);
            default -> {
                ServiceProcess<?> process = world.process();
                yield process != null
                        && process.service() != null
                        && !process.host().isDead()
                        && service(world, disaster.kind(), number);
            }
        };
        if (has && !COUNTED_LATER.contains(disaster.kind())) {
            schedule.trace().fault("world", disaster.kind().name(), number);
        }
    }

    /** The disk was asked for the operation at which everything was to end. */
    void crashed() {
        Disaster.Kind kind = isPowerCutPlanned ? Disaster.Kind.POWER_CUT_IN_WRITE : Disaster.Kind.KILL_IN_WRITE;
        schedule.trace().fault("world", kind.name(), 0);
    }

    /** All connections are lost, again and again; the service knows at once, or when what was sent has arrived. */
    private boolean storm(int number) {
        if (world.network().openSockets() == 0) {
            return false;
        }
        boolean isToldLater = chance.random().nextBoolean();
        if (isToldLater) {
            badNetwork(NetworkFaults.NONE.withLatencyNanos(SECOND));
            world.users().forEach(User::burst);
        }
        Runnable cut = isToldLater ? world::losesAll : world::cutsAll;
        for (int i = 1; i <= number % STORM_CUTS; i++) {
            schedule.after(i * chance.someNanos(SECOND), cut);
        }
        cut.run();
        return true;
    }

    private <M extends StateMachine> boolean service(World<M> of, Disaster.Kind kind, int number) {
        ServiceProcess<M> process = of.process();
        if (process == null) {
            return false;
        }
        if (kind == Disaster.Kind.UPGRADE && !of.canBeUpgraded()) {
            return false;
        }
        boolean isPower = kind == Disaster.Kind.POWER_CUT || kind == Disaster.Kind.POWER_CUT_IN_WRITE;
        switch (kind) {
            case KILL, POWER_CUT -> of.dies(process, isPower);
            case KILL_IN_WRITE, POWER_CUT_IN_WRITE -> {
                isPowerCutPlanned = isPower;
                process.storage().crashAt(process.storage().operations() + 1 + number % 30);
            }
            case BIT_ROT -> of.rots(process, chance);
            case RESTART -> of.restarts(process);
            case UPGRADE -> of.upgrades(process);
            case DOWNGRADE -> {
                if (of.canBeUpgraded()) {
                    of.upgrades(process);
                }
                schedule.after(chance.someNanos(SECOND, LONGEST_UPGRADE_NANOS), () -> downgrade(of));
            }
            case PAUSE -> process.host().stop(chance.someNanos(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS));
            case CLOCK_JUMP -> process.host().jump((number % 2 == 0 ? 1 : -1) * chance.someNanos(LONGEST_JUMP_NANOS));
            case CLOCK_LEAP -> of.leaps(process, LEAST_LEAP_NANOS * (1 + number));
            case CLOCK_DRIFT -> process.host().drift(number - 500);
            case CLOCK_STOP -> process.host().stopClock(chance.someNanos(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS));
            case RARE_WAYS -> {
                of.strikesRareWays(0.02 + number / 2000.0);
                schedule.after(chance.random().nextLong(LONGEST_PAUSE_NANOS), () -> of.strikesRareWays(0));
            }
            case SNAPSHOT -> {
                Service service = process.service();
                if (service != null) {
                    service.snapshot()
                            .thenRun(() -> schedule.trace().fault("world", Disaster.Kind.SNAPSHOT.name(), number));
                }
            }
            default -> throw new IllegalArgumentException(kind + " does not concern the service");
        }
        return true;
    }

    /** A service that was told to remember more is spared. */
    private boolean crowd() {
        int most = world.settings().mostSessions();
        if (most > MOST_SESSIONS) {
            return false;
        }
        world.history().forgetsSessions();
        new Crowd(world, chance, most).comes();
        return true;
    }

    private static <M extends StateMachine> void downgrade(World<M> of) {
        ServiceProcess<M> process = of.process();
        if (process != null
                && process.service() != null
                && !process.host().isDead()
                && !of.isCalm()
                && of.mustRefuseFormerVersion()) {
            of.downgrades(process);
        }
    }

    private User user(int number) {
        return world.users().get(number % world.users().size());
    }

    private void clock(SimulatedHost host, int number) {
        switch (number % 3) {
            case 0 -> host.jump((number % 2 == 0 ? 1 : -1) * chance.someNanos(LONGEST_JUMP_NANOS));
            case 1 -> host.drift(number - 500);
            default -> host.stopClock(chance.someNanos(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS));
        }
    }

    private void badNetwork(NetworkFaults faults) {
        world.network().setFaults(faults);
        schedule.after(
                chance.someNanos(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS),
                () -> world.network().setFaults(NetworkFaults.NONE));
    }

    private boolean disk(Disaster.Kind kind, int number) {
        if (kind == Disaster.Kind.BROKEN_DISK && !world.settings().isForced()) {
            return false;
        }
        switch (kind) {
            case SLOW_DISK -> world.diskFails(new DiskFaults(0, 0, 0, 0.5, Long.MAX_VALUE), SLOW_NANOS);
            case STUCK_DISK -> world.diskFails(DiskFaults.NONE, STUCK_NANOS);
            case FULL_DISK ->
                world.diskFails(DiskFaults.NONE.withCapacityBytes(world.disk().usedBytes() + number * 100L), 0);
            default ->
                world.diskFails(
                        new DiskFaults(number % 2 * 0.01, number % 3 * 0.02, number % 5 * 0.02, 0.1, Long.MAX_VALUE),
                        0);
        }
        schedule.after(chance.random().nextLong(LONGEST_PAUSE_NANOS), world::diskMends);
        return true;
    }

    /**
     * A thief greets as that client for a while; the two push each other out. Where clients are asked who they are, he
     * has that client's token as well, or one of his own, or none, and must not get in then.
     */
    private boolean stolenKey(User victim) {
        SimulatedHost stranger = new SimulatedHost(schedule, world.network(), THIEF).impersonating(victim.host());
        try {
            int has = world.asksForTokens() ? chance.random().nextInt(3) : 0;
            ServiceClient thief = ServiceClient.builder("127.0.0.1", World.PORT)
                    .machine(stranger)
                    .token(
                            switch (has) {
                                case 0 -> world.token(victim.name());
                                case 1 -> world.token(THIEF);
                                default -> "";
                            })
                    .begin();
            if (has == 0) {
                victim.isRobbed();
            }
            schedule.after(chance.someNanos(LONGEST_THEFT_NANOS), () -> {
                if (has == 2 && thief.wasConnected()) {
                    world.finds("a thief without a token was let in");
                }
                world.network().kill(stranger);
                stranger.die();
                thief.disconnect();
            });
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean hostileBytes() {
        SimulatedHost stranger = new SimulatedHost(schedule, world.network(), "stranger");
        try {
            SocketChannel channel = stranger.network().openSocketChannel();
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), World.PORT));
            byte[] bytes = new byte[1 + chance.random().nextInt(HOSTILE_BYTES)];
            chance.random().nextBytes(bytes);
            // Often a length that makes sense, so that more than that is looked at.
            if (chance.random().nextBoolean()) {
                if (bytes.length >= Integer.BYTES) {
                    ByteBuffer.wrap(bytes)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putInt(0, chance.random().nextInt(bytes.length + 1));
                }
            }
            channel.write(ByteBuffer.wrap(bytes));
            schedule.after(
                    chance.someNanos(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS),
                    () -> world.network().kill(stranger));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
