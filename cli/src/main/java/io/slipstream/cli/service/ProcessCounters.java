package io.slipstream.cli.service;

import io.slipstream.core.counters.Counters;
import io.slipstream.core.counters.FlightCounters;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** The counters of a process that serves. */
public final class ProcessCounters {
    private static final int PLACES = 192;

    private ProcessCounters() {}

    /**
     * Creates them, also for JDK Flight Recorder; a service that nobody can watch is better than none, so without room
     * it says so.
     */
    public static @Nullable Counters create(PrintWriter out) {
        try {
            Counters counters = Counters.createDefault(PLACES);
            if (FlightCounters.isAvailable()) {
                // For as long as the process lives.
                FlightCounters.start(counters.file());
            }
            return counters;
        } catch (IOException e) {
            out.println("'slipstream top' will not show this process: " + e.getMessage());
            return null;
        }
    }
}
