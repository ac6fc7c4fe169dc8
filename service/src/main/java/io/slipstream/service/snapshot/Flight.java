package io.slipstream.service.snapshot;

import io.slipstream.core.counters.FlightCounters;

/**
 * Tells JDK Flight Recorder of a snapshot, in a process that has the recorder: a runtime image may leave it out. The
 * event's class is loaded in that case alone.
 */
final class Flight {
    private static final boolean AVAILABLE = FlightCounters.isAvailable();

    private final Object event;

    private Flight(Object event) {
        this.event = event;
    }

    /** A snapshot is about to be taken. */
    static Flight begin() {
        return new Flight(AVAILABLE ? Recorded.begin() : "no recorder");
    }

    /** It is durable. */
    void end(SnapshotReport report) {
        if (AVAILABLE) {
            Recorded.end(event, report);
        }
    }

    /** There is none. */
    void end(Throwable why) {
        if (AVAILABLE) {
            Recorded.end(event, why);
        }
    }

    private static final class Recorded {
        static Object begin() {
            SnapshotEvent event = new SnapshotEvent();
            event.begin();
            return event;
        }

        static void end(Object begun, SnapshotReport report) {
            SnapshotEvent event = (SnapshotEvent) begun;
            event.sequence = report.sequence();
            event.bytes = report.bytes();
            event.pause = report.pause().toNanos();
            event.commit();
        }

        static void end(Object begun, Throwable why) {
            SnapshotEvent event = (SnapshotEvent) begun;
            event.failure = why.toString();
            event.commit();
        }
    }
}
