package io.slipstream.sim.service;

import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Something that goes wrong in a world.
 *
 * @param atNanos when, from the beginning of the world
 * @param kind    what
 * @param number  how much, from 0 to 999; what that means is up to the kind
 */
public record Disaster(long atNanos, Kind kind, int number) implements Comparable<Disaster> {
    /** What can go wrong. */
    public enum Kind {
        /** The process of the service is killed. */
        KILL,
        /** It is killed at some operation of its disk, which happens in part. */
        KILL_IN_WRITE,
        /** The machine of the service loses its power. */
        POWER_CUT,
        /** It loses its power at some operation of its disk, which happens in part. */
        POWER_CUT_IN_WRITE,
        /** An operator stops the service properly, and starts it again with other settings. */
        RESTART,
        /** He starts it again with the next version of the machine, if there is one. */
        UPGRADE,
        /** The service does nothing for a while. */
        PAUSE,
        /** The clock of the service is set forward or back. */
        CLOCK_JUMP,
        /** The clocks of the service go too fast or too slowly. */
        CLOCK_DRIFT,
        /** The time of day of the service stands still for a while. */
        CLOCK_STOP,
        /** The disk of the service becomes slow, and takes writes in parts. */
        SLOW_DISK,
        /** Each thread of the service that asks something of its disk hangs for seconds, while the others go on. */
        STUCK_DISK,
        /** The disk of the service has no more room, for a while. */
        FULL_DISK,
        /** The disk of the service fails, for a while. */
        BROKEN_DISK,
        /** Somebody asks for a snapshot. */
        SNAPSHOT,
        /** A connection is lost. */
        CUT,
        /** A connection is lost, and one side does not notice. */
        HALF_OPEN,
        /** All connections are lost, several times in a row. */
        RECONNECT_STORM,
        /** Nobody reaches anybody for a while. */
        PARTITION,
        /** The network becomes slow, or has small buffers, or brings bytes in crumbs. */
        BAD_NETWORK,
        /** For a while clients send each command twice, as if they had not heard of the answer yet. */
        RESEND,
        /** A client does nothing for a while. */
        CLIENT_PAUSE,
        /** A client dies; another one takes its place. */
        CLIENT_DEATH,
        /** Somebody connects with the key of a client. */
        STOLEN_KEY,
        /** Somebody sends bytes that are no message. */
        HOSTILE_BYTES,
        /** The code of the service itself behaves as it rarely does: short batches, full rings, late timers. */
        RARE_WAYS,
        /** For a while some commands take up to a second in the machine. */
        SLOW_COMMANDS,
        /** A command does not end, until an operator who was told of it has it skipped. */
        LOOPING_COMMAND,
        /** The machine of a client is gone, and nobody resets its connection; another one takes its place. */
        VANISHED_CLIENT,
        /** A client reads slowly for a while, and takes little before it reads on. */
        SLOW_READER,
        /** For a while nothing arrives in one direction, to the service or from it. */
        ONE_WAY_PARTITION,
        /** The clocks of a client jump, go wrong, or stand still. */
        CLIENT_CLOCK,
        /** The clock of the service is set forward by more than a day. */
        CLOCK_LEAP,
        /** An operator tries the former version of the machine behind the next one, which must not start. */
        DOWNGRADE,
        /** More clients come, one behind the other, than the service remembers sessions. */
        CROWD,
        /** The disk of the service has lost a bit or a sector of a file, or has written it to another place. */
        BIT_ROT
    }

    /** Those from here on are chosen apart from the others, so that a seed has the same others as without them. */
    private static final int FIRST_APART = Kind.SLOW_COMMANDS.ordinal();

    private static final int FIRST_QUIET = Kind.BIT_ROT.ordinal();

    private static final Kind[] KINDS = Kind.values();

    /** Chooses what goes wrong, and when, within so many nanoseconds. */
    static Disaster random(SplittableRandom random, long nanos) {
        return of(random, nanos, 0, FIRST_APART);
    }

    /** As {@link #random}, of the kinds that are chosen apart. */
    static Disaster apart(SplittableRandom random, long nanos) {
        return of(random, nanos, FIRST_APART, FIRST_QUIET);
    }

    /** As {@link #apart}, of the kinds that nobody is told of. */
    static Disaster quiet(SplittableRandom random, long nanos) {
        return of(random, nanos, FIRST_QUIET, KINDS.length);
    }

    private static Disaster of(SplittableRandom random, long nanos, int from, int to) {
        return new Disaster(random.nextLong(nanos), KINDS[random.nextInt(from, to)], random.nextInt(1000));
    }

    /** Returns the same at another time. */
    Disaster at(long nanos) {
        return new Disaster(nanos, kind, number);
    }

    @Override
    public int compareTo(Disaster other) {
        return Long.compare(atNanos, other.atNanos);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.6f s  %s (%d)", atNanos / 1e9, kind, number);
    }
}
