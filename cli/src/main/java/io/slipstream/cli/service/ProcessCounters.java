package io.slipstream.cli.service;

import io.slipstream.core.counters.Counters;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintWriter;

/** The counters of a process that serves. */
public final class ProcessCounters {
    private static final int PLACES = 64;

    private ProcessCounters() {
    }

    /** Creates them; a service that nobody can watch is better than none, so without room it says so. */
    public static @Nullable Counters create(PrintWriter out) {
        try {
            return Counters.createDefault(PLACES);
        } catch (IOException e) {
            out.println("'slipstream top' will not show this process: " + e.getMessage());
            return null;
        }
    }
}
